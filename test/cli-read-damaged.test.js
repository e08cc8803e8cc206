'use strict'
// From damaged traces `nftrace read` prints what is there, says what isn't and
// ends with 1; it neither hangs nor leaves files behind.

require('./support/isolate')()

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')

const { nftrace, run, runService } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { trace } = require('./support/lttng')

const COUNT = 1000
const PACKET = 16384
const CONTENT_SIZE = 48 // where it is in a packet
const TIMEOUT = 20000

/** The folder with the streams of a trace that has all of COUNT from each of two CPUs. */
function record () {
  const session = trace({ subbuf: '16k', count: '32' })
  for (const name of ['first', 'second']) runService('count.js', [name, COUNT])
  session.end()
  return path.dirname(run('find', [session.folder, '-name', 'metadata']).trim())
}

/** The largest stream's file. */
function largest (folder) {
  const size = name => fs.statSync(path.join(folder, name)).size
  const streams = fs.readdirSync(folder).filter(name => name.startsWith('channel_'))
  return path.join(folder, streams.sort((a, b) => size(b) - size(a))[0])
}

function overwrite (file, offset, data) {
  const fd = fs.openSync(file, 'r+')
  fs.writeSync(fd, data, 0, data.length, offset)
  fs.closeSync(fd)
}

const whole = record()
const expected = nftrace(['read', whole]).records

function damaged (damage, TMPDIR = temporaryFolder()) {
  const folder = path.join(temporaryFolder(), 'trace')
  fs.cpSync(whole, folder, { recursive: true })
  damage(folder)
  const result = nftrace(['read', folder], { timeout: TIMEOUT, env: { ...process.env, TMPDIR } })
  assert.strictEqual(result.signal, null, 'it hung')
  assert.deepStrictEqual(fs.readdirSync(TMPDIR), [])
  return { folder, ...result, records: result.records }
}

function assertSome (records, atLeast) {
  assert.ok(records.length >= atLeast && records.length < expected.length, `${records.length} of ${expected.length}`)
  const known = new Set(expected.map(record => JSON.stringify(record)))
  for (const record of records) assert.ok(known.has(JSON.stringify(record)))
}

test('the trace itself is whole', () => {
  assert.strictEqual(expected.length, 2 * COUNT)
})

test('a stream that ends within a packet', () => {
  const { status, stderr, records, folder } = damaged(folder => {
    const file = largest(folder)
    fs.truncateSync(file, fs.statSync(file).size - 5000)
  })
  assert.strictEqual(status, 1)
  assert.match(stderr, new RegExp(`${folder}/channel_\\d: the last \\d+ bytes are left out, they are not a whole packet`))
  assertSome(records, expected.length / 2)
})

test('TMPDIR on another file system, which has no room in the end', () => {
  const TMPDIR = temporaryFolder('/dev/shm') // a tmpfs, of which nobody else has files
  const cut = folder => fs.truncateSync(largest(folder), fs.statSync(largest(folder)).size - 5000)
  const roomy = damaged(cut, TMPDIR)
  assert.match(roomy.stderr, /: the last \d+ bytes are left out, they are not a whole packet/)
  assertSome(roomy.records, expected.length / 2)
  run('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', TMPDIR])
  const narrow = damaged(cut, TMPDIR)
  run('umount', [TMPDIR])
  assert.match(narrow.stderr, /: left out, \d+ bytes of it would not go into .*: No space left on device/)
  assert.strictEqual(narrow.status, 1)
})

test('a stream that ends before its last packet, and one that goes on after it', () => {
  const short = damaged(folder => fs.truncateSync(largest(folder), 2 * PACKET))
  assert.strictEqual(short.status, 1)
  assertSome(short.records, 100)
  const long = damaged(folder => fs.appendFileSync(largest(folder), Buffer.alloc(3000, 0xa5)))
  assert.strictEqual(long.status, 1)
  assert.match(long.stderr, /the last 3000 bytes are left out/)
  assert.deepStrictEqual(long.records, expected)
})

test('without an index, a stream is read as far as its packets are whole', () => {
  for (const damage of [
    file => fs.truncateSync(file, 3 * PACKET - 5000),
    file => overwrite(file, 2 * PACKET, Buffer.alloc(100)),
    file => overwrite(file, 2 * PACKET + CONTENT_SIZE, Buffer.alloc(8, 0xff)),
    file => overwrite(file, 2 * PACKET + CONTENT_SIZE + 8, Buffer.alloc(8, 0xff))
  ]) {
    const { status, stderr, records } = damaged(folder => {
      fs.rmSync(path.join(folder, 'index'), { recursive: true })
      damage(largest(folder))
    })
    assert.strictEqual(status, 1)
    assert.match(stderr, /channel_\d: the last \d+ bytes are left out, they are not a whole packet/)
    assertSome(records, 100)
  }
})

test('packets that are overwritten: those behind them are read, too', () => {
  for (const [packets, lost] of [[[2], 1], [[2, 3], 2], [[1, 3], 2]]) {
    const { status, stderr, records, folder } = damaged(folder => {
      for (const packet of packets) overwrite(largest(folder), packet * PACKET, Buffer.alloc(100))
    })
    assert.strictEqual(status, 1)
    assert.match(stderr, new RegExp(`${folder}/channel_\\d: ${lost} of \\d+ packets are left out, they are damaged`))
    assert.match(stderr, new RegExp(`\nnftrace: ${lost} packets? of events lost, with an unknown number of records\n$`))
    const isRecord = record => record.lost === undefined
    assertSome(records.filter(isRecord), 100)
    assert.strictEqual(records.filter(record => !isRecord(record)).reduce((sum, { lost }) => sum + lost.packets, 0), lost)
    const last = expected.at(-1)
    assert.ok(records.some(record => record.time === last.time && record.number === last.number))
  }
})

test('packets whose sizes are overwritten', () => {
  for (const [offset, data] of [[0, Buffer.alloc(8, 0xff)], [0, Buffer.alloc(8)], [8, Buffer.alloc(8, 0xff)], [8, Buffer.alloc(8)]]) {
    const { status, stderr, records, folder } = damaged(folder => overwrite(largest(folder), 2 * PACKET + CONTENT_SIZE + offset, data))
    assert.strictEqual(status, 1)
    assert.match(stderr, new RegExp(`${folder}/channel_\\d: 1 of \\d+ packets are left out, they are damaged`))
    assertSome(records.filter(record => record.lost === undefined), 100)
  }
})

test('a first packet that is overwritten', () => {
  const { status, stderr, records, folder } = damaged(folder => overwrite(largest(folder), 0, Buffer.alloc(100)))
  assert.strictEqual(status, 1)
  assert.match(stderr, new RegExp(`${folder}/channel_\\d: 1 of \\d+ packets are left out, they are damaged`))
  assertSome(records, 100)
})

test('an index that is overwritten: it is not used', () => {
  const SECOND = 16 + 72 // behind the header and the first entry
  for (const [offset, data] of [[0, Buffer.alloc(4)], [12, Buffer.alloc(4)], [SECOND, Buffer.alloc(8, 0x80)], [SECOND + 8, Buffer.alloc(8)], [SECOND + 8, Buffer.alloc(8, 0xff)]]) {
    const { status, stderr, records } = damaged(folder => {
      const file = largest(folder)
      overwrite(path.join(folder, 'index', `${path.basename(file)}.idx`), offset, data)
    })
    assert.match(stderr, /index\/channel_\d\.idx is damaged and was not used\n$/)
    assert.deepStrictEqual(records, expected)
    assert.strictEqual(status, 1)
  }
})

test('an index that is empty, or not there', () => {
  for (const damage of [file => fs.truncateSync(file, 0), file => fs.rmSync(file)]) {
    const { status, stderr, records } = damaged(folder => damage(path.join(folder, 'index', `${path.basename(largest(folder))}.idx`)))
    assert.strictEqual(stderr, '')
    assert.deepStrictEqual(records, expected)
    assert.strictEqual(status, 0)
  }
})

test('events that are overwritten', () => {
  const { status, stdout } = damaged(folder =>
    // To the packet's end: a string that ended before it could look whole.
    overwrite(largest(folder), 2 * PACKET + 1000, Buffer.alloc(PACKET - 1000, 0xfe)))
  assert.strictEqual(status, 1)
  // eslint-disable-next-line no-control-regex
  assert.doesNotMatch(stdout, /[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
})

test('a string that runs out of the last packet, of which babeltrace2 2.0 says nothing', () => {
  const { status, stderr, records, folder } = damaged(folder => {
    const file = largest(folder)
    const bytes = fs.readFileSync(file)
    const at = bytes.lastIndexOf('"filler"')
    overwrite(file, at, Buffer.alloc(bytes.length - at, 'x'))
  })
  assert.match(stderr, new RegExp(`^nftrace: ${folder}/channel_\\d: the rest is left out, it cannot be read: .*\n$`))
  assert.strictEqual(status, 1)
  assertSome(records, 100)
})

test('a stand-in for what is damaged is called by the other\'s name', () => {
  const { status, stderr, folder } = damaged(folder => {
    const file = largest(folder)
    const bytes = fs.readFileSync(file)
    const at = bytes.lastIndexOf('"filler"')
    overwrite(file, at, Buffer.alloc(bytes.length - at, 'x'))
    overwrite(file, PACKET, Buffer.alloc(100))
  })
  assert.match(stderr, new RegExp(`^nftrace: ${folder}/channel_\\d: 1 of \\d+ packets are left out, they are damaged\nnftrace: ${folder}/channel_\\d: the rest is left out`))
  assert.strictEqual(status, 1)
})

test('metadata that is empty, cut, overwritten or in CTF 2', () => {
  for (const [damage, message] of [
    [file => fs.truncateSync(file, 0), /its metadata cannot be read/],
    [file => fs.truncateSync(file, 3000), /its metadata cannot be read/],
    [file => fs.truncateSync(file, 5000), /the last 904 bytes of its metadata are left out/],
    [file => overwrite(file, 0, Buffer.alloc(200, 0x20)), /its metadata cannot be read/],
    [file => overwrite(file, 100, Buffer.alloc(200, 0x21)), /its metadata cannot be read/],
    [file => fs.writeFileSync(file, '\x1e{"type":"preamble","version":2}'), /CTF 2, which takes libbabeltrace2 2\.1/]
  ]) {
    const { status, stderr, records } = damaged(folder => damage(path.join(folder, 'metadata')))
    assert.match(stderr, message)
    assert.strictEqual(status, 1)
    assert.strictEqual(records.length, 0)
  }
})

test('a file that is no stream, an empty stream', () => {
  const other = damaged(folder => fs.writeFileSync(path.join(folder, 'notes'), 'something else'))
  assert.strictEqual(other.status, 1)
  assert.match(other.stderr, /notes: left out, it cannot be read/)
  assert.deepStrictEqual(other.records, expected)
  const empty = damaged(folder => fs.writeFileSync(path.join(folder, 'channel_9'), ''))
  assert.strictEqual(empty.status, 0)
  assert.deepStrictEqual(empty.records, expected)
})

test('one bad trace doesn\'t keep the others from being read', () => {
  const folder = temporaryFolder()
  fs.cpSync(whole, path.join(folder, 'good'), { recursive: true })
  fs.cpSync(whole, path.join(folder, 'bad'), { recursive: true })
  fs.writeFileSync(path.join(folder, 'bad', 'metadata'), 'nonsense')
  const { status, stderr, records } = nftrace(['read', folder])
  assert.strictEqual(status, 1)
  assert.match(stderr, /bad: left out/)
  assert.deepStrictEqual(records, expected)
})

test('no such folder, no trace in it, no argument', () => {
  const nowhere = nftrace(['read', '/nonexistent', whole])
  assert.strictEqual(nowhere.status, 1)
  assert.match(nowhere.stderr, /cannot read \/nonexistent: No such file/)
  assert.deepStrictEqual(nowhere.records, expected)
  // eslint-disable-next-line no-control-regex
  assert.doesNotMatch(nftrace(['read', '/\x1b[2J\x9b2J\x7f']).stderr, /[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
  const empty = nftrace(['read', temporaryFolder()])
  assert.strictEqual(empty.status, 1)
  assert.match(empty.stderr, /no trace in .*: no file "metadata"/)
  const none = nftrace(['read'])
  assert.strictEqual(none.status, 2)
  assert.match(none.stderr, /give the folder of a trace/)
})

test('a process that ended before LTTng was done with it: streams without events, and without a word', () => {
  const folder = path.join(__dirname, 'data', 'unregistered-trace')
  const { status, stdout, stderr } = nftrace(['read', folder])
  assert.strictEqual(stderr, '')
  assert.strictEqual(stdout, '')
  assert.strictEqual(status, 0)
  // With a packet that has more than its headers, something is lost.
  const copy = path.join(temporaryFolder(), 'copy')
  fs.cpSync(folder, copy, { recursive: true })
  const index = run('find', [copy, '-name', 'channel_0.idx']).trim()
  const bytes = fs.readFileSync(index)
  bytes.writeBigUInt64BE(704n, 16 + 16)
  fs.writeFileSync(index, bytes)
  const packet = Buffer.alloc(8)
  packet.writeBigUInt64LE(704n)
  overwrite(path.join(path.dirname(index), '..', 'channel_0'), CONTENT_SIZE, packet)
  const fuller = nftrace(['read', copy])
  assert.strictEqual(fuller.status, 1)
  assert.match(fuller.stderr, /^nftrace: .*channel_0: left out, it cannot be read: .*(No|no data) stream class .*\n$/)
})
