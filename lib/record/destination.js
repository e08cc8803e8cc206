'use strict'
// What our streams have in common: to a program they are Node's own Writable.

const { Writable } = require('node:stream')

/**
 * A Writable whose write() records the data before it returns. So no data ever waits in
 * it: write() returns true, and calls back in the next tick. A class that
 * extends it has a method record(data), which may throw.
 */
class Destination extends Writable {
  constructor () {
    super({ objectMode: true, write: (_data, _encoding, callback) => callback() })
    this.isOpen = true // writableEnded and destroyed, which cost a record more to read
  }

  /** A write after the end is no reason to stop a service: only its callback gets the error. */
  write (data, encoding, callback) {
    const done = typeof encoding === 'function' ? encoding : callback
    const { isOpen } = this
    if (isOpen) {
      try {
        this.record(data)
      } catch {
        // The service must not stop for a record that can't even be described.
      }
    }
    if (typeof done === 'function') process.nextTick(done, isOpen ? null : writeAfterEnd())
    return isOpen
  }

  end (data, encoding, callback) {
    const done = [data, encoding, callback].find(argument => typeof argument === 'function')
    if (data !== undefined && data !== null && data !== done) this.write(data)
    this.isOpen = false
    return super.end(done)
  }

  _destroy (error, callback) {
    this.isOpen = false
    callback(error)
  }
}

function writeAfterEnd () {
  return Object.assign(new Error('write after end'), { code: 'ERR_STREAM_WRITE_AFTER_END' })
}

module.exports = { Destination }
