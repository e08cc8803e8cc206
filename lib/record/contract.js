'use strict'
// What the `bunyan` events are: their provider, levels and payload, each once for all
// of the JavaScript code. provider/nft_contract.h is the same for C; lib/native.js takes
// no addon whose tables are others. docs/events.md says what a new minor and a new major
// version of this may change.

const VERSION = '1.1'

const PROVIDER = 'bunyan'

/**
 * Bunyan's levels, least severe first. number: the lowest level that its event carries. The
 * first event also carries all lower levels, and the last one all higher levels. loglevel:
 * the end of LTTng's name for the event's log level, as in TRACE_INFO.
 */
const LEVELS = [
  { name: 'trace', number: 10, loglevel: 'DEBUG' },
  { name: 'debug', number: 20, loglevel: 'DEBUG_SYSTEM' },
  { name: 'info', number: 30, loglevel: 'INFO' },
  { name: 'warn', number: 40, loglevel: 'WARNING' },
  { name: 'error', number: 50, loglevel: 'ERR' },
  { name: 'fatal', number: 60, loglevel: 'CRIT' }
]

/**
 * The payload's fields in its order. All but the last carry a member of the record of
 * their name: level and pid its numbers, time the milliseconds since the Unix epoch. The
 * last one is a JSON object of the other members.
 */
const FIELDS = [
  { name: 'level', type: 'INT32' },
  { name: 'time', type: 'INT64' },
  { name: 'name', type: 'STRING' },
  { name: 'hostname', type: 'STRING' },
  { name: 'pid', type: 'INT32' },
  { name: 'msg', type: 'STRING' },
  { name: 'fields', type: 'OBJECT' }
]

/** The most bytes of a payload: the least that can be asked for, the default, and the most. */
const LIMITS = { least: 1024, default: 65536, most: 67108864 }

/** The member of fields that says how a record was cut. */
const TRUNCATED = 'nftrace_truncated'

// What follows from these.

const STEP = LEVELS[0].number
const NAMES = LEVELS.map(({ name }) => name)
const { info: INFO } = Object.fromEntries(LEVELS.map(({ name, number }) => [name, number]))

/** The members of a record that the payload has fields for, and of those the strings. */
const FLAT = FIELDS.filter(({ type }) => type !== 'OBJECT').map(({ name }) => name)
const STRINGS = FIELDS.filter(({ type }) => type === 'STRING').map(({ name }) => name)

/** Bunyan's members of a record: those, and the version of Bunyan's format. */
const CORE = [...FLAT, 'v']

const LAST = LEVELS.length - 1
const SECOND_NUMBER = 2 * STEP
const LAST_NUMBER = LEVELS.length * STEP

/** The index in LEVELS of the event that carries records of a level; any finite number is one. */
function indexOfLevel (level) {
  return level < SECOND_NUMBER ? 0 : level >= LAST_NUMBER ? LAST : Math.floor(level / STEP) - 1
}

/** The index in LEVELS of a level's name, in either case; -1 if there is no such level. */
function indexOfName (name) {
  return NAMES.indexOf(name.toLowerCase())
}

/** The tables as text, as the addon has them. */
function contractText () {
  return [
    `version ${VERSION}`, `provider ${PROVIDER}`, `truncated ${TRUNCATED}`, `limits ${LIMITS.least} ${LIMITS.default} ${LIMITS.most}`,
    ...LEVELS.map(({ name, number, loglevel }) => `level ${name} ${number} ${loglevel}`),
    ...FIELDS.map(({ name, type }) => `field ${name} ${type}`)
  ].join('\n') + '\n'
}

/**
 * For code that names the levels or the members one by one because that is faster:
 * throws, when the code is loaded, unless it names those of a table.
 */
function checkNamed (table, ...names) {
  if (table.join() !== names.join()) {
    throw new Error(`nftrace: this code is for ${names.join(', ')}, but lib/record/contract.js has ${table.join(', ')}`)
  }
}

if (LEVELS.some(({ number }, index) => number !== (index + 1) * STEP)) throw new Error('nftrace: the levels of lib/record/contract.js are not in equal steps')

module.exports = {
  checkNamed, contractText, CORE, FIELDS, FLAT, indexOfLevel, indexOfName, INFO, LEVELS, LIMITS, NAMES, PROVIDER, STRINGS, TRUNCATED, VERSION
}
