'use strict'
// Threads and processes: workers, clusters, spawned and forked children.

require('./support/isolate')()

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const test = require('node:test')

const { recordOf, trace } = require('./support/lttng')

function runQuietly (service, env = {}) {
  const result = spawnSync(process.execPath, [path.join(__dirname, 'services', service)],
    { encoding: 'utf8', env: { ...process.env, ...env } })
  assert.deepStrictEqual([result.status, result.signal, result.stderr], [0, null, ''])
  return result.stdout
}

test('8 workers terminated mid-log: nothing lost, in order, and the addon serves a ninth', () => {
  // They log faster than a disk takes it, so the buffers must make them wait.
  const session = trace({ subbuf: '4M', contexts: ['vtid'], blocking: true })
  const counts = JSON.parse(runQuietly('threads.js', { LTTNG_UST_ALLOW_BLOCKING: '1' }))
  const events = session.finish()
  counts.forEach((count, index) => {
    const mine = events.filter(event => event.payload.name === `thread-${index}`)
    assert.ok(count >= (index === 8 ? 1 : 500), `thread ${index}: ${count}`)
    assert.deepStrictEqual(mine.slice(0, count).map(event => recordOf(event).i), Array.from({ length: count }, (_, i) => i + 1))
    assert.strictEqual(new Set(mine.map(event => event.context.vtid)).size, 1)
  })
})

test('a cluster of 4: each worker records as itself', () => {
  const session = trace({ contexts: ['vpid'] })
  runQuietly('cluster.js')
  const events = session.finish()
  const workers = events.filter(event => event.payload.msg === 'worker')
  assert.strictEqual(events.length, 401)
  assert.strictEqual(new Set(workers.map(event => event.payload.pid)).size, 4)
  for (const { context, payload } of events) assert.strictEqual(context.vpid, payload.pid)
})

test('spawned and forked children record, and inherit nothing from us', () => {
  const session = trace()
  runQuietly('family.js', { LTTNG_UST_REGISTER_TIMEOUT: undefined }) // that of the tests
  const records = session.finish().map(recordOf)
  assert.deepStrictEqual(records.map(record => record.msg), ['parent', 'after a shell', 'spawned', 'forked', 'parent again'])
  assert.strictEqual(records[1].inherited, '0')
  assert.strictEqual(new Set(records.map(record => record.pid)).size, 3)
})
