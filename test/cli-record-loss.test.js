'use strict'
// nftrace record when the buffers fill up: what was lost is counted exactly, and
// with --lossless nothing is.

require('./support/isolate')()

const assert = require('node:assert')
const test = require('node:test')

const { logging, nftrace } = require('./support/command')
const { folderIn, readTrace } = require('./support/lttng')

const COUNT = 20000
const LOG_MANY = `for (let n = 0; n < ${COUNT}; n++) log.info({ n }, 'one of very many messages')`

/** Runs the recording: { events, lost, stderr }. */
function record (...options) {
  const { status, stderr } = nftrace(['record', ...options, '--', ...logging(LOG_MANY)])
  assert.strictEqual(status, 0, stderr)
  const [, records, lost] = /(\d+) records in .*, (\d+) lost/.exec(stderr)
  const events = readTrace(folderIn(stderr)).filter(({ lost }) => lost === undefined)
  assert.strictEqual(events.length, Number(records))
  return { events, lost: Number(lost), stderr }
}

test('records read + lost = written', () => {
  for (const buffers of ['4kx2', '8k×2', '4KX2']) { // small, so that they fill up on any machine
    const { events, lost, stderr } = record('--buffers', buffers)
    assert.ok(lost > 0, `${buffers}: the buffers never filled up`)
    assert.strictEqual(events.length + lost, COUNT)
    assert.match(stderr, new RegExp(`nftrace: ${lost} records were lost: .*--buffers.*--lossless`))
  }
})

test('--lossless: none is lost in the same buffers', () => {
  const { events, lost } = record('--buffers', '16kx4', '--lossless')
  assert.strictEqual(lost, 0)
  assert.deepStrictEqual(events.map(({ payload }) => JSON.parse(payload.fields).n), Array.from({ length: COUNT }, (_, n) => n))
})

test('--buffers: large ones take them all; sizes are rounded up', () => {
  const { lost, stderr } = record('--buffers', '3M×3')
  assert.strictEqual(lost, 0)
  assert.doesNotMatch(stderr, /were lost/)
})

test('the variable that lets LTTng block is set for the command, only with --lossless', () => {
  const echo = ['--', 'sh', '-c', 'echo "[$LTTNG_UST_ALLOW_BLOCKING]"']
  assert.strictEqual(nftrace(['record', '--lossless', ...echo]).stdout, '[1]\n')
  assert.strictEqual(nftrace(['record', ...echo]).stdout, '[]\n')
})
