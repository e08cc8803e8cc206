'use strict'
// Who logs. A record's name, hostname and pid rarely change, so the addon keeps
// them in numbered slots and is told a slot with each record.

const native = require('../native')
const { isExactText } = require('./text')

const MAX_SLOTS = 1024
const MAX_LENGTH = 1024 // of a name or hostname worth a slot of its own
const SHARED_SLOT = 0
const NOBODY = { name: undefined, hostname: undefined, pid: undefined, slot: SHARED_SLOT, exact: true }

/**
 * Slots of one addon. Belongs to the addon and not to this module, of which
 * there may be several copies in an environment (as test runners make them).
 */
class Identities {
  #byName = new Map()
  #nrSlots = 0
  #last = NOBODY

  /**
   * The identity { slot, exact } of two strings and an int32; exact: whether the
   * payload carries both strings as they are.
   */
  get (name, hostname, pid) {
    const last = this.#last
    if (last.name === name && last.hostname === hostname && last.pid === pid) return last
    return this.#find(name, hostname, pid)
  }

  #find (name, hostname, pid) {
    let identity = this.#byName.get(name)
    if (identity === undefined || identity.hostname !== hostname || identity.pid !== pid) {
      identity = this.#add(name, hostname, pid, identity)
    }
    this.#last = identity
    return identity
  }

  /**
   * What a slot held is forgotten before the addon is told what it holds now: should
   * JavaScript be cut off in between, no record gets another one's name.
   */
  #add (name, hostname, pid, previous) {
    const exact = isExactText(name) && isExactText(hostname)
    const identity = { name, hostname, pid, slot: SHARED_SLOT, exact }
    this.#last = NOBODY
    if (name.length <= MAX_LENGTH && hostname.length <= MAX_LENGTH) {
      this.#byName.delete(name)
      identity.slot = previous === undefined ? this.#newSlot() : previous.slot
    }
    native.identify(identity.slot, name, hostname, pid)
    if (identity.slot !== SHARED_SLOT) this.#byName.set(name, identity)
    return identity
  }

  #newSlot () {
    if (this.#nrSlots === MAX_SLOTS) {
      this.#byName.clear()
      this.#nrSlots = 0
    }
    return ++this.#nrSlots
  }
}

const key = Symbol.for('nftrace.identities.1')
if (native[key] === undefined) Object.defineProperty(native, key, { value: new Identities() })

module.exports = native[key]
