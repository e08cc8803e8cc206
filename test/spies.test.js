'use strict'
// Services' own tests spy on their loggers and stub them. With nftrace among the streams
// every spying library works as it does with Bunyan alone, with a session and without.

require('./support/isolate')()

const assert = require('node:assert')
const { mock, test } = require('node:test')
const jest = require('jest-mock')
const proxyquire = require('proxyquire')
const sinon = require('sinon')
const td = require('testdouble')
const tinyspy = require('tinyspy')

const nftrace = require('..')
const bunyans = require('./support/bunyans')
const { trace } = require('./support/lttng')

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

/** Each makes a spy that calls through: { calls(), restore() }; calls() gives the arguments. */
const SPIES = {
  'node:test': (object, name) => {
    const spy = mock.method(object, name)
    return { calls: () => spy.mock.calls.map(call => call.arguments), restore: () => spy.mock.restore() }
  },
  sinon: (object, name) => {
    const spy = sinon.spy(object, name)
    return { calls: () => spy.args, restore: () => spy.restore() }
  },
  jest: (object, name) => {
    const spy = jest.spyOn(object, name)
    return { calls: () => spy.mock.calls, restore: () => spy.mockRestore() }
  },
  tinyspy: (object, name) => {
    const state = tinyspy.getInternalState(tinyspy.internalSpyOn(object, name))
    return { calls: () => state.calls, restore: () => state.restore() }
  },
  vitest: async (object, name) => {
    const { spyOn } = await import('@vitest/spy')
    const spy = spyOn(object, name)
    return { calls: () => spy.mock.calls, restore: () => spy.mockRestore() }
  },
  'by hand': (object, name) => {
    const calls = []
    const original = object[name]
    const hadOwn = Object.prototype.hasOwnProperty.call(object, name)
    object[name] = function (...args) {
      calls.push(args)
      return original.apply(this, args)
    }
    return { calls: () => calls, restore: () => hadOwn ? (object[name] = original) : delete object[name] }
  }
}

/** Each replaces a method by one that does nothing, and returns what restores it. */
const STUBS = {
  'node:test': (object, name) => {
    const stub = mock.method(object, name, () => 'stubbed')
    return () => stub.mock.restore()
  },
  sinon: (object, name) => {
    const stub = sinon.stub(object, name).returns('stubbed')
    return () => stub.restore()
  },
  jest: (object, name) => {
    const stub = jest.spyOn(object, name).mockImplementation(() => 'stubbed')
    return () => stub.mockRestore()
  },
  testdouble: (object, name) => {
    const stub = td.replace(object, name)
    td.when(stub(td.matchers.anything(), td.matchers.anything())).thenReturn('stubbed')
    return () => td.reset()
  }
}

function memory (level) {
  const written = []
  return { type: 'raw', level, stream: { write (record) { written.push(record.msg) } }, written }
}

/** What a logger's descriptors say of a name, along the prototype chain, and how far away. */
function described (log, name) {
  for (let object = log, away = 0; object !== null; object = Object.getPrototypeOf(object), away++) {
    const descriptor = Object.getOwnPropertyDescriptor(object, name)
    if (descriptor === undefined) continue
    const { value, ...rest } = descriptor
    return { ...rest, type: typeof value, isOwn: away === 0 }
  }
}

for (const { bunyan, version } of bunyans) {
  test(`${version}: what descriptors say of a logger's members is what they say of stock's`, () => {
    const [stock, ours] = [[], [nftrace]].map(more => bunyan.createLogger({ name: 'x', streams: [memory('info'), ...more] }))
    for (const [a, b] of [[stock, ours], [stock.child({ a: 1 }), ours.child({ a: 1 })], [stock.child({ a: 1 }, true), ours.child({ a: 1 }, true)]]) {
      assert.deepStrictEqual(Object.keys(b), Object.keys(a))
      for (const name of [...Object.keys(a), ...LEVELS, 'child', 'addStream', 'level', 'levels']) {
        assert.deepStrictEqual(described(b, name), described(a, name), name)
      }
    }
  })

  for (const isTraced of [false, true]) {
    for (const [library, spyOn] of Object.entries(SPIES)) {
      test(`${version}, ${library}, ${isTraced ? 'traced' : 'not traced'}: a spy sees each call, and the call does what it did`, async () => {
        const other = memory('info')
        const log = bunyan.createLogger({ name: 'spied', streams: [other, nftrace] })
        const child = log.child({ a: 1 })
        const session = isTraced ? trace() : undefined
        try {
          for (const logger of [log, child]) {
            for (const level of ['debug', 'info']) {
              const spy = await spyOn(logger, level)
              logger[level]({ n: 1 }, `${level} spied`)
              assert.deepStrictEqual(spy.calls(), [[{ n: 1 }, `${level} spied`]])
              spy.restore()
              logger[level](`${level} restored`)
              assert.ok(spy.calls().length <= 1, 'a restored spy sees nothing more')
            }
          }
        } finally {
          const events = session === undefined ? [] : session.finish().map(({ payload }) => payload.msg)
          const all = ['debug spied', 'debug restored', 'info spied', 'info restored']
          assert.deepStrictEqual(events, isTraced ? [...all, ...all] : [])
        }
        assert.deepStrictEqual(other.written, ['info spied', 'info restored', 'info spied', 'info restored'])
      })
    }

    for (const [library, stub] of Object.entries(STUBS)) {
      test(`${version}, ${library}, ${isTraced ? 'traced' : 'not traced'}: a stub stands for the method until it is restored`, () => {
        const other = memory('info')
        const log = bunyan.createLogger({ name: 'stubbed', streams: [other, nftrace] })
        const session = isTraced ? trace() : undefined
        try {
          for (const logger of [log, log.child({ a: 1 })]) {
            const restore = stub(logger, 'info')
            assert.strictEqual(logger.info({ n: 1 }, 'unseen'), 'stubbed')
            restore()
            logger.info('seen')
          }
        } finally {
          const events = session === undefined ? [] : session.finish().map(({ payload }) => payload.msg)
          assert.deepStrictEqual(events, isTraced ? ['seen', 'seen'] : [])
        }
        assert.deepStrictEqual(other.written, ['seen', 'seen'])
      })
    }

    test(`${version}, ${isTraced ? 'traced' : 'not traced'}: spies on Bunyan's prototype see the calls of loggers that were made before`, () => {
      const log = bunyan.createLogger({ name: 'prototype', streams: [memory('info'), nftrace] })
      log.debug('made')
      const session = isTraced ? trace() : undefined
      const spy = sinon.spy(bunyan.prototype, 'debug')
      try {
        log.debug('first')
        log.child({}).debug('second')
        assert.deepStrictEqual(spy.args, [['first'], ['second']])
      } finally {
        spy.restore()
        const events = session === undefined ? [] : session.finish().map(({ payload }) => payload.msg)
        assert.deepStrictEqual(events, isTraced ? ['first', 'second'] : [])
      }
    })
  }

  test(`${version}: a module that is given another logger, and a logger that is copied, log as before`, () => {
    const other = memory('info')
    const log = bunyan.createLogger({ name: 'copied', streams: [other, nftrace] })
    const fake = { debug: sinon.stub(), info: sinon.stub(), '@noCallThru': true }
    const { logOrder } = proxyquire('./services/orders', { './orders-log': fake })
    logOrder(17)
    assert.deepStrictEqual(fake.info.args, [[{ order: 17 }, 'order placed']])
    const copies = [
      Object.assign(Object.create(bunyan.prototype), log), // without its class
      Object.assign(Object.create(Object.getPrototypeOf(log)), log),
      { ...log, info: log.info, _emit: log._emit }
    ]
    for (const copy of copies) copy.info('copied')
    assert.deepStrictEqual(other.written, ['copied', 'copied', 'copied'])
  })
}
