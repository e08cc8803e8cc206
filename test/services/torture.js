'use strict'
// torture.js: a service for scenarios to torture. $TORTURE_SERVICE is JSON:
//   shared   the file of the memory where each thread counts, see torture/support.js
//   index    of the process; its threads have the slots from index * threads on
//   threads  how many log (default 1)
//   where    main, worker or cluster: who logs (default main)
//   how      burst: numbered records as fast as it can, up to records in number
//            or for ms in time; steady: a few each ms, beside a logger without us,
//            timed; answers messages; endure: calls in number, as what says:
//            enabled, disabled or children (short-lived ones), and answers with
//            what memory it took from each twentieth to the next
//   unheard  true: it begins whether or not a session listens
//   end      {how, at: a count}: ends the process right after that call; how is
//            a signal's name, abort or exit
// Records: {"i": from 1 on, "slot": of the thread}.

const cluster = require('node:cluster')
const { isMainThread, Worker, workerData } = require('node:worker_threads')
const bunyan = require('bunyan')

const nftrace = require('../..')
const { ENDING, map, ownMemory, PAUSE, PID, READY, RETURNED, SLOT, WANTED } = require('../torture/memory')

const options = JSON.parse(process.env.TORTURE_SERVICE)
const { threads = 1, index = 0, where = 'main', how = 'burst', records = Infinity, ms = Infinity, end } = options
const BATCH = 20
const PARTS = 20
const WARM_UPS = 50000

/** Ends the process, in whichever thread this is called, and doesn't return. */
function endHere (words) {
  if (isMainThread) {
    if (end.how === 'exit') process.exit(7)
    if (end.how === 'abort') process.abort()
    process.kill(process.pid, end.how)
  }
  // A worker's process.exit() ends the worker alone; a signal reaches it later.
  if (end.how === 'exit') words[ENDING] = 1
  else process.kill(process.pid, end.how === 'abort' ? 'SIGABRT' : end.how)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

function slotOf (thread) {
  const slot = index * threads + thread
  return { slot, words: new Float64Array(map(options.shared), slot * SLOT * 8, SLOT) }
}

/**
 * As fast as it can; each call that returned is counted at once, for all to see.
 * Begins when the session daemon has registered us, which may take it longer than
 * the 500 ms for which loading waits.
 */
function burst (thread) {
  if (!nftrace.enabled('info') && options.unheard !== true) return setTimeout(burst, 1, thread)
  const { slot, words } = slotOf(thread)
  const log = bunyan.createLogger({ name: 'torture', streams: [nftrace] })
  const until = performance.now() + ms
  let worst = 0
  let before = performance.now()
  words[PID] = process.pid
  words[READY] = 1
  for (let i = 1; i <= records && before < until; i++) {
    log.info({ i, slot }, 'record')
    words[RETURNED] = i
    const now = performance.now()
    if (now - before > worst) words[PAUSE] = worst = now - before
    before = now
    if (end !== undefined && i === end.at) endHere(words)
  }
}

/** Batches of calls, ours and those of a logger whose only stream does nothing. */
class Steady {
  #i = 0
  #phase
  constructor () {
    const { slot, words } = slotOf(0)
    this.slot = slot
    this.words = words
    this.log = bunyan.createLogger({ name: 'torture', streams: [nftrace] })
    this.stock = bunyan.createLogger({ name: 'torture', streams: [{ type: 'raw', level: 'trace', stream: { write () {} } }] })
    this.answer()
    // Code is compiled before anything is measured.
    for (let i = 0; i < WARM_UPS; i++) for (const log of [this.stock, this.log]) log.info({ i, slot }, 'record')
    this.turn()
  }

  turn () {
    const { slot, words, log, stock } = this
    const start = performance.now()
    for (let i = 0; i < BATCH; i++) stock.info({ i, slot }, 'record')
    const middle = performance.now()
    for (let i = 0; i < BATCH; i++) {
      const wanted = nftrace.enabled('info')
      log.info({ i: ++this.#i, slot }, 'record')
      words[RETURNED]++
      if (wanted) words[WANTED]++
    }
    const end = performance.now()
    const { ours, theirs } = this.#phase
    ours.push((end - middle) * 1e6 / BATCH)
    theirs.push((middle - start) * 1e6 / BATCH)
    if (end - middle > words[PAUSE]) words[PAUSE] = end - middle
    words[READY] = 1
    setTimeout(() => this.turn(), 1)
  }

  /** What was measured since the last answer: medians in ns a call, worst in ms a batch. */
  answer () {
    const { ours, theirs, wanted } = this.#phase ?? { ours: [0], theirs: [0], wanted: 0 }
    const median = values => [...values].sort((a, b) => a - b)[values.length >> 1]
    const result = {
      ours: median(ours),
      theirs: median(theirs),
      worst: Math.max(...ours) * BATCH / 1e6,
      worstTheirs: Math.max(...theirs) * BATCH / 1e6,
      batches: ours.length,
      wanted: this.words[WANTED] - wanted
    }
    this.#phase = { ours: [], theirs: [], wanted: this.words[WANTED] }
    global.gc?.()
    return { ...result, memory: ownMemory(process.pid), enabled: nftrace.enabled('info'), available: nftrace.available }
  }
}

const ENDURE = {
  enabled (log, i) { log.info({ i, req: { url: '/' } }, 'record %d', i) },
  disabled (log, i) { log.info({ i, req: { url: '/' } }, 'record %d', i) },
  children (log, i) { log.child({ i, req: { url: '/' } }).info('record') }
}

/** Calls log methods for as long as it takes, and looks at its memory. */
async function endure () {
  const { words } = slotOf(0)
  const log = bunyan.createLogger({ name: 'torture', streams: [nftrace] })
  const call = ENDURE[options.what]
  while (nftrace.enabled('info') !== (options.what !== 'disabled')) await new Promise(resolve => setTimeout(resolve, 1))
  const memory = []
  for (let part = 1, i = 0; part <= PARTS; part++) {
    for (; i < options.calls * part / PARTS; i++) {
      call(log, i)
      if (i % 1000 === 0) await new Promise(resolve => setImmediate(resolve))
    }
    words[RETURNED] = i
    for (let i = 0; i < 3; i++) global.gc()
    memory.push(ownMemory(process.pid))
  }
  process.send(memory)
}

function main () {
  const run = how === 'burst' ? burst : null
  if (!isMainThread) return run(workerData)
  if (where === 'cluster' && cluster.isPrimary) {
    cluster.setupPrimary({ silent: false })
    return cluster.fork().on('exit', (code, signal) => process.exit(signal === null ? code : 1))
  }
  if (how === 'endure') return endure()
  if (how === 'steady') {
    const steady = new Steady()
    process.on('message', () => process.send(steady.answer()))
    return process.on('disconnect', () => process.exit())
  }
  if (where === 'worker' || threads > 1) {
    for (let thread = 0; thread < threads; thread++) new Worker(__filename, { workerData: thread }) // eslint-disable-line no-new
    if (end?.how !== 'exit') return
    const { words } = slotOf(0)
    return setInterval(() => words[ENDING] === 1 && endHere(), 1)
  }
  run(0)
}

main()
