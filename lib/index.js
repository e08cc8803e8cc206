'use strict'
// require('nftrace') is a Bunyan stream definition: createLogger({ streams: [nftrace] })

const { inspect } = require('node:util')

const { RECORD } = require('./bunyan/direct')
const { IS_OURS } = require('./bunyan/streams')
const { indexOfLevel, indexOfName, LEVELS, LIMITS, NAMES } = require('./record/contract')
const native = require('./native')
const { TraceStream } = require('./bunyan/stream')
const { states } = require('./record/states')

// What not every service uses (pino, redact) is loaded when it is asked for.

const OPTIONS = ['type', 'level', 'name', 'maxRecordBytes', 'fallback', 'direct', 'redact']
const PINO_OPTIONS = ['level', 'maxRecordBytes', 'fallback']

const available = native.unavailable === null

/** Throws for options that are wrong, in the name of a function that knows some. */
function checkOptions (options, known, caller) {
  if (options === null || typeof options !== 'object') {
    throw new TypeError(`${caller}: options must be an object, not ${inspect(options)}`)
  }
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) {
      throw new TypeError(`${caller}: unknown option ${inspect(key)}; there are ${known.join(', ')}`)
    }
  }
  const { type, level, name, maxRecordBytes, fallback, direct, redact } = options
  if (level !== undefined && indexOfName(String(level)) < 0 && !(Number.isInteger(level) && level >= 0)) {
    throw new TypeError(`${caller}: unknown level ${inspect(level)}`)
  }
  if (name !== undefined && typeof name !== 'string') {
    throw new TypeError(`${caller}: name must be a string, not ${inspect(name)}`)
  }
  if (type !== undefined && type !== 'raw' && type !== 'stream') {
    throw new TypeError(`${caller}: type must be "raw" or "stream", not ${inspect(type)}`)
  }
  if (maxRecordBytes !== undefined &&
      !(Number.isInteger(maxRecordBytes) && maxRecordBytes >= LIMITS.least && maxRecordBytes <= LIMITS.most)) {
    throw new RangeError(`${caller}: maxRecordBytes must be an integer from ` +
      `${LIMITS.least} to ${LIMITS.most}, not ${inspect(maxRecordBytes)}`)
  }
  if (direct !== undefined && typeof direct !== 'boolean') {
    throw new TypeError(`${caller}: direct must be true or false, not ${inspect(direct)}`)
  }
  if (redact !== undefined) require('./record/redact').parsePaths(redact)
  if (fallback !== undefined && (fallback === null || typeof fallback.write !== 'function')) {
    throw new TypeError(`${caller}: fallback must be a writable stream, not ${inspect(fallback)}`)
  }
}

/** A Bunyan stream definition with options; see index.d.ts. */
function stream (options = {}) {
  checkOptions(options, OPTIONS, 'nftrace.stream')
  const { type = 'raw', level, name = 'nftrace', maxRecordBytes = LIMITS.default, fallback, direct = true, redact } = options
  if (fallback !== undefined && !available) {
    const stream = redact === undefined ? fallback : redactedFallback(fallback, redact)
    return { type: 'stream', level: level === undefined ? 'info' : level, name, stream }
  }
  return define({ type, level: level === undefined ? NAMES[0] : level, name },
    new TraceStream(maxRecordBytes, direct, redact === undefined ? undefined : require('./record/redact').makeRedact([...redact])))
}

/** What stands in for a stream that redacts does so, too. */
function redactedFallback (fallback, paths) {
  const redactLine = require('./record/redact').makeRedactLine([...paths])
  return { write: line => fallback.write(redactLine(line)) }
}

/** A destination for pino with options; see index.d.ts. */
function pino (options = {}) {
  checkOptions(options, PINO_OPTIONS, 'nftrace.pino')
  const { level, maxRecordBytes = LIMITS.default, fallback } = options
  if (fallback !== undefined && !available) return fallback
  const floor = level === undefined ? -Infinity : typeof level === 'number' ? level : LEVELS[indexOfName(level)].number
  const { PinoDestination } = require('./pino/destination')
  return new PinoDestination(maxRecordBytes, floor)
}

function define (definition, stream) {
  // reemitErrorEvents has Bunyan show the stream its logger; see TraceStream.on().
  return { ...definition, stream, reemitErrorEvents: true }
}

/** Whether some tracing session wants a level now: a Bunyan name or number. */
function enabled (level) {
  const index = typeof level === 'string'
    ? indexOfName(level)
    : typeof level === 'number' ? indexOfLevel(level) : -1
  if (states[index] === undefined) throw new TypeError(`nftrace.enabled: unknown level ${inspect(level)}`)
  return states[index][0] !== 0
}

/**
 * stream() is itself the stream of the default definition: all that a stream has, it has.
 * Most of it is inherited, as an object with many members of its own is slow, and what
 * each record needs is not.
 */
function asStream (target, stream) {
  const inherited = Object.create(Object.getPrototypeOf(target))
  for (let object = stream; Object.getPrototypeOf(object) !== null; object = Object.getPrototypeOf(object)) {
    for (const key of Reflect.ownKeys(object)) {
      if (key === 'constructor' || Object.prototype.hasOwnProperty.call(inherited, key)) continue
      const isMethod = typeof Object.getOwnPropertyDescriptor(object, key).value === 'function'
      Object.defineProperty(inherited, key, isMethod
        ? { value: stream[key].bind(stream), configurable: true, writable: true }
        : { get: () => stream[key], set (value) { stream[key] = value }, configurable: true })
    }
  }
  Object.setPrototypeOf(target, inherited)
  return Object.defineProperties(target, { [IS_OURS]: { value: true }, [RECORD]: { value: stream[RECORD] } })
}

const definition = define(
  { type: 'raw', level: NAMES[0], name: 'nftrace' },
  asStream(stream, new TraceStream(LIMITS.default, true))
)

// Not enumerable: Bunyan copies what is, into each logger's list of streams.
module.exports = Object.defineProperties(definition, {
  pino: { value: pino },
  enabled: { value: enabled },
  available: { value: available },
  reason: { value: available ? null : native.unavailable }
})
