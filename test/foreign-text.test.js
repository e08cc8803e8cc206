'use strict'
// Names, paths, records and messages of other programs, whoever made them, reach a
// terminal only as text that can be seen: nothing moves the cursor, begins a line,
// turns text around or hides.

require('./support/isolate')()

const assert = require('node:assert')
const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')

const { BUILD, nftrace, NFTRACE, parseLines, ROOT, run, startNftrace } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { until } = require('./support/until')
const { writeTrace } = require('./support/ctf')
const { startRelayd, trace } = require('./support/lttng')

const codes = (...ranges) => ranges.flatMap(([first, last = first]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
/** What a terminal obeys or doesn't show, in UTF-8. */
const UNSEEN = codes([1, 0x1f], [0x7f, 0x9f], [0xad], [0x61c], [0x180e], [0x200b], [0x200e, 0x200f], [0x2028, 0x202e], [0x2060, 0x2064], [0x2066, 0x206f],
  [0xfeff], [0xfff9, 0xfffb], [0xe0001], [0xe0041]).map(code => String.fromCodePoint(code))
/** Bytes that aren't UTF-8: lone ones, overlong forms, half a surrogate pair, too large ones, cut ones. */
const INVALID = [[0x80], [0x9b], [0xff], [0xfe], [0xc0, 0xaf], [0xc1, 0x9b], [0xe0, 0x80, 0x9b], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xe2, 0x80], [0xf0, 0x9f, 0x98]]
const HOSTILE = [...UNSEEN.map(text => Buffer.from(text)), ...INVALID.map(bytes => Buffer.from(bytes)),
  Buffer.from('\x1b]0;title\x07\x1b[2J'), Buffer.from('\nnftrace: forged\r\nforged')]

/** Some of these in one text, with letters between them; without some characters that have no place there. */
function join (list, without = '') {
  return Buffer.concat(list.filter(bytes => ![...without].some(character => bytes.includes(character))).flatMap(bytes => [Buffer.from('x'), bytes]).concat(Buffer.from('x')))
}

const ALL = join(HOSTILE)
/** The same in pieces of so many bytes at most, for names that can't be longer. */
function pieces (most, without) {
  const parts = [[]]
  for (const bytes of HOSTILE) {
    if (join([...parts.at(-1), bytes], without).length > most) parts.push([])
    parts.at(-1).push(bytes)
  }
  return parts.map(part => join(part, without))
}

const CHUNK = 20000 // characters, of which Linux takes 128 KiB as an argument
const FORBIDDEN = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu
const JOINERS = '\u200c\u200d'

/** Asserts that output, a Buffer, has no character and no byte that isn't seen, but for its own line feeds. */
function assertSafe (output, what) {
  let text
  assert.doesNotThrow(() => { text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(output) }, `${what}: ${output.toString('latin1')}`)
  for (const line of text.split('\n')) {
    assert.deepStrictEqual((line.match(FORBIDDEN) ?? []).filter(character => !JOINERS.includes(character)), [], `${what}: ${JSON.stringify(line)}`)
    assert.doesNotMatch(line, /^(?:nftrace: )?forged/, what)
  }
  return text
}

/** Bytes as one word of a shell. */
const quote = bytes => `$'${[...Buffer.from(bytes)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'`

/** Runs a program with arguments that are any bytes; checks all that it prints. */
function runSafely (program, args, options = {}) {
  const result = spawnSync('bash', ['-c', `exec ${[program, ...args].map(quote).join(' ')}`], { cwd: ROOT, maxBuffer: 1 << 28, ...options })
  const what = args.join(' ')
  return { status: result.status, stdout: assertSafe(result.stdout, what), stderr: assertSafe(result.stderr, what) }
}

const say = (args, options) => runSafely(NFTRACE, args, options)

test('exactly Unicode\'s controls, format characters and separators are escaped, but for the joiners', () => {
  const escaped = []
  const all = codes([1, 0xd7ff], [0xe000, 0x10ffff]).filter(code => code !== 0x7c)
  for (let i = 0; i < all.length; i += CHUNK) {
    const chunk = all.slice(i, i + CHUNK)
    const { stderr } = nftrace([chunk.map(code => String.fromCodePoint(code)).join('|')])
    const shown = stderr.slice('nftrace: no command "'.length, -'"; see nftrace --help\n'.length).split('|')
    assert.strictEqual(shown.length, chunk.length)
    chunk.forEach((code, j) => { if (shown[j] !== String.fromCodePoint(code)) escaped.push([code, shown[j]]) })
  }
  const name = code => ({ 9: '\\t', 10: '\\n', 13: '\\r' })[code] ?? (code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`)
  const expected = all.filter(code => String.fromCodePoint(code).match(FORBIDDEN) !== null && !JOINERS.includes(String.fromCodePoint(code)))
  assert.deepStrictEqual(escaped, expected.map(code => [code, name(code)]))
})

test('bytes that aren\'t UTF-8 are shown as such, and escapes stay as they are', () => {
  for (const bytes of INVALID) {
    const shown = bytes.map(byte => `\\x${byte.toString(16)}`).join('')
    assert.strictEqual(say([Buffer.from([0x61, ...bytes, 0x7a])]).stderr, `nftrace: no command "a${shown}z"; see nftrace --help\n`)
  }
  assert.strictEqual(say(['a\\x1b\\u202e\\nz"\'']).stderr, 'nftrace: no command "a\\x1b\\u202e\\nz"\'"; see nftrace --help\n')
})

test('in command lines that are refused', () => {
  const file = path.join(temporaryFolder(), 'a file')
  fs.writeFileSync(file, '')
  const none = temporaryFolder()
  for (const bytes of [ALL, ...['\n', '\r', '\t', '\x1b', '\u202e'].map(text => Buffer.from(text)), Buffer.from([0xff])]) {
    const text = Buffer.concat([Buffer.from('x'), bytes])
    const option = Buffer.concat([Buffer.from('--'), text])
    const below = Buffer.concat([Buffer.from(`${file}/`), text])
    for (const [args, status] of [
      [[text], 2], [['help', text], 2],
      [['read', below], 1], [['read', option], 2], [['read', '--level', text, none], 2], [['read', '--begin', text, none], 2], [['read', '--end', text, none], 2],
      [['read', '--around', Buffer.concat([Buffer.from('== '), text]), '1s', none], 2], [['read', '--around', Buffer.concat([Buffer.from('name == "'), text, Buffer.from('" &&')]), '1s', none], 2], [['read', '--around', 'pid == 1', text, none], 2],
      [['tail', '--url', text], 1], [['tail', option], 2], [['tail', '--level', text], 2], [['tail', text], 2],
      [['record', '--level', text], 2], [['record', '--buffers', text], 2], [['record', '--name', Buffer.concat([Buffer.from('\'"'), text])], 2], [['record', option], 2],
      [['record', '--to', text, '--', 'true'], 1], [['record', '--output', below, '--', 'true'], 1], [['record', '--filter', Buffer.concat([Buffer.from('name == "'), text]), '--', 'true'], 1],
      [['record', '--kernel', text, '--', 'true'], 1], [['record', '--syscalls', text, '--', 'true'], 1],
      [['snapshot', text], 2], [['snapshot', option], 2], [['snapshot', 'stop', '--session', text], 1], [['snapshot', 'save', '--session', text], 1], [['snapshot', 'start', text], 2],
      [['snapshot', 'start', '--output', below], 1],
      [['status', text], 2], [['status', option], 2],
      [['pipe', text], 2], [['pipe', option], 2], [['pipe', '--max-record-bytes', text], 2]
    ]) {
      const result = say(args, { input: '' })
      assert.strictEqual(result.status, status, `${args.join(' ')}: ${result.stderr}`)
      assert.match(result.stderr, /^nftrace: .|^Usage/m)
    }
  }
})

test('in the name of a command that can\'t be run', () => {
  assert.strictEqual(say(['record', '--', ALL.subarray(0, 200)]).status, 127)
  assert.strictEqual(say(['record', '--', ALL]).status, 126) // its name is too long
})

test('in log lines that are refused', () => {
  for (const bytes of HOSTILE) {
    for (const line of [[bytes], ['{"a":', bytes], ['{"', bytes, '":"', bytes, '"'], ['{"a":1}', bytes]]) {
      say(['pipe', '--strict'], { input: Buffer.concat(line.map(part => Buffer.from(part))) })
    }
  }
})

test('in paths: of a trace that is recorded, of traces that are damaged, of their files', () => {
  const place = Buffer.from(temporaryFolder() + '/')
  for (const name of pieces(200)) {
    const folder = Buffer.concat([place, name])
    const recorded = say(['record', '--output', folder, '--', 'true'])
    assert.match(recorded.stderr, /^nftrace: 0 records in|^nftrace: /)
    fs.rmSync(folder, { recursive: true, force: true })
    // A trace in it, and what is wrong with it in a name of that kind.
    const inside = Buffer.concat([folder, Buffer.from('/'), name])
    const metadata = Buffer.concat([folder, Buffer.from('/metadata')])
    fs.mkdirSync(folder)
    fs.writeFileSync(metadata, '')
    assert.match(say(['read', folder]).stderr, /its metadata cannot be read/)
    fs.writeFileSync(metadata, Buffer.concat([Buffer.from('/* CTF 1.8 */\ntrace { '), ALL, Buffer.from(' }')]))
    assert.match(say(['read', folder]).stderr, /its metadata cannot be read/)
    const whole = writeTrace(temporaryFolder(), { domain: 'ust', types: { 'a:b': {} }, events: [{ time: 5, cpu: 0, name: 'a:b' }] })
    fs.copyFileSync(path.join(whole, 'metadata'), metadata)
    fs.copyFileSync(path.join(whole, 'channel_0'), inside)
    assert.match(say(['read', folder]).stderr, /no Bunyan records among 1 event/)
    fs.appendFileSync(inside, 'half a packet')
    assert.match(say(['read', folder]).stderr, /the last 13 bytes are left out/)
    fs.writeFileSync(inside, 'no packet at all')
    assert.match(say(['read', folder]).stderr, /left out, it cannot be read/)
  }
})

test('in sessions, events, filters and processes that status names', async () => {
  const names = pieces(200, '/')
  for (const [i, name] of names.entries()) {
    const { status, stderr } = spawnSync('bash', ['-c', `lttng create ${quote(name)} --output ${quote(Buffer.concat([Buffer.from(temporaryFolder() + '/'), name]))}`])
    assert.strictEqual(status, 0, stderr.toString())
    // Events and filters take no bytes that aren't UTF-8.
    spawnSync('lttng', ['enable-event', '-u', `b*${UNSEEN[i]}*`], { encoding: 'utf8' })
    spawnSync('lttng', ['enable-event', '-u', 'bunyan:*', '--filter', `msg == "${UNSEEN.filter(text => text !== '\n').join('')}"`], { encoding: 'utf8' })
    spawnSync('lttng', ['start'])
  }
  const services = pieces(15).map(title => spawn(process.execPath, ['-e', `
    require('.')
    require('fs').writeFileSync('/proc/self/comm', Buffer.from('${title.toString('hex')}', 'hex'))
    setInterval(() => {}, 1000)`], { cwd: ROOT, stdio: 'ignore' }))
  try {
    await until(() => JSON.parse(nftrace(['status', '--json']).stdout).processes.length === services.length, 'the processes')
    await until(() => services.every(({ pid }) => fs.readFileSync(`/proc/${pid}/comm`, 'latin1').startsWith('x')), 'their titles')
    const { stdout, stderr } = say(['status'])
    assert.strictEqual(stderr, '')
    assert.strictEqual(stdout.match(/^ {2}\d+ x/gm).length, services.length, stdout)
    assert.strictEqual(stdout.match(/^ {2}x.*: (recording|stopped)$/gm).length, names.length, stdout)
    const { processes, sessions } = JSON.parse(say(['status', '--json']).stdout)
    assert.deepStrictEqual(processes.map(({ pid, name }) => [pid, name]).sort(), services.map(({ pid }) => [pid, fs.readFileSync(`/proc/${pid}/comm`, 'utf8').slice(0, -1)]).sort())
    assert.deepStrictEqual(sessions.map(({ name }) => name).sort(), names.map(name => name.toString()).sort())
  } finally {
    for (const service of services) service.kill()
    run('lttng', ['destroy', '--all'])
  }
})

test('in the recorder of snapshots, and its path on a terminal', () => {
  for (const name of pieces(150, '/')) {
    const folder = Buffer.concat([Buffer.from(temporaryFolder() + '/'), name])
    assert.strictEqual(say(['snapshot', 'start', '--session', name, '--output', folder]).status, 0)
    assert.match(say(['snapshot', 'start', '--session', name]).stderr, /runs already/)
    assert.match(say(['snapshot', 'save', '--session', name]).stderr, /nothing is recorded yet/)
    spawnSync(path.join(BUILD, 'test', 'c', 'fire-fields'), ['1', '{}'])
    const terminal = spawnSync('script', ['-qec', `bash -c "exec ${NFTRACE} snapshot save --session ${quote(name)}"`, '/dev/null'])
    assert.match(assertSafe(Buffer.from(terminal.stdout.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'), 'save'), /^nftrace: 1 records saved\n\/.*\n$/)
    const piped = spawnSync('bash', ['-c', `exec ${NFTRACE} snapshot save --session ${quote(name)}`])
    assert.ok(piped.stdout.includes(folder), 'a program gets the bytes')
    assert.strictEqual(say(['snapshot', 'stop', '--session', name]).status, 0)
  }
})

test('in live sessions that a relay daemon names', async () => {
  const relayd = await startRelayd(temporaryFolder())
  const names = pieces(100, '/\t\n\v\f\r ') // of a session with these a relay daemon takes nothing
  try {
    for (const name of names) {
      const { status, stderr } = spawnSync('bash', ['-ec', `lttng create ${quote(name)} --live --set-url=net://127.0.0.1; lttng enable-event -u 'bunyan:*'; lttng start`])
      assert.strictEqual(status, 0, stderr.toString())
    }
    const { stderr, status } = say(['tail', '--url', 'net://127.0.0.1', '--session', 'another'])
    assert.strictEqual(status, 1)
    assert.strictEqual(stderr.match(/^nftrace: {3}x.* of /gm).length, names.length, stderr)
    const tail = spawn(NFTRACE, ['tail', '--url', 'net://127.0.0.1'], { stdio: ['ignore', 'ignore', 'pipe'] })
    const said = []
    tail.stderr.on('data', data => said.push(data))
    const ended = new Promise(resolve => tail.on('close', resolve))
    await until(() => Buffer.concat(said).toString().split('\n').length > names.length, 'the sessions')
    tail.kill('SIGINT')
    await ended
    assert.strictEqual(assertSafe(Buffer.concat(said), 'tail').match(/^nftrace: following x.* of /gm).length, names.length)
  } finally {
    run('lttng', ['destroy', '--all'])
    await relayd.end()
  }
})

test('in sessions that are completed on a command line: none is a command', () => {
  const folder = temporaryFolder()
  const names = ['$(touch expanded)', '`touch expanded`', 'a b', '*', "it's", 'a;touch expanded', 'a&b<c>"d"', '\\', '~', ...pieces(200, '/\n').map(name => name.toString())]
  for (const name of names) run('lttng', ['create', name, '--no-output'])
  const complete = word => spawnSync('bash', ['-c', `
    source ${path.join(ROOT, 'completion', 'nftrace.bash')}
    COMP_WORDS=(nftrace tail --session ${quote(word)}) COMP_CWORD=3
    _nftrace
    printf '%s\\n' "\${COMPREPLY[@]}"
    eval "words=(\${COMPREPLY[*]})"
    printf '%s\\0' "\${words[@]}" >&2`], { cwd: folder })
  try {
    const { stdout, stderr } = complete('')
    assertSafe(stdout, 'what is shown')
    assert.deepStrictEqual(stderr.toString().split('\0').slice(0, -1).sort(), [...names].sort())
    assert.strictEqual(complete('$(t').stdout.toString(), '\\$\\(touch\\ expanded\\)\n')
    assert.deepStrictEqual(fs.readdirSync(folder), [])
  } finally {
    run('lttng', ['destroy', '--all'])
  }
})

/** A service that logs text in every part of a record, to nftrace and beside it to a file. */
const logEverywhere = (file, texts) => [process.execPath, '-e', `
  const bunyan = require('bunyan')
  const file = require('fs').createWriteStream(${JSON.stringify(file)})
  const texts = JSON.parse(${JSON.stringify(JSON.stringify(texts))})
  for (const text of texts) {
    const log = bunyan.createLogger({ name: text, streams: [require('.'), { stream: file }] })
    log.info({ [text]: { [text]: [text] } }, text)
    log.child({ hostname: text, component: text }).info(text)
    log.info({ err: new Error(text), pid: text, time: text, msg: text, v: text })
  }`]

const TEXTS = [...UNSEEN, UNSEEN.join('x'), '\0\x1b', '\ud800\u202e', '\u{e0001}\u{e0041}\u{10ffff}', JOINERS]

test('in records, as nftrace read and tail print them: their values are the same', async () => {
  const session = trace()
  const beside = path.join(temporaryFolder(), 'beside')
  const tail = startNftrace(['tail'])
  const tailed = []
  tail.stdout.setEncoding('latin1').on('data', data => tailed.push(data))
  const lines = () => Buffer.from(tailed.join(''), 'latin1').toString().split('\n')
  await until(() => /nftrace-tail-.*: recording/.test(nftrace(['status']).stdout), 'tail')
  const [program, ...args] = logEverywhere(beside, TEXTS)
  run(program, args, { cwd: ROOT })
  const expected = parseLines(fs.readFileSync(beside, 'utf8'))
  await until(() => lines().length > expected.length, 'the records')
  tail.kill('SIGINT')
  await tail.ended
  session.end()
  assert.deepStrictEqual(parseLines(assertSafe(Buffer.from(tailed.join(''), 'latin1'), 'tail')), expected)
  assert.deepStrictEqual(parseLines(say(['read', session.folder]).stdout), expected)
  const contexts = parseLines(say(['read', '--all', '--context', session.folder]).stdout)
  assert.strictEqual(contexts.length, expected.length)
})

test('in events of other programs, in their hosts\' names, and in `fields` that aren\'t ours', () => {
  // What a string of CTF's metadata can't hold as it is.
  const name = join(HOSTILE, '\n').toString('latin1')
  const text = bytes => Buffer.from(bytes, 'latin1')
  const folder = writeTrace(temporaryFolder(), {
    domain: 'ust',
    types: { 'other:event': { text: 'string' } },
    events: [{ time: 5, cpu: 0, name: 'other:event', payload: { text: ALL } }, { time: 9, cpu: 0, name: 'other:event', payload: { text: '' } }],
    lost: { 0: 1 }
  })
  const metadata = path.join(folder, 'metadata')
  fs.writeFileSync(metadata, text(fs.readFileSync(metadata, 'latin1').replaceAll('"vm"', `"${name}"`).replaceAll('"made"', `"${name}"`).replaceAll('"other:event"', `"other${name}:event${name}"`)))
  const { status, stdout } = say(['read', '--all', '--context', folder])
  assert.strictEqual(status, 0)
  const [event, loss] = parseLines(stdout)
  const shown = new TextDecoder('utf-8', { ignoreBOM: true }).decode(text(name)).replace(/\ufffd+/g, '\ufffd')
  assert.strictEqual(event.hostname.replace(/\ufffd+/g, '\ufffd'), shown)
  assert.strictEqual(event.msg.replace(/\ufffd+/g, '\ufffd'), `other${shown}:event${shown}`)
  assert.ok(loss.lost.trace.startsWith('x'))

  const session = trace({ count: '8' })
  const fields = [...HOSTILE.map(bytes => Buffer.concat([Buffer.from('{"a":"'), bytes, Buffer.from('"}')])), ALL]
  for (const text of fields) runSafely(path.join(BUILD, 'test', 'c', 'fire-fields'), ['1', text, ALL, ALL])
  session.end()
  assert.strictEqual(parseLines(say(['read', session.folder]).stdout).length, fields.length)
})

test('progress: nothing in a file, and on a terminal that obeys no escapes', () => {
  const session = trace({ count: '8' })
  spawnSync(path.join(BUILD, 'test', 'c', 'fire-fields'), ['30000', '{}'])
  session.end()
  // A reader that takes its time makes the read a long one: progress shows after a second.
  const slow = `bash -o pipefail -c '${NFTRACE} read ${session.folder} | (sleep 1.3; head -c 1000000; sleep 0.4; cat) > /dev/null'`
  /** What a command prints on a terminal, whose TERM may be missing. */
  const shown = (env, command) => {
    const { TERM, ...rest } = process.env
    const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { ...rest, ...env }, cwd: ROOT })
    assert.strictEqual(status, 0, stdout)
    return stdout
  }
  const record = () => `${NFTRACE} record -o ${path.join(temporaryFolder(), 'trace')} -- ${path.join(BUILD, 'test', 'c', 'fire-fields')} 30000 {}`
  const progress = 'node -e "const progress = require(\'./scripts/progress\'); progress.show(\'far\'); progress.hide()"'
  for (const TERM of [undefined, 'dumb']) {
    assert.strictEqual(shown({ TERM }, slow), '')
    assert.match(shown({ TERM }, record()), /^(?:nftrace: [^\r\x1b]*\r\n)+$/) // eslint-disable-line no-control-regex
    assert.strictEqual(shown({ TERM }, progress), '')
  }
  assert.match(shown({ TERM: 'xterm' }, slow), /\r\x1b\[Knftrace: \d+ % read/) // eslint-disable-line no-control-regex
  assert.match(shown({ TERM: 'xterm' }, record()), /\r\x1b\[Knftrace: \d+ records/) // eslint-disable-line no-control-regex
  assert.strictEqual(shown({ TERM: 'xterm' }, progress), '\r\x1b[Kfar\r\x1b[K')
})
