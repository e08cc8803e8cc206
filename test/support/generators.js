'use strict'
// Generators, for fast-check, of JavaScript values, of log calls and of loggers.

const fc = require('fast-check')

const { CALLS } = require('./corpus')

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

const long = fc.string({ unit: 'binary', minLength: 55, maxLength: 90 })
const anything = fc.anything({
  withBoxedValues: true, withDate: true, withMap: true, withNullPrototype: true, withObjectString: true, withSet: true, withTypedArray: true, maxDepth: 3, maxKeys: 4
})
const value = fc.oneof({ weight: 1, arbitrary: long }, { weight: 15, arbitrary: anything })
const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'req', 'user', 'order', 'x y', 'é"\n', '') },
  { weight: 2, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.constantFrom('name', 'hostname', 'pid', 'msg', 'time', 'v', '7', 'fields', 'constructor', 'toString', 'own') }
)
const error = fc.string().map(message => new TypeError(message))
const fields = fc.oneof(
  { weight: 8, arbitrary: fc.dictionary(key, value, { maxKeys: 5 }) },
  { weight: 1, arbitrary: fc.record({ err: fc.oneof(error, value), a: value }, { requiredKeys: ['err'] }) },
  { weight: 1, arbitrary: fc.record({ level: fc.integer({ min: 0, max: 100 }), a: value }) }
)
const text = fc.oneof(fc.string(), long, fc.string({ unit: 'binary' }), fc.constantFrom('', '%s', '100%', '%d and %j', 'plain', '\0', '\ud800'))
const call = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(text) },
  { weight: 2, arbitrary: fc.tuple(text, value) },
  { weight: 1, arbitrary: fc.array(value, { minLength: 1, maxLength: 3 }) },
  { weight: 4, arbitrary: fc.tuple(fields) },
  { weight: 6, arbitrary: fc.tuple(fields, text) },
  { weight: 2, arbitrary: fc.tuple(fields, text, value) },
  { weight: 1, arbitrary: fc.tuple(error) },
  { weight: 1, arbitrary: fc.tuple(error, text, value) },
  { weight: 2, arbitrary: fc.constantFrom(...Object.values(CALLS)) }
)
const level = fc.constantFrom(...LEVELS)

const SERIALIZERS = {
  a: value => ({ was: typeof value }),
  req: () => 'a request',
  user () { return undefined },
  order: value => value
}

/** What a logger is made of: { serializers, src, own, children, levels }; children: fields of a chain of children. */
const configuration = fc.record({
  serializers: fc.subarray(Object.keys(SERIALIZERS)).map(names => Object.fromEntries(names.map(name => [name, SERIALIZERS[name]]))),
  src: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  own: fc.dictionary(fc.constantFrom('own', 'a', 'component', 'b'), value, { maxKeys: 2 }),
  children: fc.array(fc.dictionary(fc.constantFrom('child', 'a', 'user', 'order'), value, { maxKeys: 2 }), { maxLength: 3 }),
  levels: fc.array(level, { minLength: 1, maxLength: 3 })
})

module.exports = { call, configuration, level, value }
