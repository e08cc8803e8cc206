'use strict'
// The analysis in examples/: counts of a real trace by minute and level, in Python.

require('./support/isolate')()

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const test = require('node:test')

const { nftrace, ROOT } = require('./support/command')
const { temporaryFolder } = require('./support/folder')

const LINES = `
  const minute = (n, s) => new Date(Date.UTC(2026, 10, 30, 8, n, s))
  log.info({ time: minute(53, 0) }, 'first')
  log.fatal({ time: minute(53, 59) }, 'same minute')
  log.trace({ time: minute(53, 59.999) }, 'same minute')
  for (let i = 0; i < 1500; i++) log.warn({ time: minute(55, 1) }, 'two minutes later')
  log.error({ time: minute(55, 2) }, 'last')
  log.debug({ time: minute(55, 2) }, 'last')`

function count (...args) {
  return spawnSync('/usr/bin/python3', [path.join(ROOT, 'examples', 'levels-per-minute.py'), ...args], { encoding: 'utf8' })
}

function record (folder, code) {
  const script = `const log = require('bunyan').createLogger({ name: 'counted', streams: [require('.')] })\n${code}`
  const { status, stderr } = nftrace(['record', '--output', folder, '--', process.execPath, '-e', script])
  assert.strictEqual(status, 0, stderr)
}

const folder = path.join(temporaryFolder(), 'trace')

test('each minute with records has a row, each level a column', () => {
  record(folder, LINES)
  const { status, stdout, stderr } = count('--csv', folder)
  assert.deepStrictEqual([status, stderr], [0, ''])
  assert.strictEqual(stdout, 'minute,fatal,error,warn,info,debug,trace\n2026-11-30T08:53,1,0,0,1,0,1\n2026-11-30T08:55,0,1,1500,0,1,0\n')
})

test('as a table its columns line up; several traces are one', () => {
  const other = path.join(temporaryFolder(), 'other')
  record(other, 'log.info({ time: new Date(Date.UTC(2026, 10, 30, 8, 53, 30)) }, \'elsewhere\')')
  const { stdout } = count(folder, other)
  const lines = stdout.trimEnd().split('\n')
  assert.strictEqual(new Set(lines.map(line => line.length)).size, 1)
  assert.deepStrictEqual(lines[1].trim().split(/ +/), ['2026-11-30T08:53', '1', '0', '0', '2', '0', '1'])
})

test('what is no trace, or has no record, is an error', () => {
  const nothing = count(temporaryFolder())
  assert.strictEqual(nothing.status, 1)
  assert.match(nothing.stderr, /no trace in/)
  assert.strictEqual(count().status, 2)
})
