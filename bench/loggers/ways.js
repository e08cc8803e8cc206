'use strict'
// The ways to log that index.js compares, each in the settings that its
// documentation recommends, and the messages they are given.

const { setTimeout: sleep } = require('node:timers/promises')

const REQ = { method: 'GET', url: '/order/17' }
const HEADERS = { host: 'localhost:8080', connection: 'keep-alive', 'user-agent': 'curl/7.88.1', accept: '*/*' }
const ERROR = new Error('broken pipe')
const KB = { req: { ...REQ, headers: HEADERS }, res: { status: 200, headers: HEADERS }, text: 'x'.repeat(150), items: Array.from({ length: 10 }, (_, id) => ({ id, name: `item ${id}`, price: id * 1.5 })) }
const KB16 = { list: Array.from({ length: 128 }, (_, i) => ({ i, ...HEADERS })) }

// calls a second in each thread: those of a busy service, 60 MB/s at the most
const MESSAGES = {
  short: { rate: 20000 },
  object: { rate: 20000 },
  error: { rate: 10000 },
  '1 KB': { rate: 10000 },
  '16 KB': { rate: 3000 }
}

/** Calls of a logger whose methods take an object and then a message. */
function objectFirst (log) {
  return {
    short: () => log.info('order placed'),
    object: n => log.info({ req: REQ, n }, 'hit'),
    error: () => log.error(ERROR, 'failed'),
    '1 KB': () => log.info(KB, 'hit'),
    '16 KB': () => log.info(KB16, 'hit')
  }
}

/** Calls of a logger whose methods take a message and then an object. */
function messageFirst (log, error) {
  return {
    short: () => log.info('order placed'),
    object: n => log.info('hit', { req: REQ, n }),
    error,
    '1 KB': () => log.info('hit', KB),
    '16 KB': () => log.info('hit', KB16)
  }
}

const bunyan = (...streams) => objectFirst(require('bunyan').createLogger({ name: 'bench', streams }))
const nftrace = () => bunyan(require('../..'))
const pino = destination => objectFirst(require('pino')({ name: 'bench' }, destination))

/**
 * create(file): the calls. events: arguments of lttng enable-event, null for no
 * session; contexts; piped: standard output is a pipe that cat reads; lines: of
 * the file that are one record.
 */
const VARIANTS = {
  'Bunyan → /dev/null': { create: () => bunyan({ path: '/dev/null' }) },
  'Bunyan → file': { create: file => bunyan({ path: file }), file: true },
  'Bunyan → pipe': { create: () => bunyan({ stream: process.stdout }), piped: true },
  'Bunyan → nftrace, nobody listens': { create: nftrace, events: null },
  'Bunyan → nftrace, info': { create: nftrace, events: ['--loglevel=INFO'] },
  'Bunyan → nftrace, filter': { create: nftrace, events: ['--loglevel=INFO', '--filter', 'name == "bench" && level >= 30'] },
  'Bunyan → nftrace, contexts': { create: nftrace, events: ['--loglevel=INFO'], contexts: ['vpid', 'vtid', 'procname'] },
  'pino → file, sync': { create: file => pino(require('pino').destination({ dest: file, sync: true })), file: true },
  'pino → file, async': {
    create: file => {
      const destination = require('pino').destination({ dest: file, sync: false, minLength: 4096 })
      return { ...pino(destination), flush: () => new Promise(resolve => destination.flush(resolve)) }
    },
    file: true
  },
  'pino → file, worker': { create: file => pino(require('pino').transport({ target: 'pino/file', options: { destination: file } })), file: true },
  'pino → nftrace, info': { create: () => pino(require('../..').pino()), events: ['--loglevel=INFO'] },
  'console.log → file': { create: () => messageFirst({ info: console.log }, () => console.log('failed', ERROR)), stdout: true },
  'winston → file': {
    create: file => {
      const winston = require('winston')
      const { combine, errors, json, timestamp } = winston.format
      const log = winston.createLogger({
        format: combine(errors({ stack: true }), timestamp(), json()),
        defaultMeta: { name: 'bench' },
        transports: [new winston.transports.File({ filename: file })]
      })
      const flush = async () => {
        while (log.writableLength + log.transports[0].writableLength > 0) await sleep(5)
      }
      return { ...messageFirst(log, () => log.error(ERROR)), flush }
    },
    file: true
  }
}

module.exports = { MESSAGES, VARIANTS }
