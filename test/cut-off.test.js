'use strict'
// JavaScript is cut off at random moments, in the middle of records: by timeouts of
// node:vm, the end of the stack, memory that can't be had, the end of a worker. Every
// record after that is whole, and none has another one's bytes. `npm run torture --
// --only cut-off` does it for longer.

require('./support/isolate')()

const assert = require('node:assert')
const test = require('node:test')

const { cutOff } = require('./support/cut-off')
const { trace } = require('./support/lttng')
const { read } = require('./torture/support')

const SEED = Number(process.env.NFTRACE_TEST_SEED || Date.now() % 1e6)
const CUTS = { timeout: 150, builtin: 50, overflow: 30, memory: 30, terminate: 20 }

for (const [way, cuts] of Object.entries(CUTS)) {
  test(`${way}, ${cuts} times, seed ${SEED}`, { timeout: 300000 }, async () => {
    const session = trace({ subbuf: '8M', blocking: true })
    const { nrCuts, check, missing } = cutOff(way, cuts, SEED)
    session.end()
    assert.ok(nrCuts > cuts / 2, `only ${nrCuts} cuts`)
    assert.strictEqual(await read(session.folder, line => check(JSON.parse(line)), 'utf8'), 0)
    assert.deepStrictEqual(missing(), [])
  })
}
