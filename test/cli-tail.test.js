'use strict'
// `nftrace tail` prints records as they are made, of processes that start later
// too, and leaves nothing behind when it ends.

require('./support/isolate')()

const assert = require('node:assert')
const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')

const { NFTRACE, parseLines, processes, run, spawnService, startService } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { lttng, startRelayd } = require('./support/lttng')
const { startTail, Tail } = require('./support/tail')
const { Terminal } = require('./support/terminal')
const { until } = require('./support/until')

const MEDIAN_MS = 300

function startLive (name) {
  lttng('create', name, '--live=100000', '--set-url=net://127.0.0.1')
  lttng('enable-event', '-u', '-s', name, 'bunyan:*')
  lttng('start', name)
}

function assertNothingLeft (TMPDIR) {
  assert.match(run('lttng', ['list']), /no available recording session/)
  assert.deepStrictEqual(fs.readdirSync(TMPDIR), [])
  assert.deepStrictEqual(fs.readdirSync('/run/nftrace'), [])
  assert.deepStrictEqual(processes().filter(({ command }) => command.includes(TMPDIR)), [], 'its relay daemon still runs')
}

test('what Bunyan writes beside it, from processes that start later', async () => {
  const TMPDIR = temporaryFolder()
  const tail = new Tail([], { env: { ...process.env, TMPDIR } })
  await startService('count.js', ['first', 60, 20])
  await tail.seen(1)
  const beside = path.join(temporaryFolder(), 'beside')
  await startService('awkward.js', [beside])
  const expected = parseLines(fs.readFileSync(beside, 'utf8'))
  const others = record => record.name !== 'first'
  await tail.seen(expected.length, others)
  assert.deepStrictEqual(tail.records.filter(others), expected)
  assert.deepStrictEqual(await tail.end(), { status: 0, signal: null })
  assert.strictEqual(tail.stderr, '')
  assertNothingLeft(TMPDIR)
})

test(`half of the records are printed within ${MEDIAN_MS} ms of the log call`, async () => {
  const tail = new Tail([])
  await startService('count.js', ['prompt', 150, 20])
  await tail.seen(20)
  const delays = tail.records.map((record, i) => tail.times[i] - Date.parse(record.time)).sort((a, b) => a - b)
  const median = delays[delays.length >> 1]
  console.log(`# delay: median ${median} ms, 99 % ${delays[Math.floor(delays.length * 0.99)]} ms of ${delays.length}`)
  assert.ok(median >= 0 && median <= MEDIAN_MS, `${median} ms`)
  await tail.end('SIGTERM')
})

test('--level opens only those levels; --name, --context', async () => {
  const tail = new Tail(['--level', 'warn', '--name', 'wan*', '--context'])
  const levels = fs.openSync(path.join(temporaryFolder(), 'levels'), 'w+')
  const service = startService('count.js', ['wanted', 80, 20])
  const other = startService('count.js', ['other', 80, 20])
  await tail.seen(9)
  const enabled = spawnSync('lttng', ['list', run('lttng', ['list']).match(/nftrace-tail-\S+/)[0]], { encoding: 'utf8' }).stdout
  assert.match(enabled, /bunyan:\* \(loglevel <= TRACE_WARNING/)
  await Promise.all([service, other])
  fs.closeSync(levels)
  for (const record of tail.records) {
    assert.strictEqual(record.name, 'wanted')
    assert.ok(record.level >= 40)
    assert.strictEqual(record.context.vpid, record.pid)
  }
  assert.deepStrictEqual(await tail.end(), { status: 0, signal: null })
})

test('ends when its reader goes away, at once and without a word', async () => {
  const TMPDIR = temporaryFolder()
  const shell = spawn('bash', ['-c', `${NFTRACE} tail | head -1; echo "\${PIPESTATUS[0]}"`], { env: { ...process.env, TMPDIR } })
  let output = ''
  let errors = ''
  shell.stdout.on('data', data => { output += data })
  shell.stderr.on('data', data => { errors += data })
  const ended = new Promise(resolve => shell.on('close', resolve))
  await startService('count.js', ['short', 60, 20])
  await ended
  const [line, status] = output.trim().split('\n')
  assert.strictEqual(JSON.parse(line).name, 'short')
  assert.strictEqual(status, '0')
  assert.strictEqual(errors, '')
  assertNothingLeft(TMPDIR)
})

test('Ctrl-C and a resized window in a terminal', async () => {
  const TMPDIR = temporaryFolder()
  const file = path.join(temporaryFolder(), 'output')
  const shows = name => until(() => fs.existsSync(file) && fs.readFileSync(file, 'utf8').includes(`"${name}"`), `records of ${name}`)
  const terminal = new Terminal(`TMPDIR=${TMPDIR} "${NFTRACE}" tail | tee ${file}; (exit \${PIPESTATUS[0]})`)
  try {
    await startService('count.js', ['terminal', 40, 20])
    await shows('terminal')
    terminal.resize(40, 10)
    await startService('count.js', ['resized', 20, 20])
    await shows('resized')
    terminal.press('C-c')
    assert.strictEqual(await terminal.end(), 0)
  } finally {
    terminal.close()
  }
  assertNothingLeft(TMPDIR)
})

test('--url: all live sessions of a relay daemon, merged by time; --session: one', async () => {
  const relayd = await startRelayd(temporaryFolder())
  startLive('one')
  startLive('two')
  try {
    const all = new Tail(['--url', 'net://127.0.0.1'])
    await Promise.all([startService('count.js', ['a', 50, 20]), startService('count.js', ['b', 50, 20])])
    await all.seen(200)
    assert.match(all.stderr, /following one of /)
    assert.match(all.stderr, /following two of /)
    assert.strictEqual(all.records.length, 200)
    for (const name of ['a', 'b']) {
      const numbers = all.records.filter(record => record.name === name).map(record => record.number)
      assert.deepStrictEqual(numbers, Array.from({ length: 100 }, (_, i) => i >> 1))
    }
    // One that comes later is found.
    startLive('late')
    await until(() => /following late of /.test(all.stderr), 'it to be found')
    await startService('count.js', ['e', 20, 20])
    await all.seen(60, record => record.name === 'e')
    assert.strictEqual(all.stderr.match(/following/g).length, 3)
    lttng('destroy', 'late')
    // LTTng lets one viewer at a time follow a session.
    const second = spawnSync(NFTRACE, ['tail', '--session', 'one'], { encoding: 'utf8' })
    assert.strictEqual(second.status, 1)
    assert.match(second.stderr, /cannot be followed any longer: There is already a viewer/)
    assert.deepStrictEqual(await all.end(), { status: 0, signal: null })
    const one = new Tail(['--session', 'one'])
    await startService('count.js', ['c', 50, 20])
    await one.seen(40, record => record.name === 'c')
    assert.doesNotMatch(one.stderr, /following two/)
    // It waits for the next session of the name.
    lttng('destroy', 'one')
    startLive('one')
    await until(() => /\/one \(.* 1 client/.test(run('babeltrace2', ['--input-format=lttng-live', 'net://127.0.0.1'])), 'it to be followed')
    await startService('count.js', ['d', 50, 20])
    await one.seen(40, record => record.name === 'd')
    assert.deepStrictEqual(await one.end(), { status: 0, signal: null })
    const none = spawnSync(NFTRACE, ['tail', '--session', 'three'], { encoding: 'utf8' })
    assert.strictEqual(none.status, 1)
    assert.match(none.stderr, /no live session "three" at net:\/\/localhost; it has these:\n.*(one|two) of .*\n.*(one|two) of/)
  } finally {
    lttng('destroy', '--all')
    await relayd.end()
  }
})

// Preloaded: the connection through which tail reads fails once for each file FAIL.
const FAILING = `
  #include <dlfcn.h>
  #include <errno.h>
  #include <stdlib.h>
  #include <string.h>
  #include <sys/socket.h>
  #include <unistd.h>
  ssize_t recv (int fd, void *bytes, size_t size, int flags) {
    if (!strcmp(program_invocation_short_name, "nftrace") && !unlink(getenv("FAIL"))) {
      errno = ECONNRESET;
      return -1;
    }
    return ((ssize_t (*)(int, void *, size_t, int))dlsym(RTLD_NEXT, "recv"))(fd, bytes, size, flags);
  }`

test('a source that fails: tail says so, and follows its session again', async () => {
  const folder = temporaryFolder()
  const [library, FAIL] = ['failing.so', 'fail'].map(name => path.join(folder, name))
  run('cc', ['-D_GNU_SOURCE', '-shared', '-fPIC', '-x', 'c', '-o', library, '-'], { input: FAILING })
  const tail = await startTail({ env: { ...process.env, LD_PRELOAD: library, FAIL } })
  for (const round of [1, 2]) {
    fs.writeFileSync(FAIL, '')
    await until(() => (tail.stderr.match(/followed again/g) || []).length === round, 'it to go on')
    const { child, ended } = spawnService('count.js', [`round ${round}`, 100000, 20])
    await tail.seen(1, record => record.name === `round ${round}`)
    child.kill()
    await ended
  }
  assert.match(tail.stderr, /^nftrace: .*[^]*nftrace: the session is followed again; records may be missing\n/)
  assert.deepStrictEqual(await tail.end(), { status: 1, signal: null })
})

test('no relay daemon, no session daemon, wrong options', () => {
  const relayd = spawnSync(NFTRACE, ['tail', '--url', 'net://127.0.0.1'], { encoding: 'utf8' })
  assert.strictEqual(relayd.status, 1)
  assert.match(relayd.stderr, /cannot ask the relay daemon at net:\/\/127\.0\.0\.1/)
  for (const args of [['--level', 'loud'], ['extra'], ['--sesion', 'x']]) {
    assert.strictEqual(spawnSync(NFTRACE, ['tail', ...args]).status, 2)
  }
  const path = spawnSync(NFTRACE, ['tail'], { encoding: 'utf8', env: { ...process.env, PATH: '/nonexistent' } })
  assert.strictEqual(path.status, 1)
  assert.match(path.stderr, /cannot start lttng-relayd: .*package lttng-tools/)
})
