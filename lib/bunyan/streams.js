'use strict'
// A logger's list of streams, of which some are ours.

const { INFO } = require('../record/contract')

// Copies of this module take each other's streams for their own.
const IS_OURS = Symbol.for('nftrace.stream.1')

/** Whether an entry of logger.streams is one of our streams. */
function isOurs (entry) {
  return entry.stream !== null && entry.stream !== undefined && entry.stream[IS_OURS] === true
}

/** Whether one of our streams records what is written; one that has ended never again. */
function isOpen ({ stream }) {
  return stream.isOpen !== false
}

/** The lowest level set on our streams; Infinity when there is none. */
function floorOf (streams) {
  let floor = Infinity
  for (const entry of streams) {
    if (entry.level < floor && isOurs(entry)) floor = entry.level
  }
  return floor
}

/** The lowest level that the other streams need; Infinity when there is none. */
function levelOfOthers (streams) {
  let level = Infinity
  for (const entry of streams) {
    if (entry.level < level && !isOurs(entry)) level = entry.level
  }
  return level
}

/**
 * Whether another stream gets the record itself before one of ours does: it may change
 * the level in it, for example to a name.
 */
function rawBeforeOurs (streams) {
  let isRaw = false
  for (const entry of streams) {
    if (!isOurs(entry)) isRaw ||= entry.raw
    else if (isRaw) return true
  }
  return false
}

/** A logger's streams with only the first of ours that records a level, so that no event is doubled. */
function withoutDoubles (streams, level) {
  let found = false
  return streams.filter(entry => {
    if (!isOurs(entry)) return true
    if (found) return false
    found = entry.level <= level && isOpen(entry)
    return found
  })
}

/** Whether a value is a level that a stream's can be compared with. */
function isLevel (value) {
  return typeof value === 'number' && value - value === 0
}

/** Writes a record to the first of our streams that records its level; what isn't a level is info. */
function writeFirst (streams, record, value) {
  const level = isLevel(value) ? value : INFO
  for (const entry of streams) {
    if (entry.level <= level && isOpen(entry)) {
      entry.stream.write(record)
      return
    }
  }
}

module.exports = { floorOf, IS_OURS, isLevel, isOpen, isOurs, levelOfOthers, rawBeforeOurs, withoutDoubles, writeFirst }
