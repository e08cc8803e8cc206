'use strict'
// `nftrace record --kernel` and `--syscalls` where there is a kernel to record;
// `npm run box -- test` runs this in the box.

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { test } = require('node:test')

const MESSAGES = 20
const SERVICE = `
  const log = require('bunyan').createLogger({ name: 'service', streams: [require('nftrace')] })
  for (let i = 0; i < ${MESSAGES}; i++) {
    log.info({ i }, 'before')
    require('node:fs').readFileSync('/etc/hostname')
    log.info({ i }, 'after')
  }`

function run (program, args) {
  const { error, ...result } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28 })
  if (error !== undefined) throw error
  return result
}

/** Records the service; returns { status, stderr, place, events }, events by name. */
function record (...options) {
  const place = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'record-')), 'trace')
  const { status, stderr } = run('nftrace', ['record', ...options, '-o', place, '--', 'node', '-e', SERVICE])
  if (status !== 0) return { status, stderr, place }
  const { stdout } = run('babeltrace2', [place])
  const events = {}
  for (const [, name] of stdout.matchAll(/^\[.*?\] \(.*?\) \S+ (\S+): /gm)) events[name] = (events[name] || 0) + 1
  return { status, stderr, place, events }
}

function assertNoSession () {
  assert.match(run('lttng', ['list']).stdout, /no available recording session/)
}

test('a tracepoint that the kernel has not', () => {
  const { status, stderr } = record('--kernel', 'sched_switch,sched_swish')
  assert.strictEqual(stderr, 'nftrace: the kernel has no tracepoint "sched_swish"; "lttng list --kernel" shows those it has\n')
  assert.strictEqual(status, 1)
  assertNoSession()
})

test('a system call that the kernel has not', () => {
  const { status, stderr } = record('--syscalls', 'openat,opened*')
  assert.strictEqual(stderr, 'nftrace: the kernel has no system call "opened*"; "lttng list --kernel --syscall" shows those it has\n')
  assert.strictEqual(status, 1)
  assertNoSession()
})

test('no name at all', () => {
  const { status, stderr } = record('--kernel', '')
  assert.match(stderr, /^nftrace: the kernel has no tracepoint ""/)
  assert.strictEqual(status, 1)
})

test('system calls alone, with the context that ties them to records', () => {
  const { status, stderr, place, events } = record('--syscalls', 'openat')
  assert.strictEqual(status, 0, stderr)
  assert.deepStrictEqual(Object.keys(events).sort(), ['bunyan:info', 'syscall_entry_openat', 'syscall_exit_openat'])
  assert.strictEqual(events['bunyan:info'], 2 * MESSAGES)
  const merged = run('nftrace', ['read', '--all', '--context', place]).stdout.trim().split('\n').map(line => JSON.parse(line))
  const thread = merged.find(({ msg }) => msg === 'before').context.vtid
  const own = merged.filter(({ context }) => context.vtid === thread)
  const opened = own.findIndex(({ payload }) => payload && payload.filename === '/etc/hostname')
  assert.strictEqual(own[opened].context.procname, 'node')
  assert.match(stderr, new RegExp(`^nftrace: ${2 * MESSAGES} records in .*, 0 lost\nnftrace: ${merged.length - 2 * MESSAGES} other events; `))
})

test('patterns of tracepoints and system calls', () => {
  const { status, stderr, events } = record('--kernel', 'sched_*,net_dev_queue', '--syscalls', 'clo*,read')
  assert.strictEqual(status, 0, stderr)
  for (const name of ['sched_switch', 'sched_wakeup', 'syscall_entry_close', 'syscall_exit_read']) assert.ok(events[name] > 0, name)
  for (const name of Object.keys(events)) assert.match(name, /^(bunyan:info|sched_.*|net_dev_queue|syscall_(entry|exit)_(clo.*|read))$/)
})

test("the kernel's own names of tracepoints that LTTng calls otherwise", () => {
  const { status, stderr, events } = record('--kernel', 'hrtimer_start,netif_receive_skb')
  assert.strictEqual(status, 0, stderr)
  assert.match(stderr, /^nftrace: LTTng calls the tracepoint hrtimer_start timer_hrtimer_start\nnftrace: LTTng calls the tracepoint netif_receive_skb net_if_receive_skb\n/)
  assert.ok(events.timer_hrtimer_start > 0)
})

test('with --lossless, --level, --filter and --buffers', () => {
  const { status, stderr, events } = record('--kernel', 'sched_switch', '--lossless', '--level', 'info', '--filter', 'msg == "after"', '--buffers', '1Mx4')
  assert.strictEqual(status, 0, stderr)
  assert.strictEqual(events['bunyan:info'], MESSAGES)
  assert.ok(events.sched_switch > 0)
  assert.match(stderr, / 0 lost\n/)
})

test("the kernel's events that are lost are counted", () => {
  const { status, stderr, events } = record('--kernel', 'sched_*', '--syscalls', 'read,openat', '--buffers', '4kx2')
  assert.strictEqual(status, 0, stderr)
  const [, lost] = /(\d+) of the kernel's events were lost/.exec(stderr)
  assert.ok(Number(lost) > 0)
  assert.ok(events.syscall_entry_openat > 0)
})

test('as a user who may not', () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'home-'))
  fs.chownSync(home, 65534, 65534)
  const { status, stderr } = run('setpriv', ['--reuid', '65534', '--regid', '65534', '--clear-groups',
    'env', `HOME=${home}`, `XDG_RUNTIME_DIR=${home}`, 'nftrace', 'record', '--kernel', 'sched_switch', '--', 'true'])
  assert.match(stderr, /^nftrace: cannot record kernel events: .*as root or as a member of the group "tracing"\n$/)
  assert.strictEqual(status, 1)
})
