'use strict'
// installed.js DIRECTORY: logs once with the nftrace that is installed there;
// prints what was traced, or why nothing was. To be run in private-lttng.

const { createRequire } = require('node:module')
const path = require('node:path')

const { trace } = require('../support/lttng')

const nftrace = createRequire(path.join(process.argv[2], 'index.js'))('nftrace')
if (nftrace.available) {
  const session = trace()
  nftrace.stream.write({ name: 'installed', hostname: 'h', pid: 1, level: 30, msg: 'works', time: new Date(), v: 0 })
  console.log(session.finish().map(event => event.payload.msg).join())
} else {
  console.log(nftrace.reason)
}
