'use strict'
// A trace of a service and the kernel, recorded in the box: `nftrace read --all`
// shows both, whole and in order, on machines without the kernel's modules, too.

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { before, test } = require('node:test')

const { nftrace } = require('./support/command')

const TRACE = path.join(__dirname, 'data', 'mixed-trace')
const ORDERS = 25

let merged
let decoded

before(() => {
  const { status, stdout, stderr } = nftrace(['read', '--all', '--context', TRACE])
  assert.strictEqual(stderr, '')
  assert.strictEqual(status, 0)
  merged = stdout.trimEnd().split('\n').map(line => JSON.parse(line))
  decoded = spawnSync('babeltrace2', ['--no-delta', TRACE], { encoding: 'utf8', maxBuffer: 1 << 28 })
    .stdout.trimEnd().split('\n').map(line => /^\[.*?\] box (\S+): /.exec(line)[1])
})

function count (names) {
  const counts = {}
  for (const name of names) counts[name] = (counts[name] || 0) + 1
  return counts
}

test('every event that babeltrace2 decodes, of both domains', () => {
  const counts = count(decoded)
  for (const name of ['bunyan:info', 'bunyan:debug', 'sched_switch', 'sched_wakeup', 'net_dev_queue', 'block_rq_issue', 'syscall_entry_openat']) {
    assert.ok(counts[name] > 0, name)
  }
  assert.deepStrictEqual(count(merged.map(({ context }) => context.event)), counts)
})

test('in order of time', () => {
  const times = merged.map(({ context }) => context.timestamp)
  assert.deepStrictEqual(times, [...times].sort())
})

test("each order's opening of its ledger stands between the records before and after it, of the same thread", () => {
  const thread = merged.find(({ msg }) => msg === 'order came in').context.vtid
  const own = merged.filter(({ context }) => context.vtid === thread)
  const shown = own.flatMap(({ msg, order, payload }) => {
    if (msg === 'priced' || msg === 'entered in the ledger') return [`${order} ${msg}`]
    const entry = msg === 'syscall_entry_openat' && /\/(\d+)\.txt$/.exec(payload.filename)
    return entry ? [`${entry[1]} opened`] : []
  })
  const orders = Array.from({ length: ORDERS }, (_, i) => i + 1)
  assert.deepStrictEqual(shown, orders.flatMap(order => [`${order} priced`, `${order} opened`, `${order} entered in the ledger`]))
})

test("the kernel's events name the task, its CPU and what it did", () => {
  const { name, level, payload, context } = merged.find(({ msg, context }) => msg === 'sched_switch' && context.procname === 'node')
  assert.strictEqual(name, 'kernel')
  assert.strictEqual(level, 10)
  assert.strictEqual(payload.prev_comm, 'node')
  assert.strictEqual(payload.prev_tid, context.vtid)
  assert.ok(context.cpu_id === 0 || context.cpu_id === 1)
})

test('without --all the log alone', () => {
  const { status, stdout } = nftrace(['read', TRACE])
  assert.strictEqual(status, 0)
  const names = stdout.trimEnd().split('\n').map(line => JSON.parse(line).name)
  assert.deepStrictEqual(count(names), { kiosk: 107, pipe: 40 })
})
