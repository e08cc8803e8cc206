'use strict'
// measure.js VARIANT: times log calls of one way to log, in a process of its own.
// Sent the name of a case by index.js, it answers with the nanoseconds that
// a call took in one more slice of calls.

const fs = require('node:fs')
const path = require('node:path')

const { temporaryFolder } = require('../../test/support/folder')

const variant = process.argv[2]
const BATCH = 1000 // calls between two turns of the event loop, as file writers need
const REQ = { method: 'GET', url: '/order/17' }

const HEADERS = { host: 'localhost:8080', connection: 'keep-alive', 'user-agent': 'curl/7.88.1', accept: '*/*' }
const KB = { req: { ...REQ, headers: HEADERS }, res: { status: 200, headers: HEADERS }, text: 'x'.repeat(200), items: Array.from({ length: 12 }, (_, id) => ({ id, name: `item ${id}`, price: id * 1.5 })) }
const KB16 = { list: Array.from({ length: 120 }, (_, i) => ({ i, ...HEADERS })) }
const ERROR = new Error('broken pipe')
const { message, name, stack } = ERROR

const sink = { write () {} }

/** CPU time of the whole process, in ns: writers to files work in other threads. */
function processCpu () {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}

function create (streams, name = 'bench') {
  return require('bunyan').createLogger({ name, streams })
}

const temporary = () => path.join(temporaryFolder(), 'log')

const nftrace = () => require('../..')
const VARIANTS = {
  // Nobody listens: below the level of all streams.
  'below-stock': () => closed(() => [{ type: 'raw', level: 'info', stream: sink }]),
  'below-nftrace': () => closed(() => [nftrace()]),
  'below-both': () => closed(() => [{ type: 'raw', level: 'info', stream: sink }, nftrace()]),
  // Each call is taken.
  record: () => open(create([{ type: 'raw', level: 'trace', stream: sink }])),
  nftrace: () => open(create([nftrace()])),
  'nftrace-beside-stdout': () => open(create([{ level: 'info', stream: sink }, nftrace()]), 'debug'),
  'nftrace-debug': () => open(create([nftrace()]), 'debug'),
  'bunyan-file': () => {
    const stream = fs.createWriteStream(temporary())
    return open(create([{ level: 'trace', stream }]), 'info', stream)
  },
  'pino-nowhere': () => open(require('pino')({ name: 'bench', level: 'trace' }, sink)),
  'pino-file': () => {
    const pino = require('pino')
    const destination = pino.destination({ dest: temporary(), sync: false, minLength: 4096 })
    return open(pino({ name: 'bench', level: 'trace' }, destination), 'info', destination)
  },
  stringify: () => large(fields => JSON.stringify(fields), () => JSON.stringify({ err: { message, name, stack } })),
  'nftrace-large': () => {
    const log = create([nftrace()])
    return large(fields => log.info(fields, 'hit'), () => log.info(ERROR))
  },
  'nftrace-process': () => open(create([nftrace()]), 'info', sink)
}

function closed (streams) {
  const log = create(streams())
  const child = log.child({ component: 'cart', user: 7 })
  const simple = log.child({ component: 'cart', user: 7 }, true)
  const four = Array.from({ length: 4 }, (_, i) => create(streams(), `bench-${i}`))
  const calls = 1e6 // in a slice
  return {
    msg: [calls, n => { while (n-- > 0) log.debug('order placed') }],
    object: [calls, n => { while (n-- > 0) log.debug({ req: REQ, n }, 'hit') }],
    child: [calls, n => { while (n-- > 0) child.debug({ req: REQ, n }, 'hit') }],
    'simple child': [calls, n => { while (n-- > 0) simple.debug({ req: REQ, n }, 'hit') }],
    'four loggers': [calls, n => { while (n-- > 0) four[n & 3].debug({ req: REQ, n }, 'hit') }]
  }
}

function open (log, level = 'info', flushed) {
  const child = log.child({ component: 'cart', user: 7 })
  const calls = 2e4 // in a slice
  return level === 'debug'
    ? {
        msg: [calls, n => { while (n-- > 0) log.debug('order placed') }, flushed],
        object: [calls, n => { while (n-- > 0) log.debug({ req: REQ, n }, 'hit') }, flushed]
      }
    : {
        msg: [calls, n => { while (n-- > 0) log.info('order placed') }, flushed],
        object: [calls, n => { while (n-- > 0) log.info({ req: REQ, n }, 'hit') }, flushed],
        child: [calls, n => { while (n-- > 0) child.info('order placed') }, flushed]
      }
}

/** Records that are mostly fields: what making their JSON alone costs is the floor. */
function large (one, error) {
  return {
    '1 KB of fields': [5000, n => { while (n-- > 0) one(KB) }],
    '16 KB of fields': [500, n => { while (n-- > 0) one(KB16) }],
    'error with stack': [10000, n => { while (n-- > 0) error() }]
  }
}

/** Runs calls in batches, letting a writer write all of one before the next. */
async function batches (calls, run, flushed) {
  for (let done = 0; done < calls; done += BATCH) {
    run(BATCH)
    if (flushed.writableNeedDrain || flushed.writableLength > 0) {
      await new Promise(resolve => flushed.write('', resolve))
    } else if (flushed.flush !== undefined) {
      await new Promise(resolve => flushed.flush(resolve))
    }
    await new Promise(resolve => setImmediate(resolve))
  }
}

/**
 * Nanoseconds a call: wall time of calls that end with the call, CPU time of
 * those that leave work to other threads.
 */
async function slice ([calls, run, flushed]) {
  const clock = flushed === undefined ? () => Number(process.hrtime.bigint()) : processCpu
  const start = clock()
  if (flushed === undefined) run(calls)
  else await batches(calls, run, flushed)
  return (clock() - start) / calls
}

const cases = VARIANTS[variant]()
process.on('message', async name => process.send(await slice(cases[name])))
process.send(Object.keys(cases))
