'use strict'
// Several copies of the package in one process, as node_modules trees have them.

require('./support/isolate')()

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const nftrace = require('..')
const bunyans = require('./support/bunyans')
const { temporaryFolder } = require('./support/folder')
const { lttng, recordOf, Session, trace } = require('./support/lttng')

const ROOT = path.join(__dirname, '..')

function copy () {
  const directory = temporaryFolder()
  for (const name of ['lib', 'package.json']) {
    fs.cpSync(path.join(ROOT, name), path.join(directory, name), { recursive: true })
  }
  fs.cpSync(path.resolve(ROOT, process.env.NFTRACE_BUILD || 'build', 'Release'), path.join(directory, 'build', 'Release'), { recursive: true })
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'))
  return require(directory)
}

delete process.env.NFTRACE_PREBUILD // with it, every copy would load the same addon
const copies = [nftrace, copy(), copy()]

function events () {
  const mine = lttng('list', '-u').split(/^PID: /m).find(text => text.startsWith(`${process.pid} `))
  return mine.match(/bunyan:\w+/g)
}

test('each event is offered once', () => {
  assert.deepStrictEqual(events().sort(), ['debug', 'error', 'fatal', 'info', 'trace', 'warn'].map(name => `bunyan:${name}`))
})

for (const buffers of ['uid', 'pid']) {
  test(`loggers of each copy record each call once, with per-${buffers} buffers`, () => {
    const session = trace({ buffers })
    const logs = copies.map((copy, i) => bunyans[i % 2].bunyan.createLogger({ name: `copy-${i}`, streams: [copy] }))
    for (const log of logs) {
      log.debug('one')
      log.child({ a: 1 }).debug('child')
    }
    const names = session.finish().map(({ payload }) => `${payload.name} ${payload.msg}`)
    assert.deepStrictEqual(names, [0, 1, 2].flatMap(i => [`copy-${i} one`, `copy-${i} child`]))
  })
}

test('one logger with the streams of all copies records each call once', () => {
  const log = bunyans[1].bunyan.createLogger({ name: 'shared', streams: copies })
  assert.strictEqual(log.level(), 30)
  const session = trace()
  log.debug('once')
  log.child({ a: 1 }).warn('once too')
  assert.deepStrictEqual(session.finish().map(({ payload }) => payload.msg), ['once', 'once too'])
})

test('a logger that follows one copy, and whose calls another copy\'s stream takes', () => {
  const log = bunyans[1].bunyan.createLogger({ name: 'mixed', streams: [{ ...copies[0], level: 'fatal' }, copies[1]] })
  const session = trace()
  log.fatal({ a: 1, text: 'the first copy takes it'.repeat(5) }, 'fatal')
  log.info({ b: 'the second one takes it'.repeat(5) }, 'info')
  log.info('info again')
  assert.deepStrictEqual(session.finish().map(recordOf).map(({ name, msg, a, b }) => [name, msg, a, b]), [
    ['mixed', 'fatal', 1, undefined],
    ['mixed', 'info', undefined, 'the second one takes it'.repeat(5)],
    ['mixed', 'info again', undefined, undefined]
  ])
})

test('copies of lib/ over one addon, as test runners make them, keep their loggers apart', () => {
  const fresh = () => {
    for (const file of Object.keys(require.cache)) {
      if (file.startsWith(path.join(ROOT, 'lib'))) delete require.cache[file]
    }
    return require('..')
  }
  const logs = Array.from({ length: 3 }, (_, i) =>
    bunyans[1].bunyan.createLogger({ name: `reset-${i}`, streams: [fresh()] }))
  const session = trace()
  for (let round = 0; round < 2; round++) for (const log of logs) log.info(`${round}`)
  assert.deepStrictEqual(session.finish().map(({ payload }) => `${payload.name} ${payload.msg}`),
    [0, 1].flatMap(round => [0, 1, 2].map(i => `reset-${i} ${round}`)))
})

test('a copy in a worker beside a copy in the main thread', () => {
  const session = new Session().enable('bunyan:*').start()
  const { status, stderr } = spawnSync(process.execPath, ['-e', `
    const { Worker } = require('node:worker_threads')
    const bunyan = require(${JSON.stringify(require.resolve('bunyan'))})
    bunyan.createLogger({ name: 'main', streams: [require(${JSON.stringify(ROOT)})] }).info('main')
    new Worker(\`require(${JSON.stringify(require.resolve('bunyan'))})
      .createLogger({ name: 'worker', streams: [require(${JSON.stringify(ROOT)})] }).info('worker')\`, { eval: true })
      .on('exit', () => bunyan.createLogger({ name: 'main', streams: [require(${JSON.stringify(ROOT)})] }).info('after'))`],
  { encoding: 'utf8' })
  assert.deepStrictEqual([status, stderr], [0, ''])
  assert.deepStrictEqual(session.finish().map(({ payload }) => payload.msg), ['main', 'worker', 'after'])
})
