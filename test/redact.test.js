'use strict'
// redact: what stands at its paths is not in the trace, however it got there, and
// is everywhere else.

require('./support/isolate')()

const assert = require('node:assert')
const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const nftrace = require('..')
const { makeRedact, makeRedactLine } = require('../lib/redact')
const bunyans = require('./support/bunyans')
const { recordOf, trace } = require('./support/lttng')

const PATHS = ['req.headers.authorization', 'user.*.password', 'tokens[*]', 'list[*].key', 'headers["set-cookie"]', 'own', 'err.stack', 'made']
const SECRET = 'hunter2-secret'

class Made {
  toJSON () { return SECRET }
}

function calls () {
  return [
    [{ req: { url: '/', headers: { authorization: SECRET, host: 'h' } } }, 'path'],
    [{ user: { a: { password: SECRET, id: 1 }, b: { password: SECRET } } }, 'wildcard'],
    [{ tokens: [SECRET, SECRET], list: [{ key: SECRET, n: 1 }, 7, null] }, 'arrays'],
    [{ headers: { 'set-cookie': SECRET } }, 'bracket'],
    [{ made: new Made() }, 'toJSON'],
    [Object.assign(new Error('broken'), { stack: SECRET })],
    [{ err: Object.assign(new Error('broken'), { stack: SECRET }), big: 'x'.repeat(1e5) }, 'cut'],
    [{ req: { headers: { authorization: SECRET } }, cycle: (() => { const o = {}; o.o = o; return o })() }, 'cycle'],
    [{ req: { headers: { authorization: SECRET } }, n: 1n, get bad () { throw new Error('no') } }, 'awkward'],
    [{ name: 'other', req: { headers: { authorization: SECRET } } }, 'not direct \0']
  ]
}

for (const direct of [true, false]) {
  for (const { bunyan, version } of bunyans) {
    test(`${version}, direct ${direct}: no secret reaches the trace's files; its place says so`, () => {
      const session = trace({ subbuf: '1M' })
      const log = bunyan.createLogger({
        name: 'redact', own: SECRET, streams: [nftrace.stream({ redact: PATHS, direct })], serializers: { err: bunyan.stdSerializers.err }
      })
      const child = log.child({ own: SECRET, component: 'cart' })
      const given = calls()
      for (const args of given) {
        log.info(...args)
        child.debug(...args)
      }
      session.stop()
      const files = fs.readdirSync(session.folder, { recursive: true })
        .map(file => path.join(session.folder, file)).filter(file => fs.statSync(file).isFile())
      for (const file of files) assert.ok(!fs.readFileSync(file).includes(SECRET), file)
      const records = session.finish().map(recordOf)
      assert.strictEqual(records.length, 2 * given.length)
      for (const record of records) assert.strictEqual(record.own, '[Redacted]')
      assert.deepStrictEqual(records[0].req, { url: '/', headers: { authorization: '[Redacted]', host: 'h' } })
      assert.strictEqual(records[1].component, 'cart')
      assert.deepStrictEqual(records[2].user, { a: { password: '[Redacted]', id: 1 }, b: { password: '[Redacted]' } })
      assert.deepStrictEqual(records[4].tokens, ['[Redacted]', '[Redacted]'])
      assert.deepStrictEqual(records[4].list, [{ key: '[Redacted]', n: 1 }, 7, null])
      assert.strictEqual(records[8].made, '[Redacted]')
      assert.deepStrictEqual([records[10].err.stack, records[10].err.message], ['[Redacted]', 'broken'])
      assert.ok(records[12].nftrace_truncated.bytes > 1e5)
      assert.strictEqual(records[16].n, 1)
      assert.strictEqual(records[18].msg, 'not direct \0')
      assert.deepStrictEqual(given.slice(0, 4), calls().slice(0, 4), 'the caller\'s objects are as they were')
    })
  }
}

test('other streams get what they got before', () => {
  const lines = redact => {
    const written = []
    const streams = [{ stream: { write (line) { written.push(line) } } }]
    if (redact) streams.push(nftrace.stream({ redact: PATHS }))
    const log = bunyans[1].bunyan.createLogger({ name: 'beside', hostname: 'h', pid: 1, time: new Date(0), streams })
    for (const [fields, msg] of calls().slice(0, 5)) log.info({ ...fields, time: new Date(0) }, msg)
    return written
  }
  const stock = lines(false)
  const session = trace()
  assert.deepStrictEqual(lines(true), stock)
  assert.strictEqual(session.finish().length, 5)
  assert.ok(stock.every(line => line.includes(SECRET)))
})

test('msg, name and hostname can be redacted, exact or not', () => {
  const log = bunyans[1].bunyan.createLogger({ name: SECRET, hostname: SECRET, streams: [nftrace.stream({ redact: ['msg', 'name', 'hostname'] })] })
  const session = trace()
  log.info(SECRET)
  log.info({ name: `${SECRET}\0` }, `${SECRET}\0 \ud800`)
  log.info({ msg: { a: SECRET } }, '')
  const events = session.finish()
  for (const event of events) assert.ok(!JSON.stringify(event).includes(SECRET), JSON.stringify(event))
  assert.deepStrictEqual(events.map(event => recordOf(event).msg).slice(0, 2), ['[Redacted]', '[Redacted]'])
})

test('JSON lines, too', () => {
  const { stream } = nftrace.stream({ type: 'stream', redact: ['a.b'] })
  const session = trace()
  stream.write(JSON.stringify({ level: 30, msg: 'm', a: { b: SECRET, c: 1 } }) + '\n')
  assert.deepStrictEqual(recordOf(session.finish()[0]).a, { b: '[Redacted]', c: 1 })
})

test('names of Object.prototype are members like others, and nothing is polluted', () => {
  const session = trace()
  const { stream } = nftrace.stream({ redact: ['a.b', 'constructor.prototype.x', '*.polluted', 'restore.k'] })
  const fields = JSON.parse('{"a": {"__proto__": {"p": 1}, "b": "secret"}, "__proto__": {"polluted": "secret"}, "constructor": {"prototype": {"x": "secret"}}, "restore": {"k": "secret", "l": 2}, "hasOwnProperty": 3}')
  stream.write({ name: 'n', hostname: 'h', pid: 1, level: 30, msg: 'm', time: new Date(), v: 0, ...fields })
  const { fields: text } = session.finish()[0].payload
  assert.deepStrictEqual(JSON.parse(text), JSON.parse('{"a": {"__proto__": {"p": 1}, "b": "[Redacted]"}, "__proto__": {"polluted": "[Redacted]"}, "constructor": {"prototype": {"x": "[Redacted]"}}, "restore": {"k": "[Redacted]", "l": 2}, "hasOwnProperty": 3}'))
  assert.strictEqual({}.polluted, undefined)
  assert.strictEqual({}.x, undefined)
  assert.strictEqual({}.p, undefined)
})

test('what cannot be redacted is left out altogether', () => {
  assert.deepStrictEqual(makeRedact(['a'])('n', 'h', SECRET, '"a": broken'),
    { name: 'n', hostname: 'h', msg: '[Redacted]', members: '"nftrace_redacted":"[Redacted]"' })
  assert.strictEqual(makeRedactLine(['a'])('broken'), '{"nftrace_redacted":"[Redacted]"}\n')
})

test('a list that would not do what it says is refused', () => {
  for (const redact of ['a.b', null, [7], [''], ['a..b'], ['a[b'], ['level'], ['time'], ['__proto__.x'], {}]) {
    assert.throws(() => nftrace.stream({ redact }), { name: 'TypeError', message: /redact/ })
  }
  nftrace.stream({ redact: [] })
  nftrace.stream({ redact: undefined })
})

test('the fallback of a stream that redacts gets redacted lines', () => {
  const script = `
    Object.defineProperty(process, 'platform', { value: 'none' })
    const nftrace = require(${JSON.stringify(path.join(__dirname, '..'))})
    require(${JSON.stringify(require.resolve('bunyan'))})
      .createLogger({ name: 'f', streams: [nftrace.stream({ redact: ['a.b'], fallback: process.stdout })] })
      .info({ a: { b: 'secret', c: 1 } }, 'm')`
  const [line] = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim().split('\n')
  assert.deepStrictEqual(JSON.parse(line).a, { b: '[Redacted]', c: 1 })
})
