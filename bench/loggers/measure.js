'use strict'
// measure.js VARIANT THREADS SECONDS FOLDER: times log calls of one way to log, in
// this process alone, at the pace of a busy service. Writes what it measured to
// FOLDER/result.json; its standard output belongs to the logger.

const fs = require('node:fs')
const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads')

const { MESSAGES, VARIANTS } = require('./ways')

const TURN = 5 // ms between turns of the event loop that log
const WARM_UP = 0.2 // s, at a multiple of the pace
const WARM_UP_PACE = 2
const SETTLE = 50 // ms without anything new that say that all is written
const LONGEST_SETTLE = 20000
const IDLE_RATE = 20000
const IDLE_PHASES = 3

function nothing () {}

/** One thread's loop: calls at a pace for some seconds; { batches, singles, calls }. */
async function paced (call, flush, rate, seconds) {
  const perTurn = Math.max(1, Math.round(rate * TURN / 1000))
  const batches = [] // ns a call, of turns that were timed as a whole
  const singles = [] // ns, of calls that were timed one by one
  const start = performance.now()
  let n = 0
  for (let turn = 0; turn * TURN < seconds * 1000; turn++) {
    const behind = performance.now() - start - turn * TURN
    await (behind < -1 ? sleep(-behind) : new Promise(resolve => setImmediate(resolve)))
    if (turn % 4 === 0) {
      const begin = process.hrtime.bigint()
      for (let i = 0; i < perTurn; i++) call(n++)
      batches.push(Number(process.hrtime.bigint() - begin) / perTurn)
    } else {
      for (let i = 0; i < perTurn; i++) {
        const begin = process.hrtime.bigint()
        call(n++)
        singles.push(Number(process.hrtime.bigint() - begin))
      }
    }
  }
  await flush()
  return { batches, singles, perTurn, calls: n }
}

/** What asking for the time costs, which is part of a single call's time. */
function clockCost () {
  const costs = []
  for (let i = 0; i < 20000; i++) {
    const begin = process.hrtime.bigint()
    costs.push(Number(process.hrtime.bigint() - begin))
  }
  return costs.sort((a, b) => a - b)[costs.length / 2]
}

/** Does what it is told: { message, rate, seconds }, and answers. */
function serve ({ variant, folder, index }) {
  const log = VARIANTS[variant].create(path.join(folder, `log-${index}`))
  const { flush = async () => {} } = log
  return ({ message, rate, seconds }) => paced(message === null ? nothing : log[message], flush, rate, seconds)
}

/** CPU time in ns that processes other than this have had. */
function cpuOf (pids) {
  let sum = 0
  for (const pid of pids) {
    for (const thread of fs.readdirSync(`/proc/${pid}/task`)) {
      sum += Number(fs.readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    }
  }
  return sum
}

function childrenOf (pid) {
  return fs.readdirSync(`/proc/${pid}/task`).flatMap(thread =>
    fs.readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean))
}

/** The processes that work for this logger: its reader, or LTTng's daemons. */
function helpersOf (variant) {
  if (VARIANTS[variant].piped) return childrenOf(process.ppid).filter(pid => Number(pid) !== process.pid)
  if (VARIANTS[variant].events === undefined) return []
  const daemons = [process.env.NFTRACE_SESSIOND_PID]
  for (const pid of daemons) daemons.push(...childrenOf(pid)) // grows as it is walked
  return daemons
}

/** Waits until what writes to the folder's files in the background has done so. */
async function settle (folder) {
  const size = () => fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0)
  for (let waited = 0, last = -1; last !== (last = size()) && waited < LONGEST_SETTLE; waited += SETTLE) await sleep(SETTLE)
}

function callsOf (results) {
  return results.reduce((sum, { calls }) => sum + calls, 0)
}

async function main () {
  const [variant, threads, seconds, folder] = process.argv.slice(2)
  const nrThreads = Number(threads)
  const helpers = helpersOf(variant)
  let perform // in all threads at once
  if (nrThreads === 1) {
    const answer = serve({ variant, folder, index: 0 })
    perform = async task => [await answer(task)]
  } else {
    const workers = Array.from({ length: nrThreads }, (_, index) =>
      new Worker(__filename, { workerData: { variant, folder, index } }))
    for (const worker of workers) worker.on('error', error => { throw error })
    perform = task => Promise.all(workers.map(worker => new Promise(resolve => {
      worker.once('message', resolve)
      worker.postMessage(task)
    })))
  }

  /** One phase: what its threads measured, and the CPU time of all concerned. */
  async function phase (task) {
    const before = cpuOf(helpers)
    const own = process.cpuUsage()
    const results = await perform(task)
    if (task.message !== null) await settle(folder)
    const { user, system } = process.cpuUsage(own)
    return { results, cpu: (user + system) * 1000 + cpuOf(helpers) - before }
  }

  // What a logger starts, such as a thread, it starts now.
  const { results: first } = await phase({ message: 'short', rate: MESSAGES.short.rate, seconds: WARM_UP })
  for (let i = 0; i < 2; i++) await perform({ message: null, rate: IDLE_RATE, seconds: WARM_UP })
  const clock = clockCost()
  // The loop itself, its timers and clock, with calls that do nothing: before large
  // messages have left work for the garbage collector.
  const idle = new Map() // by rate: [least, most] CPU time a call
  for (const rate of new Set(Object.values(MESSAGES).map(({ rate }) => rate))) {
    const costs = []
    for (let i = 0; i < IDLE_PHASES; i++) {
      const { results, cpu } = await phase({ message: null, rate, seconds: Number(seconds) / 2 })
      costs.push(cpu / callsOf(results))
    }
    idle.set(rate, [Math.min(...costs), Math.max(...costs)])
  }
  const measured = { messages: {}, calls: callsOf(first) }
  for (const [message, { rate }] of Object.entries(MESSAGES)) {
    const [least, most] = idle.get(rate)
    const warm = await phase({ message, rate: rate * WARM_UP_PACE, seconds: WARM_UP })
    const { results, cpu } = await phase({ message, rate, seconds: Number(seconds) })
    const calls = callsOf(results)
    measured.calls += calls + callsOf(warm.results)
    measured.messages[message] = {
      batches: results.flatMap(result => result.batches.map(ns => ns - clock / result.perTurn)),
      singles: results.flatMap(result => result.singles.map(ns => ns - clock)),
      cpu: cpu / calls - least,
      noise: most - least
    }
  }
  fs.writeFileSync(path.join(folder, 'result.json'), JSON.stringify(measured))
  process.exit(0)
}

if (isMainThread) {
  main().catch(error => {
    console.error(error)
    process.exit(1)
  })
} else {
  const answer = serve(workerData)
  parentPort.on('message', async task => parentPort.postMessage(await answer(task)))
}
