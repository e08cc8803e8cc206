'use strict'
// nftrace snapshot: a flight recorder in memory, saved on demand and on fatal records.

require('./support/isolate')()

const assert = require('node:assert')
const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const { isRunning, logging, nftrace, ROOT, run } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { until } = require('./support/until')
const { lttng, readTrace } = require('./support/lttng')
const { NEIGHBOUR, skip } = require('./support/neighbour')

/** Runs code in a service that logs. */
function runCode (code) {
  const [program, ...args] = logging(code)
  return spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' })
}

function snapshot (...args) {
  const result = nftrace(['snapshot', ...args])
  assert.strictEqual(result.status, 0, result.stderr)
  return result
}

function saved (...args) {
  return snapshot('save', ...args).stdout.trim()
}

function watchers () {
  return spawnSync('lttng', ['list-triggers'], { encoding: 'utf8' }).stdout.match(/on fatal \d+/g) || []
}

test('saves what is in memory, also of a process that was killed', () => {
  snapshot('start')
  runCode("log.info('one'); log.debug('two'); process.kill(process.pid, 'SIGKILL')")
  const first = saved()
  assert.match(first, /\/lttng-traces\/nftrace-snapshot-\d{8}-\d{6}-\d+\/snapshot-1-\d{8}-\d{6}-0$/)
  assert.deepStrictEqual(readTrace(first).map(({ payload }) => payload.msg), ['one', 'two'])
  runCode("log.info('three')")
  assert.strictEqual(snapshot('save').stderr, 'nftrace: 3 records saved\n')
  assert.deepStrictEqual(readTrace(saved()).map(({ payload }) => payload.msg), ['one', 'two', 'three'])
  snapshot('stop')
  assert.doesNotMatch(spawnSync('lttng', ['list'], { encoding: 'utf8' }).stdout, /nftrace-snapshot/)
})

test('full buffers lose the oldest, not the newest', () => {
  snapshot('start', '--buffers', '16kx4')
  runCode('for (let n = 0; n < 20000; n++) log.info({ n }, "hi")')
  const numbers = readTrace(saved()).map(({ payload }) => JSON.parse(payload.fields).n)
  // Of a CPU that the process left early, the first ones stay.
  assert.ok(numbers.length > 100 && numbers.length < 10000, String(numbers.length))
  assert.deepStrictEqual(numbers.slice(-100), Array.from({ length: 100 }, (_, i) => 19900 + i))
  snapshot('stop')
})

test('--level, --name, --filter and --output choose', () => {
  const folder = path.join(temporaryFolder(), 'here')
  snapshot('start', '-l', 'warn', '-n', 'sh*', '-f', 'msg != "no"', '-o', folder, '-s', 'mine')
  runCode("log.info('low'); log.warn('no'); log.warn('yes'); bunyan.createLogger({ name: 'other', streams: [nftrace] }).warn('other')")
  const snap = saved('--session', 'mine')
  assert.strictEqual(path.dirname(snap), folder)
  assert.deepStrictEqual(readTrace(snap).map(({ payload }) => payload.msg), ['yes'])
  snapshot('stop', '-s', 'mine')
})

// Preloaded: sleep() writes its seconds to the file SLEPT and lasts until there is
// the file GO, so that no test waits for a minute, or for less than one; or until the
// folder of both is removed, so that none outlives a test that failed.
const SLEEP = `
  #include <stdio.h>
  #include <stdlib.h>
  #include <unistd.h>
  unsigned int sleep (unsigned int seconds) {
    FILE *file = fopen(getenv("SLEPT"), "a");
    if (file) {
      (void)fprintf(file, "%u ", seconds);
      (void)fclose(file);
    }
    while (access(getenv("GO"), F_OK) && !access(getenv("SLEPT"), F_OK)) (void)usleep(1000);
    return 0;
  }`

/** Starts a recorder whose watcher sleeps as above: { snapshots(), count(), slept(), go() }. */
function startWatched (...options) {
  const place = temporaryFolder()
  const [library, SLEPT, GO, folder] = ['sleep.so', 'slept', 'go', 'fatal'].map(name => path.join(place, name))
  run('cc', ['-shared', '-fPIC', '-x', 'c', '-o', library, '-'], { input: SLEEP })
  fs.writeFileSync(SLEPT, '')
  const { status, stderr } = nftrace(['snapshot', 'start', '--on-fatal', '-o', folder, ...options], { env: { ...process.env, LD_PRELOAD: library, SLEPT, GO } })
  assert.strictEqual(status, 0, stderr)
  return {
    /** The messages of each snapshot, in the order in which they were saved. */
    snapshots: () => (fs.existsSync(folder) ? fs.readdirSync(folder) : []).sort((a, b) => a.split('-')[4] - b.split('-')[4])
      .map(name => readTrace(path.join(folder, name)).map(({ payload }) => payload.msg)),
    count: () => fs.existsSync(folder) ? fs.readdirSync(folder).length : 0,
    slept: () => fs.readFileSync(SLEPT, 'utf8').trim().split(' ').filter(Boolean).map(Number),
    go: () => fs.writeFileSync(GO, '')
  }
}

test('--on-fatal: saves by itself on the first one, and then not for a while', async () => {
  const { snapshots, count, slept, go } = startWatched('--every', '7')
  assert.strictEqual(watchers().length, 1)
  runCode("log.info('before'); log.fatal('first')")
  await until(() => slept().length === 1, 'the watcher to sleep')
  runCode("log.fatal('second')")
  runCode("log.fatal('third')")
  const [before] = watchers()
  go()
  await until(async () => {
    runCode("log.fatal('later')")
    return count() === 2
  }, 'the second snapshot')
  const [first, second] = snapshots()
  assert.deepStrictEqual(first, ['before', 'first'])
  assert.deepStrictEqual(second.slice(0, 4), ['before', 'first', 'second', 'third'])
  assert.strictEqual(second.at(-1), 'later')
  assert.strictEqual(slept()[0], 7)
  await until(() => watchers().length === 1, 'the trigger')
  assert.deepStrictEqual(watchers(), [before])
  const watcher = /\d+/.exec(before)[0]
  assert.ok(isRunning(watcher))
  snapshot('stop')
  assert.deepStrictEqual(watchers(), [])
  await until(() => !isRunning(watcher), 'the end of the watcher')
})

test('--on-fatal goes by what a call is, whatever level its fields say', async () => {
  const { snapshots, slept } = startWatched()
  runCode("log.error({ level: 60 }, 'no fatal call'); log.fatal({ level: 'info' }, 'a fatal call')")
  await until(() => slept().length === 1, 'the watcher to sleep')
  assert.deepStrictEqual(snapshots(), [['no fatal call', 'a fatal call']])
  runCode("log.info('later')")
  snapshot('stop')
  assert.strictEqual(slept().length, 1)
})

test('--every=1: after a second it saves again', async () => {
  const folder = path.join(temporaryFolder(), 'fatal')
  snapshot('start', '--on-fatal', '--every', '1', '-o', folder)
  await until(() => {
    runCode("log.fatal('again')")
    return fs.existsSync(folder) && fs.readdirSync(folder).length === 2
  }, 'the second snapshot')
  snapshot('stop')
})

test('--on-fatal minds the filter, and the minute is the default', async () => {
  const { snapshots, slept } = startWatched('-n', 'bank')
  runCode("log.fatal('not this one')")
  runCode("bunyan.createLogger({ name: 'bank', streams: [nftrace] }).fatal('this one')")
  await until(() => slept().length === 1, 'the watcher to sleep')
  assert.deepStrictEqual(slept(), [60])
  // Had the other one been saved, the trigger would have fired before there was this one.
  assert.deepStrictEqual(snapshots(), [['this one']])
  snapshot('stop')
})

/** Registers a trigger, as somebody who may use the session daemon can. */
function addTrigger (name, as = []) {
  const [command, ...args] = [...as, 'lttng', '--group=root', 'add-trigger', `--name=${name}`,
    '--condition=event-rule-matches', '--type=user', '--name=none', '--action=notify']
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  assert.strictEqual(status, 0, stderr)
}

test('stop ends no process because a trigger is called after it', { skip }, async t => {
  const victims = ['another user', 'this one'].map(() => spawn('sleep', ['600'], { stdio: 'ignore' }))
  t.after(() => victims.forEach(victim => victim.kill()))
  snapshot('start')
  addTrigger(`nftrace-snapshot on fatal ${victims[0].pid}`, ['setpriv', `--reuid=${NEIGHBOUR}`, `--regid=${NEIGHBOUR}`, '--groups=0'])
  addTrigger(`nftrace-snapshot on fatal ${victims[1].pid}`)
  assert.strictEqual(watchers().length, 2)
  snapshot('stop')
  assert.strictEqual(watchers().length, 1) // the other user's stays
  for (const victim of victims) {
    assert.deepStrictEqual([victim.exitCode, victim.signalCode], [null, null])
    victim.kill('SIGCONT') // a signal later: were there one on its way, it would have come
    await until(() => /State:\s+S/.test(fs.readFileSync(`/proc/${victim.pid}/status`, 'utf8')), 'sleep')
  }
})

test('save and stop touch no session that is no recorder, whatever its name', () => {
  const folder = temporaryFolder()
  const others = [
    ['recording', ['--output', path.join(folder, 'recording')], ['nftrace']],
    ['nftrace-snapshot', ['--snapshot'], ['--overwrite', 'mine']],
    ['discards', ['--snapshot'], ['--discard', 'nftrace']]
  ]
  for (const [name, create, channel] of others) {
    lttng('create', name, ...create)
    lttng('enable-channel', '-u', '-s', name, ...channel)
    lttng('enable-event', '-u', '-s', name, '-c', channel.at(-1), 'bunyan:*')
    lttng('start', name)
    for (const command of ['save', 'stop']) {
      const { status, stdout, stderr } = nftrace(['snapshot', command, '-s', name])
      assert.deepStrictEqual([status, stdout], [1, ''])
      assert.match(stderr, /is not one of nftrace snapshot's recorders, and is left alone/)
    }
    assert.match(nftrace(['snapshot', 'start', '-s', name]).stderr, /there is a session ".*" already, which is not a recorder/)
    assert.match(lttng('list', name), /Recording session .*: \[active/)
    lttng('destroy', name)
  }
})

test('a recorder that cannot be started leaves no folder', () => {
  const folder = path.join(temporaryFolder(), 'new')
  const { status, stderr } = nftrace(['snapshot', 'start', '-f', 'msg ==', '-o', folder])
  assert.strictEqual(status, 1)
  assert.match(stderr, /cannot enable the events/)
  assert.ok(!fs.existsSync(folder))
})

test('wrong uses and what to do', () => {
  const cases = [
    [['save'], 1, /no recorder "nftrace-snapshot"; begin one with nftrace snapshot start/],
    [['stop', '-s', 'x\x1b[1m'], 1, /no recorder "x\\x1b\[1m"/],
    [[], 2, /^Usage: nftrace snapshot start/],
    [['begin'], 2, /no "snapshot begin", but start, save and stop/],
    [['start', 'now'], 2, /now: not expected here; see nftrace snapshot --help/],
    [['save', '--level', 'info'], 2, /snapshot save takes no option but --session/],
    [['start', '--every', '5'], 2, /--every is a number of seconds, and for --on-fatal/],
    [['start', '--every', 'x', '--on-fatal'], 2, /x: invalid numeric value/],
    [['start', '--level', 'loud'], 2, /no level "loud"/]
  ]
  for (const [args, code, message] of cases) {
    const { status, stderr } = nftrace(['snapshot', ...args])
    assert.strictEqual(status, code, args.join(' '))
    assert.match(stderr, message)
  }
  snapshot('start')
  const again = nftrace(['snapshot', 'start'])
  assert.strictEqual(again.status, 1)
  assert.match(again.stderr, /runs already; end it with nftrace snapshot stop, or give/)
  const empty = nftrace(['snapshot', 'save'])
  assert.strictEqual(empty.status, 1)
  assert.match(empty.stderr, /nothing is recorded yet/)
  snapshot('stop')
  assert.match(nftrace(['snapshot', '--help']).stdout, /--on-fatal/)
})
