'use strict'
// JavaScript is cut off at random moments, in the middle of records: by timeouts of
// node:vm, the end of the stack, memory that can't be had, the end of a worker. Every
// record after that is whole, and none has another one's bytes. `npm run torture --
// --only cut-off` does it for longer.

require('./support/isolate')()

const assert = require('node:assert')
const test = require('node:test')
const bunyan = require('bunyan')

const nftrace = require('..')
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

/** How many calls throw on the way back from the end of the stack, at the last 300 places. */
function nrThrowing (call) {
  let left = 300
  let thrown = 0
  function descend () {
    try {
      descend()
    } catch {}
    if (left-- <= 0) return
    try {
      call()
    } catch {
      thrown++
    }
  }
  descend()
  return thrown
}

test('a call throws nothing where a closed one has just enough stack', () => {
  const loggers = [
    bunyan.createLogger({ name: 'alone', streams: [nftrace] }),
    bunyan.createLogger({ name: 'by Bunyan', src: true, streams: [nftrace.stream({ direct: false })] })
  ]
  const calls = loggers.flatMap(log => ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map(level => () => log[level]({ level: 20 }, 'end')))
  const least = call => {
    call() // compiled where there is room
    return Math.min(...Array.from({ length: 5 }, () => nrThrowing(call)))
  }
  const closed = calls.map(least)
  const session = trace()
  try {
    calls.forEach((call, i) => assert.ok(least(call) <= closed[i] + 3, `call ${i}`))
  } finally {
    session.finish()
  }
})
