'use strict'
// threads.js: 8 workers, the addon loaded in them alone, log until each is
// terminated in the middle of it; then a ninth, after the others' environments
// are gone, logs once. Prints how many records each had logged for certain.

const { once } = require('node:events')
const { Worker, isMainThread, threadId, workerData } = require('node:worker_threads')

if (isMainThread) {
  main()
} else {
  const log = require('bunyan').createLogger({ name: `thread-${workerData.index}`, streams: [require('../..')] })
  const { counters, index } = workerData
  for (let i = 1; i <= workerData.times; i++) {
    log.info({ i, threadId }, 'from a thread')
    Atomics.store(counters, index, i)
  }
}

async function main () {
  const counters = new Int32Array(new SharedArrayBuffer(9 * 4))
  const start = (index, times) => new Worker(__filename, { workerData: { counters, index, times } })
  const workers = Array.from({ length: 8 }, (_, index) => start(index, Infinity))
  for (const index of workers.keys()) {
    while (Atomics.load(counters, index) < 500) await new Promise(resolve => setTimeout(resolve, 5))
  }
  for (const worker of workers) await worker.terminate()
  await once(start(8, 1), 'exit')
  console.log(JSON.stringify([...counters]))
}
