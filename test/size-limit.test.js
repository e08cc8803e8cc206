'use strict'
// A record over maxRecordBytes is cut so that one can see it, and stays valid.

require('./support/isolate')()

const assert = require('node:assert')
const test = require('node:test')
const bunyan = require('bunyan')

const nftrace = require('..')
const { recordOf, trace } = require('./support/lttng')

const strings = ({ name, hostname, msg, fields }) => [name, hostname, msg, fields]
const payloadBytes = payload => strings(payload).reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 16)

/** Records one call per list of arguments with a limit; gives their events. */
function record (maxRecordBytes, ...calls) {
  const log = bunyan.createLogger({ name: 'limit', streams: [nftrace.stream({ maxRecordBytes })] })
  const session = trace({ subbuf: '8M' })
  for (const args of calls) log.info(...args)
  const events = session.finish()
  assert.strictEqual(events.length, calls.length)
  for (const { payload } of events) assert.ok(payloadBytes(payload) <= (maxRecordBytes || 65536), payloadBytes(payload))
  return events.map(recordOf)
}

test('a record that just fits is left alone, one byte more is cut', () => {
  const overhead = payloadBytes({ name: 'limit', hostname: require('node:os').hostname(), msg: '', fields: '{}' }) + 3
  const [fits, cut] = record(2048, ['x'.repeat(2048 - overhead)], ['x'.repeat(2049 - overhead)])
  assert.strictEqual(fits.nftrace_truncated, undefined)
  assert.strictEqual(fits.msg.length, 2048 - overhead)
  assert.strictEqual(cut.nftrace_truncated.bytes, 2049)
  assert.match(cut.msg, /^x+…$/)
})

test('the largest strings are cut, the others stay whole', () => {
  const [seen] = record(undefined, [{ small: 'whole', n: 1, big: 'b'.repeat(1e5), nested: { list: ['c'.repeat(1e5), 'short'] } }, 'message'])
  assert.strictEqual(seen.msg, 'message')
  assert.deepStrictEqual([seen.small, seen.n, seen.nested.list[1]], ['whole', 1, 'short'])
  assert.match(seen.big, /^b{20000,}…$/)
  assert.match(seen.nested.list[0], /^c{20000,}…$/)
  assert.deepStrictEqual(Object.keys(seen.nftrace_truncated), ['bytes', 'cut'])
  assert.strictEqual(seen.nftrace_truncated.cut, 2)
  assert.ok(seen.nftrace_truncated.bytes > 2e5)
})

test('strings are cut between code points, whatever their escapes', () => {
  const texts = ['😀', 'é', '"\\', '\u0001', '日本', '\u0000', '\ud800'].map(unit => unit.repeat(60000))
  for (const seen of record(4096, ...texts.map(text => [{ text }, 'm']), ...texts.map(text => [text]))) {
    const text = seen.text || seen.msg
    assert.ok(text.endsWith('…') && text.length > 200, text.slice(-5))
    assert.ok(texts.some(whole => whole.startsWith(text.slice(0, -1))), 'a beginning of what was given')
    if (!text.startsWith('\ud800')) assert.ok(!/[\ud800-\udbff]…/.test(text), 'no half of a pair')
  }
})

test('a record of many small members loses the largest of them by name', () => {
  const many = Array.from({ length: 3000 }, (_, i) => i)
  const keys = Object.fromEntries(many.map(i => [`key${i}`, { i }]))
  const [list, object] = record(1024, [{ keep: 'me', many }, 'list'], [{ ...keys, keep: 'me' }, 'object'])
  assert.deepStrictEqual([list.keep, list.many, list.nftrace_truncated.dropped], ['me', undefined, ['many']])
  assert.strictEqual(object.msg, 'object')
  assert.strictEqual(object.nftrace_truncated.dropped.length, 8)
})

test('names, keys, depth and the mark itself cannot break the limit', () => {
  const long = 'k'.repeat(1e5)
  let deep = 'x'.repeat(1e5)
  for (let i = 0; i < 200; i++) deep = { deep }
  const seen = record(1024, [{ name: long, hostname: long }, 'm'], [{ [long]: 1, n: 1 }, 'm'], [{ deep }, 'm'],
    [{ nftrace_truncated: long }, 'm'], [{ own: JSON.parse(`{"__proto__": "${long}", "n": 1}`) }, 'm'])
  assert.match(seen[0].name, /^k+…$/)
  assert.strictEqual(seen[1].n, 1)
  assert.strictEqual(typeof seen[3].nftrace_truncated.bytes, 'number')
  assert.match(Object.getOwnPropertyDescriptor(seen[4].own, '__proto__').value, /^k+…$/)
  assert.strictEqual(seen[4].own.n, 1)
})

test('a record of several megabytes is cut too', () => {
  const [seen] = record(65536, [{ big: 'x'.repeat(5e6), list: new Array(1e5).fill('item'), keep: 1 }, 'huge'])
  assert.strictEqual(seen.keep, 1)
  assert.ok(seen.nftrace_truncated.bytes > 5e6)
})

test('a larger limit lets larger records through', () => {
  const [seen] = record(2 ** 20, [{ big: 'x'.repeat(5e5) }, 'large'])
  assert.strictEqual(seen.big.length, 5e5)
  assert.strictEqual(seen.nftrace_truncated, undefined)
})
