'use strict'
// A real restify server, with its request logger (a child logger for each
// request), its audit logger and serializers of its own, over Bunyan and pino.

require('./support/isolate')()

const assert = require('node:assert')
const http = require('node:http')
const test = require('node:test')

const pino = require('pino')

const nftrace = require('..')
const bunyans = require('./support/bunyans')
const { recordOf, trace } = require('./support/lttng')

process.noDeprecation = true // of what restify uses
const restify = require('restify')

/** Serves requests in turn with a logger; ends once all of them were answered. */
async function serve (log, ...urls) {
  const server = restify.createServer({ name: 'shop', log })
  server.use(restify.plugins.requestLogger({ headers: ['x-tenant'] }))
  server.get('/order/:id', (req, res, next) => {
    req.log.debug({ params: req.params }, 'looking up')
    if (req.params.id === '0') {
      const error = new Error('no such order')
      req.log.error({ err: error, req }, 'failed')
      res.send(404, { message: error.message })
    } else {
      res.send({ id: req.params.id })
      req.log.info({ req, res }, 'found %s', req.params.id)
    }
    next()
  })
  server.on('after', restify.plugins.auditLogger({ event: 'after', log }))
  await new Promise(resolve => server.listen(0, resolve))
  for (const url of urls) {
    await new Promise((resolve, reject) => {
      http.get({ port: server.address().port, path: url, headers: { 'x-tenant': `tenant of ${url}` }, agent: false }, response => {
        response.resume().on('end', resolve)
      }).on('error', reject)
    })
  }
  await new Promise(resolve => server.close(resolve))
}

/** A session without trace, at which restify itself logs. */
const debug = () => trace({}, '--loglevel=DEBUG_SYSTEM')

function check (records) {
  const about = records.map(({ level, msg, 'x-tenant': tenant }) => [level, msg, tenant])
  assert.deepStrictEqual(about, [
    [20, 'looking up', 'tenant of /order/17'], [30, 'found 17', 'tenant of /order/17'], [30, 'handled: 200', 'tenant of /order/17'],
    [20, 'looking up', 'tenant of /order/0'], [50, 'failed', 'tenant of /order/0'], [30, 'handled: 404', 'tenant of /order/0']
  ])
  // A request's records share its id, which no other request has.
  const requests = records.map(record => record.req_id)
  assert.deepStrictEqual([new Set(requests.slice(0, 3)).size, new Set(requests.slice(3)).size, new Set(requests).size], [1, 1, 2])
  const [lookup, found, audit, , failed] = records
  assert.deepStrictEqual(lookup.params, { id: '17' })
  assert.deepStrictEqual([found.req.method, found.req.url, found.req.headers['x-tenant']], ['GET', '/order/17', 'tenant of /order/17'])
  assert.strictEqual(found.res.statusCode, 200)
  assert.deepStrictEqual([audit.audit, audit.component, audit.req.method, audit.res.statusCode], [true, 'after', 'GET', 200])
  assert.strictEqual(failed.err.message, 'no such order')
  assert.match(failed.err.stack, /^Error: no such order\n +at /)
}

for (const { bunyan, version } of bunyans) {
  test(`${version}: what a request logs is what Bunyan writes to another stream, and levels follow in its children`, async () => {
    const written = []
    const create = (...streams) => bunyan.createLogger({ name: 'shop', serializers: bunyan.stdSerializers, streams })
    const log = create({ level: 'info', stream: { write (line) { written.push(JSON.parse(line)) } } }, nftrace)
    const session = debug()
    await serve(log, '/order/17', '/order/0')
    session.stop()
    await serve(log, '/order/18') // after the session: only to the other stream
    const records = session.finish().map(recordOf)
    check(records)
    assert.deepStrictEqual(records.filter(({ level }) => level >= 30), written.slice(0, 4))
    assert.strictEqual(written.length, 6)
  })
}

test('pino: the same requests, with pino\'s own serializers', async () => {
  const log = pino({ name: 'shop', serializers: pino.stdSerializers }, nftrace.pino())
  const session = debug()
  await serve(log, '/order/17', '/order/0')
  check(session.finish().map(recordOf))
})
