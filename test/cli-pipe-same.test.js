'use strict'
// The same line gives the same event through the library's stream and through
// nftrace pipe.

require('./support/isolate')()

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const { NFTRACE, nftrace, ROOT } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { folderIn, readTrace } = require('./support/lttng')
const { AWKWARD, INVALID, line, randomLines } = require('./support/log-lines')

const LIBRARY = `
  const limit = Number(process.argv[2])
  const stream = require('.').stream({ type: 'stream', maxRecordBytes: limit }).stream
  stream.write(require('fs').readFileSync(process.argv[1]))`

/** Puts lines through both; gives the two lists of events. */
function both (lines, env, limit) {
  const file = path.join(temporaryFolder(), 'lines')
  const end = Buffer.from('\n')
  fs.writeFileSync(file, Buffer.concat(lines.flatMap(line => [Buffer.from(line), end])))
  const recorded = command => {
    const { status, stderr } = nftrace(['record', '--lossless', '--buffers', '4M×4', '--', ...command], { env: { ...process.env, ...env } })
    assert.strictEqual(status, 0, stderr)
    return readTrace(folderIn(stderr))
  }
  return {
    library: recorded([process.execPath, '-e', LIBRARY, file, limit]),
    piped: recorded(['sh', '-c', `exec "${NFTRACE}" pipe ${limit === 65536 ? '' : `--max-record-bytes ${limit}`} < "${file}"`])
  }
}

const now = Date.now()

/** Equal but for what is each process's own: its pid, and the time of "now". */
function comparable ({ event, payload, context }) {
  const own = { ...payload }
  if (own.pid === context.vpid) own.pid = 'own'
  if (Math.abs(own.time - now) < 600000) own.time = 'now'
  return { event, ...own }
}

/** JavaScript also reads damaged texts as times, as "1969-12-31,23:59"; nftrace takes now. */
function isOddTime ({ fields }) {
  return typeof JSON.parse(fields).time === 'string'
}

function assertSame (lines, { env, oddTimes = false, limit = 65536 } = {}) {
  const { library, piped } = both(lines, env, limit)
  assert.strictEqual(library.length, lines.length)
  assert.strictEqual(piped.length, library.length)
  for (let i = 0; i < lines.length; i++) {
    const [actual, expected] = [piped[i], library[i]].map(comparable)
    if (oddTimes && actual.time === 'now' && isOddTime(expected)) expected.time = 'now'
    assert.deepStrictEqual(actual, expected, `line ${i}: ${String(lines[i]).slice(0, 1000)}`)
  }
}

test('awkward lines', () => assertSame(AWKWARD))

test('bytes that are not UTF-8', () => assertSame(INVALID))

test('random lines', () => assertSame(randomLines(20000, 3), { oddTimes: true }))

test('records that are cut, at any size', () => {
  const lines = [100, 900, 1000, 3000, 70000, 250000, 2000000].map(size =>
    line({ msg: 'm'.repeat(size), text: 'é\n'.repeat(size / 2), list: ['a'.repeat(size), { b: 'b'.repeat(size / 3) }] }))
  for (const limit of [1024, 4096, 65536, 300000, 2000000]) assertSame(lines, { limit })
  for (const limit of ['', '1023', '67108865', '1e4', '-1', 'many']) {
    const { status, stderr } = nftrace(['pipe', '--max-record-bytes', limit], { input: '' })
    assert.strictEqual(status, 2)
    assert.match(stderr, /--max-record-bytes: ".*" is not a number from 1024 to 67108864/)
  }
})

test('times without a zone are local', () => {
  assertSame(['2024-01-01T12:00:00', '2024-07-01T12:00:00.5', '2024-07-01T12:00'].map(time => line({ time })), { env: { TZ: 'America/St_Johns' } })
})

test('empty lines, \\r\\n, and a last line without an end', () => {
  const lines = Buffer.from(`\n\r\n${line({ msg: 'one' })}\r\n\r\r\n  \n${line({ msg: 'last' })}`)
  const library = nftrace(['record', '--', process.execPath, '-e', `require('.').stream({ type: 'stream' }).stream.write(Buffer.from('${lines.toString('base64')}', 'base64'))`], { cwd: ROOT })
  const piped = nftrace(['record', '--', NFTRACE, 'pipe'], { input: lines })
  const messages = result => readTrace(folderIn(result.stderr)).map(({ payload }) => payload.msg)
  assert.deepStrictEqual(messages(piped), ['one', '\r', '  ', 'last'])
  assert.deepStrictEqual(messages(piped), messages(library))
})
