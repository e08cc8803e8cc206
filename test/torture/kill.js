'use strict'
// Whatever ends a service in the middle of a burst: each record whose log call
// returned is in the trace.
//
// A signal from outside may stop a thread anywhere, also between LTTng-UST's
// reserving a record's place and its committing it. Nobody can then read past
// that place, until LTTng 2.15 at least; what stands there is still in the shared
// memory, where lttng-crash(1) finds it. So that is a scenario of its own.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const { temporaryFolder } = require('../support/folder')
const { lttng } = require('../support/lttng')
const { sleep, until } = require('../support/until')
const { PAUSE, PID, READY, RETURNED } = require('./memory')
const { read } = require('./support')

const RUNS = 100
const AT_ONCE = 2
const MOST_RECORDS = 20000
const LONGEST_MS = 30 // from the first record to a signal from outside

const HOWS = { SIGKILL: 'SIGKILL', SIGSEGV: 'SIGSEGV', abort: 'abort()', exit: 'process.exit()' }
const WHERES = { main: 'the main thread', worker: 'a worker thread', cluster: 'a cluster worker' }
const ENDS = { SIGKILL: 'SIGKILL', SIGSEGV: 'SIGSEGV', abort: 'SIGABRT', exit: 7 }

/** Collects records by the slot of their thread. */
function collector (slots) {
  const seen = Array.from({ length: slots }, () => new Set())
  return {
    take (record) {
      const [, i, slot] = /"i":(\d+),"slot":(\d+)/.exec(record)
      seen[slot].add(Number(i))
    },
    /** How many of the calls 1 to count of a slot are not there. */
    missing (slot, count) {
      let missing = 0
      for (let i = 1; i <= count; i++) if (!seen[slot].has(i)) missing++
      return missing
    }
  }
}

function between (how, where) {
  return {
    name: `kill-${how.toLowerCase()}-${where}`,
    done: `${HOWS[how]} in the middle of a burst in ${WHERES[where]}`,
    promised: 'each record whose log call returned is in the trace',
    weight: 4,
    async run (torture) {
      const recording = torture.recording()
      const shared = torture.shared(RUNS)
      let runs = 0
      const line = async () => {
        while (runs < RUNS && (runs < AT_ONCE || torture.left > 0)) {
          const index = runs++
          const at = 1 + Math.floor(torture.random() * MOST_RECORDS)
          const child = torture.service(shared, { index, where, end: { how, at } })
          const { status, signal } = await child.ended
          const count = shared.get(index, RETURNED)
          torture.check(count === at, `run ${index} ended after ${count} of ${at} calls: ${child.said}`)
          // A cluster's primary says how its worker ended by 1, or its status.
          const expected = where !== 'cluster' ? ENDS[how] : how === 'exit' ? 7 : 1
          torture.check((signal ?? status) === expected, `run ${index} ended with ${signal ?? status}, not ${expected}`)
          torture.progress(`${runs} runs`)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, line))
      const { take, missing } = collector(RUNS)
      await recording.finish(take)
      const written = shared.sum(RETURNED)
      const lost = Array.from({ length: runs }, (_, slot) => missing(slot, shared.get(slot, RETURNED)))
      const total = lost.reduce((a, b) => a + b, 0)
      Object.assign(torture.result, { written, read: written - total, lost: total, pause: shared.worst(PAUSE) })
      torture.note(`${runs} runs`)
      torture.check(total === 0, `runs lost ${lost.filter(count => count > 0).join(', ')} records`)
    }
  }
}

/** One service that is killed from outside, in a session of its own. */
async function killAnywhere (torture, shared, index) {
  const memory = temporaryFolder()
  const recording = torture.recording({ create: ['--shm-path', path.join(memory, 'shm')] })
  const child = torture.service(shared, { index })
  await until(() => shared.get(index, READY) === 1, () => `run ${index} to start: ${child.said}`)
  await sleep(torture.random() * LONGEST_MS)
  process.kill(shared.get(index, PID), 'SIGKILL')
  await child.ended
  lttng('stop', recording.name)
  const { take, missing } = collector(shared.slots)
  const count = shared.get(index, RETURNED)
  const discarded = await read(recording.folder, take)
  const torn = missing(index, count) - discarded > 0
  if (torn) {
    const crash = path.join(memory, 'crash')
    const { status, stderr } = spawnSync('lttng-crash', ['-x', crash, path.join(memory, 'shm')], { encoding: 'utf8' })
    torture.check(status === 0, `lttng-crash: ${stderr}`)
    await read(crash, take)
  }
  lttng('destroy', '--no-wait', recording.name) // it would wait for ever for what is torn
  fs.rmSync(memory, { recursive: true })
  fs.rmSync(recording.folder, { recursive: true })
  return { count, torn, lost: missing(index, count) }
}

const anywhere = {
  name: 'kill-anywhere',
  done: 'SIGKILL from outside at any instant of a burst, in LTTng\'s own code too',
  promised: 'each record whose log call returned is in the trace or, from the torn sub-buffer on, where lttng-crash finds it',
  weight: 4,
  async run (torture) {
    const shared = torture.shared(RUNS)
    const runs = []
    while (runs.length < RUNS && (runs.length < 3 || torture.left > 0)) {
      runs.push(await killAnywhere(torture, shared, runs.length))
      torture.progress(`${runs.length} runs, ${runs.filter(({ torn }) => torn).length} torn`)
    }
    const written = shared.sum(RETURNED)
    const lost = runs.reduce((sum, run) => sum + run.lost, 0)
    Object.assign(torture.result, { written, read: written - lost, lost, pause: shared.worst(PAUSE) })
    torture.note(`${runs.length} runs, of which ${runs.filter(({ torn }) => torn).length} were completed with lttng-crash`)
    torture.check(lost === 0, `lost of each run: ${runs.map(run => run.lost).join(', ')}`)
  }
}

module.exports = Object.keys(HOWS).flatMap(how => Object.keys(WHERES).map(where => between(how, where))).concat(anywhere)
