'use strict'
// examples/winston.js: winston's records become events, by the session's levels.

require('./support/isolate')()

const assert = require('node:assert')
const os = require('node:os')
const { execFileSync } = require('node:child_process')
const path = require('node:path')
const test = require('node:test')

const winston = require('winston')

const { NftraceTransport } = require('../examples/winston')
const { recordOf, trace } = require('./support/lttng')

/** A logger with our transport and one that keeps what it is given. */
function create (options) {
  const kept = []
  const keeper = new NftraceTransport({ level: 'info' })
  keeper.log = (record, done) => {
    kept.push(record.message)
    done()
  }
  return { kept, log: winston.createLogger({ level: 'silly', transports: [new NftraceTransport(), keeper], ...options }) }
}

test('each level of winston is the event that fits, with all its fields', () => {
  const { log } = create({ defaultMeta: { name: 'shop' } })
  const session = trace()
  for (const level of Object.keys(winston.config.npm.levels)) log.log(level, `at ${level}`, { order: 17, nested: { a: [1] } })
  const events = session.finish()
  assert.deepStrictEqual(events.map(({ event, payload }) => `${event} ${payload.msg}`), [
    'bunyan:error at error', 'bunyan:warn at warn', 'bunyan:info at info', 'bunyan:info at http',
    'bunyan:debug at verbose', 'bunyan:debug at debug', 'bunyan:trace at silly'
  ])
  const { time, ...record } = recordOf(events[0])
  assert.deepStrictEqual(record, {
    name: 'shop', hostname: os.hostname(), pid: process.pid, level: 50, msg: 'at error', v: 0, order: 17, nested: { a: [1] }
  })
  assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60000)
})

test('levels go in and out from outside, and winston\'s other transports stay as they are', () => {
  const { log, kept } = create()
  const session = trace({}, '--loglevel=INFO')
  log.debug('before')
  session.enable('bunyan:debug')
  log.debug('between')
  log.info('seen by both')
  session.stop()
  log.warn('after')
  assert.deepStrictEqual(session.finish().map(({ payload }) => payload.msg), ['between', 'seen by both'])
  assert.deepStrictEqual(kept, ['seen by both', 'after'])
})

test('children, splats, colours and errors', () => {
  const { format } = winston
  const { log } = create({ format: format.combine(format.errors({ stack: true }), format.colorize(), format.splat()) })
  const session = trace()
  log.child({ component: 'orders' }).info('%s for %d', 'pear', 3, { more: true })
  log.error(new Error('no more pears'))
  const [splat, error] = session.finish().map(recordOf)
  assert.deepStrictEqual([splat.msg, splat.component, splat.more, splat.level], ['pear for 3', 'orders', true, 30])
  assert.deepStrictEqual([error.msg, error.level], ['no more pears', 50])
  assert.match(error.stack, /^Error: no more pears\n +at /)
})

test('the example itself', () => {
  const session = trace()
  const stdout = execFileSync(process.execPath, [path.join(__dirname, '..', 'examples', 'winston.js')], { encoding: 'utf8' })
  assert.deepStrictEqual(session.finish().map(({ event, payload }) => [event, payload.name, payload.msg]), [
    ['bunyan:info', 'shop', 'order placed'], ['bunyan:debug', 'shop', 'priced'], ['bunyan:error', 'shop', 'no more pears']
  ])
  assert.strictEqual(stdout.split('\n').length, 3) // two lines: not debug
})
