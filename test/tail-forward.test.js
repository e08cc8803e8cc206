'use strict'
// What the gate of `nftrace tail` does with connections: all bytes go both ways,
// an end that reads slowly slows the other one down, and each end learns of the
// other's.

const assert = require('node:assert')
const { spawn } = require('node:child_process')
const { createHash, randomBytes } = require('node:crypto')
const { once } = require('node:events')
const fs = require('node:fs')
const net = require('node:net')
const { after, before, test } = require('node:test')

const { until } = require('./support/until')
const { testProgram } = require('./support/command')

const MEBIBYTE = 1024 * 1024

let server
let forward
let port
let accept

before(async () => {
  server = net.createServer({ allowHalfOpen: true }, socket => accept(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  forward = spawn(testProgram('forward'), [String(server.address().port)], { stdio: ['pipe', 'pipe', 'inherit'] })
  port = Number(await once(forward.stdout, 'data'))
})

after(async () => {
  server.close()
  forward.stdin.end()
  assert.deepStrictEqual(await once(forward, 'exit'), [0, null])
})

/** A connection through the program: both its ends. */
async function connect () {
  const inside = new Promise(resolve => { accept = resolve })
  const outside = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  return { outside, inside: await inside }
}

/** Writes some MiB, and then the end; their digest. */
function fill (socket, mebibytes) {
  const hash = createHash('sha256')
  const write = () => {
    while (mebibytes-- > 0) {
      const bytes = randomBytes(MEBIBYTE)
      hash.update(bytes)
      if (!socket.write(bytes)) return socket.once('drain', write)
    }
    socket.end()
  }
  write()
  return once(socket, 'finish').then(() => hash.digest('hex'))
}

async function digest (socket) {
  const hash = createHash('sha256')
  await once(socket.on('data', data => hash.update(data)), 'end')
  return hash.digest('hex')
}

async function text (socket) {
  let text = ''
  await once(socket.on('data', data => { text += data }), 'end')
  return text
}

/** The program's memory, in MiB. */
function memory () {
  return Number(fs.readFileSync(`/proc/${forward.pid}/statm`, 'utf8').split(' ')[1]) * 4096 / MEBIBYTE
}

test('all bytes, both ways at once', async () => {
  const { outside, inside } = await connect()
  const [sent, answered, arrived, read] = await Promise.all([fill(outside, 50), fill(inside, 50), digest(inside), digest(outside)])
  assert.strictEqual(arrived, sent)
  assert.strictEqual(read, answered)
})

test('an end that has ended can be answered', async () => {
  const { outside, inside } = await connect()
  outside.end('question')
  assert.strictEqual(await text(inside), 'question')
  inside.end('answer')
  assert.strictEqual(await text(outside), 'answer')
})

test('an end that does not read keeps the other one from writing', async () => {
  const { outside, inside } = await connect()
  const before = memory()
  const sent = fill(outside, 100)
  let written
  await until(() => written === (written = outside.bytesWritten - outside.writableLength), 'the writer to be held up')
  assert.ok(written < 50 * MEBIBYTE, `${written} bytes`)
  assert.ok(memory() - before < 10, `${memory() - before} MiB`)
  assert.strictEqual(await digest(inside), await sent)
  inside.end()
})

test('an end that breaks off ends the other one', async () => {
  for (const [first, second] of [['outside', 'inside'], ['inside', 'outside']]) {
    const ends = await connect()
    const ended = once(ends[second].resume(), 'end')
    ends[first].resetAndDestroy()
    await ended
    ends[second].end()
  }
})

test('nobody listens inside: the connection is closed', async () => {
  server.close()
  await once(server, 'close')
  const outside = net.connect(port, '127.0.0.1').on('error', () => {})
  await once(outside, 'close')
  assert.strictEqual(outside.bytesRead, 0)
})
