'use strict'
// npm run box: a virtual machine where `nftrace record --kernel` works.

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const readline = require('node:readline')
const { parseArgs } = require('node:util')

const { boot } = require('./boot')
const cache = require('./cache')
const Interleaved = require('./interleaved')
const { kernel } = require('./kernel')
const { BoxError, run, say, step } = require('./steps')

const ROOT = path.join(__dirname, '..')
const FAILED = 1
const USAGE = 2
const NO_BOX = 3

const RECORD = {
  '--level': 'debug',
  '--kernel': 'sched_switch,sched_wakeup,net_dev_queue,net_if_receive_skb,block_rq_issue',
  '--syscalls': 'open,openat,read,write,connect,accept4'
}

const HELP = `Usage: npm run box -- [OPTION]…
       npm run box -- run [OPTION]… SCRIPT [RECORD-OPTION]… [-- ARGUMENT…]
       npm run box -- test [OPTION]…
       npm run box -- clean

A virtual machine with LTTng's kernel modules, made of this machine's Debian
packages, Node and this working tree. The first time takes minutes, then seconds.

  (nothing)  a shell in the box; exit ends it, Ctrl-A X kills it. What is put in
             /out comes out with --output. Runs stdin, if that is no terminal
  run        runs SCRIPT, a file of this working tree, there, as
               nftrace record RECORD-OPTION… -- node SCRIPT ARGUMENT…
             and prints the log records and the kernel's events, merged by time,
             as nftrace read --all --context does. RECORD-OPTIONs are those of
             nftrace record; if not given,
               ${Object.entries(RECORD).map(option => option.join(' ')).join('\n               ')}
  test       runs the tests of kernel recording there
  clean      removes the cache

  -o, --output=DIR   keeps the trace (of run), or what is in /out, in DIR, which
                     must be empty or not exist yet
      --timeout=N    gives up after N seconds; without a terminal 600 by default
      --tcg          doesn't use KVM
  -h, --help         this text

Environment:
  NFTRACE_BOX_CACHE   where the kernel and the root file system are kept, about
                      350 MB, and what was not used for a week is removed; by
                      default nftrace-box below $XDG_CACHE_HOME or ~/.cache
  NFTRACE_BOX_KERNEL  the kernel, as 6.1.0-47-cloud-amd64; by default one that is
                      known to work, else the newest that Debian offers

Exit status: 0; 1 if run did not see the kernel's events between log records of
one thread, if SCRIPT failed or a test did; 2 if the command line is wrong; 3 if
the box could not be made or did not boot.

  npm run --silent box -- run examples/kiosk.js | npx bunyan -o short
  npm run box -- run -o trace examples/kiosk.js --syscalls '*' -- 100
`

class UsageError extends Error {}

const OPTIONS = {
  output: { type: 'string', short: 'o' },
  timeout: { type: 'string' },
  tcg: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' }
}

/** Splits before the first item that satisfies is. */
function splitAt (list, is) {
  const at = list.findIndex(is)
  return at < 0 ? [list, []] : [list.slice(0, at), list.slice(at)]
}

function parseStrictly (args) {
  try {
    return parseArgs({ args, options: OPTIONS }).values
  } catch (error) {
    throw new UsageError(error.message)
  }
}

/** The script and what follows it, checked as far as the box doesn't do that. */
function parseRun (args) {
  const [script, ...rest] = args
  const [record, [, ...scriptArguments]] = splitAt(rest, argument => argument === '--')
  if (record.length > 0 && !record[0].startsWith('-')) throw new UsageError(`${record[0]}: what is for the script goes behind another --`)
  const file = path.relative(ROOT, path.resolve(script))
  if (file.startsWith('..') || !fs.existsSync(path.join(ROOT, file))) {
    throw new UsageError(`${script} is not a file of this working tree, which is what the box has`)
  }
  const ours = record.find(option => /^(-o|--output|--to(=|$))/.test(option))
  if (ours !== undefined) throw new UsageError(`${ours} is not for nftrace record here; -o DIR before SCRIPT keeps the trace`)
  return { file, record, scriptArguments }
}

/** Returns { word, values, script }. */
function parse (args) {
  const word = ['run', 'test', 'clean'].includes(args[0]) ? args[0] : 'shell'
  const rest = word === 'shell' ? args : args.slice(1)
  const { tokens } = parseArgs({ args: rest, options: OPTIONS, strict: false, tokens: true })
  const positional = tokens.find(token => token.kind === 'positional')
  const [before, after] = word === 'run' && positional ? splitAt(rest, (_, i) => i === positional.index) : [rest, []]
  const values = parseStrictly(before)
  if (values.help) return { word: 'help' }
  if (word === 'run' && after.length === 0) throw new UsageError('run needs a script, as examples/kiosk.js')
  if (values.timeout !== undefined && !(Number(values.timeout) > 0)) throw new UsageError(`--timeout: "${values.timeout}" is not a number of seconds`)
  if (values.output !== undefined && fs.existsSync(values.output) && fs.readdirSync(values.output).length > 0) {
    throw new UsageError(`--output: ${values.output} is not empty`)
  }
  return { word, values, script: after.length > 0 ? parseRun(after) : undefined }
}

function checkMachine () {
  const system = fs.readFileSync('/etc/os-release', 'utf8')
  if (process.arch === 'x64' && /^ID="?debian"?$/m.test(system)) return
  throw new BoxError('the box is made of the Debian packages of the machine it is on: that must be Debian 12 or later, for x86-64')
}

/** Makes what the box consists of, or finds it made; gives its kernel and disks. */
async function make (work) {
  checkMachine()
  await step('Debian packages, and nftrace built', async () => {
    await run('sh', [path.join(ROOT, 'scripts', 'setup'), 'box'])
    return { text: 'there' }
  })
  const how = ({ made }) => made ? 'made' : 'found in the cache'
  const base = await step('kernel and modules of LTTng', async () => {
    const made = await kernel()
    return { text: `${made.release}, ${how(made)}`, ...made }
  })
  const { root } = await step('root file system', async () => {
    const script = path.join(__dirname, 'root.sh')
    const content = [script, path.join(__dirname, 'guest', 'init')].map(file => fs.readFileSync(file))
    const list = await run('bash', [script, 'list'])
    const made = await cache.cached('root', [...content, list, path.basename(base.folder)], folder =>
      run('bash', [script, 'image', path.join(base.folder, 'modules.tar'), path.join(folder, 'image')]))
    return { text: how(made), root: path.join(made.folder, 'image') }
  })
  const tree = path.join(work, 'tree')
  await step('this working tree', async () => {
    await run('bash', [path.join(__dirname, 'tree.sh'), tree])
    return { text: 'copied' }
  })
  return { vmlinuz: path.join(base.folder, 'vmlinuz'), root, tree }
}

const quote = word => `'${word.replaceAll("'", "'\\''")}'`

/** What nftrace record gets, with our own choice of events unless it has one. */
function recordOptions (given) {
  const letters = { '--level': '-l' }
  const has = option => given.some(word => word === option || word.startsWith(`${option}=`) || (letters[option] && word.startsWith(letters[option])))
  const chosen = has('--kernel') || has('--syscalls')
  const ours = Object.entries(RECORD).filter(([option]) => option === '--level' ? !has(option) : !chosen)
  return [...ours.flat(), ...given]
}

function jobOf (word, script) {
  if (word === 'test') return '#!/bin/sh\nexec node scripts/test.js --strict box/guest/record.test.js\n'
  if (word === 'shell' && !process.stdin.isTTY) return `#!/bin/bash\n${fs.readFileSync(0)}`
  if (word === 'shell') {
    const { rows = 24, columns = 80 } = process.stdout
    const term = process.env.TERM || 'linux'
    const inside = `exec </dev/ttyS0 >/dev/ttyS0 2>&1; stty rows ${rows} cols ${columns}; exec bash --rcfile box/guest/bashrc`
    return `#!/bin/sh\nexport TERM=${quote(term)}\nexec setsid --wait sh -c ${quote(inside)}\n`
  }
  const command = ['nftrace', 'record', ...recordOptions(script.record), '-o', '/out/trace', '--', 'node', script.file, ...script.scriptArguments]
  return `#!/bin/sh\nexec ${command.map(quote).join(' ')}\n`
}

/** Prints a trace's log and gives what was seen in it. */
function printMerged (trace) {
  return new Promise((resolve, reject) => {
    const seen = new Interleaved()
    const child = spawn(path.join(ROOT, 'build', 'nftrace'), ['read', '--all', '--context', trace], { stdio: ['ignore', 'pipe', 'inherit'] })
    // A reader that has had enough, as head(1), doesn't change what is seen.
    process.stdout.on('error', error => { if (error.code !== 'EPIPE') throw error })
    child.stdout.pipe(process.stdout, { end: false })
    readline.createInterface({ input: child.stdout }).on('line', line => seen.add(JSON.parse(line)))
    child.on('error', reject)
    child.on('close', status => status === 0 ? resolve(seen) : reject(new BoxError(`nftrace read ended with status ${status}`)))
  })
}

async function finishRun (status, output) {
  if (status !== 0) {
    say(`nftrace record ended with status ${status}`)
    if (!fs.existsSync(path.join(output, 'trace'))) return FAILED
  }
  const seen = await printMerged(path.join(output, 'trace'))
  say(`${seen}`)
  const problem = seen.problem()
  if (problem !== undefined) say(problem)
  return status !== 0 || problem !== undefined ? FAILED : 0
}

/** Moves what is to be kept: of a run the trace itself. */
function keep (word, output, place) {
  const from = word === 'run' ? path.join(output, 'trace') : output
  if (!fs.existsSync(from)) return
  fs.cpSync(from, place, { recursive: true })
  say(`kept in ${place}`)
}

async function main (args) {
  const { word, values, script } = parse(args)
  if (word === 'help') return process.stdout.write(HELP) && 0
  if (word === 'clean') {
    fs.rmSync(cache.folder, { recursive: true, force: true })
    return 0
  }
  const work = cache.temporaryFolder()
  try {
    const output = path.join(work, 'output')
    const disks = await make(work)
    const shell = word === 'shell' && process.stdin.isTTY
    const limit = values.timeout !== undefined ? Number(values.timeout) : shell ? undefined : 600
    const status = await boot(disks, jobOf(word, script), output, {
      tcg: values.tcg,
      limit,
      shell,
      // Of run the log goes to stdout.
      onLine: line => (word === 'run' ? process.stderr : process.stdout).write(`${line}\n`)
    })
    if (values.output !== undefined) keep(word, output, values.output)
    if (word === 'run') return await finishRun(status, output)
    return status === 0 || shell ? 0 : FAILED
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
}

main(process.argv.slice(2)).then(status => { process.exitCode = status }, error => {
  if (error instanceof UsageError) {
    say(`${error.message}; see npm run box -- --help`)
    process.exitCode = USAGE
  } else if (error instanceof BoxError) {
    say(error.message)
    process.exitCode = NO_BOX
  } else {
    throw error
  }
})
