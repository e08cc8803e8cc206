'use strict'
// Bunyan throws into the application what a field's getter, a toString() or an
// err serializer throws. A call that only tracing has opened would else have done
// nothing, so it must not throw: the record is built again from safe copies.

const { attempt, readableArguments } = require('../record/readable')
const { thrown } = require('../record/safe')

/** What Bunyan's src says of a function's caller; nothing where Error is frozen, as Bunyan does. */
function callerOf (method) {
  try {
    return findCaller(method)
  } catch {
    return {}
  }
}

function findCaller (method) {
  const { prepareStackTrace, stackTraceLimit } = Error
  const holder = {}
  let frame
  try {
    Error.prepareStackTrace = (_, stack) => stack
    Error.stackTraceLimit = 1
    Error.captureStackTrace(holder, method)
    frame = holder.stack[0]
  } finally {
    Error.prepareStackTrace = prepareStackTrace
    Error.stackTraceLimit = stackTraceLimit
  }
  if (frame === undefined) return {}
  const func = frame.getFunctionName()
  return { file: frame.getFileName(), line: frame.getLineNumber(), ...(func && { func }) }
}

/**
 * Makes a log call that never throws, and records in our streams alone. method:
 * Bunyan's, of a level; makeView() gives the logger to call it with: one like the logger
 * with no other streams, so that what else is logged meanwhile is no concern of it.
 */
function guarded (method, level, makeView, logger, args) {
  let view = logger
  try {
    view = makeView()
    Reflect.apply(method, view, args)
  } catch {
    try {
      Reflect.apply(method, view, readableArguments(args))
    } catch (error) {
      attempt(() => view._emit({ ...logger.fields, level, msg: thrown(error), time: new Date(), v: 0 }))
    }
  }
}

module.exports = { callerOf, guarded }
