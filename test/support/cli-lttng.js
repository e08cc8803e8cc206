'use strict'
// For tests of the nftrace command: a private session daemon, the commands lttng
// and nftrace beside it, and folders that go away.

const assert = require('node:assert')
const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')

const ROOT = path.join(__dirname, '..', '..')
const BUILD = path.resolve(ROOT, process.env.NFTRACE_BUILD || 'build')
const NFTRACE = path.join(BUILD, 'nftrace')
const MAX_OUTPUT = 1 << 30

/**
 * Runs define(), which defines a file's tests, beside a private session daemon:
 * the file again in private-lttng, unless it is there.
 */
function besideSessiond (file, define) {
  if (process.env.NFTRACE_SESSIOND_PID) return define()
  const { status } = spawnSync(path.join(__dirname, 'private-lttng'), [process.execPath, file], { stdio: 'inherit' })
  process.exitCode = status === null ? 1 : status
}

let temporaryFolders

/** A new folder, removed when this process ends. */
function temporaryFolder () {
  if (temporaryFolders === undefined) {
    temporaryFolders = fs.mkdtempSync(path.join(os.tmpdir(), 'nftrace-test-'))
    process.on('exit', () => fs.rmSync(temporaryFolders, { recursive: true, force: true }))
  }
  return fs.mkdtempSync(path.join(temporaryFolders, 'folder-'))
}

/** Runs a command to its end; its output, or an error that shows it. */
function run (command, args, options = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: MAX_OUTPUT, ...options })
  if (result.error) throw result.error
  assert.strictEqual(result.status, 0, `${command} ${args.join(' ')}: ${result.stderr}${result.stdout}`)
  return result.stdout
}

function lttng (...args) {
  return run('lttng', args)
}

/** Lines of text, parsed. */
function parseLines (text) {
  return text.split('\n').filter(line => line !== '').map(line => JSON.parse(line))
}

/** Runs nftrace to its end: { status, stdout, stderr, records }. */
function nftrace (args, options = {}) {
  const result = spawnSync(NFTRACE, args, { encoding: 'utf8', maxBuffer: MAX_OUTPUT, ...options })
  if (result.error) throw result.error
  const { status, signal, stdout, stderr } = result
  return { status, signal, stdout, stderr, get records () { return parseLines(stdout) } }
}

let nrSessions = 0

/**
 * A started session that writes to a folder. Options: channel, arguments of
 * enable-channel; create, more arguments of lttng create; events, and contexts.
 */
class Session {
  constructor ({ folder, channel = [], create = [], events = ['bunyan:*'], contexts = [] } = {}) {
    this.name = `test-${process.pid}-${++nrSessions}`
    this.folder = folder || path.join(temporaryFolder(), 'trace')
    const to = create.includes('--snapshot') ? [] : ['--output', this.folder]
    lttng('create', this.name, ...to, ...create)
    lttng('enable-channel', '-u', '-s', this.name, ...channel, 'records')
    for (const event of events) lttng('enable-event', '-u', '-s', this.name, '-c', 'records', event)
    for (const context of contexts) lttng('add-context', '-u', '-s', this.name, '-c', 'records', '-t', context)
    lttng('start', this.name)
  }

  /** Stops it, which writes out all data. */
  end () {
    lttng('stop', this.name)
    lttng('destroy', this.name)
  }
}

/** Runs a Node program of test/support to its end. */
function service (program, args, options = {}) {
  return run(process.execPath, [path.join(__dirname, program), ...args.map(String)], options)
}

/** The same, without waiting: a promise of its end. */
function startService (program, args, options = {}) {
  const child = spawn(process.execPath, [path.join(__dirname, program), ...args.map(String)],
    { stdio: ['ignore', 'ignore', 'inherit'], ...options })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => code === 0 ? resolve() : reject(new Error(`${program}: ${code || signal}`)))
  })
}

/** A relay daemon on LTTng's own ports that writes to a folder. */
async function startRelayd (folder) {
  const child = spawn('lttng-relayd', ['-o', folder], { stdio: 'ignore' })
  for (let i = 0; spawnSync('bash', ['-c', ': < /dev/tcp/127.0.0.1/5344']).status !== 0; i++) {
    assert.ok(i < 200, 'lttng-relayd doesn\'t answer')
    await sleep(20)
  }
  return child
}

module.exports = { besideSessiond, BUILD, lttng, nftrace, NFTRACE, parseLines, ROOT, run, service, Session, startRelayd, startService, temporaryFolder }
