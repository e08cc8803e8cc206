'use strict'
// Chance that repeats itself: numbers that are the same for the same seed.

/** A function that gives numbers from 0 to 1, of a seed and maybe a name (mulberry32). */
function generator (seed, name = '') {
  let state = seed | 0
  for (const character of name) state = Math.imul(state ^ character.codePointAt(0), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** A function that gives whole numbers from 0 to below the bound that it is given. */
function numbersBelow (seed) {
  const next = generator(seed)
  return bound => Math.floor(next() * bound)
}

module.exports = { generator, numbersBelow }
