'use strict'
// Log methods that skip Bunyan's record. Bunyan builds one from the logger's
// fields and the call's, which we would take apart at once; where one of our
// streams alone takes it and the outcome is provably the same, the parts go
// straight there. Whatever isn't plain is left to Bunyan's own method, untouched.

const { format, types: { isDate } } = require('node:util')

const { CORE } = require('../record/contract')
const { copyMembers, enter, MAX_SPARES, putMember, putMembers, spares, START } = require('../record/encode')
const { ownerOf } = require('../owner')
const { HOSTNAME, LEVEL, NAME, PID, placeHead } = require('../record/order')
const { bunyanNow, isTime } = require('../record/time')

// Members that change a record's shape when the application sets them.
const RESERVED = new Set([...CORE, 'src', '__proto__'])
const MAX_CACHED_KEYS = 4096
const MAX_CACHED_LENGTH = 64

// A stream's method that takes a record's parts; see split() in split.js.
const RECORD = Symbol.for('nftrace.record.2')
// Where a logger keeps its own fields as they are written; null until they are used.
const OWN_FIELDS = Symbol.for('nftrace.fields.2')
const USED_ONCE = Symbol('used once')
const NOT_PLAIN = -1

const own = Object.prototype.hasOwnProperty
const keys = new Map()

/** Whether a key only adds a member: it isn't reserved, nor an integer, which would go first. */
function isPlainKey (key) {
  let plain = keys.get(key)
  if (plain === undefined) {
    plain = !RESERVED.has(key) && !/^\d+$/.test(key)
    if (key.length <= MAX_CACHED_LENGTH && keys.size < MAX_CACHED_KEYS) keys.set(key, plain)
  }
  return plain
}

/** Whether a call's fields only add members to a logger's own. */
function onlyAdds (fields, base) {
  for (const key in fields) {
    if (own.call(fields, key) && (!isPlainKey(key) || own.call(base, key))) return false
  }
  return true
}

/** Writes an object's members behind others; see encode.js. */
function putFields (writer, end, fields) {
  for (const key in fields) {
    if (own.call(fields, key)) end = putMember(writer, end, key, fields[key])
  }
  return end
}

const isPrimitive = value => (typeof value !== 'object' || value === null) && typeof value !== 'function'

/**
 * A logger's own fields beside name, hostname and pid, as members to write, with
 * what tells whether they still hold: fields are changed by hand now and then.
 */
class OwnFields {
  #fields
  #keys
  #values

  constructor (fields, members, { first, moved }) {
    this.#fields = fields
    this.#keys = Object.keys(fields)
    this.#values = this.#keys.map(key => fields[key])
    this.members = members
    this.first = first
    this.moved = moved
  }

  isOf (fields) {
    if (this.#fields !== fields) return false
    let i = 0
    for (const key in fields) {
      if (this.#keys[i] !== key || this.#values[i] !== fields[key]) return false
      i++
    }
    return i === this.#keys.length
  }
}

/** Writes a logger's own fields, and that the level follows; returns NOT_PLAIN when they are not plain. */
function putOwnFields (writer, fields) {
  const { name, hostname, pid } = fields
  if (typeof name !== 'string' || typeof hostname !== 'string' || typeof pid !== 'number' || (pid | 0) !== pid) return NOT_PLAIN
  let end = START
  for (const key in fields) {
    if (!own.call(fields, key)) continue
    switch (key) {
      case 'name': end = placeHead(writer, end, START, NAME); break
      case 'hostname': end = placeHead(writer, end, START, HOSTNAME); break
      case 'pid': end = placeHead(writer, end, START, PID); break
      default:
        if (!isPlainKey(key)) return NOT_PLAIN
        end = putMember(writer, end, key, fields[key])
    }
  }
  return placeHead(writer, end, START, LEVEL)
}

/** As putOwnFields(), kept from the second use on: many a child logs only once. */
function putOwn (writer, logger, fields) {
  const kept = logger[OWN_FIELDS]
  if (kept instanceof OwnFields && kept.isOf(fields)) {
    writer.first = kept.first
    writer.moved = kept.moved
    return putMembers(writer, kept.members)
  }
  const end = putOwnFields(writer, fields)
  if (kept === null) {
    logger[OWN_FIELDS] = USED_ONCE
  } else if (end !== NOT_PLAIN && Object.values(fields).every(isPrimitive)) { // what an object holds can change unseen
    const members = copyMembers(writer, end)
    if (members !== null) logger[OWN_FIELDS] = new OwnFields(fields, members, writer)
  }
  return end
}

/** A call's fields after the logger's serializers, as Bunyan applies them: to a copy. */
function serialized (logger, fields) {
  const { serializers } = logger
  if (serializers === null || serializers === undefined) return fields
  for (const name in serializers) {
    if (!own.call(serializers, name) || !own.call(fields, name)) continue
    const copy = {}
    for (const key of Object.keys(fields)) copy[key] = fields[key]
    logger._applySerializers(copy)
    return copy
  }
  return fields
}

function isPlainObject (value) {
  const prototype = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && !Array.isArray(value)
}

/**
 * Records a call in one of our streams, with a writer. Returns whether it did; if not,
 * nothing has happened.
 */
function recordParts (writer, logger, stream, level, args, stdSerializers) {
  const first = args[0]
  const { fields: base } = logger
  let end = putOwn(writer, logger, base)
  if (end === NOT_PLAIN) return false
  let msg
  if (typeof first === 'string') {
    msg = args.length === 1 ? first : format(...args)
  } else if (typeof first !== 'object' || first === null) {
    return false
  } else if (isPlainObject(first)) {
    // Without a message, an error under err would give it.
    if ((args.length === 1 && 'err' in first) || !onlyAdds(first, base)) return false
    end = putFields(writer, end, serialized(logger, first))
    msg = args.length === 1 ? '' : args.length === 2 && typeof args[1] === 'string' ? args[1] : format(...args.slice(1))
  } else if (first instanceof Error && !own.call(base, 'err')) {
    const { serializers } = logger
    const err = serializers && serializers.err ? serializers.err(first) : stdSerializers.err(first)
    end = putMember(writer, end, 'err', err)
    msg = args.length > 1 ? format(...args.slice(1)) : typeof err.message === 'string' ? err.message : format(err.message)
  } else {
    return false
  }
  const time = bunyanNow()
  if (!isTime(time)) return false
  if (msg === '') end = putMember(writer, end, 'msg', msg)
  stream[RECORD](writer, base.name, base.hostname, base.pid, level, time, msg, end)
  return true
}

const shapes = new WeakMap()

/**
 * How the loggers of a class build their records: whether as we do it is not known until
 * Bunyan has built one in a call that only tracing wanted (learnFrom()), since some forks
 * add members. base: the prototype that has Bunyan's log method of that name; prototype:
 * that of the class that follows; stockEmit: base._emit if it is Bunyan's own, else undefined.
 */
function shapeOf (base, name, prototype, stockEmit) {
  const Logger = ownerOf(base, name).constructor
  const isPlain = process.env.NFTRACE_DIRECT !== '0' && stockEmit !== undefined &&
    ['addStream', 'child', '_emit', '_applySerializers'].every(name => own.call(Logger.prototype, name)) &&
    typeof Logger.stdSerializers?.err === 'function'
  if (!shapes.has(Logger)) shapes.set(Logger, { isKnown: isPlain ? undefined : false })
  const { _emit } = prototype
  const { _applySerializers } = Logger.prototype
  return { learned: shapes.get(Logger), base, stockEmit, _emit, _applySerializers, stdSerializers: Logger.stdSerializers }
}

/** What learns from the record that Bunyan builds of a call; undefined if all is known. */
function learnFrom ({ learned }, logger, args) {
  if (learned.isKnown !== undefined) return undefined
  return record => {
    const isText = typeof args[0] === 'string'
    const fields = isText ? {} : args[0]
    if (!isText && !(typeof fields === 'object' && fields !== null && isPlainObject(fields) && onlyAdds(fields, logger.fields))) return
    const keys = [...Object.keys(logger.fields), 'level', ...Object.keys(fields), 'msg', 'time', 'v']
    const isSame = Object.keys(record).join() === keys.join() && typeof record.msg === 'string' && record.v === 0 && isDate(record.time)
    if (isSame) learned.isKnown = true
    else if (isText) learned.isKnown = false
  }
}

/** Whether a logger builds its records as all of its class do. */
function isPlainLogger ({ base, stockEmit, _emit, _applySerializers }, logger) {
  return !logger.src && logger._emit === _emit && base._emit === stockEmit && logger._applySerializers === _applySerializers
}

/**
 * Records a call that only tracing wants, in one of our streams, without Bunyan building
 * the record. Returns whether it did; if not, nothing has happened. Never throws.
 */
function recordDirectly (shape, logger, stream, level, args) {
  if (shape.learned.isKnown !== true || stream[RECORD] === undefined || !isPlainLogger(shape, logger)) return false
  let writer = null
  try {
    writer = enter()
    return recordParts(writer, logger, stream, level, args, shape.stdSerializers)
  } catch {
    return writer !== null && writer.sent
  } finally {
    if (writer !== null && spares.count < MAX_SPARES) spares.writers[spares.count++] = writer
  }
}

module.exports = { learnFrom, OWN_FIELDS, RECORD, recordDirectly, shapeOf }
