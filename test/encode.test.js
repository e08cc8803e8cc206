'use strict'
// Records are written into memory that they share with each other: one within
// another, and ones larger than it, stay whole.

require('./support/isolate')()

const assert = require('node:assert')
const test = require('node:test')
const bunyan = require('bunyan')

const nftrace = require('..')
const { recordOf, Session, trace } = require('./support/lttng')

function fieldsOf (event) {
  const { name, hostname, pid, level, time, v, ...rest } = recordOf(event)
  return rest
}

test('a log call made while a record is being written costs neither a byte', () => {
  const log = bunyan.createLogger({ name: 'nested', streams: [nftrace] })
  const beside = bunyan.createLogger({ name: 'beside', streams: [nftrace.stream({ direct: false })] })
  const long = 'long "strings" stand apart '.repeat(4)
  const logs = (depth, result) => ({
    toJSON () {
      if (depth > 0) log.debug({ depth, deeper: logs(depth - 1, `result ${depth}`), long: long + depth }, 'inner')
      beside.debug({ depth, long: long + 'beside' }, 'beside')
      return result
    }
  })
  const session = trace()
  log.info('the fast lane begins with the call after this one')
  log.info({ before: 1, first: long, nested: logs(2, 'outer result'), get read () { log.debug({ long }, 'getter'); return 'read' }, last: long + 'last' }, 'outer')
  log.info({ a: 1 }, 'after')
  const seen = session.finish().map(fieldsOf).slice(1)
  assert.deepStrictEqual(seen, [
    { msg: 'beside', depth: 0, long: long + 'beside' },
    { msg: 'inner', depth: 1, deeper: 'result 1', long: long + '1' },
    { msg: 'beside', depth: 1, long: long + 'beside' },
    { msg: 'inner', depth: 2, deeper: 'result 2', long: long + '2' },
    { msg: 'beside', depth: 2, long: long + 'beside' },
    { msg: 'getter', long },
    { msg: 'outer', before: 1, first: long, nested: 'outer result', read: 'read', last: long + 'last' },
    { msg: 'after', a: 1 }
  ])
})

test('a record within one that throws, and one after it', () => {
  const log = bunyan.createLogger({ name: 'throws', streams: [nftrace] })
  const session = trace()
  log.info({ a: 1, bad: { toJSON () { log.debug({ b: 2 }, 'inner'); throw new Error('boom') } }, c: 'x'.repeat(80) }, 'outer')
  log.info({ a: 1 }, 'after')
  const seen = session.finish().map(fieldsOf)
  assert.deepStrictEqual(seen.at(-2), { msg: 'outer', a: 1, bad: '[Throws: boom]', c: 'x'.repeat(80) })
  assert.deepStrictEqual(seen.at(-1), { msg: 'after', a: 1 })
  assert.ok(seen.slice(0, -2).every(({ msg, b }) => msg === 'inner' && b === 2))
})

test('records much larger than the memory, of many short members or many long strings', () => {
  const log = bunyan.createLogger({ name: 'large', streams: [nftrace.stream({ maxRecordBytes: 16 * 1024 * 1024 })] })
  const members = count => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key ${i}`, i % 3 === 0 ? `é"${i}` : i]))
  const cases = [
    { nested: { members: members(20000) }, last: 1 },
    members(30000),
    Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`s${i}`, `${i} "é😀`.repeat(20000)])),
    { ['k'.repeat(300000)]: 1, list: Array.from({ length: 30 }, () => 'v'.repeat(30000)) },
    { small: 1 }
  ]
  const session = trace({ subbuf: '16M', count: '2', blocking: true })
  for (const fields of cases) {
    log.info(fields, 'large')
    log.child({ own: members(300) }).info(fields, 'with own fields')
  }
  const seen = session.finish().map(fieldsOf)
  assert.strictEqual(seen.length, 2 * cases.length)
  cases.forEach((fields, i) => {
    assert.deepStrictEqual(seen[2 * i], { msg: 'large', ...fields })
    assert.deepStrictEqual(seen[2 * i + 1], { msg: 'with own fields', own: members(300), ...fields })
  })
})

test('a session\'s filter sees all of msg and fields, wherever they come from', () => {
  const log = bunyan.createLogger({ name: 'filter', streams: [nftrace] })
  const end = 'x'.repeat(90)
  const calls = [
    [{ a: 'short' }, 'short'], [{ a: end }, 'short'], [{ a: 'short' }, end + ' long'], [{ a: end }, end + ' long'],
    ['short'], [end + ' long'], [{ a: [end], b: end }, 'short']
  ]
  const filters = {
    'msg == "short"': ([fields, msg = fields]) => msg === 'short',
    'msg == "*long"': ([fields, msg = fields]) => msg !== 'short',
    'fields == "*x*}"': ([fields]) => fields.a !== undefined && fields.a !== 'short',
    'fields == "{}"': ([fields]) => typeof fields === 'string'
  }
  for (const [filter, wanted] of Object.entries(filters)) {
    const session = new Session().enable('bunyan:*', '--filter', filter).start()
    for (const args of calls) log.info(...args)
    const seen = session.finish().map(fieldsOf)
    assert.deepStrictEqual(seen, calls.filter(wanted).map(([fields, msg]) => msg === undefined ? { msg: fields } : { ...fields, msg }), filter)
  }
})
