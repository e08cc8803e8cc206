'use strict'
// Our streams are what Node's own Writable is, in all that a program can ask of one.

require('./support/isolate')()

const assert = require('node:assert')
const { once } = require('node:events')
const { finished, PassThrough, Readable, Writable } = require('node:stream')
const { pipeline } = require('node:stream/promises')
const test = require('node:test')

const nftrace = require('..')
const bunyans = require('./support/bunyans')
const { trace } = require('./support/lttng')

const MAKERS = {
  'nftrace.stream()': () => nftrace.stream().stream,
  "nftrace.stream({ type: 'stream' })": () => nftrace.stream({ type: 'stream' }).stream,
  'nftrace.pino()': () => nftrace.pino()
}
const ALL = { ...MAKERS, 'the default stream': () => nftrace.stream }

/** What a stream says of itself. */
function state (stream) {
  return Object.fromEntries(['writable', 'writableEnded', 'writableFinished', 'writableLength', 'writableNeedDrain',
    'writableObjectMode', 'writableHighWaterMark', 'writableCorked', 'writableAborted', 'destroyed', 'errored', 'closed'].map(key => [key, stream[key]]))
}

function nodes () {
  return new Writable({ objectMode: true, write: (data, encoding, callback) => callback() })
}

for (const [name, make] of Object.entries(ALL)) {
  test(`${name} says of itself what a Writable says`, () => {
    const stream = make()
    assert.ok(stream instanceof Writable)
    assert.deepStrictEqual(state(stream), state(nodes()))
    assert.strictEqual(stream.write('text'), true)
    assert.deepStrictEqual(state(stream), state(nodes()))
  })

  test(`${name} calls a write's callback once, later, and listeners stay with it`, async () => {
    const stream = make()
    const calls = []
    stream.write('', error => calls.push(error))
    stream.write('text', 'utf8', error => calls.push(error))
    assert.deepStrictEqual(calls, [])
    await new Promise(resolve => setImmediate(resolve))
    assert.deepStrictEqual(calls, [null, null])
    let heard = 0
    const listener = () => heard++
    assert.strictEqual(typeof stream.on('custom', listener).write, 'function')
    stream.emit('custom')
    stream.removeListener('custom', listener)
    stream.emit('custom')
    assert.strictEqual(heard, 1)
  })
}

for (const [name, make] of Object.entries(MAKERS)) {
  test(`${name} ends as a Writable ends`, async () => {
    const traces = [make(), nodes()].map(stream => {
      const trace = []
      for (const event of ['finish', 'close', 'error']) stream.on(event, () => trace.push(event))
      finished(stream, error => trace.push(`finished ${error === undefined || error === null}`))
      assert.strictEqual(stream.end('last', 'utf8', () => trace.push('end')), stream)
      trace.push(state(stream).writableEnded)
      return { stream, trace }
    })
    await Promise.all(traces.map(({ stream }) => stream.closed || once(stream, 'close')))
    await new Promise(resolve => setImmediate(resolve))
    const [ours, stock] = traces
    assert.deepStrictEqual(ours.trace, stock.trace)
    assert.deepStrictEqual(state(ours.stream), state(stock.stream))
  })

  test(`${name} takes a pipe and a pipeline, and records what comes through`, async () => {
    const session = trace()
    const source = new PassThrough()
    const piped = make()
    source.pipe(piped)
    source.write('{"msg":"one","level":30}\n')
    source.end('{"msg":"two","level":30}\n')
    await once(piped, 'finish')
    await pipeline(Readable.from(['{"msg":"three","level":30}\n']), make())
    assert.deepStrictEqual(session.finish().map(({ payload }) => payload.msg), ['one', 'two', 'three'])
  })

  test(`${name}: a write after the end is told to its callback alone`, async () => {
    const stream = make()
    stream.end()
    const error = await new Promise(resolve => assert.strictEqual(stream.write('late', resolve), false))
    assert.strictEqual(error.code, 'ERR_STREAM_WRITE_AFTER_END')
    assert.strictEqual(stream.write({ msg: 'late' }), false)
    await new Promise(resolve => setImmediate(resolve))
  })

  test(`${name} is destroyed as a Writable is`, async () => {
    for (const error of [undefined, new Error('broken')]) {
      const traces = [make(), nodes()].map(stream => {
        const trace = []
        for (const event of ['finish', 'close', 'error']) stream.on(event, value => trace.push([event, value]))
        stream.destroy(error)
        return { stream, trace }
      })
      await new Promise(resolve => setImmediate(resolve))
      assert.deepStrictEqual(traces[0].trace, traces[1].trace)
      assert.deepStrictEqual(state(traces[0].stream), state(traces[1].stream))
      assert.strictEqual(traces[0].stream.write({ msg: 'late' }), false)
    }
  })
}

for (const { bunyan, version } of bunyans) {
  test(`${version}: where one of our streams has ended, a second one records`, () => {
    const written = []
    const other = { level: 'info', type: 'raw', stream: { write (record) { written.push(record.msg) } } }
    const streams = [nftrace.stream(), nftrace.stream({ name: 'second' })]
    const loggers = [streams, [streams[0], other, streams[1]]].map(streams => bunyan.createLogger({ name: 'ended', streams }))
    const session = trace()
    streams[0].stream.end()
    for (const log of loggers) {
      log.debug('traced')
      log.info({ level: 'none' }, 'odd level')
      log.info({ level: 60 }, 'own level')
      log.info('both')
    }
    streams[1].stream.destroy()
    for (const log of loggers) log.debug('none records')
    assert.deepStrictEqual(loggers.map(log => log.debug()), [false, false])
    const each = ['traced', 'odd level', 'own level', 'both']
    assert.deepStrictEqual(session.finish().map(({ payload }) => payload.msg), [...each, ...each])
    assert.deepStrictEqual(written, ['own level', 'both'])
  })
}
