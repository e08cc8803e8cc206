'use strict'
// A module of a service whose logger tests replace.

const log = require('./orders-log')

exports.logOrder = order => log.info({ order }, 'order placed')
