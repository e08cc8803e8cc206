'use strict'
// The run-time tracepoint library, used as another C program would.

require('./support/isolate')()

const assert = require('node:assert')
const { execFileSync, spawnSync } = require('node:child_process')
const test = require('node:test')

const { testProgram } = require('./support/command')
const { readTrace, Session } = require('./support/lttng')

function runProgram (name, env = {}) {
  const { status, signal, stderr } = spawnSync(testProgram('provider'), [name],
    { encoding: 'utf8', env: { ...process.env, LTTNG_UST_REGISTER_TIMEOUT: '-1', ...env } }) // the program ends soon
  assert.deepStrictEqual([status, signal, stderr], [0, null, ''])
}

/** Runs a test of the program in a session that wants some events. */
function traced (name, events, options = {}, env = {}) {
  const session = new Session({ subbuf: '4M', ...options }).enable(events).start()
  runProgram(name, env)
  return session.finish()
}

test('names and fields that would harm a trace are refused', () => runProgram('names'))

for (const buffers of ['uid', 'pid']) {
  test(`equal events are one, unequal ones are refused, per-${buffers} buffers`, () => {
    const events = traced('sharing', 'sharing:*', { buffers })
    assert.deepStrictEqual(events.map(event => event.payload.n), [2, 3, 5, 6])
  })
}

test('every type comes back as it was, at every size around the buffers', () => {
  const events = traced('types', 'types:*')
  const first = {
    i32: -(2 ** 31), text: 'text', i64: -(2 ** 63), string: 'string', yes: 1, u64: 2 ** 52, real: Number.MAX_VALUE, no: 0, null: '', nothing: '', nul: 'cut'
  }
  assert.strictEqual(events.length, 1 + 140 + 140 + 1 + 1)
  assert.deepStrictEqual(events[0].payload, first)
  const y = size => 'y'.repeat(size)
  for (let i = 0; i < 140; i++) {
    assert.deepStrictEqual(events[1 + i].payload, { ...first, text: y(380 + i) })
    assert.deepStrictEqual(events[141 + i].payload, { ...first, text: 'y', string: y(380 + i) })
  }
  assert.deepStrictEqual(events[281].payload, { ...first, text: y(4999), string: y(4999) })
  assert.deepStrictEqual(events[282], { event: 'types:empty', payload: {}, context: {} })
})

test('filters see every type as it is', () => {
  for (const [filter, count] of [
    ['i32 == -2147483648', 283 - 1], ['u64 == 4503599627370496', 282], ['yes == 1 && no == 0', 282],
    ['string == "string"', 141], ['string == "yyy*"', 141], ['text == "text"', 1], ['real > 1.0', 282], ['nul == "cut*"', 282], ['i32 > 0', 0]
  ]) {
    const session = new Session({ subbuf: '4M' }).enable('types:all', '--filter', filter).start()
    runProgram('types')
    assert.strictEqual(session.finish().length, count, filter)
  }
})

test('a process that dies while a payload is gathered leaves no hole in the buffer', () => {
  const session = new Session().enable('torn:event').start()
  for (let i = 0; i < 3; i++) {
    // On one CPU: what is behind a hole in its buffer could not be read.
    const { signal } = spawnSync('taskset', ['-c', '0', testProgram('provider'), 'torn'])
    assert.strictEqual(signal, 'SIGSEGV')
  }
  // It would wait for ever for a hole.
  assert.strictEqual(spawnSync('lttng', ['destroy', session.name], { timeout: 20000 }).signal, null)
  assert.deepStrictEqual(readTrace(session.folder).map(event => event.payload.text), ['whole', 'whole', 'whole'])
})

test('a child made by fork() records nothing and does not hang', () => {
  assert.deepStrictEqual(traced('fork', 'forked:*').map(event => event.payload.n), [1, 3])
})

test('with liblttng-ust-fork preloaded, a child made by fork() records', () => {
  const LD_PRELOAD = [process.env.LD_PRELOAD, 'liblttng-ust-fork.so.1'].filter(Boolean).join(':')
  const numbers = traced('fork-preloaded', 'forked:*', {}, { LD_PRELOAD })
    .map(event => event.payload.n)
  assert.deepStrictEqual(numbers, [1, 2, 3])
})

test('threads create, enable, fire, disable and destroy at once while sessions come and go', () => {
  const sessions = [0, 1, 2].map(() => new Session({ subbuf: '4M' }).enable('threads:*').start())
  runProgram('threads')
  for (const session of sessions) assert.ok(session.finish().length >= 4 * 2000)
})

test('it links libc alone', () => {
  const needed = execFileSync('readelf', ['-d', testProgram('provider')], { encoding: 'utf8' }).match(/NEEDED.*\[(.*)\]/g)
  for (const line of needed) assert.match(line, /\[lib(c|asan|ubsan)\.so/)
})
