'use strict'
// cut-off.js WAY CUTS SEED: logs records while JavaScript is cut off CUTS times at
// random moments, by WAY: timeout (of node:vm), builtin (a timeout that comes while a
// function that we call takes long), overflow (of the stack), memory (allocations that
// fail), terminate (of worker threads). After each cut it logs some more. Says on
// stdout, as JSON, how many times it was cut off, and the numbers of the records whose
// calls returned, which must be in the trace. support/cut-off-record.js makes the record of a
// number.

const vm = require('node:vm')
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads')

const { isLarge, log, makeLogs } = require('../support/cut-off-record')
const { numbersBelow } = require('../support/random')
const { enter, spares } = require('../../lib/record/encode')

const [way, cuts, seed] = isMainThread
  ? [process.argv[2], Number(process.argv[3]), Number(process.argv[4])]
  : workerData
const OF_THREAD = 1e6 // numbers of each thread
const AFTER = 4 // records after each cut
const BEFORE_TERMINATION = 40
const FAR = 1e9

const random = numbersBelow(seed)
const logs = makeLogs()
const clock = performance
const { alloc } = Buffer
const { fill } = Uint8Array.prototype

let next = isMainThread ? 0 : seed * OF_THREAD
let returned = [] // numbers
let nrCuts = 0
let end = 0
let lowest

/** Logs the next record. wait: a function for its record to call in the middle. */
function step (wait) {
  const number = next++
  log(logs, number, wait && { toJSON: () => { wait(); return number } })
  returned.push(number)
}

/** Logs deeper and deeper, until the stack overflows. */
function deepen () {
  step()
  deepen()
}

function descend (depth, then) {
  lowest = depth
  if (depth > 0) return descend(depth - 1, then) + 1
  then()
  return 0
}

/** How deep descend() comes before the stack overflows. */
function depthOfStack () {
  try {
    descend(FAR)
  } catch {}
  return FAR - lowest
}

const context = vm.createContext({ step, wait: () => { while (clock.now() < end); } })
const loop = new vm.Script('for (;;) step(wait)')

const large = alloc(64 * 1024 * 1024)
const USED = [[Buffer, 'alloc'], [Buffer.prototype, 'copy'], [Buffer, 'from'], [Buffer.prototype, 'write'],
  [Map.prototype, 'set'], [JSON, 'stringify'], [JSON, 'parse'], [Date, 'now']]

/** Has a call of a function that we use take so long that a timeout comes meanwhile. */
function slowDown ([holder, name], calls) {
  const original = holder[name]
  holder[name] = function () {
    const result = Reflect.apply(original, this, arguments)
    if (calls-- === 0) fill.call(large, 0) // JavaScript is cut off when it is done
    return result
  }
  return () => { holder[name] = original }
}

/** Has the next large record find memory that is too small. */
function forgetLarge () {
  spares.count = 0
  const small = enter()
  spares.writers[spares.count++] = small
}

const WAYS = {
  timeout () { // that comes soon after a record's wait has ended, most of the time
    end = clock.now() + 0.9 + random(1000) / 2000
    loop.runInContext(context, { timeout: 1 })
  },
  builtin () {
    end = 0
    forgetLarge()
    const restore = slowDown(USED[random(2) === 0 ? 0 : random(USED.length)], random(4))
    try {
      loop.runInContext(context, { timeout: 5 })
    } finally {
      restore()
    }
  },
  overflow () { // where nothing that is logged can be vouched for
    do step()
    while (!isLarge(next - 1)) // so that the next record needs memory
    const before = returned
    try {
      returned = []
      descend(depthOfStack() - 20 - random(100), deepen)
    } finally {
      returned = before
    }
  },
  memory () {
    for (let i = 0; i < 10; i++) {
      forgetLarge()
      Buffer.alloc = (...args) => {
        if (random(2) === 1) return alloc(...args)
        nrCuts++
        throw new RangeError('Array buffer allocation failed')
      }
      try {
        step()
      } finally {
        Buffer.alloc = alloc
      }
    }
  }
}

function cutOff () {
  for (let i = 0; i < 100; i++) step() // so that no time goes into compiling
  for (let cut = 0; cut < cuts; cut++) {
    try {
      WAYS[way]()
    } catch (error) {
      if (error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT' && !(error instanceof RangeError)) throw error
      nrCuts++
    }
    for (let i = 0; i < AFTER; i++) step()
  }
}

/** A worker logs until it is terminated; it tells in shared memory which calls returned. */
function logForever (next) {
  for (let i = 0; ; i++) {
    step()
    returned.length = 0
    Atomics.add(next, 0, 1)
    if (i === BEFORE_TERMINATION) parentPort.postMessage('goes on')
  }
}

async function terminateWorkers () {
  for (let i = 1; i <= cuts; i++) {
    const count = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(__filename, { workerData: [way, count, i] })
    await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
    for (let spin = random(20000); spin > 0; spin--) Atomics.load(count, 0)
    await worker.terminate()
    nrCuts++
    for (let j = 0; j < Atomics.load(count, 0); j++) returned.push(i * OF_THREAD + j)
    for (let j = 0; j < AFTER; j++) step()
  }
}

async function main () {
  if (way === 'terminate') await terminateWorkers()
  else cutOff()
  await new Promise(resolve => setImmediate(resolve)) // finalizers run between turns of the event loop
  for (let i = 0; i < 100; i++) step()
  console.log(JSON.stringify({ nrCuts, returned }))
}

if (isMainThread) main()
else logForever(cuts)
