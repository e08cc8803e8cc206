'use strict'
// The logger of orders.js.

module.exports = require('bunyan').createLogger({ name: 'orders', streams: [require('../..')] })
