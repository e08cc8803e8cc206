'use strict'
// The log methods of loggers that follow the sessions. While no stream and no session
// wants a call's level the method returns at once; this is the path that every service
// pays for, always. All else is paid for by calls that somebody wants.

const { learnFrom, recordDirectly, shapeOf } = require('./direct')
const { callerOf, guarded } = require('./guard')
const { takerOf } = require('./streams')
const { streamsFor, tracedView, viewOf } = require('./view')
const { checkNamed, LEVELS, NAMES } = require('../record/contract')
const { states } = require('../record/states')

// Those that are written out below.
checkNamed(NAMES, 'trace', 'debug', 'info', 'warn', 'error', 'fatal')
const [TRACE, DEBUG, INFO, WARN, ERROR, FATAL] = LEVELS.map(({ number }) => number)
const own = Object.prototype.hasOwnProperty

const [traceState, debugState, infoState, warnState, errorState, fatalState] = states

/** Whether a logger's other streams want a level. What isn't a logger is Bunyan's to name. */
function othersWant (logger, level) {
  return logger === undefined || logger === null || !(logger._level > level) || !Array.isArray(logger.streams)
}

/** Whether a call's fields say another level than the call, which a record goes by. */
function saysLevel ([fields]) {
  if (typeof fields !== 'object' || fields === null || states.every(state => state[0] === 0)) return false
  try {
    return own.call(fields, 'level')
  } catch { // a proxy's
    return false
  }
}

/**
 * What a log method does with a call that isn't plainly unwanted. base: the prototype
 * that has Bunyan's own method; shape: how its records are built, see direct.js;
 * logMethod: gives the function that the application called.
 */
function openMethod (base, shape, index, logMethod) {
  const { name, number: level } = LEVELS[index]
  const state = states[index]
  const method = base[name]

  /** Calls Bunyan's own method, with a view where it would see our method as its caller, or another level. */
  function callBunyan (logger, args) {
    let receiver = logger
    if (logger !== undefined && logger !== null && Array.isArray(logger.streams)) {
      const isOther = saysLevel(args)
      if (isOther || logger.src === true) {
        receiver = viewOf(logger, isOther ? streamsFor(logger.streams, level) : logger.streams,
          { traced: false, src: logger.src === true ? callerOf(logMethod()) : undefined, learn: undefined })
      }
    }
    return Reflect.apply(base[name], receiver, args)
  }

  function buildRecord (self, taker, args) {
    const makeView = () => tracedView(self, taker, level, self.src ? callerOf(logMethod()) : undefined, learnFrom(shape, self, args))
    guarded(base[name], level, makeView, self, args)
  }

  return function (self, args) {
    if (othersWant(self, level) || state[0] === 0) return callBunyan(self, args)
    const taker = takerOf(self.streams, level)
    if (args.length === 0) return taker !== undefined
    if (taker === undefined || (base[name] === method && recordDirectly(shape, self, taker.stream, level, args))) return
    buildRecord(self, taker, args)
  }
}

/**
 * The six log methods for loggers of a class, whose prototype follows base; stockEmit:
 * base._emit if it is Bunyan's own, else undefined. They are members as Bunyan's own are, so
 * that spies and stubs find what they know. Each is written out: a closed call of one
 * function for six levels takes several times as long. What is thrown although only tracing
 * wants the call has no room on the stack, which a closed call would not have needed: it
 * ends here, where no other function need be called.
 */
function logMethods (base, prototype, stockEmit) {
  const [openTrace, openDebug, openInfo, openWarn, openError, openFatal] =
    NAMES.map((name, index) => openMethod(base, shapeOf(base, name, prototype, stockEmit), index, () => methods[name]))
  // Who patches Bunyan's prototype later on sees closed calls, too.
  const { trace, debug, info, warn, error, fatal } = base
  const methods = {
    trace: function () {
      if (traceState[0] === 0 && this !== undefined && this !== null && this._level > TRACE && arguments.length > 0 && base.trace === trace) return
      try {
        return openTrace(this, arguments)
      } catch (thrown) {
        if (traceState[0] === 0 || !(this?._level > TRACE)) throw thrown
      }
    },
    debug: function () {
      if (debugState[0] === 0 && this !== undefined && this !== null && this._level > DEBUG && arguments.length > 0 && base.debug === debug) return
      try {
        return openDebug(this, arguments)
      } catch (thrown) {
        if (debugState[0] === 0 || !(this?._level > DEBUG)) throw thrown
      }
    },
    info: function () {
      if (infoState[0] === 0 && this !== undefined && this !== null && this._level > INFO && arguments.length > 0 && base.info === info) return
      try {
        return openInfo(this, arguments)
      } catch (thrown) {
        if (infoState[0] === 0 || !(this?._level > INFO)) throw thrown
      }
    },
    warn: function () {
      if (warnState[0] === 0 && this !== undefined && this !== null && this._level > WARN && arguments.length > 0 && base.warn === warn) return
      try {
        return openWarn(this, arguments)
      } catch (thrown) {
        if (warnState[0] === 0 || !(this?._level > WARN)) throw thrown
      }
    },
    error: function () {
      if (errorState[0] === 0 && this !== undefined && this !== null && this._level > ERROR && arguments.length > 0 && base.error === error) return
      try {
        return openError(this, arguments)
      } catch (thrown) {
        if (errorState[0] === 0 || !(this?._level > ERROR)) throw thrown
      }
    },
    fatal: function () {
      if (fatalState[0] === 0 && this !== undefined && this !== null && this._level > FATAL && arguments.length > 0 && base.fatal === fatal) return
      try {
        return openFatal(this, arguments)
      } catch (thrown) {
        if (fatalState[0] === 0 || !(this?._level > FATAL)) throw thrown
      }
    }
  }
  return methods
}

module.exports = { logMethods }
