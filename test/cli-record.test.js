'use strict'
// nftrace record: a service's records go into a trace, and nftrace ends as it does.

require('./support/isolate')()

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const { logging, nftrace, startNftrace } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { until } = require('./support/until')
const { folderIn, lttng, readTrace, startRelayd } = require('./support/lttng')

const SIX = 'for (const level of ["trace", "debug", "info", "warn", "error", "fatal"]) log[level]({ n: 1 }, level)'

function sessions () {
  return spawnSync('lttng', ['list'], { encoding: 'utf8' }).stdout
}

test('records every level with its contexts, and says where, how many and how many lost', () => {
  const { status, stdout, stderr } = nftrace(['record', '--', ...logging(SIX)])
  assert.strictEqual(status, 0, stderr)
  assert.strictEqual(stdout, '')
  assert.match(stderr, /^nftrace: 6 records in .*\/lttng-traces\/nftrace-record-\S+, 0 lost\n$/)
  const events = readTrace(folderIn(stderr))
  assert.deepStrictEqual(events.map(({ event, payload }) => [event, payload.msg]),
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map(level => [`bunyan:${level}`, level]))
  const [{ payload: { pid }, context }] = events
  assert.deepStrictEqual(context, { vpid: pid, vtid: pid, procname: 'node' })
  assert.doesNotMatch(sessions(), /nftrace-record/)
})

// LTTng 2.16 records nothing into a channel that was created disabled, as liblttng-ctl does.
test('the channel and the events are enabled', async () => {
  const record = startNftrace(['record'])
  const list = (...args) => spawnSync('lttng', ['--mi=xml', 'list', ...args], { encoding: 'utf8' }).stdout
  const session = () => /<name>(nftrace-record-[^<]*)<.*?<enabled>true</s.exec(list())?.[1]
  await until(session, 'the session')
  const stdout = list(session())
  const enabled = [...stdout.matchAll(/<(channel|event)>\s*<name>([^<]*)<.*?<enabled>(\w+)</gs)].map(([, ...found]) => found.join(' '))
  assert.deepStrictEqual(enabled, ['channel nftrace true', 'event bunyan:* true'])
  record.kill('SIGINT')
  assert.strictEqual((await record.ended).status, 0)
})

test('--level takes Bunyan\'s names and numbers', () => {
  for (const [level, count] of [['trace', 6], ['debug', 5], ['INFO', 4], ['40', 3], ['error', 2], ['fatal', 1]]) {
    const { stderr } = nftrace(['record', '--level', level, '--', ...logging(SIX)])
    assert.match(stderr, new RegExp(`^nftrace: ${count} records in`), `${level}: ${stderr}`)
  }
})

test('--output: an empty or new folder, never one with something in it', () => {
  const folder = path.join(temporaryFolder(), 'a trace')
  const first = nftrace(['record', '-o', folder, '--', ...logging(SIX)])
  assert.strictEqual(folderIn(first.stderr), folder)
  assert.strictEqual(readTrace(folder).length, 6)
  const again = nftrace(['record', '-o', folder, '--', ...logging(SIX)])
  assert.strictEqual(again.status, 1)
  assert.match(again.stderr, /is not empty, and two traces in one cannot be told apart; choose another --output/)
  const file = nftrace(['record', '-o', '/etc/passwd', '--', 'true'])
  assert.strictEqual(file.status, 1)
  assert.match(file.stderr, /cannot write a trace to \/etc\/passwd: Not a directory/)
  const relative = nftrace(['record', '-o', 'here', '--', 'true'], { cwd: temporaryFolder() })
  assert.match(folderIn(relative.stderr), /^\/.*\/here$/)
})

test('its exit status is the command\'s', () => {
  const status = command => nftrace(['record', '--', ...command]).status
  assert.strictEqual(status(['true']), 0)
  assert.strictEqual(status(['sh', '-c', 'exit 7']), 7)
  assert.strictEqual(status(['sh', '-c', 'kill -KILL $$']), 137)
  assert.strictEqual(status(['sh', '-c', 'kill -TERM $$']), 143)
  assert.strictEqual(status(['/nonexistent/program']), 127)
  assert.strictEqual(status(['/etc/passwd']), 126)
  assert.doesNotMatch(sessions(), /nftrace-record/)
})

test('the command has our stdin and stdout, its own options, and default signals', () => {
  const { stdout } = nftrace(['record', 'sh', '-c', 'cat; echo "$@"', 'sh', '--level', '--', '-o'], { input: 'in\n' })
  assert.strictEqual(stdout, 'in\n--level -- -o\n')
  const masks = nftrace(['record', '--', 'grep', '-E', '^Sig(Blk|Ign)', '/proc/self/status']).stdout
  assert.match(masks, /^SigBlk:\s0+\nSigIgn:\s0+\n$/)
})

test('without a command it records until a signal, whoever logs', async () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    const record = startNftrace(['record'])
    await until(() => sessions().includes(`-${record.pid} [active]`), 'the session')
    const [program, ...args] = logging(SIX)
    spawnSync(program, args, { cwd: path.join(__dirname, '..') })
    record.kill(signal)
    assert.deepStrictEqual(await record.ended, { status: 0, signal: null })
    assert.match(record.text, /^nftrace: 6 records in/)
  }
})

test('a signal is passed on to the command, and what it then logs is recorded', async () => {
  const record = startNftrace(['record', '--', ...logging(`
    process.on('SIGTERM', () => { log.info('goodbye'); process.exit(5) })
    setInterval(() => {}, 1000)
    console.log('ready')`)])
  await until(() => record.text.includes('ready'), 'the command')
  record.kill('SIGTERM')
  assert.deepStrictEqual(await record.ended, { status: 5, signal: null })
  assert.deepStrictEqual(readTrace(folderIn(record.text)).map(({ payload }) => payload.msg), ['goodbye'])
})

test('under nohup a hangup ends neither nftrace nor the command', async () => {
  const record = startNftrace(['record', '--', ...logging(`
    console.log('ready')
    process.stdin.once('data', () => { log.info('done'); process.exit(6) })`)], { through: ['nohup'], detached: true })
  await until(() => record.text.includes('ready'), 'the command')
  process.kill(-record.pid, 'SIGHUP')
  record.stdin.write('end\n')
  assert.deepStrictEqual(await record.ended, { status: 6, signal: null })
  assert.deepStrictEqual(readTrace(folderIn(record.text)).map(({ payload }) => payload.msg), ['done'])
})

test('a command that is waited for although SIGCHLD is ignored', () => {
  const { status } = nftrace(['record', '--', 'sh', '-c', 'exit 7'], { through: ['bash', '-c', 'trap "" CHLD; exec "$@"', 'bash'], timeout: 60000 })
  assert.strictEqual(status, 7)
})

test('a killed recording is named by the next one, with the way to close it', async () => {
  const record = startNftrace(['record'])
  await until(() => sessions().includes(`-${record.pid} [active]`), 'the session')
  record.kill('SIGKILL')
  await record.ended
  const { stderr } = nftrace(['record', '--', 'true'])
  const close = new RegExp(`^nftrace: the recording \\S+-${record.pid} was left open: its nftrace has gone; close it with "(lttng destroy (\\S+))"; its trace is in (/\\S+)\n`).exec(stderr)
  assert.notStrictEqual(close, null, stderr)
  assert.strictEqual(spawnSync('sh', ['-c', close[1]]).status, 0)
  assert.doesNotMatch(nftrace(['record', '--', 'true']).stderr, /has gone/)
  assert.doesNotMatch(sessions(), /nftrace-record/)
  assert.deepStrictEqual(fs.readdirSync('/run/nftrace'), [])
})

test('a session that is only called like one of nftrace\'s is none of its business', () => {
  const name = 'nftrace-record-20200101-000000-4194303'
  lttng('create', name, '--output', path.join(temporaryFolder(), 'trace'))
  const { stderr } = nftrace(['record', '--', 'true'])
  lttng('destroy', name)
  assert.match(stderr, /^nftrace: 0 records in /)
})

test('recordings may run side by side', async () => {
  const record = startNftrace(['record', '--level', 'fatal'])
  await until(() => sessions().includes(`-${record.pid} [active]`), 'the session')
  const inner = nftrace(['record', '--', ...logging(SIX)])
  assert.match(inner.stderr, /^nftrace: 6 records in/)
  record.kill('SIGINT')
  await record.ended
  assert.match(record.text, /^nftrace: 1 records in/)
})

test('nothing recorded: says so', () => {
  const { status, stderr } = nftrace(['record', '--', 'true'])
  assert.strictEqual(status, 0)
  assert.match(stderr, /0 records in .*\nnftrace: nothing logged through nftrace at this level; nftrace status/)
})

test('a trace that cannot be read: says why, and fails', () => {
  const folder = path.join(temporaryFolder(), 'out')
  const metadata = `${folder}/ust/uid/0/64-bit/metadata`
  const { status, stderr } = nftrace(['record', '-o', folder, '--', ...logging(`
    log.info('hi')
    const timer = setInterval(() => {
      if (!require('fs').existsSync('${metadata}')) return
      require('fs').unlinkSync('${metadata}')
      require('fs').writeFileSync('${metadata}', 'not metadata')
      clearInterval(timer)
    }, 10)`)])
  assert.strictEqual(status, 1)
  assert.match(stderr, /64-bit: left out, its metadata cannot be read.*\nnftrace: 0 or more records in (.|\n)* cannot be read to its end; nftrace read prints what can be/)
})

test('wrong command lines and what to do', () => {
  const cases = [
    [['--level', 'loud'], /no level "loud"; there are trace/],
    [['--buffers', '4'], /"4" is not a size and a number, as 512k×4/],
    [['--buffers', '0x4'], /is not a size/],
    [['--buffers', '4kx4y'], /is not a size/],
    [['--bufers', '4'], /--bufers: unknown option; see nftrace record --help/],
    [['--level'], /--level: missing argument/],
    [['--level', '\x1b[31m'], /"\\x1b\[31m"/],
    [['--to', 'h', '-o', 'x'], /exclude each other/]
  ]
  for (const [args, message] of cases) {
    const { status, stderr } = nftrace(['record', ...args])
    assert.strictEqual(status, 2, args.join(' '))
    assert.match(stderr, message)
  }
  assert.doesNotMatch(sessions(), /nftrace-record/)
})

test('a filter that LTTng cannot read ends it before the command starts', () => {
  const { status, stdout, stderr } = nftrace(['record', '--filter', 'level ==', '--', 'echo', 'started'])
  assert.strictEqual(status, 1)
  assert.strictEqual(stdout, '')
  assert.match(stderr, /Invalid filter.*lttng-enable-event\(1\)/)
  assert.doesNotMatch(sessions(), /nftrace-record/)
})

test('kernel events without a kernel tracer: says what is missing', () => {
  for (const option of ['--kernel=sched_switch', '--syscalls=open']) {
    const { status, stdout, stderr } = nftrace(['record', option, '--', 'echo', 'started'])
    assert.strictEqual(status, 1)
    assert.strictEqual(stdout, '')
    assert.match(stderr, /Kernel tracer not available; kernel events need lttng-modules/)
  }
  assert.doesNotMatch(sessions(), /nftrace-record/)
})

test('--to: an lttng-relayd on another host has the trace', async () => {
  const folder = temporaryFolder()
  const refused = nftrace(['record', '--to', '127.0.0.1', '--', ...logging(SIX)])
  assert.strictEqual(refused.status, 1)
  assert.match(refused.stderr, /does an lttng-relayd listen at 127.0.0.1/)
  const relayd = await startRelayd(folder, 6342)
  try {
    const { status, stderr } = nftrace(['record', '--to', '127.0.0.1:6342:6343', '--', ...logging(SIX)])
    assert.strictEqual(status, 0, stderr)
    assert.match(stderr, /recorded to tcp4:\/\/127\.0\.0\.1:6342\/.*, 0 lost/)
    assert.strictEqual(readTrace(folder + '/' + fs.readdirSync(folder)[0]).length, 6)
  } finally {
    await relayd.end()
  }
})

test('--help names every option', () => {
  const { status, stdout } = nftrace(['record', '--help'])
  assert.strictEqual(status, 0)
  for (const option of ['level', 'name', 'filter', 'kernel', 'syscalls', 'buffers', 'lossless', 'output', 'to']) {
    assert.ok(stdout.includes(`--${option}`), option)
  }
  for (const line of stdout.split('\n')) assert.ok([...line].length <= 80, line)
})
