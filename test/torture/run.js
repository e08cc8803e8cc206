'use strict'
// run.js: one scenario, in namespaces of its own; started by index.js. The result
// goes to file descriptor 3, as JSON.

const fs = require('node:fs')

const { scenarios } = require('./scenarios')
const { Torture } = require('./support')

const { name, seconds, seed } = JSON.parse(process.env.TORTURE_RUN)

async function main () {
  const torture = new Torture(name, seconds, seed)
  try {
    await scenarios.find(scenario => scenario.name === name).run(torture)
  } catch (error) {
    torture.check(false, String(error.stack))
  }
  await torture.end()
  fs.writeSync(3, JSON.stringify(torture.result))
  endSessiond()
}

/** A session daemon that was asked to end would wait for buffers that a kill has torn. */
function endSessiond () {
  try {
    process.kill(Number(process.env.NFTRACE_SESSIOND_PID), 'SIGKILL')
  } catch {} // there is none, or it was killed before
}

main()
