'use strict'
// stdout.js stock|nftrace: logs to stdout at info, with or without us beside it.

const bunyan = require('bunyan')

const streams = [{ level: 'info', stream: process.stdout }]
if (process.argv[2] === 'nftrace') streams.push(require('../..'))
const log = bunyan.createLogger({ name: 'service', hostname: 'h', pid: 1, time: new Date(0), streams })
for (let i = 0; i < 100; i++) {
  log.debug({ i }, 'only traced')
  log.info({ i, req: { url: `/${i}` } }, 'both %d', i)
}
