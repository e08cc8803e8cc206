'use strict'
// `nftrace read` gives back what Bunyan wrote to a file beside the trace, record
// for record and in order.

require('./support/isolate')()

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')

const { nftrace, parseLines, runService, startService } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { lttng, startRelayd, trace } = require('./support/lttng')

const LARGE = { count: '8' }

function assertSame (actual, expected) {
  assert.ok(expected.length > 0)
  for (let i = 0; i < expected.length; i++) assert.deepStrictEqual(actual[i], expected[i], `record ${i}`)
  assert.strictEqual(actual.length, expected.length)
}

test('awkward records, per-user and per-process buffers', () => {
  for (const buffers of ['uid', 'pid']) {
    const session = trace({ buffers, ...LARGE })
    const beside = path.join(temporaryFolder(), 'beside')
    runService('awkward.js', [beside])
    session.end()
    const { status, stderr, stdout, records } = nftrace(['read', session.folder])
    assert.strictEqual(stderr, '')
    assert.strictEqual(status, 0)
    assertSame(records, parseLines(fs.readFileSync(beside, 'utf8')))
    // eslint-disable-next-line no-control-regex
    assert.doesNotMatch(stdout, /[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
  }
})

test('members stand in the order in which Bunyan writes them', () => {
  const session = trace()
  runService('count.js', ['order', 1])
  session.end()
  const { records } = nftrace(['read', session.folder])
  assert.deepStrictEqual(Object.keys(records[0]), ['name', 'hostname', 'pid', 'level', 'number', 'filler', 'msg', 'time', 'v'])
})

test('several processes at once, and two sessions read together', async () => {
  const count = 200
  const sessions = [trace(LARGE), trace({ buffers: 'pid', ...LARGE })]
  await Promise.all(['a', 'b', 'c'].map(name => startService('count.js', [name, count, 5])))
  for (const session of sessions) session.end()
  const { status, records } = nftrace(['read', sessions[1].folder, sessions[0].folder])
  assert.strictEqual(status, 0)
  assert.strictEqual(records.length, 2 * 3 * count)
  for (const name of ['a', 'b', 'c']) {
    const numbers = records.filter(record => record.name === name).map(record => record.number)
    // Each record stands twice, once for each session, and never before an earlier one.
    assert.deepStrictEqual(numbers, Array.from({ length: 2 * count }, (_, i) => Math.floor(i / 2)))
  }
  const names = records.map(record => record.name).join('')
  assert.ok(new Set(names.match(/(.)(?!\1)./g)).size > 1, 'the processes ran at the same time')
})

test('the chunks of a rotated session, together and one by one', () => {
  const session = trace(LARGE)
  const beside = path.join(temporaryFolder(), 'beside')
  for (let chunk = 0; chunk < 3; chunk++) {
    runService('awkward.js', [beside])
    if (chunk < 2) lttng('rotate', session.name)
  }
  lttng('destroy', session.name) // not end(): this waits until the last chunk is where it belongs
  const expected = parseLines(fs.readFileSync(beside, 'utf8'))
  const whole = nftrace(['read', session.folder])
  assert.strictEqual(whole.stderr, '')
  assertSame(whole.records, expected)
  const archives = path.join(session.folder, 'archives')
  const chunks = fs.readdirSync(archives).sort()
  assert.strictEqual(chunks.length, 3)
  const parts = chunks.map(chunk => nftrace(['read', path.join(archives, chunk)]))
  for (const part of parts) assert.strictEqual(part.status, 0)
  assertSame(parts.flatMap(part => part.records), expected)
})

test('through a relay daemon on loopback', async () => {
  const folder = temporaryFolder()
  const relayd = await startRelayd(folder)
  try {
    lttng('create', 'relayed', '--set-url=net://127.0.0.1')
    lttng('enable-channel', '-u', '-s', 'relayed', '--subbuf-size=1M', '--num-subbuf=8', 'records')
    lttng('enable-event', '-u', '-s', 'relayed', '-c', 'records', 'bunyan:*')
    lttng('start', 'relayed')
    const beside = path.join(temporaryFolder(), 'beside')
    runService('awkward.js', [beside])
    lttng('destroy', 'relayed')
    const { status, records } = nftrace(['read', folder])
    assert.strictEqual(status, 0)
    assertSame(records, parseLines(fs.readFileSync(beside, 'utf8')))
  } finally {
    await relayd.end()
  }
})

test('snapshots, which overlap', () => {
  const folder = temporaryFolder()
  const session = trace({ create: ['--snapshot'] })
  const beside = path.join(temporaryFolder(), 'beside')
  for (let i = 0; i < 2; i++) {
    runService('awkward.js', [beside])
    lttng('snapshot', 'record', '-s', session.name, folder)
  }
  session.end()
  const expected = parseLines(fs.readFileSync(beside, 'utf8'))
  const [first, second] = fs.readdirSync(folder).sort().map(name => path.join(folder, name))
  assertSame(nftrace(['read', first]).records, expected.slice(0, expected.length / 2))
  assertSame(nftrace(['read', second]).records, expected)
})
