'use strict'
// threads.js: 8 workers, the addon loaded in them alone, begin to log together and do
// until each is terminated in the middle of it; then a ninth, after the others'
// environments are gone, logs once. Prints how many records each had logged for certain.

const { once } = require('node:events')
const { Worker, isMainThread, threadId, workerData } = require('node:worker_threads')

const READY = 0
const GO = 1

if (isMainThread) {
  main()
} else {
  const log = require('bunyan').createLogger({ name: `thread-${workerData.index}`, streams: [require('../..')] })
  const { counters, gate, index } = workerData
  Atomics.add(gate, READY, 1)
  Atomics.wait(gate, GO, 0)
  for (let i = 1; i <= workerData.times; i++) {
    log.info({ i, threadId }, 'from a thread')
    Atomics.store(counters, index, i)
  }
}

async function main () {
  const [counters, gate] = [9, 2].map(length => new Int32Array(new SharedArrayBuffer(length * 4)))
  const passed = async (words, index, count) => { while (Atomics.load(words, index) < count) await new Promise(resolve => setTimeout(resolve, 1)) }
  const start = (index, times) => new Worker(__filename, { workerData: { counters, gate, index, times } })
  const workers = Array.from({ length: 8 }, (_, index) => start(index, Infinity))
  await passed(gate, READY, workers.length)
  Atomics.store(gate, GO, 1)
  Atomics.notify(gate, GO)
  for (const index of workers.keys()) await passed(counters, index, 500)
  await Promise.all(workers.map(worker => worker.terminate()))
  await once(start(8, 1), 'exit')
  console.log(JSON.stringify([...counters]))
}
