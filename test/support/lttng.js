'use strict'
// Tracing sessions for tests, driven by the lttng command.

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const PYTHON = '/usr/bin/python3' // Debian's, which has Debian's bt2 module

let sessions = 0

/** Runs lttng(1) and returns what it prints; throws with what it says if it fails. */
function lttng (...args) {
  return execFileSync('lttng', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The events of a trace, each { event, payload, context }; a loss is { lost }. */
function readTrace (directory) {
  return execFileSync(PYTHON, [path.join(__dirname, 'read-trace.py'), directory], { maxBuffer: 1 << 30 })
    .toString().split('\n').filter(line => line !== '').map(line => JSON.parse(line))
}

/** What a reader makes of an event: the record as Bunyan wrote it. */
function recordOf ({ payload }) {
  const { fields, ...flat } = payload
  return { ...flat, time: new Date(flat.time).toISOString(), v: 0, ...JSON.parse(fields) }
}

/**
 * A session that records to a directory of its own. Options:
 *   buffers: 'uid' (LTTng's default) or 'pid'; contexts: names; subbuf, count:
 *   size and number of sub-buffers; blocking: never discard.
 */
class Session {
  constructor ({ buffers = 'uid', contexts = [], subbuf = '1M', count = '4', blocking = false } = {}) {
    this.name = `test-${process.pid}-${sessions++}`
    this.directory = fs.mkdtempSync(path.join(os.tmpdir(), 'nftrace-test-'))
    lttng('create', this.name, '-o', this.directory)
    lttng('enable-channel', '-u', '-s', this.name, `--buffers-${buffers}`, '--subbuf-size', subbuf,
      '--num-subbuf', count, ...(blocking ? ['--blocking-timeout', 'inf'] : []), 'channel')
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

  /** Ends the session and returns its events. */
  finish () {
    lttng('destroy', this.name)
    const events = readTrace(this.directory)
    fs.rmSync(this.directory, { recursive: true })
    return events
  }
}

/** A started session with events of the bunyan provider. */
function trace (options = {}, ...args) {
  return new Session(options).enable('bunyan:*', ...args).start()
}

module.exports = { lttng, recordOf, Session, trace }
