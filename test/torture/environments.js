'use strict'
// Wherever Node can be: each record that Bunyan made is read.

const assert = require('node:assert')
const { execFileSync, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const { ROOT } = require('./memory')
const { temporaryFolder } = require('../support/folder')

const PROGRAMS = path.join(__dirname, '..', 'services', 'environments')
const RELEASES = [18, 20, 22, 24]
const WORKERS = 500

/** A folder where `nftrace` and `bunyan` can be required, as in an application. */
function application (torture) {
  const directory = temporaryFolder()
  torture.defer(() => fs.rmSync(directory, { recursive: true }))
  fs.mkdirSync(path.join(directory, 'node_modules'))
  fs.symlinkSync(ROOT, path.join(directory, 'node_modules', 'nftrace'))
  fs.symlinkSync(fs.realpathSync(path.join(ROOT, 'node_modules', 'bunyan')), path.join(directory, 'node_modules', 'bunyan'))
  for (const file of fs.readdirSync(PROGRAMS)) fs.copyFileSync(path.join(PROGRAMS, file), path.join(directory, file))
  return directory
}

/** Runs a Node in an application's folder; what it printed. Nothing may be on stderr but warnings of Node's own. */
function node (torture, cwd, args, { execPath = process.execPath, env = {} } = {}) {
  const { status, signal, stdout, stderr } = spawnSync(execPath, args,
    { cwd, encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, NODE_NO_WARNINGS: '1', WRITTEN: path.join(cwd, 'written'), ...env } })
  torture.check(status === 0, `node ${args.join(' ')} ended with ${signal ?? status}: ${stderr} ${stdout.slice(-1000)}`)
  torture.check(stderr === '', `node ${args.join(' ')} printed ${stderr}`)
  return stdout
}

/** Runs something that writes what Bunyan made to $WRITTEN; that must be read. */
async function compared (torture, run) {
  const cwd = application(torture)
  const recording = torture.recording()
  await run(cwd)
  const seen = []
  const lost = await recording.finish(line => seen.push(JSON.parse(line)), 'utf8')
  const file = path.join(cwd, 'written')
  const written = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n').map(line => JSON.parse(line)) : []
  const others = seen.filter(record => record.msg !== 'alone')
  const read = torture.result.read ?? 0
  Object.assign(torture.result, { written: (torture.result.written ?? 0) + written.length, read: read + others.length, lost })
  torture.check(written.length > 0, 'nothing was written')
  try {
    assert.deepStrictEqual(others, written)
  } catch (error) {
    torture.check(false, error.message)
  }
  return seen.length - others.length
}

/** The program basic.js, in some Node. */
async function basic (torture, args, options, alone = 40) {
  const seen = await compared(torture, cwd => node(torture, cwd, [...args, 'basic.js'], options))
  torture.check(seen === alone, `${seen} of ${alone} records of a logger that we have alone`)
}

async function workers (torture) {
  const count = Math.max(20, Math.min(WORKERS, Math.floor(torture.seconds * 15)))
  const cwd = application(torture)
  const recording = torture.recording({ subbuf: '8M', blocking: true })
  const counts = JSON.parse(node(torture, cwd, ['workers.js', String(count)], { env: { LTTNG_UST_ALLOW_BLOCKING: '1' } }) || '[]')
  const last = new Array(count).fill(0)
  let disorder = 0
  const lost = await recording.finish(record => {
    const [, i, slot] = /"i":(\d+),"slot":(\d+)/.exec(record)
    if (Number(i) !== ++last[slot]) disorder++
  })
  const written = counts.reduce((a, b) => a + b, 0)
  const missing = counts.reduce((sum, count, slot) => sum + Math.max(0, count - last[slot]), 0)
  Object.assign(torture.result, { written, read: written - missing, lost })
  torture.note(`${count} workers`)
  torture.check(counts.length === count, 'not all workers ran')
  torture.check(missing === 0, `${missing} records are not there`)
  torture.check(disorder === 0, `${disorder} records are not in their worker's order`)
}

const releaseFile = release => path.join(ROOT, 'build', `node-${release}`, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node')

/** Gets a release of Node from npm, unless it is there: null, or why there is none. */
function getRelease (release) {
  if (fs.existsSync(releaseFile(release))) return null
  process.stderr.write(`getting Node ${release} from npm\n`)
  const { status, stderr } = spawnSync('npm', ['install', '--silent', '--prefix', path.join(ROOT, 'build', `node-${release}`), '--no-save', `node-linux-${process.arch}@${release}`], { encoding: 'utf8' })
  return status === 0 ? null : `npm has no Node ${release} for here: ${stderr.trim().split('\n')[0]}`
}

const EQUAL = 'each record that Bunyan made is read, and nothing is printed'

module.exports = [
  {
    name: 'workers',
    done: `${WORKERS} workers, the addon in them alone, terminated while they log (fewer in a short run)`,
    promised: 'each record whose log call returned is in the trace, in its worker\'s order',
    weight: 4,
    run: workers
  }, {
    name: 'contexts',
    done: 'vm contexts log values of their own, some with a Bunyan and an nftrace of their own',
    promised: EQUAL,
    run: torture => compared(torture, cwd => node(torture, cwd, ['contexts.js', '100']))
  }, {
    name: 'frozen-intrinsics',
    done: 'node --frozen-intrinsics',
    promised: EQUAL,
    run: torture => basic(torture, ['--frozen-intrinsics'])
  }, {
    name: 'node-test',
    done: 'node --test',
    promised: EQUAL,
    run: torture => compared(torture, cwd => node(torture, cwd, ['--test', 'tested.js'], { env: { NO_WORKER: '1' } }))
  }, {
    name: 'module-resets',
    done: 'our modules and Bunyan\'s loaded anew 100 times over one addon, as Jest does',
    promised: EQUAL,
    run: torture => compared(torture, cwd => node(torture, cwd, ['resets.js', '100']))
  }, {
    name: 'bundle',
    done: 'a bundle by esbuild, minified, with the package external',
    promised: EQUAL,
    async run (torture) {
      const alone = await compared(torture, cwd => {
        execFileSync(path.join(ROOT, 'node_modules', '.bin', 'esbuild'),
          ['basic.js', '--bundle', '--minify', '--platform=node', '--external:nftrace', '--external:dtrace-provider', '--outfile=bundle.js', '--log-level=error'],
          { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
        node(torture, cwd, ['bundle.js'])
      })
      torture.check(alone === 40, `${alone} of 40 records of a logger that we have alone`)
    }
  },
  ...RELEASES.map(release => ({
    name: `node-${release}`,
    done: `Node ${release} with the same compiled addon`,
    promised: EQUAL,
    needs: () => getRelease(release),
    run: torture => basic(torture, [], { execPath: releaseFile(release) })
  }))
].map(scenario => ({ weight: 1, ...scenario }))
