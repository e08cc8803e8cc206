'use strict'
// The Bunyan releases that each test of our loggers runs with.

module.exports = ['bunyan1', 'bunyan'].map(name => {
  const bunyan = require(name)
  return { bunyan, version: `Bunyan ${bunyan.VERSION}` }
})
