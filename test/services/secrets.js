'use strict'
// secrets.js SEED MODE: logs a secret in every way there is, each time another one,
// and what is no secret. MODE: live, which then waits for the end of its standard
// input, or piped: LTTng seems to be absent, and the fallback's lines go to standard
// output. As a module it says which ways there are, and their secrets.

const { createHash } = require('node:crypto')

const CENSOR = '[Redacted]'
const PATHS = ['password', 'req.headers.authorization', 'users.*.password', 'tokens[*]', 'list[*].key', 'headers["set-cookie"]', '["b]c"]',
  'err.message', 'err.stack', 'err.code', 'user.password', 'env.*', 'deep' + '.a'.repeat(50), 'payload["é\0"]']

const hash = text => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** What all secrets of a seed begin with: a search for it finds each of them, cut or whole. */
const beginningOf = seed => `S${hash(`${seed} secrets`)}`
const secretOf = (seed, id) => `${beginningOf(seed)}${hash(`${seed} ${id}`)}`
/** What is to be found. */
const controlOf = seed => `C${hash(`${seed} control`)}`

/** Loggers of one release of Bunyan. */
function loggersOf (bunyan, stream) {
  const create = (options, more) => bunyan.createLogger({
    name: 'secrets',
    serializers: { err: bunyan.stdSerializers.err, user: ({ name, password }) => ({ name, password }), env: map => Object.fromEntries(map) },
    streams: [stream(options)],
    ...more
  })
  const flat = ['msg', 'name', 'hostname']
  const sink = { write () {} }
  return {
    log: create({ redact: PATHS, level: 'trace' }),
    small: create({ redact: PATHS, maxRecordBytes: 1024 }),
    flat: create({ redact: flat }),
    flatSmall: create({ redact: flat, maxRecordBytes: 1024 }),
    src: create({ redact: PATHS }, { src: true }),
    built: create({ redact: PATHS, direct: false }),
    beside: create({}, { streams: [{ level: 'info', stream: sink }, stream({ redact: PATHS })] }),
    namesError: create({ redact: ['err'] }, { serializers: { err: ({ name }) => ({ name }) } }),
    lines: stream({ type: 'stream', redact: PATHS }).stream
  }
}

/** What a call leaves in a record: the censor, unless NOTHING says that nothing does. */
const NOTHING = Symbol('nothing')

const BUNYAN = {
  'a field': ({ log }, secret, way) => log.info({ way, password: secret }, 'm'),
  'a field without a message': ({ log }, secret, way) => log.info({ way, password: secret }),
  'a nested field': ({ log }, secret, way) => log.info({ way, req: { headers: { authorization: secret, host: 'h' } } }, 'm'),
  'a field of each member': ({ log }, secret, way) => log.info({ way, users: { a: { password: secret }, b: { password: [secret] } } }, 'm'),
  'a list': ({ log }, secret, way) => log.info({ way, tokens: [secret, [secret], { [secret]: secret }] }, 'm'),
  'a list of objects': ({ log }, secret, way) => log.info({ way, list: [{ key: secret }, 7, null, { key: { secret } }] }, 'm'),
  'a quoted key': ({ log }, secret, way) => log.info({ way, headers: { 'set-cookie': [secret] } }, 'm'),
  'a key with a bracket': ({ log }, secret, way) => log.info({ way, 'b]c': secret }, 'm'),
  'a key beyond ASCII': ({ log }, secret, way) => log.info({ way, payload: { 'é\0': `é😀\ud800${secret}` } }, 'm'),
  'a whole object': ({ log }, secret, way) => log.info({ way, password: { deep: [{ secret }] } }, 'm'),
  'a child': ({ log }, secret, way) => log.child({ way, password: secret }).info('m'),
  'a child that logs often': ({ log }, secret, way) => {
    const child = log.child({ way, password: secret })
    for (let i = 0; i < 4; i++) child.info({ i }, 'm')
  },
  'a child of a child': ({ log }, secret, way) => log.child({ password: secret }).child({ way, password: secret, user: { name: 'u', password: secret } }).debug('m'),
  'a simple child': ({ log }, secret, way) => log.child({ way, password: secret }, true).warn({ a: 1 }, 'm'),
  'fields that are changed by hand': ({ log }, secret, way) => {
    const child = log.child({ way, password: 'none' })
    child.info('m')
    child.fields.password = secret
    child.info('m')
  },
  'a serializer': ({ log }, secret, way) => log.info({ way, user: { name: 'u', password: secret, card: secret } }, 'm'),
  'a serializer of a child': ({ log }, secret, way) => log.child({ way, serializers: { req: () => ({ headers: { authorization: secret } }) } }).info({ req: 1 }, 'm'),
  toJSON: ({ log }, secret, way) => log.info({ way, password: { toJSON: () => secret } }, 'm'),
  'toJSON within': ({ log }, secret, way) => log.info({ way, req: { toJSON: () => ({ headers: { authorization: { toJSON: () => secret } } }) } }, 'm'),
  'toJSON that logs': ({ log }, secret, way) => log.info({ way, password: { toJSON () { log.info({ way, password: secret.repeat(9) }, 'within'); return secret } }, after: 1 }, 'm'),
  'a Map through a serializer': ({ log }, secret, way) => log.info({ way, env: new Map([['TOKEN', secret], ['KEY', secret]]) }, 'm'),
  'a Map, a Set, a Buffer': ({ log }, secret, way) => log.info({ way, password: [new Map([[secret, secret]]), new Set([secret]), Buffer.from(secret)] }, 'm'),
  'an error': ({ log }, secret, way) => log.child({ way }).error(new Error(secret)),
  'an error under err': ({ log }, secret, way) => log.error({ way, err: new Error(secret) }),
  'an error and a message': ({ log }, secret, way) => log.error({ way, err: new Error(secret) }, 'failed'),
  'an error that a serializer has emptied': ({ namesError }, secret, way) => namesError.error({ way, err: new Error(secret) }),
  'an error\'s cause': ({ log }, secret, way) => log.child({ way }).error(Object.assign(new Error('outer'), { cause: () => new Error(secret) })),
  'an error\'s code': ({ log }, secret, way) => log.child({ way }).error(Object.assign(new Error('outer'), { code: secret })),
  'a message': ({ flat }, secret, way) => flat.info({ way }, secret),
  'a formatted message': ({ flat }, secret, way) => flat.info({ way }, 'token=%s, %d', secret, 1),
  'an object in a message': ({ flat }, secret, way) => flat.info({ way }, '%j', { secret }),
  'values behind a message': ({ flat }, secret, way) => flat.info({ way }, 'values', { secret }, [secret]),
  'a message given as a field': ({ flat }, secret, way) => flat.info({ way, msg: secret }, ''),
  'a message with U+0000': ({ flat }, secret, way) => flat.info({ way }, `\0${secret}\0`),
  'name and hostname': ({ flat }, secret, way) => flat.info({ way, name: secret, hostname: secret }, 'm'),
  'name and hostname with half a pair': ({ flat }, secret, way) => flat.info({ way, name: `${secret}\ud800`, hostname: { secret } }, 'm'),
  'a cut record': ({ small }, secret, way) => small.info({ way, password: secret, big: 'x'.repeat(1e5) }, 'm'),
  'a secret that would be cut': ({ small }, secret, way) => small.info({ way, password: secret.repeat(5000) }, 'm'),
  'a message that would be cut': ({ flatSmall }, secret, way) => flatSmall.info({ way }, secret.repeat(5000)),
  'a name that would be cut': ({ flatSmall }, secret, way) => flatSmall.info({ way, name: secret.repeat(5000) }, 'x'.repeat(5000)),
  'a record with members dropped': ({ small }, secret, way) => small.info({ way, password: secret, many: Array.from({ length: 2000 }, (_, i) => i) }, 'm'),
  'a cycle': ({ log }, secret, way) => log.info({ way, password: secret, users: (() => { const o = { password: secret }; o.o = o; return { a: o } })() }, 'm'),
  'a BigInt': ({ log }, secret, way) => log.info({ way, password: [1n, secret] }, 'm'),
  'a getter that throws beside it': ({ log }, secret, way) => log.info({ way, password: secret, user: { name: 'u', card: secret }, get bad () { throw new Error('no') } }, 'm'),
  'a getter': ({ log }, secret, way) => log.info({ way, get password () { return secret } }, 'm'),
  'a proxy': ({ log }, secret, way) => log.info({ way, password: new Proxy({ secret }, {}) }, 'm'),
  'a member __proto__': ({ log }, secret, way) => log.info({ way, users: JSON.parse(`{"__proto__":{"password":"${secret}"}}`) }, 'm'),
  'a deep field': ({ log }, secret, way) => log.info({ way, deep: JSON.parse('{"a":'.repeat(50) + `"${secret}"` + '}'.repeat(50)) }, 'm'),
  'long texts': ({ log }, secret, way) => log.info({ way, password: secret.repeat(10), list: Array.from({ length: 40 }, () => ({ key: secret.repeat(10) })) }, 'm'.repeat(100)),
  'many long texts': ({ log }, secret, way) => log.info({ way, users: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`user ${i}`, { name: 'n'.repeat(100), password: secret.repeat(10) }])) }, 'm'),
  src: ({ src }, secret, way) => src.info({ way, password: secret }, 'm'),
  'records that Bunyan builds': ({ built }, secret, way) => built.info({ way, password: secret }, 'm'),
  'another stream beside': ({ beside }, secret, way) => {
    beside.info({ way, password: secret }, 'm')
    beside.debug({ way, password: secret }, 'm')
  },
  'JSON lines': ({ lines }, secret, way) => lines.write(`{"level":30,"way":"${way}","password":"${secret}"}\n`),
  'half a line': ({ lines }, secret, way) => lines.write(`{"level":30,"way":"${way}","password":"${secret}"}\n{"level":30,"password":"${secret}`),
  'text among lines': ({ lines }, secret, way) => lines.write(`{"level":30,"way":"${way}","password":"${secret}"}\n["${secret}"]\nthe password is ${secret}\n`),
  'where the stack ends': ({ log }, secret, way) => {
    let left = 100
    const recurse = () => {
      try {
        recurse()
      } catch {}
      if (left-- > 0) log.info({ way, password: secret, deep: { a: { a: 1 } }, req: { headers: { authorization: secret } } }, 'm')
    }
    recurse()
  },
  'a small record after large ones': ({ log }, secret, way) => {
    log.info({ way, password: secret.repeat(10000) }, 'm')
    log.info({ way, password: 1 }, 'm')
  }
}

/** Ways of pino's: what its logger is made with, and a call, which gets the logger. */
const PINO = {
  redact: [{ redact: ['password'] }, (log, secret, way) => log.info({ way, password: secret }, 'm')],
  'redact with a wildcard': [{ redact: ['users.*.password', 'list[*].key'] }, (log, secret, way) => log.info({ way, users: { a: { password: secret } }, list: [{ key: secret }] })],
  'redact of a child': [{ redact: ['password'] }, (log, secret, way) => log.child({ way, password: secret }).child({ a: 1 }).info('m')],
  'redact that a child has': [{}, (log, secret, way) => log.child({ way }, { redact: ['password', 'msg'] }).info({ password: secret }, secret)],
  'redact of msg': [{ redact: ['msg'] }, (log, secret, way) => log.info({ way }, secret)],
  'redact of msg, a long one': [{ redact: ['msg'] }, (log, secret, way) => log.info({ way }, `"é\\${secret.repeat(100)}`)],
  'redact of msg in the object': [{ redact: ['msg'] }, (log, secret, way) => log.info({ way, msg: secret })],
  'redact of msg, formatted': [{ redact: ['msg'] }, (log, secret, way) => log.info({ way }, 'token=%s %o', secret, { secret })],
  'redact that removes': [{ redact: { paths: ['password'], remove: true } }, (log, secret, way) => log.info({ way, password: secret }, 'm'), NOTHING],
  'redact that removes msg': [{ redact: { paths: ['msg'], remove: true } }, (log, secret, way) => log.info({ way }, secret), NOTHING],
  'redact that removes msg in the object': [{ redact: { paths: ['msg'], remove: true } }, (log, secret, way) => log.info({ way, msg: secret }), NOTHING],
  'redact with a function': [{ redact: { paths: ['password', 'msg'], censor: () => CENSOR } }, (log, secret, way) => log.info({ way, password: secret }, secret)],
  messageKey: [{ messageKey: 'message', redact: ['message'] }, (log, secret, way) => log.info({ way }, secret)],
  'messageKey in the object': [{ messageKey: 'message', redact: ['message'] }, (log, secret, way) => log.info({ way, message: secret })],
  'messageKey, and msg in the object': [{ messageKey: 'message', redact: ['msg'] }, (log, secret, way) => log.info({ way, msg: secret }, 'm')],
  'a serializer': [{ serializers: { password: () => CENSOR } }, (log, secret, way) => log.info({ way, password: secret }, 'm')],
  'a serializer of msg': [{ serializers: { msg: () => CENSOR } }, (log, secret, way) => log.info({ way }, secret)],
  'a serializer of msg in the object': [{ serializers: { msg: () => CENSOR } }, (log, secret, way) => log.info({ way, msg: secret })],
  'a serializer that removes msg': [{ serializers: { msg () {} } }, (log, secret, way) => log.info({ way }, secret), NOTHING],
  'a formatter': [{ formatters: { log: ({ password, ...others }) => others } }, (log, secret, way) => log.info({ way, password: secret }, 'm'), NOTHING],
  'a formatter that drops msg': [{ formatters: { log: ({ msg, ...others }) => others } }, (log, secret, way) => log.info({ way, msg: secret }), NOTHING],
  'a formatter that replaces msg': [{ formatters: { log: object => ({ ...object, msg: CENSOR }) } }, (log, secret, way) => log.info({ way, msg: secret })],
  'a formatter that moves msg': [{ formatters: { log: ({ msg, ...others }) => ({ ...others, inner: { a: 1, msg: CENSOR } }) } }, (log, secret, way) => log.info({ way, msg: secret })],
  'a formatter of bindings': [secret => ({ base: { password: secret }, formatters: { bindings: () => ({ password: CENSOR }) } }), (log, secret, way) => log.info({ way }, 'm')],
  name: [secret => ({ name: secret, redact: ['name', 'hostname'], base: { name: secret, hostname: secret } }), (log, secret, way) => log.info({ way }, 'm')],
  setBindings: [{ redact: ['password'] }, (log, secret, way) => {
    const child = log.child({ way })
    child.info('m')
    child.setBindings({ password: secret })
    child.info('m')
  }],
  mixin: [secret => ({ mixin: () => ({ password: secret }), redact: ['password'] }), (log, secret, way) => log.info({ way }, 'm')],
  'a mixin that replaces msg': [{ mixin: () => ({ msg: CENSOR }), mixinMergeStrategy: (object, mixed) => ({ ...object, ...mixed }) }, (log, secret, way) => log.info({ way, msg: secret })],
  'a mixin that drops msg': [{ mixin: () => ({}), mixinMergeStrategy: ({ msg, ...others }) => others }, (log, secret, way) => log.info({ way, msg: secret }), NOTHING],
  nestedKey: [{ nestedKey: 'payload', redact: ['password', 'msg'] }, (log, secret, way) => log.info({ way, password: secret, msg: secret }, secret)],
  'an error': [{ redact: ['err.message', 'err.stack', 'msg'] }, (log, secret, way) => log.child({ way }).error(new Error(secret))],
  'an error\'s cause': [{ redact: ['err.message', 'err.stack'] }, (log, secret, way) => log.error({ way, err: new Error('outer', { cause: new Error(secret) }) }, 'm')],
  errorKey: [{ errorKey: 'error', redact: ['error.message', 'error.stack', 'msg'] }, (log, secret, way) => log.error({ way, error: new Error(secret) })],
  'hooks.logMethod': [{ hooks: { logMethod (args, method) { method.apply(this, [{ ...args[0], msg: CENSOR }, CENSOR]) } } }, (log, secret, way) => log.info({ way, msg: secret }, secret)],
  'hooks.streamWrite': [secret => ({ hooks: { streamWrite: line => line.replaceAll(secret, CENSOR) } }), (log, secret, way) => log.info({ way, a: secret, msg: secret }, secret)],
  msgPrefix: [secret => ({ msgPrefix: secret, redact: ['msg'] }), (log, secret, way) => log.info({ way }, 'm')],
  customLevels: [{ customLevels: { audit: 35 }, redact: ['msg'] }, (log, secret, way) => log.audit({ way, msg: secret })],
  'labels for levels': [{ formatters: { level: label => ({ level: label }) }, redact: ['msg'] }, (log, secret, way) => log.info({ way, msg: secret })],
  'no time': [{ timestamp: false, redact: ['msg'] }, (log, secret, way) => log.info({ way, msg: secret })],
  'several destinations': [{ redact: ['msg', 'password'] }, (log, secret, way) => log.info({ way, password: secret, msg: secret }, secret)]
}

// Bunyan itself throws at the first two; a fallback is never given but whole lines.
const NOT_PIPED = ['a BigInt', 'a getter that throws beside it', 'half a line', 'text among lines']

const RELEASES = { bunyan1: BUNYAN, bunyan: BUNYAN, pino8: PINO, pino9: PINO, pino: PINO }
const MODES = ['live', 'piped']

/** All ways of a mode: { id, secret, release, name, isMarked }. */
function waysOf (seed, mode) {
  return Object.entries(RELEASES).flatMap(([release, ways]) => Object.keys(ways)
    .filter(name => !(mode === 'piped' && NOT_PIPED.includes(name)) && !(release === 'pino8' && name === 'hooks.streamWrite')) // which is later
    .map(name => {
      const id = `${mode}, ${release}: ${name};`
      return { id, secret: secretOf(seed, id), release, name, isMarked: ways[name][2] !== NOTHING }
    }))
}

function logAll (seed, mode) {
  if (mode === 'piped') Object.defineProperty(process, 'platform', { value: 'none' })
  const nftrace = require('../..')
  const fallback = process.stdout
  const stream = options => nftrace.stream({ fallback, level: 'trace', ...options })
  const loggers = {}
  for (const { id, secret, release, name } of waysOf(seed, mode)) {
    const module = require(release)
    if (RELEASES[release] === BUNYAN) {
      loggers[release] ??= loggersOf(module, stream)
      BUNYAN[name](loggers[release], secret, id)
    } else {
      const [given, call] = PINO[name]
      const options = { level: 'trace', ...(typeof given === 'function' ? given(secret) : given) }
      const destination = nftrace.pino({ fallback })
      call(module(options, name === 'several destinations' ? module.multistream([{ stream: destination }, { stream: { write () {} } }]) : destination), secret, id)
    }
  }
  for (const release of ['bunyan1', 'bunyan']) loggers[release].log.info({ way: `${mode}, control;`, control: controlOf(seed) }, 'm')
  console.error(controlOf(seed))
  if (mode !== 'live') return
  console.log(`${controlOf(seed)}: all is logged`)
  process.stdin.resume()
}

if (require.main === module) logAll(process.argv[2], process.argv[3])

module.exports = { beginningOf, CENSOR, controlOf, MODES, waysOf }
