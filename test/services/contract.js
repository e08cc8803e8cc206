'use strict'
// Logs a record of each kind that the contract speaks of, through Bunyan and pino: all
// levels; members that the payload carries exactly, and those that it can't; JSON's
// stand-ins; an error; a record that is cut; redaction; text. For scripts/keep-contract.js.

const bunyan = require('bunyan')
const pino = require('pino')

const nftrace = require('../..')
const { NAMES } = require('../../lib/record/contract')

/** An error whose stack is the same wherever this runs. */
function failure () {
  const error = new RangeError('no pears left')
  error.stack = 'RangeError: no pears left\n    at order (/srv/shop/order.js:17:9)\n    at Server.<anonymous> (/srv/shop/shop.js:42:3)'
  error.code = 'E_PEARS'
  return error
}

const log = bunyan.createLogger({ name: 'shop', streams: [nftrace] })
for (const name of NAMES) log[name]('Bunyan, level %s', name)
log.info({ order: 17, item: 'pear', paid: true, price: 1.5, tags: ['a', 'b'], address: { city: 'Åre', zip: null } }, 'order placed')
log.error(failure())
log.child({ serializers: bunyan.stdSerializers }).warn({ err: failure(), attempt: 2 }, 'again')
log.child({ component: 'cart', user: '\u{1f350}' }).debug({ n: -1e-7 }, 'of a child, with \u2028 and "quotes" and \\')

// What the payload can't carry exactly.
log.info('')
log.info('a\0b')
log.info('half \ud800 of a pair')
log.info({ level: 35.5 }, 'a level that is no integer')
log.info({ level: 75 }, 'a level of its own')
log.info({ time: 'yesterday' }, 'a time that is none')
log.info({ time: new Date(-1) }, 'before the epoch')
log.info({ pid: 'many', hostname: 'shop\0', name: '' }, 'another identity')
log.info({ fields: '{}', context: { of: 'its own' } }, 'names that readers use')

// What JSON can't carry.
const cycle = { name: 'round' }
cycle.self = cycle
log.info({ small: 17n, large: 2n ** 70n, cycle, none: undefined, not: NaN, get: { get it () { throw new Error('away') } } }, 'stand-ins')

const small = bunyan.createLogger({ name: 'small', streams: [nftrace.stream({ maxRecordBytes: 1024 })] })
small.info({ order: 17, note: 'n'.repeat(2000), short: 'whole' }, 'm\u00e9'.repeat(1000))
small.info({ ...Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`list${i}`, Array(20).fill(i)])) }, 'whole members left out')

const secret = bunyan.createLogger({ name: 'secret', streams: [nftrace.stream({ redact: ['user.password', 'cards[*].number'] })] })
secret.info({ user: { id: 1, password: 'hunter2' }, cards: [{ number: '4111', ends: '1111' }] }, 'redacted')

const text = nftrace.stream({ type: 'stream' })
text.stream.write('no JSON\n')
text.stream.write('{"name":"line","v":1,"msg":"another version, and no more"}\n')
text.stream.write('{"name":"line","hostname":"web1","pid":42,"level":40,"msg":"a line","time":"2026-11-30T08:53:44.428Z","v":0,"n":1}\n')

const logger = pino({ name: 'pine' }, nftrace.pino())
for (const name of NAMES) logger[name]('pino, level %s', name)
logger.info({ order: 17, item: 'pear' }, 'order placed')
logger.error(failure(), 'pino failed')
logger.child({ component: 'cart' }).warn('')
