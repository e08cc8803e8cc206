'use strict'
// pino loggers that follow the tracing sessions: while no session wants a level, its
// method does nothing. pino replaces a logger's methods when a level is set; here they
// stay, and look at what the sessions want. A level that is set is a floor.

const { checkNamed, indexOfLevel, NAMES } = require('../record/contract')
const { readableArguments } = require('../record/readable')
const { thrown } = require('../record/safe')
const { states } = require('../record/states')

// Of a logger: the lowest level that may be recorded.
const FLOOR = Symbol('nftrace.floor')
const IS_MADE = Symbol('nftrace.made') // of a logger that has had its first level

const own = Object.prototype.hasOwnProperty

/** One of pino's private members; its symbols are those of the copy of pino. */
function symbolOf (root, name) {
  return [...Object.getOwnPropertySymbols(root), ...Object.getOwnPropertySymbols(Object.getPrototypeOf(Object.getPrototypeOf(root)))]
    .find(symbol => symbol.description === name)
}

/** Those of pino's private members that are used here; undefined if this is no pino that is known. */
function symbolsOf (root) {
  const symbols = {}
  for (const name of ['stream', 'levelVal', 'levelComp', 'setLevel', 'chindings', 'end', 'lsCache', 'timeSliceIndex', 'serializers', 'formatters', 'mixin']) {
    symbols[name] = symbolOf(root, `pino.${name}`)
    if (symbols[name] === undefined && name !== 'mixin') return undefined
  }
  return symbols
}

/** The logger that pino() made, of which this one is a child. */
function rootOf (logger) {
  let root = logger
  for (let next = logger; next !== null && Object.getPrototypeOf(next) !== null; next = Object.getPrototypeOf(next)) {
    if (Object.getOwnPropertySymbols(next).some(symbol => symbol.description === 'pino.stream')) root = next
  }
  return root
}

/** A function of the application's that gives a stand-in where it throws. */
function guarded (run, standIn) {
  return function (...args) {
    try {
      return Reflect.apply(run, this, args)
    } catch (error) {
      return standIn(error, args)
    }
  }
}

/** A logger as another one is, whose serializers, formatters and mixin don't throw. */
function guardedLogger (logger, { serializers, formatters, mixin }) {
  const guardAll = functions => Object.fromEntries([...Object.entries(functions), ...Object.getOwnPropertySymbols(functions).map(symbol => [symbol, functions[symbol]])]
    .map(([key, run]) => [key, typeof run === 'function' ? guarded(run, thrown) : run]))
  const copy = Object.create(logger)
  const replace = (symbol, value) => Object.defineProperty(copy, symbol, { value })
  replace(serializers, guardAll(logger[serializers]))
  replace(formatters, { ...logger[formatters], ...(logger[formatters].log && { log: guarded(logger[formatters].log, (_, [object]) => object) }) })
  if (mixin !== undefined && logger[mixin]) replace(mixin, guarded(logger[mixin], () => ({})))
  return copy
}

// A method for each level: it returns at once unless a session wants the level, or the
// logger has got another stream. Each is written out: a closed call of one function for all
// levels takes several times as long.
const METHODS = [
  (state, streams, open) => function trace () { return state[0] === 0 && streams.areOurs ? undefined : open(this, arguments) },
  (state, streams, open) => function debug () { return state[0] === 0 && streams.areOurs ? undefined : open(this, arguments) },
  (state, streams, open) => function info () { return state[0] === 0 && streams.areOurs ? undefined : open(this, arguments) },
  (state, streams, open) => function warn () { return state[0] === 0 && streams.areOurs ? undefined : open(this, arguments) },
  (state, streams, open) => function error () { return state[0] === 0 && streams.areOurs ? undefined : open(this, arguments) },
  (state, streams, open) => function fatal () { return state[0] === 0 && streams.areOurs ? undefined : open(this, arguments) }
]
checkNamed(NAMES, 'trace', 'debug', 'info', 'warn', 'error', 'fatal')

/**
 * Makes a logger, which writes to a destination of ours alone, and its children follow.
 * floor: the lowest level that may be recorded unless one is set. symbols: from symbolsOf().
 */
function follow (root, floor, symbols, destination) {
  const { chindings, levelVal, levelComp, setLevel } = symbols
  const { child: stockChild, [setLevel]: stockSetLevel } = root
  const began = root[levelVal]
  root[FLOOR] = began === Infinity ? Infinity : floor // pino's own default is no wish

  // Somebody may give the logger another stream, or several (OpenTelemetry does). Then the
  // logger goes by the level that was set, until it has ours alone again.
  const streams = { areOurs: true, current: destination }
  Object.defineProperty(root, symbols.stream, {
    configurable: true,
    enumerable: true,
    get: () => streams.current,
    set (value) {
      if (this === root) {
        streams.current = value
        streams.areOurs = value === destination
      } else {
        Object.defineProperty(this, symbols.stream, { value, writable: true, configurable: true, enumerable: true })
        stockSetLevel.call(this, this.level)
      }
    }
  })

  /** What a level that is set is as a floor: the one that the logger began with is none. */
  const floorOf = level => level === began && began !== Infinity ? floor : level

  /** A method for a level, in place of pino's. Only tracing wants the call, so it never throws. */
  function methodOf (method, level) {
    const index = indexOfLevel(level)
    return METHODS[index](states[index], streams, (logger, args) => {
      if (!streams.areOurs) return level >= logger[levelVal] ? Reflect.apply(method, logger, args) : undefined
      if (level < logger[FLOOR]) return
      const before = destination.nrLines
      try {
        return Reflect.apply(method, logger, args)
      } catch {
        if (destination.nrLines === before) recordGuarded(method, level, logger, args)
      }
    })
  }

  function recordGuarded (method, level, logger, args) {
    try {
      Reflect.apply(method, guardedLogger(logger, symbols), readableArguments(args))
    } catch (error) {
      destination.recordFailure(level, error)
    }
  }

  /** As pino's. A child's level is a floor of its own only if one was asked for. */
  function child (bindings, options) {
    const made = stockChild.call(this, bindings, options)
    if (options?.level !== undefined) made[FLOOR] = floorOf(made[levelVal])
    return made
  }

  const methods = new WeakMap() // by levels.values, as children may have levels of their own

  /** Gives a logger a method for each of its levels, as pino does for those it has enabled. */
  function putMethods (logger, setStockLevel) {
    const { values } = logger.levels
    let ofValues = methods.get(values)
    if (ofValues === undefined) {
      const standIn = setStockLevel()
      ofValues = Object.keys(values).map(name => [name, methodOf(standIn[name], values[name])])
      methods.set(values, ofValues)
    }
    for (const [name, method] of ofValues) logger[name] = method
  }

  /**
   * Sets a level as pino does, but on an object that stands for the logger and is dropped,
   * so that nothing is left behind should JavaScript be cut off in between. Gives the
   * object, which then has pino's methods of all levels. emit: what is done with an event.
   */
  function setOnStandIn (logger, level, emit) {
    const standIn = Object.create(logger, {
      [levelComp]: { value: () => true },
      emit: { value: (...args) => emit.apply(logger, args.map(arg => arg === standIn ? logger : arg)) }
    })
    stockSetLevel.call(standIn, level)
    return standIn
  }

  /** As pino's, which replaces the methods of all levels: ours don't depend on the level. */
  function setLevelOf (level) {
    const { values, labels } = this.levels
    const isNewChild = own.call(this, chindings) && !own.call(this, IS_MADE)
    if (isNewChild) this[IS_MADE] = true
    if (isNewChild && values[level] !== undefined) { // pino's way takes long
      const before = this[levelVal]
      this[levelVal] = values[level]
      this.emit('level-change', level, values[level], labels[before], before, this)
    } else {
      const standIn = setOnStandIn(this, level, this.emit)
      this[levelVal] = standIn[levelVal]
      if (!isNewChild) this[FLOOR] = floorOf(this[levelVal])
    }
    putMethods(this, () => setOnStandIn(this, level, () => true))
  }

  /** Whether a call would do something: follows the sessions, unlike the level that was set. */
  function isLevelEnabled (level) {
    const value = this.levels.values[level]
    if (value === undefined) return false
    return streams.areOurs ? states[indexOfLevel(value)][0] !== 0 && value >= this[FLOOR] : value >= this[levelVal]
  }

  const define = (name, value) => Object.defineProperty(root, name, { value, writable: true, configurable: true })
  define('child', child)
  define('isLevelEnabled', isLevelEnabled)
  define(setLevel, setLevelOf)
  root[IS_MADE] = true
  putMethods(root, () => setOnStandIn(root, root.level, () => true))
}

module.exports = { follow, rootOf, symbolsOf }
