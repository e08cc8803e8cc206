'use strict'
// Lines per second: two Bunyan processes writing them into a pipe, and nftrace
// pipe taking them, recorded and not. Prints the ratios, which should be above 1.

require('../test/support/isolate')()

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const { NFTRACE, ROOT } = require('../test/support/command')
const { temporaryFolder } = require('../test/support/folder')

const LINES = 300000 // of each process

const WRITER = `
  const log = require('bunyan').createLogger({ name: 'shop' })
  for (let n = 0; n < ${LINES}; n++) log.info({ req: { method: 'GET', url: '/item/' + n, headers: { host: 'x' } }, n }, 'request handled')`

function seconds (command, env) {
  const begin = process.hrtime.bigint()
  const { status, stderr } = spawnSync('bash', ['-c', command], { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ...env } })
  if (status !== 0) throw new Error(stderr)
  return Number(process.hrtime.bigint() - begin) / 1e9
}

function bench () {
  const file = path.join(temporaryFolder(), 'lines')
  const writer = `"${process.execPath}" -e "$WRITER"`
  const env = { WRITER }
  const written = 2 * LINES / seconds(`(${writer} & ${writer} & wait) | cat > /dev/null`, env)
  seconds(`${writer} > "${file}"`, env)
  const idle = LINES / seconds(`"${NFTRACE}" pipe < "${file}"`)
  seconds('lttng create; lttng enable-channel -u c --subbuf-size 1M --num-subbuf 8; lttng enable-event -c c -u "bunyan:*"; lttng start')
  const recorded = LINES / seconds(`"${NFTRACE}" pipe < "${file}"`)
  seconds('lttng destroy')
  fs.rmSync(file)
  const print = (what, perSecond) => console.log(`${what.padEnd(34)} ${Math.round(perSecond).toString().padStart(9)} lines/s  ${(perSecond / written).toFixed(2)} ×`)
  print('two Bunyan processes write', written)
  print('nftrace pipe takes, recorded', recorded)
  print('nftrace pipe takes, not recorded', idle)
}

bench()
