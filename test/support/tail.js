'use strict'
// A running `nftrace tail` for tests: the records it prints, as they come.

const readline = require('node:readline')

const { spawnService, startNftrace } = require('./command')
const { until } = require('./until')

class Tail {
  records = []
  /** When each record came, ms since the epoch. */
  times = []
  stderr = ''
  hasEnded = false

  constructor (args, options = {}) {
    this.child = startNftrace(['tail', ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...options })
    this.child.stderr.on('data', data => { this.stderr += data })
    readline.createInterface({ input: this.child.stdout }).on('line', line => {
      this.times.push(Date.now())
      this.records.push(JSON.parse(line))
    })
    this.ended = this.child.ended
    this.ended.then(() => { this.hasEnded = true })
  }

  /** Waits until there are so many records that a function accepts. */
  async seen (count, accepts = () => true, options = {}) {
    let next = 0
    let accepted = 0
    const said = () => `${count} records, of which ${accepted} came. ${this.stderr}`
    await until(() => {
      const hasEnded = this.hasEnded // looked at first: what it printed last counts
      for (; next < this.records.length; next++) if (accepts(this.records[next])) accepted++
      if (accepted < count && hasEnded) throw new Error(`tail ended; a test waits for ${said()}`)
      return accepted >= count
    }, said, options)
  }

  /** Ends it with a signal; how it ended. */
  async end (signal = 'SIGINT') {
    this.child.kill(signal)
    return await this.ended
  }
}

/** A tail that prints already what services log: a service has logged until it did, and was ended. */
async function startTail (options = {}) {
  const tail = new Tail([], options)
  const { child, ended } = spawnService('count.js', ['first', 100000, 20], options)
  try {
    await tail.seen(1)
  } finally {
    child.kill()
    await ended
  }
  return tail
}

module.exports = { startTail, Tail }
