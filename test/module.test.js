'use strict'
// What require('nftrace') and import 'nftrace' give.

require('./support/isolate')()

const assert = require('node:assert')
const { execFileSync, spawnSync } = require('node:child_process')
const path = require('node:path')
const test = require('node:test')
const bunyan = require('bunyan')

const nftrace = require('..')
const native = require('../lib/native')
const { mapStates, states } = require('../lib/record/states')
const { Session, trace } = require('./support/lttng')

const ROOT = path.join(__dirname, '..')

test('it is a Bunyan stream definition, and only that is enumerable', () => {
  assert.deepStrictEqual(Object.keys(nftrace), ['type', 'level', 'name', 'stream', 'reemitErrorEvents'])
  assert.deepStrictEqual([nftrace.available, nftrace.reason], [true, null])
  const { stream, ...definition } = nftrace.stream({ level: 'debug', name: 'mine' })
  assert.deepStrictEqual(definition, { type: 'raw', level: 'debug', name: 'mine', reemitErrorEvents: true })
  const log = bunyan.createLogger({ name: 'x', streams: [nftrace, nftrace.stream({ level: 'debug', name: 'mine' })] })
  assert.deepStrictEqual([log.levels('nftrace'), log.levels('mine')], [10, 20])
})

test('options that are wrong are named', () => {
  for (const [options, message] of [
    [null, /options must be an object, not null/], ['debug', /options must be an object, not 'debug'/],
    [{ max: 1 }, /unknown option 'max'; there are type, level/], [{ type: 'file' }, /type must be "raw" or "stream", not 'file'/],
    [{ maxRecordBytes: 1023 }, /from 1024 to 67108864, not 1023/], [{ maxRecordBytes: '2048' }, /not '2048'/],
    [{ maxRecordBytes: 1500.5 }, /not 1500.5/], [{ maxRecordBytes: Infinity }, /not Infinity/],
    [{ level: 'nope' }, /unknown level 'nope'/], [{ level: null }, /unknown level null/], [{ level: -1 }, /unknown level -1/],
    [{ name: 5 }, /name must be a string, not 5/], [{ direct: 0 }, /direct must be true or false, not 0/],
    [{ fallback: {} }, /fallback must be a writable stream/], [{ fallback: null }, /fallback must be a writable stream, not null/]
  ]) assert.throws(() => nftrace.stream(options), message)
  for (const level of ['loud', '', undefined, NaN, {}, null]) {
    assert.throws(() => nftrace.enabled(level), /unknown level/, String(level))
  }
})

test('enabled() takes names and numbers', () => {
  const session = new Session().enable('bunyan:warn').enable('bunyan:trace').start()
  const wanted = ['trace', 'TRACE', 'Warn', 10, 0, -7, 19, 40, 45, 49.9]
  const unwanted = ['debug', 'info', 'error', 'fatal', 20, 30, 39, 50, 60, 1e9]
  for (const level of wanted) assert.strictEqual(nftrace.enabled(level), true, level)
  for (const level of unwanted) assert.strictEqual(nftrace.enabled(level), false, level)
  session.finish()
})

test('ESM', () => {
  const script = `
    import nftrace, { available, enabled, reason, stream } from 'nftrace'
    import { createRequire } from 'node:module'
    console.log(nftrace === createRequire(import.meta.url)('nftrace'), available, enabled('info'), reason, stream === nftrace.stream)`
  assert.strictEqual(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT, encoding: 'utf8' }),
    'true true false null true\n')
})

test('TypeScript, strict, from CommonJS and ESM', () => {
  execFileSync(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', path.join(__dirname, 'types')])
})

test('where the runtime forbids external memory the states are read by calls', () => {
  const called = mapStates(Object.create(native, { words: { value: () => null } }))
  const session = new Session().enable('bunyan:debug').start()
  assert.deepStrictEqual(called.map(state => state[0]), [0, 1, 0, 0, 0, 0])
  session.finish()
  assert.deepStrictEqual(called.map(state => state[0]), states.map(state => state[0]))
})

test('it works with --frozen-intrinsics and with code generation from strings forbidden', () => {
  const session = trace()
  const { status, stderr } = spawnSync(process.execPath, ['--frozen-intrinsics', '--disallow-code-generation-from-strings', '-e', `
    require(${JSON.stringify(require.resolve('bunyan'))})
      .createLogger({ name: 'frozen', streams: [require(${JSON.stringify(ROOT)})] }).child({ a: 1 }).debug({ b: { c: 1n } }, 'frozen')`],
  { encoding: 'utf8' })
  assert.strictEqual(status, 0, stderr)
  assert.deepStrictEqual(session.finish().map(event => event.payload.msg), ['frozen'])
})
