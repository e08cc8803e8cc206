'use strict'
// cluster.js: 4 cluster workers log 100 records each.

const cluster = require('node:cluster')
const bunyan = require('bunyan')

const log = bunyan.createLogger({ name: 'cluster', streams: [require('../..')] })
if (cluster.isPrimary) {
  for (let i = 0; i < 4; i++) cluster.fork({ INDEX: i })
  log.info('primary')
} else {
  for (let i = 0; i < 100; i++) log.info({ index: Number(process.env.INDEX), i }, 'worker')
  cluster.worker.disconnect()
}
