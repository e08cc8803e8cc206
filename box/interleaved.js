'use strict'
// Looks in a merged log for what the box is there to show: the kernel's events
// between two log records of one thread.

/** Takes a merged log record by record; see problem(). */
class Interleaved {
  constructor () {
    this.records = 0
    this.events = 0
    this.spans = 0
    this.threads = new Map() // by vtid: 'record', or 'event', one after a record
  }

  /** record: one that `nftrace read --all --context` prints. */
  add ({ context = {} }) {
    const { event, vtid } = context
    if (event === undefined) return
    if (event.startsWith('bunyan:')) {
      this.records++
      if (this.threads.get(vtid) === 'event') this.spans++
      this.threads.set(vtid, 'record')
    } else {
      this.events++
      if (this.threads.has(vtid)) this.threads.set(vtid, 'event')
    }
  }

  /** What was missing, as text; undefined if nothing was. */
  problem () {
    if (this.records === 0) return 'no log record was seen: does the service log through nftrace, at a level that is recorded?'
    if (this.events === 0) return 'no event of the kernel was seen: --kernel and --syscalls choose them'
    if (this.spans === 0) return 'no event of the kernel was seen between two log records of one thread: is there a system call between them, and does --syscalls name it?'
  }

  toString () {
    return `${this.records} log records, ${this.events} events of the kernel, ${this.spans} times some of them between two log records of one thread`
  }
}

module.exports = Interleaved
