'use strict'
// The folders that nftrace uses by itself, for traces that go away again and for
// notes of what is to be cleaned up: never one that another user could exchange.

require('./support/isolate')()

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const { before, test } = require('node:test')

const { nftrace, run, runService, startNftrace } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { until } = require('./support/until')
const { trace } = require('./support/lttng')
const { asNeighbour, COMMAND, give, NEIGHBOUR, sharedFolder, skip, skipRun } = require('./support/neighbour')

const TIMEOUT = 20000 // of a tail that isn't to start
const OTHER = NEIGHBOUR + 1

/** A trace whose reading takes a temporary folder. */
function damagedTrace () {
  const session = trace({ subbuf: '16k', count: '32' })
  runService('count.js', ['damaged', 1000])
  session.end()
  const stream = run('find', [session.folder, '-name', 'channel_*', '-size', '+8k', '-not', '-path', '*/index/*']).split('\n')[0]
  fs.truncateSync(stream, fs.statSync(stream).size - 5000)
  return session.folder
}

let damaged

before(() => { damaged = damagedTrace() })

function readWith (TMPDIR, options = {}) {
  return nftrace(['read', damaged], { env: { ...process.env, TMPDIR }, ...options })
}

function assertRefused (TMPDIR, why) {
  for (const { status, stderr } of [readWith(TMPDIR), nftrace(['tail'], { env: { ...process.env, TMPDIR }, timeout: TIMEOUT })]) {
    assert.match(stderr, why)
    assert.match(stderr, /; set TMPDIR to a folder that only you can write to\n/)
    assert.strictEqual(status, 1)
  }
}

test('TMPDIR: one\'s own, one as /tmp, one that is named in relation to the current folder', () => {
  for (const TMPDIR of [temporaryFolder(), sharedFolder()]) {
    const { records } = readWith(TMPDIR)
    assert.ok(records.length > 100)
    assert.deepStrictEqual(fs.readdirSync(TMPDIR), [])
  }
  const TMPDIR = temporaryFolder()
  assert.ok(readWith(path.basename(TMPDIR), { cwd: path.dirname(TMPDIR) }).records.length > 100)
  assert.match(readWith(path.join(TMPDIR, 'none')).stderr, /no temporary folder in .*none: No such file or directory; set TMPDIR/)
})

test('TMPDIR that others can write to', () => {
  const folder = temporaryFolder()
  fs.chmodSync(folder, 0o777)
  assertRefused(folder, /other users can write to .* and replace what is in it/)
  fs.chmodSync(folder, 0o770)
  assertRefused(folder, /other users can write to/)
  // Nor is one in it any better.
  const inner = path.join(folder, 'inner')
  fs.mkdirSync(inner)
  assertRefused(inner, /other users can write to/)
  assert.deepStrictEqual(fs.readdirSync(inner), [])
})

test('TMPDIR of another user, and one that he has planted', { skip }, () => {
  const NEIGHBOURS = new RegExp(`belongs to another user \\(uid ${NEIGHBOUR}\\)`)
  const folder = give(temporaryFolder())
  const inner = path.join(folder, 'inner')
  fs.mkdirSync(inner)
  const shared = sharedFolder()
  const link = path.join(shared, 'link')
  fs.symlinkSync(temporaryFolder(), link)
  give(link)
  for (const TMPDIR of [folder, inner, link]) assertRefused(TMPDIR, NEIGHBOURS)
})

/** Mounts an empty /run/user for this test file alone. */
function emptyRunUser () {
  run('mkdir', ['-p', '/run/user'])
  run('mount', ['-t', 'tmpfs', '-o', 'mode=0755', 'tmpfs', '/run/user'])
}

/** What a neighbour is to run, with a session daemon in a HOME of his own, which ends with the test. */
function neighbourWithDaemon (t, XDG_RUNTIME_DIR) {
  const HOME = give(temporaryFolder())
  const env = { ...process.env, HOME, LTTNG_HOME: HOME, XDG_RUNTIME_DIR }
  // A daemon keeps the output open.
  assert.strictEqual(asNeighbour('lttng-sessiond', ['--daemonize'], { env, stdio: 'ignore' }).status, 0)
  t.after(() => process.kill(Number(fs.readFileSync(path.join(HOME, '.lttng', 'lttng-sessiond.pid'), 'utf8'))))
  return { env, through: COMMAND }
}

/** A recording that has begun. */
async function startRecord (options) {
  const record = startNftrace(['record'], options)
  await until(() => asNeighbour('lttng', ['list'], { env: options.env }).stdout.includes(`-${record.pid} [active]`), 'the session')
  return record
}

/** Records as the neighbour; what is in a folder meanwhile, and what nftrace says. */
async function recordAsNeighbour (t, XDG_RUNTIME_DIR, folder) {
  const record = await startRecord(neighbourWithDaemon(t, XDG_RUNTIME_DIR))
  const found = fs.existsSync(folder) ? fs.readdirSync(folder) : null
  record.kill('SIGINT')
  await record.ended
  return { found, said: record.text }
}

test('the run-time folder is in XDG_RUNTIME_DIR, and private', { skip: skipRun }, async t => {
  emptyRunUser()
  const place = give(temporaryFolder())
  fs.chmodSync(place, 0o700)
  const own = await recordAsNeighbour(t, place, path.join(place, 'nftrace'))
  assert.match(own.found[0], /^record-/)
  assert.strictEqual(own.found.length, 1)
  const { uid, mode } = fs.statSync(path.join(place, 'nftrace'))
  assert.deepStrictEqual([uid, mode & 0o777], [NEIGHBOUR, 0o700])
  assert.deepStrictEqual(fs.readdirSync(path.join(place, 'nftrace')), [])
  run('umount', ['/run/user'])
})

test('XDG_RUNTIME_DIR of another user is not used, nor what such a one has planted', { skip: skipRun }, async t => {
  emptyRunUser()
  const others = temporaryFolder()
  fs.chownSync(others, OTHER, OTHER)
  fs.chmodSync(others, 0o777)
  const instead = `/run/user/${NEIGHBOUR}`
  fs.mkdirSync(instead)
  give(instead)
  const { found, said } = await recordAsNeighbour(t, others, path.join(instead, 'nftrace'))
  assert.strictEqual(found.length, 1)
  assert.doesNotMatch(said, /no note/)
  assert.deepStrictEqual(fs.readdirSync(others), [])
  // Neither that nor this: without a note, which it says.
  fs.chmodSync(path.join(instead, 'nftrace'), 0o755)
  const planted = `/tmp/nftrace-${NEIGHBOUR}`
  fs.mkdirSync(planted)
  try {
    fs.chownSync(planted, OTHER, OTHER)
    const none = await recordAsNeighbour(t, others, planted)
    assert.deepStrictEqual(none.found, [])
    assert.match(none.said, new RegExp(`no note can be kept of what has to be cleaned up if this nftrace is killed: ${planted}: `))
    assert.match(none.said, /0 records in/)
  } finally {
    fs.rmdirSync(planted)
  }
  run('umount', ['/run/user'])
})

test('a note is for the session daemon that it is about', { skip: skipRun }, async t => {
  const place = give(temporaryFolder())
  fs.chmodSync(place, 0o700)
  const [first, second] = [neighbourWithDaemon(t, place), neighbourWithDaemon(t, place)]
  const record = await startRecord(first)
  record.kill('SIGKILL')
  await record.ended
  const say = options => nftrace(['record', '--', 'true'], options).stderr
  assert.match(say(second), /^nftrace: 0 records in /)
  assert.match(say(first), new RegExp(`^nftrace: the recording \\S+-${record.pid} was left open: `))
  asNeighbour('lttng', ['destroy', '--all'], { env: first.env })
  assert.match(say(first), /^nftrace: 0 records in /)
  assert.deepStrictEqual(fs.readdirSync(path.join(place, 'nftrace')), [])
})

test('a run-time folder that belongs to another user is not used', { skip }, () => {
  fs.chownSync('/run/nftrace', NEIGHBOUR, NEIGHBOUR)
  const { stderr } = nftrace(['record', '--', 'true'])
  fs.chownSync('/run/nftrace', 0, 0)
  assert.match(stderr, /^nftrace: no note can be kept .*: \/run\/nftrace: other users can look into it, or own it\n/)
})

test('a link in the place of the run-time folder is not followed', () => {
  const target = temporaryFolder()
  fs.chmodSync(target, 0o700)
  const aside = temporaryFolder()
  const { stdout, stderr } = nftrace(['record', '--', 'true'], {
    through: ['unshare', '--mount', 'sh', '-c', `
      mount --bind /run/lttng ${aside} && mount -t tmpfs -o mode=0755 tmpfs /run && mkdir /run/lttng &&
      mount --bind ${aside} /run/lttng && ln -s ${target} /run/nftrace && exec "$@"`, 'sh']
  })
  assert.match(stderr, /no note can be kept .*: \/run\/nftrace: (Not a directory|Too many levels of symbolic links)\n.*0 records in/)
  assert.strictEqual(stdout, '')
  assert.deepStrictEqual(fs.readdirSync(target), [])
})
