'use strict'
// Writes records where the addon reads them. A record's fields become the text of
// a JSON object, byte by byte, in memory that the addon sees: for the short strings
// and numbers that records are made of, this takes less than making a string of
// them and having that copied. Long strings stand apart: the addon is given them
// as they are and escapes them, faster than JSON.stringify().

const native = require('./native')
const { safeText } = require('./safe')

const START = 1 // behind the object's brace
const FIRST_SIZE = 65536
const LARGEST_KEPT = 1024 * 1024
// What is written between two looks at the room left: a short key and a short
// string, all escaped.
const SLACK = 1024

const MIN_APART = 64 // characters
const MAX_APART = 15 // and the message: ADDON_MAX_STRINGS
const ESCAPED = 0x01 // ADDON_APART
const AS_IT_IS = 0x02 // ADDON_APART_JSON

const MAX_CACHED_KEYS = 4096
const MAX_CACHED_LENGTH = 64
const MAX_PLAIN_DEPTH = 4 // a cycle ends in JSON.stringify(), which refuses it
const MAX_TIMES_UTF8 = 3 // UTF-8 bytes of one UTF-16 unit

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN = 0x7b
const CLOSE = 0x7d

const own = Object.prototype.hasOwnProperty
const { isArray } = Array
const { getPrototypeOf, prototype: plainPrototype } = Object

const keys = new Map()
const head = new Float64Array(6) // enum addon_head
let bytes // of the record that is being written
let safe // up to where there is SLACK left
const apart = new Array(MAX_APART).fill('') // strings that the record has places for
let nrApart = 0

/**
 * Whether a record is being written. enter() sets it, and its caller clears it, in
 * place: where the stack is about to overflow, a function for that could not be
 * called, and each record from then on would be taken for one within another.
 */
const writing = { busy: false }

function allocate (size) {
  const old = bytes
  bytes = Buffer.alloc(size)
  if (old === undefined) bytes[0] = OPEN
  else old.copy(bytes)
  safe = size - SLACK
  native.memory(head, bytes)
}

/** Makes room for so many bytes from p on, and SLACK. */
function reserve (p, size) {
  if (p + size > safe) allocate(2 * (p + size) + SLACK)
}

/**
 * Starts another record. What the application's values do while they are looked at
 * (toJSON, getters) may log in its turn: then what is written so far is returned,
 * to be given back to leave().
 */
function enter () {
  const outer = writing.busy ? { bytes: Buffer.from(bytes), apart: apart.slice(0, nrApart) } : null
  nrApart = 0
  if (bytes.length > LARGEST_KEPT && outer === null) {
    bytes = undefined
    allocate(FIRST_SIZE)
  }
  writing.busy = true
  return outer
}

/** Ends the record within another one. */
function leave (outer) {
  outer.bytes.copy(bytes)
  outer.apart.forEach((string, i) => { apart[i] = string })
  nrApart = outer.apart.length
}

/** Writes JSON text that may be of any length and hold any character. */
function putText (p, text) {
  const { length } = text
  if (length >= MIN_APART) return putLongText(p, text)
  const memory = bytes
  let to = p
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i)
    if (c >= 0x80) return putLongText(p, text)
    memory[to++] = c
  }
  return to
}

function putLongText (p, text) {
  if (nrApart < MAX_APART) return putApart(p, text, AS_IT_IS)
  reserve(p, text.length * MAX_TIMES_UTF8)
  return p + bytes.write(text, p)
}

function putApart (p, string, how) {
  apart[nrApart++] = string
  bytes[p] = ESCAPED
  bytes[p + 1] = how
  return p + 2
}

/** Writes a string, quoted. Short plain ones, by far the most, need no escapes. */
function putString (p, string) {
  const { length } = string
  if (length >= MIN_APART) return putLongString(p, string)
  const memory = bytes // its variable would be read for each byte
  let to = p
  memory[to++] = QUOTE
  for (let i = 0; i < length; i++) {
    const c = string.charCodeAt(i)
    if (c < 0x20 || c === QUOTE || c === BACKSLASH || c >= 0x80) return putLongString(p, string)
    memory[to++] = c
  }
  memory[to] = QUOTE
  return to + 1
}

function putLongString (p, string) {
  if (nrApart === MAX_APART) return putLongText(p, JSON.stringify(string))
  bytes[p] = QUOTE
  p = putApart(p + 1, string, ESCAPED)
  bytes[p] = QUOTE
  return p + 1
}

function putNumber (p, number) {
  if ((number | 0) !== number || number < 0 || number > 999999) {
    return putText(p, number - number === 0 ? '' + number : 'null')
  }
  let digits = number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : number < 10000 ? 4 : number < 100000 ? 5 : 6
  const end = p + digits
  while (digits-- > 0) {
    const rest = (number / 10) | 0
    bytes[p + digits] = 0x30 + number - rest * 10
    number = rest
  }
  return end
}

/** Writes a key with its colon. */
function putKey (p, key) {
  let text = keys.get(key)
  if (text === undefined) {
    text = Buffer.from(JSON.stringify(key) + ':')
    if (key.length > MAX_CACHED_LENGTH) reserve(p, text.length)
    else if (keys.size < MAX_CACHED_KEYS) keys.set(key, text)
  }
  const { length } = text
  const memory = bytes
  for (let i = 0; i < length; i++) memory[p++] = text[i]
  return p
}

/**
 * Writes a value as JSON.stringify() of the object that holds it under a key
 * would; returns -1 for what that would leave out, and throws where that would.
 */
function putValue (p, value, key, depth) {
  switch (typeof value) {
    case 'string': return putString(p, value)
    case 'number': return putNumber(p, value)
    case 'boolean': return putText(p, value ? 'true' : 'false')
    case 'undefined':
    case 'symbol': return -1
    case 'object': if (value === null) return putText(p, 'null')
  }
  // toJSON() is given the key; a Date's ignores it.
  if (value.toJSON !== undefined && !(value instanceof Date)) return putTextIfAny(p, memberText(value, key))
  return depth < MAX_PLAIN_DEPTH && typeof value === 'object' && !isArray(value) && getPrototypeOf(value) === plainPrototype
    ? putPlain(p, value, depth)
    : putTextIfAny(p, JSON.stringify(value))
}

/** A plain object: for the usual small one faster than JSON.stringify(). */
function putPlain (p, object, depth) {
  const start = p
  for (const key in object) {
    if (!own.call(object, key)) continue
    if (p > safe) reserve(p, 0)
    const before = p
    bytes[p++] = before === start ? OPEN : COMMA
    const end = putValue(putKey(p, key), object[key], key, depth + 1)
    p = end === -1 ? before : end
  }
  if (p === start) bytes[p++] = OPEN
  bytes[p] = CLOSE
  return p + 1
}

function putTextIfAny (p, text) {
  return text === undefined ? -1 : putText(p, text)
}

function memberText (value, key) {
  const text = JSON.stringify({ [key]: value })
  return text === '{}' ? undefined : text.slice(JSON.stringify(key).length + 2, -1)
}

/**
 * Writes a member behind the others, which end at p; returns where it ends. What
 * JSON leaves out is left out; what JSON.stringify() refuses (BigInt, cycles,
 * throwing getters and toJSON, revoked proxies) has a stand-in where it stands.
 */
function putMember (p, key, value) {
  if (p > safe) reserve(p, 0)
  const start = p
  if (p !== START) bytes[p++] = COMMA
  p = putKey(p, key)
  const before = nrApart
  let end
  try {
    end = putValue(p, value, key, 0)
  } catch {
    nrApart = before
    end = putTextIfAny(p, safeText(value, key))
  }
  return end === -1 ? start : end
}

/** Writes members' text, without braces, behind the others; returns where they end. */
function putMembersText (p, text) {
  if (text === '') return p
  if (p > safe) reserve(p, 0)
  if (p !== START) bytes[p++] = COMMA
  return putText(p, text)
}

/** The members up to p, to be written again by putMembers(); null if strings stand apart. */
function copyMembers (p) {
  return nrApart > 0 ? null : Buffer.from(bytes.subarray(START, p))
}

/** Writes what copyMembers() gave, as the first members; returns where they end. */
function putMembers (members) {
  const { length } = members
  if (length > 128) {
    reserve(START, length)
    bytes.set(members, START)
  } else {
    for (let i = 0; i < length; i++) bytes[START + i] = members[i]
  }
  return START + length
}

/** The text of the members up to p, which then can't be sent any more. */
function takeMembers (p) {
  let text = bytes.toString('utf8', START, p)
  if (nrApart > 0) {
    let i = 0
    // eslint-disable-next-line no-control-regex
    text = text.replace(/\x01([^])/g, (_, how) => how === '\x02' ? apart[i++] : JSON.stringify(apart[i++]).slice(1, -1))
    forgetApart()
  }
  return text
}

/**
 * Records an event with the members up to p: the slot of an identity, int32
 * level, ms since the epoch, the most bytes the payload may take, and the
 * message. Returns whether it was taken; if not, it would take more bytes, or
 * its strings hold what UTF-8 or CTF can't carry.
 */
function send (slot, level, time, limit, msg, p) {
  if (p > safe) reserve(p, 0)
  bytes[p++] = CLOSE
  head[0] = slot
  head[1] = level
  head[2] = time
  head[3] = limit
  head[4] = p
  bytes[p++] = 0
  const end = putMsg(p, msg)
  head[5] = end
  const recorded = end === 0 ? recordApart(msg) : record()
  if (recorded) forgetApart()
  return recorded
}

/** They may be large. */
function forgetApart () {
  for (let i = 0; i < nrApart; i++) apart[i] = ''
  nrApart = 0
}

/** Spreading the strings would take as long as the rest of the call. */
function record () {
  switch (nrApart) {
    case 0: return native.record() !== false
    case 1: return native.record(apart[0]) !== false
    case 2: return native.record(apart[0], apart[1]) !== false
    default: return native.record(...apart.slice(0, nrApart)) !== false
  }
}

function recordApart (msg) {
  return (nrApart === 0 ? native.record(msg) : native.record(msg, ...apart.slice(0, nrApart))) !== false
}

/** Writes a message; returns where it ends, or 0 if it has to stand apart. */
function putMsg (p, msg) {
  const { length } = msg
  if (length >= MIN_APART) return 0
  for (let i = 0; i < length; i++) {
    const c = msg.charCodeAt(i)
    if (c === 0 || c >= 0x80) return 0
    bytes[p++] = c
  }
  bytes[p] = 0
  return p
}

// Belongs to the addon, whose memory it is, and not to this module, of which
// there may be several copies in an environment.
const shared = Symbol.for('nftrace.encode.1')
if (native[shared] === undefined) {
  allocate(FIRST_SIZE)
  const value = { copyMembers, enter, leave, putMember, putMembers, putMembersText, send, START, takeMembers, writing }
  Object.defineProperty(native, shared, { value })
}

module.exports = native[shared]
