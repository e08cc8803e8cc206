'use strict'
// What a trace lacks, `nftrace read` says: as records, in a summary and, with
// --lost-fails, by its status; read and lost make up what was written, exactly.

require('./support/isolate')()

const assert = require('node:assert')
const { test } = require('node:test')

const { nftrace, run, runService } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { writeMixed } = require('./support/ctf')
const { trace } = require('./support/lttng')

const TINY = { subbuf: '4k', count: '2' }

function isLoss (record) {
  return record.name === 'nftrace'
}

test('read and lost make up what was written', () => {
  const count = 30000
  for (const buffers of ['uid', 'pid']) {
    const session = trace({ buffers, ...TINY })
    // A process that ends while its own buffers are full takes the count of
    // what it lost last with it; so it writes once more when they aren't.
    runService('count.js', ['busy', count - 1, '', 'pause'])
    session.end()
    const { status, stderr, records } = nftrace(['read', session.folder])
    const losses = records.filter(isLoss)
    const read = records.length - losses.length
    const lost = losses.reduce((sum, record) => sum + record.lost.events, 0)
    assert.ok(lost > 0, 'the buffers were too large for this test')
    assert.strictEqual(read + lost, count)
    assert.strictEqual(status, 0)
    assert.match(stderr, new RegExp(`${read} records read, ${lost} events lost in ${losses.length} gap`))
  }
})

test('a loss is a Bunyan record of its own, at the beginning of the gap', () => {
  const session = trace(TINY)
  runService('count.js', ['busy', 30000, '', 'pause'])
  session.end()
  const { stdout, records } = nftrace(['read', session.folder])
  const loss = records.find(isLoss)
  assert.deepStrictEqual(Object.keys(loss), ['name', 'hostname', 'pid', 'level', 'lost', 'msg', 'time', 'v'])
  assert.strictEqual(loss.level, 40)
  assert.match(loss.msg, /^\d+ events? lost$/)
  assert.strictEqual(loss.time, loss.lost.begin)
  assert.ok(loss.lost.end >= loss.lost.begin)
  assert.match(loss.lost.stream, /^channel_\d+$/)
  const times = stdout.split('\n').filter(Boolean).map(line => JSON.parse(line).time)
  const late = times.filter((time, i) => i > 0 && Date.parse(time) < Date.parse(times[i - 1]) - 50)
  assert.deepStrictEqual(late, [])
})

test('a record that is larger than a sub-buffer is lost, and counted', () => {
  // So many that they are never full: then nobody could write, at the end, the
  // count of what was lost last.
  const session = trace({ subbuf: '4k', count: '256' })
  const beside = temporaryFolder() + '/beside'
  runService('awkward.js', [beside])
  session.end()
  const { records } = nftrace(['read', session.folder])
  const written = require('node:fs').readFileSync(beside, 'utf8').trim().split('\n').length
  const losses = records.filter(isLoss)
  const lost = losses.reduce((sum, record) => sum + record.lost.events, 0)
  assert.ok(lost > 0)
  assert.strictEqual(records.length - losses.length + lost, written)
})

test('--lost-fails ends with 3, and only if something was lost', () => {
  const lossy = trace(TINY)
  const whole = trace()
  runService('count.js', ['busy', 30000, '', 'pause'])
  lossy.end()
  whole.end()
  assert.strictEqual(nftrace(['read', '--lost-fails', lossy.folder]).status, 3)
  assert.strictEqual(nftrace(['read', lossy.folder]).status, 0)
  const { status, stderr } = nftrace(['read', '--lost-fails', whole.folder])
  assert.strictEqual(stderr, '')
  assert.strictEqual(status, 0)
})

test('what rotating trace files have overwritten is told, and is no loss', () => {
  const session = trace({ subbuf: '16k', count: '16', channel: ['--tracefile-size=16k', '--tracefile-count=2'] })
  runService('count.js', ['busy', 2000])
  session.end()
  const { status, stderr, records } = nftrace(['read', '--lost-fails', session.folder])
  assert.ok(records.length > 0 && records.length < 2000)
  assert.match(stderr, /\d of \d streams lack their beginning/)
  assert.strictEqual(status, 0)
})

test('a counter of lost events that runs backwards is counted once', () => {
  const payload = { level: 30, time: 1796028817000, name: 'n', hostname: 'h', pid: 1, msg: 'm', fields: '{}' }
  const events = Array.from({ length: 8 }, (_, i) => ({ time: 1000 * (i + 1), cpu: 0, name: 'record', context: { vpid: 1, vtid: 1 }, payload }))
  // From 2.1 on babeltrace2 doesn't tell us that it did.
  const isTold = /^\S+ 2\.0\./.test(run('babeltrace2', ['--version']))
  for (const [counter, once, again] of [
    [[10, 7, 12], [10, 2], [10, 5]],
    [[10, 7, 9, 10], [10], [10, 2, 1]],
    [[10, 3, 7, 1, 14, 15], [10, 4, 1], [10, 4, 13, 1]]
  ]) {
    const said = isTold ? once : again
    const lost = said.reduce((sum, count) => sum + count)
    const folder = writeMixed(temporaryFolder(), events, { user: { lost: { 0: counter } } })
    const { status, stderr, records } = nftrace(['read', folder])
    const losses = records.filter(isLoss).map(record => record.lost.events)
    assert.deepStrictEqual(losses, said)
    assert.strictEqual(records.length - losses.length, 8)
    assert.match(stderr, new RegExp(`8 records read, ${lost} events lost in ${said.length} gap`))
    assert.strictEqual(status, 0)
  }
})
