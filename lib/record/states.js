'use strict'
// The levels' states: LTTng-UST sets one to 1 while a tracing session
// wants that level, else to 0, from its own threads, without telling anybody. So
// they are memory to be read, which takes about a nanosecond.

const native = require('../native')
const { LEVELS } = require('./contract')

/** Read like an Int32Array of one word, where memory can't be shared. */
class CalledState {
  #addon
  #index
  constructor (addon, index) {
    this.#addon = addon
    this.#index = index
  }

  get 0 () { return this.#addon.state(this.#index) }
}

/** The states over an addon's memory; by calls where the runtime forbids that. */
function mapStates (addon) {
  if (addon.unavailable !== null) return LEVELS.map(() => new Int32Array(1))
  const buffers = addon.words()
  return buffers === null
    ? LEVELS.map((_, index) => new CalledState(addon, index))
    : buffers.map(buffer => new Int32Array(buffer))
}

module.exports = { states: mapStates(native), mapStates }
