'use strict'
// Progress on stderr, programs that are run for a step, and how a step fails.

const { spawn } = require('node:child_process')

const progress = require('../scripts/progress')

/** A failure that has a message for the user, who needs no stack. */
class BoxError extends Error {}

function say (text) {
  process.stderr.write(`box: ${text}\n`)
}

/** Says what work() gives as text, and how long that took. Returns its value. */
async function step (what, work) {
  const began = performance.now()
  progress.show(`box: ${what} …`)
  try {
    const { text, ...value } = await work()
    progress.hide()
    say(`${what}: ${text} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
    return value
  } catch (error) {
    progress.hide()
    throw error
  }
}

/**
 * Runs a program to its end and gives its stdout. Fails with the end of its
 * stderr. Options: cwd, env.
 */
function run (program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const text = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', data => { text[name] += data })
    child.on('error', error => reject(new BoxError(`cannot run ${program}: ${error.message}`)))
    child.on('close', (status, signal) => {
      if (status === 0) return resolve(text.stdout)
      const end = text.stderr.trim().split('\n').slice(-12).join('\n')
      reject(new BoxError(`${[program, ...args].join(' ')} ended with ${signal || `status ${status}`}:\n${end}`))
    })
  })
}

module.exports = { BoxError, run, say, step }
