'use strict'
// Loggers for one call: a logger as another one is, but for its streams. Bunyan's own
// method is called with it in place of the logger, which stays as it is.

const { isOurs } = require('./streams')

// What a view is for; undefined for a logger: { traced, src, learn }. traced: it has
// our streams alone, and they take every level. src: what the record's src is to be, or
// undefined. learn: a function that is given the record, or undefined.
const VIEW = Symbol('nftrace.view')

/** A copy and not an heir: V8 makes slow what others inherit from. */
function viewOf (logger, streams, view) {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(logger)), logger)
  copy.streams = streams
  copy[VIEW] = view
  return copy
}

/** A view for a call that only tracing wants. Its record's src comes from us. */
function tracedView (logger, src, learn) {
  const view = viewOf(logger, logger.streams.filter(isOurs).map(entry => ({ ...entry, raw: true })), { traced: true, src, learn })
  view._level = -Infinity
  view.src = false
  return view
}

module.exports = { tracedView, VIEW, viewOf }
