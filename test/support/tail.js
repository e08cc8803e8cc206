'use strict'
// A running `nftrace tail` for tests: the records it prints, as they come.

const readline = require('node:readline')

const { startNftrace } = require('./command')

class Tail {
  records = []
  /** When each record came, ms since the epoch. */
  times = []
  stderr = ''
  #waiting = []

  constructor (args, options = {}) {
    this.child = startNftrace(['tail', ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...options })
    this.child.stderr.on('data', data => { this.stderr += data })
    readline.createInterface({ input: this.child.stdout }).on('line', line => {
      this.times.push(Date.now())
      this.records.push(JSON.parse(line))
      for (const check of this.#waiting) check()
    })
    this.ended = this.child.ended
  }

  /** Waits until there are so many records that a function accepts. */
  async seen (count, accepts = () => true, timeout = 15000) {
    let timer
    const enough = () => this.records.filter(accepts).length >= count
    await new Promise((resolve, reject) => {
      const check = () => { if (enough()) resolve() }
      this.#waiting.push(check)
      timer = setTimeout(() => reject(new Error(`${this.records.filter(accepts).length} of ${count} records came. ${this.stderr}`)), timeout)
      this.ended.then(({ status, signal }) => reject(new Error(`tail ended: ${status ?? signal}. ${this.stderr}`)))
      check()
    })
    clearTimeout(timer)
  }

  /** Ends it with a signal; how it ended. */
  async end (signal = 'SIGINT') {
    this.child.kill(signal)
    return await this.ended
  }
}

module.exports = { Tail }
