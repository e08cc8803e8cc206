'use strict'
// A logger's list of streams, of which some are ours.

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

/** The first of our streams that records a level; undefined if none does. */
function takerOf (streams, level) {
  for (let i = 0; i < streams.length; i++) { // an iterator costs each record several ns
    const entry = streams[i]
    if (entry.level <= level && isOurs(entry) && isOpen(entry)) return entry
  }
}

/** A logger's streams with only the first of ours that records a level, so that no event is doubled. */
function withoutDoubles (streams, level) {
  const taker = takerOf(streams, level)
  return streams.filter(entry => entry === taker || !isOurs(entry))
}

/** Whether a value is a level that a stream's can be compared with. */
function isLevel (value) {
  return typeof value === 'number' && value - value === 0
}

module.exports = { floorOf, IS_OURS, isLevel, isOurs, levelOfOthers, rawBeforeOurs, takerOf, withoutDoubles }
