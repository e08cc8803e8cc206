'use strict'
// pino's lines come back as pino wrote them, and its levels follow the sessions.

require('./support/isolate')()

const assert = require('node:assert')
const { mock, test } = require('node:test')
const sinon = require('sinon')

const nftrace = require('..')
const { CALLS } = require('./support/corpus')
const { recordOf, Session, trace } = require('./support/lttng')

const LABELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 }

/** The record that a line of pino's stands for: Bunyan's, with a number for its level and a Date's text for its time. */
function recordOfLine (line) {
  const record = { name: ' ', hostname: ' ', pid: 0, msg: ' ', v: 0, ...JSON.parse(line) }
  if (LABELS[String(record.level).toLowerCase()]) record.level = LABELS[record.level.toLowerCase()]
  const time = Number(/"time":(\d*)/.exec(line)?.[1] || NaN)
  if (record.time === time && time !== 1) record.time = new Date(time < 1e11 ? time * 1000 : time).toISOString() // pino's, not the call's
  return record
}

/** pino's bytes have U+FFFD for half of a surrogate pair; ours keep it where we can. */
const wellFormed = value => JSON.parse(JSON.stringify(value).replace(/\\ud[89a-f][0-9a-f]{2}/g, '\ufffd'))

/** Where pino removes a message it writes what isn't JSON. */
const withoutRemoved = line => line.replace(/,"(?:msg|message)":undefined(?=\}\r?\n$)/, '')

/** The text that a payload may have for a line's member. */
const payloadText = value => typeof value === 'string' ? wellFormed(value).split('\0')[0] : ' '

const CONFIGURATIONS = {
  'as it is': () => ({}),
  'a name and members of its own': () => ({ name: 'shop "é"', base: { pid: 7, hostname: 'h', own: { a: [1] } } }),
  'nobody\'s name': () => ({ base: null }),
  'odd names': () => ({ base: { pid: 'seven', hostname: 1, name: null } }),
  redact: () => ({ redact: { paths: ['a', '*.b', 'req.headers.authorization', 'msg'], censor: '[gone]' } }),
  serializers: () => ({ serializers: { a: value => ({ was: typeof value }), err: error => error.message } }),
  'formatters, with labels for levels': () => ({ formatters: { level: label => ({ level: label.toUpperCase() }), log: object => ({ ...object, more: 1 }), bindings: ({ pid }) => ({ pid, host: 'other' }) } }),
  'a severity for a level': () => ({ formatters: { level: (label, number) => ({ severity: label, level: number }) } }),
  messageKey: () => ({ messageKey: 'message' }),
  'messageKey and redact': () => ({ messageKey: 'message', redact: ['message', 'msg'] }),
  'a message that redact removes': () => ({ redact: { paths: ['msg', '*.msg'], remove: true } }),
  'a message that a serializer replaces': () => ({ serializers: { msg: () => 'replaced' } }),
  'a message that a serializer drops': () => ({ serializers: { msg () {} } }),
  'a message that a formatter drops': () => ({ formatters: { log: ({ msg, message, ...others }) => others } }),
  nestedKey: () => ({ nestedKey: 'payload' }),
  errorKey: () => ({ errorKey: 'error' }),
  'times as text': pino => ({ timestamp: pino.stdTimeFunctions.isoTime }),
  'times in seconds': pino => ({ timestamp: pino.stdTimeFunctions.unixTime }),
  'times under another name': () => ({ timestamp: () => ',"at":"noon"' }),
  mixin: () => ({ mixin: () => ({ mixed: true }) }),
  msgPrefix: () => ({ msgPrefix: '[cart] ' }),
  crlf: () => ({ crlf: true }),
  'hooks.logMethod': () => ({ hooks: { logMethod (args, method) { method.apply(this, args) } } }),
  'hooks.streamWrite': () => ({ hooks: { streamWrite: line => line.replace('order', 'ORDER') } })
}

for (const name of ['pino', 'pino9', 'pino8']) {
  const pino = require(name)

  test(`${name} ${pino.version}: what it writes comes back, however it is configured`, () => {
    for (const [title, configure] of Object.entries(CONFIGURATIONS)) {
      const lines = []
      const memory = { write (line) { lines.push(line) } }
      const options = configure(pino)
      const log = pino({ level: 'trace', ...options },
        pino.multistream([{ level: 'trace', stream: nftrace.pino() }, { level: 'trace', stream: memory }]))
      const child = log.child({ c: { nested: 'é' } })
      const loggers = [log, child, child.child({ d: 1, pid: 3 }), log.child({ e: 'x' }, { redact: ['e', 'b'], serializers: { b: () => 'replaced' } })]
      const session = trace({ subbuf: '4M' })
      for (const logger of loggers) {
        logger.info('order placed')
        logger.warn({ a: 1, b: { b: 2, c: 'x'.repeat(100) } }, 'order "%s"', 17)
        logger.error(new RangeError('boom'))
        logger.fatal({ err: new Error('inner'), error: new Error('other') }, ',"msg":"fake"}')
        logger.debug({ msg: 'in the object', level: 'odd', time: 1, message: 'too' })
        logger.trace({ a: 'x'.repeat(100), msg: 'both' }, 'm'.repeat(100) + '\n')
      }
      for (const args of Object.values(CALLS)) {
        try {
          log.info(...args)
        } catch {} // pino 9 and before takes a key like toString for one of its serializers
      }
      const events = session.finish()
      assert.strictEqual(events.length, lines.length, title)
      lines.forEach((line, i) => {
        if (title !== 'hooks.streamWrite') line = withoutRemoved(line)
        if (line.includes(':undefined')) return // pino's redaction has written no JSON
        for (const [key, member] of [['name', 'name'], ['hostname', 'hostname'], ['msg', options.messageKey ?? 'msg']]) {
          const text = events[i].payload[key] // ' ', or what the line has, if perhaps not last
          assert.ok(text === ' ' || wellFormed(text) === payloadText(JSON.parse(line)[member]) || line.includes(`"${member}":${JSON.stringify(text)}`),
            `${title}: ${key} ${text} isn't in ${line}`)
        }
        const seen = wellFormed(recordOf(events[i]))
        const expected = wellFormed(recordOfLine(Buffer.from(line).toString()))
        if (expected.time === undefined) expected.time = seen.time
        if (options.messageKey !== undefined || title === 'hooks.streamWrite') {
          if (!('msg' in JSON.parse(line))) expected.msg = seen.msg
        }
        if (title === 'hooks.streamWrite') seen.time = expected.time
        if (JSON.parse(line).msg === undefined) assert.ok(options.messageKey !== undefined || seen.msg === ' ', title)
        assert.deepStrictEqual(seen, expected, `${title}: ${line}`)
      })
      if (title === 'messageKey') assert.strictEqual(events[0].payload.msg, 'order placed')
    }
  })

  test(`${name} ${pino.version}: levels follow the sessions`, () => {
    const log = pino({ name: 'follow', customLevels: { audit: 35 } }, nftrace.pino())
    const child = log.child({ child: 1 })
    const severe = log.child({ severe: 1 }, { level: 'error' })
    const custom = child.child({}, { customLevels: { notice: 25 } })
    const seen = []
    const call = () => {
      for (const logger of [log, child, severe]) {
        for (const level of ['trace', 'debug', 'info', 'audit', 'warn', 'error', 'fatal']) {
          logger[level](`${level} ${logger === log ? 'log' : logger === child ? 'child' : 'severe'}`)
        }
      }
      custom.notice('notice custom')
    }
    const of = (levels, logger) => levels.map(level => `${level} ${logger}`)
    assert.deepStrictEqual([log.level, log.isLevelEnabled('fatal')], ['info', false])
    call()
    const session = new Session().enable('bunyan:*', '--loglevel=WARNING').start()
    assert.deepStrictEqual([log.level, child.level, log.isLevelEnabled('info'), log.isLevelEnabled('error')], ['info', 'info', false, true])
    call()
    seen.push(...of(['warn', 'error', 'fatal'], 'log'), ...of(['warn', 'error', 'fatal'], 'child'), ...of(['error', 'fatal'], 'severe'))
    session.enable('bunyan:debug').enable('bunyan:info')
    assert.deepStrictEqual([log.level, severe.level], ['info', 'error'])
    call()
    const most = ['debug', 'info', 'audit', 'warn', 'error', 'fatal']
    seen.push(...of(most, 'log'), ...of(most, 'child'), ...of(['error', 'fatal'], 'severe'), 'notice custom')
    log.level = 'error' // a floor, once it is set
    log.warn('not wanted')
    log.error('wanted')
    seen.push('wanted')
    log.level = 'silent'
    log.fatal('not wanted')
    log.level = 'trace'
    log.debug('wanted again')
    seen.push('wanted again')
    const stub = () => seen.push('stubbed')
    log.info = stub
    log.info('x')
    assert.strictEqual(log.info, stub)
    session.stop()
    assert.strictEqual(log.level, 'trace')
    log.error('not wanted')
    assert.strictEqual(seen.pop(), 'stubbed')
    assert.deepStrictEqual(session.finish().map(({ payload }) => payload.msg), seen)
    assert.throws(() => { log.level = 'unknown' }, /unknown level/)
  })

  test(`${name} ${pino.version}: a call that only tracing wants never throws, whatever is logged`, () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const boom = () => { throw new Error('boom') }
    const hostile = Object.defineProperties(new Error('hidden'), { stack: { get: boom }, message: { get: boom } })
    const plain = pino({ name: 'plain' }, nftrace.pino())
    const calls = [
      [pino({ serializers: { user: user => user.profile.id } }, nftrace.pino()), [{ user: {}, keep: 1 }, 'serializer'], { user: /^\[Throws: Cannot read/, keep: 1, msg: 'serializer' }],
      [pino({ mixin: boom }, nftrace.pino()), [{ keep: 1 }, 'mixin'], { keep: 1, msg: 'mixin' }],
      [pino({ hooks: { logMethod (args, method) { method.apply(this, args); boom() } } }, nftrace.pino()), [{ keep: 1 }, 'hook'], { keep: 1, msg: 'hook' }],
      [pino({ formatters: { log: boom } }, nftrace.pino()), [{ keep: 1 }, 'formatter'], { keep: 1, msg: 'formatter' }],
      [plain, [{ get bad () { return boom() }, keep: 1 }, 'getter'], { bad: '[Throws: boom]', keep: 1, msg: 'getter' }],
      [plain, [{ toJSON: boom, keep: 1 }, 'toJSON'], { keep: 1, msg: 'toJSON' }],
      [plain, [proxy, 'proxy'], { msg: 'proxy' }],
      [plain, [hostile], { msg: '[Throws: boom]' }],
      [plain, [{ err: hostile, keep: 1 }, 'error within'], { keep: 1, msg: 'error within' }],
      [plain, ['%s', { toString: boom }], { msg: /./ }],
      [plain, ['%d', Symbol('s')], { msg: /./ }],
      [plain.child({ a: 1 }), [{ get bad () { return boom() } }, 'child'], { a: 1, bad: '[Throws: boom]', msg: 'child' }]
    ]
    for (const [log, args] of calls) log.debug(...args) // nobody listens
    const session = trace()
    for (const [log, args] of calls) log.debug(...args)
    plain.debug('the last one')
    const records = session.finish().map(recordOf)
    assert.strictEqual(records.length, calls.length + 1)
    calls.forEach(([, , expected], i) => {
      for (const [key, value] of Object.entries(expected)) {
        if (value instanceof RegExp) assert.match(String(records[i][key]), value, `${i} ${key}`)
        else assert.deepStrictEqual(records[i][key], value, `${i} ${key}`)
      }
    })
  })

  test(`${name} ${pino.version}: methods that are kept, spied on or stubbed, and levels that are copied`, () => {
    const log = pino({ name: 'kept' }, nftrace.pino())
    const child = log.child({ a: 1 })
    const kept = [log.error.bind(log), child.error.bind(child), Function.prototype.call.bind(log.error, child)]
    const copies = [log.child({}, { level: log.level }), log.child({}).child({}, { level: child.level })]
    const saved = child.level
    for (const level of ['fatal', 'silent', saved]) child.level = level
    const spies = [sinon.spy(log, 'debug'), mock.method(child, 'debug').mock]
    const stub = sinon.stub(log, 'warn')
    const session = trace()
    kept.forEach((method, i) => method(`kept ${i}`))
    for (const logger of copies) logger.trace('copied')
    child.info('set again')
    log.debug('spied')
    child.debug('spied')
    log.warn('stubbed')
    assert.deepStrictEqual([spies[0].calledWith('spied'), spies[1].calls.length], [true, 1]) // a child of pino 10 has its parent's methods
    stub.restore()
    spies[0].restore()
    spies[1].restore()
    log.warn('restored')
    assert.deepStrictEqual(session.finish().map(({ payload }) => payload.msg),
      ['kept 0', 'kept 1', 'kept 2', 'copied', 'copied', 'set again', 'spied', 'spied', 'restored'])
  })

  test(`${name} ${pino.version}: a logger that is given other streams goes by its level, and follows again when it has ours alone`, () => {
    const lines = []
    const memory = { write (line) { lines.push(JSON.parse(line).msg) } }
    const log = pino({ name: 'given' }, nftrace.pino())
    const child = log.child({ a: 1 })
    const own = log.child({ b: 1 })
    const { [pino.symbols.streamSym]: ours } = log
    const call = text => {
      for (const logger of [log, child]) for (const level of ['debug', 'info']) logger[level](`${level} ${text}`)
    }
    log[pino.symbols.streamSym] = pino.multistream([{ level: log.level, stream: ours }, { level: log.level, stream: memory }])
    own[pino.symbols.streamSym] = memory
    call('untraced')
    own.info('own')
    own.debug('own')
    assert.deepStrictEqual([log.isLevelEnabled('debug'), log.isLevelEnabled('info')], [false, true])
    const session = trace()
    call('traced')
    log[pino.symbols.streamSym] = ours
    call('alone')
    assert.deepStrictEqual(lines, ['info untraced', 'info untraced', 'own', 'info traced', 'info traced'])
    assert.deepStrictEqual(session.finish().map(({ payload }) => payload.msg),
      ['info traced', 'info traced', 'debug alone', 'info alone', 'debug alone', 'info alone'])
  })

  test(`${name} ${pino.version}: a floor, an order of its own, other streams beside`, () => {
    const lines = []
    const memory = { write (line) { lines.push(JSON.parse(line).msg) } }
    const floor = pino(nftrace.pino({ level: 'warn' }))
    const descending = pino({ levelComparison: 'DESC', level: 'info' }, nftrace.pino())
    const beside = pino({ level: 'info' }, pino.multistream([{ level: 'trace', stream: nftrace.pino() }, { level: 'info', stream: memory }]))
    const session = trace()
    for (const [logger, title] of [[floor, 'floor'], [descending, 'descending'], [beside, 'beside']]) {
      for (const level of ['debug', 'info', 'warn']) logger[level](`${title} ${level}`)
    }
    assert.deepStrictEqual(session.finish().map(({ payload }) => payload.msg),
      ['floor warn', 'descending debug', 'descending info', 'beside info', 'beside warn'])
    beside.info('untraced')
    assert.deepStrictEqual(lines, ['beside info', 'beside warn', 'untraced'])
  })
}

test('what is recorded stands in the line, whatever pino tells besides', () => {
  const pino = require('pino')
  const destination = nftrace.pino()
  const { write } = destination
  destination.write = function (line) { return write.call(this, line.replaceAll('secret', 'hidden')) }
  const unescaping = pino({ base: null, serializers: { msg: text => JSON.parse(`"${text}"`) } }, nftrace.pino())
  const session = trace()
  const log = pino({ name: 'secret', base: { component: 'secret' } }, destination)
  log.info('the secret')
  log.child({ a: 'secret' }).info({ b: 'secret', msg: 'a secret' })
  unescaping.info('a tab: \\t')
  const events = session.finish()
  assert.deepStrictEqual(events.map(event => {
    const { name, msg, component, a, b } = recordOf(event)
    return { name, msg, component, a, b }
  }), [
    { name: 'hidden', msg: 'the hidden', component: 'hidden', a: undefined, b: undefined },
    { name: 'hidden', msg: 'a hidden', component: 'hidden', a: 'hidden', b: 'hidden' },
    { name: ' ', msg: 'a tab: \t', component: undefined, a: undefined, b: undefined }
  ])
  assert.deepStrictEqual(events.map(({ payload }) => payload.msg), ['the hidden', 'a hidden', 'a tab: \t'])
  assert.ok(!JSON.stringify(events).includes('secret'), JSON.stringify(events))
})

test('a line that somebody has changed is taken as it is', () => {
  const pino = require('pino')
  const changes = {
    front: line => '{"front":1,' + line.slice(1),
    renamed: line => line.replace('"time"', '"timestamp"').replace('"level"', '"severity"'),
    shorter: line => line.replace(/"time":\d+,/, ''),
    'same length': line => line.replace('"level"', '"lever"'),
    'another time': line => line.replace(/"time":\d/, '"time":2'),
    behind: line => line.replace(/\}\n$/, ',"behind":{"a":"}"}}\n'),
    text: () => 'INFO changed\n'
  }
  const session = trace()
  const expected = []
  for (const options of [{ base: null }, { name: 'shop' }]) {
    for (const [name, change] of Object.entries(changes)) {
      const log = pino(options, nftrace.pino())
      const { [pino.symbols.asJsonSym]: asJson } = log
      log[pino.symbols.asJsonSym] = function (...args) {
        const line = change(asJson.apply(this, args))
        expected.push(name === 'text' ? { msg: 'INFO changed' } : JSON.parse(line))
        return line
      }
      log.info({ order: 17 }, 'changed')
      log.child({ a: 'x' }).info('changed')
    }
  }
  const records = session.finish().map(recordOf)
  assert.strictEqual(records.length, expected.length)
  expected.forEach((line, i) => {
    for (const [key, value] of Object.entries(line)) {
      assert.deepStrictEqual(key === 'time' ? new Date(records[i].time).getTime() : records[i][key], value, `${i} ${key} of ${JSON.stringify(line)}`)
    }
  })
})

test('a line that is written by hand is taken as it is, also after one of pino\'s', () => {
  const destination = nftrace.pino()
  const log = require('pino')({ name: 'logger' }, destination)
  const session = new Session().enable('bunyan:info').start()
  log.info({ a: 1 }, 'logged')
  session.enable('bunyan:warn').disable('bunyan:info')
  destination.write('{"level":40,"name":"other","msg":"by hand","time":1}\n')
  assert.deepStrictEqual(session.finish().map(({ payload: { name, level, msg } }) => [name, level, msg]),
    [['logger', 30, 'logged'], ['other', 40, 'by hand']])
})

test('lines that no pino wrote, and wrong options', () => {
  const destination = nftrace.pino()
  const session = trace()
  assert.strictEqual(destination.write('{"level":40,"msg":"by hand","time":1}\n'), true)
  destination.write('not JSON\n')
  destination.write(undefined)
  assert.deepStrictEqual(session.finish().map(({ payload }) => [payload.level, payload.msg]), [[40, 'by hand'], [30, 'not JSON']])
  assert.throws(() => nftrace.pino({ name: 'x' }), /nftrace.pino: unknown option 'name'; there are level, maxRecordBytes, fallback/)
  assert.throws(() => nftrace.pino({ level: 'loud' }), /unknown level 'loud'/)
})
