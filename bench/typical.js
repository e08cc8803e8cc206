'use strict'
// A service that logs what services log: typical.js COUNT

const bunyan = require('bunyan')
const nftrace = require('..')

const count = Number(process.argv[2])
const log = bunyan.createLogger({ name: 'shop', streams: [nftrace], serializers: { req: req => req } })
const child = log.child({ component: 'orders', requestId: 'c0ffee00-1234-5678-9abc-def012345678' })
const req = { method: 'GET', url: '/order/pear?page=2', headers: { host: 'shop.example', accept: '*/*' }, remoteAddress: '10.1.2.3', remotePort: 35146 }

for (let number = 0; number < count; number++) {
  switch (number % 3) {
    case 0: log.info('listening'); break
    case 1: log.info({ req, number }, 'request'); break
    case 2: child.debug({ number, price: 12.5 }, 'order %d handled', number)
  }
}
