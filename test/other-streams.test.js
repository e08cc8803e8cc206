'use strict'
// Streams beside ours get, byte for byte, what they would get without us.

require('./support/isolate')()

const assert = require('node:assert')
const { execFileSync } = require('node:child_process')
const path = require('node:path')
const test = require('node:test')

const nftrace = require('..')
const bunyans = require('./support/bunyans')
const { CALLS } = require('./support/corpus')
const { trace } = require('./support/lttng')

// A record without a time gets that of the call.
const TIMED = Object.entries(CALLS).filter(([, [fields]]) => !(fields instanceof Object && fields.time === null))
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

function lines (level) {
  const written = []
  return { type: 'stream', level, stream: { write (line) { written.push(line) } }, written }
}

/** Every call of the corpus at every level, as a text of what was written or thrown. */
function logEverything (bunyan, ours) {
  const info = lines('info')
  const warn = lines('warn')
  const log = bunyan.createLogger({
    name: 'beside',
    time: new Date(0), // so that two runs can be compared
    streams: [info, ...ours, warn],
    serializers: { err: bunyan.stdSerializers.err, a: value => ({ serialized: value }) }
  })
  const thrown = []
  for (const logger of [log, log.child({ child: 1 }), log.child({ simple: 1 }, true), log.child({ level: 'error' })]) {
    for (const level of LEVELS) {
      for (const [name, args] of TIMED) {
        try {
          logger[level](...args)
        } catch (error) {
          thrown.push(`${level} ${name}: ${error.message}`)
        }
      }
    }
  }
  return JSON.stringify({ info: info.written, warn: warn.written, thrown })
}

for (const { bunyan, version } of bunyans) {
  test(`${version}: two other streams are unchanged byte for byte, traced or not`, () => {
    const stock = logEverything(bunyan, [])
    assert.ok(stock.length > 1e6)
    assert.ok(logEverything(bunyan, [nftrace]) === stock, 'nobody listens')
    const session = trace({ subbuf: '8M' })
    assert.ok(logEverything(bunyan, [nftrace]) === stock, 'everything is traced')
    assert.ok(session.finish().length > 1000)
  })

  test(`${version}: a raw stream that changes the level in the record changes no event`, () => {
    const naming = level => ({ level, type: 'raw', stream: { write (record) { record.level = bunyan.nameFromLevel[record.level] } } })
    const log = bunyan.createLogger({ name: 'named', streams: [naming('info'), nftrace] })
    const last = bunyan.createLogger({ name: 'last', streams: [lines('debug'), nftrace, naming('info')] })
    const session = trace({}, '--loglevel=ERR')
    for (const logger of [log, log.child({ a: 1 }), last]) {
      for (const level of LEVELS) logger[level](level)
      logger.error({ level: 20 }, 'says debug')
    }
    assert.deepStrictEqual(session.finish().map(({ event, payload }) => `${event} ${payload.msg}`),
      Array(3).fill(['bunyan:error error', 'bunyan:fatal fatal', 'bunyan:error says debug']).flat())
  })

  test(`${version}: what another stream makes a call throw is still thrown`, () => {
    const log = bunyan.createLogger({ name: 'throws', streams: [lines('info'), nftrace] })
    const fields = { get bad () { throw new Error('boom') } }
    assert.throws(() => log.info(fields), /boom/)
    const session = trace()
    assert.throws(() => log.info(fields), /boom/)
    log.debug(fields)
    assert.strictEqual(session.finish().length, 1)
  })
}

test('stdout of a service is the same bytes with us, without us, traced or not', () => {
  const service = path.join(__dirname, 'services', 'stdout.js')
  const stdoutOf = mode => execFileSync(process.execPath, [service, mode]).toString()
  const stock = stdoutOf('stock')
  assert.ok(stock.split('\n').length > 100)
  assert.strictEqual(stdoutOf('nftrace'), stock)
  const session = trace()
  assert.strictEqual(stdoutOf('nftrace'), stock)
  assert.ok(session.finish().length > 100)
})
