'use strict'
// Runs test/services/cut-off.js in a recording and compares what was recorded.

const assert = require('node:assert')
const path = require('node:path')

const { run } = require('./command')
const { recordOf, recordWithin } = require('./cut-off-record')

const SERVICE = path.join(__dirname, '..', 'services', 'cut-off.js')

const STAND_IN = /^\[(?:Throws: Maximum call stack size exceeded|Unserializable|unable to serialize, .*)\]$/
const NOTHING_LEFT = { level: 30, name: 'redacted', msg: '[Redacted]', nftrace_redacted: '[Redacted]' }

/** Fails unless a value is as expected, but for what the end of the stack has left out. */
function assertSame (actual, expected) {
  const withStandIns = (actual, expected) => {
    if (typeof actual === 'string' && STAND_IN.test(actual)) return actual
    if (typeof actual !== 'object' || actual === null || typeof expected !== 'object' || expected === null) return expected
    if (Array.isArray(expected)) return expected.map((value, i) => withStandIns(actual[i], value))
    return Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, withStandIns(actual[key], value)]))
  }
  assert.deepStrictEqual(actual, withStandIns(actual, expected))
}

/**
 * Cuts JavaScript off so many times in one of cut-off.js's ways. Returns how often it
 * was cut off, and check(record), to be called with each record of the recording, and
 * missing(), the numbers of records that were then to be there and are not.
 */
function cutOff (way, cuts, seed, env = {}) {
  const said = run(process.execPath, ['--stack-size=200', SERVICE, way, cuts, seed].map(String),
    { env: { ...process.env, LTTNG_UST_ALLOW_BLOCKING: '1', ...env } })
  const { nrCuts, returned } = JSON.parse(said)
  const expected = new Set(returned)

  function check (record) {
    const { hostname, pid, time, v, ...rest } = record
    const number = Number(/^record (\d+)$/.exec(rest.msg)?.[1])
    if (rest.nftrace_redacted !== undefined) assert.deepStrictEqual(NOTHING_LEFT, { ...NOTHING_LEFT, ...rest })
    else if (rest.within !== undefined) assertSame(rest, recordWithin(rest.within))
    else if (rest.nftrace_failed === undefined) assertSame(rest, recordOf(number))
    else assert.deepStrictEqual(Object.keys(rest).sort(), ['level', 'msg', 'name', 'nftrace_failed'])
    expected.delete(number)
  }
  return { nrCuts, check, missing: () => [...expected] }
}

module.exports = { cutOff }
