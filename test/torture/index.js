'use strict'
// npm run torture: does to nftrace what production does to it, or worse, and
// prints one table: what was done, what was promised, and whether it was kept.

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const readline = require('node:readline')
const { parseArgs } = require('node:util')
const Table = require('cli-table3')

const progress = require('../../scripts/progress')
const OWN_PROCESSES = require('../support/own-processes')
const { scenarios } = require('./scenarios')
const { temporaryFolder } = require('../support/folder')

const USAGE = `usage: npm run torture -- [OPTION]…

Runs each scenario beside a session daemon of its own and ends with 1 if a
promise was broken.

  --minutes N    how long all of it may take, about (default 3)
  --seed S       repeats a run's random choices (default: a new one, printed)
  --only NAME,…  only these scenarios, or groups of them
  --chroots      also those that install other systems into folders (minutes each)
  --list         names the scenarios
  --json FILE    writes the results there, too
  --help         says this`

const PRIVATE = path.join(__dirname, '..', 'support', 'private-lttng')
const RUN = path.join(__dirname, 'run.js')
const SETUP_SECONDS = 3 // of a scenario, beside its share of the time
const LOG_MS = 10000
const CHROOT_SECONDS = 300 // the same for one that unpacks a system and compiles there
const GRACE_SECONDS = 60 // a scenario that takes so much longer than its share hangs

class UsageError extends Error {}

function options () {
  let values
  try {
    values = parseArgs({
      options: {
        minutes: { type: 'string', default: '3' },
        seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
        only: { type: 'string' },
        chroots: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        json: { type: 'string' },
        help: { type: 'boolean', default: false }
      }
    }).values
  } catch (error) {
    throw new UsageError(error.message)
  }
  const minutes = Number(values.minutes)
  if (!(minutes > 0)) throw new UsageError(`--minutes wants a number above 0, not ${values.minutes}`)
  const seed = Number(values.seed)
  if (!Number.isSafeInteger(seed)) throw new UsageError(`--seed wants an integer, not ${values.seed}`)
  return { ...values, minutes, seed, chosen: choose(values.only, values.chroots) }
}

function choose (only, chroots) {
  if (only === undefined) return scenarios.filter(scenario => chroots || !scenario.chroot)
  return only.split(',').flatMap(name => {
    const found = scenarios.filter(scenario => scenario.name === name || scenario.group === name)
    if (found.length === 0) throw new UsageError(`no scenario or group is named ${name}; --list names them`)
    return found
  })
}

/** Runs a scenario in namespaces of its own, for some seconds: its result. */
async function runScenario (scenario, seconds, seed, say) {
  const temporary = temporaryFolder()
  fs.chmodSync(temporary, 0o711) // also for the users that services run as
  const env = {
    ...process.env,
    TMPDIR: temporary,
    TORTURE_RUN: JSON.stringify({ name: scenario.name, seconds, seed }),
    NFTRACE_NO_SESSIOND: scenario.daemon === false ? '1' : ''
  }
  const [command, ...args] = [...OWN_PROCESSES, PRIVATE, process.execPath, RUN]
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close')
  let said = ''
  let answer = ''
  child.stdio[3].setEncoding('utf8').on('data', data => { answer += data })
  readline.createInterface({ input: child.stderr }).on('line', line => {
    if (line.startsWith('progress: ')) say(line.slice('progress: '.length))
    else said += line + '\n'
  })
  let late = false
  const most = seconds * 2 + (scenario.chroot ? CHROOT_SECONDS : GRACE_SECONDS)
  const timer = setTimeout(() => {
    late = true
    child.kill('SIGKILL')
  }, most * 1000)
  const [status, signal] = await closed
  clearTimeout(timer)
  fs.rmSync(temporary, { recursive: true, force: true })
  if (late) return { broken: [`it hung for more than ${Math.round(most)} s`], said }
  if (answer === '') return { broken: [`it ended with ${signal || status} and no result`], said }
  return { ...JSON.parse(answer), said }
}

/** Says how far a scenario is: in one line of a terminal, or now and then in a log. */
function reporter (at) {
  let last = 0
  return (text, isLast = false) => {
    if (progress.canShow) {
      progress.show(`${at}: ${text}`)
      if (isLast) process.stderr.write('\n')
      return
    }
    if (!isLast && Date.now() - last < LOG_MS) return
    last = Date.now()
    process.stderr.write(`${at}: ${text}\n`)
  }
}

const number = value => value === undefined ? '' : value.toLocaleString('en')

/** A share of the terminal for each column; what doesn't fit is wrapped. */
function render (results) {
  const table = new Table({
    head: ['scenario', 'what was done', 'what was promised', 'written', 'read', 'lost', 'worst pause', 'memory', ''],
    colWidths: [22, 34, 40, 13, 13, 11, 13, 11, 9],
    colAligns: ['left', 'left', 'left', 'right', 'right', 'right', 'right', 'right', 'left'],
    wordWrap: true,
    style: { head: [], border: [], compact: false }
  })
  for (const { name, done, promised, written, read, lost, pause, memory, skipped, broken } of results) {
    table.push([
      name, done, promised, number(written), number(read), number(lost),
      pause === undefined ? '' : `${pause.toFixed(2)} ms`,
      memory === undefined ? '' : `${(memory / 1048576).toFixed(2)} MiB`,
      skipped !== undefined ? 'skipped' : broken.length > 0 ? 'FAILED' : 'ok'
    ])
  }
  return table.toString()
}

async function main () {
  const { help, list, json, minutes, seed, chosen } = options()
  if (help) return console.log(USAGE)
  if (list) {
    for (const { name, group, done } of scenarios) console.log(`${name.padEnd(20)} ${group.padEnd(14)} ${done}`)
    return
  }
  console.error(`seed ${seed}: npm run torture -- --minutes ${minutes} --seed ${seed} repeats this`)
  const weights = chosen.reduce((sum, scenario) => sum + scenario.weight, 0)
  const seconds = Math.max(minutes * 60 - chosen.length * SETUP_SECONDS, chosen.length)
  const results = []
  for (const [i, scenario] of chosen.entries()) {
    const { name, group, done, promised, needs } = scenario
    const at = `${i + 1} of ${chosen.length}: ${name}`
    const start = Date.now()
    const say = reporter(at)
    const skipped = needs === undefined ? null : needs()
    const result = skipped === null
      ? await runScenario(scenario, seconds * scenario.weight / weights, seed, say)
      : { skipped, broken: [] }
    results.push({ name, group, done, promised, ...result, seconds: (Date.now() - start) / 1000 })
    const outcome = skipped !== null ? `skipped: ${skipped}` : result.broken.length > 0 ? 'FAILED' : 'ok'
    say(`${outcome} (${Math.round((Date.now() - start) / 1000)} s)`, true)
    for (const reason of result.broken) console.error(`  broken: ${reason}`)
    if (result.said) console.error(result.said.replace(/^/gm, '  ').trimEnd())
  }
  console.log(render(results))
  for (const { name, skipped, notes = [], broken } of results) {
    if (skipped) console.log(`${name}: skipped: ${skipped}`)
    for (const note of notes) console.log(`${name}: ${note}`)
    for (const reason of broken) console.log(`${name}: FAILED: ${reason}`)
  }
  console.log(`seed ${seed}, Node ${process.version}, ${os.cpus().length} cores`)
  if (json !== undefined) fs.writeFileSync(json, JSON.stringify({ seed, minutes, results }, null, 2) + '\n')
  if (results.some(({ broken }) => broken.length > 0)) process.exitCode = 1
}

main().catch(error => {
  console.error(error instanceof UsageError ? `torture: ${error.message}\n\n${USAGE}` : error)
  process.exitCode = error instanceof UsageError ? 2 : 1
})
