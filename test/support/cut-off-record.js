'use strict'
// The records of cut-off.js: what each number's record is, so that whoever reads one
// knows it to the byte.

const LIMIT = 4 * 1024 * 1024
const HEADS = ['direct', 'by Bunyan', 'redacted', 'pino']

function makeLogs () {
  const bunyan = require('bunyan')
  const nftrace = require('../..')
  const create = (name, options) => bunyan.createLogger({ name, hostname: 'h', streams: [nftrace.stream({ maxRecordBytes: LIMIT, ...options })] })
  return [
    create(HEADS[0]), create(HEADS[1], { direct: false }),
    create(HEADS[2], { redact: ['user.password', 'secrets[*].value'] }),
    require('pino')({ name: HEADS[3] }, nftrace.pino({ maxRecordBytes: LIMIT }))
  ]
}

/** Whose record a number is. */
const nameOf = number => HEADS[number % HEADS.length]

/** A text of a number alone, in which each part tells the number. */
function textOf (number, length) {
  const part = `${number}"\u00e9.`
  return part.repeat(Math.ceil(length / part.length))
}

/** What kind of record a number's is. */
const kindOf = number => (number * 7919 >>> 5) % 8
const LARGE = 5
const BY_CHILD = 6

/**
 * A number's fields; fill takes the place of its secrets, inner that of an object that
 * logs, and wait that of one that takes its time.
 */
function fieldsOf (number, fill, inner = number, wait = number) {
  const kind = kindOf(number)
  const fields = { number, short: `n${number}`, user: { id: number, password: fill ?? `secret-${number}` }, wait }
  if (kind === 1) for (let i = 0; i < 12; i++) fields[`apart${i}`] = textOf(number, 80)
  if (kind === 3) fields.secrets = [1, 2].map(i => ({ value: fill ?? `secret-${number}-${i}` }))
  if (kind === LARGE) for (let i = 0; i < 40; i++) fields[`much${i}`] = textOf(number + i, 20000) // beyond what a writer keeps
  if (kind === BY_CHILD) fields.child = number
  if (kind === 7) fields.inner = inner
  return fields
}

/**
 * Logs a number's record, and within some another one, in the middle of it. wait: an
 * object whose toJSON is to be called in the middle, and gives the number.
 */
function log (logs, number, wait) {
  const inner = { toJSON: () => { logs[(number + 1) % logs.length].debug({ within: number, password: 'x' }, 'within'); return number } }
  const logger = logs[number % logs.length]
  const { child, ...fields } = fieldsOf(number, undefined, inner, wait)
  ;(child === undefined ? logger : logger.child({ child })).info(fields, `record ${number}`)
}

/** What a number's record holds when it is read, but for when and by whom it was logged. */
function recordOf (number) {
  return { name: nameOf(number), level: 30, msg: `record ${number}`, ...fieldsOf(number, nameOf(number) === 'redacted' ? '[Redacted]' : undefined) }
}

/** The same of a record that was logged within another one. */
function recordWithin (number) {
  return { name: nameOf(number + 1), level: 20, msg: 'within', within: number, password: 'x' }
}

module.exports = { isLarge: number => kindOf(number) === LARGE, log, makeLogs, recordOf, recordWithin }
