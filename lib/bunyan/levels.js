'use strict'
// Bunyan loggers whose level follows the tracing sessions.
//
// A Bunyan logger decides with `this._level <= level` whether to build a record.
// A logger that is given one of our streams becomes an instance of a subclass of
// its own class, in which _level is an accessor: the lower of the level that its
// other streams need (kept under OTHERS) and the lowest one that a tracing
// session wants. Children follow, because child() calls `new this.constructor`.
//
// The six log methods are accessors, too: while nobody wants a level they give one
// that does nothing. All else here is paid for by a call that tracing has opened.

const { EventEmitter } = require('node:events')

const { directMethod, OWN_FIELDS, RECORD } = require('./direct')
const { guardedMethod } = require('./guard')
const { checkNamed, LEVELS, NAMES } = require('../record/contract')
const { states } = require('../record/states')

// Registered symbols: copies of this module take each other's loggers and
// streams for their own.
const IS_OURS = Symbol.for('nftrace.stream.1')
const OTHERS = Symbol.for('nftrace.level.1')

// What Bunyan's addStream() gives an 'error' listener: (err) => self.emit('error', err, s)
const BUNYAN_LISTENER = /\.emit\(\s*["']error["']\s*,\s*[\w$]+\s*,\s*[\w$]+\s*\)/

const own = Object.prototype.hasOwnProperty

// Bunyan asks for _level at each call, and a loop would take more than twice as long.
checkNamed(NAMES, 'trace', 'debug', 'info', 'warn', 'error', 'fatal')
const [TRACE, DEBUG, INFO, WARN, ERROR, FATAL] = LEVELS.map(({ number }) => number)
const [traceState, debugState, infoState, warnState, errorState, fatalState] = states

/** The lowest level from a floor up that a session wants; else Infinity. */
function lowestWanted (floor) {
  if (floor <= TRACE && traceState[0] !== 0) return TRACE
  if (floor <= DEBUG && debugState[0] !== 0) return DEBUG
  if (floor <= INFO && infoState[0] !== 0) return INFO
  if (floor <= WARN && warnState[0] !== 0) return WARN
  if (floor <= ERROR && errorState[0] !== 0) return ERROR
  if (floor <= FATAL && fatalState[0] !== 0) return FATAL
  return Infinity
}

function isOurs (entry) {
  return entry.stream !== null && entry.stream !== undefined && entry.stream[IS_OURS] === true
}

/** The lowest level set on our streams; Infinity when there is none. */
function floorOf (streams) {
  let floor = Infinity
  for (const entry of streams) {
    if (entry.level < floor && isOurs(entry)) floor = entry.level
  }
  return floor
}

/** The lowest level that the other streams need. */
function levelOfOthers (streams) {
  let level = Infinity
  for (const entry of streams) {
    if (entry.level < level && !isOurs(entry)) level = entry.level
  }
  return level
}

/** A logger's streams with only the first of ours that takes a level, so that no event is doubled. */
function withoutDoubles (streams, level) {
  let found = false
  return streams.filter(entry => {
    if (!isOurs(entry)) return true
    if (found) return false
    found = entry.level <= level
    return found
  })
}

/** Writes a record to the first stream that takes a level. */
function writeFirst (streams, record, level) {
  for (const entry of streams) {
    if (entry.level <= level) {
      entry.stream.write(record)
      return
    }
  }
}

/** Whether a function is Bunyan's own _emit(), and not somebody's patch of it. */
function isStockEmit (emit) {
  return /\bhaveNonRawStreams\b/.test(Function.prototype.toString.call(emit))
}

// Marks a view for tracing alone, and holds what its record's src is to be.
const VIEW_SOURCE = Symbol('nftrace.view')

/**
 * A logger as another one is, but for some streams, to whom records are handed
 * as they are. A copy and not an heir: V8 makes slow what others inherit from.
 */
function viewOf (logger, streams) {
  const view = Object.assign(Object.create(Object.getPrototypeOf(logger)), logger)
  view.streams = streams
  return view
}

/** A view for a call that only tracing wants: it takes every level, for our streams. */
function tracedView (logger, src) {
  const view = viewOf(logger, logger.streams.filter(isOurs).map(entry => ({ ...entry, raw: true })))
  view[OTHERS] = -Infinity
  view[VIEW_SOURCE] = src
  view.src = false
  return view
}

const tracedClasses = new WeakMap()

// The parent of the child under construction, until the child's first _level. A
// constructor that was cut off may leave one behind: the next one sets it anew, and
// loggers that have a level don't look at it.
let parent = null

/** The class for loggers of a prototype, whose instances follow the sessions. */
function tracedClass (prototype) {
  let Traced = tracedClasses.get(prototype)
  if (Traced === undefined) {
    Traced = makeTracedClass(prototype)
    tracedClasses.set(prototype, Traced)
  }
  return Traced
}

function makeTracedClass (base) {
  const Base = base.constructor
  const stockEmit = isStockEmit(base._emit) ? base._emit : undefined

  class Traced extends Base {
    constructor (...args) {
      const outer = parent
      parent = args[1] !== undefined && args[0] !== null && args[0] !== undefined && args[0][OTHERS] !== undefined
        ? args[0]
        : null
      try {
        super(...args)
        this[OWN_FIELDS] = null
      } finally {
        parent = outer
      }
    }

    get _level () {
      const others = this[OTHERS]
      if ((traceState[0] | debugState[0] | infoState[0] | warnState[0] | errorState[0] | fatalState[0]) === 0) return others
      const wanted = this.streams === undefined ? Infinity : lowestWanted(floorOf(this.streams))
      return wanted < others ? wanted : others
    }

    set _level (level) {
      if (parent !== null && this[OTHERS] === undefined) { // a child copies its parent's effective level
        level = parent[OTHERS]
        parent = null
      }
      this[OTHERS] = level
    }

    // Bunyan keeps this as a member, made at the first record; see becomeTraced().
    get haveNonRawStreams () {
      for (const entry of this.streams) if (!entry.raw) return true
      return false
    }

    set haveNonRawStreams (_) {}

    addStream (definition, defaultLevel) {
      const others = this[OTHERS]
      super.addStream(definition, defaultLevel)
      const entry = this.streams[this.streams.length - 1]
      this[OTHERS] = isOurs(entry) ? others : Math.min(others, entry.level)
    }

    level (value) {
      if (value === undefined) return this._level
      super.level(value)
      if (this.streams.every(isOurs)) this[OTHERS] = Infinity
    }

    levels (name, value) {
      const others = this[OTHERS]
      const result = super.levels(name, value)
      if (name !== undefined && value !== undefined) {
        const entry = typeof name === 'number' ? this.streams[name] : this.streams.find(entry => entry.name === name)
        this[OTHERS] = isOurs(entry) ? others : Math.min(others, entry.level)
      }
      return result
    }

    _emit (record, noemit) {
      const { streams } = this
      const { level } = record
      if (noemit) return super._emit(record, noemit)
      const isLevel = typeof level === 'number' && level - level === 0
      if (own.call(this, VIEW_SOURCE)) {
        if (this[VIEW_SOURCE] && !record.src) record.src = this[VIEW_SOURCE]
        if (!isLevel) return writeFirst(streams, record, INFO)
        return super._emit === stockEmit ? writeFirst(streams, record, level) : super._emit(record)
      }
      if (!isLevel) { // Bunyan drops most of these, and throws at some
        writeFirst(streams.filter(isOurs), record, INFO)
        return Reflect.apply(super._emit, viewOf(this, streams.filter(entry => !isOurs(entry))), [record])
      }
      if (streams.length < 3 && !streams.every(isOurs)) return super._emit(record)
      const takers = withoutDoubles(streams, level)
      return takers.length === streams.length
        ? super._emit(record)
        : Reflect.apply(super._emit, viewOf(this, takers), [record])
    }
  }

  // A function's prototype need not be what its constructor says.
  if (Base.prototype !== base) Object.setPrototypeOf(Traced.prototype, base)
  Object.defineProperty(Traced, 'name', { value: Base.name, configurable: true })
  LEVELS.forEach((_, index) => defineMethod(Traced.prototype, base, stockEmit, index))
  return Traced
}

/**
 * A log method, as it is for a logger at the moment: Bunyan's own when another
 * stream wants the level; one that does nothing when nobody does; else one that
 * records without Bunyan where it can, and keeps what Bunyan throws from the
 * application.
 */
function defineMethod (prototype, base, stockEmit, index) {
  const state = states[index]
  const { name, number: level } = LEVELS[index]
  const method = base[name]
  const { _emit } = prototype

  function streamFor (logger) {
    if (logger === null || logger === undefined || state[0] === 0 || !(logger[OTHERS] > level) || logger.src ||
        logger._emit !== _emit || base._emit !== stockEmit) return null
    for (const entry of logger.streams) {
      if (entry.level <= level && isOurs(entry)) return entry.stream[RECORD] === undefined ? null : entry.stream
    }
    return null
  }

  const guarded = guardedMethod(method, level, tracedView)
  /** A kept copy may meet a logger, or a moment, that it wasn't given for. */
  function otherwise () {
    const isOnlyTraced = this !== undefined && this !== null && state[0] !== 0 && this[OTHERS] > level && arguments.length > 0
    return Reflect.apply(isOnlyTraced ? guarded : method, this, arguments)
  }
  const direct = directMethod(base, name, level, streamFor, otherwise)

  /** A call without arguments asks for the level; a kept copy may see it opened. */
  function closed () {
    if (state[0] === 0 && arguments.length > 0 && this !== undefined && this !== null && this[OTHERS] > level) return
    return direct.apply(this, arguments)
  }

  Object.defineProperty(prototype, name, {
    configurable: true,
    enumerable: true,
    get () {
      if (base[name] !== method) return base[name] // somebody has patched Bunyan
      if (!(this[OTHERS] > level)) return method
      if (state[0] === 0) return closed
      return this.src ? guarded : direct // src names the caller of what it is given
    },
    set (value) {
      Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true })
    }
  })
}

/**
 * The logger behind an 'error' listener that Bunyan's addStream() made, else
 * null. The listener is a closure; calling it while emit() is ours shows whom it
 * emits for. Nothing else can run in between.
 */
function loggerOf (listener) {
  if (typeof listener !== 'function' || listener.length !== 1 ||
      !BUNYAN_LISTENER.test(Function.prototype.toString.call(listener))) return null
  const { prototype } = EventEmitter
  const { emit } = prototype
  const token = new Error('nftrace asks whose listener this is')
  let logger = null
  try {
    prototype.emit = function (event, error) {
      if (error !== token) return Reflect.apply(emit, this, arguments)
      logger = this
      return true
    }
    listener(token)
  } catch {
  } finally {
    prototype.emit = emit
  }
  return logger !== null && Array.isArray(logger.streams) && typeof logger._emit === 'function' ? logger : null
}

/**
 * Puts the members OTHERS and OWN_FIELDS in place of _level. V8 turns an object into a slow
 * dictionary when a member other than the last is deleted, and gives it a hidden
 * class of its own when one is added after its prototype was set; a call site
 * that meets many loggers must see one class. So the members after _level are
 * taken off, last one first, and put back, and the prototype is set at the end.
 */
function becomeTraced (logger) {
  const prototype = Object.getPrototypeOf(logger)
  const level = levelOfOthers(logger.streams)
  const names = Object.keys(logger)
  const later = names.slice(names.indexOf('_level') + 1)
  const descriptors = later.map(name => Object.getOwnPropertyDescriptor(logger, name))
  for (let i = later.length - 1; i >= 0; i--) delete logger[later[i]]
  delete logger._level
  logger[OTHERS] = level
  logger[OWN_FIELDS] = null
  later.forEach((name, i) => {
    if (name !== 'haveNonRawStreams') Object.defineProperty(logger, name, descriptors[i])
  })
  Object.setPrototypeOf(logger, tracedClass(prototype).prototype)
}

/**
 * Makes the logger follow that an 'error' listener belongs to. Returns whether
 * the listener was Bunyan's.
 */
function follow (listener) {
  const logger = loggerOf(listener)
  if (logger === null) return false
  if (logger[OTHERS] === undefined) becomeTraced(logger)
  return true
}

module.exports = { follow, IS_OURS }
