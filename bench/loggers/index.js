'use strict'
// npm run bench:loggers [-- --rounds N --seconds N --output FOLDER]: ways to log,
// side by side, each in a process of its own, in a new order each round. Writes a
// table, the figures as JSON and a chart.

const { execFileSync, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { parseArgs } = require('node:util')

const progress = require('../../scripts/progress')
const chart = require('./chart')
const { MESSAGES, VARIANTS } = require('./ways')
const { temporaryFolder } = require('../../test/support/folder')

const NFTRACE = path.join(__dirname, '..', '..', 'build', 'nftrace')
const THREADS = [1, 2]
const HELP = `usage: npm run bench:loggers -- [--rounds N] [--seconds N] [--output FOLDER]
  --rounds N       how often each way to log is measured (2)
  --seconds N      for how long, for each message (0.3)
  --output FOLDER  where the results go (bench/results)
`

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '0.3' },
    output: { type: 'string', default: path.join(__dirname, '..', 'results') },
    help: { type: 'boolean', default: false }
  }
})

function fail (message) {
  process.stderr.write(`bench:loggers: ${message}\n`)
  process.exit(1)
}

function shuffled (values) {
  return values.map(value => [Math.random(), value]).sort(([a], [b]) => a - b).map(([, value]) => value)
}

/** values: sorted. */
function quantile (values, q) {
  return values[Math.min(values.length - 1, Math.floor(values.length * q))]
}

function lttng (...args) {
  return execFileSync('lttng', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

/** A session for a variant; how many of the calls it lost, once it is over. */
function record (folder, { events, contexts = [] }) {
  if (!events) return () => 0
  const trace = path.join(folder, 'trace')
  lttng('create', 'bench', '-o', trace)
  lttng('enable-channel', '-u', '--subbuf-size=1M', '--num-subbuf=8', 'bench')
  lttng('enable-event', '-u', '-c', 'bench', 'bunyan:*', ...events)
  for (const context of contexts) lttng('add-context', '-u', '-c', 'bench', '-t', context)
  lttng('start')
  return calls => {
    lttng('destroy', 'bench')
    return calls - linesOf(`"${NFTRACE}" read "${trace}" 2> /dev/null | grep -v '"name":"nftrace"'`)
  }
}

function linesOf (command) {
  return Number(execFileSync('sh', ['-c', `${command} | wc -l`], { encoding: 'utf8' }))
}

/** Measures a variant once, in a process of its own. */
function measure (name, threads) {
  const variant = VARIANTS[name]
  const folder = temporaryFolder()
  try {
    const lostOf = record(folder, variant)
    const command = [process.execPath, path.join(__dirname, 'measure.js'), name, threads, options.seconds, folder].map(String)
    const stdout = variant.stdout ? fs.openSync(path.join(folder, 'stdout'), 'w') : 'ignore'
    const { status, signal } = variant.piped
      ? spawnSync('sh', ['-c', '"$@" | cat > /dev/null', 'sh', ...command], { stdio: ['ignore', 'ignore', 'inherit'] })
      : spawnSync(command[0], command.slice(1), { stdio: ['ignore', stdout, 'inherit'] })
    const file = path.join(folder, 'result.json')
    if (status !== 0 || !fs.existsSync(file)) fail(`${name} with ${threads} threads failed: ${status === null ? signal : status}`)
    if (variant.stdout) fs.closeSync(stdout)
    const measured = JSON.parse(fs.readFileSync(file, 'utf8'))
    measured.lost = variant.file ? measured.calls - linesOf(`cat "${folder}"/log-*`) : lostOf(measured.calls)
    return measured
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

/** The figures of a variant for a message, of all rounds. */
function summary (rounds, message) {
  const sorted = key => rounds.flatMap(round => round.messages[message][key]).sort((a, b) => a - b)
  const mean = key => rounds.reduce((sum, round) => sum + round.messages[message][key], 0) / rounds.length
  return {
    median: Math.max(0, quantile(sorted('batches'), 0.5)),
    p999: Math.max(0, quantile(sorted('singles'), 0.999)),
    cpu: Math.max(mean('cpu'), mean('noise')),
    cpuIsLess: mean('cpu') < mean('noise') // than what can be told from nothing
  }
}

function versions () {
  const of = name => `${name} ${require(`${name}/package.json`).version}`
  return `${os.cpus()[0].model.trim()}, ${os.cpus().length} CPUs, Linux ${os.release().split('.', 2).join('.')}; Node ${process.version}, ${of('bunyan')}, ${of('pino')}, ` +
    `${of('winston')}, nftrace ${require('../../package.json').version}, ${lttng('--version').trim()}`
}

function number (ns) {
  return ns >= 100 ? Math.round(ns).toLocaleString('en').replaceAll(',', '\u202f') : ns.toFixed(1)
}

function cells ({ median, p999, cpu, cpuIsLess }) {
  return `${number(median)} | ${number(p999)} | ${cpuIsLess ? '< ' : ''}${number(cpu)}`
}

function table (results, about) {
  const messages = Object.keys(MESSAGES)
  const parts = [`# Ways to log, side by side\n\n${about}\n\nNanoseconds. *Call*: what the caller waits, the median; *p99.9*: of the calls, one by ` +
    'one; *CPU*: time of all processors for a record, with that of the reader of the pipe and of LTTng\'s daemons, less that of the same loop without a logger; *lost*: of all records. winston\'s calls return before their work is done once its stream is full.\n']
  for (const threads of THREADS) {
    parts.push(`\n## ${threads} thread${threads > 1 ? 's' : ''}, at ${messages.map(name => `${name}: ${MESSAGES[name].rate}`).join(', ')} records a second each\n`)
    parts.push(`| | ${messages.map(name => `${name}: call | p99.9 | CPU`).join(' | ')} | lost |`)
    parts.push(`| --- | ${messages.map(() => '---: | ---: | ---:').join(' | ')} | ---: |`)
    for (const { name, messages: figures, lost } of results.filter(result => result.threads === threads)) {
      parts.push(`| ${name} | ${messages.map(message => cells(figures[message])).join(' | ')} | ${lost === null ? '' : lost} |`)
    }
  }
  return parts.join('\n') + '\n'
}

function main () {
  if (options.help) return process.stdout.write(HELP)
  const rounds = Number(options.rounds)
  const seconds = Number(options.seconds)
  if (!(Number.isInteger(rounds) && rounds > 0 && seconds > 0)) fail('--rounds and --seconds take numbers above 0')
  if (process.env.NFTRACE_SESSIOND_PID === undefined) fail('run it beside a session daemon of its own: npm run bench:loggers')
  const load = os.loadavg()[0].toFixed(2)
  if (Number(load) > 1) process.stderr.write(`bench:loggers: the load average is ${load}: the figures will be those of a busy machine\n`)

  const measured = new Map() // [name, threads] as text: a result a round
  const all = Object.keys(VARIANTS).flatMap(name => THREADS.map(threads => ({ name, threads, key: `${name} ${threads}` })))
  for (let round = 0; round < rounds; round++) {
    shuffled(all).forEach(({ name, threads, key }, i) => {
      progress.show(`round ${round + 1} of ${rounds}, ${i + 1} of ${all.length}: ${name}, ${threads} threads`)
      measured.set(key, [...measured.get(key) || [], measure(name, threads)])
    })
  }
  progress.hide()

  const results = all.map(({ name, threads, key }) => {
    const runs = measured.get(key)
    const { events, file } = VARIANTS[name]
    return {
      name,
      threads,
      messages: Object.fromEntries(Object.keys(MESSAGES).map(message => [message, summary(runs, message)])),
      calls: runs.reduce((sum, run) => sum + run.calls, 0),
      lost: events || file ? runs.reduce((sum, run) => sum + run.lost, 0) : null // else nothing to count
    }
  })
  const about = `${versions()}; load average ${load} at the start, ${new Date().toISOString().slice(0, 10)}; ${rounds} round${rounds > 1 ? 's' : ''} of ${seconds} s in shuffled order.`
  fs.mkdirSync(options.output, { recursive: true })
  const write = (name, text) => fs.writeFileSync(path.join(options.output, name), text)
  write('loggers.json', JSON.stringify({ about, load: Number(load), rounds, seconds, rates: MESSAGES, results }, null, 1) + '\n')
  write('loggers.md', table(results, about))
  write('loggers.svg', chart({ about, results }))
  process.stdout.write(table(results, about))
}

main()
