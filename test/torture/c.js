'use strict'
// The C code alone: under sanitizers, with any arguments and any trace.

const { spawn, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const { temporaryFolder } = require('../support/folder')
const { lttng } = require('../support/lttng')
const { ROOT } = require('./memory')

const THREADS = path.join(ROOT, 'build', 'thread', 'build', 'test', 'c', 'provider')
const FUZZER = path.join(ROOT, 'build', 'fuzz', 'provider')
const READER = path.join(ROOT, 'build', 'sanitize', 'build', 'nftrace')
const READ_SECONDS = 20 // a read that takes longer hangs

/** Makes something: null, or why it can't be. */
function make (...args) {
  const { status, stderr } = spawnSync('make', ['--silent', ...args], { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? null : `it cannot be built: ${stderr.trim().split('\n')[0]}`
}

/** Runs a program to its end; its status and what it printed. */
async function runToEnd (command, args, env = {}) {
  const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', data => { said += data })
  const [status, signal] = await once(child, 'close')
  return { ended: signal ?? status, said }
}

/** Cuts a file, or overwrites a byte, a word or some hundred bytes of it, with noise or zeros. */
function damage (file, random) {
  const bytes = fs.readFileSync(file)
  const below = limit => Math.floor(random() * limit)
  const at = below(bytes.length)
  const most = [0, 1, 8, 500, 500][below(5)]
  if (most === 0) return fs.truncateSync(file, at)
  const isNoise = random() < 0.7
  for (let i = at; i < Math.min(bytes.length, at + most); i++) bytes[i] = isNoise ? below(256) : 0
  fs.writeFileSync(file, bytes)
}

function filesBelow (folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const name = path.join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(name) : [name]
  })
}

/** A trace is changed at random, at one to three places, and read. */
async function damagedTraces (torture) {
  const recording = torture.recording({ subbuf: '16k', count: '32' })
  const shared = torture.shared(2)
  for (const index of [0, 1]) await torture.service(shared, { index, records: 1000 }).ended
  recording.end()
  const TMPDIR = temporaryFolder()
  const folder = path.join(os.tmpdir(), 'damaged')
  const ends = { 0: 0, 1: 0 }
  let runs = 0
  while (runs < 5 || torture.left > 0) {
    fs.cpSync(recording.folder, folder, { recursive: true })
    const files = filesBelow(folder)
    for (let i = torture.random() * 3; i >= 0; i--) damage(files[Math.floor(torture.random() * files.length)], torture.random)
    const { ended, said } = await runToEnd('timeout', [String(READ_SECONDS), READER, 'read', folder], { TMPDIR, ASAN_OPTIONS: 'detect_leaks=0' })
    torture.check(ended in ends && !/Sanitizer|runtime error/.test(said), `read ${runs} ended with ${ended}: ${said.slice(0, 3000)}`)
    ends[ended]++
    fs.rmSync(folder, { recursive: true })
    torture.progress(`${++runs} traces`)
  }
  torture.check(fs.readdirSync(TMPDIR).length === 0, 'a stand-in was left behind')
  torture.note(`${runs} traces, of which ${ends[1]} were not read as a whole`)
}

/** Sessions turn everything on and off while 4 threads make, fire and destroy providers. */
async function threads (torture) {
  lttng('create', 'threads', '-o', path.join(os.homedir(), 'threads'))
  lttng('enable-event', '-u', '--all')
  lttng('start')
  const TSAN_OPTIONS = `suppressions=${path.join(ROOT, 'test', 'thread.supp')} report_thread_leaks=0 history_size=4`
  let rounds = 0
  while (rounds === 0 || torture.left > 0) {
    const running = runToEnd(THREADS, ['threads'], { TSAN_OPTIONS })
    const state = { isRunning: true }
    running.then(() => { state.isRunning = false })
    while (state.isRunning) {
      for (const args of [['stop'], ['start'], ['disable-event', '-u', '--all-events'], ['enable-event', '-u', '--all']]) {
        await runToEnd('lttng', args)
      }
    }
    const { ended, said } = await running
    torture.check(ended === 0 && said === '', `it ended with ${ended}: ${said.slice(0, 3000)}`)
    torture.progress(`${++rounds} rounds`)
  }
  torture.note(`${rounds} rounds of 4 × 2000 providers`)
}

async function fuzz (torture) {
  const corpus = temporaryFolder()
  const seed = 1 + Math.floor(torture.random() * 1e9)
  const { ended, said } = await runToEnd(FUZZER, [`-max_total_time=${Math.ceil(torture.seconds)}`, `-seed=${seed}`, '-max_len=4000',
    `-artifact_prefix=${os.tmpdir()}/nftrace-`, corpus, path.join(ROOT, 'test', 'fuzz', 'provider-corpus')])
  fs.rmSync(corpus, { recursive: true })
  torture.check(ended === 0, `it ended with ${ended}: ${said.slice(-3000)}`)
  torture.note((/Done \d+ runs/.exec(said) ?? [''])[0])
}

module.exports = [
  {
    name: 'thread-sanitizer',
    done: 'providers made, fired and destroyed by 4 threads while sessions turn their events on and off',
    promised: 'ThreadSanitizer reports nothing of ours',
    weight: 2,
    needs: () => make('SANITIZE=thread', path.relative(ROOT, THREADS)),
    run: threads
  }, {
    name: 'fuzz-provider',
    done: 'libFuzzer with ASan and UBSan: any names, layouts and values, fired',
    promised: 'no error; what is announced to LTTng is what is written',
    weight: 2,
    daemon: false,
    needs: () => make(path.relative(ROOT, FUZZER)),
    run: fuzz
  }, {
    name: 'damaged-traces',
    done: 'traces whose files, indexes and metadata are cut and overwritten at random, read with ASan and UBSan',
    promised: 'a read ends, with 0 or 1, and leaves nothing behind',
    weight: 2,
    needs: () => make('SANITIZE=1', path.relative(ROOT, READER)),
    run: damagedTraces
  }
]
