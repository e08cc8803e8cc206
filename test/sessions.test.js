'use strict'
// What an operator asks of a session: filters, contexts, buffering schemes,
// several sessions at once, triggers.

require('./support/isolate')()

const assert = require('node:assert')
const fs = require('node:fs')
const os = require('node:os')
const test = require('node:test')
const bunyan = require('bunyan')

const nftrace = require('..')
const { temporaryFolder } = require('./support/folder')
const { lttng, recordOf, Session, trace } = require('./support/lttng')
const { until } = require('./support/until')

const shop = bunyan.createLogger({ name: 'shop', streams: [nftrace] })
const cart = bunyan.createLogger({ name: 'cart', streams: [nftrace] })

function logAll () {
  for (const log of [shop, cart]) {
    log.info('order placed')
    log.warn({ order: 17 }, 'order lost')
    log.debug('detail')
  }
}

const labels = events => events.map(({ payload }) => `${payload.name} ${payload.level} ${payload.msg}`)

const FILTERS = {
  'name == "shop"': ['shop 30 order placed', 'shop 40 order lost', 'shop 20 detail'],
  'level >= 40': ['shop 40 order lost', 'cart 40 order lost'],
  'msg == "order *"': ['shop 30 order placed', 'shop 40 order lost', 'cart 30 order placed', 'cart 40 order lost'],
  'name == "cart" && (level < 30 || msg == "*lost")': ['cart 40 order lost', 'cart 20 detail'],
  [`pid == ${process.pid} && name != "shop" && level == 20`]: ['cart 20 detail'],
  [`hostname == "${os.hostname()}" && time > 1600000000000 && level == 20`]: ['shop 20 detail', 'cart 20 detail'],
  'fields == "*order*:17*"': ['shop 40 order lost', 'cart 40 order lost'],
  'pid == 1': []
}

for (const [filter, expected] of Object.entries(FILTERS)) {
  test(`--filter '${filter}'`, () => {
    const session = trace({}, '--filter', filter)
    logAll()
    assert.deepStrictEqual(labels(session.finish()), expected)
  })
}

test('--loglevel-only', () => {
  const session = trace({}, '--loglevel-only=WARNING')
  logAll()
  assert.deepStrictEqual(labels(session.finish()), ['shop 40 order lost', 'cart 40 order lost'])
})

test('contexts vpid, vtid and procname', () => {
  const session = trace({ contexts: ['vpid', 'vtid', 'procname'] })
  shop.info('in context')
  const [{ context }] = session.finish()
  assert.strictEqual(context.vpid, process.pid)
  assert.strictEqual(context.vtid, process.pid)
  assert.strictEqual(context.procname, fs.readFileSync('/proc/self/comm', 'utf8').trim())
})

for (const buffers of ['uid', 'pid']) {
  test(`per-${buffers === 'uid' ? 'user' : 'process'} buffers, in several sessions one after another`, () => {
    for (let round = 0; round < 3; round++) {
      const session = trace({ buffers })
      logAll()
      assert.strictEqual(session.finish().length, 6)
    }
  })
}

test('two sessions at once, with other levels and filters, and an event enabled in two channels', () => {
  const all = new Session().enable('bunyan:*')
  const some = new Session({ buffers: 'pid' }).enable('bunyan:*', '--loglevel=WARNING', '--filter', 'name == "cart"').start()
  lttng('enable-channel', '-u', '-s', all.name, 'second')
  lttng('enable-event', '-u', '-s', all.name, '-c', 'second', 'bunyan:warn')
  all.start()
  logAll()
  assert.deepStrictEqual(labels(some.finish()), ['cart 40 order lost'])
  logAll()
  assert.strictEqual(all.finish().length, 2 * (6 + 2))
})

test('an event larger than a sub-buffer is dropped whole and counted; the next one is recorded', () => {
  const log = bunyan.createLogger({ name: 'large', streams: [nftrace.stream({ maxRecordBytes: 65536 })] })
  const session = trace({ subbuf: '4096' })
  log.info('first')
  log.info('x'.repeat(10000))
  log.info('last')
  assert.match(lttng('stop', session.name), /1 events? were discarded/)
  assert.deepStrictEqual(session.finish().map(event => event.payload.msg), ['first', 'last'])
})

test('a trigger on bunyan:fatal, with captured fields, saves a snapshot', async () => {
  const folder = temporaryFolder()
  lttng('create', 'flight', '--snapshot', '-o', folder)
  lttng('enable-event', '-u', '-s', 'flight', 'bunyan:*')
  lttng('start', 'flight')
  lttng('add-trigger', '--name=on-fatal', '--condition=event-rule-matches', '--type=user', '--name=bunyan:fatal',
    '--filter=name == "shop"', '--capture=msg', '--capture=level', '--action=snapshot-session', 'flight')
  cart.fatal('not this one')
  shop.debug('before')
  shop.fatal('this one')
  const saved = () => fs.readdirSync(folder, { recursive: true }).some(file => /metadata$/.test(file))
  await until(saved, 'the snapshot')
  lttng('remove-trigger', 'on-fatal')
  lttng('destroy', 'flight')
})

test('lttng untrack closes the levels of this process', () => {
  const session = new Session()
  session.enable('bunyan:*')
  lttng('untrack', '-u', '-s', session.name, '--all', '--vpid')
  session.start()
  shop.info('not tracked')
  assert.strictEqual(nftrace.enabled('info'), false)
  lttng('track', '-u', '-s', session.name, '--vpid', String(process.pid))
  shop.info('tracked')
  assert.deepStrictEqual(session.finish().map(event => recordOf(event).msg), ['tracked'])
})
