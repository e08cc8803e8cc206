'use strict'
// `nftrace read --around EXPR DURATION`: which events it prints around which
// records, and where it says that a thread's time went.

const assert = require('node:assert')
const path = require('node:path')
const { test } = require('node:test')

const { nftrace, run } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { KERNEL_EVENTS, writeMixed } = require('./support/ctf')

const KEPT = path.join(__dirname, 'data', 'kernel-user-trace')
const MIXED = path.join(__dirname, 'data', 'mixed-trace')

/**
 * A made trace: each line is time in µs, CPU, thread, event and its values.
 * vtids: what threads are called in their own namespace, if that is different.
 */
function make (text, { vtids = {}, ...options } = {}) {
  const events = text.trim().split('\n').map(line => {
    const [microseconds, cpu, tid, name, ...values] = line.trim().split(/ +/)
    const event = { time: BigInt(microseconds) * 1000n, cpu: Number(cpu), name, context: { tid: Number(tid), vtid: vtids[tid] ?? Number(tid), vpid: 100 } }
    if (name === 'switch') {
      const [state, next] = values
      return { ...event, name: 'sched_switch', payload: { prev_tid: tid, prev_state: state, next_tid: next } }
    }
    if (name === 'wakeup') return { ...event, name: 'sched_wakeup', payload: { tid: values[0] } }
    if (name === 'record') {
      return { ...event, payload: { level: 30, time: 1796028817000 + Math.floor(microseconds / 1000), name: 'shop', hostname: 'vm', pid: 100, msg: values[0], fields: values[1] || '{}' } }
    }
    return { ...event, name: name.replace('enter_', 'syscall_entry_').replace('leave_', 'syscall_exit_'), payload: {} }
  })
  return writeMixed(path.join(temporaryFolder(), 'made'), events, options)
}

function around (expression, duration, trace, ...options) {
  const { status, stderr, records } = nftrace(['read', '--around', expression, duration, ...options, ...[trace].flat()])
  // Short traces need not have all kinds of events.
  assert.match(stderr, /^(nftrace: (--around: no system calls were recorded|\d+ records read, 4 events lost).*\n)*$/)
  assert.strictEqual(status, 0)
  return records
}

const summaries = records => records.filter(record => record.since !== undefined)

/** Events as "µs name", the records by their msg. */
const brief = records => records.filter(record => record.since === undefined).map(record =>
  `${record.context ? Number(record.context.timestamp.slice(-10, -4)) : ''} ${record.msg}`.trim())

/**
 * The same figures by another way: from babeltrace2's text, by raw cycles.
 * Returns, for each record of a thread in turn, its figures in ns.
 */
function figuresByHand (trace, vtid) {
  const folders = run('find', [trace, '-name', 'metadata', '-printf', '%h\n']).trim().split('\n')
  const lines = folders.flatMap(folder => run('babeltrace2', ['--clock-cycles', folder]).trim().split('\n'))
  const number = (line, field) => {
    const found = new RegExp(`\\b${field} = (-?\\d+)`).exec(line)
    return found === null ? undefined : Number(found[1])
  }
  const events = lines.map(line => {
    const [, cycles, name] = /^\[(\d+)\] \(.*?\) \S+ ([^ ]+): \{/.exec(line)
    return { line, cycles: Number(cycles), name, tid: number(line, 'tid'), cpu: number(line, 'cpu_id') }
  }).sort((one, other) => one.cycles - other.cycles)
  const accounts = []
  let figures, begin, entry
  let state, since
  const to = (next, cycles) => {
    if (figures !== undefined) figures[state] += cycles - since
    state = next
    since = cycles
  }
  for (const { line, cycles, name } of events) {
    // The second pair of braces has the contexts.
    const own = Number(/[{ ]v?tid = (\d+)/.exec(line.split('}, {')[1] || '')?.[1])
    if (name === 'sched_switch') {
      if (number(line, 'prev_tid') === vtid) to((number(line, 'prev_state') & 0xff) === 0 ? 'waiting' : 'blocked', cycles)
      if (number(line, 'next_tid') === vtid) to('running', cycles)
    } else if (name === 'sched_wakeup' || name === 'sched_wakeup_new') {
      const woken = Number(/[{ ]tid = (\d+)/.exec(line.split('}, {').at(-1))[1])
      if (woken === vtid && state === 'blocked') to('waiting', cycles)
    } else if (own === vtid && /^(compat_)?syscall_entry_/.test(name)) {
      entry = { call: name.replace(/^(compat_)?syscall_entry_/, ''), cycles }
    } else if (own === vtid && /^(compat_)?syscall_exit/.test(name) && entry !== undefined) {
      if (figures !== undefined) {
        const call = figures.syscalls[entry.call] ??= { ns: 0, count: 0 }
        call.ns += cycles - entry.cycles
        call.count++
      }
      entry = undefined
    } else if (name.startsWith('bunyan:') && number(line, 'vtid') === vtid) {
      to('running', cycles)
      if (figures !== undefined) figures.ns = cycles - begin
      accounts.push({ msg: /msg = "((?:[^"\\]|\\.)*)"/.exec(line)[1], figures })
      begin = cycles
      figures = { ns: 0, running: 0, waiting: 0, blocked: 0, syscalls: {} }
    }
  }
  return accounts
}

/** Figures of a summary, as figuresByHand() has them. */
const figuresOf = ({ since }) => ({
  ns: since.ns, running: since.running_ns, waiting: since.waiting_ns, blocked: since.blocked_ns, syscalls: since.syscalls
})

const LIFE = `
  10 0 0 switch 0 100
  20 0 100 record first
  30 0 100 enter_epoll_wait
  40 0 100 switch 1 0
  45 1 7 irq_handler_entry
  50 0 0 irq_handler_entry
  60 1 7 wakeup 100
  65 1 7 switch 0 100
  70 1 100 leave_epoll_wait
  75 1 100 enter_write
  80 1 100 leave_write
  85 1 100 switch 256 8
  90 1 8 switch 1 100
  92 1 100 enter_write
  93 1 100 leave_write
  99 1 100 record second
  105 0 0 irq_handler_entry
  110 1 100 enter_futex
  150 1 100 leave_futex`

test('where the time went: running, waiting for a CPU, blocked, in system calls', () => {
  const [first, second, ...others] = summaries(around('msg ~ "d$|^f"', '1ms', make(LIFE)))
  assert.deepStrictEqual(others, [])
  assert.strictEqual(first.since.record, false)
  assert.deepStrictEqual(second, {
    name: 'nftrace',
    hostname: 'vm',
    pid: 100,
    level: 30,
    since: {
      vtid: 100,
      cpu_id: 1,
      record: true,
      ns: 79000,
      running_ns: 49000, // 20–40, 65–85, 90–99
      waiting_ns: 10000, // 60–65, 85–90
      blocked_ns: 20000, // 40–60
      unknown_ns: 0,
      syscalls: { epoll_wait: { ns: 40000, count: 1 }, write: { ns: 6000, count: 2 } }
    },
    msg: 'since the previous record 79.0 µs: ran 49.0 µs, waited for a CPU 10.0 µs, blocked 20.0 µs; epoll_wait 40.0 µs, write 6.0 µs ×2',
    time: '2026-11-30T08:53:37.000Z',
    v: 0
  })
})

test('the same as by hand from babeltrace2\'s text', () => {
  const trace = make(LIFE)
  const [first, second] = figuresByHand(trace, 100)
  assert.deepStrictEqual(first, { msg: 'first', figures: undefined })
  assert.deepStrictEqual({ msg: 'second', figures: figuresOf(summaries(around('msg == "second"', '1ms', trace))[0]) }, second)
})

test('the same as by hand, for every record of the trace that was recorded in the box', () => {
  const told = summaries(around('level', '0ns', MIXED))
  const threads = [...new Set(told.map(({ since }) => since.vtid))]
  for (const vtid of threads) {
    const byHand = figuresByHand(MIXED, vtid)
    const figures = told.filter(({ since }) => since.vtid === vtid).map(figuresOf)
    assert.strictEqual(figures.length, byHand.length)
    // The first goes by the thread's first event, not by a record.
    figures.slice(1).forEach((account, i) => assert.deepStrictEqual(account, byHand[i + 1].figures))
  }
  const sum = field => told.reduce((sum, { since }) => sum + (since.record ? since[field] : 0), 0)
  for (const field of ['running_ns', 'waiting_ns', 'blocked_ns']) assert.ok(sum(field) > 0, field)
  assert.strictEqual(sum('unknown_ns'), 0)
  assert.ok(told.some(({ since }) => since.record && since.syscalls.openat && since.syscalls.read))
})

test('the events of the same thread and CPU, so long before and after', () => {
  const trace = make(LIFE)
  const all = brief(nftrace(['read', '--all', '--context', trace]).records)
  assert.strictEqual(all.length, 19)
  const of = duration => brief(around('msg == "second"', duration, trace, '--context'))
  // On CPU 1; of the thread on CPU 0: 30, 40. Not: 50 and 105, other threads there.
  assert.deepStrictEqual(of('1ms'), all.filter(line => !/^(50|105) /.test(line)))
  assert.deepStrictEqual(of('39us'), all.filter(line => Number(line.split(' ')[0]) >= 60 && !/^105 /.test(line) && Number(line.split(' ')[0]) <= 138))
  assert.deepStrictEqual(of('7us'), ['92 syscall_entry_write', '93 syscall_exit_write', '99 second'])
  assert.deepStrictEqual(of('0ns'), ['99 second'])
  assert.deepStrictEqual(around('msg == "nonsense" || false || 1 == 2 || msg == "second"', '0.007ms', trace, '--context'), around('msg=="second"', '7µs', trace, '--context'))
})

test('windows that overlap print each event once, in order', () => {
  const trace = make(LIFE)
  const records = around('name == "shop"', '1s', trace, '--context')
  assert.strictEqual(summaries(records).length, 2)
  assert.deepStrictEqual(brief(records), brief(nftrace(['read', '--all', '--context', trace]).records))
  // The summary follows its record.
  assert.ok(records[records.findIndex(record => record.msg === 'second') + 1].since)
})

test('threads in containers have another number outside', () => {
  const trace = make(`
    10 0 0 switch 0 4100
    15 0 4100 enter_read
    20 0 4100 leave_read
    25 1 0 switch 0 17
    30 0 4100 record inside
    40 0 4100 switch 1 0
    50 1 17 switch 0 0
    70 1 0 wakeup 4100
    80 1 0 switch 0 4100
    85 1 4100 enter_read
    87 1 4100 leave_read
    90 1 4100 record again`, { vtids: { 4100: 17 }, kernel: { context: { tid: 'int32', vtid: 'int32' } } })
  const records = around('msg == "again"', '1ms', trace, '--context')
  const [{ since }] = summaries(records)
  assert.strictEqual(since.vtid, 17)
  assert.strictEqual(since.record, true)
  assert.deepStrictEqual(figuresOf({ since }), { ns: 60000, running: 20000, waiting: 10000, blocked: 30000, syscalls: { read: { ns: 2000, count: 1 } } })
  assert.deepStrictEqual(brief(records).map(line => line.split(' ')[0]), '10 15 20 25 30 40 50 70 80 85 87 90'.split(' '))
})

test('a gap is printed, however far from a chosen record it is', () => {
  const records = around('msg == "first"', '1us', make(LIFE, { kernel: { lost: { 0: 0, 1: 4 } } }))
  assert.deepStrictEqual(records.filter(({ lost }) => lost !== undefined).map(({ name, lost }) => [name, lost.events]), [['nftrace', 4]])
})

test('events that are missing: time unknown, and said', () => {
  const [lost] = summaries(around('msg == "second"', '1ms', make(LIFE, { kernel: { lost: { 0: 0, 1: 4 } } })))
  assert.strictEqual(lost.since.lost, true)
  assert.match(lost.msg, /; events of that time were lost$/)
  // Never seen to be switched in.
  const [gap] = summaries(around('msg == "second"', '1ms', make(LIFE.split('\n').filter(line => !/ (65|90) /.test(line)).join('\n'))))
  assert.strictEqual(gap.since.ns, 79000)
  assert.strictEqual(gap.since.running_ns + gap.since.waiting_ns + gap.since.blocked_ns + gap.since.unknown_ns, 79000)
  assert.ok(gap.since.unknown_ns > 0)
  assert.match(gap.msg, /, unknown /)
})

test('threads that have ended, and tids that are used again', () => {
  const trace = make(`
    10 0 0 switch 0 100
    20 0 100 record old
    30 0 100 switch 16 0
    40 0 0 wakeup 100
    50 0 0 switch 0 100
    60 0 100 record new`)
  const [account] = summaries(around('msg == "new"', '1ms', trace))
  assert.strictEqual(account.since.record, false)
  assert.strictEqual(account.since.ns, 20000)
  assert.match(account.msg, /^since the thread's first event 20.0 µs: ran 10.0 µs, waited for a CPU 10.0 µs/)
})

test('threads of the same number on other hosts are others', () => {
  const [one, two] = ['one', 'two'].map((hostname, i) => make(LIFE.replaceAll('second', `second-${i}`), {
    kernel: { hostname, uuid: `1${i}`.repeat(16) }, user: { hostname, uuid: `2${i}`.repeat(16) }
  }))
  const both = around('msg == "second-1"', '1ms', [one, two])
  assert.deepStrictEqual(both, around('msg == "second-1"', '1ms', two))
  assert.ok(both.length > 10)
  assert.ok(both.every(record => record.name === 'shop' || record.hostname === 'two'))
})

test('--level, --name, --begin and --end choose records, not what is around them', () => {
  const trace = make(LIFE)
  const whole = around('msg', '1s', trace)
  assert.deepStrictEqual(around('msg', '1s', trace, '--name', 'sh*', '--level', 'info', '--begin', '2026-11-30', '--end', '2026-12-01'), whole)
  for (const options of [['--level', 'warn'], ['--name', 'other'], ['--begin', '2026-12-01'], ['--end', '2026-11-29']]) {
    const { status, stdout, stderr } = nftrace(['read', '--around', 'msg', '1s', ...options, trace])
    assert.strictEqual(status, 0)
    assert.strictEqual(stdout, '')
    assert.strictEqual(stderr, 'nftrace: --around: no record matches\n')
  }
})

test('expressions', () => {
  const fields = { req: { url: '/pay/1', 'content-type': 'json', list: [1, { deep: 'x' }], big: '9007199254740993' }, ok: true, no: false, nothing: null, n: -2.5, huge: 0, empty: '', 'a.b': 'dot', quote: 'say "hi"', star: 'a*b' }
  const json = JSON.stringify(fields).replace('"huge":0', '"huge":9007199254740993')
  const trace = make(LIFE.replace('record second', `record second ${json.replaceAll(' ', '\\u0020')}`))
  const cases = {
    true: [
      'msg == "second"', "msg == 'second'", 'msg == "sec*"', 'msg != "first"', 'msg ~ "^se[ck]o+nd$"', 'req.url ~ "/pay*"', 'req.url == "/pay/*"',
      'req["content-type"] == "json"', 'req.list[0] == 1', 'req.list[1].deep == "x"', 'req["list"][1]["deep"] ~ "x"', 'ok', 'ok == true', '!no', 'no == false', 'nothing == null', '!nothing',
      'n == -2.5', 'n < 0', 'n <= -2.5', 'n >= -3', 'n > -3', 'huge == 9007199254740993', 'huge != 9007199254740992', 'huge > 9007199254740992', 'level == 0x1e', 'level >= 3e1',
      '!empty', 'empty == ""', 'req', 'req.list', '!absent', 'absent != 1', '!(absent == 1)', '!(absent < 1)', 'msg != 1', '!(msg == 1)', 'msg > "sa"', 'msg < "sf"', '"sec*" == msg',
      'ok && !no && (level > 100 || level < 100)', 'no || ok', '!no||no', 'no && no || ok', 'quote == "say \\"hi\\""', 'quote == \'say "hi"\'', 'star == "a\\*b"', 'req.url ~ "^/pay/[0-9]+$"',
      'time >= "2026-11-30"', 'name == name', 'msg != name', '1', '"x"', 'msg =~ "second"', 'context.vtid == 100', 'context.cpu_id == 1', '!!!!no == false || ok'
    ],
    false: ['no', 'nothing', 'empty', 'absent', 'absent == 1', 'absent < 1', 'absent ~ "x"', 'n ~ "2"', 'msg == "secon"', 'msg == "*x"', 'star == "a\\*c"', 'msg ~ "^ec"', 'ok && no', 'ok == 1', 'req == req', 'req.url.more', 'req.list[2]', 'req.list.x', 'huge == 9007199254740992', '0', '""', 'false', 'null', '"a.b" == "x"', 'a.b == "dot"']
  }
  for (const [expected, expressions] of Object.entries(cases)) {
    for (const expression of expressions) {
      const { status, stdout, stderr } = nftrace(['read', '--context', '--around', `(${expression}) && msg == "second"`, '0us', trace])
      assert.strictEqual(status, 0, `${expression}: ${stderr}`)
      assert.strictEqual(String(stdout !== ''), expected, expression)
    }
  }
})

test('expressions that are wrong: where, and what', () => {
  for (const [expression, column, message] of [
    ['', 1, /a member, a number or a string in quotes is missing/], ['msg = "x"', 5, /equality is ==/], ['msg == ', 8, /is missing/], ['msg == "x', 8, /this string has no end: a " is missing/],
    ['(msg', 5, /a \) is missing/], ['msg)', 4, /an operator is missing/], ['a & b', 3, /and is &&/], ['a b', 3, /an operator is missing/], ['a. b', 3, /the name of a member is missing/], ['a[x]', 3, /an index, or a name in quotes, is missing/],
    ['a[1', 4, /a \] is missing/], ['msg ~ "("', 7, /not a regular expression: .*[Uu]nmatched/], ['msg ~ 5', 7, /a string in quotes/], ['12ab', 1, /not a number/], ['ä == "ö" &&& b', 12, /is missing/],
    ['!'.repeat(1000) + 'a', 201, /nested too deep/], [Array(5000).fill('a').join('||'), undefined, /more than can be taken/], ['a' + '.a'.repeat(20), 33, /cannot be deeper than 16/]
  ]) {
    const { status, stdout, stderr } = nftrace(['read', '--around', expression, '1ms', KEPT])
    assert.strictEqual(status, 2, expression)
    assert.strictEqual(stdout, '')
    assert.match(stderr, message, expression)
    if (column !== undefined) assert.match(stderr, new RegExp(`at column ${column}:`), stderr)
    const [, text, caret] = stderr.split('\n')
    if (column !== undefined) assert.strictEqual([...caret].length, 2 + column, text)
  }
})

test('durations', () => {
  const trace = make(LIFE)
  for (const duration of ['5', '', 'ms', '-5ms', '5 ms', '5msx', '0x5ms', '25000m', 'nan', trace]) {
    const { status, stderr } = nftrace(['read', '--around', 'msg', duration, trace])
    assert.strictEqual(status, 2, duration)
    assert.match(stderr, /is not a duration; after the expression give one such as 5ms, 200us or 1s/)
  }
  const expected = around('msg', '1s', trace)
  for (const duration of ['1000ms', '1000000us', '1000000µs', '1000000000ns', '0.5m', '1e0s', '1440m']) assert.deepStrictEqual(around('msg', duration, trace), expected)
  for (const args of [['--around'], ['--around', 'msg'], ['--around=msg']]) {
    const { status, stderr } = nftrace(['read', ...args])
    assert.strictEqual(status, 2)
    assert.match(stderr, /--around takes an expression and a duration/)
  }
  assert.deepStrictEqual(nftrace(['read', trace, '--around=msg', '1s']).records, expected)
})

test('traces that lack what it takes: what to record', () => {
  const refused = (trace, message) => {
    const { status, stdout, stderr } = nftrace(['read', '--around', 'msg', '1ms', trace])
    assert.strictEqual(status, 1)
    assert.strictEqual(stdout, '')
    assert.match(stderr, message)
    assert.match(stderr, /nftrace record --kernel sched_switch,sched_wakeup --syscalls '\*'/)
    assert.strictEqual(stderr.trim().split('\n').length, 1)
  }
  const records = LIFE.split('\n').filter(line => line.includes('record')).join('\n')
  refused(make(records), /no kernel events in this trace/)
  refused(make(LIFE, { user: { context: { vpid: 'int32' } } }), /don't tell which thread made them/)
  const { sched_wakeup, irq_handler_entry } = KERNEL_EVENTS // eslint-disable-line camelcase
  const irqs = LIFE.split('\n').filter(line => /record|irq/.test(line)).join('\n')
  refused(make(irqs, { kernel: { context: { pid: 'int32' }, types: { irq_handler_entry } } }), /don't tell of which thread they are/) // eslint-disable-line camelcase

  const told = (trace, message) => {
    const { status, stdout, stderr } = nftrace(['read', '--around', 'msg == "second"', '1ms', trace])
    assert.strictEqual(status, 0)
    assert.match(stderr, message)
    return summaries(stdout.split('\n').filter(Boolean).map(line => JSON.parse(line)))[0].since
  }
  const without = told(make(irqs, { kernel: { types: { irq_handler_entry, sched_wakeup } } }), /without the kernel's sched_switch, no time running or blocked/) // eslint-disable-line camelcase
  assert.strictEqual(without.unknown_ns, 79000)
  const { sched_switch } = KERNEL_EVENTS // eslint-disable-line camelcase
  const switches = LIFE.split('\n').filter(line => /record|switch/.test(line)).join('\n')
  assert.strictEqual(told(make(switches, { kernel: { types: { sched_switch } } }), /without the kernel's sched_wakeup, time waiting for a CPU counts as blocked/).blocked_ns, 25000) // eslint-disable-line camelcase
  const none = nftrace(['read', '--around', 'msg', '1ms', KEPT])
  assert.strictEqual(none.status, 0)
  assert.match(none.stderr, /no record matches: there are no Bunyan records in this trace/)
})

test('the window is bounded, and it is said what went', () => {
  const lines = ['1 0 0 switch 0 100']
  for (let i = 2; i < 150000; i++) lines.push(`${i} 0 0 irq_handler_entry`)
  lines.push('200000 0 100 record last')
  const { status, stderr, records } = nftrace(['read', '--around', 'msg == "last"', '1s', make(lines.join('\n'))])
  assert.strictEqual(status, 0)
  const [, count] = /(\d+) events went before it was known whether they are wanted, to stay below 32 MiB; .*give a shorter duration/.exec(stderr)
  assert.ok(count > 10000)
  assert.strictEqual(records.length, 150000 + 1 - count)
})
