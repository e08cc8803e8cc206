'use strict'
// How fast `nftrace read` is beside babeltrace2, on the same trace, and how much
// memory it takes: bench/read.js [RECORDS [MORE_RECORDS]]. Trust the ratios.

require('../test/support/isolate')()

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const { BUILD, NFTRACE, run } = require('../test/support/command')
const { temporaryFolder } = require('../test/support/folder')
const { lttng } = require('../test/support/lttng')

const [records = '1000000', more = '0'] = process.argv.slice(2)
const ROUNDS = 5
const SMALL = 10000
const KERNEL = path.join(__dirname, '..', 'test', 'data', 'kernel-user-trace')

/** A trace of so many records, none lost. */
function record (count) {
  const folder = path.join(temporaryFolder(), 'trace')
  lttng('create', 'bench', '--output', folder)
  lttng('enable-channel', '-u', '--subbuf-size=4M', '--num-subbuf=4', '--blocking-timeout=inf', 'records')
  lttng('enable-event', '-u', '-c', 'records', 'bunyan:*')
  lttng('start')
  run(process.execPath, [path.join(__dirname, 'typical.js'), String(count)], { env: { ...process.env, LTTNG_UST_ALLOW_BLOCKING: '1' } })
  lttng('destroy')
  return folder
}

/** Runs a command: { wall, cpu } in s, memory in MB. */
function measure (command, args) {
  const report = path.join(temporaryFolder(), 'report')
  const { status, stderr } = spawnSync('/usr/bin/time', ['-o', report, '-f', '%e %U %S %M', command, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
  const [wall, user, system, kilobytes] = fs.readFileSync(report, 'utf8').trim().split(' ').map(Number)
  return { wall, cpu: user + system, memory: kilobytes / 1024 }
}

/** The best of some rounds in which the commands take turns. */
function compare (commands) {
  const best = {}
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, [command, ...args]] of Object.entries(commands)) {
      const { wall, cpu, memory } = measure(command, args)
      const known = best[name] || { wall: Infinity, cpu: Infinity, memory: 0 }
      best[name] = { wall: Math.min(wall, known.wall), cpu: Math.min(cpu, known.cpu), memory: Math.max(memory, known.memory) }
    }
  }
  return best
}

function print (label, value) {
  console.log(label.padEnd(44) + value)
}

function bench () {
  const trace = record(records)
  const best = compare({
    'nftrace read': [NFTRACE, 'read', trace],
    'babeltrace2, dummy sink': ['babeltrace2', trace, '-c', 'sink.utils.dummy'],
    'babeltrace2, sink.nftrace.bunyan': ['babeltrace2', '--plugin-path', path.join(BUILD, 'plugins'), trace, '-c', 'sink.nftrace.bunyan'],
    'babeltrace2, text': ['babeltrace2', trace]
  })
  console.log(`${records} records, best of ${ROUNDS}`)
  for (const [name, { wall, cpu, memory }] of Object.entries(best)) {
    print(name, `${(records / wall / 1000).toFixed(0).padStart(6)} k records/s ${cpu.toFixed(2).padStart(6)} s CPU ${memory.toFixed(0).padStart(4)} MB`)
  }
  const ours = best['nftrace read']
  print('records/s over babeltrace2\'s text (at least 3)', (best['babeltrace2, text'].wall / ours.wall).toFixed(2))
  print('CPU over the dummy sink\'s (at most 1.7)', (ours.cpu / best['babeltrace2, dummy sink'].cpu).toFixed(2))
  for (const count of [SMALL, more].filter(count => Number(count) > 0)) {
    print(`memory for ${count} records (below 64 MB)`, measure(NFTRACE, ['read', record(count)]).memory.toFixed(1) + ' MB')
  }
  const starts = Array.from({ length: 20 }, () => {
    const begin = process.hrtime.bigint()
    run(NFTRACE, ['read', KERNEL])
    return Number(process.hrtime.bigint() - begin) / 1e6
  }).sort((a, b) => a - b)
  print('a small trace, from start to end (below 60 ms)', starts[10].toFixed(1) + ' ms')
}

bench()
