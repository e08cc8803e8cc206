'use strict'
// The six events as LTTng's tools see them, held against the same six made with
// LTTng's own macros: that is how we know that we speak its ABI.

require('./support/isolate')()

const assert = require('node:assert')
const { execFileSync, spawn } = require('node:child_process')
const { once } = require('node:events')
const path = require('node:path')
const test = require('node:test')

const { lttng, Session } = require('./support/lttng')
const { testProgram } = require('./support/command')

/** Runs one of the twins in a session and gives all that can be seen of it. */
async function observe (name, ...args) {
  const session = new Session({ subbuf: '2M', contexts: ['vpid', 'vtid', 'procname'] }).enable('bunyan:*', ...args).start()
  const child = spawn(testProgram(name), { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const list = lttng('list', '-u', '-f').split(/^PID: /m).find(text => text.startsWith(`${child.pid} `))
  child.stdin.end('go\n')
  assert.deepStrictEqual(await once(child, 'exit'), [0, null])
  session.stop()
  const babeltrace = (...options) => execFileSync('babeltrace2',
    [...options, path.join(session.folder, 'ust/uid', String(process.getuid()), '64-bit')],
    { encoding: 'utf8', maxBuffer: 1 << 28 })
  const seen = {
    list: list.split(/\n(?= {6}\w)/).map(text => text.trim()).filter(text => text.startsWith('bunyan:')).sort(),
    metadata: babeltrace('-o', 'ctf-metadata').match(/^event \{[\s\S]*?^\};/gm)
      .map(text => text.replace(/^\t(id|stream_id) = .*$/gm, '')).sort(),
    text: babeltrace('--no-delta', '--fields=loglevel').split('\n').map(line => line
      .replace(/^\[[^\]]*\] /, '').replace(/cpu_id = \d+|vpid = \d+|vtid = \d+|procname = "[^"]*"/g, ''))
  }
  session.finish()
  return seen
}

test('lttng list, the metadata and the decoded trace equal those of the macro twin', async () => {
  const ours = await observe('emit')
  const twin = await observe('emit-twin')
  assert.strictEqual(ours.list.length, 6)
  assert.strictEqual(ours.metadata.length, 6)
  assert.strictEqual(ours.text.length, 9 * 4 + 1)
  assert.deepStrictEqual(ours, twin)
})

test('a filter sees what it sees of the macro twin', async () => {
  for (const filter of ['level >= 40 && pid == 1', 'msg == "xx*"', 'time == 9223372036854775807', 'fields == "{*" || name == "plain"']) {
    const ours = await observe('emit', '--filter', filter)
    const twin = await observe('emit-twin', '--filter', filter)
    assert.ok(ours.text.length > 1 && ours.text.length < 36, filter)
    assert.deepStrictEqual(ours, twin, filter)
  }
})

test('lttng list -u shows the six events with the documented levels', async () => {
  const { list } = await observe('emit')
  assert.deepStrictEqual(list.map(text => text.split('\n')[0].replace(/ \(type.*/, '')), [
    'bunyan:debug (loglevel: TRACE_DEBUG_SYSTEM (7))',
    'bunyan:error (loglevel: TRACE_ERR (3))',
    'bunyan:fatal (loglevel: TRACE_CRIT (2))',
    'bunyan:info (loglevel: TRACE_INFO (6))',
    'bunyan:trace (loglevel: TRACE_DEBUG (14))',
    'bunyan:warn (loglevel: TRACE_WARNING (4))'
  ])
})
