'use strict'
// Splits a Bunyan record into the flat payload of an event and the JSON object of
// the rest. record equals { ...flat, ...JSON.parse(fields) }: what the flat
// payload can't carry exactly stands in fields too. That includes empty strings:
// babeltrace2 2.0.4 shows an earlier event's text in place of one, whoever wrote
// the trace, so the payload has a space for it.

const { types: { isDate } } = require('node:util')

const { enter, leave, putMember, START, writing } = require('./encode')

const INFO = 30
const MIN_INT32 = -0x80000000
const MAX_INT32 = 0x7fffffff
const MAX_TIME = 8.64e15 // ms; the range of Date
const NO_TEXT = ' '

const own = Object.prototype.hasOwnProperty

function isInt32 (value) {
  return typeof value === 'number' && (value | 0) === value
}

/**
 * Splits a record and hands it to
 * sink(name, hostname, pid, level, time, msg, end): strings, int32 pid and level,
 * ms since the epoch, and where the other members end that encode.js has written.
 * Returns what the sink returns. May throw what a hostile record itself throws (a
 * revoked proxy); nothing has been handed over then.
 */
function split (record, sink) {
  const outer = enter()
  try {
    return splitInto(record, sink)
  } finally {
    if (outer === null) writing.busy = false
    else leave(outer)
  }
}

function splitInto (record, sink) {
  let name, hostname, pid, level, time, msg, v
  let end = START
  for (const key in record) {
    if (!own.call(record, key)) continue
    const value = record[key]
    switch (key) {
      case 'name': name = value; break
      case 'hostname': hostname = value; break
      case 'pid': pid = value; break
      case 'level': level = value; break
      case 'time': time = value; break
      case 'msg': msg = value; break
      case 'v': v = value; break
      default: end = putMember(end, key, value)
    }
  }
  if (msg === '') end = putMember(end, 'msg', msg)
  if ((v === 0 || v === undefined) && typeof msg === 'string' && typeof name === 'string' &&
      typeof hostname === 'string' && isInt32(pid) && isInt32(level) && time instanceof Date) {
    const ms = time.getTime()
    if (ms - ms === 0) return sink(name, hostname, pid, level, ms, msg, end)
  }
  return splitOdd({ name, hostname, pid, level, time, msg, v }, end, sink)
}

/**
 * For a record whose flat part isn't what Bunyan makes it. What it lacks reads
 * as a space, 0, info, now.
 */
function splitOdd (flat, end, sink) {
  const keep = key => {
    if (flat[key] !== undefined) end = putMember(end, key, flat[key])
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
  const ms = isDate(time) ? Date.prototype.getTime.call(time) : NaN // perhaps another realm's
  if (ms - ms !== 0) {
    keep('time')
    time = nearestTime(time)
  } else {
    time = ms
  }
  if (flat.v !== 0) keep('v')
  return sink(name, hostname, pid, level, time, msg, end)
}

/** The int32 for a level that isn't one: cut down, info if it isn't a finite number. */
function nearestLevel (level) {
  if (typeof level !== 'number' || !Number.isFinite(level)) return INFO
  return Math.min(Math.max(Math.floor(level), MIN_INT32), MAX_INT32)
}

/** Milliseconds for a time that isn't a valid Date: what it says, else now. */
function nearestTime (time) {
  if (typeof time === 'string') time = Date.parse(time)
  return typeof time === 'number' && Math.abs(time) <= MAX_TIME ? Math.trunc(time) : Date.now()
}

module.exports = { nearestLevel, split }
