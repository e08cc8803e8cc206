'use strict'
// Splits a Bunyan record into the flat payload of an event and the JSON object of
// the rest. record equals { ...flat, ...JSON.parse(fields) }: what the flat
// payload can't carry exactly stands in fields too. That includes empty strings:
// babeltrace2 2.0.4 shows an earlier event's text in place of one, whoever wrote
// the trace, so the payload has a space for it.
// native/pipe/record.c does the same to lines; test/cli-pipe-same.test.js compares the
// two: change both.

const { types: { isDate } } = require('node:util')

const { checkNamed, CORE, INFO } = require('./contract')
const { enter, MAX_SPARES, putMember, spares, START } = require('./encode')
const { HOSTNAME, LEVEL, MSG, NAME, PID, placeHead, placeTail, putTail, TIME, V } = require('./order')
const { thrown } = require('./safe')
const { isTime, now } = require('./time')

const MIN_INT32 = -0x80000000
const MAX_INT32 = 0x7fffffff
const NO_TEXT = ' '

const own = Object.prototype.hasOwnProperty
const { getTime } = Date.prototype

function isInt32 (value) {
  return typeof value === 'number' && (value | 0) === value
}

/**
 * Splits a record and hands it to
 * sink(writer, name, hostname, pid, level, time, msg, end): strings, int32 pid and level,
 * ms since the epoch, and where the other members end that encode.js has written.
 * Returns what the sink returns. May throw what a hostile record itself throws (a
 * revoked proxy); nothing has been handed over then.
 */
function split (record, sink) {
  const writer = enter()
  try {
    return splitInto(writer, record, sink)
  } catch (error) {
    if (!writer.sent) throw error
  } finally {
    if (spares.count < MAX_SPARES) spares.writers[spares.count++] = writer
  }
}

/**
 * As split(), of a record's own flat members alone, for one whose fields can't be
 * written: they are too large for the memory there is. error: what was thrown.
 */
function splitBare ({ name, hostname, pid, level, time, msg }, error, sink) {
  return split({ name, hostname, pid, level, time, msg, v: 0, nftrace_failed: thrown(error) }, sink)
}

checkNamed(CORE, 'level', 'time', 'name', 'hostname', 'pid', 'msg', 'v')

function splitInto (writer, record, sink) {
  let name, hostname, pid, level, time, msg, v
  let end = START
  for (const key in record) {
    if (!own.call(record, key)) continue
    const value = record[key]
    switch (key) {
      case 'name': name = value; end = placeHead(writer, end, START, NAME); break
      case 'hostname': hostname = value; end = placeHead(writer, end, START, HOSTNAME); break
      case 'pid': pid = value; end = placeHead(writer, end, START, PID); break
      case 'level': level = value; end = placeHead(writer, end, START, LEVEL); break
      case 'msg': msg = value; end = placeTail(writer, end, MSG); break
      case 'time': time = value; end = placeTail(writer, end, TIME); break
      case 'v': v = value; end = placeTail(writer, end, V); break
      default:
        if (writer.tail !== 0) end = putTail(writer, end)
        end = putMember(writer, end, key, value)
    }
  }
  if (msg === '') end = putMember(writer, end, 'msg', msg)
  if ((v === 0 || v === undefined) && typeof msg === 'string' && typeof name === 'string' &&
      typeof hostname === 'string' && isInt32(pid) && isInt32(level) && time instanceof Date) {
    const ms = time.getTime()
    if (isTime(ms)) return sink(writer, name, hostname, pid, level, ms, msg, end)
  }
  return splitOdd(writer, { name, hostname, pid, level, time, msg, v }, end, sink)
}

/**
 * For a record whose flat part isn't what Bunyan makes it. What it lacks reads
 * as a space, 0, info, now.
 */
function splitOdd (writer, flat, end, sink) {
  const keep = key => {
    if (flat[key] !== undefined) end = putMember(writer, end, key, flat[key])
  }
  const text = key => {
    if (typeof flat[key] === 'string') return flat[key]
    keep(key)
    return NO_TEXT
  }
  const name = text('name')
  const hostname = text('hostname')
  const msg = text('msg')
  let { pid, level, time } = flat
  if (!isInt32(pid)) {
    keep('pid')
    pid = 0
  }
  if (!isInt32(level)) {
    keep('level')
    level = nearestLevel(level)
  }
  const ms = isDate(time) ? getTime.call(time) : NaN // perhaps another realm's
  if (!isTime(ms)) {
    keep('time')
    time = nearestTime(time)
  } else {
    time = ms
  }
  if (flat.v !== 0) keep('v')
  return sink(writer, name, hostname, pid, level, time, msg, end)
}

/** The int32 for a level that isn't one: cut down, info if it isn't a finite number. */
function nearestLevel (level) {
  if (typeof level !== 'number' || !Number.isFinite(level)) return INFO
  return Math.min(Math.max(Math.floor(level), MIN_INT32), MAX_INT32)
}

/** Milliseconds for a time that isn't a valid Date: what it says, else now. */
function nearestTime (time) {
  if (typeof time === 'string') time = Date.parse(time)
  return typeof time === 'number' && isTime(time) ? Math.trunc(time) : now()
}

module.exports = { nearestLevel, split, splitBare }
