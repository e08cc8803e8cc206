'use strict'
// short.js: a bit of everything the addon does, for a run under valgrind.

const bunyan = require('bunyan')
const nftrace = require('../..')

const log = bunyan.createLogger({ name: 'short', streams: [nftrace] })
for (let i = 0; i < 40; i++) {
  log.info({ i, big: 'é'.repeat(i * 1500) }, 'grows')
  log.child({ i }).debug('inexact \0 \ud800')
  bunyan.createLogger({ name: `name-${i}`, streams: [nftrace] }).warn({ big: 1n })
}
if (!nftrace.enabled('info')) process.exit(1)
