'use strict'
// LTTng for tests: sessions, driven by the lttng command, and traces as
// babeltrace2 reads them.

const assert = require('node:assert')
const { execFileSync, spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const { run, sleep, temporaryFolder } = require('./command')

const PYTHON = '/usr/bin/python3' // Debian's, which has Debian's bt2 module

let nrSessions = 0

/** Runs lttng(1) and returns what it prints; throws with what it says if it fails. */
function lttng (...args) {
  return run('lttng', args)
}

/** The events of a trace, each { event, payload, context }; a loss is { lost }. */
function readTrace (folder) {
  return execFileSync(PYTHON, [path.join(__dirname, 'read-trace.py'), folder], { maxBuffer: 1 << 30 })
    .toString().split('\n').filter(line => line !== '').map(line => JSON.parse(line))
}

/** What a reader makes of an event: the record as Bunyan wrote it. */
function recordOf ({ payload }) {
  const { fields, ...flat } = payload
  return { ...flat, time: new Date(flat.time).toISOString(), v: 0, ...JSON.parse(fields) }
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
 * A trace's Bunyan events from babeltrace2's text, with the contexts that nftrace
 * record adds, by time: { event, context, level, time, name, hostname, pid, msg,
 * fields }, fields as text.
 */
function eventsOf (folder) {
  return [...run('babeltrace2', [folder]).matchAll(EVENT)].map(([, event, context, level, time, name, hostname, pid, msg, fields]) => ({
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

/**
 * A session that records to a folder of its own. Options:
 *   folder: an existing one; create: more arguments of lttng create; buffers:
 *   'uid' (LTTng's default) or 'pid'; subbuf, count: size and number of
 *   sub-buffers; channel: more arguments of enable-channel; blocking: never
 *   discard; contexts: names.
 */
class Session {
  constructor ({ folder, create = [], buffers = 'uid', subbuf = '1M', count = '4', channel = [], blocking = false, contexts = [] } = {}) {
    this.name = `test-${process.pid}-${++nrSessions}`
    this.folder = folder ?? path.join(temporaryFolder(), 'trace')
    lttng('create', this.name, ...(create.includes('--snapshot') ? [] : ['--output', this.folder]), ...create)
    lttng('enable-channel', '-u', '-s', this.name, `--buffers-${buffers}`, '--subbuf-size', subbuf,
      '--num-subbuf', count, ...channel, ...(blocking ? ['--blocking-timeout', 'inf'] : []), 'channel')
    for (const context of contexts) lttng('add-context', '-u', '-s', this.name, '-c', 'channel', '-t', context)
  }

  /** args: of lttng enable-event, such as --loglevel=INFO or --filter. */
  enable (event, ...args) {
    lttng('enable-event', '-u', '-s', this.name, '-c', 'channel', event, ...args)
    return this
  }

  disable (event) {
    lttng('disable-event', '-u', '-s', this.name, '-c', 'channel', event)
    return this
  }

  start () {
    lttng('start', this.name)
    return this
  }

  stop () {
    lttng('stop', this.name)
    return this
  }

  /** Ends the session; its trace stays. */
  end () {
    lttng('destroy', this.name)
  }

  /** Ends the session and returns its events. */
  finish () {
    this.end()
    const events = readTrace(this.folder)
    fs.rmSync(this.folder, { recursive: true })
    return events
  }
}

/** A started session with events of the bunyan provider. */
function trace (options = {}, ...args) {
  return new Session(options).enable('bunyan:*', ...args).start()
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

module.exports = { eventsOf, folderIn, lttng, readTrace, recordOf, Session, startRelayd, trace }
