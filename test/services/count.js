'use strict'
// A service that logs numbered records: count.js NAME COUNT [EVERY_MS [pause]]
// With pause it logs one more, 300 ms after the others.

const bunyan = require('bunyan')
const nftrace = require('../..')

const [name, count, every = '', pause] = process.argv.slice(2)
const log = bunyan.createLogger({ name, streams: [nftrace] })
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

function write (number) {
  log[levels[number % levels.length]]({ number, filler: 'x'.repeat(number % 100) }, `record ${number}`)
}

if (every === '') {
  for (let number = 0; number < Number(count); number++) write(number)
} else {
  let number = 0
  const timer = setInterval(() => {
    write(number++)
    if (number === Number(count)) clearInterval(timer)
  }, Number(every))
}

if (pause !== undefined) setTimeout(write, 300, Number(count))
