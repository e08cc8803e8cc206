'use strict'
// nftrace record where no session daemon runs: it starts one, or says why not.

require('./support/isolate')({ NFTRACE_NO_SESSIOND: '1' })

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const test = require('node:test')

const { isRunning, logging, nftrace, startNftrace } = require('./support/command')
const { until } = require('./support/until')

const PID_FILE = '/run/lttng/lttng-sessiond.pid'

test('no daemon and none to start: says what to install', () => {
  const env = { ...process.env, LTTNG_SESSIOND_PATH: '/nonexistent/lttng-sessiond' }
  const { status, stdout, stderr } = nftrace(['record', '--', 'echo', 'started'], { env })
  assert.strictEqual(status, 1)
  assert.strictEqual(stdout, '')
  assert.match(stderr, /no session daemon answers, and there is no \/nonexistent\/lttng-sessiond to start; install it/)
})

test('a daemon that fails to start: says so', () => {
  const env = { ...process.env, LTTNG_SESSIOND_PATH: '/bin/false' }
  const { status, stderr } = nftrace(['record', '--', 'echo', 'started'], { env })
  assert.strictEqual(status, 1)
  assert.match(stderr, /no session daemon answers, and \/bin\/false, just started, ended with status 1/)
})

test('so does nftrace tail, once it finds the program', async () => {
  const env = { ...process.env, LTTNG_SESSIOND_PATH: '/nonexistent/lttng-sessiond' }
  const { status, stderr } = nftrace(['tail'], { env })
  assert.strictEqual(status, 1)
  assert.match(stderr, /no session daemon answers, and there is no \/nonexistent\/lttng-sessiond to start; install it/)
  const tail = startNftrace(['tail'])
  await until(() => fs.existsSync(PID_FILE), 'the session daemon')
  const pid = Number(fs.readFileSync(PID_FILE, 'utf8'))
  try {
    await until(() => /nftrace-tail/.test(String(spawnSync('lttng', ['list']).stdout)), 'the session')
    spawnSync(...(([command, ...args]) => [command, args])(logging('log.info("hi"); setTimeout(() => {}, 1000)')))
    await until(() => /"msg":"hi"/.test(tail.text), 'the record')
    tail.kill('SIGINT')
    assert.deepStrictEqual(await tail.ended, { status: 0, signal: null })
  } finally {
    process.kill(pid)
    await until(() => !isRunning(pid), 'its end')
  }
})

test('starts lttng-sessiond, which outlives the recording', async () => {
  const { status, stderr } = nftrace(['record', '--', ...logging('log.info("hi")')])
  const pid = Number(fs.readFileSync(PID_FILE, 'utf8'))
  try {
    assert.strictEqual(status, 0, stderr)
    assert.match(stderr, /1 records in/)
    assert.strictEqual(spawnSync('lttng', ['list']).status, 0)
  } finally {
    process.kill(pid)
    await until(() => !isRunning(pid), 'its end')
  }
})
