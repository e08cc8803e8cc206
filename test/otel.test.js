'use strict'
// Beside OpenTelemetry's Bunyan instrumentation: its ids arrive in fields, its
// stream gets what it would have got without us, and so do the others.

require('./support/isolate')()

const assert = require('node:assert')
const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const { runService } = require('./support/command')
const { temporaryFolder } = require('./support/folder')

const SERVICE = path.join(__dirname, 'services', 'otel.js')

// The instrumentation knows Bunyan 1 alone, by the folder it is in.
const folder = temporaryFolder()
fs.cpSync(path.dirname(require.resolve('bunyan1/package.json')), path.join(folder, 'node_modules', 'bunyan'), { recursive: true })

/**
 * What the service says: { spans, sent, file, traced }. Options: streams of the
 * logger; early, to have a session before the logger is made, and enabled, what it
 * wants; all else configures the instrumentation.
 */
function logWith (options) {
  return JSON.parse(execFileSync(process.execPath, [SERVICE, folder, JSON.stringify({ streams: 'nftrace', ...options })], { encoding: 'utf8' }))
}

const ids = ({ trace_id: trace, span_id: span, trace_flags: flags }) => [trace, span, flags]
const messages = records => records.map(({ msg, body }) => msg || body)

test('trace_id, span_id and trace_flags of the active span are in the record', () => {
  const { spans, traced } = logWith({})
  assert.deepStrictEqual(traced.map(record => [record.msg, ...ids(record)]), [
    ['outside', undefined, undefined, undefined],
    ['in outer', ...spans.outer, '01'], ['debug in outer', ...spans.outer, '01'],
    ['in inner', ...spans.inner, '01'], ['in a child', ...spans.inner, '01'],
    ['outside again', undefined, undefined, undefined]
  ])
  assert.strictEqual(spans.outer[0], spans.inner[0])
  assert.notStrictEqual(spans.outer[1], spans.inner[1])
  assert.deepStrictEqual(traced[4].user, 7)
})

test('neither OpenTelemetry\'s stream nor another gets more or less for being traced at debug', () => {
  const info = ['outside', 'in outer', 'in inner', 'in a child', 'outside again']
  const without = logWith({ streams: 'file' })
  const beside = logWith({ streams: 'file,nftrace' })
  assert.deepStrictEqual(messages(beside.traced), ['outside', 'in outer', 'debug in outer', 'in inner', 'in a child', 'outside again'])
  for (const { sent, file } of [without, beside]) {
    assert.deepStrictEqual(messages(sent), info)
    assert.deepStrictEqual(messages(file), info)
  }
  // The same but for what differs between two runs.
  const plain = ({ time, pid, hostname, trace_id: t, span_id: s, ...rest }) => ({ ...rest, traced: t !== undefined && s !== undefined })
  assert.deepStrictEqual(beside.file.map(plain), without.file.map(plain))
  assert.deepStrictEqual(beside.sent, without.sent)
  // And what was traced is what was written, level by level.
  assert.deepStrictEqual(beside.traced.filter(({ level }) => level >= 30), beside.file)
})

test('with logSeverity OpenTelemetry gets its own level, whatever is traced, before or after', () => {
  const info = { logSeverity: 9 } // SeverityNumber.INFO
  for (const options of [{}, { early: true }, { enabled: ['--loglevel=CRIT'] }]) {
    assert.deepStrictEqual(messages(logWith({ ...info, ...options }).sent), ['outside', 'in outer', 'in inner', 'in a child', 'outside again'])
  }
})

test('without it OpenTelemetry gets what log.level() says, Bunyan\'s default level, whatever is traced', () => {
  const info = ['outside', 'in outer', 'in inner', 'in a child', 'outside again']
  assert.deepStrictEqual(messages(logWith({}).sent), info) // ours is the only stream, and nobody listens yet
  assert.deepStrictEqual(messages(logWith({ early: true, enabled: ['--loglevel=DEBUG_SYSTEM'] }).sent), info)
})

test('with log correlation alone, as many services have it, records carry the ids', () => {
  const { sent, traced, spans } = logWith({ disableLogSending: true })
  assert.deepStrictEqual(sent, [])
  assert.deepStrictEqual(ids(traced[3]), [...spans.inner, '01'])
})

test('the log hook sees the record that is traced, and can add to it', () => {
  const { traced } = logWith({ hook: true })
  assert.deepStrictEqual(traced.map(record => record['service.name']), [undefined, 'outer', 'outer', 'inner', 'inner', undefined])
})

test('beside OpenTelemetry\'s instrumentation of pino each gets what the logger\'s level says', () => {
  const info = ['info first', 'info first', 'info second', 'info second']
  for (const [begin, traced] of [['later', info.slice(2)], ['early', info]]) {
    assert.deepStrictEqual(JSON.parse(runService('otel-pino.js', [begin])), { sent: info, traced })
  }
})
