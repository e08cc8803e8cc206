'use strict'
// Any value, any logger: what is recorded is what Bunyan writes beside it, and
// what others are written is what they were written without us.

const assert = require('node:assert')
const bunyan = require('bunyan')
const fc = require('fast-check')

const nftrace = require('../..')
const { call, configuration, level } = require('../support/generators')

const LEAST_CASES = 10000
const CHUNK = 2000
const CALLS_EACH = 5 // of one configuration
const FULL_CASES = 1e6

const aCase = fc.record({
  configuration, calls: fc.array(fc.record({ level, args: call }), { minLength: CALLS_EACH, maxLength: CALLS_EACH })
})
const json = value => JSON.parse(JSON.stringify(value))

/** A logger of a configuration, and how to make one in the same way. */
function make ({ serializers, src, own, children }, streams) {
  let log = bunyan.createLogger({ name: 'values', hostname: 'h', time: new Date(0), ...own, src, serializers, streams })
  for (const fields of children) log = log.child(fields)
  return log
}

/** Cases in chunks, until the time is up. */
async function inChunks (torture, look) {
  let cases = 0
  while (cases < LEAST_CASES || (torture.left > 0 && cases < FULL_CASES)) {
    const seed = Math.floor(torture.random() * 2 ** 31)
    const chunk = fc.sample(aCase, { numRuns: CHUNK / CALLS_EACH, seed })
    try {
      await look(chunk)
    } catch (error) {
      torture.check(false, `after ${cases} cases, chunk of seed ${seed}: ${error.message}`)
      break
    }
    cases += CHUNK
    torture.progress(`${cases} cases`)
  }
  torture.note(`${cases} cases`)
  torture.result.written = cases
}

/** Flat members that a record lacks have a default when they are read. */
const LACKING = { name: ' ', hostname: ' ', pid: 0 }

function same (seen, expected, ignored) {
  for (const key of ignored) {
    delete seen[key]
    delete expected[key]
  }
  for (const key of Object.keys(LACKING)) if (!(key in expected) && seen[key] === LACKING[key]) delete seen[key]
  assert.deepStrictEqual(seen, expected)
}

async function beside (torture) {
  let read = 0
  await inChunks(torture, async chunk => {
    const recording = torture.recording({ subbuf: '16M' })
    const expected = []
    for (const { configuration, calls } of chunk) {
      const written = []
      const memory = { type: 'raw', level: 'trace', stream: { write (record) { written.push(json(record)) } } }
      let both, alone
      try {
        both = make(configuration, [memory, nftrace])
        alone = make(configuration, [nftrace])
      } catch { // Bunyan wants none such
        continue
      }
      for (const { level, args } of calls) {
        written.length = 0
        try {
          both[level](...args)
        } catch {
          continue
        }
        if (written.length === 0) { // by the level that the record says; ours goes by the call's
          expected.push(null)
          continue
        }
        expected.push({ record: written[0], ignored: [] })
        alone[level](...args)
        // Its call is another one, on another line and later.
        expected.push({ record: { ...written[0] }, ignored: ['src', 'time'] })
      }
    }
    const seen = []
    const lost = await recording.finish(line => seen.push(line), 'utf8')
    assert.strictEqual(lost, 0, `${lost} events were lost`)
    assert.strictEqual(seen.length, expected.length)
    expected.forEach((line, i) => {
      if (line !== null) same(JSON.parse(seen[i]), line.record, line.ignored)
    })
    read += seen.length
  })
  torture.result.read = read
}

/** What streams of some levels were written by calls, and what these threw. */
function outcome ({ configuration, calls }, ours) {
  const written = configuration.levels.map(() => [])
  const streams = configuration.levels.map((level, i) => ({ level, stream: { write (line) { written[i].push(line) } } }))
  const thrown = []
  try {
    const log = make(configuration, ours ? [...streams.slice(0, 1), nftrace, ...streams.slice(1)] : streams)
    for (const { level, args } of calls) {
      try {
        log[level](...args)
      } catch (error) {
        thrown.push(String(error.message))
      }
    }
  } catch (error) {
    thrown.push(`no logger: ${error.message}`)
  }
  return JSON.stringify({ written, thrown })
}

// A record whose call takes its time away gets that of the call.
const isTimed = ({ args: [fields] }) => !(Object(fields) === fields && 'time' in fields)

async function unheard (torture) {
  await inChunks(torture, chunk => {
    for (const { configuration, calls } of chunk) {
      const timed = { configuration, calls: calls.filter(isTimed) }
      assert.strictEqual(outcome(timed, true), outcome(timed, false))
    }
  })
}

module.exports = [
  {
    name: 'values-traced',
    done: 'generated values, calls and loggers (1 M in the longest run), traced, beside Bunyan\'s record of them and alone',
    promised: 'what is read is, as JSON, what Bunyan made of it',
    weight: 5,
    run: beside
  }, {
    name: 'values-unheard',
    done: 'generated values, calls and loggers with one to three other streams, nobody listening',
    promised: 'each other stream gets the bytes it gets without us, each call throws what it throws without us',
    weight: 3,
    run: unheard
  }
]
