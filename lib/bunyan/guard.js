'use strict'
// Bunyan throws into the application what a field's getter, a toString() or an
// err serializer throws. A call that only tracing has opened would else have done
// nothing, so it must not throw: the record is built again from safe copies.

const { inspect } = require('node:util')

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

function attempt (read) {
  try {
    return read()
  } catch (error) {
    return thrown(error)
  }
}

/** A copy of an object's own members; what can't be read has a stand-in. */
function readable (object) {
  const copy = {}
  for (const key of Object.keys(object)) {
    const value = attempt(() => object[key])
    Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true })
  }
  return copy
}

/** Bunyan's first argument, when it stands for fields. */
function readableFields (fields) {
  if (attempt(() => fields instanceof Error) !== true) return attempt(() => readable(fields))
  return {
    err: {
      message: attempt(() => fields.message),
      name: attempt(() => fields.name),
      stack: attempt(() => fields.stack)
    }
  }
}

/** What Bunyan takes a call's message from that has no other: the error, or fields.err. */
function errorOf (fields) {
  if (attempt(() => fields instanceof Error) === true) return fields
  const err = attempt(() => fields.err)
  return attempt(() => err instanceof Error) === true ? err : undefined
}

/** Arguments of a log call that Bunyan can build a record from. */
function readableArguments (args) {
  const readableArgs = Array.from(args, (value, index) => {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value
    if (index > 0 || typeof value === 'function' || attempt(() => Array.isArray(value)) === true) {
      return attempt(() => inspect(value))
    }
    const fields = readableFields(value)
    return typeof fields === 'object' ? fields : { fields }
  })
  const error = args.length === 1 ? errorOf(args[0]) : undefined
  if (error !== undefined) readableArgs.push(attempt(() => error.message))
  return readableArgs
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

module.exports = { callerOf, guarded, readable }
