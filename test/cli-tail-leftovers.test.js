'use strict'
// What a killed `nftrace tail` leaves is cleaned up, by its keeper or by the next
// tail; what isn't provably of one stays.

require('./support/isolate')()

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')

const { childOf, isRunning, run, startService } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { until } = require('./support/until')
const { lttng } = require('./support/lttng')
const { give, sharedFolder, skip } = require('./support/neighbour')
const { startTail } = require('./support/tail')

const RUNTIME = '/run/nftrace'

function sessions () {
  return [...run('lttng', ['list']).matchAll(/^ *\d+\) (\S+)/gm)].map(([, name]) => name)
}

async function startTailIn (TMPDIR) {
  const tail = await startTail({ env: { ...process.env, TMPDIR } })
  tail.session = sessions().find(name => name.endsWith(`-${tail.child.pid}`))
  return tail
}

/** Kills tail, and its keeper before that has done anything; the folder that they leave in TMPDIR. */
async function killAll (tail, TMPDIR) {
  const keeper = childOf(tail.child, 'nftrace')
  const relayd = childOf(tail.child, 'lttng-relayd')
  process.kill(keeper, 'SIGSTOP')
  tail.child.kill('SIGKILL')
  await until(() => !isRunning(relayd), 'the end of its relay daemon')
  process.kill(keeper, 'SIGKILL')
  await tail.ended
  assert.ok(sessions().includes(tail.session))
  return path.join(TMPDIR, fs.readdirSync(TMPDIR)[0])
}

/** Lets the next tail start and end. */
async function next (TMPDIR) {
  const tail = await startTailIn(TMPDIR)
  assert.deepStrictEqual(await tail.end(), { status: 0, signal: null })
  assert.strictEqual(tail.stderr, '')
}

test('killed: its keeper cleans up', async () => {
  const TMPDIR = temporaryFolder()
  const tail = await startTailIn(TMPDIR)
  const relayd = childOf(tail.child, 'lttng-relayd')
  assert.strictEqual(fs.readdirSync(TMPDIR).length, 1)
  assert.strictEqual(fs.readdirSync(RUNTIME).length, 1)
  assert.deepStrictEqual(await tail.end('SIGKILL'), { status: null, signal: 'SIGKILL' })
  await until(() => fs.readdirSync(RUNTIME).length === 0, 'the keeper')
  assert.deepStrictEqual(fs.readdirSync(TMPDIR), [])
  await until(() => !isRunning(relayd), 'the end of its relay daemon')
  await until(() => sessions().length === 0, 'the end of the session')
  assert.strictEqual(tail.stderr, '')
})

test('killed with its keeper: the next tail cleans up, beside one that runs', async () => {
  const TMPDIR = temporaryFolder()
  const tail = await startTailIn(TMPDIR)
  await killAll(tail, TMPDIR)
  const other = await startTailIn(TMPDIR)
  assert.ok(!sessions().includes(tail.session))
  const third = await startTailIn(TMPDIR)
  await other.seen(2)
  assert.strictEqual(fs.readdirSync(TMPDIR).length, 2)
  assert.deepStrictEqual(sessions().sort(), [other.session, third.session].sort())
  await other.end()
  await third.end()
  assert.deepStrictEqual(fs.readdirSync(TMPDIR), [])
  assert.deepStrictEqual(fs.readdirSync(RUNTIME), [])
  assert.deepStrictEqual(sessions(), [])
})

test('a keeper that was killed: tail says so at its end, and the next one cleans up', async () => {
  const TMPDIR = temporaryFolder()
  const tail = await startTailIn(TMPDIR)
  const keeper = childOf(tail.child, 'nftrace')
  process.kill(keeper, 'SIGKILL')
  await startService('count.js', ['after', 30, 20])
  await tail.seen(30, record => record.name === 'after')
  assert.deepStrictEqual(await tail.end(), { status: 1, signal: null })
  assert.match(tail.stderr, new RegExp(`^nftrace: the process that cleans up after nftrace tail \\(${keeper}\\) was killed; the next nftrace tail does it\n$`))
  await next(TMPDIR)
  assert.deepStrictEqual([fs.readdirSync(TMPDIR), fs.readdirSync(RUNTIME), sessions()], [[], [], []])
})

test('sessions that are only called like one of tail\'s stay', async () => {
  const TMPDIR = temporaryFolder()
  const names = ['nftrace-tail-1', 'nftrace-tail-4194303', 'nftrace-tail-20200101-000000-4194303']
  for (const name of names) lttng('create', name, '--output', path.join(temporaryFolder(), 'trace'))
  const tail = await startTailIn(TMPDIR)
  await killAll(tail, TMPDIR)
  // The same name again, but it isn't the session that was left.
  spawnSync('lttng', ['destroy', tail.session]) // which tells that its relay daemon is gone
  const second = Math.floor(Date.now() / 1000)
  await until(() => Date.now() / 1000 > second + 1, 'another second')
  lttng('create', tail.session, '--output', path.join(temporaryFolder(), 'trace'))
  await next(TMPDIR)
  assert.deepStrictEqual(sessions().sort(), [...names, tail.session].sort())
  assert.deepStrictEqual([fs.readdirSync(TMPDIR), fs.readdirSync(RUNTIME)], [[], []])
  lttng('destroy', '--all')
})

test('its folder is removed, and nothing that a link in it leads to', async () => {
  const TMPDIR = temporaryFolder()
  const victim = temporaryFolder()
  fs.writeFileSync(path.join(victim, 'file'), '')
  const folder = await killAll(await startTailIn(TMPDIR), TMPDIR)
  fs.symlinkSync(victim, path.join(folder, 'link'))
  run('mkfifo', [path.join(folder, 'fifo')])
  await next(TMPDIR)
  assert.deepStrictEqual(fs.readdirSync(TMPDIR), [])
  assert.deepStrictEqual(fs.readdirSync(victim), ['file'])
})

test('another folder in the place of its own stays', async () => {
  const TMPDIR = temporaryFolder()
  const folder = await killAll(await startTailIn(TMPDIR), TMPDIR)
  fs.renameSync(folder, `${folder}-moved`)
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, 'file'), '')
  await next(TMPDIR)
  assert.deepStrictEqual(fs.readdirSync(folder), ['file'])
})

test('a file system that is mounted in it stays, and so does the rest', async () => {
  const TMPDIR = temporaryFolder()
  const folder = await killAll(await startTailIn(TMPDIR), TMPDIR)
  const mounted = path.join(folder, 'mounted')
  fs.mkdirSync(mounted)
  run('mount', ['-t', 'tmpfs', 'tmpfs', mounted])
  fs.writeFileSync(path.join(mounted, 'file'), '')
  await next(TMPDIR)
  assert.deepStrictEqual(fs.readdirSync(mounted), ['file'])
  run('umount', [mounted])
  await next(TMPDIR)
  assert.deepStrictEqual([fs.readdirSync(TMPDIR), fs.readdirSync(RUNTIME)], [[], []])
})

test('folders that another user has planted are neither removed nor waited for', { skip }, async () => {
  const TMPDIR = sharedFolder()
  const victim = temporaryFolder()
  fs.writeFileSync(path.join(victim, 'file'), '')
  for (const name of ['nftrace-tail-aaaaaa', 'nftrace-tail-bbbbbb']) fs.mkdirSync(path.join(TMPDIR, name))
  fs.writeFileSync(path.join(TMPDIR, 'nftrace-tail-aaaaaa', 'pid'), '4194303\n')
  fs.symlinkSync(victim, path.join(TMPDIR, 'nftrace-tail-aaaaaa', 'inner'))
  run('mkfifo', [path.join(TMPDIR, 'nftrace-tail-bbbbbb', 'pid')])
  const planted = () => run('find', [TMPDIR, '-printf', '%P %y %u\n']).split('\n').sort()
  for (const name of fs.readdirSync(TMPDIR)) give(path.join(TMPDIR, name))
  const before = planted()
  await next(TMPDIR)
  assert.deepStrictEqual(planted(), before)
  assert.deepStrictEqual(fs.readdirSync(victim), ['file'])
})

test('whatever else is in the run-time folder is left alone', async () => {
  const TMPDIR = temporaryFolder()
  const victim = path.join(temporaryFolder(), 'victim')
  fs.writeFileSync(victim, 'home -\nsession - 0\nfolder 0 0 -')
  run('mkfifo', [path.join(RUNTIME, 'tail-fifo')])
  fs.mkdirSync(path.join(RUNTIME, 'tail-folder'))
  fs.writeFileSync(path.join(RUNTIME, 'tail-text'), 'not a mark')
  fs.symlinkSync(victim, path.join(RUNTIME, 'tail-link'))
  await next(TMPDIR)
  assert.deepStrictEqual(fs.readdirSync(RUNTIME).sort(), ['tail-fifo', 'tail-folder', 'tail-link', 'tail-text'])
  assert.ok(fs.existsSync(victim))
  run('sh', ['-c', `rm -r ${RUNTIME}/*`])
})

test('a folder of another user that a mark names stays', { skip }, async () => {
  const TMPDIR = sharedFolder()
  const folder = path.join(TMPDIR, 'nftrace-tail-aaaaaa')
  fs.mkdirSync(folder)
  const { dev, ino } = fs.statSync(folder)
  fs.writeFileSync(path.join(folder, 'file'), '')
  give(folder)
  fs.writeFileSync(path.join(RUNTIME, 'tail-0'), `home -\nsession - 0\nfolder ${dev} ${ino} ${folder}`)
  await next(TMPDIR)
  assert.deepStrictEqual(fs.readdirSync(folder), ['file'])
  fs.rmSync(path.join(RUNTIME, 'tail-0'))
})

test('without a run-time folder it works, and says what that means', async () => {
  const TMPDIR = temporaryFolder()
  fs.chmodSync(RUNTIME, 0o755)
  const tail = await startTailIn(TMPDIR)
  assert.deepStrictEqual(await tail.end(), { status: 0, signal: null })
  assert.match(tail.stderr, /^nftrace: no note can be kept of what has to be cleaned up if this nftrace is killed: \/run\/nftrace: other users can look into it, or own it\n$/)
  assert.deepStrictEqual([fs.readdirSync(TMPDIR), fs.readdirSync(RUNTIME), sessions()], [[], [], []])
  fs.chmodSync(RUNTIME, 0o700)
})
