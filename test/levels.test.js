'use strict'
// Loggers whose level follows the tracing sessions, without a call from the
// application and without a change to what Bunyan documents.

require('./support/isolate')()

const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const fs = require('node:fs')
const Module = require('node:module')
const test = require('node:test')

const nftrace = require('..')
const bunyans = require('./support/bunyans')
const { recordOf, Session, trace } = require('./support/lttng')

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
const LOGLEVELS = {
  fatal: 'CRIT', error: 'ERR', warn: 'WARNING', info: 'INFO', debug: 'DEBUG_SYSTEM', trace: 'DEBUG'
}

/** A Bunyan stream that keeps what it is given. */
function memory (level, type = 'raw') {
  const written = []
  return { type, level, stream: { write (record) { written.push(record) } }, written }
}

function messages (events) {
  return events.map(event => `${event.event.slice('bunyan:'.length)} ${event.payload.msg}`)
}

for (const { bunyan, version } of bunyans) {
  test(`${version}: levels go in and out at run time, with 50 children made before and after`, () => {
    const log = bunyan.createLogger({ name: 'parent', streams: [nftrace] })
    const make = i => i % 2 ? log.child({ i }) : log.child({ i }, true)
    const before = Array.from({ length: 25 }, (_, i) => make(i))
    const logAll = (loggers, round) => {
      for (const logger of loggers) for (const level of LEVELS) logger[level](`${round} ${logger.fields.i}`)
    }
    logAll([log, ...before], 'closed')
    const session = new Session().enable('bunyan:*', '--loglevel=INFO')
    logAll([log, ...before], 'not started')
    session.start()
    const after = Array.from({ length: 25 }, (_, i) => make(25 + i))
    const all = [...before, ...after]
    logAll(all, 'info')
    session.enable('bunyan:debug')
    logAll(all, 'debug')
    session.disable('bunyan:debug')
    logAll(all, 'info again')
    session.stop()
    logAll(all, 'stopped')
    const expected = []
    for (const [round, levels] of [['info', LEVELS.slice(2)], ['debug', LEVELS.slice(1)], ['info again', LEVELS.slice(2)]]) {
      for (let i = 0; i < 50; i++) for (const level of levels) expected.push(`${level} ${round} ${i}`)
    }
    assert.deepStrictEqual(messages(session.finish()), expected)
  })

  test(`${version}: --loglevel=X opens X and everything more severe, for each level`, () => {
    const log = bunyan.createLogger({ name: 'severity', streams: [nftrace] })
    for (const lowest of LEVELS) {
      const session = trace({}, `--loglevel=${LOGLEVELS[lowest]}`)
      const expected = LEVELS.slice(LEVELS.indexOf(lowest))
      for (const level of LEVELS) {
        assert.strictEqual(log[level](), expected.includes(level), `log.${level}() with ${lowest}`)
        assert.strictEqual(nftrace.enabled(level), expected.includes(level))
        log[level](level)
      }
      assert.deepStrictEqual(messages(session.finish()), expected.map(level => `${level} ${level}`))
    }
  })

  test(`${version}: level() and levels() are what was configured, whatever a session wants`, () => {
    const loggers = {
      beside: bunyan.createLogger({ name: 'beside', streams: [memory('warn'), nftrace] }),
      alone: bunyan.createLogger({ name: 'alone', streams: [nftrace] }),
      floor: bunyan.createLogger({ name: 'floor', streams: [nftrace.stream({ level: 'error' })] })
    }
    const says = log => [log.level(), log.levels(), log.child({ a: 1 }).level(), log.child({ a: 1 }, true).level()]
    const check = () => {
      assert.deepStrictEqual(says(loggers.beside), [40, [40, 10], 40, 40])
      assert.deepStrictEqual(says(loggers.alone), [30, [10], 30, 30])
      assert.deepStrictEqual(says(loggers.floor), [50, [50], 50, 50])
      assert.strictEqual(loggers.alone.levels('nftrace'), 10)
    }
    check()
    const session = trace({}, '--loglevel=DEBUG_SYSTEM')
    try {
      check()
      assert.deepStrictEqual(LEVELS.map(level => loggers.beside[level]()), [false, true, true, true, true, true])
      assert.deepStrictEqual(LEVELS.map(level => loggers.floor[level]()), [false, false, false, false, true, true])
    } finally {
      session.finish()
    }
    check()
    assert.deepStrictEqual(LEVELS.map(level => loggers.beside[level]()), [false, false, false, true, true, true])
  })

  test(`${version}: a level that is copied, or saved and set again, silences nothing`, () => {
    const beside = memory('warn')
    const loggers = [
      bunyan.createLogger({ name: 'alone', streams: [nftrace] }),
      bunyan.createLogger({ name: 'beside', streams: [beside, nftrace] })
    ]
    const copies = loggers.flatMap(log => [
      log.child({ level: log.level() }), log.child({}).child({ level: log.level() }), log.child({ level: log.level() }, false).child({}, true)
    ])
    for (const log of [...loggers]) {
      const child = log.child({})
      const saved = child.level()
      for (const level of ['fatal', 'error']) child.level(level)
      assert.strictEqual(child.level(), 50)
      child.level(saved)
      assert.strictEqual(child.level(), log.level())
      copies.push(child)
    }
    copies.push(bunyan.createLogger({ name: 'other', streams: [{ ...memory(loggers[0].level()) }, nftrace] }))
    const session = trace()
    for (const log of copies) log.debug('traced')
    assert.strictEqual(session.finish().length, copies.length)
    for (const log of copies.filter(log => log.fields.name === 'beside')) log.warn('written')
    assert.strictEqual(beside.written.length, 4)
  })

  test(`${version}: a level that the user sets on our stream is a floor`, () => {
    const byDefinition = bunyan.createLogger({ name: 'a', streams: [nftrace.stream({ level: 'warn' })] })
    const byLevel = bunyan.createLogger({ name: 'b', streams: [nftrace] })
    byLevel.level('warn')
    const byLevels = bunyan.createLogger({ name: 'c', streams: [memory('info'), nftrace] })
    byLevels.levels('nftrace', 'warn')
    const byChild = bunyan.createLogger({ name: 'd', streams: [nftrace] }).child({ level: 'warn' })
    const session = trace()
    for (const log of [byDefinition, byLevel, byLevels, byChild]) {
      log.info('below')
      log.warn('at')
    }
    assert.strictEqual(byDefinition.level(), 40)
    byLevel.level('debug')
    byLevel.debug('lowered')
    byLevel.trace('still below')
    assert.deepStrictEqual(messages(session.finish()), ['warn at', 'warn at', 'warn at', 'warn at', 'debug lowered'])
    assert.strictEqual(byLevel.level(), 20)
  })

  test(`${version}: setting levels does to other streams what Bunyan documents`, () => {
    const stock = memory('info')
    const beside = memory('info')
    const loggers = [
      bunyan.createLogger({ name: 'x', streams: [stock] }),
      bunyan.createLogger({ name: 'x', streams: [beside, nftrace] })
    ]
    const steps = [
      log => log.level('error'), log => log.levels(0, 'debug'), log => log.levels(0, 'fatal'),
      log => log.level(20), log => log.addStream({ ...memory('trace'), name: 'extra' }), log => log.level('info')
    ]
    for (const step of steps) {
      for (const log of loggers) step(log)
      const [a, b] = loggers.map(log => [log.level(), ...LEVELS.map(level => log[level]())])
      assert.deepStrictEqual(b, a, String(step))
      for (const log of loggers) for (const level of LEVELS) log[level](level)
      assert.deepStrictEqual(beside.written.map(r => r.msg), stock.written.map(r => r.msg), String(step))
    }
    assert.throws(() => loggers[1].levels('nobody', 'info'), /no stream with name/)
    assert.throws(() => loggers[1].level('loud'), /unknown level name/)
    assert.throws(() => loggers[1].child({ name: 'x' }), /child cannot set logger name/)
    loggers[1].level('warn')
    assert.strictEqual(loggers[1].level(), 40, 'a child that could not be made leaves nothing behind')
  })

  test(`${version}: a stream added later makes a logger and its later children follow`, () => {
    const log = bunyan.createLogger({ name: 'late', streams: [memory('info')] })
    log.addStream(nftrace)
    const child = log.child({ a: 1 })
    const grandchild = child.child({ streams: [memory('error')], b: 2 })
    const session = trace()
    for (const logger of [log, child, grandchild]) logger.trace('late')
    assert.deepStrictEqual(session.finish().map(event => recordOf(event)).map(({ a, b, msg }) => ({ a, b, msg })),
      [{ a: undefined, b: undefined, msg: 'late' }, { a: 1, b: undefined, msg: 'late' }, { a: 1, b: 2, msg: 'late' }])
    assert.ok(grandchild instanceof bunyan)
  })

  test(`${version}: a record whose fields set its level goes by the level it was called with`, () => {
    const beside = memory('info')
    const log = bunyan.createLogger({ name: 'raised', streams: [beside, nftrace] })
    log.debug({ level: 60 }, 'closed')
    let session = trace({}, '--loglevel=INFO')
    log.debug({ level: 60 }, 'not opened')
    log.info({ level: 60 }, 'opened')
    session.finish()
    session = trace()
    log.debug({ level: 60 }, 'raised')
    log.info('plain')
    log.info({ level: 'loud' }, 'no number')
    const events = session.finish()
    assert.deepStrictEqual(messages(events), ['debug raised', 'info plain', 'info no number'])
    assert.strictEqual(recordOf(events[2]).level, 'loud')
    assert.deepStrictEqual(beside.written.map(record => record.msg), ['opened', 'plain'])
  })

  test(`${version}: a stream added at log.level(), as OpenTelemetry does, ships nothing more`, () => {
    const log = bunyan.createLogger({ name: 'otel', streams: [memory('info'), nftrace] })
    const shipped = memory(log.level())
    log.addStream(shipped)
    const session = trace()
    log.debug('traced')
    log.info('shipped')
    assert.deepStrictEqual(messages(session.finish()), ['debug traced', 'info shipped'])
    assert.deepStrictEqual(shipped.written.map(record => record.msg), ['shipped'])
  })

  test(`${version}: a patch of Bunyan's own _emit, as OpenTelemetry makes, is honoured`, () => {
    const log = bunyan.createLogger({ name: 'patched', streams: [memory('info'), nftrace] })
    const { _emit } = bunyan.prototype
    const session = trace()
    bunyan.prototype._emit = function (record, noemit) {
      record.trace_id = 'abc'
      return Reflect.apply(_emit, this, [record, noemit])
    }
    try {
      log.debug('with id')
      log.info('with id')
    } finally {
      bunyan.prototype._emit = _emit
    }
    assert.deepStrictEqual(session.finish().map(event => recordOf(event).trace_id), ['abc', 'abc'])
  })

  test(`${version}: assigned and bound log methods keep working across a level change`, () => {
    const log = bunyan.createLogger({ name: 'stubs', streams: [nftrace] })
    const bound = log.debug.bind(log)
    const called = []
    const session = trace()
    bound('bound')
    log.info = (...args) => called.push(args)
    log.info('stubbed')
    delete log.info
    log.info('real')
    assert.deepStrictEqual(messages(session.finish()), ['debug bound', 'info real'])
    assert.deepStrictEqual(called, [['stubbed']])
  })

  test(`${version}: where Error is frozen, src is empty, and no call throws`, () => {
    const other = memory('info')
    const log = bunyan.createLogger({ name: 'frozen', src: true, streams: [other, nftrace] })
    const limit = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit')
    const session = trace()
    Object.defineProperty(Error, 'stackTraceLimit', { ...limit, writable: false }) // as node --frozen-intrinsics does
    try {
      log.info('both')
      log.debug('traced')
    } finally {
      Object.defineProperty(Error, 'stackTraceLimit', limit)
      const records = session.finish().map(recordOf)
      assert.deepStrictEqual(records.map(({ msg, src }) => [msg, src?.file]), [['both', undefined], ['traced', undefined]])
    }
    assert.deepStrictEqual(other.written.map(({ msg }) => msg), ['both'])
  })

  test(`${version}: src names the caller, and hostile fields don't throw with it`, () => {
    const log = bunyan.createLogger({ name: 'src', src: true, streams: [memory('info'), nftrace] })
    const session = trace()
    const line = Number(/:(\d+):\d+\)?$/m.exec(new Error('here').stack)[1])
    log.debug('where')
    log.child({ a: 1 }).debug({ get bad () { throw new Error('boom') } }, 'where')
    log.debug({ src: 'mine' }, 'where')
    const records = session.finish().map(recordOf)
    assert.deepStrictEqual(records.map(record => record.src.file || record.src), [__filename, __filename, 'mine'])
    assert.deepStrictEqual(records.slice(0, 2).map(record => record.src.line), [line + 1, line + 2])
    assert.strictEqual(records[1].bad, '[Throws: boom]')
  })

  test(`${version}: a subclass of Logger keeps its class, members and private state`, () => {
    class Own extends bunyan {
      #secret = 7
      secret () { return this.#secret }
    }
    const log = new Own({ name: 'own', streams: [nftrace] })
    assert.ok(log instanceof Own)
    assert.strictEqual(log.secret(), 7)
    const session = trace()
    log.debug('own')
    log.child({ a: 1 }).debug('child')
    assert.ok(log.child({}) instanceof Own)
    assert.deepStrictEqual(messages(session.finish()), ['debug own', 'debug child'])
  })

  test(`${version}: two of our streams on one logger record an event once`, () => {
    const log = bunyan.createLogger({ name: 'twice', streams: [nftrace, nftrace.stream({ name: 'second' })] })
    const session = trace()
    log.info('once')
    assert.deepStrictEqual(messages(session.finish()), ['info once'])
  })
}

test('another error listener is neither called nor lost', () => {
  const stream = nftrace.stream().stream
  const seen = []
  const emitter = new EventEmitter()
  const { emit } = EventEmitter.prototype
  stream.on('error', error => { seen.push(error) })
  stream.on('error', error => { emitter.emit('error', error) })
  assert.deepStrictEqual(seen, [])
  assert.strictEqual(EventEmitter.prototype.emit, emit)
  assert.strictEqual(stream.listenerCount('error'), 2)
})

test('a Bunyan whose statements a coverage tool counts', () => {
  const file = require.resolve('bunyan')
  const source = fs.readFileSync(file, 'utf8')
  const forms = [
    'function onStreamError(err){++cov_1a.f[21];++cov_1a.s[278];self.emit(\'error\',err,s);}',
    'function (err) {\n  cov_1a().f[21]++;\n  cov_1a().s[278]++;\n  self.emit(\'error\', err, s);\n}',
    'err => {\n  cov_1a().f[\'21\']++;\n  cov_1a().s[\'278\']++;\n  return self.emit(\'error\', err, s);\n}',
    'err=>(cov_1a().f[21]++,cov_1a().s[278]++,self.emit("error",err,s))'
  ]
  for (const form of forms) {
    const counted = source.replace(/function onStreamError\(err\) \{[^}]*\}/, () => form)
    assert.notStrictEqual(counted, source)
    const copy = new Module(file, module)
    copy.filename = file
    copy.paths = module.paths
    copy._compile(`const counters = { f: {}, s: {} }; const cov_1a = Object.assign(() => counters, counters);${counted}`, file)
    const log = copy.exports.createLogger({ name: 'counted', streams: [memory('warn'), nftrace] })
    assert.strictEqual(log.level(), 40, form)
    const session = trace()
    log.child({ a: 1 }).debug('counted')
    assert.deepStrictEqual(messages(session.finish()), ['debug counted'], form)
  }
})

test('any number of loggers share the default stream without a warning', () => {
  const warnings = []
  process.on('warning', warning => warnings.push(warning))
  for (let i = 0; i < 50; i++) bunyans[0].bunyan.createLogger({ name: `n${i}`, streams: [nftrace] })
  return new Promise(resolve => setImmediate(resolve)).then(() => assert.deepStrictEqual(warnings, []))
})
