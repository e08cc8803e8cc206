'use strict'
// until(): waits for what a test can see. sleep(): waits for what nobody can see,
// such as that something does not happen; a comment says why.

function sleep (ms) {
  return new Promise(resolve => setTimeout(resolve, ms))
}

/**
 * Waits until a function, which may be async, gives something true, and gives that.
 * Fails after so many seconds with what it waited for: a text, or a function that
 * says how far it came.
 */
async function until (condition, what, { seconds = 30 } = {}) {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const value = await condition()
    if (value) return value
    if (performance.now() > end) throw new Error(`gave up after ${seconds} s of waiting for ${typeof what === 'function' ? what() : what}`)
    await sleep(10)
  }
}

module.exports = { sleep, until }
