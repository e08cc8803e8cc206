'use strict'
// Bunyan and its loggers as applications bend them: patches, subclasses, shared
// streams, calls within calls. What stock Bunyan would do is what is done.

require('./support/isolate')()

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const test = require('node:test')
const sinon = require('sinon')

const nftrace = require('..')
const bunyans = require('./support/bunyans')
const { recordOf, trace } = require('./support/lttng')

function memory (level) {
  const written = []
  return { type: 'raw', level, stream: { write (record) { written.push(record) } }, written }
}

/** Replaces a member while something runs. */
function patched (object, name, value, run) {
  const { [name]: original } = object
  object[name] = value
  try {
    run(original)
  } finally {
    object[name] = original
  }
}

for (const { bunyan, version } of bunyans) {
  const create = (...streams) => bunyan.createLogger({ name: 'patched', streams })

  test(`${version}: a redacting _applySerializers holds for traced records`, () => {
    class Redacting extends bunyan {
      _applySerializers (fields, except) {
        super._applySerializers(fields, except)
        if ('password' in fields) fields.password = '***'
      }
    }
    const log = new Redacting({ name: 'redacting', serializers: { req: value => value }, streams: [nftrace] })
    const onInstance = bunyan.createLogger({ name: 'own', serializers: { req: value => value }, streams: [nftrace] })
    onInstance._applySerializers = fields => { fields.password = '***' }
    const session = trace()
    for (const logger of [log, log.child({ a: 1 }), onInstance]) logger.info({ password: 'secret' }, 'redacted')
    assert.deepStrictEqual(session.finish().map(event => recordOf(event).password), ['***', '***', '***'])
  })

  test(`${version}: a later patch of a log method or of the standard serializers is heeded`, () => {
    const log = create(nftrace)
    const session = trace()
    patched(bunyan.prototype, 'info', function (...args) {
      return this.warn({ patched: true }, ...args)
    }, () => log.info('through a patch'))
    patched(bunyan.stdSerializers, 'err', () => ({ message: 'custom' }), () => {
      // Bunyan itself looks it up at each call
      log.info(new Error('original'))
    })
    const [first, second] = session.finish().map(recordOf)
    assert.deepStrictEqual([first.patched, first.level, second.err], [true, 40, { message: 'custom' }])
  })

  test(`${version}: a record's time is the one that Bunyan takes, whatever becomes of Date`, () => {
    const other = memory('info')
    const logs = [create(nftrace), create(other, nftrace)]
    const times = run => {
      for (let i = 0; i < 3; i++) run() // the first lets the fast lane learn, and others take it
    }
    const session = trace()
    const begin = Date.now()
    const { now } = Date
    for (const value of [undefined, NaN, 1e300, 'soon', 0]) {
      patched(Date, 'now', () => value, () => times(() => logs.forEach(log => log.info('now'))))
    }
    const end = now()
    const clock = sinon.useFakeTimers({ now: 86400000, toFake: ['Date'] })
    times(() => logs.forEach(log => log.info('faked')))
    clock.restore()
    const { Date: Real } = globalThis
    patched(globalThis, 'Date', class extends Real { constructor () { super(NaN) } }, () => times(() => logs.forEach(log => log.info('broken'))))
    patched(globalThis, 'Date', class extends Real { getTime () { return 1e300 } }, () => times(() => logs.forEach(log => log.info('lies'))))
    const events = session.finish()
    for (const { payload } of events.filter(({ payload }) => payload.msg !== 'faked')) {
      assert.ok(payload.time >= begin && payload.time <= end + 60000, `${payload.msg} ${payload.time}`)
    }
    assert.deepStrictEqual([...new Set(events.filter(({ payload }) => payload.msg === 'faked').map(({ payload }) => payload.time))], [86400000])
    assert.deepStrictEqual([...new Set(events.map(recordOf).filter(({ msg }) => msg === 'broken').map(({ time }) => time))], [null])
    assert.strictEqual(events.length, 2 * 3 * 8)
    // Beside another stream, each is what that one got.
    const beside = events.map(recordOf).filter((_, i) => i % 2 === 1)
    assert.deepStrictEqual(beside.map(({ time }) => time), other.written.map(record => JSON.parse(JSON.stringify(record)).time))
  })

  test(`${version}: who watches Bunyan sees no record that nobody logged, and no logger that nobody made`, () => {
    const seen = []
    const { _emit, addStream } = bunyan.prototype
    class Watched extends bunyan {
      constructor (...args) {
        super(...args)
        seen.push('made')
        if (args[1] === undefined) this.addStream(nftrace)
      }

      _emit (record, noemit) {
        seen.push(record.msg)
        return super._emit(record, noemit)
      }
    }
    const session = trace()
    patched(bunyan.prototype, '_emit', function (record, noemit) {
      seen.push(`patched ${record.msg}`)
      return Reflect.apply(_emit, this, [record, noemit])
    }, () => {
      patched(bunyan.prototype, 'addStream', function (...args) {
        seen.push('stream')
        return Reflect.apply(addStream, this, args)
      }, () => {
        const log = create(memory('warn'), nftrace)
        for (const text of ['one', 'two']) log.info(text)
      })
      assert.deepStrictEqual(seen.splice(0), ['stream', 'stream', 'patched one', 'patched two'])
      const log = new Watched({ name: 'watched', streams: [memory('warn')] })
      log.info('three')
      assert.deepStrictEqual(seen.splice(0), ['made', 'three', 'patched three'])
    })
    assert.deepStrictEqual(session.finish().map(({ payload }) => payload.msg), ['one', 'two', 'three'])
  })

  test(`${version}: a level that a call's fields set changes nothing for what the call is`, () => {
    const other = memory('warn')
    const log = create(other, nftrace)
    const session = trace()
    for (const level of ['info', null, NaN, 60, 5]) log.fatal({ level }, 'fatal')
    log.debug({ level: 60 }, 'debug')
    assert.deepStrictEqual(session.finish().map(({ event }) => event), [...Array(5).fill('bunyan:fatal'), 'bunyan:debug'])
  })

  test(`${version}: a stream shared with a simple child gets what it would get without us`, () => {
    const other = memory('error')
    const log = create(other, nftrace)
    const child = log.child({}, true)
    log.levels(0, 'info')
    const logShared = () => child.error({ level: 35 }, 'shared')
    logShared()
    const session = trace()
    logShared()
    assert.strictEqual(session.finish().length, 1)
    assert.strictEqual(other.written.length, 2)
  })

  test(`${version}: a call within a traced call is one of its own`, () => {
    const other = memory('info')
    const log = bunyan.createLogger({ name: 'nested', src: true, streams: [other, nftrace] })
    const session = trace()
    log.debug({ level: 50, get a () { log.info('inner'); return 1 } }, 'outer')
    const records = session.finish().map(recordOf)
    assert.deepStrictEqual(other.written.map(record => record.msg), ['inner'])
    assert.deepStrictEqual(records.map(record => record.msg), ['inner', 'outer'])
    assert.strictEqual(records[1].src.file, __filename)
  })

  test(`${version}: a subclass by hand, without a constructor of its own, keeps its methods`, () => {
    function Mine (options) { bunyan.call(this, options) }
    Mine.prototype = Object.create(bunyan.prototype)
    Mine.prototype.audit = function (msg) { this.info({ audit: true }, msg) }
    const log = new Mine({ name: 'mine', streams: [nftrace] })
    assert.ok(log instanceof Mine)
    const session = trace()
    log.audit('kept')
    assert.strictEqual(recordOf(session.finish()[0]).audit, true)
  })

  test(`${version}: a child made within a child's constructor takes no level from a session`, () => {
    class Nesting extends bunyan {
      constructor (...args) {
        if (args[1] && args[1].nest) args[0].child({})
        super(...args)
      }
    }
    const log = new Nesting({ name: 'nesting', streams: [memory('info'), nftrace] })
    const session = trace()
    const child = log.child({ nest: true })
    session.finish()
    assert.strictEqual(child.level(), 30)
  })
}

test('thousands of long keys do not stay in memory', () => {
  const session = trace({ subbuf: '1M' })
  const { status, stderr } = spawnSync(process.execPath, ['--max-old-space-size=100', '-e', `
    const log = require(${JSON.stringify(require.resolve('bunyan'))})
      .createLogger({ name: 'keys', streams: [require(${JSON.stringify(path.join(__dirname, '..'))})] })
    for (let i = 0; i < 4000; i++) log.info({ ['key' + i + 'z'.repeat(40000)]: 1 }, 'long key')`], { encoding: 'utf8' })
  assert.deepStrictEqual([status, stderr], [0, ''])
  session.finish()
})
