'use strict'
// nftrace record --name and --filter: any name can be asked for, whatever is in it.

require('./support/isolate')()

const assert = require('node:assert')
const test = require('node:test')

const { logging, nftrace } = require('./support/command')
const { folderIn, readTrace, recordOf } = require('./support/lttng')

const NAMES = ['shop', 'shopping', 'a"b', "a'b", 'a*b', 'axxb', 'a\\b', 'a\\*b', 'a?b', '$(id)', '`id`', 'é', 'a\tb', 'a b', '',
  '[a-z]', 'a" || 1 || "', '%s']

const LOG_ALL = `for (const name of ${JSON.stringify(NAMES)}) bunyan.createLogger({ name: name || 'x', streams: [nftrace] }).info({ name }, 'hi')`

/** The names, as they are in fields or the payload, that options let through. */
function recorded (...options) {
  const { status, stderr } = nftrace(['record', ...options, '--', ...logging(LOG_ALL)])
  assert.strictEqual(status, 0, stderr)
  if (/: 0 records/.test(stderr)) return []
  return readTrace(folderIn(stderr)).map(event => recordOf(event).name)
}

test('a name without wildcards takes that name alone', () => {
  for (const name of NAMES) {
    assert.deepStrictEqual(recorded('--name', name.replace(/[*\\]/g, '\\$&')), [name])
  }
})

test('* stands for any text, and nothing else is a wildcard', () => {
  assert.deepStrictEqual(recorded('--name', 'shop*'), ['shop', 'shopping'])
  assert.deepStrictEqual(recorded('--name', '*p'), ['shop'])
  assert.deepStrictEqual(recorded('--name', 'a?b'), ['a?b'])
  assert.deepStrictEqual(recorded('--name', 'a\\xb'), [])
  assert.deepStrictEqual(recorded('--name', 'a*b'), ['a"b', "a'b", 'a*b', 'axxb', 'a\\b', 'a\\*b', 'a?b', 'a\tb', 'a b'])
  assert.deepStrictEqual(recorded('--name', 'a\\\\*'), ['a\\b', 'a\\*b'])
  assert.deepStrictEqual(recorded('--name', '*'), NAMES)
})

test('several names, with a filter', () => {
  assert.deepStrictEqual(recorded('--name', 'shop', '-n', 'é'), ['shop', 'é'])
  assert.deepStrictEqual(recorded('--name', 'shop*', '--filter', 'name == "*ing" || level > 40'), ['shopping'])
  assert.deepStrictEqual(recorded('--filter', 'msg == "hi" && name == "a b"'), ['a b'])
  assert.deepStrictEqual(recorded('--filter', '$ctx.procname == "none"'), [])
})

test('what LTTng cannot filter by is refused, with a way out', () => {
  for (const name of ['a"\'b', 'a\nb']) {
    const { status, stderr } = nftrace(['record', '--name', name, '--', 'true'])
    assert.strictEqual(status, 2)
    assert.match(stderr, /both kinds of quotes or a line feed; put \* in their place/)
  }
})
