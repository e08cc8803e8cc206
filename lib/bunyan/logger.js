'use strict'
// Bunyan loggers that follow the tracing sessions.
//
// A logger that is given one of our streams becomes an instance of a subclass of its own
// class. Its _level is the level that its other streams need, so that Bunyan builds for
// them the records that it built before, and copies of it stay harmless. Its log methods
// (methods.js) also look at what the sessions want. Children follow, because child()
// calls `new this.constructor`.

const { OWN_FIELDS } = require('./direct')
const { loggerOf } = require('./listener')
const { logMethods } = require('./methods')
const { floorOf, isLevel, isOurs, levelOfOthers, rawBeforeOurs, takerOf, withoutDoubles } = require('./streams')
const { streamsFor, VIEW, viewOf } = require('./view')
const { INFO } = require('../record/contract')

// Marks a class whose instances follow. Registered: copies of this module take each
// other's loggers for their own.
const FOLLOWS = Symbol.for('nftrace.follows.1')

// Of a logger that follows: { level, floor, set }, the level() that it began with, the
// floor of our streams then, and the level that was set last; null until one is set.
const BEGAN = Symbol.for('nftrace.began.1')

const own = Object.prototype.hasOwnProperty

/**
 * What level() says. The sessions are no part of it, so that it may be given to another
 * stream or logger, or set again. A logger that has our streams alone says Bunyan's own
 * default, or the lowest level that may be traced if that is higher.
 */
function levelOf (logger) {
  const { streams } = logger
  if (!streams.every(isOurs)) return logger._level
  return logger[BEGAN]?.set ?? Math.max(INFO, floorOf(streams))
}

/** What a logger began with, as BEGAN keeps it. */
function beganOf (logger) {
  return logger[BEGAN] ?? { level: levelOf(logger), floor: floorOf(logger.streams), set: undefined }
}

/**
 * Sets our streams' floor, after Bunyan has given all streams a level. To set the level
 * that a logger began with takes back what was set in between.
 */
function setFloor (logger, began) {
  const ours = logger.streams.filter(isOurs)
  const [{ level } = {}] = ours
  if (level === undefined) return
  if (level === began.level) for (const entry of ours) entry.level = began.floor
  logger[BEGAN] = { ...began, set: level }
}

const tracedClasses = new WeakMap()

/** Whether a function is Bunyan's own _emit(), and not somebody's patch of it. */
function isStockEmit (emit) {
  return /\bhaveNonRawStreams\b/.test(Function.prototype.toString.call(emit))
}

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
      super(...args)
      const [parent, options] = args
      const isChild = options !== undefined && options !== null && parent !== null && parent !== undefined && parent[FOLLOWS] === true
      this[OWN_FIELDS] = null
      this[BEGAN] = isChild ? parent[BEGAN] : null
      if (isChild && options.level) setFloor(this, beganOf(parent))
    }

    // Bunyan keeps this as a member, made at the first record; see becomeTraced().
    get haveNonRawStreams () {
      for (const entry of this.streams) if (!entry.raw) return true
      return false
    }

    set haveNonRawStreams (_) {}

    addStream (definition, defaultLevel) {
      const others = this._level
      super.addStream(definition, defaultLevel)
      if (isOurs(this.streams[this.streams.length - 1])) this._level = others
      if (this[BEGAN]) this[BEGAN] = null
    }

    level (value) {
      if (value === undefined) return levelOf(this)
      const began = this[BEGAN] === undefined ? undefined : beganOf(this)
      super.level(value)
      if (this.streams.every(isOurs)) this._level = Infinity
      if (began !== undefined) setFloor(this, began) // a child under construction has no BEGAN yet
    }

    levels (name, value) {
      const others = this._level
      const result = super.levels(name, value)
      if (name !== undefined && value !== undefined) {
        const entry = typeof name === 'number' ? this.streams[name] : this.streams.find(entry => entry.name === name)
        if (isOurs(entry)) {
          this._level = others
          this[BEGAN] = null
        }
      }
      return result
    }

    _emit (record, noemit) {
      const { streams } = this
      if (noemit) return super._emit(record, noemit)
      const view = own.call(this, VIEW) ? this[VIEW] : undefined
      if (view !== undefined) {
        if (view.learn !== undefined) view.learn(record)
        if (view.traced) {
          if (view.src !== undefined && !record.src) putSource(record, view.src)
          // A patched _emit() may add to the record.
          return super._emit !== stockEmit && isLevel(record.level) ? super._emit(record) : streams[0].stream.write(record)
        }
        // Bunyan has found the caller of its own method, if it finds any in this Node.
        if (view.src !== undefined && record.src && record.src.file !== undefined) record.src = view.src
      }
      const { level } = record
      if (!isLevel(level)) { // Bunyan drops most of these, and throws at some
        takerOf(streams, INFO)?.stream.write(record)
        return Reflect.apply(super._emit, viewOf(this, streams.filter(entry => !isOurs(entry))), [record])
      }
      if (rawBeforeOurs(streams)) return Reflect.apply(super._emit, viewOf(this, streamsFor(streams, level)), [record])
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
  Object.defineProperty(Traced.prototype, FOLLOWS, { value: true })
  Object.assign(Traced.prototype, logMethods(base, Traced.prototype, stockEmit))
  // As Bunyan's own methods are, for whoever lists or replaces them.
  for (const name of ['addStream', 'level', 'levels', '_emit']) {
    Object.defineProperty(Traced.prototype, name, { enumerable: true })
  }
  return Traced
}

/** Puts a record's src where Bunyan puts it: before v, unless the call has set v. */
function putSource (record, src) {
  const { v } = record
  const isLast = Object.keys(record).at(-1) === 'v'
  if (isLast) delete record.v
  record.src = src
  if (isLast) record.v = v
}

/**
 * Takes a member off a logger. V8 turns an object into a slow dictionary when a member
 * other than the last is deleted, so the later ones are taken off first, and put back.
 */
function takeOff (logger, name) {
  if (!own.call(logger, name)) return
  const names = Object.keys(logger)
  const later = names.slice(names.indexOf(name) + 1)
  const descriptors = later.map(other => Object.getOwnPropertyDescriptor(logger, other))
  for (let i = later.length - 1; i >= 0; i--) delete logger[later[i]]
  delete logger[name]
  later.forEach((other, i) => Object.defineProperty(logger, other, descriptors[i]))
}

/**
 * Makes a logger follow, while Bunyan adds one of our streams to it. A call site that
 * meets many loggers must see one hidden class, which V8 ends when a member is added
 * after the prototype was set: that comes last.
 */
function becomeTraced (logger) {
  const prototype = Object.getPrototypeOf(logger)
  logger._level = levelOfOthers(logger.streams)
  takeOff(logger, 'haveNonRawStreams')
  logger[OWN_FIELDS] = null
  logger[BEGAN] = null
  Object.setPrototypeOf(logger, tracedClass(prototype).prototype)
}

/**
 * Makes the logger follow that an 'error' listener belongs to. Returns whether the
 * listener was Bunyan's.
 */
function follow (listener) {
  const logger = loggerOf(listener)
  if (logger === null) return false
  if (logger[FOLLOWS] !== true) becomeTraced(logger)
  return true
}

module.exports = { follow }
