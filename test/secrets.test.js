'use strict'
// Secrets that are logged in every way there is, in Bunyan and in pino, to a session
// and through the fallback and nftrace pipe, are nowhere afterwards: not in the
// buffers, not in the traces, not in what anybody prints. Their records are there.

require('./support/isolate')()

const assert = require('node:assert')
const { spawn, spawnSync } = require('node:child_process')
const { randomBytes } = require('node:crypto')
const { once } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const { beginningOf, CENSOR, controlOf, MODES, waysOf } = require('./services/secrets')
const { NFTRACE, nftrace } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { until } = require('./support/until')
const { trace } = require('./support/lttng')

const SERVICE = path.join(__dirname, 'services', 'secrets.js')
const seed = randomBytes(8).toString('hex')
const ways = MODES.flatMap(mode => waysOf(seed, mode))

/** Whether bytes hold a text, as UTF-8 or as UTF-16. */
const holds = (bytes, text) => ['utf8', 'utf16le'].some(encoding => bytes.includes(Buffer.from(text, encoding))) ||
  bytes.includes(Buffer.from(text, 'utf16le').swap16())

/** Whose secrets bytes hold, or an empty list. */
function secretsIn (bytes) {
  if (!holds(bytes, beginningOf(seed))) return []
  const found = ways.filter(({ secret }) => holds(bytes, secret)).map(({ id }) => id)
  return found.length > 0 ? found : ['one that is cut']
}

/** Checks that bytes hold what is no secret, and no secret. */
function check (bytes, what) {
  assert.deepStrictEqual(secretsIn(bytes), [], what)
  assert.ok(holds(bytes, controlOf(seed)), `the search finds what is in ${what}`)
}

/** The bytes of all files in folders, one after the other. */
function filesIn (...folders) {
  const files = folders.flatMap(folder => fs.readdirSync(folder, { recursive: true }).map(file => path.join(folder, file)))
  return Buffer.concat(files.filter(file => fs.lstatSync(file).isFile()).map(file => fs.readFileSync(file)))
}

/** The memory that a process shares with others, ring buffers above all: their files are deleted while they are in use. */
function sharedMemoryOf (pid) {
  const memory = fs.openSync(`/proc/${pid}/mem`)
  const parts = [...fs.readFileSync(`/proc/${pid}/maps`, 'utf8').matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw.s .*$/gm)].map(([, from, to]) => {
    const start = parseInt(from, 16)
    const bytes = Buffer.alloc(parseInt(to, 16) - start)
    assert.strictEqual(fs.readSync(memory, bytes, 0, bytes.length, start), bytes.length)
    return bytes
  })
  fs.closeSync(memory)
  return Buffer.concat(parts)
}

test('the search finds secrets, whole and cut, in each encoding', () => {
  const { secret, id } = ways[0]
  for (const encoding of ['utf8', 'utf16le']) {
    assert.deepStrictEqual(secretsIn(Buffer.from(`before ${secret} after`, encoding)), [id])
    assert.deepStrictEqual(secretsIn(Buffer.from(`before ${secret.slice(0, -1)}…`, encoding)), ['one that is cut'])
  }
  assert.deepStrictEqual(secretsIn(Buffer.from(secret, 'utf16le').swap16()), [id])
  assert.strictEqual(new Set(ways.map(({ secret }) => secret)).size, ways.length)
  assert.ok(ways.length > 2 * 40)
})

test('no secret is anywhere; each record is there', async () => {
  const shm = temporaryFolder()
  const kept = trace({ subbuf: '4M', create: ['--shm-path', shm] }) // one buffer of all processes, in files
  const own = trace({ subbuf: '4M', buffers: 'pid' }) // one of each process, in deleted files

  const service = spawn(process.execPath, [SERVICE, seed, 'live'])
  const output = []
  for (const stream of [service.stdout, service.stderr]) stream.on('data', data => output.push(data))
  const text = () => Buffer.concat(output).toString()
  try {
    await until(() => service.exitCode !== null || text().includes('all is logged'), 'the service')
    assert.strictEqual(service.exitCode, null, text())
    check(sharedMemoryOf(service.pid), 'the shared memory of a service')
  } finally {
    service.stdin.end()
  }
  await once(service, 'close')
  check(Buffer.concat(output), 'what the service prints')

  const piped = spawnSync('sh', ['-c', '"$0" "$1" "$2" piped | "$3" pipe --tee', process.execPath, SERVICE, seed, NFTRACE], { maxBuffer: 1 << 26 })
  assert.strictEqual(piped.status, 0, String(piped.stderr))
  check(piped.stdout, 'what goes through the pipe')
  check(piped.stderr, 'what is said beside')

  check(filesIn(shm), 'the files of the buffers')
  assert.deepStrictEqual(secretsIn(filesIn('/dev/shm', '/run/lttng', process.env.LTTNG_HOME)), [])
  for (const session of [kept, own]) {
    session.end()
    check(filesIn(session.folder), 'the files of a trace')
    const read = nftrace(['read', '--lost-fails', session.folder])
    assert.strictEqual(read.status, 0, read.stderr)
    check(Buffer.from(read.stdout), 'what nftrace read prints')
    assert.deepStrictEqual(secretsIn(Buffer.from(read.stderr)), [])
    const lines = read.stdout.split('\n')
    for (const { id, isMarked } of ways) {
      const found = lines.filter(line => line.includes(id))
      assert.ok(found.length > 0, `no record: ${id}`)
      assert.ok(!isMarked || found.some(line => line.includes(CENSOR)), `${id}: ${found[0]}`)
    }
  }
})
