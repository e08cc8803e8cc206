'use strict'
// A service to be bundled whole: logs through both Bunyans and pino, and prints why it
// can't be traced, or which loggers have debug open.

const nftrace = require('nftrace')

const loggers = [
  require('bunyan').createLogger({ name: 'bundled', streams: [nftrace] }),
  require('bunyan1').createLogger({ name: 'bundled', streams: [nftrace] }),
  require('pino')({ name: 'bundled' }, nftrace.pino())
]
for (const log of loggers) log.debug({ order: 17 }, 'placed')
console.log(JSON.stringify({ reason: nftrace.reason, open: loggers.map(log => log.isLevelEnabled?.('debug') ?? log.debug()) }))
