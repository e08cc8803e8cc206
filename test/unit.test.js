'use strict'
// The C unit tests of test/unit, of the build under test: a test here for each program.

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')

const { BUILD, ROOT, run } = require('./support/command')

const TIMEOUT = 60000 // for one that never ends; ms
const SANITIZE = { sanitize: ['SANITIZE=1'], thread: ['SANITIZE=thread'] }
const programs = fs.readdirSync(path.join(ROOT, 'test', 'unit')).filter(file => file.endsWith('.c')).map(file => path.basename(file, '.c'))

run('make', ['--silent', 'unit-tests', ...SANITIZE[path.basename(path.dirname(BUILD))] || []], { cwd: ROOT })

for (const program of programs) {
  test(`unit tests: ${program}`, () => {
    // These end by themselves, with all memory given back, which services don't.
    const env = { ...process.env, ASAN_OPTIONS: 'detect_leaks=1' }
    const { status, signal, stdout, stderr } = spawnSync(path.join(BUILD, 'test', 'unit', program), { encoding: 'utf8', env, timeout: TIMEOUT })
    const output = stdout + stderr
    assert.deepStrictEqual([status, signal], [0, null], output)
    assert.match(output, /\[ {2}PASSED {2}\] [1-9]/)
    assert.doesNotMatch(output, /SKIPPED/)
  })
}
