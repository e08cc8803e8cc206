'use strict'
// For the tests of the nftrace command: each runs in namespaces of its own,
// beside a private session daemon, and reads traces back with babeltrace2.

const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const ROOT = path.join(__dirname, '..', '..')
const NFTRACE = path.resolve(ROOT, process.env.NFTRACE_BUILD || 'build', 'nftrace')
const PRIVATE = path.join(__dirname, 'private-lttng')

const children = new Set()

/** What a failed test leaves running would keep its file from ending. */
function endChildren () {
  for (const child of children) child.kill('SIGKILL')
}

/**
 * Runs the calling test file again beside a private session daemon, unless that
 * is where it runs. Returns whether it is. Without a daemon: { daemon: false }.
 */
function inPrivate (file, { daemon = true } = {}) {
  if (process.env.NFTRACE_TEST_PRIVATE === file) {
    if (file.endsWith('.test.js')) require('node:test').after(endChildren)
    return true
  }
  const env = { ...process.env, NFTRACE_TEST_PRIVATE: file }
  if (!daemon) env.NFTRACE_NO_SESSIOND = '1'
  const { status } = spawnSync(PRIVATE, [process.execPath, file], { stdio: 'inherit', env })
  process.exitCode = status === null ? 1 : status
  return false
}

function temporaryFolder () {
  return fs.mkdtempSync(path.join(process.env.HOME || os.tmpdir(), 'nftrace-'))
}

/** Runs `nftrace` to its end: { status, signal, stdout, stderr }. */
function nftrace (args, options) {
  return spawnSync(NFTRACE, args, { encoding: 'utf8', cwd: ROOT, maxBuffer: 1 << 28, ...options })
}

/** Starts `nftrace`, maybe through nohup: the child process, with all its output in .text. */
function startNftrace (args, { throughNohup = false, ...options } = {}) {
  const command = throughNohup ? ['nohup', NFTRACE, ...args] : [NFTRACE, ...args]
  const child = spawn(command[0], command.slice(1), { cwd: ROOT, ...options })
  children.add(child)
  child.text = ''
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) stream.setEncoding('utf8').on('data', data => { child.text += data })
  }
  child.ended = new Promise(resolve => child.on('close', (status, signal) => resolve({ status, signal })))
  return child
}

/** Runs code in a Node that logs through nftrace: `log` is there, and `bunyan`. */
function logging (code, { name = 'shop' } = {}) {
  return [process.execPath, '-e', `
    const bunyan = require('bunyan')
    const nftrace = require('.')
    const log = bunyan.createLogger({ name: ${JSON.stringify(name)}, streams: [nftrace] })
    ${code}`]
}

function unescapeText (text) {
  const named = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\x07', e: '\x1b' }
  return text.replace(/\\(?:x([0-9a-f]{2})|(.))/gs, (_, hex, char) =>
    hex !== undefined ? String.fromCharCode(parseInt(hex, 16)) : char in named ? named[char] : char)
}

const STRING = '"((?:[^"\\\\]|\\\\.)*)"'
const EVENT = new RegExp(`bunyan:(\\w+): .*?\\{ (vpid = \\d+, vtid = \\d+, procname = "[^"]*") \\}, \\{ level = (-?\\d+), time = (-?\\d+), name = ${STRING}, ` +
  `hostname = ${STRING}, pid = (-?\\d+), msg = ${STRING}, fields = ${STRING} \\}`, 'gs')

/**
 * A trace's Bunyan events as babeltrace2 decodes them, by time:
 * { event, context, level, time, name, hostname, pid, msg, fields }, fields as text.
 */
function eventsOf (folder) {
  const { stdout, stderr, status } = spawnSync('babeltrace2', [folder], { encoding: 'utf8', maxBuffer: 1 << 29 })
  if (status !== 0) throw new Error(`babeltrace2 ${folder}: ${stderr}`)
  return [...stdout.matchAll(EVENT)].map(([, event, context, level, time, name, hostname, pid, msg, fields]) => ({
    event,
    context,
    level: Number(level),
    time: Number(time),
    name: unescapeText(name),
    hostname: unescapeText(hostname),
    pid: Number(pid),
    msg: unescapeText(msg),
    fields: unescapeText(fields)
  }))
}

/** The folder that `nftrace record` says it wrote. */
function folderIn (stderr) {
  const found = /records in (.*), \d+ lost/.exec(stderr)
  if (found === null) throw new Error(`no folder in: ${stderr}`)
  return found[1]
}

function sleep (ms) {
  return new Promise(resolve => setTimeout(resolve, ms))
}

/** Waits until a condition holds; fails after 10 s. */
async function until (condition, what) {
  for (let i = 0; i < 500; i++) {
    if (await condition()) return
    await sleep(20)
  }
  throw new Error(`waited in vain for ${what}`)
}

module.exports = { eventsOf, folderIn, inPrivate, logging, NFTRACE, nftrace, ROOT, sleep, startNftrace, temporaryFolder, until }
