'use strict'
// The babeltrace2 plugin sink.nftrace.bunyan writes what `nftrace read` prints.

require('./support/isolate')()

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')

const { BUILD, nftrace, parseLines, runService } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { trace } = require('./support/lttng')

const KERNEL = path.join(__dirname, 'data', 'kernel-user-trace')

function babeltrace2 (trace, parameters, options = {}) {
  const args = ['--plugin-path', path.join(BUILD, 'plugins'), trace, '-c', 'sink.nftrace.bunyan']
  if (parameters !== '') args.push('--params', parameters)
  return spawnSync('babeltrace2', args, { encoding: 'utf8', maxBuffer: 1 << 30, ...options })
}

const session = trace({ count: '8', contexts: ['vpid', 'procname'] })
const beside = path.join(temporaryFolder(), 'beside')
runService('awkward.js', [beside])
session.end()

test('what Bunyan wrote beside it', () => {
  const { status, stdout, stderr } = babeltrace2(session.folder, '')
  assert.strictEqual(stderr, '')
  assert.strictEqual(status, 0)
  assert.deepStrictEqual(parseLines(stdout), parseLines(fs.readFileSync(beside, 'utf8')))
})

test('the same bytes as nftrace read, for each parameter', () => {
  for (const [parameters, ...options] of [
    ['context=yes', '--context'], ['level="warn"', '--level', 'warn'], ['level=50', '--level', '50'], ['level=+50', '--level', '50'],
    ['name="oth*"', '--name', 'oth*'], ['flush=yes,all=no']
  ]) {
    const { status, stdout } = babeltrace2(session.folder, parameters)
    assert.strictEqual(status, 0)
    assert.ok(stdout.length > 0)
    assert.strictEqual(stdout, nftrace(['read', ...options, session.folder]).stdout, parameters)
  }
  // Each by itself: together, babeltrace2 has merged them before, by epochs that differ.
  for (const trace of [path.join(KERNEL, 'kernel'), path.join(KERNEL, 'ust')]) {
    const { stdout } = babeltrace2(trace, 'all=yes')
    assert.ok(stdout.length > 0)
    assert.ok(stdout === nftrace(['read', '--all', trace]).stdout, trace)
  }
})

test('path', () => {
  const file = path.join(temporaryFolder(), 'lines')
  const { status, stdout } = babeltrace2(session.folder, `path="${file}"`)
  assert.strictEqual(status, 0)
  assert.strictEqual(stdout, '')
  assert.strictEqual(fs.readFileSync(file, 'utf8'), nftrace(['read', session.folder]).stdout)
})

test('parameters that are wrong', () => {
  for (const [parameters, message] of [
    ['level="loud"', /level: give trace/], ['level=[1]', /level: give trace/], ['colour=yes', /no parameter "colour"/], ['path="/nonexistent/x"', /cannot open \/nonexistent\/x/]
  ]) {
    const { status, stderr } = babeltrace2(session.folder, parameters)
    assert.notStrictEqual(status, 0)
    assert.match(stderr, message)
  }
})

test('a full disk is an error', () => {
  const { status, stderr } = babeltrace2(session.folder, 'path="/dev/full"')
  assert.notStrictEqual(status, 0)
  assert.match(stderr, /cannot write the records/)
})
