'use strict'
// Stand-ins for what JSON.stringify() refuses: BigInt, cycles, throwing getters
// and toJSON, revoked proxies.

const { isBigIntObject, isBooleanObject, isNumberObject, isStringObject } = require('node:util').types

// An object in several places is written in each of them, as JSON.stringify() does. In a
// graph full of cycles that could take years. So an object becomes '[Repeated]' once the
// repeated values are more than MAX_REPEATED, and more than MAX_TIMES_REPEATED times the
// others.
const MAX_REPEATED = 100000
const MAX_TIMES_REPEATED = 10
// Deeper values are '[Too deep]': a copy of them could not be written.
const MAX_DEPTH = 1000

/**
 * JSON text of any value under a key, without ever throwing; undefined for what
 * JSON leaves out.
 */
function safeText (value, key) {
  try {
    return JSON.stringify(copyOf(value, key, { path: new Set(), copies: new Map(), values: 0, repeated: 0 }, 0).value)
  } catch {
    return '"[Unserializable]"'
  }
}

const leaf = value => ({ value, size: 1 })

/**
 * A copy of a value that JSON.stringify() takes, and how many values are in it. An
 * object within itself is '[Circular]', as Bunyan writes it; what throws is
 * '[Throws: message]'. walk: the objects that the value is in, the copies that are made,
 * and how many values stand at one place or at more.
 */
function copyOf (value, key, walk, depth) {
  if (typeof value === 'bigint') return leaf(BigInt.asIntN(54, value) === value ? Number(value) : String(value))
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return leaf(value)
  if (walk.path.has(value)) return leaf('[Circular]')
  const known = walk.copies.get(value)
  if (known !== undefined) {
    walk.repeated += known.size
    return walk.repeated > Math.max(MAX_REPEATED, MAX_TIMES_REPEATED * walk.values) ? leaf('[Repeated]') : known
  }
  if (depth > MAX_DEPTH) return leaf('[Too deep]')
  walk.path.add(value)
  try {
    const copy = copyOfObject(value, key, walk, depth)
    // toJSON() may give something else under another key.
    if (typeof value.toJSON !== 'function') walk.copies.set(value, copy)
    return copy
  } catch (error) {
    return leaf(thrown(error))
  } finally {
    walk.path.delete(value)
  }
}

function copyOfObject (value, key, walk, depth) {
  const toJSON = value.toJSON
  if (typeof toJSON === 'function') {
    const result = toJSON.call(value, key)
    if (result !== value) return copyOf(result, key, walk, depth + 1)
  }
  if (typeof value === 'function') return leaf(undefined)
  if (isNumberObject(value) || isStringObject(value) || isBooleanObject(value)) return leaf(value.valueOf())
  if (isBigIntObject(value)) return copyOf(value.valueOf(), key, walk, depth + 1)
  const isArray = Array.isArray(value)
  const copy = isArray ? [] : Object.create(null)
  const keys = isArray ? value.length : Object.keys(value)
  let size = 1
  for (let i = 0; i < (isArray ? keys : keys.length); i++) {
    const name = isArray ? i : keys[i]
    const member = memberOf(value, name, walk, depth)
    copy[name] = member.value
    size += member.size
    walk.values++
  }
  return { value: copy, size }
}

function memberOf (object, key, walk, depth) {
  try {
    return copyOf(object[key], String(key), walk, depth + 1)
  } catch (error) {
    return leaf(thrown(error))
  }
}

/** The stand-in for what threw while it was read. */
function thrown (error) {
  try {
    return `[Throws: ${error !== null && typeof error === 'object' && 'message' in error ? error.message : error}]`
  } catch {
    return '[Throws]'
  }
}

module.exports = { safeText, thrown }
