'use strict'
// The event contract: the tables of C and of JavaScript are the same, all that lists the
// levels or the fields lists those, the trace that is kept of each version reads as it did,
// and one of a newer minor version as far as it is known.

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')

const { checkNamed, contractText, FIELDS, LEVELS, NAMES, VERSION } = require('../lib/record/contract')
const { nftrace, ROOT, run } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { keptTraces, TEXT } = require('./support/contract')
const { writeTrace } = require('./support/ctf')

const read = file => fs.readFileSync(path.join(ROOT, file), 'utf8')

// What version 1.1 is, once more: a table that changes must not take its test along.
const CONTRACT = `version 1.1
provider bunyan
truncated nftrace_truncated
limits 1024 65536 67108864
level trace 10 DEBUG
level debug 20 DEBUG_SYSTEM
level info 30 INFO
level warn 40 WARNING
level error 50 ERR
level fatal 60 CRIT
field level INT32
field time INT64
field name STRING
field hostname STRING
field pid INT32
field msg STRING
field fields OBJECT
`

test('the tables of C and of JavaScript are those of this version', () => {
  assert.strictEqual(contractText(), CONTRACT, 'lib/record/contract.js')
  assert.strictEqual(require('node-gyp-build')(ROOT).contract, CONTRACT, 'provider/nft_contract.h')
  assert.strictEqual(require('..').reason, null)
})

test('an addon of another contract is not used, and the reason says what to do', () => {
  const folder = temporaryFolder()
  fs.cpSync(path.join(ROOT, 'lib'), path.join(folder, 'lib'), { recursive: true })
  for (const name of ['build', 'node_modules', 'package.json']) fs.symlinkSync(path.join(ROOT, name), path.join(folder, name))
  const contract = path.join(folder, 'lib', 'record', 'contract.js')
  const reason = () => run(process.execPath, ['-p', 'require(process.argv[1]).reason', path.join(folder, 'lib')])
  assert.strictEqual(reason(), 'null\n')
  fs.writeFileSync(contract, fs.readFileSync(contract, 'utf8').replace(`VERSION = '${VERSION}'`, "VERSION = '1.999'"))
  assert.match(reason(), /^the native addon was built from other sources than lib\/, and its events are others; build it again with "npm run build" in /)
})

test('code that names the members of a table one by one is not loaded with another one', () => {
  checkNamed(NAMES, ...NAMES)
  for (const other of [NAMES.slice(1), NAMES.slice(0, -1), [...NAMES].reverse(), [...NAMES, 'more']]) {
    assert.throws(() => checkNamed(other, ...NAMES), { message: /^nftrace: this code is for trace, debug, info, warn, error, fatal, but / })
  }
})

test('help, messages, completions, types and documents list the levels', () => {
  const list = new RegExp(`\\b${NAMES.join("(?: \\(the default\\))?(?:'? \\| '|,? and |,? )")}\\b`)
  const texts = {
    'index.d.ts': read('lib/index.d.ts'),
    bash: read('completion/nftrace.bash'),
    fish: read('completion/nftrace.fish'),
    zsh: read('completion/nftrace.zsh'),
    'man page': read('man/nftrace.1').replace(/"|^\.BR? |\\f./gm, '').replace(/ ,/g, ','),
    'unknown level of read': nftrace(['read', '--level', 'nonsense', '.']).stderr,
    'unknown level of record': nftrace(['record', '--level', 'nonsense']).stderr,
    plugin: read('native/plugin/plugin.c').replace(/"\s+"/g, '')
  }
  for (const command of ['read', 'tail', 'record', 'snapshot']) texts[`${command} --help`] = nftrace([command, '--help']).stdout
  for (const [name, text] of Object.entries(texts)) assert.ok(list.test(text.replace(/\s+/g, ' ')), name)
})

test('docs/events.md has the levels, the fields and the version', () => {
  const text = read('docs/events.md')
  const rows = [...text.matchAll(/^\| `bunyan:(\w+)` \| ([^|]*) \| TRACE_(\w+) \(\d+\) \| `--loglevel=(\w+)`/gm)].map(([, ...row]) => row)
  const ranges = LEVELS.map(({ number }, i) => i === 0 ? `below ${LEVELS[1].number}` : i === LEVELS.length - 1 ? `${number} and above` : `${number} – ${LEVELS[i + 1].number - 1}`)
  assert.deepStrictEqual(rows, LEVELS.map(({ name, loglevel }, i) => [name, ranges[i], loglevel, loglevel]).reverse())
  const fields = [...text.matchAll(/^\| `(\w+)` \| (int32|int64|string) \|/gm)].map(([, ...row]) => row)
  assert.deepStrictEqual(fields, FIELDS.map(({ name, type }) => [name, type === 'OBJECT' ? 'string' : type.toLowerCase()]))
  assert.ok(text.includes(`It is version ${VERSION} of the contract`))
})

for (const { version, trace, lines, text } of keptTraces()) {
  test(`a trace of version ${version} reads as it did`, () => {
    const { status, stdout, stderr } = nftrace(['read', '--context', trace])
    assert.strictEqual(stderr, '')
    assert.strictEqual(stdout, lines)
    assert.strictEqual(status, 0)
    assert.strictEqual(run('babeltrace2', [trace, ...TEXT]), text)
  })
}

test('a trace of this version is kept, of all levels', () => {
  const kept = keptTraces().find(({ version }) => version === VERSION)
  assert.ok(kept, 'node scripts/keep-contract.js records it')
  for (const name of NAMES) assert.ok(kept.text.includes(` bunyan:${name}: `), name)
})

/** What nftrace reads of a trace in which an event's payload has fields of these types. */
function readOf (event, types, payload, ...options) {
  const events = [1n, 2n].map(time => ({ name: event, time, cpu: 0, payload }))
  const folder = writeTrace(path.join(temporaryFolder(), 'trace'), { domain: 'ust', types: { [event]: types }, events })
  return nftrace(['read', ...options, folder])
}

const TYPES = Object.fromEntries(FIELDS.map(({ name, type }) => [name, type === 'OBJECT' ? 'string' : type.toLowerCase()]))
const PAYLOAD = { level: 30, time: 1796028824428n, name: 'shop', hostname: 'web1', pid: 42, msg: 'hi', fields: '{"order":17}' }

test('of a newer minor version all is read that is known', () => {
  const { status, stdout, stderr } = readOf('bunyan:info', { ...TYPES, tenant: 'string', share: 'int64' }, { ...PAYLOAD, tenant: 'north', share: 1 })
  assert.deepStrictEqual([status, stderr], [0, ''])
  const record = '{"name":"shop","hostname":"web1","pid":42,"level":30,"order":17,"msg":"hi","time":"2026-11-30T08:53:44.428Z","v":0}\n'
  assert.strictEqual(stdout, record + record)
})

test('of another major version nothing is taken for a record, and that is said', () => {
  for (const types of [{ ...TYPES, pid: 'string' }, Object.fromEntries(Object.entries(TYPES).filter(([name]) => name !== 'msg'))]) {
    const { status, stdout, stderr } = readOf('bunyan:info', types, PAYLOAD)
    assert.deepStrictEqual([status, stdout], [0, ''])
    assert.strictEqual(stderr, `nftrace: 2 events bunyan:* not read: this nftrace knows version ${VERSION} of their contract, ` +
      'and they are of another one; --all prints them as they are\n')
    const all = readOf('bunyan:info', types, PAYLOAD, '--all')
    assert.deepStrictEqual([all.status, all.stderr, all.records.map(({ msg, payload }) => [msg, payload.name])], [0, '', Array(2).fill(['bunyan:info', 'shop'])])
  }
})
