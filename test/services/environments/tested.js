'use strict'
// tested.js: a test file of somebody's, for node --test.

const { test } = require('node:test')

test('a service that logs', () => {
  require('./basic')
})
