'use strict'
// absent.js: uses nftrace where tracing may not be there; prints what it saw.

const bunyan = require('bunyan')

if (process.env.PLATFORM) Object.defineProperty(process, 'platform', { value: process.env.PLATFORM })
const nftrace = require(process.env.NFTRACE)
const log = bunyan.createLogger({ name: 'absent', streams: [nftrace] })
log.fatal({ a: 1n }, 'to nobody')
log.child({ a: 1 }).info('to nobody')
nftrace.stream.write({ msg: 'to nobody' })
nftrace.stream.write('to nobody')
const written = []
const fallback = { write (line) { written.push(JSON.parse(line)) } }
const second = bunyan.createLogger({ name: 'absent', streams: [nftrace.stream({ fallback })] })
second.debug('below')
second.info({ a: 1 }, 'to the fallback')
const third = bunyan.createLogger({ name: 'absent', streams: [nftrace.stream({ fallback, level: 'trace' })] })
third.trace('to the fallback')
console.log(JSON.stringify({
  available: nftrace.available,
  reason: nftrace.reason,
  level: String(log.level()),
  enabled: nftrace.enabled('fatal'),
  written: written.map(record => record.msg),
  v: written.map(record => record.v)
}))
