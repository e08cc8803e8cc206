'use strict'
// What scenarios are made of: time, chance, services, sessions and a result.

const { fork, spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')

const { temporaryFolder } = require('../support/folder')
const { NFTRACE } = require('../support/command')
const { Session } = require('../support/lttng')
const { generator } = require('../support/random')

const { map, SLOT } = require('./memory')

const SERVICE = path.join(__dirname, '..', 'services', 'torture.js')

// Flags for a Node whose memory is looked at: the heap's youngest part, which would
// else grow for minutes, has one size.
const STEADY_MEMORY = ['--expose-gc', '--max-semi-space-size=1']

/** Shared memory for the threads of a service. Not in /dev/shm, which scenarios fill. */
class Shared {
  constructor (slots) {
    this.path = path.join(temporaryFolder(), 'shared')
    fs.writeFileSync(this.path, Buffer.alloc(slots * SLOT * 8))
    this.words = new Float64Array(map(this.path))
    this.slots = slots
  }

  get (slot, word) { return this.words[slot * SLOT + word] }
  clear () { this.words.fill(0) }
  sum (word) { return Array.from({ length: this.slots }, (_, slot) => this.get(slot, word)).reduce((a, b) => a + b, 0) }
  worst (word) { return Math.max(...Array.from({ length: this.slots }, (_, slot) => this.get(slot, word))) }
  remove () { fs.rmSync(path.dirname(this.path), { recursive: true }) }
}

/** A session of 4 × 4 MiB buffers, unless options of Session say otherwise, that has started. */
class Recording extends Session {
  constructor (options) {
    super({ subbuf: '4M', ...options })
    this.enable('bunyan:*').start()
  }

  /** Ends the session; calls take(record) for each record. Returns how many were lost. */
  async finish (take, encoding) {
    this.end()
    const lost = await read(this.folder, take, encoding)
    this.remove()
    return lost
  }

  remove () { fs.rmSync(this.folder, { recursive: true, force: true }) }
}

const LOST = /^\{"name":"nftrace".*"lost":\{/

/** Reads a trace with the nftrace command; returns how many events were lost. latin1 will do for what is ASCII. */
async function read (directory, take, encoding = 'latin1') {
  const child = spawn(NFTRACE, ['read', directory], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', data => { said += data })
  const closed = once(child, 'close')
  let lost = 0
  let rest = ''
  child.stdout.setEncoding(encoding)
  for await (const chunk of child.stdout) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      if (LOST.test(line)) lost += JSON.parse(line).lost.events ?? 0
      else take(line)
    }
  }
  const [status] = await closed
  if (status !== 0) throw new Error(`nftrace read ended with ${status}: ${said}`)
  return lost
}

class Torture {
  #cleanups = []
  constructor (name, seconds, seed) {
    this.seconds = seconds
    this.deadline = Date.now() + seconds * 1000
    this.random = generator(seed, name)
    this.result = { broken: [], notes: [] }
  }

  get left () { return Math.max(0, this.deadline - Date.now()) }
  progress (text) { process.stderr.write(`progress: ${text}\n`) }
  note (text) { this.result.notes.push(text) }
  check (condition, message) { if (!condition) this.result.broken.push(message) }
  defer (cleanup) { this.#cleanups.push(cleanup) }

  recording (options) { return new Recording(options) }

  shared (slots) {
    const shared = new Shared(slots)
    this.defer(() => shared.remove())
    return shared
  }

  /** Starts services/torture.js. options: see there; env: more variables; node: flags. */
  service (shared, options, { env = {}, node = [], execPath, uid } = {}) {
    const child = fork(SERVICE, [], {
      env: { ...process.env, ...env, TORTURE_SERVICE: JSON.stringify({ shared: shared.path, ...options }) },
      execArgv: node,
      ...(execPath && { execPath }),
      ...(uid && { uid, gid: uid }),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc']
    })
    child.said = ''
    child.stderr.setEncoding('utf8').on('data', data => { child.said += data })
    child.ended = once(child, 'close').then(([status, signal]) => ({ status, signal }))
    child.on('error', () => {}) // a message to one that was killed
    this.defer(async () => {
      child.kill('SIGKILL')
      await child.ended
    })
    return child
  }

  async end () {
    for (const cleanup of this.#cleanups.reverse()) await cleanup()
  }
}

/** Asks a steady service something; see services/torture.js. */
async function ask (child, question) {
  child.send(question)
  const [answer] = await Promise.race([once(child, 'message'),
    child.ended.then(end => { throw new Error(`the service ended: ${JSON.stringify(end)} ${child.said}`) })])
  return answer
}

module.exports = { ask, read, STEADY_MEMORY, Torture }
