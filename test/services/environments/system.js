'use strict'
// system.js NFTRACE: traces basic.js on this system, and reads that back with the
// nftrace command that was built here and with babeltrace2. Prints what it found.

const assert = require('node:assert')
const { execFileSync, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const { Session } = require('./node_modules/nftrace/test/support/lttng')

const [command] = process.argv.slice(2)
const WRITTEN = path.join(os.tmpdir(), 'written')

const session = new Session().enable('bunyan:*').start()
const { status, stderr } = spawnSync(process.execPath, [path.join(__dirname, 'basic.js')], { encoding: 'utf8', env: { ...process.env, WRITTEN } })
assert.deepStrictEqual([status, stderr], [0, ''])
session.stop()
const written = fs.readFileSync(WRITTEN, 'utf8').trim().split('\n').map(line => JSON.parse(line))
const text = execFileSync(command, ['read', session.folder], { encoding: 'utf8' })
const read = text.trim().split('\n').map(line => JSON.parse(line)).filter(record => record.msg !== 'alone')
assert.deepStrictEqual(read, written)
const events = execFileSync('babeltrace2', [session.folder], { encoding: 'utf8' }).trim().split('\n').length
assert.strictEqual(events, written.length + 40)

// nftrace record, from beginning to end.
const record = spawnSync(command, ['record', '-o', path.join(os.tmpdir(), 'recorded'), '--', process.execPath, path.join(__dirname, 'basic.js')],
  { encoding: 'utf8', env: { ...process.env, WRITTEN } })
assert.strictEqual(record.status, 0, record.stderr)
assert.match(record.stderr, new RegExp(`${events} records in .*, 0 lost`))
const version = name => execFileSync(name, ['--version'], { encoding: 'utf8' }).split('\n')[0]
console.log(JSON.stringify({ written: written.length, read: read.length, versions: `${version('lttng')}, ${version('babeltrace2')}` }))
