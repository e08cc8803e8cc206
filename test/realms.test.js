'use strict'
// In a realm of node:vm, where Jest and others load a test and its packages: its Object and
// Error are not those of Node's own modules.

require('./support/isolate')()

const assert = require('node:assert')
const fs = require('node:fs')
const { createRequire, isBuiltin } = require('node:module')
const path = require('node:path')
const test = require('node:test')
const vm = require('node:vm')

const { version } = require('./support/bunyans')[1]
const { recordOf, trace } = require('./support/lttng')

const ROOT = path.join(__dirname, '..')

/** A new realm: { load, run }: load() requires what a test here would, run() evaluates a text. */
function realm () {
  const { ArrayBuffer, Buffer, process, queueMicrotask, setImmediate, setTimeout, Uint8Array } = globalThis
  const context = vm.createContext({ ArrayBuffer, Buffer, process, queueMicrotask, setImmediate, setTimeout, Uint8Array })
  context.global = context.globalThis = vm.runInContext('this', context)
  const modules = new Map()

  function requireOf (file) {
    const { resolve } = createRequire(file)
    return Object.assign(id => isBuiltin(id) ? require(id) : load(resolve(id)), { resolve })
  }

  function load (file) {
    if (file.endsWith('.node')) return require(file)
    if (!modules.has(file)) {
      const module = { exports: {} }
      modules.set(file, module)
      const text = fs.readFileSync(file, 'utf8')
      if (file.endsWith('.json')) module.exports = JSON.parse(text)
      else {
        vm.compileFunction(text, ['exports', 'require', 'module', '__filename', '__dirname'], { filename: file, parsingContext: context })(
          module.exports, requireOf(file), module, file, path.dirname(file))
      }
    }
    return modules.get(file).exports
  }

  return { load: requireOf(__filename), run: text => vm.runInContext(text, context) }
}

/** Calls with all kinds of arguments, in the realm that this text is evaluated in. */
function logAll (log) {
  for (const logger of [log, log.child({ child: { of: [1] } })]) {
    logger.debug('text')
    logger.debug({ plain: { a: [1, { b: 2 }] }, date: new Date(0) }, 'fields %d %j', 1, { c: 3 })
    logger.info(new TypeError('boom'))
    logger.trace({ err: new RangeError('range'), map: new Map(), u8: new Uint8Array(2) })
    const cyclic = { number: Object(3), text: Object('s'), yes: Object(true), big: Object(5n), date: new Date(1) }
    logger.debug({ cyclic: Object.assign(cyclic, { cyclic }) })
    logger.warn({ get bad () { throw new Error('bad') }, ...(logger !== log && { n: 10n }) }, 'hostile')
  }
}

const withoutStack = ({ time, err, ...rest }) => ({ ...rest, ...(err && { err: { ...err, stack: undefined } }) })

/** What a session records of logAll() with the packages that load() gives. */
function recordsOf ({ load, run }) {
  const written = []
  const memory = { level: 'error', type: 'raw', stream: { write (record) { written.push(record) } } }
  const bunyan = load('bunyan')
  const log = bunyan.createLogger({ name: 'realm', serializers: bunyan.stdSerializers, streams: [memory, load('..')] })
  assert.strictEqual(log.level(), bunyan.ERROR)
  const session = trace()
  run(`(${logAll})`)(log)
  log.error('to both')
  assert.deepStrictEqual(written.map(({ msg }) => msg), ['to both'])
  return session.finish().map(recordOf).map(withoutStack)
}

test(`${version}: levels follow, and records are the same as in the main realm`, () => {
  const main = recordsOf({ load: require, run: text => vm.runInThisContext(text) })
  assert.strictEqual(main.length, 13)
  for (let i = 0; i < 2; i++) { // as for each test file
    assert.deepStrictEqual(recordsOf(realm()), main)
  }
})

test('pino', () => {
  const { load } = realm()
  const log = load('pino')({ name: 'realm' }, load(ROOT).pino())
  const session = trace()
  log.child({ a: 1 }).debug({ b: 2 }, 'child')
  const [{ name, a, b, msg }] = session.finish().map(recordOf)
  assert.deepStrictEqual({ name, a, b, msg }, { name: 'realm', a: 1, b: 2, msg: 'child' })
})
