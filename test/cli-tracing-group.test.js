'use strict'
// A member of the group tracing, who uses root's session daemon: records and
// follows all users' services, into folders of his own.

require('./support/isolate')({ NFTRACE_NO_SESSIOND: '1' })

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { after, before, test } = require('node:test')

const { run, runService, startNftrace, startService } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { COMMAND, skipRun } = require('./support/neighbour')
const { Tail } = require('./support/tail')
const { until } = require('./support/until')

const PID_FILE = '/run/lttng/lttng-sessiond.pid'

/** An entry of a system database: its fields. */
function entry (database, name) {
  return spawnSync('getent', [database, name], { encoding: 'utf8' }).stdout.trim().split(':')
}

// LTTng looks its users up, so this one must be known.
const user = entry('passwd', 'daemon')[2]
const group = entry('group', 'tracing')[2]
const skip = skipRun || (user === undefined || group === undefined ? 'there is no user "daemon" or no group "tracing"' : false)
const MEMBER = [COMMAND[0], '--reuid', user, '--regid', user, '--groups', group]

function home () {
  const folder = temporaryFolder()
  fs.chownSync(folder, Number(user), Number(user))
  return folder
}

before(() => {
  if (!skip) run('lttng-sessiond', ['--no-kernel', '--group=tracing', '--daemonize'], { stdio: 'ignore' })
})

after(() => {
  if (!skip) process.kill(Number(fs.readFileSync(PID_FILE, 'utf8')))
})

test('follows root\'s services', { skip }, async () => {
  const HOME = home()
  const tail = new Tail([], { through: MEMBER, env: { ...process.env, HOME, LTTNG_HOME: HOME, XDG_RUNTIME_DIR: HOME, TMPDIR: HOME } })
  await startService('count.js', ['root', 100, 20])
  await tail.seen(20)
  assert.match(run('lttng', ['list']), /nftrace-tail-\S+ \[active\]/)
  assert.deepStrictEqual(await tail.end(), { status: 0, signal: null })
  assert.strictEqual(tail.stderr, '')
  assert.match(run('lttng', ['list']), /no available recording session/)
  // lttng-relayd makes .lttng.
  assert.deepStrictEqual(fs.readdirSync(HOME).sort(), ['.lttng', 'nftrace'])
  assert.deepStrictEqual(fs.readdirSync(path.join(HOME, 'nftrace')), [])
})

test('records root\'s services into a new folder', { skip }, async () => {
  const HOME = home()
  const env = { ...process.env, HOME, LTTNG_HOME: HOME, XDG_RUNTIME_DIR: HOME }
  for (const [options, folder] of [[['--output', path.join(HOME, 'new', 'trace')], path.join(HOME, 'new', 'trace')], [[], path.join(HOME, 'lttng-traces')]]) {
    const record = startNftrace(['record', ...options], { through: MEMBER, env })
    await until(() => run('lttng', ['list']).includes(`-${record.pid} [active]`), 'the session')
    runService('count.js', ['root', 30])
    record.kill('SIGINT')
    assert.deepStrictEqual(await record.ended, { status: 0, signal: null })
    assert.match(record.text, /^nftrace: 30 records in /)
    assert.strictEqual(fs.statSync(folder).uid, Number(user))
  }
})
