'use strict'
// nftrace status: daemons, sessions, levels and processes, for people and as JSON.

require('./support/isolate')()

const assert = require('node:assert')
const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const { isRunning, nftrace, NFTRACE, ROOT, startNftrace } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { lttng } = require('./support/lttng')
const { until } = require('./support/until')

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

function status () {
  const { stdout, status } = nftrace(['status', '--json'])
  return { ...JSON.parse(stdout), exit: status }
}

test('the daemon, its process and its version', () => {
  const { daemons, exit, ust, version, contract, error } = status()
  assert.strictEqual(exit, 0)
  assert.strictEqual(version, require('../package.json').version)
  assert.strictEqual(contract, require('../lib/record/contract').VERSION)
  assert.ok(nftrace(['status']).stdout.startsWith(`nftrace ${version}, event contract ${contract}\n`))
  assert.deepStrictEqual(ust, { available: true, reason: null })
  assert.deepStrictEqual(daemons, [{
    owner: 'root',
    socket: '/var/run/lttng/client-lttng-sessiond',
    answers: true,
    used: true,
    pid: Number(process.env.NFTRACE_SESSIOND_PID),
    version: spawnSync('lttng-sessiond', ['--version'], { encoding: 'utf8' }).stdout.trim(),
    reason: null
  }])
  assert.strictEqual(error, null)
})

test('processes that have loaded nftrace, and pipes', async () => {
  assert.deepStrictEqual(status().processes, [])
  const service = spawn(process.execPath, ['-e', "require('.'); setInterval(() => {}, 1000)"], { cwd: ROOT, stdio: 'ignore' })
  const pipe = startNftrace(['pipe'])
  try {
    await until(() => status().processes.length === 2, 'the processes')
    assert.deepStrictEqual(status().processes.sort((a, b) => a.pid - b.pid), [
      { pid: service.pid, name: 'node', levels: LEVELS },
      { pid: pipe.pid, name: 'nftrace', levels: LEVELS }
    ])
    assert.match(nftrace(['status']).stdout, new RegExp(`processes that offer bunyan:\\*:\n(?:  .*\n)*  ${service.pid} node\n`))
  } finally {
    service.kill()
    pipe.stdin.end()
    await pipe.ended
  }
})

test('which levels are recorded, and by which session', async () => {
  assert.deepStrictEqual(status().sessions, [])
  const record = startNftrace(['record', '--level', 'warn', '--name', 'shop*'])
  await until(() => status().levels.fatal.length === 1, 'the recording')
  lttng('create', 'mine', '--output', path.join(temporaryFolder(), 'mine'))
  lttng('enable-event', '-s', 'mine', '-u', 'bunyan:debug')
  lttng('enable-event', '-s', 'mine', '-u', 'b*:*', '--loglevel-only', 'TRACE_CRIT')
  lttng('enable-event', '-s', 'mine', '-u', 'other:*')
  let { levels, sessions } = status()
  const mine = sessions.find(({ name }) => name === 'mine')
  const recording = sessions.find(({ name }) => name !== 'mine')
  const name = recording.name
  assert.deepStrictEqual(levels, { trace: [], debug: [], info: [], warn: [name], error: [name], fatal: [name] })
  assert.strictEqual(recording.active, true)
  assert.deepStrictEqual(recording.rules, [{ event: 'bunyan:*', channel: 'nftrace', enabled: true, levels: ['warn', 'error', 'fatal'], filter: '(name == "shop*")' }])
  assert.strictEqual(mine.active, false)
  assert.strictEqual(path.basename(mine.path), 'mine')
  assert.deepStrictEqual(mine.rules.map(({ event, levels }) => [event, levels]).sort(), [['b*:*', ['fatal']], ['bunyan:debug', ['debug']]])
  lttng('start', 'mine')
  levels = status().levels
  levels.fatal.sort()
  assert.deepStrictEqual(levels, { trace: [], debug: ['mine'], info: [], warn: [name], error: [name], fatal: ['mine', name] })
  lttng('disable-event', '-s', 'mine', '-u', 'bunyan:debug')
  assert.deepStrictEqual(status().levels.debug, [])
  const { stdout } = nftrace(['status'])
  assert.match(stdout, new RegExp(`  ${name}: recording\n    to /.*\n    bunyan:\\*: warn error fatal, if \\(name == "shop\\*"\\)\n`))
  assert.match(stdout, new RegExp(`\n  debug -\n(.*\n)*  fatal (${name}, mine|mine, ${name})\n`))
  record.kill('SIGINT')
  await record.ended
  lttng('destroy', 'mine')
  assert.deepStrictEqual(status().sessions, [])
})

test('a live and a snapshot session are shown as such', () => {
  lttng('create', 'snap', '--snapshot')
  const { sessions: [snap] } = status()
  assert.deepStrictEqual([snap.snapshot, snap.live, snap.rules], [true, false, []])
  lttng('destroy', 'snap')
})

test('control characters in names are not obeyed', () => {
  lttng('create', 'a\x1b[31mb', '--output', temporaryFolder())
  assert.match(nftrace(['status']).stdout, / {2}a\\x1b\[31mb: stopped\n/)
  assert.strictEqual(status().sessions[0].name, 'a\x1b[31mb')
  lttng('destroy', 'a\x1b[31mb')
})

test('wrong command lines; --help', () => {
  assert.strictEqual(nftrace(['status', '--xml']).status, 2)
  assert.strictEqual(nftrace(['status', 'shop']).status, 2)
  assert.match(nftrace(['status', '--help']).stdout, /--json/)
})

test('no daemon: why not, and what to do', async () => {
  process.kill(Number(process.env.NFTRACE_SESSIOND_PID))
  await until(() => !fs.existsSync('/run/lttng/client-lttng-sessiond'), 'the end of the daemon')
  const { daemons: [daemon], exit } = status()
  assert.strictEqual(exit, 1)
  assert.strictEqual(daemon.answers, false)
  assert.match(daemon.reason, /^not running(;| here; this is a container)/)
  assert.match(nftrace(['status']).stdout, /^nftrace .*\nroot's session daemon: no answer\n {2}not running/)
})

test('a daemon that was killed, and a user without access', async () => {
  spawnSync('lttng-sessiond', ['--no-kernel', '--background'], { stdio: 'ignore' })
  const pid = Number(fs.readFileSync('/run/lttng/lttng-sessiond.pid', 'utf8'))
  const asNobody = spawnSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', NFTRACE, 'status', '--json'], { encoding: 'utf8', env: { HOME: '/nonexistent' } })
  if (asNobody.stdout !== '') { // the build may be where nobody can't go
    const { daemons } = JSON.parse(asNobody.stdout)
    assert.deepStrictEqual(daemons.map(({ owner, answers }) => [owner, answers]), [['root', false], ['user', false]])
    assert.match(daemons[0].reason, /this user is not in the group "tracing"; as root: usermod -aG tracing USER|only root may use it/)
  }
  process.kill(pid, 'SIGKILL')
  await until(() => !isRunning(pid), 'the end of the daemon')
  assert.match(status().daemons[0].reason, /its socket is there, but nobody answers/)
})
