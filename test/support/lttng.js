'use strict'
// LTTng: sessions, driven by the lttng command, a relay daemon, and traces as
// babeltrace2 reads them (readTrace).

const { execFileSync, spawn, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')

const { run } = require('./command')
const { temporaryFolder } = require('./folder')
const { until } = require('./until')

const PYTHON = '/usr/bin/python3' // Debian's, which has Debian's bt2 module

let nrSessions = 0

/** Runs lttng(1) and returns what it prints; throws with what it says if it fails. */
function lttng (...args) {
  return run('lttng', args)
}

/**
 * The events of a trace as babeltrace2 decodes them: { event: 'bunyan:info', payload,
 * context }; a loss is { lost: its events }. To test what `nftrace read` makes of a
 * trace, use nftrace() of command.js.
 */
function readTrace (folder) {
  return execFileSync(PYTHON, [path.join(__dirname, 'read-trace.py'), folder], { maxBuffer: 1 << 30 })
    .toString().split('\n').filter(line => line !== '').map(line => JSON.parse(line))
}

/** The record as Bunyan wrote it, from an event of readTrace(). */
function recordOf ({ payload }) {
  const { fields, ...flat } = payload
  return { ...flat, time: new Date(flat.time).toISOString(), v: 0, ...JSON.parse(fields) }
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

  /**
   * Ends the session; its trace stays. Once it is stopped, all is written; waiting for
   * the session to be gone, too, takes LTTng half a second more.
   */
  end () {
    spawnSync('lttng', ['stop', this.name]) // which fails if a test has stopped it
    lttng('destroy', '--no-wait', this.name)
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

/**
 * A relay daemon that writes to a folder and listens on LTTng's own ports, or on three
 * others: { end() }. It is killed: asked to end, it takes as long as its connections.
 */
async function startRelayd (folder, port = 5342) {
  const [control, data, live] = [port, port + 1, port + 2].map(port => `tcp://127.0.0.1:${port}`)
  const child = spawn('lttng-relayd', ['-o', folder, '-C', control, '-D', data, '-L', live], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const end = () => {
    child.kill('SIGKILL')
    return ended
  }
  await until(() => spawnSync('bash', ['-c', `: < /dev/tcp/127.0.0.1/${port + 2}`]).status === 0, 'lttng-relayd to answer')
  return { end }
}

module.exports = { folderIn, lttng, readTrace, recordOf, Session, startRelayd, trace }
