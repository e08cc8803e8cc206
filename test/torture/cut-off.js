'use strict'
// JavaScript that is cut off at random moments, for longer than test/cut-off.test.js.

const { cutOff } = require('../support/cut-off')
const { read } = require('./support')

// cuts in one process
const WAYS = { timeout: 200, builtin: 60, overflow: 40, memory: 40, terminate: 20 }

async function run (torture) {
  const sum = {}
  do {
    for (const [way, cuts] of Object.entries(WAYS)) {
      const seed = Math.floor(torture.random() * 2 ** 31)
      const recording = torture.recording({ subbuf: '8M', blocking: true })
      const { nrCuts, check, missing } = cutOff(way, cuts, seed)
      recording.end()
      try {
        const lost = await read(recording.folder, line => check(JSON.parse(line)), 'utf8')
        torture.check(lost === 0 && missing().length === 0, `${way}, seed ${seed}: ${lost} lost, ${missing().length} not recorded`)
      } catch (error) {
        torture.check(false, `${way}, seed ${seed}: ${error.message}`)
      }
      recording.remove()
      sum[way] = (sum[way] ?? 0) + nrCuts
      torture.progress(`${way}: ${sum[way]} cuts`)
    }
  } while (torture.left > 0)
  torture.note(Object.entries(sum).map(([way, cuts]) => `${way} ${cuts}`).join(', '))
}

module.exports = [{
  name: 'cut-off',
  done: 'JavaScript cut off in the middle of records: timeouts, stack, memory, workers',
  promised: 'each later record is whole and its own, each call that returned recorded',
  weight: 2,
  run
}]
