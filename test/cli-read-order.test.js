'use strict'
// Kernel and userspace events of one host stand in the order in which they
// happened, though each trace has measured the epoch for itself.

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')

const { nftrace, run } = require('./support/command')
const { temporaryFolder } = require('./support/folder')

const TRACE = path.join(__dirname, 'data', 'kernel-user-trace')
const MIXED = path.join(__dirname, 'data', 'mixed-trace')
const KERNEL = path.join(TRACE, 'kernel')
const USER = path.join(TRACE, 'ust', 'uid', '0', '64-bit')
// In the metadata; the trace was made so.
const KERNEL_OFFSET = 1796028817813879901n
const USER_OFFSET = 1796028817813883151n

/** A trace's events by the clock's cycles, which babeltrace2 prints alone: { cycles, msg, text }. */
function eventsByCycles (folder) {
  return run('babeltrace2', ['--clock-cycles', folder]).trim().split('\n').map(line => {
    const [, cycles, msg, text] = /^\[(\d+)\] \(.*?\) \w+ ([^ ]+): (.*)/.exec(line)
    return { cycles: BigInt(cycles), msg, text }
  })
}

/** The time of a record's event, ns since the epoch. */
function nanoseconds ({ context: { timestamp } }) {
  const [, second, fraction] = /(.*)\.(\d{9})Z/.exec(timestamp)
  return BigInt(Date.parse(second + 'Z')) * 1000000n + BigInt(fraction)
}

/** Which of the 20 spans have their openat between their begin and their end. */
function rightSpans (events) {
  const right = new Set()
  let span
  for (const { msg, id, phase, filename } of events) {
    if (msg === 'hello:request') span = phase === 'begin' ? id : undefined
    if (msg === 'syscall_entry_openat' && filename === '/etc/os-release' && span !== undefined) right.add(span)
  }
  return right.size
}

const byCycles = (one, other) => one.cycles < other.cycles ? -1 : one.cycles > other.cycles ? 1 : 0
const truth = [...eventsByCycles(KERNEL), ...eventsByCycles(USER)].sort(byCycles)

function read (...paths) {
  const { status, stderr, records } = nftrace(['read', '--all', ...paths])
  assert.strictEqual(stderr, '')
  assert.strictEqual(status, 0)
  return records
}

/** A copy of the userspace trace, with its metadata changed. */
function changed (change) {
  const copy = path.join(temporaryFolder(), 'changed')
  fs.cpSync(USER, copy, { recursive: true })
  // The packets' headers stay valid as long as no length changes.
  const metadata = fs.readFileSync(path.join(copy, 'metadata'), 'latin1')
  const other = change(metadata)
  assert.strictEqual(other.length, metadata.length)
  assert.notStrictEqual(other, metadata)
  fs.writeFileSync(path.join(copy, 'metadata'), other, 'latin1')
  return copy
}

const fieldsOf = records => records.map(({ msg, payload }) => ({ msg, ...payload }))

test('all events are in the order of the clock they share', () => {
  const records = read(TRACE)
  assert.deepStrictEqual(records.map(record => record.msg), truth.map(event => event.msg))
  records.forEach((record, i) => assert.strictEqual(nanoseconds(record), truth[i].cycles + KERNEL_OFFSET))
  assert.strictEqual(rightSpans(fieldsOf(records)), 20)
})

test('the traces\' own epochs would turn round more than half of the spans', () => {
  const own = run('babeltrace2', [TRACE]).trim().split('\n').map(line => ({
    msg: / vm ([^ ]+): \{/.exec(line)[1],
    id: Number(/ id = (\d+)/.exec(line)?.[1]),
    phase: / phase = "(\w+)"/.exec(line)?.[1],
    filename: / filename = "([^"]*)"/.exec(line)?.[1]
  }))
  assert.strictEqual(rightSpans(own), 7)
})

test('whatever order the traces are given in', () => {
  const records = read(TRACE)
  assert.deepStrictEqual(read(USER, KERNEL), records)
  assert.deepStrictEqual(read(KERNEL, USER), records)
})

test('without the kernel\'s it is the least epoch', () => {
  const later = changed(text => text.replace(String(USER_OFFSET), String(USER_OFFSET + 5000n))
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}(?=";\s+byte_order)/, '00000000-0000-4000-8000-000000000000'))
  for (const file of fs.readdirSync(later)) {
    if (!file.startsWith('channel')) continue
    const bytes = fs.readFileSync(path.join(later, file))
    for (let at = bytes.indexOf('c11ffcc1', 'hex'); at >= 0; at = bytes.indexOf('c11ffcc1', at + 4, 'hex')) {
      Buffer.from('00000000000040008000000000000000', 'hex').copy(bytes, at + 4)
    }
    fs.writeFileSync(path.join(later, file), bytes)
  }
  const records = read(later, USER)
  assert.strictEqual(records.length, 80)
  const user = eventsByCycles(USER)
  records.forEach((record, i) => assert.strictEqual(nanoseconds(record), user[i >> 1].cycles + USER_OFFSET))
  // Alone it has its own.
  assert.strictEqual(nanoseconds(read(later)[0]), user[0].cycles + USER_OFFSET + 5000n)
})

test('another boot and another host keep their own epoch', () => {
  for (const [what, by] of [['005e5c61-b93d-444d', '105e5c61-b93d-444d'], ['hostname = "vm"', 'hostname = "wm"']]) {
    const other = read(KERNEL, changed(text => text.replace(what, by)))
    const hello = other.filter(record => record.msg === 'hello:request')
    const user = eventsByCycles(USER)
    assert.strictEqual(hello.length, 40)
    hello.forEach((record, i) => assert.strictEqual(nanoseconds(record), user[i].cycles + USER_OFFSET))
  }
})

test('--begin and --end go by that epoch', () => {
  const records = read(TRACE)
  const { time } = records.find(record => record.msg === 'hello:request')
  const later = changed(text => text.replace(String(USER_OFFSET), String(USER_OFFSET + 2000000n)))
  assert.deepStrictEqual(read('--begin', time, '--end', time, KERNEL, later), records.filter(record => record.time === time))
})

test('records among the kernel\'s events, in the trace from the box', () => {
  const parts = ['kernel', 'ust'].map(part => eventsByCycles(path.join(MIXED, part)))
  const inOrder = parts.flat().sort(byCycles).map(({ msg }) => msg.startsWith('bunyan:') ? 'record' : msg)
  const records = read(MIXED)
  assert.deepStrictEqual(records.map(record => record.name === 'kernel' ? record.msg : 'record'), inOrder)
  assert.ok(inOrder.filter(msg => msg === 'record').length > 100)
})
