'use strict'
// npm run bench [ROUNDS]: how fast we are beside what one would use instead, as
// ratios within one run: medians of paired rounds, each variant in a process of
// its own. Exits 1 when a target is missed.

const { execFileSync, fork } = require('node:child_process')
const { once } = require('node:events')
const os = require('node:os')
const path = require('node:path')

const progress = require('../../scripts/progress')

const SLICES = 12
const WARM_UPS = 3
const ROUNDS = Number(process.argv[2] || 7)
const BUILD = path.join(__dirname, '..', '..', 'build', 'bench')

// Records that are mostly fields, each with the tracepoint that takes as many bytes.
const LARGE = { '1 KB of fields': '1000 bytes', '16 KB of fields': '16000 bytes', 'error with stack': '600 bytes' }

// variant, against which one, cases, at most (or at least, when faster) so many times
const TARGETS = [
  ['nobody listens', 'below-nftrace', 'below-stock', ['msg', 'object', 'child', 'simple child', 'four loggers'], { most: 1.2 }],
  ['nobody listens, beside another stream', 'below-both', 'below-stock', ['msg', 'object', 'child', 'simple child', 'four loggers'], { most: 1.2 }],
  ['recording, to Bunyan building the record', 'nftrace', 'record', ['msg'], { most: 1.6 }],
  ['recording, to Bunyan building the record', 'nftrace', 'record', ['object'], { most: 2.9 }],
  ['recording, to Bunyan building the record', 'nftrace', 'record', ['child'], { most: 1.9 }],
  ['recording, to pino writing nowhere', 'nftrace', 'pino-nowhere', ['msg'], { most: 2.2 }],
  ['recording, to pino writing nowhere', 'nftrace', 'pino-nowhere', ['object'], { most: 1.9 }],
  ['recording, to JSON.stringify of the fields and the tracepoint', 'nftrace-large', 'stringify', Object.keys(LARGE), { most: 1.15 }],
  ['recording, faster than Bunyan to a file', 'nftrace-process', 'bunyan-file', ['msg'], { faster: 6 }],
  ['recording, faster than Bunyan to a file', 'nftrace-process', 'bunyan-file', ['object'], { faster: 2.8 }],
  ['recording, faster than pino to a file, async', 'nftrace-process', 'pino-file', ['msg'], { faster: 6 }],
  ['recording, faster than pino to a file, async', 'nftrace-process', 'pino-file', ['object'], { faster: 2.8 }],
  ['debug beside stdout at info, to without stdout', 'nftrace-beside-stdout', 'nftrace-debug', ['msg', 'object'], { most: 1.05 }],
  ['tracepoint, faster than LTTng\'s macros', 'tracepoint', 'tracepoint-twin', ['16 bytes', '4000 bytes'], { faster: 0 }],
  ['tracepoint, faster than LTTng\'s macros', 'tracepoint', 'tracepoint-twin', ['100 bytes', '1000 bytes'], { faster: 1 }]
]

function median (values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function shuffled (values) {
  return values.map(value => [Math.random(), value]).sort(([a], [b]) => a - b).map(([, value]) => value)
}

/** A variant's process: its cases, and a function that times a slice of one. */
async function start (variant) {
  if (variant.startsWith('tracepoint')) {
    return {
      cases: [16, 100, 600, 1000, 4000, 16000].map(size => `${size} bytes`),
      time: async name => Number(execFileSync(path.join(BUILD, variant), [name.split(' ')[0], '50000'])),
      stop () {}
    }
  }
  const child = fork(path.join(__dirname, 'measure.js'), [variant])
  child.on('exit', code => {
    if (code !== null) process.exit(code) // it has said why
  })
  const answer = async () => (await once(child, 'message'))[0]
  return {
    cases: await answer(),
    time (name) {
      child.send(name)
      return answer()
    },
    stop () { child.kill() }
  }
}

/**
 * results[variant][case]: nanoseconds a call, one figure of each round. Within a
 * round the variants take turns at short slices, and the best slice of each
 * counts: what else the machine does only ever adds to one.
 */
async function measure (variants, results) {
  for (let round = 0; round < ROUNDS; round++) {
    const running = []
    for (const variant of variants) running.push({ variant, ...await start(variant) })
    for (const name of running[0].cases) {
      progress.show(`round ${round + 1} of ${ROUNDS}: ${variants.join(', ')}: ${name}`)
      const best = new Map(variants.map(variant => [variant, Infinity]))
      for (let turn = 0; turn < SLICES + WARM_UPS; turn++) {
        for (const { variant, time } of shuffled(running)) {
          const ns = await time(name)
          if (turn >= WARM_UPS) best.set(variant, Math.min(best.get(variant), ns))
        }
      }
      for (const [variant, ns] of best) ((results[variant] ??= {})[name] ??= []).push(ns)
    }
    for (const { stop } of running) stop()
  }
}

function rows (results) {
  return TARGETS.flatMap(([title, variant, against, cases, { most, faster }]) => cases.map(name => {
    const mine = results[variant][name]
    const theirs = results[against][name].map((ns, i) => against === 'stringify' ? ns + results.tracepoint[LARGE[name]][i] : ns)
    const ratio = median(mine.map((ns, i) => faster !== undefined ? theirs[i] / ns : ns / theirs[i]))
    const met = (most === undefined || ratio <= most) && (faster === undefined || ratio >= faster)
    const target = most ? `≤ ${most}` : faster ? `≥ ${faster}` : ''
    return { title, name, mine: median(mine), theirs: median(theirs), ratio, target, met }
  }))
}

async function main () {
  const lttng = (...args) => execFileSync('lttng', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const load = os.loadavg()[0].toFixed(2)
  const results = {}
  await measure(['below-stock', 'below-nftrace', 'below-both'], results)
  // Overwritten in memory: each event is written, none is lost or waited for.
  lttng('create', 'bench', '--snapshot')
  lttng('enable-channel', '-u', '--overwrite', '--subbuf-size=1M', '--num-subbuf=4', 'bench')
  lttng('enable-event', '-u', '-c', 'bench', 'bunyan:*')
  lttng('start')
  await measure(['record', 'nftrace', 'pino-nowhere'], results)
  await measure(['nftrace-debug', 'nftrace-beside-stdout'], results)
  await measure(['nftrace-large', 'stringify'], results)
  await measure(['nftrace-process', 'bunyan-file', 'pino-file'], results)
  await measure(['tracepoint', 'tracepoint-twin'], results)
  lttng('destroy', 'bench')
  progress.hide()

  console.log(`${os.cpus()[0].model.trim()}, ${os.cpus().length} cores, load ${load} at the start; Node ${process.version}, ` +
    `Bunyan ${require('bunyan').VERSION}, pino ${require('pino').version}, ${execFileSync('lttng', ['--version'], { encoding: 'utf8' }).trim()}; ` +
    `medians of ${ROUNDS} paired rounds, each the best of ${SLICES} alternating slices; beside a file writer CPU time of the process, else time.\n`)
  console.log('| | call | ours, ns | other, ns | ratio | target |\n| --- | --- | ---: | ---: | ---: | ---: |')
  const table = rows(results)
  for (const { title, name, mine, theirs, ratio, target, met } of table) {
    console.log(`| ${title} | ${name} | ${mine.toFixed(1)} | ${theirs.toFixed(1)} | ${ratio.toFixed(2)} | ${target}${met ? '' : ' MISSED'} |`)
  }
  if (table.some(row => !row.met)) process.exit(1)
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
