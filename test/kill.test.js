'use strict'
// Whatever ends a service: each record whose log call returned is in the trace.

require('./support/isolate')()

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const { temporaryFolder } = require('./support/folder')
const { recordOf, trace } = require('./support/lttng')

const SERVICE = path.join(__dirname, 'services', 'burst.js')
const ENDS = {
  sigkill: { signal: 'SIGKILL' }, sigsegv: { signal: 'SIGSEGV' }, abort: { signal: 'SIGABRT' }, exit: { status: 7 }
}

function counted (run) {
  const file = path.join(temporaryFolder(), 'counter')
  fs.writeFileSync(file, Buffer.alloc(8))
  const result = run(file)
  const count = Number(fs.readFileSync(file).readBigInt64LE())
  return { ...result, count }
}

for (const [how, expected] of Object.entries(ENDS)) {
  for (const where of ['main', 'worker', 'cluster']) {
    test(`${how} in ${where} loses nothing`, () => {
      const session = trace({ subbuf: '4M' })
      const { status, signal, count, stderr } = counted(COUNTER =>
        spawnSync(process.execPath, [SERVICE, how, where], { env: { ...process.env, COUNTER }, encoding: 'utf8' }))
      if (where === 'main') assert.deepStrictEqual(expected.signal ? { signal } : { status }, expected, stderr)
      const numbers = session.finish().map(event => recordOf(event).i)
      assert.ok(count >= 2000, `${count} ${stderr}`)
      // One more may be there: recorded, but its number not yet written.
      assert.deepStrictEqual(numbers.slice(0, count), Array.from({ length: count }, (_, i) => i + 1))
      assert.ok(numbers.length <= count + 1)
    })
  }
}
