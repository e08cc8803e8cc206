'use strict'
// The stream that Bunyan writes to: records in, events out.

const { EventEmitter } = require('node:events')

const { RECORD } = require('./direct')
const { redactingSinkOf, sinkOf } = require('../record/event')
const { readable } = require('./guard')
const { follow, IS_OURS } = require('./levels')
const { recordsOf } = require('../record/lines')
const { split, splitBare } = require('../record/split')
const { thrown } = require('../record/safe')
const { indexOfLevel, INFO } = require('../record/contract')
const { states } = require('../record/states')

/**
 * Takes Bunyan records (and, as a stream of type 'stream', JSON lines) and
 * records each as an event while a tracing session wants its level. There is no
 * back pressure: write() returns true, and false once the stream has ended.
 */
class TraceStream extends EventEmitter {
  #ended = false
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
    if (direct) this[RECORD] = (...parts) => this.#ended || this.#sink(...parts)
  }

  write (data) {
    if (this.#ended) return false
    try {
      if (typeof data === 'object' && data !== null && !ArrayBuffer.isView(data)) this.#writeRecord(data)
      else if (typeof data === 'string' || ArrayBuffer.isView(data)) this.#writeText(data)
      else if (data !== undefined && data !== null) this.#writeText(String(data))
    } catch {
      // The service must not stop for a record that can't even be described.
    }
    return true
  }

  end (data) {
    if (data !== undefined && data !== null && typeof data !== 'function') this.write(data)
    if (this.#ended) return this
    this.#ended = true
    process.nextTick(() => {
      this.emit('finish')
      this.emit('close')
    })
    return this
  }

  destroy () { return this.end() }
  destroySoon () { return this.end() }

  /**
   * Bunyan's addStream() adds an 'error' listener: that is where we learn which
   * logger this stream is given to. No error is ever emitted, so a listener for
   * it need not be kept, and any number of loggers may share the stream.
   */
  on (event, listener) {
    return event === 'error' && follow(listener) ? this : super.on(event, listener)
  }

  #writeRecord (record) {
    let level = INFO
    try {
      level = record.level
    } catch {}
    if (typeof level !== 'number' || level - level !== 0) level = INFO
    if (states[indexOfLevel(level)][0] === 0) return
    try {
      split(record, this.#sink)
      return
    } catch {}
    let copy
    try {
      copy = readable(record)
    } catch (error) { // a revoked proxy
      copy = { level, msg: thrown(error) }
    }
    try {
      split(copy, this.#sink)
    } catch (error) {
      splitBare(copy, error, this.#sink)
    }
  }

  #writeText (data) {
    if (states.every(state => state[0] === 0)) return
    for (const record of recordsOf(data, this.#textCensor)) this.#writeRecord(record)
  }
}
TraceStream.prototype[IS_OURS] = true

module.exports = { TraceStream }
