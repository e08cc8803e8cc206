'use strict'
// nftrace record and pipe in a terminal: Ctrl-C, resizing, a closed pipe, a closed
// window all end clean, with the session closed.

require('./support/isolate')()

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const { NFTRACE } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { until } = require('./support/until')
const { readTrace, recordOf } = require('./support/lttng')
const { Terminal } = require('./support/terminal')

function sessions () {
  return spawnSync('lttng', ['list'], { encoding: 'utf8' }).stdout.match(/nftrace-record-\S+/g) || []
}

/** A service that counts its SIGINTs, says so, and ends so long after the first that a second one would have come. */
function service (folder) {
  const file = path.join(folder, 'service.js')
  fs.writeFileSync(file, `
    const log = require('bunyan').createLogger({ name: 'shop', streams: [process.env.PLAIN ? { stream: process.stdout } : require('.')] })
    let count = 0
    process.on('SIGINT', () => {
      console.error('interrupted ' + ++count)
      setTimeout(() => { log.info({ count }, 'goodbye'); process.exit(7) }, 800)
    })
    log.info('hello')
    console.error('ready')
    setInterval(() => {}, 1000)`)
  return `-e "$(cat ${file})"`
}

test('Ctrl-C ends a recording without a command', async () => {
  const folder = path.join(temporaryFolder(), 'out')
  const terminal = new Terminal(`"${NFTRACE}" record -o ${folder}`)
  try {
    await terminal.shows('nftrace: recording; Ctrl-C ends it')
    terminal.resize(40, 10)
    terminal.resize(200, 50)
    terminal.press('C-c')
    assert.strictEqual(await terminal.end(), 0)
    await terminal.shows(`nftrace: 0 records in ${folder}, 0 lost`)
    assert.deepStrictEqual(sessions(), [])
  } finally {
    terminal.close()
  }
})

test('Ctrl-C reaches the command once, and its last words are recorded', async () => {
  const folder = path.join(temporaryFolder(), 'out')
  const terminal = new Terminal(`"${NFTRACE}" record -o ${folder} -- node ${service(temporaryFolder())}`)
  try {
    await terminal.shows('ready')
    // Two signals at once could look like one: nftrace gets its own later.
    const pid = Number(/\d+$/.exec(sessions()[0])[0])
    process.kill(pid, 'SIGSTOP')
    terminal.press('C-c')
    await terminal.shows('interrupted 1')
    process.kill(pid, 'SIGCONT')
    assert.strictEqual(await terminal.end(), 7)
    const records = readTrace(folder).map(recordOf)
    assert.deepStrictEqual(records.map(({ msg, count }) => [msg, count]), [['hello', undefined], ['goodbye', 1]])
    assert.deepStrictEqual(sessions(), [])
  } finally {
    terminal.close()
  }
})

test('the command has the terminal', async () => {
  const terminal = new Terminal(`"${NFTRACE}" record -- sh -c 'test -t 0 && test -t 1 && test -t 2 && stty size'`)
  try {
    assert.strictEqual(await terminal.end(), 0)
    assert.match(terminal.screen, /^50 200$/m)
  } finally {
    terminal.close()
  }
})

test('a closed window ends the command and the recording', async () => {
  const folder = path.join(temporaryFolder(), 'out')
  const terminal = new Terminal(`"${NFTRACE}" record -o ${folder} -- node ${service(temporaryFolder())}`)
  await terminal.shows('ready')
  assert.strictEqual(sessions().length, 1)
  terminal.close()
  await until(() => sessions().length === 0, 'the end of the session')
  assert.deepStrictEqual(readTrace(folder).map(({ payload }) => payload.msg), ['hello'])
})

test('a closed pipe behind the command, or behind nftrace itself', async () => {
  const folder = path.join(temporaryFolder(), 'out')
  const pid = path.join(temporaryFolder(), 'pid')
  const terminal = new Terminal(`"${NFTRACE}" record -o ${folder} -- yes | head -1; echo "\${PIPESTATUS[@]}"
    (until lttng list | grep -q '\\[active'; do sleep 0.05; done; kill -INT "$(cat ${pid})") & sh -c 'echo $$ > ${pid}; exec "${NFTRACE}" record' 2>&1 | head -0; echo "then \${PIPESTATUS[@]}"`)
  try {
    await terminal.end()
    assert.match(terminal.screen, /^141 0$/m)
    assert.match(terminal.screen, /^then 0 0$/m)
    assert.match(terminal.screen, new RegExp(`0 records in ${folder}, 0 lost`))
    assert.deepStrictEqual(sessions(), [])
  } finally {
    terminal.close()
  }
})

test('Ctrl-C on a pipeline: pipe takes what the service still says', async () => {
  const folder = path.join(temporaryFolder(), 'out')
  const inner = `PLAIN=1 node ${service(temporaryFolder())} | "${NFTRACE}" pipe; exit \${PIPESTATUS[0]}`
  const file = path.join(temporaryFolder(), 'inner')
  fs.writeFileSync(file, `trap : INT\n${inner}\n`)
  const terminal = new Terminal(`"${NFTRACE}" record -o ${folder} -- bash ${file}`)
  try {
    await terminal.shows('ready')
    await until(() => spawnSync('lttng', ['list', '-u'], { encoding: 'utf8' }).stdout.includes('bunyan:info'), 'the pipe')
    terminal.press('C-c')
    assert.strictEqual(await terminal.end(), 7)
    assert.deepStrictEqual(readTrace(folder).map(({ payload }) => payload.msg), ['hello', 'goodbye'])
  } finally {
    terminal.close()
  }
})
