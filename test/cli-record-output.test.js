'use strict'
// nftrace record --output, in folders in which others can make files: what another
// user has put there is refused, and what is written is this user's.

require('./support/isolate')()

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const { nftrace } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { give, NEIGHBOUR, sharedFolder, skip } = require('./support/neighbour')

/** Records to a folder: { status, stderr }. */
function record (output, options) {
  return nftrace(['record', '--output', output, '--', 'true'], options)
}

function assertRefused (output, why) {
  const { status, stderr } = record(output)
  assert.match(stderr, why)
  assert.strictEqual(status, 1)
}

const NEIGHBOURS = new RegExp(`belongs to another user \\(uid ${NEIGHBOUR}\\)`)

test('a folder that another user has planted', { skip }, () => {
  const shared = sharedFolder()
  const planted = path.join(shared, 'trace')
  fs.mkdirSync(planted)
  give(planted)
  assertRefused(planted, NEIGHBOURS)
  assertRefused(path.join(planted, 'in', 'it'), NEIGHBOURS)
  assert.deepStrictEqual(fs.readdirSync(planted), [])
})

test('a link that another user has planted', { skip }, () => {
  const shared = sharedFolder()
  const empty = temporaryFolder()
  const link = path.join(shared, 'trace')
  fs.symlinkSync(empty, link)
  give(link)
  assertRefused(link, NEIGHBOURS)
  assertRefused(path.join(link, 'in', 'it'), NEIGHBOURS)
  assert.deepStrictEqual(fs.readdirSync(empty), [])
  // One's own is followed.
  const own = path.join(shared, 'own')
  fs.symlinkSync(empty, own)
  assert.strictEqual(record(own).status, 0)
})

test('a folder of another user that was named, and what is made in one', { skip }, () => {
  const home = path.join(temporaryFolder(), 'home') // in a folder in which no other user makes any, as /home is
  fs.mkdirSync(home)
  give(home)
  assertRefused(home, NEIGHBOURS)
  // As with sudo, in the user's own folder.
  const folder = path.join(home, 'trace')
  assert.strictEqual(record(folder).status, 0)
  assert.strictEqual(fs.statSync(folder).uid, process.getuid())
})

test('folders that others can write to', () => {
  const folder = temporaryFolder()
  for (const mode of [0o777, 0o1777, 0o707]) {
    fs.chmodSync(folder, mode)
    assertRefused(folder, /other users can write to .* and replace what is in it/)
  }
  fs.chmodSync(folder, 0o777)
  assertRefused(path.join(folder, 'trace'), /other users can write to .* and replace what is in it/)
  fs.chmodSync(folder, 0o775)
  fs.chownSync(folder, process.getuid(), process.getgid())
  assert.strictEqual(record(folder).status, 0)
})

test('a folder that a group of others can write to', { skip }, () => {
  const folder = temporaryFolder()
  fs.chownSync(folder, 0, NEIGHBOUR)
  fs.chmodSync(folder, 0o775)
  assertRefused(folder, /other users can write to/)
  // In it, what is made is this user's.
  assert.strictEqual(record(path.join(folder, 'trace')).status, 0)
})

test('makes the folders that are missing, for this user and group', () => {
  const folder = temporaryFolder()
  const trace = path.join(folder, 'a', 'b', 'trace')
  assert.strictEqual(record(path.join(folder, 'a', '..', 'a', '.', 'b', 'trace')).status, 0)
  for (let made = trace; made !== folder; made = path.dirname(made)) {
    assert.strictEqual(fs.statSync(made).mode & 0o777, 0o770 & ~process.umask(), made)
  }
})

test('links in the path, of any form', () => {
  const folder = temporaryFolder()
  fs.mkdirSync(path.join(folder, 'to'))
  fs.symlinkSync('to', path.join(folder, 'relative'))
  fs.symlinkSync(path.join(folder, 'relative'), path.join(folder, 'absolute'))
  fs.symlinkSync('loop', path.join(folder, 'loop'))
  assert.strictEqual(record(path.join(folder, 'absolute', '..', 'relative', 'trace')).status, 0)
  assert.ok(fs.existsSync(path.join(folder, 'to', 'trace')))
  assertRefused(path.join(folder, 'loop', 'trace'), /cannot write a trace to .*loop: Too many levels of symbolic links/)
})

test('names that are too long, files on the way', () => {
  const folder = temporaryFolder()
  fs.writeFileSync(path.join(folder, 'file'), '')
  assertRefused(path.join(folder, 'x'.repeat(256)), /cannot write a trace to .*: File name too long/)
  assertRefused(path.join(folder, 'x'.repeat(256), 'y'), /File name too long/)
  assertRefused('/x'.repeat(2500), /the path of the trace is too long/)
  assertRefused(path.join(folder, 'file', 'trace'), /cannot write a trace to .*file\/trace: .*file: Not a directory/)
})

test('a recording that fails before it begins leaves no folder', () => {
  const folder = temporaryFolder()
  const trace = path.join(folder, 'trace')
  const failed = nftrace(['record', '--output', trace, '--filter', 'level ==', '--', 'true'])
  assert.strictEqual(failed.status, 1)
  assert.deepStrictEqual(fs.readdirSync(folder), [])
  // One that was there stays.
  fs.mkdirSync(trace)
  assert.strictEqual(nftrace(['record', '--output', trace, '--filter', 'level ==', '--', 'true']).status, 1)
  assert.deepStrictEqual(fs.readdirSync(folder), ['trace'])
})
