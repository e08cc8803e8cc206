'use strict'
// Commands: any (run), nftrace itself (nftrace, startNftrace), services that log
// (logging, runService, spawnService, startService) and the C test programs (testProgram).

const assert = require('node:assert')
const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '..', '..')
const BUILD = path.resolve(ROOT, process.env.NFTRACE_BUILD || 'build')
const NFTRACE = path.join(BUILD, 'nftrace')
const SERVICES = path.join(__dirname, '..', 'services')
const MAX_OUTPUT = 1 << 30

const children = new Set()

/** What a failed test leaves running would keep its file from ending. */
function endChildren () {
  for (const child of children) child.kill('SIGKILL')
}

if (process.argv[1] !== undefined && process.argv[1].endsWith('.test.js')) require('node:test').after(endChildren)

/** Runs a command to its end; what it prints. Fails if the command does, with what it said. */
function run (command, args, options = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: MAX_OUTPUT, ...options })
  if (result.error) throw result.error
  assert.strictEqual(result.status, 0, `${command} ${args.join(' ')}: ${result.stderr}${result.stdout}`)
  return result.stdout
}

/** Lines of text, parsed. */
function parseLines (text) {
  return text.split('\n').filter(line => line !== '').map(line => JSON.parse(line))
}

/**
 * Runs nftrace to its end, maybe through another command, as ['nohup']:
 * { status, signal, stdout, stderr, records }.
 */
function nftrace (args, { through = [], ...options } = {}) {
  const [command, ...rest] = [...through, NFTRACE, ...args]
  const result = spawnSync(command, rest, { encoding: 'utf8', cwd: ROOT, maxBuffer: MAX_OUTPUT, ...options })
  if (result.error && result.error.code !== 'ETIMEDOUT') throw result.error
  const { status, signal, stdout, stderr } = result
  return { status, signal, stdout, stderr, get records () { return parseLines(stdout) } }
}

/** Starts nftrace, maybe through another command: the child process, with all its output in .text. */
function startNftrace (args, { through = [], ...options } = {}) {
  const [command, ...rest] = [...through, NFTRACE, ...args]
  const child = spawn(command, rest, { cwd: ROOT, ...options })
  children.add(child)
  child.text = ''
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) stream.setEncoding('utf8').on('data', data => { child.text += data })
  }
  child.ended = new Promise(resolve => child.on('close', (status, signal) => resolve({ status, signal })))
  return child
}

/** A command that runs code in a Node that logs through nftrace: `log` is there, and `bunyan`. */
function logging (code, { name = 'shop' } = {}) {
  return [process.execPath, '-e', `
    const bunyan = require('bunyan')
    const nftrace = require('.')
    const log = bunyan.createLogger({ name: ${JSON.stringify(name)}, streams: [nftrace] })
    ${code}`]
}

/** Runs a program of test/services to its end; what it prints. */
function runService (program, args = [], options = {}) {
  return run(process.execPath, [path.join(SERVICES, program), ...args.map(String)], options)
}

/** Starts one, maybe through another command: { child, ended }, a promise of { code, signal }. */
function spawnService (program, args, { through = [], ...options } = {}) {
  const [command, ...rest] = [...through, process.execPath, path.join(SERVICES, program), ...args.map(String)]
  const child = spawn(command, rest, { stdio: ['ignore', 'ignore', 'inherit'], ...options })
  children.add(child)
  const ended = new Promise((resolve, reject) => child.on('error', reject).on('exit', (code, signal) => resolve({ code, signal })))
  return { child, ended }
}

/** Starts one that ends by itself and succeeds: a promise of that. */
async function startService (program, args, options) {
  const { code, signal } = await spawnService(program, args, options).ended
  if (code !== 0) throw new Error(`${program}: ${code ?? signal}`)
}

/** The path of a C test program of the build under test, such as 'emit'. */
function testProgram (name) {
  return path.join(BUILD, 'test', 'c', name)
}

/** The processes that run now: { pid, parent, name, command }. */
function processes () {
  return fs.readdirSync('/proc').filter(name => /^\d+$/.test(name)).flatMap(pid => {
    try {
      const [, name, state, parent] = /\((.*)\) (.) (\d+)/s.exec(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))
      const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ')
      return state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent), name, command }]
    } catch { // it has ended
      return []
    }
  })
}

/** Whether a process runs; a zombie, which waits for whoever started it to look, does not. */
function isRunning (pid) {
  try {
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'latin1'))
  } catch { // it has ended
    return false
  }
}

/** The process of that name that a process has started. */
function childOf ({ pid }, name) {
  const { pid: child } = processes().find(process => process.parent === pid && process.name === name)
  return child
}

module.exports = { BUILD, childOf, isRunning, logging, nftrace, NFTRACE, parseLines, processes, ROOT, run, runService, spawnService, startNftrace, startService, testProgram }
