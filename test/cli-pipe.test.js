'use strict'
// nftrace pipe as part of a pipeline: what it takes, passes on, refuses and keeps.

require('./support/isolate')()

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const { NFTRACE, nftrace, ROOT, startNftrace } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { until } = require('./support/until')
const { folderIn, readTrace, recordOf } = require('./support/lttng')
const { line } = require('./support/log-lines')

/** Pipes text while all levels, or some, are recorded: { events, stdout, status, stderr }. */
function piped (input, { args = [], level = 'trace' } = {}) {
  const result = nftrace(['record', '--level', level, '--buffers', '4M×4', '--', NFTRACE, 'pipe', ...args], { input })
  const events = /: 0 records/.test(result.stderr) ? [] : readTrace(folderIn(result.stderr))
  return { ...result, events }
}

test('Bunyan\'s and pino\'s own lines', () => {
  const program = `
    const log = require('bunyan').createLogger({ name: 'shop', level: 'trace', serializers: require('bunyan').stdSerializers })
    log.trace('t'); log.error(new Error('no pears'), 'failed'); log.child({ part: 1 }).fatal({ n: [1, 2] })
    const pino = require('pino')({ base: { pid: 7, hostname: 'host' }, level: 'debug' })
    pino.debug('d'); pino.warn({ a: { b: 1 } }, 'careful')`
  const lines = spawnSync(process.execPath, ['-e', program], { cwd: ROOT, encoding: 'utf8' }).stdout
  const { events } = piped(lines)
  const records = events.map(recordOf)
  assert.deepStrictEqual(records.slice(0, 3), lines.split('\n').slice(0, 3).map(JSON.parse))
  const pino = lines.split('\n').slice(3, 5).map(JSON.parse)
  assert.deepStrictEqual(records.slice(3), pino.map(record => ({ name: ' ', v: 0, ...record })))
  assert.deepStrictEqual(events.map(({ event }) => event), ['trace', 'error', 'fatal', 'debug', 'warn'].map(level => `bunyan:${level}`))
  assert.strictEqual(events[3].payload.time, pino[0].time)
})

test('text becomes an info record of the pipe\'s own', () => {
  const before = Date.now()
  const { events: [{ event, payload, context }] } = piped('Listening on 8080\n')
  assert.strictEqual(event, 'bunyan:info')
  assert.strictEqual(payload.level, 30)
  assert.strictEqual(payload.msg, 'Listening on 8080')
  assert.strictEqual(payload.hostname, require('node:os').hostname())
  assert.strictEqual(context.vpid, payload.pid)
  assert.ok(payload.time >= before && payload.time <= Date.now())
})

test('only the levels that a session wants are recorded', () => {
  const { events } = piped([10, 20, 30, 40, 50, 60].map(level => line({ level })).join('\n'), { level: 'warn' })
  assert.deepStrictEqual(events.map(({ payload }) => payload.level), [40, 50, 60])
})

test('--tee passes everything on, to the byte', () => {
  const input = Buffer.concat([Buffer.from(`${line({})}\r\n\n\ntext `), Buffer.from([0, 0xff, 0xc3, 10]), Buffer.alloc(3 << 20, 'x'), Buffer.from('end')])
  const { status, stdout } = spawnSync(NFTRACE, ['pipe', '--tee'], { input, maxBuffer: 1 << 24 })
  assert.strictEqual(status, 0)
  assert.ok(stdout.equals(input))
  assert.strictEqual(nftrace(['pipe'], { input: 'x\n' }).stdout, '')
})

test('--tee ends quietly when its reader goes', () => {
  const { stdout, stderr } = spawnSync('bash', ['-c', `yes '${line({})}' | "${NFTRACE}" pipe --tee | head -1; echo "\${PIPESTATUS[1]}"`], { encoding: 'utf8' })
  assert.strictEqual(stdout, `${line({})}\n0\n`)
  assert.strictEqual(stderr, '')
})

test('--strict names line and column of what is not a JSON object', () => {
  const cases = [
    ['{"a":1}\n\ntext\n', /^nftrace: line 3, column 1: not a JSON object\n$/],
    ['{"a":1}\n{"é":1,}\n', /^nftrace: line 2, column 8: parse error: .*\n$/],
    ['{"a":"\x1b[31m"}\n', /^nftrace: line 1, column \d+: lexical error: .*\n$/],
    ['{"a":1', /^nftrace: line 1, column 7: parse error: premature EOF\n$/],
    ['{"a":1} {"b":2}\n', /^nftrace: line 1, column 9: parse error: trailing garbage\n$/],
    [' [1]\n', /^nftrace: line 1, column 2: not a JSON object\n$/],
    [`{"a":${'['.repeat(5000)}`, /^nftrace: line 1, column \d+: nested too deep\n$/]
  ]
  for (const [input, message] of cases) {
    const { status, stderr } = nftrace(['pipe', '--strict'], { input })
    assert.strictEqual(status, 1, input)
    assert.match(stderr, message)
  }
  const { status, events } = piped(`${line({ msg: 'before' })}\nbad\n${line({ msg: 'after' })}\n`, { args: ['--strict'] })
  assert.strictEqual(status, 1)
  assert.deepStrictEqual(events.map(({ payload }) => payload.msg), ['before'])
  assert.strictEqual(nftrace(['pipe', '--strict'], { input: `${line({})}\r\n\n{}` }).status, 0)
})

test('lines arrive as they come, in pieces too', async () => {
  const record = startNftrace(['record', '--', NFTRACE, 'pipe'])
  const text = line({ msg: 'é in pieces' }) + '\n'
  for (const byte of Buffer.from(text)) {
    record.stdin.write(Buffer.from([byte]))
    await new Promise(resolve => setImmediate(resolve))
  }
  record.stdin.end()
  await record.ended
  assert.deepStrictEqual(readTrace(folderIn(record.text)).map(({ payload }) => payload.msg), ['é in pieces'])
})

test('a session that starts later gets what comes later', async () => {
  const pipe = startNftrace(['pipe'])
  pipe.stdin.write(line({ msg: 'early' }) + '\n')
  await until(() => spawnSync('lttng', ['list', '-u'], { encoding: 'utf8' }).stdout.includes(`PID: ${pipe.pid} `), 'the provider')
  const record = startNftrace(['record'])
  await until(() => spawnSync('lttng', ['list'], { encoding: 'utf8' }).stdout.includes('[active]'), 'the session')
  pipe.stdin.end(line({ msg: 'late' }) + '\n')
  await pipe.ended
  record.kill('SIGINT')
  await record.ended
  assert.deepStrictEqual(readTrace(folderIn(record.text)).map(({ payload }) => payload.msg), ['late'])
})

test('the first SIGINT lets it read on, the second ends it', async () => {
  const pipe = startNftrace(['pipe', '--tee'])
  pipe.stdin.write('one\n')
  await until(() => pipe.text === 'one\n', 'the first line')
  pipe.kill('SIGINT')
  pipe.stdin.write('two\n')
  await until(() => pipe.text === 'one\ntwo\n', 'the second line')
  pipe.kill('SIGINT')
  assert.deepStrictEqual(await pipe.ended, { status: 0, signal: null })
})

test('100 MB in one line: cut as the library cuts it, in little memory', async () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'lines')
  const writeLines = () => {
    const out = fs.openSync(file, 'w')
    const big = Buffer.alloc(1 << 20, 'é\\"\\n'.repeat(1024))
    const fill = (before, after) => {
      fs.writeSync(out, before)
      for (let i = 0; i < 100; i++) fs.writeSync(out, big.subarray(0, big.length - big.length % 6))
      fs.writeSync(out, after)
    }
    fill('{"name":"shop","hostname":"h","pid":1,"level":40,"msg":"', '","time":"2024-01-01T00:00:00.000Z","v":0}\n')
    fill('{"name":"shop","hostname":"h","pid":1,"level":40,"list":["', '",1],"msg":"m","time":"2024-01-01T00:00:00.000Z","v":0}\n')
    fill('text ', '\n')
    fs.writeSync(out, line({ msg: 'after' }) + '\n')
    fs.closeSync(out)
  }
  writeLines()
  const { status, stderr } = nftrace(['record', '--', '/usr/bin/time', '-f', 'memory %M', NFTRACE, 'pipe'], { stdio: [fs.openSync(file), 'pipe', 'pipe'] })
  assert.strictEqual(status, 0, stderr)
  const memory = Number(/memory (\d+)/.exec(stderr)[1])
  assert.ok(memory < 65536, `${memory} KiB`)
  const [msg, list, text, after] = readTrace(folderIn(stderr)).map(({ payload }) => payload)
  assert.strictEqual(after.msg, 'after')
  for (const { time, fields } of [msg, list]) {
    assert.strictEqual(time, Date.parse('2024-01-01T00:00:00.000Z'))
    assert.strictEqual(JSON.parse(fields).nftrace_truncated.cut, 1)
  }
  assert.ok(JSON.parse(text.fields).nftrace_truncated.bytes > 1e8)
  const library = nftrace(['record', '--', process.execPath, '-e', `
    const [one, two] = require('fs').readFileSync('${file}').toString().split('\\n')
    const { stream } = require('.').stream({ type: 'stream' })
    stream.write(one); stream.write(two)`])
  assert.deepStrictEqual(readTrace(folderIn(library.stderr)).map(({ payload }) => payload), [msg, list])
})

test('without end, nesting or line feed: still in little memory', async () => {
  for (const [begin, text] of [['', '['], ['', 'x'], ['{"a":', '['], ['{"a":', '{"a":'], ['{"a":[', '1,'], ['{"a":[', '"b",'], ['{', '"b":1,'], ['{"a":"', 'x'], ['{"a":"', '\\ud800']]) {
    const { stderr } = spawnSync('bash', ['-c', `(printf %s '${begin}'; yes '${text}' | tr -d '\n' | head -c 20000000) |
      "${NFTRACE}" record -- /usr/bin/time -f 'memory %M' "${NFTRACE}" pipe`], { encoding: 'utf8' })
    const memory = Number(/memory (\d+)/.exec(stderr)[1])
    assert.ok(memory < 131072, `${text}: ${memory} KiB`)
    const [{ payload }] = readTrace(folderIn(stderr))
    assert.strictEqual(JSON.parse(payload.fields).nftrace_truncated.cut, 1)
    assert.ok(Buffer.byteLength(payload.msg) < 65536)
  }
})

test('wrong command lines; --help', () => {
  assert.strictEqual(nftrace(['pipe', '--loud']).status, 2)
  const file = nftrace(['pipe', 'yesterday.log'])
  assert.strictEqual(file.status, 2)
  assert.match(file.stderr, /yesterday.log: not expected here; see nftrace pipe --help/)
  const { stdout } = nftrace(['pipe', '--help'])
  for (const option of ['strict', 'tee']) assert.ok(stdout.includes(`--${option}`))
})
