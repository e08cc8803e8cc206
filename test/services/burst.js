'use strict'
// burst.js HOW WHERE: logs numbered records as fast as it can, in the main
// thread, a worker or a cluster worker, until it ends itself in the middle, by
// HOW: sigkill, sigsegv, abort, exit. The number of each call that returned is
// in the file $COUNTER, which outlives the process whatever its end.

const cluster = require('node:cluster')
const fs = require('node:fs')
const path = require('node:path')
const { Worker, isMainThread } = require('node:worker_threads')
const bunyan = require('bunyan')

const nftrace = require('../..')

const [how, where] = process.argv.slice(2)
const ends = {
  sigkill: () => process.kill(process.pid, 'SIGKILL'),
  sigsegv: () => process.kill(process.pid, 'SIGSEGV'),
  abort: () => process.abort(),
  exit: () => process.exit(7)
}

function burst () {
  const log = bunyan.createLogger({ name: 'burst', streams: [nftrace] })
  const counter = fs.openSync(process.env.COUNTER, 'r+')
  const number = Buffer.alloc(8)
  const last = 2000 + Math.floor(Math.random() * 2000)
  for (let i = 1; ; i++) {
    log.debug({ i, where }, 'record %d', i)
    number.writeBigInt64LE(BigInt(i))
    fs.writeSync(counter, number, 0, 8, 0)
    if (i === last) ends[how]()
  }
}

if (where === 'worker' && isMainThread) {
  // eslint-disable-next-line no-new
  new Worker(__filename, { argv: [how, where] })
} else if (where === 'cluster' && cluster.isPrimary) {
  cluster.setupPrimary({ exec: path.join(__dirname, 'burst.js'), args: [how, where] })
  cluster.fork().on('exit', (code, signal) => process.exit(signal === null ? code : 1))
} else {
  burst()
}
