'use strict'
// What test/data/mixed-trace is a recording of: examples/kiosk.js, and then a
// program whose log records and system calls follow each other within
// microseconds: `nftrace pipe`, which, once up, gets one line at a time.

const { spawn, spawnSync } = require('node:child_process')
const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')

const ROOT = path.join(__dirname, '..', '..')
const LINES = 40
const LINE_MS = 5

async function main () {
  spawnSync(process.execPath, [path.join(ROOT, 'examples', 'kiosk.js')], { stdio: 'inherit' })
  const pipe = spawn(path.join(ROOT, 'build', 'nftrace'), ['pipe'], { stdio: ['pipe', 'ignore', 'inherit'] })
  for (let line = 0; line < LINES; line++) {
    pipe.stdin.write(`${JSON.stringify({ name: 'pipe', level: 30, line, msg: 'line' })}\n`)
    await sleep(LINE_MS)
  }
  pipe.stdin.end()
}

main()
