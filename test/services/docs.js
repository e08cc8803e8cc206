'use strict'
// The service that the commands in docs/ are tried on: it logs at each level a few
// times a second, and once at fatal when it gets SIGUSR2.

const bunyan = require('bunyan')
const nftrace = require('../..')

const log = bunyan.createLogger({ name: 'shop', streams: [nftrace, { level: 'fatal', stream: process.stdout }] })
const child = log.child({ component: 'orders' })
let order = 0

setInterval(() => {
  order++
  child.debug({ order }, 'looking up %d', order)
  if (order % 10 === 0) log.error({ order, err: new Error('no such order') }, 'no such order %d', order)
  else if (order % 5 === 0) log.warn({ order }, 'out of pears')
  else log.info({ order, price: 12.5 }, 'order placed')
}, 20)
process.on('SIGUSR2', () => log.fatal('out of everything'))
