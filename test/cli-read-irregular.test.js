'use strict'
// What stands in a trace's folder and is no regular file, a FIFO above all, is named
// and passed over: `nftrace read` prints the rest and ends with 1. It never waits.

const assert = require('node:assert')
const { once } = require('node:events')
const fs = require('node:fs')
const net = require('node:net')
const path = require('node:path')
const { test } = require('node:test')

const { nftrace, run } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { writeTrace } = require('./support/ctf')

const TRACE = path.join(__dirname, 'data', 'kernel-user-trace')
const USER = 'ust/uid/0/64-bit' // with 40 of its events, all of CPU 0
const ALL = 8385
const KERNEL = ALL - 40
const TERABYTE = 1024 ** 4

/** Reads a path; kills what waits. */
function read (folder) {
  const { status, signal, stderr, records } = nftrace(['read', '--all', folder], { timeout: 60000, killSignal: 'SIGKILL' })
  assert.strictEqual(signal, null, 'it waits')
  return { status, stderr, records }
}

/** Reads a copy of the trace after a function has done something to its folder. */
async function readAfter (change) {
  const folder = path.join(temporaryFolder(), 'trace')
  fs.cpSync(TRACE, folder, { recursive: true })
  await change(name => path.join(folder, USER, name), folder)
  return { folder: path.join(folder, USER), ...read(folder) }
}

const fifo = file => run('mkfifo', [file])

const replace = name => make => at => {
  fs.rmSync(at(name), { recursive: true, force: true })
  return make(at(name), at)
}

/** What may be there in place of a file, and that is none. */
const KINDS = {
  'a FIFO': fifo,
  'a link to a FIFO': (file, at) => { fifo(at('.fifo')); fs.symlinkSync(at('.fifo'), file) },
  'a link to a device': file => fs.symlinkSync('/dev/zero', file),
  'a link to a terminal': file => fs.symlinkSync('/dev/tty', file),
  'a socket': file => once(net.createServer().listen(file).unref(), 'listening')
}
const FOLDER = { 'a folder': file => fs.mkdirSync(file) }

test('the trace itself is whole', () => {
  const { status, stderr, records } = read(TRACE)
  assert.deepStrictEqual([status, stderr, records.length], [0, '', ALL])
})

for (const [kind, make] of Object.entries(KINDS)) {
  test(`${kind} among a trace's streams, and in place of one`, async () => {
    for (const [name, count] of [['another', ALL], ['channel0_0', KERNEL]]) {
      const { folder, status, stderr, records } = await readAfter(replace(name)(make))
      assert.deepStrictEqual([status, stderr, records.length], [1, `nftrace: ${folder}/${name} is not a regular file\n`, count])
    }
  })
}

for (const [kind, make] of Object.entries({ ...KINDS, ...FOLDER })) {
  test(`${kind} in place of an index`, async () => {
    const { folder, status, stderr, records } = await readAfter(replace('index/channel0_0.idx')(make))
    assert.deepStrictEqual([status, stderr, records.length], [1, `nftrace: ${folder}/index/channel0_0.idx is not a regular file and was not used\n`, ALL])
  })

  test(`${kind} in place of the metadata, and in a folder with nothing else`, async () => {
    const instead = await readAfter(replace('metadata')(make))
    assert.deepStrictEqual([instead.status, instead.stderr, instead.records.length], [1, `nftrace: ${instead.folder}/metadata is not a regular file\n`, KERNEL])
    const beside = await readAfter(async (at, folder) => {
      fs.mkdirSync(path.join(folder, 'alone'))
      await make(path.join(folder, 'alone', 'metadata'), at)
    })
    assert.strictEqual(beside.status, 1)
    assert.match(beside.stderr, /^nftrace: .*\/trace\/alone\/metadata is not a regular file\n/)
    assert.strictEqual(beside.records.length, ALL)
    const alone = temporaryFolder()
    await make(path.join(alone, 'metadata'), name => path.join(alone, name))
    const { status, stderr, records } = read(alone)
    assert.deepStrictEqual([status, stderr, records.length], [1, `nftrace: ${fs.realpathSync(alone)}/metadata is not a regular file\n`, 0])
  })
}

test('in place of the folder of the indexes', async () => {
  for (const make of Object.values(KINDS)) {
    const { folder, status, stderr, records } = await readAfter(replace('index')(make))
    assert.deepStrictEqual([status, stderr, records.length], [1, `nftrace: ${folder}/index is not a regular file\n`, ALL])
  }
})

test('beside metadata that is cut short: it is named as the user knows it', async () => {
  const { folder, status, stderr, records } = await readAfter(at => {
    fifo(at('another'))
    fs.appendFileSync(at('metadata'), 'half a packet')
  })
  assert.deepStrictEqual([status, records.length], [1, ALL])
  assert.match(stderr, new RegExp(`nftrace: ${folder}/another is not a regular file\n`))
})

test('links that lead nowhere; links to regular files are followed', async () => {
  const nowhere = await readAfter(at => fs.symlinkSync('nowhere', at('another')))
  assert.deepStrictEqual([nowhere.status, nowhere.stderr, nowhere.records.length], [1, `nftrace: cannot read ${nowhere.folder}/another: No such file or directory\n`, ALL])
  const round = await readAfter(at => { fs.rmSync(at('metadata')); fs.symlinkSync('metadata', at('metadata')) })
  assert.deepStrictEqual([round.status, round.stderr, round.records.length], [1, `nftrace: cannot read ${round.folder}/metadata: Too many levels of symbolic links\n`, KERNEL])
  const elsewhere = await readAfter(at => {
    const place = temporaryFolder()
    for (const name of ['metadata', 'channel0_0', 'index/channel0_0.idx']) {
      const file = path.join(place, path.basename(name))
      fs.renameSync(at(name), file)
      fs.symlinkSync(file, at(name))
    }
  })
  assert.deepStrictEqual([elsewhere.status, elsewhere.stderr, elsewhere.records.length], [0, '', ALL])
})

test('a folder that is called metadata may have traces in it', () => {
  const place = temporaryFolder()
  fs.cpSync(TRACE, path.join(place, 'metadata'), { recursive: true })
  const { status, stderr, records } = read(place)
  assert.deepStrictEqual([status, stderr, records.length], [0, '', ALL])
})

test('given instead of a trace\'s folder', async () => {
  for (const make of Object.values(KINDS)) {
    const folder = fs.realpathSync(temporaryFolder())
    await make(path.join(folder, 'given'), name => path.join(folder, name))
    const { status, stderr, records } = read(path.join(folder, 'given'))
    assert.deepStrictEqual([status, records], [1, []])
    assert.match(stderr, /^nftrace: \/.* is not a regular file\n$/)
  }
})

test('files of a terabyte that are all hole', async () => {
  for (const [name, message, count] of [
    ['another', /another: left out, it cannot be read/, ALL],
    ['channel0_0', /channel0_0: the last \d+ bytes are left out/, ALL],
    ['index/channel0_0.idx', /channel0_0.idx is damaged and was not used/, ALL],
    ['metadata', /bytes of its metadata are left out/, ALL]
  ]) {
    const { status, stderr, records } = await readAfter(at => {
      fs.closeSync(fs.openSync(at(name), 'a'))
      fs.truncateSync(at(name), TERABYTE)
    })
    assert.match(stderr, message)
    assert.deepStrictEqual([status, records.length], [1, count])
  }
})

test('the copy of a hole takes no room', () => {
  const folder = writeTrace(path.join(temporaryFolder(), 'trace'), { domain: 'ust', types: { 'a:b': { n: 'int32' } }, events: [{ time: 5, cpu: 0, name: 'a:b', payload: { n: 1 } }] })
  const stream = path.join(folder, 'channel_0')
  const file = fs.openSync(stream, 'r+')
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(TERABYTE) * 8n)
  fs.writeSync(file, size, 0, 8, 56) // of the packet: all behind its event is padding
  fs.writeSync(file, 'half a packet', TERABYTE)
  fs.closeSync(file)
  const { status, stderr, records } = read(folder)
  assert.match(stderr, /the last 13 bytes are left out/)
  assert.deepStrictEqual([status, records.map(record => record.payload)], [1, [{ n: 1 }]])
})
