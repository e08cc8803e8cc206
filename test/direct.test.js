'use strict'
// Log methods that skip Bunyan's record give the same records as those that don't.

require('./support/isolate')()

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const test = require('node:test')
const fc = require('fast-check')

const nftrace = require('..')
const { RECORD } = require('../lib/bunyan/direct')
const { call, level, value } = require('./support/generators')
const { recordOf, Session, trace } = require('./support/lttng')

const BUNYANS = ['bunyan1', 'bunyan', '@expo/bunyan', '@salesforce/bunyan']
const CALLS_EACH = Number(process.env.NFTRACE_TEST_CALLS || 3000)
const SEED = Number(process.env.NFTRACE_TEST_SEED || Date.now() % 1e6)
const LACKING = { name: ' ', hostname: ' ', pid: 0 }

const step = fc.record({
  logger: fc.nat(), level, args: call, change: fc.option(value, { freq: 8 })
})

/** Loggers of every shape, the same for each way to record. */
function shapes (bunyan, stream) {
  const options = { name: 'shapes', hostname: 'h', streams: [stream] }
  const plain = bunyan.createLogger(options)
  const serializing = bunyan.createLogger({
    ...options,
    serializers: { ...bunyan.stdSerializers, a: value => ({ was: typeof value }), user () { return undefined } },
    own: { nested: [1] }
  })
  return [
    plain, plain.child({ component: 'cart', n: 1 }), plain.child({ own: 'simple' }, true),
    plain.child({ object: { a: [1, null] }, date: new Date(1) }), serializing, serializing.child({ a: 1, b: 'two' }),
    serializing.child({ serializers: { req: () => 'replaced' }, c: undefined }),
    bunyan.createLogger({ ...options, pid: 'seven', level: 10 }), plain.child({}).child({ own: 1 }).child({ deep: true })
  ]
}

const json = value => JSON.parse(JSON.stringify(value))

for (const name of BUNYANS) {
  test(`${name}: ${CALLS_EACH} generated calls, seed ${SEED}, equal Bunyan's with and without the record`, { timeout: 600000 }, () => {
    const bunyan = require(name)
    const addsIds = name === '@expo/bunyan' // an id to each record, so ours leaves it alone
    const written = []
    const direct = nftrace.stream()
    const record = direct.stream[RECORD]
    let taken = 0
    direct.stream[RECORD] = (...parts) => {
      taken++
      return record(...parts)
    }
    const lanes = [direct, nftrace.stream({ direct: false }),
      { type: 'raw', level: 'trace', stream: { write (record) { written.push(json(record)) } } }]
      .map(stream => shapes(bunyan, stream))
    const session = new Session({ subbuf: '32M' }).enable('bunyan:*').start()
    const expected = []
    const severe = ['bunyan:fatal', 'bunyan:error', 'bunyan:warn']
    fc.sample(step, { numRuns: CALLS_EACH, seed: SEED }).forEach(({ logger, level, args, change }, i) => {
      if (i % 1000 === 500) { // close the lower levels for a while
        session.disable('bunyan:*')
        for (const event of severe) session.enable(event)
      } else if (i % 1000 === 700) {
        for (const event of severe) session.disable(event)
        session.enable('bunyan:*')
      }
      const [mine, plain, stock] = lanes.map(loggers => loggers[logger % loggers.length])
      if (change !== null) for (const log of [mine, plain, stock]) log.fields.changed = change
      const before = written.length
      try {
        stock[level](...args)
      } catch { // round-trip.test.js has what Bunyan throws at
        return
      }
      mine[level](...args)
      plain[level](...args)
      // Bunyan writes a record by the level that it says; ours goes by the call's.
      if (nftrace.enabled(level)) expected.push({ record: written[before], call: i, timed: Boolean(Object(args[0]).time) })
    })
    const events = session.finish()
    assert.strictEqual(events.length, 2 * expected.length)
    expected.forEach(({ record, call, timed }, i) => {
      if (record === undefined) return
      for (const event of events.slice(2 * i, 2 * i + 2)) {
        const seen = recordOf(event)
        if (!timed) seen.time = record.time
        if (addsIds) seen.id = record.id
        for (const key of Object.keys(LACKING)) { // what a record lacks has a default
          if (key in record) continue
          assert.strictEqual(seen[key], LACKING[key])
          delete seen[key]
        }
        assert.deepStrictEqual(seen, record, `call ${call}`)
      }
    })
    assert.ok(addsIds ? taken === 0 : taken > expected.length / 3, `${taken} of ${expected.length} calls were direct`)
    assert.ok(expected.length > CALLS_EACH / 2)
  })
}

const bunyan = require('bunyan')

test('an Error made in a serialiser has the application\'s frames', () => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  const stacks = []
  const make = stream => bunyan.createLogger({
    name: 'stack', streams: [stream], serializers: { a () { stacks.push(new Error('here').stack) } }
  })
  const session = trace()
  const loggers = [make({ type: 'raw', level: 'trace', stream: { write () {} } }), make(nftrace)]
  for (const log of loggers) log.debug({ a: 1 }, 'stack')
  session.finish()
  Error.stackTraceLimit = stackTraceLimit
  const [stock, ours] = stacks.map(stack => stack.split('\n').filter(line => !/bunyan\.js|\/lib\/|forEach/.test(line)))
  assert.ok(stock.length > 2)
  assert.deepStrictEqual(ours, stock)
})

test('a patched _emit, a subclass\'s method and a stub are called', () => {
  const called = []
  class Own extends bunyan {
    debug (...args) {
      called.push('own')
      return super.debug(...args)
    }
  }
  const own = new Own({ name: 'own', streams: [nftrace] })
  const patched = bunyan.createLogger({ name: 'patched', streams: [nftrace] })
  const { _emit } = patched
  patched._emit = function (record) {
    called.push('patched')
    return Reflect.apply(_emit, this, [record])
  }
  const session = trace()
  own.debug('own')
  patched.debug('patched')
  assert.strictEqual(session.finish().length, 2)
  assert.deepStrictEqual(called, ['own', 'patched'])
})

test('a bound method keeps to the levels and streams of the moment', () => {
  const written = []
  const log = bunyan.createLogger({ name: 'bound', streams: [nftrace] })
  let session = trace()
  const bound = log.debug.bind(log)
  bound('traced')
  log.addStream({ type: 'raw', level: 'debug', stream: { write (record) { written.push(record.msg) } } })
  bound('both')
  assert.strictEqual(session.finish().length, 2)
  bound('other')
  session = trace()
  log.level('info')
  bound('none')
  log.info('both too')
  assert.strictEqual(session.finish().length, 1)
  assert.deepStrictEqual(written, ['both', 'other', 'both too'])
})

test('direct: false and NFTRACE_DIRECT=0 leave every record to Bunyan', () => {
  assert.strictEqual(nftrace.stream({ direct: false }).stream[RECORD], undefined)
  const session = trace()
  const { stdout } = spawnSync(process.execPath, ['-e', `
    const log = require(${JSON.stringify(require.resolve('bunyan'))})
      .createLogger({ name: 'off', streams: [require(${JSON.stringify(path.join(__dirname, '..'))})] })
    let built = 0
    const { _applySerializers } = log
    Object.defineProperty(log, 'serializers', { get () { built++; return null } })
    log.debug({ a: 1 }, 'off')
    process.stdout.write(String(log.debug !== Object.getPrototypeOf(Object.getPrototypeOf(log)).debug) + built)`],
  { env: { ...process.env, NFTRACE_DIRECT: '0' }, encoding: 'utf8' })
  assert.strictEqual(stdout, 'true1')
  assert.strictEqual(session.finish().length, 1)
})
