'use strict'
// Nothing of a record is lost: { ...flat, ...JSON.parse(fields) } is the record.

require('./support/isolate')()

const assert = require('node:assert')
const test = require('node:test')

const nftrace = require('..')
const bunyans = require('./support/bunyans')
const { CALLS, deep } = require('./support/corpus')
const { recordOf, trace } = require('./support/lttng')

const json = value => JSON.parse(JSON.stringify(value))
const base = () => ({ name: 'n', hostname: 'h', pid: 1, level: 30, msg: 'm', time: new Date(1e12), v: 0 })

for (const { bunyan, version } of bunyans) {
  test(`${version}: a corpus of awkward log calls comes back equal to what Bunyan writes`, () => {
    const written = []
    const stock = { type: 'raw', level: 'trace', stream: { write (record) { written.push(json(record)) } } }
    const log = bunyan.createLogger({ name: 'corpus', streams: [stock, nftrace] })
    const child = log.child({ own: { nested: [1, 'two'] }, serial: new Date(3) })
    const session = trace()
    const names = []
    for (const [name, args] of Object.entries(CALLS)) {
      log.info(...args)
      child.error(...args)
      names.push(name, `${name}, child`)
    }
    const events = session.finish()
    assert.strictEqual(written.length, names.length)
    assert.strictEqual(events.length, names.length)
    names.forEach((name, i) => assert.deepStrictEqual(recordOf(events[i]), written[i], name))
  })

  test(`${version}: through JSON lines, as a stream of type 'stream'`, () => {
    const written = []
    const stock = { type: 'raw', level: 'trace', stream: { write (record) { written.push(json(record)) } } }
    const log = bunyan.createLogger({ name: 'lines', streams: [stock, nftrace.stream({ type: 'stream' })] })
    const session = trace()
    for (const args of Object.values(CALLS)) log.info(...args)
    const events = session.finish()
    assert.strictEqual(events.length, written.length)
    Object.keys(CALLS).forEach((name, i) => assert.deepStrictEqual(recordOf(events[i]), written[i], name))
  })

  test(`${version}: a call with an error alone has the error's message, whatever becomes of the error`, () => {
    const unreadable = Object.defineProperty(new Error('unreadable stack'), 'stack', { get () { throw new Error('no stack') } })
    const silent = Object.defineProperty(new Error(), 'message', { get () { throw new Error('no message') } })
    const plain = bunyan.createLogger({ name: 'errors', streams: [nftrace] })
    const dropping = bunyan.createLogger({ name: 'errors', serializers: { err: () => null }, streams: [nftrace] })
    const session = trace()
    plain.error(unreadable)
    plain.error({ err: unreadable })
    dropping.error(new Error('message'))
    dropping.error({ err: new Error('message') })
    dropping.error(new Error('message'), 'own %s', 'text')
    plain.error(silent)
    plain.error({ err: silent, keep: 1 })
    const records = session.finish().map(recordOf)
    assert.deepStrictEqual(records.map(({ msg }) => msg), ['unreadable stack', 'unreadable stack',
      'message', 'message', 'own text', '[Throws: no message]', '[Throws: no message]'])
    assert.strictEqual(records[6].keep, 1)
  })

  test(`${version}: what JSON can't carry has a stand-in and costs no other key`, () => {
    const log = bunyan.createLogger({ name: 'hostile', streams: [nftrace] })
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const cycle = { name: 'cycle' }
    cycle.self = cycle
    const boom = () => { throw new Error('boom') }
    const cases = [
      [{ v1: 1n, v2: 2n ** 80n, v3: [-3n], keep: 1 }, { v1: 1, v2: String(2n ** 80n), v3: [-3], keep: 1 }],
      [{ cycle, keep: 1 }, { cycle: { name: 'cycle', self: '[Circular]' }, keep: 1 }],
      [{ o: { get bad () { return boom() }, good: 2 }, keep: 1 }, { o: { bad: '[Throws: boom]', good: 2 }, keep: 1 }],
      [{ get bad () { return boom() }, keep: 1 }, { bad: '[Throws: boom]', keep: 1 }],
      [{ o: { toJSON: boom }, list: [{ toJSON: boom }, 1], keep: 1 }, { o: '[Throws: boom]', list: ['[Throws: boom]', 1], keep: 1 }],
      [{ o: { a: proxy, b: 1 }, keep: 1 }, { o: { a: /^\[Throws: .*revoked/, b: 1 }, keep: 1 }],
      [{ proxy, keep: 1 }, { proxy: /^\[Throws: .*revoked/, keep: 1 }],
      [proxy, { fields: /^\[Throws: .*revoked/ }],
      [{ o: Object.create(null, { a: { get () { throw null }, enumerable: true } }), keep: 1 }, { o: { a: '[Throws: null]' }, keep: 1 }], // eslint-disable-line no-throw-literal
      [{ f () {}, keep: 1 }, { keep: 1 }],
      [{ pid: 1n, level: 2n, time: 3n, keep: 1 }, { keep: 1 }],
      [{ level: Symbol('s'), keep: 1 }, { keep: 1 }],
      [{ level: { valueOf: boom }, pid: { valueOf: boom }, time: { valueOf: boom }, keep: 1 }, { keep: 1 }],
      [{ name: 1n, hostname: cycle, v: cycle, keep: 1 }, { keep: 1 }],
      [{ big: Object(5n), keep: 1 }, { big: 5, keep: 1 }],
      [{ deep: { n: 1n, d: deep(300) }, keep: 1 }, { deep: { n: 1, d: /./ }, keep: 1 }]
    ]
    const session = trace()
    for (const [fields] of cases) log.debug(fields, 'hostile %s', 'call')
    const events = session.finish()
    assert.strictEqual(events.length, cases.length)
    cases.forEach(([, expected], i) => {
      const { name, hostname, pid, level, time, msg, v, ...rest } = recordOf(events[i])
      assert.strictEqual(msg, 'hostile call')
      matches(rest, expected, `case ${i}`)
    })
  })

  test(`${version}: a call that only tracing has opened throws nothing`, () => {
    const log = bunyan.createLogger({
      name: 'throws',
      streams: [nftrace],
      serializers: { err () { throw new Error('serializer') } }
    })
    const boom = () => { throw new Error('boom') }
    const error = new Error('message')
    Object.defineProperty(error, 'stack', { get: boom })
    const session = trace()
    log.debug('%s', { toString: boom, [Symbol.toPrimitive]: boom })
    log.debug({ keep: 1 }, 'with %j', { toJSON: boom })
    log.debug(new Proxy({ a: 1 }, { ownKeys: boom, get: boom, getPrototypeOf: boom }), 'proxy')
    log.debug(new Proxy([], { get: boom }))
    const { write } = process.stderr
    process.stderr.write = () => true // Bunyan reports serializers that throw
    try {
      log.debug(error, 'error')
      log.debug(new Error('for the serializer'))
    } finally {
      process.stderr.write = write
    }
    const records = session.finish().map(recordOf)
    assert.strictEqual(records.length, 6)
    assert.strictEqual(records[1].keep, 1)
    assert.match(records[1].msg, /^with /)
    assert.strictEqual(records[2].msg, 'proxy')
    assert.strictEqual(records[4].msg, 'error')
  })
}

function matches (value, expected, name) {
  if (expected instanceof RegExp) {
    assert.match(typeof value === 'string' ? value : JSON.stringify(value), expected, name)
  } else if (expected !== null && typeof expected === 'object') {
    assert.deepStrictEqual(Object.keys(value), Object.keys(expected), name)
    for (const key of Object.keys(expected)) matches(value[key], expected[key], `${name}.${key}`)
  } else {
    assert.strictEqual(value, expected, name)
  }
}

test('raw records of any make are recorded; what they lack has a default', () => {
  const { stream } = nftrace.stream()
  const session = trace()
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  const records = [
    { ...base(), extra: 1 }, { msg: 'bare' }, {}, Object.create({ msg: 'inherited' }),
    { ...base(), level: NaN }, { ...base(), level: 'error' }, { ...base(), level: -5 }, { ...base(), level: 59.9 },
    { ...base(), get odd () { throw new Error('getter') } }, { get level () { throw new Error('level') }, msg: 'm' }, proxy
  ]
  for (const record of records) assert.strictEqual(stream.write(record), true)
  const before = Date.now()
  const events = session.finish()
  const seen = events.map(recordOf)
  assert.strictEqual(seen.length, records.length)
  assert.deepStrictEqual(seen[0], json(records[0]))
  assert.deepStrictEqual({ ...seen[1], time: 0 }, { level: 30, time: 0, name: ' ', hostname: ' ', pid: 0, msg: 'bare', v: 0 })
  assert.ok(Math.abs(Date.parse(seen[1].time) - before) < 60000)
  assert.strictEqual(seen[2].msg, ' ')
  assert.strictEqual(seen[3].msg, ' ')
  assert.deepStrictEqual(events.slice(4, 8).map(({ event, payload }) => [event, payload.level]),
    [['bunyan:info', 30], ['bunyan:info', 30], ['bunyan:trace', -5], ['bunyan:error', 59]])
  assert.deepStrictEqual(seen.slice(4, 8).map(record => record.level), [null, 'error', -5, 59.9])
  assert.deepStrictEqual(seen[8], { ...json(base()), odd: '[Throws: getter]' })
  assert.strictEqual(seen[9].msg, 'm')
  assert.match(seen[10].msg, /^\[Throws: .*revoked/)
})

test('lines of text: JSON objects are records, all else is a message', () => {
  const { stream } = nftrace.stream({ type: 'stream' })
  const record = { ...base(), extra: { a: '\0' } }
  const session = trace()
  stream.write(JSON.stringify(record) + '\n')
  stream.write(Buffer.from(`${JSON.stringify(record)}\r\nplain text\n\n[1]\n`))
  stream.write(JSON.stringify({ level: 50, time: 1e12, msg: 'pino', pid: 9, hostname: 'h' }) + '\n')
  stream.write(new Uint8Array([0x7b, 0xff, 0x0a]))
  stream.write(42)
  stream.write(undefined)
  const seen = session.finish().map(recordOf)
  assert.deepStrictEqual(seen.slice(0, 2), [json(record), json(record)])
  assert.deepStrictEqual(seen.slice(2).map(({ level, msg, pid }) => [level, msg, pid]), [
    [30, 'plain text', process.pid], [30, '[1]', process.pid], [50, 'pino', 9], [30, '{�', process.pid], [30, '42', process.pid]
  ])
  assert.strictEqual(seen[4].time, 1e12)
})

test('nothing that the caller gave is changed', () => {
  const log = bunyans[1].bunyan.createLogger({ name: 'same', streams: [nftrace] })
  const make = () => ({ a: { b: [1, { c: 2n }] }, date: new Date(1), big: 'x'.repeat(1e5), list: [3, 'y'.repeat(1e5)] })
  const given = make()
  const freeze = value => {
    if (value !== null && typeof value === 'object' && !(value instanceof Date)) Object.values(value).forEach(freeze)
    return Object.freeze(value)
  }
  const session = trace()
  log.info(given, 'plain')
  log.info(freeze(make()), 'frozen')
  nftrace.stream.write(freeze({ ...base(), ...make() }))
  assert.deepStrictEqual(given, make())
  assert.strictEqual(session.finish().length, 3)
})

test('writing after end() is ignored', async () => {
  const { stream } = nftrace.stream()
  const emitted = []
  for (const event of ['finish', 'close']) stream.on(event, () => emitted.push(event))
  const session = trace()
  stream.write({ ...base(), msg: 'before' })
  stream.end({ ...base(), msg: 'last' })
  assert.strictEqual(stream.write({ ...base(), msg: 'after' }), false)
  stream.end()
  await new Promise(resolve => setImmediate(resolve))
  assert.deepStrictEqual(session.finish().map(event => event.payload.msg), ['before', 'last'])
  assert.deepStrictEqual(emitted, ['finish', 'close'])
})
