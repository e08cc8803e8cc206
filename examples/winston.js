'use strict'
// winston through nftrace: a transport that hands its records to LTTng. Levels
// are turned on from outside, as with Bunyan: lttng enable-event -u 'bunyan:*'.

const os = require('node:os')

const nftrace = require('nftrace')
const Transport = require('winston-transport')

const LEVEL = Symbol.for('level') // of a record; its member `level` may have colours in it
const LEVELS = { error: 50, warn: 40, info: 30, http: 30, verbose: 20, debug: 20, silly: 10 }
const ALWAYS = { name: 'winston', hostname: os.hostname(), pid: process.pid, v: 0 }

class NftraceTransport extends Transport {
  log (record, done) {
    const level = LEVELS[record[LEVEL]] || 30
    if (nftrace.enabled(level)) {
      nftrace.stream.write({ ...ALWAYS, ...record, level, msg: record.message, message: undefined, time: new Date() })
    }
    done()
  }
}

module.exports = { NftraceTransport }

if (require.main === module) {
  const winston = require('winston')
  const log = winston.createLogger({
    level: 'silly', // the session decides
    format: winston.format.errors({ stack: true }),
    defaultMeta: { name: 'shop' },
    transports: [new NftraceTransport(), new winston.transports.Console({ level: 'info' })]
  })
  log.child({ component: 'orders' }).info('order placed', { order: 17 })
  log.debug('priced', { price: 12.5 })
  log.error(new Error('no more pears'))
}
