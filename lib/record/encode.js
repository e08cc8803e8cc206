'use strict'
// Writes records where the addon reads them. A record's fields become the text of
// a JSON object, byte by byte, in memory that the addon knows: for the short strings
// and numbers that records are made of, this takes less than making a string of
// them and having that copied. Long strings stand apart: the addon is given them
// as they are and escapes them, faster than JSON.stringify().

const native = require('../native')
const { LEVEL, LEVEL_MARK, putMoved, startOrder } = require('./order')
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

const MAX_SPARES = 4 // writers kept for records to come

const MAX_CACHED_KEYS = 4096
const MAX_CACHED_LENGTH = 64
const MAX_PLAIN_DEPTH = 4 // a cycle ends in JSON.stringify(), which refuses it
const MAX_TIMES_UTF8 = 3 // UTF-8 bytes of one UTF-16 unit

const LEVEL_MOVED = 1 << LEVEL
const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN = 0x7b
const CLOSE = 0x7d

const own = Object.prototype.hasOwnProperty
const { isArray } = Array
const { getPrototypeOf, prototype: plainPrototype } = Object

const keys = new Map()
const head = new Float64Array(8) // enum addon_head

/**
 * What one record is written with. A record takes a writer from the spares, or a
 * new one, and gives it back when it is done. Nothing tells a record that another
 * one is being written: a log call made meanwhile (by a toJSON or a getter) finds
 * one writer less. JavaScript can be cut off at any moment, by a timeout of node:vm
 * for example, and then not even a finally block runs: that record's writer is never
 * given back, and the next record finds a whole one.
 *
 * bytes: a Buffer that begins with the object's brace. handle: the addon's number for
 * bytes, 0 if it has none. safe: up to where there is SLACK left. apart: strings that
 * the record has places for. sent: the record is recorded, whatever is thrown after.
 * addon: whose memory it is. The others are order.js's.
 */
function makeWriter () {
  const bytes = Buffer.alloc(FIRST_SIZE)
  bytes[0] = OPEN
  const writer = {
    bytes,
    handle: native.memory(bytes),
    safe: FIRST_SIZE - SLACK,
    apart: new Array(MAX_APART).fill(''),
    nrApart: 0,
    sent: false,
    addon: native,
    first: START,
    moved: 0,
    head: -1,
    tail: 0
  }
  return writer
}

/**
 * Writers that no record uses. Who has one from enter() gives it back in place: where
 * the stack is about to overflow, a function for that could not be called.
 *   if (spares.count < MAX_SPARES) spares.writers[spares.count++] = writer
 */
const spares = { writers: new Array(MAX_SPARES).fill(null), count: 0 }

/** Starts a record: gives the writer that all functions here take. */
function enter () {
  if (spares.count === 0) return makeWriter()
  const writer = spares.writers[--spares.count]
  if (writer.bytes.length > LARGEST_KEPT) return makeWriter()
  writer.nrApart = 0
  writer.sent = false
  writer.first = START // as startOrder() does, in place
  writer.moved = 0
  writer.head = -1
  writer.tail = 0
  return writer
}

/**
 * Gives a writer more room. What throws leaves it as it was, because the stores stand at
 * the end; a writer that is cut off among them is never used again.
 */
function grow (writer, size) {
  const bytes = Buffer.alloc(size)
  writer.bytes.copy(bytes)
  const handle = native.memory(bytes)
  writer.bytes = bytes
  writer.handle = handle
  writer.safe = size - SLACK
}

/** Makes room for so many bytes from p on, and SLACK. */
function reserve (writer, p, size) {
  if (p + size > writer.safe) grow(writer, 2 * (p + size) + SLACK)
}

/** Writes JSON text that may be of any length and hold any character. */
function putText (writer, p, text) {
  const { length } = text
  if (length >= MIN_APART) return putLongText(writer, p, text)
  const memory = writer.bytes
  let to = p
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i)
    if (c >= 0x80) return putLongText(writer, p, text)
    memory[to++] = c
  }
  return to
}

function putLongText (writer, p, text) {
  if (writer.nrApart < MAX_APART) return putApart(writer, p, text, AS_IT_IS)
  reserve(writer, p, text.length * MAX_TIMES_UTF8)
  return p + writer.bytes.write(text, p)
}

function putApart (writer, p, string, how) {
  writer.apart[writer.nrApart++] = string
  writer.bytes[p] = ESCAPED
  writer.bytes[p + 1] = how
  return p + 2
}

/** Writes a string, quoted. Short plain ones, by far the most, need no escapes. */
function putString (writer, p, string) {
  const { length } = string
  if (length >= MIN_APART) return putLongString(writer, p, string)
  const memory = writer.bytes // its variable would be read for each byte
  let to = p
  memory[to++] = QUOTE
  for (let i = 0; i < length; i++) {
    const c = string.charCodeAt(i)
    if (c < 0x20 || c === QUOTE || c === BACKSLASH || c >= 0x80) return putLongString(writer, p, string)
    memory[to++] = c
  }
  memory[to] = QUOTE
  return to + 1
}

function putLongString (writer, p, string) {
  if (writer.nrApart === MAX_APART) return putLongText(writer, p, JSON.stringify(string))
  writer.bytes[p] = QUOTE
  p = putApart(writer, p + 1, string, ESCAPED)
  writer.bytes[p] = QUOTE
  return p + 1
}

function putNumber (writer, p, number) {
  if ((number | 0) !== number || number < 0 || number > 999999) {
    return putText(writer, p, number - number === 0 ? '' + number : 'null')
  }
  let digits = number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : number < 10000 ? 4 : number < 100000 ? 5 : 6
  const end = p + digits
  while (digits-- > 0) {
    const rest = (number / 10) | 0
    writer.bytes[p + digits] = 0x30 + number - rest * 10
    number = rest
  }
  return end
}

/** Writes a key with its colon. */
function putKey (writer, p, key) {
  let text = keys.get(key)
  if (text === undefined) {
    text = Buffer.from(JSON.stringify(key) + ':')
    if (key.length > MAX_CACHED_LENGTH) reserve(writer, p, text.length)
    else if (keys.size < MAX_CACHED_KEYS) keys.set(key, text)
  }
  const { length } = text
  const memory = writer.bytes
  for (let i = 0; i < length; i++) memory[p++] = text[i]
  return p
}

/**
 * Writes a value as JSON.stringify() of the object that holds it under a key
 * would; returns -1 for what that would leave out, and throws where that would.
 */
function putValue (writer, p, value, key, depth) {
  switch (typeof value) {
    case 'string': return putString(writer, p, value)
    case 'number': return putNumber(writer, p, value)
    case 'boolean': return putText(writer, p, value ? 'true' : 'false')
    case 'undefined':
    case 'symbol': return -1
    case 'object': if (value === null) return putText(writer, p, 'null')
  }
  // toJSON() is given the key; a Date's ignores it.
  if (value.toJSON !== undefined && !(value instanceof Date)) return putTextIfAny(writer, p, memberText(value, key))
  return depth < MAX_PLAIN_DEPTH && typeof value === 'object' && !isArray(value) && getPrototypeOf(value) === plainPrototype
    ? putPlain(writer, p, value, depth)
    : putTextIfAny(writer, p, JSON.stringify(value))
}

/** A plain object: for the usual small one faster than JSON.stringify(). */
function putPlain (writer, p, object, depth) {
  const start = p
  for (const key in object) {
    if (!own.call(object, key)) continue
    if (p > writer.safe) reserve(writer, p, 0)
    const before = p
    writer.bytes[p++] = before === start ? OPEN : COMMA
    const end = putValue(writer, putKey(writer, p, key), object[key], key, depth + 1)
    p = end === -1 ? before : end
  }
  if (p === start) writer.bytes[p++] = OPEN
  writer.bytes[p] = CLOSE
  return p + 1
}

function putTextIfAny (writer, p, text) {
  return text === undefined ? -1 : putText(writer, p, text)
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
function putMember (writer, p, key, value) {
  if (p > writer.safe) reserve(writer, p, 0)
  const start = p
  if (p !== writer.first) writer.bytes[p++] = COMMA
  p = putKey(writer, p, key)
  const before = writer.nrApart
  let end
  try {
    end = putValue(writer, p, value, key, 0)
  } catch {
    writer.nrApart = before
    end = putTextIfAny(writer, p, safeText(value, key))
  }
  return end === -1 ? start : end
}

/** Writes members' text, without braces, behind the others; returns where they end. */
function putMembersText (writer, p, text) {
  if (text === '') return p
  if (p > writer.safe) reserve(writer, p, 0)
  if (p !== writer.first) writer.bytes[p++] = COMMA
  return putText(writer, p, text)
}

/** The members up to p, to be written again by putMembers(); null if strings stand apart. */
function copyMembers (writer, p) {
  return writer.nrApart > 0 ? null : Buffer.from(writer.bytes.subarray(START, p))
}

/** Writes what copyMembers() gave, as the first members; returns where they end. */
function putMembers (writer, members) {
  const { length } = members
  if (length > 128) {
    reserve(writer, START, length)
    writer.bytes.set(members, START)
  } else {
    for (let i = 0; i < length; i++) writer.bytes[START + i] = members[i]
  }
  return START + length
}

/**
 * The text of the members up to p, which then can't be sent any more; other members may
 * be written in their place, in the order of the payload.
 */
function takeMembers (writer, p) {
  let text = writer.bytes.toString('utf8', START, p)
  if (writer.nrApart > 0) {
    let i = 0
    // eslint-disable-next-line no-control-regex
    text = text.replace(/\x01([^])/g, (_, how) => how === '\x02' ? writer.apart[i++] : JSON.stringify(writer.apart[i++]).slice(1, -1))
    forgetApart(writer)
  }
  startOrder(writer, START)
  return text
}

/**
 * Records an event with the members up to p: the slot of an identity, int32
 * level, ms since the epoch, the most bytes the payload may take, the message, and
 * the level whose event it is. Returns whether it was taken; if not, it would take more bytes, its
 * strings hold what UTF-8 or CTF can't carry, or the addon doesn't know the writer.
 */
function send (writer, slot, level, time, limit, msg, p, called) {
  if (writer.addon !== native) return false // the addon of another copy, which knows other memory and slots
  if (p > writer.safe) reserve(writer, p, 0)
  writer.bytes[p++] = CLOSE
  if (writer.moved === LEVEL_MOVED) writer.bytes[p++] = LEVEL_MARK // most often, of a child
  else if (writer.moved !== 0) p = putMoved(writer, p)
  const fieldsEnd = p
  writer.bytes[p++] = 0
  const end = putMsg(writer, p, msg)
  head[0] = writer.handle
  head[1] = slot
  head[2] = level
  head[3] = time
  head[4] = limit
  head[5] = fieldsEnd
  head[6] = end
  head[7] = called
  const recorded = end === 0 ? recordApart(writer, msg) : record(writer)
  writer.sent = recorded // in place: a call may throw, where the stack is about to overflow
  if (recorded) forgetApart(writer)
  return recorded
}

/** Drops the references: the strings may be large. */
function forgetApart (writer) {
  for (let i = 0; i < writer.nrApart; i++) writer.apart[i] = ''
  writer.nrApart = 0
}

/** Spreading the strings would take as long as the rest of the call. */
function record (writer) {
  switch (writer.nrApart) {
    case 0: return native.record() !== false
    case 1: return native.record(writer.apart[0]) !== false
    case 2: return native.record(writer.apart[0], writer.apart[1]) !== false
    default: return native.record(...writer.apart.slice(0, writer.nrApart)) !== false
  }
}

function recordApart (writer, msg) {
  return (writer.nrApart === 0 ? native.record(msg) : native.record(msg, ...writer.apart.slice(0, writer.nrApart))) !== false
}

/** Writes a message; returns where it ends, or 0 if it has to stand apart. */
function putMsg (writer, p, msg) {
  const { length } = msg
  if (length >= MIN_APART) return 0
  for (let i = 0; i < length; i++) {
    const c = msg.charCodeAt(i)
    if (c === 0 || c >= 0x80) return 0
    writer.bytes[p++] = c
  }
  writer.bytes[p] = 0
  return p
}

// Belongs to the addon, which has one head, and not to this module, of which there
// may be several copies in an environment.
const shared = Symbol.for('nftrace.encode.2')
if (native[shared] === undefined) {
  native.head(head)
  const value = { copyMembers, enter, MAX_SPARES, putMember, putMembers, putMembersText, send, spares, START, takeMembers }
  Object.defineProperty(native, shared, { value })
}

module.exports = native[shared]
