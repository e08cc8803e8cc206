'use strict'
// resets.js COUNT: modules are loaded anew so many times, as Jest does for each
// test file, over one addon; loggers of all times go on.

const fs = require('node:fs')
const path = require('node:path')

const OURS = path.dirname(require.resolve('nftrace'))
const BUNYAN = path.dirname(require.resolve('bunyan'))
const memory = { type: 'raw', level: 'trace', stream: { write (record) { fs.appendFileSync(process.env.WRITTEN, JSON.stringify(record) + '\n') } } }

const kept = []
for (let i = 0; i < Number(process.argv[2]); i++) {
  for (const file of Object.keys(require.cache)) {
    if (file.startsWith(OURS) || (i % 2 === 0 && file.startsWith(BUNYAN))) delete require.cache[file]
  }
  const log = require('bunyan').createLogger({ name: `reset-${i}`, streams: [memory, require('nftrace')] })
  kept.push(log)
  log.info({ i }, 'fresh')
  kept[Math.floor(i / 2)].child({ i }).debug('kept')
}
