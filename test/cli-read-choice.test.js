'use strict'
// Which records `nftrace read` prints: --level, --name, --begin, --end, --all,
// --context; what it takes for one, and what it makes of foreign `fields`.

require('./support/isolate')()

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { test } = require('node:test')

const { BUILD, nftrace, NFTRACE, run, runService } = require('./support/command')
const { trace } = require('./support/lttng')

const KERNEL = path.join(__dirname, 'data', 'kernel-user-trace')

/** The records that a foreign writer's `fields`, and its other strings, make. */
function foreign (fields, ...others) {
  const session = trace()
  run(path.join(BUILD, 'test', 'c', 'fire-fields'), ['1', fields, ...others])
  session.end()
  const result = nftrace(['read', session.folder])
  assert.strictEqual(result.status, 0)
  // eslint-disable-next-line no-control-regex
  assert.doesNotMatch(result.stdout, /[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
  assert.strictEqual(result.records.length, 1)
  return result.records[0]
}

const session = trace({ contexts: ['vpid', 'procname'] })
const names = ['shop', 'shop-two', "it's \"quoted\"", 'star*', 'a[1]', '$(reboot); `id`', 'back\\slash']
for (const name of names) runService('count.js', [name, 12])
session.end()
const read = (...options) => nftrace(['read', ...options, session.folder])
const all = read().records

test('--level: names in either case, numbers', () => {
  for (const [level, lowest] of [['trace', 10], ['debug', 20], ['INFO', 30], ['warn', 40], ['error', 50], ['Fatal', 60], ['35', 40], ['-1', 10]]) {
    assert.deepStrictEqual(read('--level', level).records, all.filter(record => record.level >= lowest), level)
  }
  for (const level of ['', 'loud', '30x', '99999999999']) {
    const { status, stderr, stdout } = read('--level', level)
    assert.strictEqual(status, 2)
    assert.match(stderr, /--level .*: give trace, debug/)
    assert.strictEqual(stdout, '')
  }
})

test('--name: only the star is special', () => {
  for (const [glob, matches] of [
    ['shop', ['shop']], ['shop*', ['shop', 'shop-two']], ['*o*', ['shop', 'shop-two', "it's \"quoted\"", '$(reboot); `id`']],
    ['*', names], ['star\\*', ['star*']], ['a[1]', ['a[1]']], ['?hop', []], ['$(reboot); `id`', ['$(reboot); `id`']],
    ["it's \"quoted\"", ["it's \"quoted\""]], ['back\\\\slash', ['back\\slash']], ['', []], ['s**p', ['shop']]
  ]) {
    const found = [...new Set(read('--name', glob).records.map(record => record.name))]
    assert.deepStrictEqual(found.sort(), [...matches].sort(), glob)
  }
})

test('--begin and --end: the records\' own time, both ends included', () => {
  const begin = all[20].time
  const end = all[60].time
  const expected = all.filter(record => record.time >= begin && record.time <= end)
  assert.ok(expected.length < all.length)
  const local = new Date(begin).toLocaleString('sv') + '.' + begin.slice(20, 23)
  for (const form of [begin, begin.replace('Z', '+00:00'), '@' + Date.parse(begin) / 1000, local, local.slice(11)]) {
    assert.deepStrictEqual(read('--begin', form, '--end', end).records, expected, form)
  }
  assert.deepStrictEqual(read('--end', begin.slice(0, 10)).records.length, 0)
  for (const time of ['', 'noon', '2026-13-40', '12:00:00x', '@x']) {
    const { status, stderr } = read('--begin', time)
    assert.strictEqual(status, 2, time)
    assert.match(stderr, /not a time/)
  }
})

test('--context: event, exact time, CPU, process', () => {
  const { records } = read('--context')
  assert.strictEqual(records.length, all.length)
  records.forEach(({ context, ...record }, i) => {
    assert.deepStrictEqual(record, all[i])
    assert.match(context.event, /^bunyan:(trace|debug|info|warn|error|fatal)$/)
    assert.match(context.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/)
    assert.strictEqual(context.vpid, record.pid)
    assert.strictEqual(context.procname, 'node')
    assert.strictEqual(typeof context.cpu_id, 'number')
  })
})

test('kernel and other userspace events, as babeltrace2 shows them', () => {
  const none = nftrace(['read', KERNEL])
  assert.strictEqual(none.status, 0)
  assert.strictEqual(none.stdout, '')
  assert.match(none.stderr, /no Bunyan records among 8385 events; --all prints these/)
  const { status, records } = nftrace(['read', '--all', KERNEL])
  assert.strictEqual(status, 0)
  assert.strictEqual(records.length, 8385)
  // Its own order is by epochs that differ; see cli-read-order.test.js.
  const lines = run('babeltrace2', ['--clock-cycles', KERNEL]).trim().split('\n').sort()
  assert.deepStrictEqual(records.map(record => record.msg), lines.map(line => / vm ([^ ]+): \{/.exec(line)[1]))
  const tids = lines.map(line => / tid = (\d+)/.exec(line)).map(match => match && Number(match[1]))
  records.forEach((record, i) => {
    if (record.msg === 'sched_wakeup') assert.strictEqual(record.payload.tid, tids[i])
  })
  const kernel = records.find(record => record.msg === 'sched_switch')
  assert.strictEqual(kernel.name, 'kernel')
  assert.strictEqual(kernel.hostname, 'vm')
  assert.strictEqual(kernel.level, 10)
  assert.strictEqual(kernel.pid, kernel.context.pid)
  assert.ok('prev_comm' in kernel.payload)
  assert.strictEqual(records.find(record => record.msg === 'hello:request').name, 'hello')
  // They stand among Bunyan's, whatever these are chosen by.
  const merged = nftrace(['read', '--all', '--level', 'fatal', '--name', 'shop', KERNEL, session.folder]).records
  assert.strictEqual(merged.length, 8385 + 2)
  assert.deepStrictEqual(merged.slice(0, 8385), records)
})

test('foreign `fields`: kept as text when it isn\'t a JSON object', () => {
  for (const text of ['not json', '', '[1]', '"text"', '{', '{"a":}', '{"a":1,}', '{"a":1}x', '{"a":01}', '{"a":1e}', '{a:1}', '{"a":"\n"}', '{"a":"\\x"}', '{"a":tru}', '{"a":[}', '{"a":{]}', '\x1b[2J', '\x9b2J']) {
    const record = foreign(text)
    assert.strictEqual(record.nftrace_fields, text === '' ? '' : text, JSON.stringify(text))
    assert.strictEqual(record.msg, 'message')
  }
})

test('foreign `fields`: any JSON object, and it wins', () => {
  const record = foreign(' { "a" : [ 1 , { } , [ ] ] ,\n"ms\\u0067" :\t"mine", "name":{"x": 1}, "pid":null,"level" : 1.0,"b":"\x7f\x9b" ,"msg":"last"} ')
  assert.deepStrictEqual(record, { name: { x: 1 }, hostname: 'host', pid: null, level: 1, a: [1, {}, []], b: '\x7f\x9b', msg: 'last', time: record.time, v: 0 })
  assert.deepStrictEqual(foreign('{}').nftrace_fields, undefined)
  const deep = foreign('{"a":' + '['.repeat(30000) + ']'.repeat(30000) + '}')
  assert.strictEqual(typeof deep.a, 'object')
})

test('bytes that aren\'t UTF-8 don\'t get through', () => {
  const session = trace()
  // A shell passes on any bytes.
  run('sh', ['-c', `exec ${path.join(BUILD, 'test', 'c', 'fire-fields')} 1 '{}' "$(printf 'a\\377\\300\\200\\355\\240\\200z')"`])
  session.end()
  const { records } = nftrace(['read', session.folder])
  assert.strictEqual(records[0].msg, 'a' + '\ufffd'.repeat(6) + 'z')
})

test('a reader that goes away, and one that is interrupted', () => {
  const head = spawnSync('bash', ['-c', `${NFTRACE} read ${session.folder} | head -1; echo "\${PIPESTATUS[0]}"`], { encoding: 'utf8' })
  const [line, status] = head.stdout.trim().split('\n')
  assert.deepStrictEqual(JSON.parse(line), all[0])
  assert.strictEqual(status, '0')
  assert.strictEqual(head.stderr, '')
  const full = spawnSync('sh', ['-c', `${NFTRACE} read ${session.folder} > /dev/full`], { encoding: 'utf8' })
  assert.strictEqual(full.status, 1)
  assert.match(full.stderr, /cannot write: No space left on device/)
})
