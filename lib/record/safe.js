'use strict'
// Stand-ins for what JSON.stringify() refuses: BigInt, cycles, throwing getters
// and toJSON, revoked proxies.

const MAX_VALUES = 10000
const MAX_DEPTH = 100

/**
 * JSON text of any value under a key, without ever throwing; undefined for what
 * JSON leaves out.
 */
function safeText (value, key) {
  try {
    return JSON.stringify(plain(value, key, { seen: new Set(), left: MAX_VALUES }, 0))
  } catch {
    return '"[Unserializable]"'
  }
}

/**
 * A copy of a value that JSON.stringify() takes. As Bunyan does, an object met
 * before is '[Circular]', and what throws is '[Throws: message]'.
 */
function plain (value, key, walk, depth) {
  if (typeof value === 'bigint') {
    return BigInt.asIntN(54, value) === value ? Number(value) : String(value)
  }
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value
  if (walk.seen.has(value)) return '[Circular]'
  if (depth > MAX_DEPTH || --walk.left < 0) return '[Truncated]'
  walk.seen.add(value)
  try {
    const toJSON = value.toJSON
    if (typeof toJSON === 'function') {
      const result = toJSON.call(value, key)
      if (result !== value) return plain(result, key, walk, depth + 1)
    }
    if (typeof value === 'function') return undefined
    if (value instanceof Number || value instanceof String || value instanceof Boolean) return value.valueOf()
    if (value instanceof BigInt) return plain(value.valueOf(), key, walk, depth + 1)
    return Array.isArray(value) ? plainArray(value, walk, depth) : plainObject(value, walk, depth)
  } catch (error) {
    return thrown(error)
  }
}

function plainArray (array, walk, depth) {
  const copy = []
  for (let i = 0; i < array.length; i++) {
    if (walk.left <= 0) {
      copy.push('[Truncated]')
      break
    }
    copy.push(member(array, i, walk, depth))
  }
  return copy
}

function plainObject (object, walk, depth) {
  const copy = Object.create(null)
  for (const key of Object.keys(object)) {
    if (walk.left <= 0) {
      copy['...'] = '[Truncated]'
      break
    }
    copy[key] = member(object, key, walk, depth)
  }
  return copy
}

function member (object, key, walk, depth) {
  try {
    return plain(object[key], String(key), walk, depth + 1)
  } catch (error) {
    return thrown(error)
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
