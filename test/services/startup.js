'use strict'
// startup.js: prints how long require('nftrace') took, in ms, and what it says;
// logs once.

const start = process.hrtime.bigint()
const nftrace = require('../..')
const ms = Number(process.hrtime.bigint() - start) / 1e6
const log = require('bunyan').createLogger({ name: 'startup', streams: [nftrace] })
log.info('first')
console.log(JSON.stringify({ ms, available: nftrace.available, enabled: nftrace.enabled('info') }))
