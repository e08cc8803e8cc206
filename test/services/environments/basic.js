'use strict'
// basic.js: logs a bit of everything, in the main thread and in a worker, and
// writes what Bunyan made of it, a line each, to the file $WRITTEN.

const fs = require('node:fs')
const { isMainThread, Worker } = require('node:worker_threads')
const bunyan = require('bunyan')

const nftrace = require('nftrace')

const memory = { type: 'raw', level: 'trace', stream: { write (record) { fs.appendFileSync(process.env.WRITTEN, JSON.stringify(record) + '\n') } } }

function logAll (name) {
  const log = bunyan.createLogger({ name, streams: [memory, nftrace] })
  const child = log.child({ component: 'cart' })
  for (let i = 0; i < 20; i++) {
    log.info({ i, nested: { list: [1, null, 'ü'] }, date: new Date(i) }, 'record %d', i)
    child.debug(new TypeError('broken'), 'an error')
    child.fatal({ map: new Map([[1, 2]]), big: 'x'.repeat(3000) })
  }
  // Alone, log methods go another way.
  const alone = bunyan.createLogger({ name, streams: [nftrace] })
  for (let i = 0; i < 20; i++) alone.child({ i }).warn('alone')
}

logAll(isMainThread ? 'main' : 'worker')
if (isMainThread && process.env.NO_WORKER !== '1') new Worker(__filename) // eslint-disable-line no-new
