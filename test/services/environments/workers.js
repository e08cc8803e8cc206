'use strict'
// workers.js COUNT: so many workers, the addon loaded in them alone, are
// terminated while they log. Prints how many records each had logged for certain.

const { isMainThread, Worker, workerData } = require('node:worker_threads')

const AT_ONCE = 3
const LEAST = 20 // records of each

if (isMainThread) {
  main(Number(process.argv[2]))
} else {
  const { counters, index } = workerData
  const log = require('bunyan').createLogger({ name: 'torture', streams: [require('nftrace')] })
  for (let i = 1; ; i++) {
    log.info({ i, slot: index }, 'record')
    Atomics.store(counters, index, i)
  }
}

async function main (count) {
  const counters = new Int32Array(new SharedArrayBuffer(count * 4))
  let next = 0
  const line = async () => {
    while (next < count) {
      const index = next++
      const worker = new Worker(__filename, { workerData: { counters, index } })
      while (Atomics.load(counters, index) < LEAST) await new Promise(resolve => setTimeout(resolve, 1))
      await worker.terminate()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, line))
  console.log(JSON.stringify([...counters]))
}
