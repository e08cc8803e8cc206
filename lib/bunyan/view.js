'use strict'
// Loggers for one call: a logger as another one is, but for its streams. Bunyan's own
// method is called with it in place of the logger, which stays as it is.

const { IS_OURS, isOurs, withoutDoubles } = require('./streams')

// What a view is for; undefined for a logger: { traced, src, learn }. traced: it has one
// stream, which is ours. src: what the record's src is to be, or undefined. learn: a
// function that is given the record, or undefined.
const VIEW = Symbol('nftrace.view')

// A stream's method write(record, level), for a record of a call of that level. Registered:
// copies of this module take each other's streams for their own.
const WRITE_CALL = Symbol.for('nftrace.write.1')

/** A copy and not an heir: V8 makes slow what others inherit from. */
function viewOf (logger, streams, view) {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(logger)), logger)
  copy.streams = streams
  copy[VIEW] = view
  return copy
}

/** An entry of logger.streams that hands on the call's level, whatever the record says. */
function entryFor ({ stream }, level) {
  const write = record => stream[WRITE_CALL] === undefined ? stream.write(record) : stream[WRITE_CALL](record, level)
  return { type: 'raw', raw: true, level: -Infinity, stream: { write, [IS_OURS]: true } }
}

/** A view for a call of a level that only tracing wants. Its record's src comes from us. */
function tracedView (logger, taker, level, src, learn) {
  const view = viewOf(logger, [entryFor(taker, level)], { traced: true, src, learn })
  view._level = -Infinity
  view.src = false
  return view
}

/** A logger's streams for a call of a level whose fields may say another one. */
function streamsFor (streams, level) {
  return withoutDoubles(streams, level).map(entry => isOurs(entry) ? entryFor(entry, level) : entry)
}

module.exports = { streamsFor, tracedView, VIEW, viewOf, WRITE_CALL }
