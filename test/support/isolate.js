'use strict'
// First thing a test file requires: runs the file beside an LTTng daemon of its
// own, by starting it once more under private-lttng and ending with its status.

const { spawnSync } = require('node:child_process')
const path = require('node:path')

const MARK = 'NFTRACE_ISOLATED'

/**
 * env: more variables for private-lttng, such as NFTRACE_NO_SESSIOND. What runs
 * under private-lttng, as benches do, stays where it is.
 */
module.exports = function isolate (env = {}) {
  if (process.env[MARK] === '1') return
  if (process.env.NFTRACE_SESSIOND_PID !== undefined && Object.keys(env).length === 0) return
  const { status, signal, error } = spawnSync(
    path.join(__dirname, 'private-lttng'),
    [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    { stdio: 'inherit', env: { ...process.env, ...env, [MARK]: '1' } }
  )
  if (error !== undefined) throw error
  if (signal !== null) process.kill(process.pid, signal)
  process.exit(status)
}
