'use strict'
// Boots the box in QEMU, watches it, and takes out what the job left.

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const readline = require('node:readline')
const { PassThrough } = require('node:stream')

const cache = require('./cache')
const { BoxError, run, say } = require('./steps')

const MOST_BOOTS = 3
const POWER_OFF_SECONDS = 20
// Sparse; what comes out of the box fits in it.
const EXCHANGE_BYTES = 4 * 2 ** 30

// first: within how long, in seconds, the box's first process speaks.
const ACCELERATORS = {
  kvm: { name: 'KVM', first: 15, args: ['-accel', 'kvm', '-cpu', 'host,-arch-capabilities'] },
  // With a thread for each CPU some boots hang while the kernel patches itself.
  tcg: { name: 'emulation', first: 60, args: ['-accel', 'tcg,thread=single,tb-size=256', '-cpu', 'max'] }
}

const KERNEL_LINE = 'console=ttyS0 quiet root=/dev/nvme0n1 rw init=/init panic=-1 oops=panic ' +
  'tsc=reliable mitigations=off nokaslr'

// There is a /dev/kvm on machines where no guest gets anywhere with it.
const brokenKvm = path.join(cache.folder, 'kvm-broken')
const thisBoot = () => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')

function kvmUsable () {
  try {
    fs.accessSync('/dev/kvm', fs.constants.R_OK | fs.constants.W_OK)
  } catch {
    return false
  }
  return !fs.existsSync(brokenKvm) || fs.readFileSync(brokenKvm, 'utf8') !== thisBoot()
}

function qemuArguments (accelerator, { vmlinuz, root, tree, exchange }, shell) {
  const disks = [`${root},snapshot=on`, `${tree},snapshot=on`, `${exchange},cache=unsafe`]
  return [
    '-M', 'q35', ...ACCELERATORS[accelerator].args, '-smp', '2', '-m', '1024',
    '-nodefaults', '-no-user-config', '-display', 'none', '-no-reboot',
    // In a shell Ctrl-C is the box's, and Ctrl-A X ends it.
    '-serial', shell ? 'mon:stdio' : 'stdio',
    '-kernel', vmlinuz, '-append', KERNEL_LINE,
    '-device', 'nvme,id=nvme0,serial=box',
    ...disks.flatMap((disk, i) => [
      '-drive', `if=none,id=disk${i},format=raw,file=${disk}`,
      '-device', `nvme-ns,drive=disk${i},bus=nvme0,nsid=${i + 1}`
    ])
  ]
}

/**
 * One boot. After the first process has spoken, onLine gets the console's lines,
 * or with shell our stdout gets all. Resolves to { outcome, text }: 'silent', the
 * first process never spoke, and text is what QEMU and the kernel said; 'late',
 * limit seconds are over; 'ended'.
 */
function bootOnce (accelerator, disks, { limit, shell, onLine, onUp }) {
  return new Promise((resolve, reject) => {
    const child = spawn('qemu-system-x86_64', qemuArguments(accelerator, disks, shell), {
      stdio: [shell ? 'inherit' : 'ignore', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: path.dirname(disks.exchange) } // of snapshot=on
    })
    let outcome
    let up = false
    let text = ''
    const timers = []
    const endAfter = (seconds, what) => timers.push(setTimeout(() => {
      outcome = what
      child.kill('SIGKILL')
    }, seconds * 1000))
    endAfter(ACCELERATORS[accelerator].first, 'silent')
    if (limit !== undefined) endAfter(limit, 'late')

    const output = shell ? process.stdout : new PassThrough()
    if (!shell) {
      const lines = readline.createInterface({ input: output })
      lines.on('line', line => {
        if (line !== 'box: done') return onLine(line)
        // The rest is the kernel's.
        lines.removeAllListeners('line')
        endAfter(POWER_OFF_SECONDS, 'ended')
      })
    }
    child.stdout.setEncoding('utf8').on('data', data => {
      if (up) return output.write(data)
      text += data
      const spoken = /box: up[^\n]*\n/.exec(text)
      if (spoken === null) return
      up = true
      clearTimeout(timers[0])
      onUp()
      output.write(text.slice(spoken.index + spoken[0].length))
    })
    child.stderr.setEncoding('utf8').on('data', data => { text += data })

    let stopped
    const stop = signal => {
      stopped = signal
      child.kill(signal)
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
    child.on('error', error => reject(new BoxError(`cannot run QEMU: ${error.message}`)))
    child.on('close', () => {
      timers.forEach(clearTimeout)
      process.off('SIGINT', stop).off('SIGTERM', stop)
      if (stopped !== undefined) return reject(new BoxError(`ended by ${stopped}`))
      resolve({ outcome: outcome || (up ? 'ended' : 'silent'), text: text.trim() })
    })
  })
}

/** The disk that takes the job into the box and what it left out of it. */
async function writeExchange (file, job) {
  const folder = path.join(path.dirname(file), 'job')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'run'), job, { mode: 0o755 })
  await run('tar', ['-C', folder, '-cf', file, '.'])
  fs.truncateSync(file, EXCHANGE_BYTES)
}

/**
 * Boots until it works, runs a job there, a script for /bin/sh, and unpacks what
 * it left in /out to the folder output. options: tcg, never KVM; limit, seconds
 * for a boot and its job; shell, the job has the terminal; onLine(line), of the
 * job's output. Returns the job's exit status.
 */
async function boot (disks, job, output, { tcg, ...options }) {
  const work = cache.temporaryFolder()
  try {
    const exchange = path.join(work, 'exchange')
    for (let tried = 1; ; tried++) {
      const accelerator = !tcg && kvmUsable() ? 'kvm' : 'tcg'
      await writeExchange(exchange, job)
      const began = performance.now()
      const seconds = () => ((performance.now() - began) / 1000).toFixed(1)
      const onUp = () => say(`booted by ${ACCELERATORS[accelerator].name} (${seconds()} s)`)
      const { outcome, text } = await bootOnce(accelerator, { ...disks, exchange }, { ...options, onUp })
      if (outcome === 'late') throw new BoxError(`not done within ${options.limit} s; --timeout allows more`)
      if (outcome === 'silent') {
        say(`no sign of life within ${seconds()} s by ${ACCELERATORS[accelerator].name}${text ? `: ${text.split('\n').at(-1)}` : ''}`)
        if (accelerator === 'kvm') fs.writeFileSync(brokenKvm, thisBoot())
        else if (tried >= MOST_BOOTS) throw new BoxError(`the box doesn't boot${text && `; the last of what QEMU and the kernel said:\n${text.slice(-2000)}`}`)
        continue
      }
      fs.mkdirSync(output, { recursive: true })
      await run('tar', ['-C', output, '--no-same-owner', '-xf', exchange])
      const status = path.join(output, 'status')
      if (!fs.existsSync(status)) throw new BoxError('the box ended before its job did')
      return Number(fs.readFileSync(status, 'utf8'))
    }
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
}

module.exports = { boot }
