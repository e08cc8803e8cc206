'use strict'
// redact: what stands at its paths is not in the trace, however it got there, and
// is everywhere else.

require('./support/isolate')()

const assert = require('node:assert')
const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')
const fc = require('fast-check')
const pinoRedact = require('@pinojs/redact')

const nftrace = require('..')
const { makeRedact, makeRedactLine } = require('../lib/record/redact')
const bunyans = require('./support/bunyans')
const { recordOf, trace } = require('./support/lttng')

const PATHS = ['req.headers.authorization', 'user.*.password', 'tokens[*]', 'list[*].key', 'headers["set-cookie"]', 'own', 'err.stack', 'made']
const SECRET = 'hunter2-secret'

class Made {
  toJSON () { return SECRET }
}

function calls () {
  return [
    [{ req: { url: '/', headers: { authorization: SECRET, host: 'h' } } }, 'path'],
    [{ user: { a: { password: SECRET, id: 1 }, b: { password: SECRET } } }, 'wildcard'],
    [{ tokens: [SECRET, SECRET], list: [{ key: SECRET, n: 1 }, 7, null] }, 'arrays'],
    [{ headers: { 'set-cookie': SECRET } }, 'bracket'],
    [{ made: new Made() }, 'toJSON'],
    [Object.assign(new Error('broken'), { stack: SECRET })],
    [{ err: Object.assign(new Error('broken'), { stack: SECRET }), big: 'x'.repeat(1e5) }, 'cut'],
    [{ req: { headers: { authorization: SECRET } }, cycle: (() => { const o = {}; o.o = o; return o })() }, 'cycle'],
    [{ req: { headers: { authorization: SECRET } }, n: 1n, get bad () { throw new Error('no') } }, 'awkward'],
    [{ name: 'other', req: { headers: { authorization: SECRET } } }, 'not direct \0']
  ]
}

for (const direct of [true, false]) {
  for (const { bunyan, version } of bunyans) {
    test(`${version}, direct ${direct}: no secret reaches the trace's files; its place says so`, () => {
      const session = trace({ subbuf: '1M' })
      const log = bunyan.createLogger({
        name: 'redact', own: SECRET, streams: [nftrace.stream({ redact: PATHS, direct })], serializers: { err: bunyan.stdSerializers.err }
      })
      const child = log.child({ own: SECRET, component: 'cart' })
      const given = calls()
      for (const args of given) {
        log.info(...args)
        child.debug(...args)
      }
      session.stop()
      const files = fs.readdirSync(session.folder, { recursive: true })
        .map(file => path.join(session.folder, file)).filter(file => fs.statSync(file).isFile())
      for (const file of files) assert.ok(!fs.readFileSync(file).includes(SECRET), file)
      const records = session.finish().map(recordOf)
      assert.strictEqual(records.length, 2 * given.length)
      for (const record of records) assert.strictEqual(record.own, '[Redacted]')
      assert.deepStrictEqual(records[0].req, { url: '/', headers: { authorization: '[Redacted]', host: 'h' } })
      assert.strictEqual(records[1].component, 'cart')
      assert.deepStrictEqual(records[2].user, { a: { password: '[Redacted]', id: 1 }, b: { password: '[Redacted]' } })
      assert.deepStrictEqual(records[4].tokens, ['[Redacted]', '[Redacted]'])
      assert.deepStrictEqual(records[4].list, [{ key: '[Redacted]', n: 1 }, 7, null])
      assert.strictEqual(records[8].made, '[Redacted]')
      assert.deepStrictEqual([records[10].err.stack, records[10].err.message], ['[Redacted]', 'broken'])
      assert.ok(records[12].nftrace_truncated.bytes > 1e5)
      assert.strictEqual(records[16].n, 1)
      assert.strictEqual(records[18].msg, 'not direct \0')
      assert.deepStrictEqual(given.slice(0, 4), calls().slice(0, 4), 'the caller\'s objects are as they were')
    })
  }
}

test('other streams get what they got before', () => {
  const lines = redact => {
    const written = []
    const streams = [{ stream: { write (line) { written.push(line) } } }]
    if (redact) streams.push(nftrace.stream({ redact: PATHS }))
    const log = bunyans[1].bunyan.createLogger({ name: 'beside', hostname: 'h', pid: 1, time: new Date(0), streams })
    for (const [fields, msg] of calls().slice(0, 5)) log.info({ ...fields, time: new Date(0) }, msg)
    return written
  }
  const stock = lines(false)
  const session = trace()
  assert.deepStrictEqual(lines(true), stock)
  assert.strictEqual(session.finish().length, 5)
  assert.ok(stock.every(line => line.includes(SECRET)))
})

test('msg, name and hostname can be redacted, exact or not', () => {
  const log = bunyans[1].bunyan.createLogger({ name: SECRET, hostname: SECRET, streams: [nftrace.stream({ redact: ['msg', 'name', 'hostname'] })] })
  const session = trace()
  log.info(SECRET)
  log.info({ name: `${SECRET}\0` }, `${SECRET}\0 \ud800`)
  log.info({ msg: { a: SECRET } }, '')
  const events = session.finish()
  for (const event of events) assert.ok(!JSON.stringify(event).includes(SECRET), JSON.stringify(event))
  assert.deepStrictEqual(events.map(event => recordOf(event).msg).slice(0, 2), ['[Redacted]', '[Redacted]'])
})

test('JSON lines, too', () => {
  const { stream } = nftrace.stream({ type: 'stream', redact: ['a.b'] })
  const session = trace()
  stream.write(JSON.stringify({ level: 30, msg: 'm', a: { b: SECRET, c: 1 } }) + '\n')
  assert.deepStrictEqual(recordOf(session.finish()[0]).a, { b: '[Redacted]', c: 1 })
})

test('names of Object.prototype are members like others, and nothing is polluted', () => {
  const session = trace()
  const { stream } = nftrace.stream({ redact: ['a.b', 'constructor.prototype.x', '*.polluted', 'restore.k'] })
  const fields = JSON.parse('{"a": {"__proto__": {"p": 1}, "b": "secret"}, "__proto__": {"polluted": "secret"}, "constructor": {"prototype": {"x": "secret"}}, "restore": {"k": "secret", "l": 2}, "hasOwnProperty": 3}')
  stream.write({ name: 'n', hostname: 'h', pid: 1, level: 30, msg: 'm', time: new Date(), v: 0, ...fields })
  const { fields: text } = session.finish()[0].payload
  assert.deepStrictEqual(JSON.parse(text), JSON.parse('{"a": {"__proto__": {"p": 1}, "b": "[Redacted]"}, "__proto__": {"polluted": "[Redacted]"}, "constructor": {"prototype": {"x": "[Redacted]"}}, "restore": {"k": "[Redacted]", "l": 2}, "hasOwnProperty": 3}'))
  assert.strictEqual({}.polluted, undefined)
  assert.strictEqual({}.x, undefined)
  assert.strictEqual({}.p, undefined)
})

/** One level deeper than JSON.stringify() goes. */
function tooDeep () {
  return '{"a":'.repeat(1e5) + '1' + '}'.repeat(1e5)
}

test('what fails at run time leaves everything out', () => {
  const leftOut = { name: '[Redacted]', hostname: '[Redacted]', msg: '[Redacted]', members: '"nftrace_redacted":"[Redacted]"' }
  for (const members of ['"a": broken', `"deep":${tooDeep()}`, `"__proto__":${tooDeep()}`, '"a":1,']) {
    for (const paths of [['a'], ['name', 'hostname', 'msg'], ['*.x'], ['deep.x']]) {
      assert.deepStrictEqual(makeRedact(paths)(SECRET, SECRET, SECRET, members), leftOut, members.slice(0, 20))
    }
  }
  for (const line of ['broken', '', 'null', '7', `"${SECRET}"`, `["${SECRET}"]`, `{"a":"${SECRET}"}\n{}`, `{"level":50,"name":"${SECRET}","deep":${tooDeep()}}`]) {
    const { time, ...record } = JSON.parse(makeRedactLine(['a'])(line))
    assert.deepStrictEqual(record, {
      name: '[Redacted]', hostname: '[Redacted]', pid: process.pid, level: line.includes('50') ? 50 : 30, nftrace_redacted: '[Redacted]', msg: '[Redacted]', v: 0
    })
    assert.ok(Math.abs(new Date(time) - Date.now()) < 60000)
  }
})

test('where the stack has no room for redacting, a record leaves everything out', () => {
  const depth = 90
  const paths = ['secret', 'deep' + '.a'.repeat(depth)]
  const { bunyan } = bunyans[1]
  const log = bunyan.createLogger({ name: 'n', streams: [nftrace.stream({ redact: paths })] })
  const redact = makeRedact(paths)
  const text = '{"a":'.repeat(depth) + `"${SECRET}"` + '}'.repeat(depth)
  const deep = parse(text)
  const results = []
  let left = 1000
  const recurse = () => {
    try {
      recurse()
    } catch {}
    if (left-- <= 0) return
    log.info({ secret: SECRET, deep }, 'deep')
    results.push(redact('n', 'h', 'deep', `"deep":${text}`))
  }
  const session = trace({ subbuf: '4M' })
  recurse()
  const records = session.finish().map(recordOf)
  for (const record of [...records, ...results]) {
    const { name, msg } = record
    assert.ok(!JSON.stringify(record).includes(SECRET), JSON.stringify(record))
    assert.ok(name === 'n' ? msg === 'deep' : name === '[Redacted]' && msg === '[Redacted]', `${name} ${msg}`)
  }
  for (const seen of [records, results]) assert.ok(seen.some(({ name }) => name === 'n'))
  assert.ok(results.some(({ name }) => name === '[Redacted]'))
})

test('a list that would not do what it says is refused', () => {
  const parsed = ['', 'a..b', 'a[b', 'a]', 'a[b]', 'a[]', 'a[-1]', 'a[01]', 'a[1.5]', '.a', 'a.', 'a.[0]', 'a[0]b', 'a["b"]c', '["b]', '["b\']', '["a\\"b"]', '["a\\\\b"]',
    'a*', '**', '*a', '["*"]', 'a[\'*\']', ' a', 'a ', 'a b', 'a,b', 'a"b"', '[*', '*]', 'a.b\n']
  for (const path of parsed) {
    assert.throws(() => nftrace.stream({ redact: ['fine', path] }),
      { name: 'TypeError', message: `nftrace.stream: redact: invalid path ${JSON.stringify(path)}; write paths as "a.b", "a.*.b", "a[*].b", "a[0].b" or 'a["b c"]'` })
  }
  const fixed = ['level', 'time', 'pid', 'v', 'nftrace_truncated'].flatMap(key => [key, `["${key}"]`, `['${key}']`])
  for (const path of [...fixed, '*', '[*]', 'nftrace_truncated.bytes', '["nftrace_truncated"].*']) {
    assert.throws(() => nftrace.stream({ redact: ['fine', path] }),
      { name: 'TypeError', message: `nftrace.stream: redact: ${JSON.stringify(path)} can't be redacted: level, time, pid, v and nftrace_truncated are recorded as they are` })
  }
  for (const redact of ['a.b', null, [7], [null], Array(1), [['a']], [new String('a')], {}]) { // eslint-disable-line no-new-wrappers
    assert.throws(() => nftrace.stream({ redact }), { name: 'TypeError', message: /^nftrace.stream: redact must be an array of paths/ })
  }
  for (const redact of [[], undefined, ['pid.x', 'user.pid', '*.level', 'time["of day"]', '__proto__.x', '["b]c"]', "['it\"s']", '[""]', '[0]', 'a-b:c@d/e', 'ключ']]) nftrace.stream({ redact })
})

/** A path's text for keys, each written in one of the ways that there are for it; undefined if there is none. */
function writtenAs (keys, choose) {
  let text = ''
  for (const key of keys) {
    const ways = []
    if (/^[^.[\]"'\s,*\\]+$/.test(key)) ways.push(text === '' ? key : `.${key}`)
    if (/^(?:0|[1-9]\d*)$/.test(key)) ways.push(`[${key}]`)
    if (!/["\\]/.test(key) && key !== '*') ways.push(`["${key}"]`)
    if (!/['\\]/.test(key) && key !== '*') ways.push(`['${key}']`)
    if (ways.length === 0) return undefined
    text += ways[choose % ways.length]
  }
  return text
}

const isFixed = keys => keys.length === 1 ? ['level', 'time', 'pid', 'v', 'nftrace_truncated'].includes(keys[0]) : keys[0] === 'nftrace_truncated'
const parse = text => JSON.parse(text) // which makes __proto__ a member like others

/** What redacting makes of an object's members. */
const redacted = (paths, object) => parse(`{${makeRedact(paths)('n', 'h', 'm', JSON.stringify(object).slice(1, -1)).members}}`)

const keyOfPath = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '0', '1', '10', 'length', '__proto__', 'constructor', 'prototype', 'toString', 'pid', 'time', 'level', 'v', 'name', 'msg', 'err', 'fields', 'nftrace_truncated'),
  fc.string({ minLength: 0, maxLength: 4, unit: fc.constantFrom('a', 'b', '.', '[', ']', '*', '"', '\'', ' ', ',', '\\', '\n', 'é', '😀', '0', '-') }),
  fc.string({ unit: 'binary' }))

test('a path replaces what stands there, and nothing else, in each way to write it', () => {
  let checked = 0
  const members = fc.dictionary(keyOfPath, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
  fc.assert(fc.property(fc.array(fc.tuple(keyOfPath, members), { minLength: 1, maxLength: 5 }), fc.jsonValue(), fc.nat(3), (levels, value, choose) => {
    const keys = levels.map(([key]) => key)
    const path = writtenAs(keys, choose)
    if (path === undefined || isFixed(keys)) return
    // The object's text, as it is and as it must become: an assignment would not make a member of __proto__.
    const text = inner => levels.reduceRight((text, [key, others]) => {
      const rest = Object.keys(others).filter(other => other !== key).map(other => `${JSON.stringify(other)}:${JSON.stringify(others[other])}`)
      return `{${[...rest, `${JSON.stringify(key)}:${text}`].join()}}`
    }, inner)
    checked++
    assert.deepStrictEqual(redacted([path], parse(text(JSON.stringify(value)))), parse(text('"[Redacted]"')), path)
  }), { numRuns: 5000 })
  assert.ok(checked > 1000, `${checked}`)
})

/** All places in a value, as lists of keys. */
function * placesIn (value, keys = []) {
  if (keys.length > 0) yield keys
  if (value !== null && typeof value === 'object') for (const key of Object.keys(value)) yield * placesIn(value[key], [...keys, key])
}

test('wildcards are any member of an object or a list; several paths are done at once', () => {
  const small = fc.constantFrom('a', 'b', '0', 'length')
  const tree = fc.letrec(tie => ({
    tree: fc.oneof({ maxDepth: 4, withCrossShrink: true }, fc.constantFrom(1, 'text', null, true), fc.array(tie('tree'), { maxLength: 3 }), fc.dictionary(small, tie('tree')))
  })).tree
  const wild = fc.array(fc.oneof(small, fc.constant('*')), { minLength: 1, maxLength: 4 })
  fc.assert(fc.property(fc.dictionary(small, tree), fc.array(wild, { maxLength: 4 }), fc.boolean(), (object, lists, inBrackets) => {
    lists = lists.filter(keys => keys.join() !== '*')
    const paths = lists.map(keys => keys.map((key, i) => key === '*' && inBrackets ? '[*]' : i === 0 ? key : `.${key}`).join(''))
    const isMet = keys => lists.some(list => list.length === keys.length && list.every((key, i) => key === '*' || key === keys[i]))
    const expected = structuredClone(object)
    for (const keys of placesIn(object)) {
      if (!isMet(keys)) continue
      const holder = keys.slice(0, -1).reduce((holder, key) => holder?.[key], expected)
      if (holder !== null && typeof holder === 'object') holder[keys.at(-1)] = '[Redacted]'
    }
    assert.deepStrictEqual(redacted(paths, object), expected, JSON.stringify(paths))
  }), { numRuns: 3000 })
})

test('a path that is accepted means what it means to pino', () => {
  const unit = fc.constantFrom('a', 'b', '.', '[', ']', '*', '"', '\'', ' ', ',', '\\', '0', '["', '"]', '[*]', '.*', '\']', '[\'')
  let accepted = 0
  const object = parse('{"a":{"a":{"a":1,"b":[1,2]},"b":[{"a":1},[1,{"b":2}]],"0":{"a":1}},"b":[[1,{"a":2}],{"a":{"b":1},"b":2}],"0":{"a":{"b":3}},"ab":{"ab":1},"aa":[1]}')
  fc.assert(fc.property(fc.string({ unit, minLength: 1, maxLength: 8 }), path => {
    try {
      nftrace.stream({ redact: [path] })
    } catch {
      return
    }
    // In quotes brackets, dots and commas are what they are: there pino's paths mean something else, or are refused.
    if ([...path.matchAll(/"([^"]*)"|'([^']*)'/g)].some(([quoted]) => /[[\],.]/.test(quoted))) return
    accepted++
    assert.deepStrictEqual(redacted([path], object), pinoRedact({ paths: [path], censor: '[Redacted]', serialize: copy => copy })(structuredClone(object)), path)
  }), { numRuns: 20000 })
  assert.ok(accepted > 500, `${accepted}`)
})

for (const { bunyan, version } of bunyans) {
  test(`${version}: a message that Bunyan took from an error goes with the error's`, () => {
    const failure = message => new RangeError(message)
    const messages = (redact, options, ...calls) => [true, false].map(direct => {
      const log = bunyan.createLogger({ name: 'n', streams: [nftrace.stream({ redact, direct })], ...options })
      const session = trace()
      for (const call of calls) log.error(...call)
      return session.finish().map(event => recordOf(event).msg)
    })
    const calls = [[failure(SECRET)], [{ err: failure(SECRET) }], [failure(SECRET), 'own'], [{ err: failure(SECRET) }, 'own %d', 1], ['none'], [{ err: null }, 'null']]
    const { err } = bunyan.stdSerializers
    for (const redact of [['err'], ['err.message'], ['["err"][\'message\']'], ['err.*'], ['*.message'], ['x', '*.*']]) {
      for (const seen of messages(redact, { serializers: { err } }, ...calls)) {
        assert.deepStrictEqual(seen, ['[Redacted]', '[Redacted]', 'own', 'own 1', 'none', 'null'], redact[0])
      }
    }
    for (const seen of messages(['err.stack', 'err.message.x'], { serializers: { err } }, ...calls)) assert.deepStrictEqual(seen.slice(0, 3), [SECRET, SECRET, 'own'])
    // From an error whose message its serializer has left out, Bunyan takes it all the same.
    for (const seen of messages(['err'], { serializers: { err: ({ name }) => ({ name }) } }, ...calls.slice(1, 2))) assert.deepStrictEqual(seen, ['[Redacted]'])
    for (const seen of messages(['err.message'], { serializers: { err: ({ name }) => name } }, ...calls.slice(1, 2))) assert.deepStrictEqual(seen, ['[Redacted]'])
    for (const seen of messages(['err.message'], {}, ...calls.slice(1, 2))) assert.deepStrictEqual(seen, ['[Redacted]'])
  })
}

test('text that is no record, and so has no paths, is left out', () => {
  const { stream } = nftrace.stream({ type: 'stream', redact: ['a.b'] })
  const session = trace()
  stream.write(`plain ${SECRET}\n{"a":{"b":"${SECRET}"}}\n{"a":{"b":"${SECRET}`)
  stream.write(Buffer.from(`["${SECRET}"]\n`))
  const events = session.finish()
  assert.ok(!JSON.stringify(events).includes(SECRET))
  assert.deepStrictEqual(events.map(({ payload }) => payload.msg), ['[Redacted]', ' ', '[Redacted]', '[Redacted]'])
})

test('the fallback of a stream that redacts gets redacted lines', () => {
  const script = `
    Object.defineProperty(process, 'platform', { value: 'none' })
    const nftrace = require(${JSON.stringify(path.join(__dirname, '..'))})
    const bunyan = require(${JSON.stringify(require.resolve('bunyan'))})
    const log = bunyan.createLogger({
      name: 'secret', streams: [nftrace.stream({ redact: ['name', 'a.b', 'err.message', '["b]c"]', '__proto__.p'], fallback: process.stdout })], serializers: { err: ({ message }) => ({ message }) }
    })
    log.info({ a: { b: 'secret', c: 1 }, 'b]c': 'secret', ...JSON.parse('{"x":{"__proto__":2}}') }, 'm')
    log.error({ err: new Error('secret') })
    log.error({ err: new Error('secret'), __proto__: null, ['__proto__']: { p: 'secret' } }, 'own')`
  const text = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  assert.ok(!text.includes('secret'), text)
  const [first, second, third] = text.trim().split('\n').map(parse)
  assert.deepStrictEqual([first.name, first.msg, first.a, first['b]c']], ['[Redacted]', 'm', { b: '[Redacted]', c: 1 }, '[Redacted]'])
  assert.deepStrictEqual([second.msg, second.err], ['[Redacted]', { message: '[Redacted]' }])
  assert.deepStrictEqual([third.msg, third.err], ['own', { message: '[Redacted]' }])
})
