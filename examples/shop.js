'use strict'
// A small HTTP service that logs with Bunyan: warnings to stdout as ever, and
// whatever an operator asks for to LTTng. Nothing here knows of tracing but the
// word nftrace in the list of streams.
//
//   node examples/shop.js 8080 &
//   lttng create shop && lttng enable-event -u 'bunyan:*' --loglevel=INFO && lttng start
//   curl http://localhost:8080/order/pear

const http = require('node:http')
const bunyan = require('bunyan')
const nftrace = require('nftrace')

const log = bunyan.createLogger({
  name: 'shop',
  serializers: { req: bunyan.stdSerializers.req },
  streams: [{ level: 'warn', stream: process.stdout }, nftrace]
})

const prices = { pear: 30, apple: 25, plum: 12 }
let orders = 0

const server = http.createServer((req, res) => {
  const order = ++orders
  const requestLog = log.child({ order }, true)
  const item = req.url.replace('/order/', '')
  requestLog.debug({ req }, 'request')
  const price = prices[item]
  if (price === undefined) {
    requestLog.warn({ item }, 'no such item')
    res.statusCode = 404
  } else {
    requestLog.debug({ item, price }, 'priced')
  }
  requestLog.info({ status: res.statusCode }, 'order %d handled', order)
  res.end(JSON.stringify({ order, price }))
})

server.listen(Number(process.argv[2]) || 0, '127.0.0.1', () => {
  const { port } = server.address()
  log.info({ port }, 'listening')
  if (process.send) process.send({ port })
})
