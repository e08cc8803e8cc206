'use strict'
// test.js [--strict] [SET | FILE…]: runs test files: all of them, a set of them, or those
// named. test.js --list [SET]: prints their names instead. Several files run at once,
// because most wait for a session daemon of their own most of the time. Fails if a test
// fails, a file has no test, or a test is skipped without a reason; with --strict, which
// CI uses, also if a test is skipped for a reason.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { run } = require('node:test')
const { spec: Spec } = require('node:test/reporters')

// Five files on two cores: most of their time they wait. Each has daemons, folders and
// ports of its own, so that more are no danger; but some look at how long things take.
const CONCURRENCY = Number(process.env.NFTRACE_TEST_CONCURRENCY || Math.min(8, 2 * os.availableParallelism() + 1))
const DIRECTORY = path.join(__dirname, '..', 'test')

// The files that take longest begin first, so that none is left to run alone at the end.
const LONGEST = [
  'package-gyp', 'docs', 'pino', 'package', 'package-deb', 'cut-off', 'foreign-text', 'redact', 'cli-pipe', 'cli-record-name',
  'package-arm64', 'cli-record', 'cli-pipe-same', 'cli-tail', 'cli-tail-neighbours', 'cli-record-loss', 'cli-tail-leftovers', 'direct',
  'docs-examples', 'container', 'package-chroot', 'kill', 'levels', 'patched', 'provider', 'module'
]

// The sets, by the names of their files without .test.js.
const SETS = {
  // for the inner loop: no session daemon, or done within seconds; under a minute together
  quick: [
    'unit', 'absent', 'encode-safe', 'box', 'box-trace', 'cli-plugin', 'cli-read-around', 'cli-read-damaged', 'cli-read-help', 'cli-read-irregular',
    'cli-read-order', 'cli-status', 'contract', 'copies', 'package-prebuilt', 'runner', 'secrets', 'tail-forward'
  ],
  // once more with Bunyan building every record
  direct: ['levels', 'round-trip'],
  // with the C code under sanitizers; without cli-pipe, which would count their memory
  sanitized: [
    'cli-pipe-same', 'conformance', 'contract', 'copies', 'direct', 'encode', 'kill', 'levels', 'module', 'patched', 'processes',
    'provider', 'round-trip', 'sessions', 'size-limit', 'cli-read-around', 'cli-read-choice', 'cli-read-damaged',
    'cli-read-irregular', 'cli-read-losses', 'cli-read-order', 'cli-status', 'cut-off', 'foreign-text', 'unit', 'cmp'
  ],
  // with the same addon in other releases of Node
  releases: ['pino', 'copies', 'direct', 'encode', 'processes', 'round-trip']
}

/**
 * Whether a file follows live sessions. These run one at a time: on a busy machine
 * babeltrace2's live source fails now and then, and tail ends with status 1 then.
 */
const follows = file => path.basename(file).startsWith('cli-tail')

/** The names of all test files, the longest first. */
function all () {
  const names = fs.readdirSync(DIRECTORY).filter(file => file.endsWith('.test.js')).map(file => path.basename(file, '.test.js'))
  return [...LONGEST.filter(name => names.includes(name)), ...names.filter(name => !LONGEST.includes(name))]
}

/** The files that the arguments choose. */
function choose (args) {
  if (args.length > 0 && SETS[args[0]] === undefined) return args.map(file => path.resolve(file))
  const set = args.length === 0 ? all() : SETS[args[0]]
  const missing = set.find(name => !all().includes(name))
  if (missing !== undefined) throw new Error(`there is no test/${missing}.test.js`)
  const names = all().filter(name => set.includes(name))
  return names.map(name => path.join(DIRECTORY, `${name}.test.js`))
}

/** Runs a file. Gives what happened, for the reporter, and how many tests did what. */
async function runFile (file) {
  const count = { tests: 0, pass: 0, fail: 0, skipped: 0, todo: 0, silent: 0 }
  const events = []
  const begin = process.hrtime.bigint()
  for await (const event of run({ files: [file], concurrency: 1 })) {
    const { name, nesting, skip, todo, details } = event.data
    const isEnd = event.type === 'test:pass' || event.type === 'test:fail'
    // Node's summary of the file; there is one of all at the end.
    if (event.type === 'test:diagnostic' && nesting === 0) continue
    if (event.type === 'test:summary') continue
    if (!isEnd || details.type === 'suite') {
      events.push(event)
      continue
    }
    // A file without a test counts as a test of its own name.
    if (event.type === 'test:pass' && name === file) {
      events.length = 0
      continue
    }
    events.push(event)
    count.tests++
    if (skip !== undefined) count.skipped++
    else if (todo !== undefined) count.todo++
    else count[event.type === 'test:pass' ? 'pass' : 'fail']++
    if (skip !== undefined && typeof skip !== 'string') count.silent++
  }
  return { file, events, count, seconds: Number(process.hrtime.bigint() - begin) / 1e9 }
}

/** Why a file is not as it has to be; undefined if it is. */
function problem ({ tests, fail, skipped, todo, silent }, strict) {
  if (tests === 0) return 'has no test'
  if (fail > 0) return `${fail} of ${tests} tests failed`
  if (silent > 0) return `${silent} of ${tests} tests are skipped without a reason`
  if (strict && skipped + todo > 0) return `${skipped + todo} of ${tests} tests are skipped`
}

async function main (args) {
  const isList = args[0] === '--list'
  const strict = args[0] === '--strict'
  const files = choose(isList || strict ? args.slice(1) : args)
  if (isList) return console.log(files.map(file => path.relative('', file)).join('\n'))

  const reporter = new Spec()
  const total = {}
  const problems = []
  const queue = [...files]
  const begin = Date.now()
  process.setMaxListeners(0) // each run() has some of its own
  reporter.pipe(process.stdout)
  let following = 0
  const work = async () => {
    for (;;) {
      const index = queue.findIndex(file => !follows(file) || following === 0)
      if (index < 0) return // what is left waits for a file that another turn of this runs
      const [next] = queue.splice(index, 1)
      if (follows(next)) following++
      const { file, events, count, seconds } = await runFile(next)
      if (follows(next)) following--
      const name = path.relative('', file)
      for (const event of events) reporter.write(event)
      reporter.write({ type: 'test:diagnostic', data: { nesting: 0, message: `${name}: ${count.tests} tests, ${seconds.toFixed(1)} s` } })
      for (const [key, number] of Object.entries(count)) total[key] = (total[key] || 0) + number
      if (problem(count, strict) !== undefined) problems.push(`${name}: ${problem(count, strict)}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  const { tests, pass, fail, skipped, todo } = total
  for (const [key, number] of Object.entries({ files: files.length, tests, pass, fail, skipped, todo, seconds: Math.round((Date.now() - begin) / 1000) })) {
    reporter.write({ type: 'test:diagnostic', data: { nesting: 0, message: `${key} ${number}` } })
  }
  reporter.end()
  await new Promise(resolve => reporter.on('end', resolve))
  for (const text of problems) console.error(text)
  if (problems.length > 0) process.exitCode = 1
}

main(process.argv.slice(2))
