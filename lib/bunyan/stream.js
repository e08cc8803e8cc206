'use strict'
// The stream that Bunyan writes to: records in, events out.

const { RECORD } = require('./direct')
const { redactingSinkOf, sinkOf } = require('../record/event')
const { readable } = require('../record/readable')
const { follow } = require('./logger')
const { IS_OURS, isLevel } = require('./streams')
const { WRITE_CALL } = require('./view')
const { recordsOf } = require('../record/lines')
const { Destination } = require('../record/destination')
const { split, splitBare } = require('../record/split')
const { thrown } = require('../record/safe')
const { indexOfLevel, INFO } = require('../record/contract')
const { states } = require('../record/states')

/**
 * Takes Bunyan records (and, as a stream of type 'stream', JSON lines) and
 * records each as an event while a tracing session wants its level.
 */
class TraceStream extends Destination {
  #sink
  #textCensor

  /**
   * limit: the most bytes of a record's payload; see maxRecordBytes. direct:
   * whether log methods may hand over a record's parts; see direct.js. redact:
   * from makeRedact() in redact.js, or undefined; with it, text
   * that isn't a record is left out: it has no paths, and may be half of a record.
   */
  constructor (limit, direct, redact) {
    super()
    this.#sink = redact === undefined ? sinkOf(limit) : redactingSinkOf(limit, redact)
    if (redact !== undefined) this.#textCensor = require('../record/redact').CENSOR
    if (direct) {
      this[RECORD] = (writer, name, hostname, pid, level, time, msg, end) => {
        if (this.isOpen) this.#sink(writer, name, hostname, pid, level, time, msg, end, level)
      }
    }
  }

  record (data) {
    if (typeof data === 'object' && data !== null && !ArrayBuffer.isView(data)) this.#recordObject(data)
    else if (typeof data === 'string' || ArrayBuffer.isView(data)) this.#recordText(data)
    else if (data !== undefined && data !== null) this.#recordText(String(data))
  }

  /**
   * Bunyan's addStream() adds an 'error' listener: that is where we learn which
   * logger this stream is given to. Bunyan would emit the logger's 'error' from it; no
   * write fails, so the listener need not be kept, and any number of loggers may share
   * the stream.
   */
  on (event, listener) {
    return event === 'error' && follow(listener) ? this : super.on(event, listener)
  }

  /** Records what a call of a level has made; whatever level the record says, the event is the call's. */
  [WRITE_CALL] (record, level) {
    if (!this.isOpen) return
    try {
      this.#recordObject(record, level)
    } catch {
      // The service must not stop for a record that can't even be described.
    }
  }

  #recordObject (record, called) {
    let level = called
    if (level === undefined) {
      try {
        level = record.level
      } catch {}
      if (!isLevel(level)) level = INFO
    }
    if (states[indexOfLevel(level)][0] === 0) return
    const sink = called === undefined ? this.#sink : (...parts) => this.#sink(...parts, called)
    try {
      split(record, sink)
      return
    } catch {}
    let copy
    try {
      copy = readable(record)
    } catch (error) { // a revoked proxy
      copy = { level, msg: thrown(error) }
    }
    try {
      split(copy, sink)
    } catch (error) {
      splitBare(copy, error, sink)
    }
  }

  #recordText (data) {
    if (states.every(state => state[0] === 0)) return
    for (const record of recordsOf(data, this.#textCensor)) this.#recordObject(record)
  }
}
TraceStream.prototype[IS_OURS] = true

module.exports = { TraceStream }
