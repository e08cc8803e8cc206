'use strict'
// A long `nftrace read` shows a person at a terminal how far it has come, and
// only there; a signal ends it without leaving that behind.

require('./support/isolate')()

const assert = require('node:assert')
const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')

const { nftrace, NFTRACE, runService } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { trace } = require('./support/lttng')
const { until } = require('./support/until')

const COUNT = 20000

/** Runs a shell command in a terminal of its own; what it shows there. */
function inTerminal (command, options) {
  return spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, TERM: 'xterm' }, ...options })
}

const session = trace({ count: '8' })
runService('count.js', ['long', COUNT])
session.end()

test('percent and records on stderr, which go away', () => {
  // A reader that takes its time makes the read a long one: progress shows after a second.
  const slow = `bash -o pipefail -c '${NFTRACE} read ${session.folder} | (sleep 1.3; head -c 1000000; sleep 0.4; cat) > /dev/null'`
  const { status, stdout } = inTerminal(slow)
  assert.strictEqual(status, 0, stdout)
  assert.match(stdout, /\r\x1b\[Knftrace: \d+ % read, \d+ records/) // eslint-disable-line no-control-regex
  assert.ok(stdout.endsWith('\r\x1b[K'), JSON.stringify(stdout))
})

test('nothing when stderr is no terminal, or stdout is one too', () => {
  assert.strictEqual(nftrace(['read', session.folder]).stderr, '')
  const { status, stdout } = inTerminal(`${NFTRACE} read ${session.folder}`, { maxBuffer: 1 << 30 })
  assert.strictEqual(status, 0)
  assert.doesNotMatch(stdout, /% read/)
  assert.strictEqual(stdout.trim().split('\n').length, COUNT)
})

test('a signal ends it as a signal, and stand-ins for a damaged trace go away', async () => {
  const damaged = path.join(temporaryFolder(), 'trace')
  fs.cpSync(session.folder, damaged, { recursive: true })
  const streams = path.join(damaged, 'ust', 'uid', String(process.getuid()), '64-bit')
  const name = fs.readdirSync(streams).find(name => name.startsWith('channel_') && fs.statSync(path.join(streams, name)).size > 0)
  fs.appendFileSync(path.join(streams, name), 'half a packet')
  const TMPDIR = temporaryFolder()
  const child = spawn(NFTRACE, ['read', damaged], { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, TMPDIR } })
  await until(() => fs.readdirSync(TMPDIR).length === 1, 'the stand-ins') // its output isn't read, so it has to wait
  const ended = new Promise(resolve => child.on('exit', (code, signal) => resolve(signal)))
  child.kill('SIGINT')
  assert.strictEqual(await ended, 'SIGINT')
  assert.deepStrictEqual(fs.readdirSync(TMPDIR), [])
})
