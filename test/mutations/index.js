'use strict'
// node test/mutations: changes lines of the code, one at a time, in a copy of this
// tree, and runs what tests them. A change that no test notices survives: tests lack
// something there, or the change makes no difference.

const { spawn, spawnSync } = require('node:child_process')
const crypto = require('node:crypto')
const { once } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')
const { parseArgs } = require('node:util')

const { temporaryFolder } = require('../support/folder')
const OWN_PROCESSES = require('../support/own-processes')
const { generator } = require('../support/random')
const { candidates } = require('./mutate')
const TESTS = require('./tests')

const ROOT = path.join(__dirname, '..', '..')
const BUILT = ['prebuild'] // objects have their folder's name in them, so those of the copy are compiled there
const BUILD_SECONDS = 300
const HELP = `usage: node test/mutations [OPTION]…

Changes lines of native/, provider/ and lib/, one at a time, in a copy of this tree:
operators, constants, returns, dropped statements. Builds it, and runs the tests of
the line's folder (test/mutations/tests.js), the cheapest first, until one fails.
Prints what no test noticed. A change that doesn't compile, or compiles to the same
code, isn't counted: another one takes its place.

  --count N      how many lines, spread over all folders (default 100)
  --seed S       repeats a run's choices (default: a new one, printed)
  --folder NAME  only lines of this folder, such as native/pipe; may be repeated
  --only N       only the Nth change, of the same --seed, --count and --folder
  --limit N      seconds that a test file may take before it counts as failed (300)
  --list         prints the changes without trying any
  --help         says this
`

function fail (message) {
  process.stderr.write(`mutations: ${message}\n`)
  process.exit(2)
}

function options () {
  let values
  try {
    values = parseArgs({
      options: {
        count: { type: 'string', default: '100' },
        seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
        folder: { type: 'string', multiple: true, default: Object.keys(TESTS) },
        only: { type: 'string' },
        limit: { type: 'string', default: '300' },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false }
      }
    }).values
  } catch (error) {
    fail(`${error.message}; see --help`)
  }
  for (const name of ['count', 'seed', 'only', 'limit']) {
    if (values[name] === undefined) continue
    if (!/^\d+$/.test(values[name])) fail(`--${name} is a whole number, not "${values[name]}"`)
    values[name] = Number(values[name])
  }
  for (const name of values.folder) if (TESTS[name] === undefined) fail(`no folder ${name}; there are ${Object.keys(TESTS).join(', ')}`)
  return values
}

function shuffled (list, random) {
  return list.map(value => [random(), value]).sort(([a], [b]) => a - b).map(([, value]) => value)
}

const languageOf = file => path.extname(file) === '.js' ? 'js' : 'c'

/** A folder's lines that can be changed, with one change each, in an order of chance: { file, number, old, what, line }. */
function changesIn (folder, seed) {
  const random = generator(seed, folder)
  const files = fs.readdirSync(path.join(ROOT, folder)).filter(name => /\.[ch]$|\.js$/.test(name)).map(name => `${folder}/${name}`)
  const lines = files.flatMap(file => candidates(fs.readFileSync(path.join(ROOT, file), 'utf8'), languageOf(file)).map(line => ({ file, ...line })))
  return shuffled(lines, random).map(({ changes, ...line }) => ({ ...line, ...changes[Math.floor(random() * changes.length)] }))
}

/**
 * What is tried: of each number, a list of changes of which the first that compiles
 * counts. Folders take turns; no line is in two lists.
 */
function plan ({ count, seed, folder: folders }) {
  const changes = folders.map(folder => changesIn(folder, seed))
  return Array.from({ length: count }, (_, i) => {
    const [turn, place] = [Math.floor(i / folders.length), i % folders.length]
    const turns = Math.ceil((count - place) / folders.length)
    return { number: i + 1, folder: folders[place], list: changes[place].filter((_, j) => j % turns === turn) }
  })
}

/** A copy of this tree with what is built, which every user can read: its path. */
function copyTree () {
  const copy = path.join(temporaryFolder(), 'tree')
  fs.chmodSync(path.dirname(copy), 0o755)
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 })
  const built = BUILT.map(name => path.join('build', name))
  for (const name of [...stdout.split('\0').filter(Boolean), ...built]) {
    const from = path.join(ROOT, name)
    if (fs.existsSync(from)) fs.cpSync(from, path.join(copy, name), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  }
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
  return copy
}

/** Runs a command for at most so many seconds, with all that it starts: whether it succeeded, and what it printed. */
async function succeeds (command, cwd, seconds) {
  const [program, ...args] = [...OWN_PROCESSES, ...command]
  const { NODE_TEST_CONTEXT, ...env } = process.env
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', data => { text = (text + data).slice(-10000) })
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000)
  const [status] = await once(child, 'exit')
  clearTimeout(timer)
  for (const stream of [child.stdout, child.stderr]) stream.destroy()
  return { ok: status === 0, text }
}

/** Warnings are no errors: a change that makes one is still to be noticed by a test. */
const BUILD = ['make', '--silent', 'WERROR=', 'all', 'test-programs', 'unit-tests']

class Mutations {
  #tree = copyTree()
  #isUseful = new Map() // of tests that were tried without a change: whether they pass then
  #isBuilt = false // as the files are
  #unchanged // what the files compile to without a change

  constructor ({ limit }) {
    this.limit = limit
  }

  /** Builds the tree without a change. */
  async prepare () {
    if (this.#isBuilt) return
    const { ok, text } = await succeeds(BUILD, this.#tree, BUILD_SECONDS)
    if (!ok) throw new Error(`the tree can't be built: ${text}`)
    this.#isBuilt = true
    this.#unchanged ??= this.#objects()
  }

  /** The tests of a folder: [{ name, command }]. */
  #testsOf (folder) {
    const { units, files } = TESTS[folder]
    const programs = units === undefined ? [] : fs.readdirSync(path.join(this.#tree, 'test', 'unit')).filter(name => name.startsWith(units) && name.endsWith('.c')).map(name => path.basename(name, '.c'))
    return [
      ...programs.map(name => ({ name: `test/unit/${name}.c`, command: ['sh', '-c', `make --silent SANITIZE=1 WERROR= unit-tests && build/sanitize/build/test/unit/${name}`] })),
      ...files.map(name => ({ name: `test/${name}.test.js`, command: [process.execPath, `test/${name}.test.js`] }))
    ]
  }

  /** What a file compiles to. */
  #objects () {
    const hash = crypto.createHash('sha256')
    const folder = path.join(this.#tree, 'build')
    for (const name of fs.readdirSync(folder, { recursive: true }).sort()) {
      if (/^(?:native|provider).*\.o$/.test(name)) hash.update(name).update(fs.readFileSync(path.join(folder, name)))
    }
    return hash.digest('hex')
  }

  #write (file, text) {
    fs.writeFileSync(path.join(this.#tree, file), text)
    if (languageOf(file) === 'c') this.#isBuilt = false
  }

  /** Changes the file, and builds. Whether that gave other code. */
  async #apply ({ file, number, line }, text) {
    const lines = text.split('\n')
    lines[number - 1] = line
    if (languageOf(file) === 'js') await this.prepare()
    this.#write(file, lines.join('\n'))
    if (languageOf(file) === 'js') return (await succeeds([process.execPath, '--check', file], this.#tree, BUILD_SECONDS)).ok
    const { ok } = await succeeds(BUILD, this.#tree, BUILD_SECONDS)
    return ok && this.#objects() !== this.#unchanged
  }

  /** The test that notices a change: its name; undefined if none does. */
  async #noticed (change, folder, text, say) {
    for (const { name, command } of this.#testsOf(folder)) {
      if (!this.#isUseful.has(name)) {
        say(`${name} without a change`)
        this.#write(change.file, text)
        await this.prepare()
        const { ok, text: said } = await succeeds(command, this.#tree, this.limit)
        // What fails without a change says nothing of one.
        if (!ok) console.log(`${name} fails without a change, and is not used: ${said}`)
        this.#isUseful.set(name, ok)
        await this.#apply(change, text)
      }
      if (!this.#isUseful.get(name)) continue
      say(name)
      if (!(await succeeds(command, this.#tree, this.limit)).ok) return name
    }
  }

  /** Tries the first change of a list that compiles to something else: { change, by }; undefined if none does. */
  async try ({ folder, list }, say) {
    for (const change of list) {
      const text = fs.readFileSync(path.join(this.#tree, change.file), 'utf8')
      try {
        say(`${change.file}:${change.number}, ${change.what}`)
        if (await this.#apply(change, text)) return { change, by: await this.#noticed(change, folder, text, test => say(`${change.file}:${change.number}, ${change.what}: ${test}`)) }
      } finally {
        this.#write(change.file, text)
      }
    }
  }
}

function show ({ file, number, what, old, line }) {
  return `${file}:${number} (${what})\n  - ${old.trim()}\n  + ${line.trim()}`
}

async function main () {
  const values = options()
  if (values.help) return process.stdout.write(HELP)
  const all = plan(values)
  const chosen = values.only === undefined ? all : all.filter(({ number }) => number === values.only)
  if (values.list) {
    for (const { number, list } of chosen) console.log(list.length === 0 ? `${number}: no line is left` : `${number}: ${show(list[0])}`)
    return
  }
  const folders = values.folder.length === Object.keys(TESTS).length ? '' : values.folder.map(name => ` --folder ${name}`).join('')
  const again = `node test/mutations --seed ${values.seed} --count ${values.count}${folders}`
  console.log(`seed ${values.seed}: ${again} repeats this`)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1)) // which removes the copy
  const mutations = new Mutations(values)
  await mutations.prepare()
  const survivors = []
  let counted = 0
  for (const [i, one] of chosen.entries()) {
    const begin = Date.now()
    const say = text => { if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${i + 1} of ${chosen.length}: ${text}`) }
    const result = await mutations.try(one, say)
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
    if (result === undefined) {
      console.log(`${one.number}: no line of ${one.folder} is left`)
      continue
    }
    const { change, by } = result
    counted++
    if (by === undefined) survivors.push({ number: one.number, change })
    console.log(`${one.number}: ${change.file}:${change.number} (${change.what}): ${by === undefined ? 'SURVIVED' : `noticed by ${by}`} (${Math.round((Date.now() - begin) / 1000)} s)`)
  }
  console.log(`\n${survivors.length} of ${counted} changes survived; seed ${values.seed}`)
  for (const { number, change } of survivors) console.log(`\n${number}: ${show(change)}`)
  if (survivors.length > 0) console.log(`\n${again} --only N tries one of them again`)
}

main().catch(error => {
  console.error(error)
  process.exitCode = 1
})
