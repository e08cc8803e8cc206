'use strict'
// absent.js: logs where there is no LTTng; prints what nftrace says of that.

const bunyan = require('bunyan')
const nftrace = require('nftrace')

bunyan.createLogger({ name: 'absent', streams: [nftrace] }).fatal('to nobody')
console.log(JSON.stringify({ available: nftrace.available, reason: nftrace.reason }))
