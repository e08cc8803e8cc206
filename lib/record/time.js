'use strict'
// Times that a payload can carry: those of a Date.

const { performance } = require('node:perf_hooks')

const MAX_TIME = 8.64e15 // ms since the epoch, either way

/** Whether a number of ms since the epoch is a Date's. */
function isTime (ms) {
  return Math.abs(ms) <= MAX_TIME
}

// Bunyan takes a new Date, which a program may have replaced (fake timers do), but nothing
// from Date.now(). Date's own function gives the same in a fraction of the time.
const OwnDate = Date
const { now: ownNow } = Date
const isNative = /\[native code\]/.test(Function.prototype.toString.call(ownNow))

/** Now, in ms since the epoch, as Bunyan has it; no time if Date is replaced by something that has none. */
function bunyanNow () {
  return Date === OwnDate && isNative ? ownNow() : new Date().getTime()
}

/** The same, by the process's own clock where there is no time. */
function now () {
  const ms = bunyanNow()
  return isTime(ms) ? ms : Math.trunc(performance.timeOrigin + performance.now())
}

module.exports = { bunyanNow, isTime, now }
