'use strict'
// Copies of what an application logs that can be read without throwing. A call that only
// tracing has opened would else have done nothing, so it must not throw: its record is
// built again from these.

const { inspect } = require('node:util')

const { thrown } = require('./safe')

/** What a function gives, or the stand-in for what it throws. */
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

/** A log call's first argument, when it stands for fields. */
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

/** What a logger takes a call's message from that has no other: the error, or fields.err. */
function errorOf (fields) {
  if (attempt(() => fields instanceof Error) === true) return fields
  const err = attempt(() => fields.err)
  return attempt(() => err instanceof Error) === true ? err : undefined
}

/** Arguments of a log call that a logger can build a record from. */
function readableArguments (args) {
  const readableArgs = Array.from(args, (value, index) => {
    if (typeof value === 'symbol') return String(value) // not every format takes one
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

module.exports = { attempt, readable, readableArguments }
