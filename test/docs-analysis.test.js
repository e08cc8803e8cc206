'use strict'
// The analyses in examples/: counts of a real trace by minute and level, in Python;
// and what Trace Compass is told of our events.

require('./support/isolate')()

const assert = require('node:assert')
const { execFileSync, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const { nftrace, ROOT, temporaryFolder } = require('./support/command')

const LINES = `
  const minute = (n, s) => new Date(Date.UTC(2026, 10, 30, 8, n, s))
  log.info({ time: minute(53, 0) }, 'first')
  log.fatal({ time: minute(53, 59) }, 'same minute')
  log.trace({ time: minute(53, 59.999) }, 'same minute')
  for (let i = 0; i < 1500; i++) log.warn({ time: minute(55, 1) }, 'two minutes later')
  log.error({ time: minute(55, 2) }, 'last')
  log.debug({ time: minute(55, 2) }, 'last')`

function count (...args) {
  return spawnSync('/usr/bin/python3', [path.join(ROOT, 'examples', 'levels-per-minute.py'), ...args], { encoding: 'utf8' })
}

function record (folder, code) {
  const script = `const log = require('bunyan').createLogger({ name: 'counted', streams: [require('.')] })\n${code}`
  const { status, stderr } = nftrace(['record', '--output', folder, '--', process.execPath, '-e', script])
  assert.strictEqual(status, 0, stderr)
}

const folder = path.join(temporaryFolder(), 'trace')

test('each minute with records has a row, each level a column', () => {
  record(folder, LINES)
  const { status, stdout, stderr } = count('--csv', folder)
  assert.deepStrictEqual([status, stderr], [0, ''])
  assert.strictEqual(stdout, 'minute,fatal,error,warn,info,debug,trace\n2026-11-30T08:53,1,0,0,1,0,1\n2026-11-30T08:55,0,1,1500,0,1,0\n')
})

test('as a table its columns line up; several traces are one', () => {
  const other = path.join(temporaryFolder(), 'other')
  record(other, 'log.info({ time: new Date(Date.UTC(2026, 10, 30, 8, 53, 30)) }, \'elsewhere\')')
  const { stdout } = count(folder, other)
  const lines = stdout.trimEnd().split('\n')
  assert.strictEqual(new Set(lines.map(line => line.length)).size, 1)
  assert.deepStrictEqual(lines[1].trim().split(/ +/), ['2026-11-30T08:53', '1', '0', '0', '2', '0', '1'])
})

test('what is no trace, or has no record, is an error', () => {
  const nothing = count(temporaryFolder())
  assert.strictEqual(nothing.status, 1)
  assert.match(nothing.stderr, /no trace in/)
  assert.strictEqual(count().status, 2)
})

test('Trace Compass\'s analysis names the events that there are, with their fields, and each level in both views', () => {
  const xml = fs.readFileSync(path.join(ROOT, 'examples', 'trace-compass-bunyan.xml'), 'utf8')
  const all = pattern => [...xml.matchAll(pattern)].map(([, ...found]) => found.join(' '))
  const service = spawnSync(process.execPath, ['-e', `
    require('.')
    process.stdout.write(require('node:child_process').execFileSync('lttng', ['list', '--userspace', '--fields']))`], { encoding: 'utf8', cwd: ROOT })
  const offered = [...service.stdout.matchAll(/^ +(bunyan:\w+) \(/gm)].map(([, name]) => name).sort()
  assert.strictEqual(offered.length, 6, service.stdout + service.stderr)
  assert.deepStrictEqual(all(/eventName="(.*?)"/g).sort(), offered)
  for (const field of all(/type="eventField" value="(.*?)"/g)) assert.match(service.stdout, new RegExp(`field: ${field} `))
  const defined = all(/definedValue name="(.*?)" value="(.*?)"/g)
  assert.deepStrictEqual(defined.slice(0, 6), ['fatal 60', 'error 50', 'warn 40', 'info 30', 'debug 20', 'trace 10'])
  assert.deepStrictEqual(defined.slice(6), defined.slice(0, 6))
  assert.deepStrictEqual(all(/value="\$(.*?)"/g).map(name => `bunyan:${name}`).sort(), offered)
  // Well-formed, by the parser that comes with Python.
  execFileSync('/usr/bin/python3', ['-c', 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])', path.join(ROOT, 'examples', 'trace-compass-bunyan.xml')])
})
