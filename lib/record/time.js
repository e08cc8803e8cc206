'use strict'
// Times that a payload can carry: those of a Date.

const { performance } = require('node:perf_hooks')

const MAX_TIME = 8.64e15 // ms since the epoch, either way

/** Whether a number of ms since the epoch is a Date's. */
function isTime (ms) {
  return Math.abs(ms) <= MAX_TIME
}

/**
 * Now, in ms since the epoch, as Bunyan has it: by a new Date, which a program may have
 * replaced; by the process's own clock where that gives no time.
 */
function now () {
  const ms = new Date().getTime()
  return isTime(ms) ? ms : Math.trunc(performance.timeOrigin + performance.now())
}

module.exports = { isTime, now }
