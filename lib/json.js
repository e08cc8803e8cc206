'use strict'
// JSON text of any JavaScript value, without ever throwing.

// Limits for values that JSON.stringify() refuses and we have to walk.
const MAX_VALUES = 10000
const MAX_DEPTH = 100

const MAX_CACHED_KEYS = 4096
const MAX_CACHED_LENGTH = 64
const MAX_PLAIN_LENGTH = 512
const MAX_PLAIN_DEPTH = 4 // a cycle ends in JSON.stringify(), which refuses it
// eslint-disable-next-line no-control-regex
const NEEDS_ESCAPE = /[\u0000-\u001f"\\\ud800-\udfff]/

const own = Object.prototype.hasOwnProperty
const keys = new Map()

/** A key with its colon, as in an object's text. */
function keyText (key) {
  let text = keys.get(key)
  if (text === undefined) {
    text = JSON.stringify(key) + ':'
    if (key.length <= MAX_CACHED_LENGTH && keys.size < MAX_CACHED_KEYS) keys.set(key, text)
  }
  return text
}

/** A string, quoted. Short plain ones, by far the most, need no escapes. */
function stringText (string) {
  return string.length < MAX_PLAIN_LENGTH && !NEEDS_ESCAPE.test(string)
    ? '"' + string + '"'
    : JSON.stringify(string)
}

/**
 * A value under a key, as JSON.stringify() of the object that holds it would
 * write it; undefined for what it would leave out. Values that it refuses
 * (BigInt, cycles, throwing getters and toJSON, revoked proxies) get a readable
 * stand-in where they stand.
 */
function valueText (value, key) {
  if (typeof value === 'string') return stringText(value)
  try {
    return strictText(value, key, 0)
  } catch {
    return safeText(value, key)
  }
}

/** As valueText(), but throws where JSON.stringify() would. */
function strictText (value, key, depth) {
  switch (typeof value) {
    case 'string': return stringText(value)
    case 'number': return value - value === 0 ? '' + value : 'null'
    case 'boolean': return value ? 'true' : 'false'
    case 'undefined':
    case 'symbol': return undefined
    case 'object': if (value === null) return 'null'
  }
  // toJSON() is given the key; a Date's ignores it.
  if (value.toJSON !== undefined && !(value instanceof Date)) return memberText(value, key)
  return depth < MAX_PLAIN_DEPTH && typeof value === 'object' && !Array.isArray(value) &&
    Object.getPrototypeOf(value) === Object.prototype
    ? plainText(value, depth)
    : JSON.stringify(value)
}

/** The text of a plain object: for the usual small one faster than JSON.stringify(). */
function plainText (object, depth) {
  let text = ''
  for (const key in object) {
    if (!own.call(object, key)) continue
    const member = strictText(object[key], key, depth + 1)
    if (member !== undefined) text += (text === '' ? '{' : ',') + keyText(key) + member
  }
  return text === '' ? '{}' : text + '}'
}

function memberText (value, key) {
  const text = JSON.stringify({ [key]: value })
  return text === '{}' ? undefined : text.slice(keyText(key).length + 1, -1)
}

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

module.exports = { keyText, stringText, valueText, thrown }
