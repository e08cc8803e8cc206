'use strict'
// Much of everything: what is written is read, or counted as lost, and memory
// stays where it is.

const { once } = require('node:events')

const { lttng } = require('../support/lttng')
const { PAUSE, RETURNED } = require('./memory')
const { STEADY_MEMORY } = require('./support')

const PROCESSES = 8
const THREADS = 2
const MEBIBYTE = 1048576

/** Looks at each record: those of a thread must come in order, none missing but where some were lost. */
function checker (slots) {
  const read = new Array(slots).fill(0)
  const last = new Array(slots).fill(0)
  let backwards = 0
  return {
    read,
    take (record) {
      const at = record.indexOf('"i":') + 4
      const comma = record.indexOf(',', at)
      const slot = parseInt(record.slice(comma + 8, comma + 12), 10)
      const i = Number(record.slice(at, comma))
      if (i <= last[slot]) backwards++
      last[slot] = i
      read[slot]++
    },
    backwards: () => backwards
  }
}

/** All processes at full speed for a while. */
async function flood (torture, shared, ms, env) {
  const children = Array.from({ length: PROCESSES }, (_, index) =>
    torture.service(shared, { index, threads: THREADS, where: 'worker', ms }, { env }))
  for (const child of children) {
    const { status, signal } = await child.ended
    torture.check(status === 0 && child.said === '', `a service ended with ${signal ?? status}: ${child.said}`)
  }
}

const SLOTS = PROCESSES * THREADS

const blocking = {
  name: 'load-blocking',
  done: `${PROCESSES} processes × ${THREADS} threads at full speed, blocking, 4 × 4 MiB buffers`,
  promised: 'written = read, for each thread and in its order',
  weight: 8,
  async run (torture) {
    const recording = torture.recording({ blocking: true })
    const shared = torture.shared(SLOTS)
    const ms = Math.min(60000, torture.seconds * 300) // reading takes its time, too
    torture.progress(`writing for ${(ms / 1000).toFixed(0)} s`)
    await flood(torture, shared, ms, { LTTNG_UST_ALLOW_BLOCKING: '1' })
    torture.progress(`reading ${shared.sum(RETURNED)} records`)
    const check = checker(SLOTS)
    const lost = await recording.finish(check.take)
    const written = shared.sum(RETURNED)
    const read = check.read.reduce((a, b) => a + b, 0)
    Object.assign(torture.result, { written, read, lost, pause: shared.worst(PAUSE) })
    check.read.forEach((count, slot) =>
      torture.check(count === shared.get(slot, RETURNED), `thread ${slot}: ${count} read of ${shared.get(slot, RETURNED)}`))
    torture.check(lost === 0, `${lost} lost`)
    torture.check(check.backwards() === 0, `${check.backwards()} records out of their thread's order`)
  }
}

const discarding = {
  name: 'load-discarding',
  done: `${PROCESSES} processes × ${THREADS} threads at full speed, 2 × 64 KiB buffers, without blocking`,
  promised: 'written = read + lost; what is read is in each thread\'s order',
  weight: 4,
  async run (torture) {
    const recording = torture.recording({ subbuf: '64k', count: 2 })
    const shared = torture.shared(SLOTS)
    const ms = Math.min(30000, torture.seconds * 300)
    torture.progress(`writing for ${(ms / 1000).toFixed(0)} s`)
    await flood(torture, shared, ms)
    const check = checker(SLOTS)
    const lost = await recording.finish(check.take)
    const written = shared.sum(RETURNED)
    const read = check.read.reduce((a, b) => a + b, 0)
    Object.assign(torture.result, { written, read, lost, pause: shared.worst(PAUSE) })
    torture.check(written === read + lost, `${written} written, ${read} read and ${lost} lost: ${written - read - lost} are not accounted for`)
    torture.check(lost > 0, 'nothing was lost: the buffers were too large for this')
    torture.check(check.backwards() === 0, `${check.backwards()} records out of their thread's order`)
  }
}

const median = values => [...values].sort((a, b) => a - b)[values.length >> 1]

function memory (what, done, fullCalls, callsPerSecond) {
  return {
    name: `memory-${what}`,
    done,
    promised: 'own memory grows by less than 1 MiB after warm-up',
    weight: 2,
    async run (torture) {
      if (what !== 'disabled') {
        // Overwritten in memory: each event is written, none reaches a disk.
        lttng('create', 'memory', '--snapshot')
        lttng('enable-channel', '-u', '--overwrite', '--subbuf-size=1M', '--num-subbuf=4', 'memory')
        lttng('enable-event', '-u', '-c', 'memory', 'bunyan:*')
        lttng('start')
      }
      const shared = torture.shared(1)
      const calls = Math.min(fullCalls, Math.floor(torture.seconds * callsPerSecond))
      const child = torture.service(shared, { how: 'endure', what, calls }, { node: STEADY_MEMORY })
      const [samples] = await Promise.race([once(child, 'message'), child.ended.then(() => [null])])
      if (samples === null) return torture.check(false, `the service ended: ${child.said}`)
      // The first quarter is warm-up: code is compiled, the heap finds its size.
      const growth = median(samples.slice(-5)) - median(samples.slice(5, 10))
      Object.assign(torture.result, { written: shared.sum(RETURNED), memory: growth })
      torture.check(growth < MEBIBYTE, `it grew by ${(growth / MEBIBYTE).toFixed(2)} MiB: ${samples.map(bytes => (bytes / MEBIBYTE).toFixed(1)).join(' ')}`)
      torture.check(child.said === '', child.said)
    }
  }
}

module.exports = [
  blocking,
  discarding,
  memory('enabled', '10 M records (fewer in a short run)', 1e7, 7e5),
  memory('disabled', '100 M calls while nobody listens (fewer in a short run)', 1e8, 1e7),
  memory('children', '2 M short-lived children, each of which logs (fewer in a short run)', 2e6, 1.5e5)
]
