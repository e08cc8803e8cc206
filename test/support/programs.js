'use strict'
// Where the C test programs are: those of the build under test.

const path = require('node:path')

module.exports = function program (name) {
  return path.resolve(__dirname, '..', '..', process.env.NFTRACE_BUILD || 'build', 'test', 'c', name)
}
