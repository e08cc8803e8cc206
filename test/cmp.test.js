'use strict'
// What is read back is what Bunyan writes, byte for byte: `cmp` with its own log file.

require('./support/isolate')()

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')
const fc = require('fast-check')

const nftrace = require('..')
const bunyans = require('./support/bunyans')
const { nftrace: command } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { value } = require('./support/generators')
const { Session } = require('./support/lttng')

const CALLS_EACH = Number(process.env.NFTRACE_TEST_CALLS || 10000)
const SEED = Number(process.env.NFTRACE_TEST_SEED || Date.now() % 1e6)

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

// What nftrace read writes as \uXXXX, although JSON.stringify() does not; and halves of
// surrogate pairs, which no UTF-8 file can hold.
const isSeen = text => !/[\u007f-\u009f]|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}/u.test(JSON.stringify(text) ?? '')

/** Members whose place in the record a call can choose, and what replaces Bunyan's own. */
const member = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b', 'req', '7', '0', 'é'), value),
  fc.tuple(fc.constant('time'), fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })),
  fc.tuple(fc.constant('msg'), fc.string()),
  fc.tuple(fc.constantFrom('v', 'pid', 'level'), fc.integer({ min: 10, max: 60 })),
  fc.tuple(fc.constantFrom('name', 'hostname', 'src'), fc.string()),
  fc.tuple(fc.constant('err'), fc.string().map(text => new Error(text)))
)
const fields = fc.array(member, { maxLength: 4 }).map(members => Object.fromEntries(members))
const call = fc.record({
  logger: fc.nat(),
  level: fc.constantFrom(...LEVELS),
  args: fc.oneof(
    fc.tuple(fc.string()), fc.tuple(fields), fc.tuple(fields, fc.string()), fc.tuple(fields, fc.constant('%s and %d'), fc.string(), fc.integer()),
    fc.tuple(fc.string().map(text => new Error(text)))
  )
}).filter(({ args }) => args.every(isSeen) && args.every(arg => !(arg instanceof Error) || isSeen(arg.stack)))

/** Loggers of every shape; src: also one whose src is what Bunyan finds. */
function shapes (bunyan, streams, src) {
  const plain = bunyan.createLogger({ name: 'plain', streams })
  const own = bunyan.createLogger({ component: 'cart', name: 'own', serializers: bunyan.stdSerializers, version: 2, streams })
  return [
    plain, own, bunyan.createLogger({ pid: 7, hostname: 'h', name: 'last', streams }),
    plain.child({ a: 1 }), plain.child({ a: 1 }, true), own.child({ 7: 'index', deep: { list: [1, null] } }), own.child({}).child({ b: [] }),
    ...(src ? [bunyan.createLogger({ name: 'src', src: true, streams })] : [])
  ]
}

for (const { bunyan, version } of bunyans) {
  // Alone, src is found in each release of Node; Bunyan finds none in Node 20 and later.
  for (const isBeside of [false, true]) {
    test(`${version}, ${isBeside ? 'beside a file' : 'alone'}: ${CALLS_EACH} generated calls, seed ${SEED}`, { timeout: 600000 }, () => {
      const file = path.join(temporaryFolder(), 'bunyan.log')
      const stock = { level: 'trace', stream: { write (line) { written.push(line) } } }
      const written = []
      const beside = shapes(bunyan, isBeside ? [nftrace, stock] : [nftrace], isBeside)
      const alone = isBeside ? beside : shapes(bunyan, [stock])
      const session = new Session({ subbuf: '32M', blocking: true }).enable('bunyan:*').start()
      const expected = []
      const { now } = Date
      fc.sample(call, { numRuns: CALLS_EACH, seed: SEED }).forEach(({ logger, level, args }, i) => {
        // One clock for both ways to log.
        const time = new Date(1796028824428 + i)
        const RealDate = Date
        globalThis.Date = class extends RealDate { constructor (...given) { super(...(given.length > 0 ? given : [time])) } }
        try {
          alone[logger % alone.length][level](...args)
          if (beside !== alone) beside[logger % beside.length][level](...args)
        } finally {
          globalThis.Date = RealDate
        }
        expected.push(...written.splice(0))
      })
      assert.strictEqual(Date.now, now)
      session.stop()
      fs.writeFileSync(file, expected.join(''))
      const { stdout, stderr, status } = command(['read', session.folder])
      session.finish()
      assert.strictEqual(status, 0, stderr)
      const lines = stdout.split('\n')
      const own = fs.readFileSync(file, 'utf8').split('\n')
      for (let i = 0; i < own.length; i++) assert.strictEqual(lines[i], own[i], `line ${i}`)
      assert.strictEqual(lines.length, own.length)
    })
  }
}
