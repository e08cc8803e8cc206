'use strict'
// LTTng's daemons, disks and permissions fail under a service: it goes on, is not
// slower, says nothing, and is traced again where LTTng allows it.

const { execFileSync, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const { run } = require('../support/command')
const { temporaryFolder } = require('../support/folder')
const { lttng } = require('../support/lttng')
const { sleep, until } = require('../support/until')
const { PAUSE, RETURNED } = require('./memory')
const { ask, STEADY_MEMORY } = require('./support')

const MEBIBYTE = 1048576
// What a heap may vary by in some seconds; load.js looks at memory for longer.
const FLAT = 2 * MEBIBYTE
const MOST_SLOWER = 2 // than a logger without us whose only stream does nothing
const BACK_SECONDS = 20 // LTTng-UST looks for a daemon every 5 s
const SOCKET = '/run/lttng/lttng-ust-sock-8'
const NOBODY = 65534

const isRoot = () => process.getuid() === 0 ? null : 'it needs root, to become another user'

/** Starts a daemon; it would keep a pipe open. */
function daemon (command, ...args) {
  execFileSync(command, [...args, '--background'], { stdio: 'ignore' })
}

/** Pids of a daemon; all that are to be seen here are of this scenario. */
function pids (name) {
  const { stdout } = spawnSync('pgrep', ['-x', name], { encoding: 'utf8' })
  return stdout.split('\n').filter(line => line !== '').map(Number)
}

function signal (name, how) {
  const found = pids(name)
  if (found.length === 0) throw new Error(`no ${name} runs`)
  for (const pid of found) process.kill(pid, how)
}

function startSessiond () {
  daemon('lttng-sessiond', '--no-kernel', '--group=root')
}

async function killSessiond () {
  signal('lttng-sessiond', 'SIGKILL')
  // Its consumer daemon ends by itself.
  const areGone = () => pids('lttng-sessiond').length + pids('lttng-consumerd').length === 0
  await until(areGone, 'the daemons to end', { seconds: 5 }).catch(() => {
    for (const pid of pids('lttng-consumerd')) process.kill(pid, 'SIGKILL')
  })
}

function traced (child, what) {
  return until(async () => (await ask(child, 'state')).enabled, what, { seconds: BACK_SECONDS })
}

/** lttng commands that may fail, or hang, when something is broken on purpose. */
function tryLttng (...args) {
  return spawnSync('timeout', ['5', 'lttng', ...args], { encoding: 'utf8' })
}

/**
 * A steady service, before, during and after a fault. Options:
 *   prepare(state)   before the service starts
 *   record(state)    starts the session that is hurt
 *   hurt(state)      the fault; null when prepare() was it
 *   mend(state)      its end
 *   again            false when LTTng needs the service started again
 *   service          more options for the service's process
 */
function fault ({ prepare, record, hurt, mend, again = true, service = {}, healthy = true }) {
  return async function (torture) {
    const phase = Math.max(700, torture.seconds * 1000 / 4)
    const state = { torture }
    const remember = recording => { state.recording = recording }
    await prepare?.(state)
    const shared = torture.shared(1)
    fs.chmodSync(path.dirname(shared.path), 0o755)
    fs.chmodSync(shared.path, 0o666)
    const child = torture.service(shared, { how: 'steady' }, { node: STEADY_MEMORY, ...service })
    await until(() => shared.get(0, RETURNED) > 0, 'the first log call')
    state.child = child

    torture.progress('nobody listens')
    remember(record === undefined ? torture.recording() : await record(state))
    if (healthy) await traced(child, 'tracing to begin')
    await sleep(phase)
    const before = await ask(child, 'state')

    torture.progress('the fault')
    await hurt?.(state)
    await sleep(2 * phase)
    const during = await ask(child, 'state')

    torture.progress('its end')
    await mend?.(state)
    if (again) {
      tryLttng('destroy', '--no-wait', '--all')
      const recording = torture.recording()
      await traced(child, 'tracing to come back')
      await sleep(phase)
      let read = 0
      await ask(child, 'state')
      await recording.finish(() => { read++ })
      torture.check(read > 0, 'nothing was recorded after the fault')
      torture.result.read = read
    } else {
      await sleep(phase)
    }
    const after = await ask(child, 'state')

    const slower = during.ours / during.theirs
    Object.assign(torture.result, {
      written: shared.get(0, RETURNED), pause: shared.get(0, PAUSE), memory: after.memory - before.memory
    })
    torture.check(slower <= MOST_SLOWER, `a call took ${slower.toFixed(2)} times as long as without us (${during.ours.toFixed(0)} to ${during.theirs.toFixed(0)} ns)`)
    torture.check(during.batches > phase / 50, `the service stood still: ${during.batches} batches in ${2 * phase} ms`)
    torture.check(after.memory - before.memory < FLAT, `memory grew by ${((after.memory - before.memory) / MEBIBYTE).toFixed(2)} MiB`)
    torture.check(child.said === '', `it printed: ${child.said}`)
    torture.check(child.exitCode === null && child.signalCode === null, 'the service ended')
    torture.note(`a call: ${before.ours.toFixed(0)} ns before, ${during.ours.toFixed(0)} during, ${after.ours.toFixed(0)} after; ` +
      `without us ${before.theirs.toFixed(0)}, ${during.theirs.toFixed(0)}, ${after.theirs.toFixed(0)}; longest pause of 20 calls ` +
      `${during.worst.toFixed(2)} ms, without us ${during.worstTheirs.toFixed(2)} ms; ` +
      (during.enabled ? 'still wanted during the fault' : 'not wanted any more during the fault'))
  }
}

const median = values => [...values].sort((a, b) => a - b)[values.length >> 1]

/** Short-lived sessions, one after the other; with the service's memory after each ten. */
async function churn (torture, child) {
  const most = 1000
  let sessions = 0
  const memory = []
  while (sessions < most && torture.left > 0) {
    const name = `churn-${sessions++}`
    const directory = temporaryFolder()
    lttng('create', name, '-o', directory)
    lttng('enable-event', '-u', '-s', name, 'bunyan:*')
    lttng('start', name)
    lttng('destroy', '--no-wait', name)
    fs.rmSync(directory, { recursive: true, force: true })
    if (sessions % 10 === 0) {
      torture.progress(`${sessions} sessions`)
      memory.push((await ask(child, 'state')).memory)
    }
  }
  return { sessions, memory }
}

async function sessions (torture) {
  const shared = torture.shared(1)
  const child = torture.service(shared, { how: 'steady' }, { node: STEADY_MEMORY })
  await until(() => shared.get(0, RETURNED) > 0, 'the first log call')
  const warm = torture.recording()
  await traced(child, 'tracing to begin')
  await warm.finish(() => {})
  const { sessions, memory } = await churn(torture, child)
  await sleep(200)
  const after = await ask(child, 'state')
  // The first tens are warm-up.
  const growth = memory.length < 15 ? 0 : median(memory.slice(-5)) - median(memory.slice(5, 10))
  Object.assign(torture.result, { written: shared.get(0, RETURNED), pause: shared.get(0, PAUSE), memory: growth })
  torture.note(`${sessions} sessions; memory after each ten, MiB: ${memory.map(bytes => (bytes / MEBIBYTE).toFixed(2)).join(' ')}; a call ${after.ours.toFixed(0)} ns, without us ${after.theirs.toFixed(0)} ns`)
  torture.check(after.ours / after.theirs <= MOST_SLOWER, `a call took ${(after.ours / after.theirs).toFixed(2)} times as long as without us`)
  torture.check(growth < FLAT, `memory grew by ${(growth / MEBIBYTE).toFixed(2)} MiB`)
  torture.check(child.said === '', `it printed: ${child.said}`)
  const recording = torture.recording()
  await traced(child, 'tracing to come back')
  let read = 0
  await sleep(200)
  await recording.finish(() => { read++ })
  torture.result.read = read
  torture.check(read > 0, 'nothing was recorded afterwards')
}

/** A small file system of its own for traces. */
function smallDisk () {
  const directory = temporaryFolder()
  run('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', directory])
  return directory
}

const UNTRACED = 'the service goes on, at most 2 × slower than without us, with flat memory and silent'
const AGAIN = `${UNTRACED}; traced again without a restart`

const scenarios = [
  {
    name: 'sessiond-killed',
    done: 'SIGKILL to the session daemon, and a new one',
    promised: AGAIN,
    run: fault({ hurt: killSessiond, mend: startSessiond })
  }, {
    name: 'sessiond-stopped',
    done: 'SIGSTOP to the session daemon, then SIGCONT',
    promised: AGAIN,
    run: fault({ hurt: () => signal('lttng-sessiond', 'SIGSTOP'), mend: () => signal('lttng-sessiond', 'SIGCONT') })
  }, {
    name: 'consumerd-killed',
    done: 'SIGKILL to the consumer daemon, and a new session daemon',
    promised: AGAIN,
    run: fault({
      hurt: () => signal('lttng-consumerd', 'SIGKILL'),
      async mend () {
        await killSessiond() // it starts no second consumer
        startSessiond()
      }
    })
  }, {
    name: 'consumerd-stopped',
    done: 'SIGSTOP to the consumer daemon until its buffers are full, then SIGCONT',
    promised: AGAIN,
    run: fault({
      record: ({ torture }) => torture.recording({ subbuf: '64k', count: 2 }),
      hurt: () => signal('lttng-consumerd', 'SIGSTOP'),
      mend: () => signal('lttng-consumerd', 'SIGCONT')
    })
  }, {
    name: 'relayd-killed',
    done: 'SIGKILL to the relay daemon that a session sends to',
    promised: AGAIN,
    run: fault({
      record ({ torture }) {
        const directory = temporaryFolder()
        torture.defer(() => fs.rmSync(directory, { recursive: true }))
        daemon('lttng-relayd', '--output', directory)
        lttng('create', 'relayed', '--set-url=net://127.0.0.1')
        lttng('enable-event', '-u', '-s', 'relayed', 'bunyan:*')
        lttng('start', 'relayed')
      },
      hurt: () => signal('lttng-relayd', 'SIGKILL')
    })
  }, {
    name: 'disk-full',
    done: 'the disk that a session records to is full',
    promised: AGAIN,
    run: fault({
      record ({ torture }) {
        const folder = smallDisk()
        torture.defer(() => run('umount', ['-l', folder]))
        return torture.recording({ folder, subbuf: '64k', count: 2 })
      },
      hurt ({ recording }) {
        try {
          fs.writeFileSync(path.join(recording.folder, 'ballast'), Buffer.alloc(4 * MEBIBYTE))
        } catch (error) {
          if (error.code !== 'ENOSPC') throw error
        }
      }
    })
  }, {
    name: 'shm-full',
    done: '/dev/shm is full when a session starts',
    promised: AGAIN,
    run: fault({
      healthy: false,
      prepare: () => run('mount', ['-o', 'remount,size=1m', '/dev/shm']),
      record () {
        tryLttng('create', 'full')
        tryLttng('enable-event', '-u', '-s', 'full', 'bunyan:*')
        tryLttng('start', 'full')
      },
      mend: () => run('mount', ['-o', 'remount,size=512m', '/dev/shm'])
    })
  }, {
    name: 'shm-absent',
    done: '/dev/shm is not there when a service starts',
    promised: UNTRACED,
    run: fault({
      healthy: false,
      again: false,
      prepare: () => run('mount', ['-t', 'tmpfs', '-o', 'mode=0000,size=4k,nr_inodes=1', 'tmpfs', '/dev/shm']),
      record: () => {}
    })
  }, {
    name: 'home-unset',
    done: 'HOME and LTTNG_HOME are not set',
    promised: AGAIN,
    run: fault({ service: { env: { HOME: undefined, LTTNG_HOME: undefined } } })
  }, {
    name: 'home-read-only',
    done: 'HOME is a folder that cannot be written to',
    promised: AGAIN,
    run: fault({ service: { env: { HOME: '/proc/self', LTTNG_HOME: undefined } } })
  }, {
    name: 'no-permission',
    done: 'another user\'s service may not open the session daemon\'s socket, then it may',
    promised: AGAIN,
    needs: isRoot,
    run: fault({
      healthy: false,
      prepare: () => fs.chmodSync(SOCKET, 0o600),
      service: { uid: NOBODY, env: { HOME: '/nonexistent', LTTNG_HOME: undefined } },
      mend: () => fs.chmodSync(SOCKET, 0o666)
    })
  }, {
    name: 'sessions',
    done: '1000 sessions created and destroyed under load (fewer in a short run)',
    promised: AGAIN,
    weight: 6,
    run: sessions
  }
]

module.exports = scenarios.map(scenario => ({ weight: 3, ...scenario }))
