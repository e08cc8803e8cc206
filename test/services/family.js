'use strict'
// family.js: a service that spawns and forks others while it logs.

const { fork, spawnSync } = require('node:child_process')
const bunyan = require('bunyan')

const log = bunyan.createLogger({ name: 'family', streams: [require('../..')] })
const role = process.argv[2] || 'parent'
log.info(role)
if (role === 'parent') {
  const result = spawnSync('sh', ['-c', 'env | grep -c ^LTTNG_UST_REGISTER_TIMEOUT; exit 0'], { encoding: 'utf8' })
  log.info({ inherited: result.stdout.trim() }, 'after a shell')
  spawnSync(process.execPath, [__filename, 'spawned'])
  fork(__filename, ['forked']).on('exit', () => log.info('parent again'))
}
