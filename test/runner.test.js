'use strict'
// scripts/test.js fails where a test is missing, skipped in silence or failed.

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')

const { ROOT } = require('./support/command')
const { temporaryFolder } = require('./support/folder')

const PASS = "test('passes', () => {})\n"

/** Runs scripts/test.js over files of this code: { status, stderr }. */
function runTests (options, ...codes) {
  const folder = temporaryFolder()
  const files = codes.map((code, i) => {
    const file = path.join(folder, `${i}.test.js`)
    fs.writeFileSync(file, `const { describe, test } = require('node:test')\n${code}`)
    return file
  })
  const { NODE_TEST_CONTEXT, ...env } = process.env
  const { status, stderr } = spawnSync(process.execPath, [path.join(ROOT, 'scripts', 'test.js'), ...options, ...files],
    { encoding: 'utf8', cwd: folder, env })
  return { status, stderr }
}

for (const [what, code, problem] of [
  ['no test', '', 'has no test'],
  ['an empty suite', "describe('empty', () => {})", 'has no test'],
  ['a failed test', `${PASS}test('fails', () => { throw new Error('on purpose') })`, '1 of 2 tests failed'],
  ['a failed test within one', "test('outer', t => t.test('fails', () => { throw new Error('on purpose') }))", '2 of 2 tests failed'],
  ['a file that ends with an error', `${PASS}process.exitCode = 3`, '1 of 2 tests failed'],
  ['a test skipped without a reason', `${PASS}test('skipped', { skip: true }, () => {})`, '1 of 2 tests are skipped without a reason']
]) {
  test(`${what} fails the run`, () => {
    assert.deepStrictEqual(runTests([], PASS, code), { status: 1, stderr: `1.test.js: ${problem}\n` })
  })
}

test('a reason to skip a test counts, but not for CI', () => {
  const code = `${PASS}test('skipped', { skip: 'no such kernel' }, () => {})`
  assert.deepStrictEqual(runTests([], code), { status: 0, stderr: '' })
  assert.deepStrictEqual(runTests(['--strict'], code), { status: 1, stderr: '0.test.js: 1 of 2 tests are skipped\n' })
})

test('no set names a file that there isn\'t', () => {
  for (const set of ['quick', 'sanitized', 'releases', 'direct']) {
    const { status, stdout } = spawnSync(process.execPath, ['scripts/test.js', '--list', set], { encoding: 'utf8', cwd: ROOT })
    assert.strictEqual(status, 0, set)
    for (const file of stdout.trim().split('\n')) assert.ok(fs.existsSync(path.join(ROOT, file)), file)
  }
})
