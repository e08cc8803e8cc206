'use strict'
// The package on a machine that has Node and nothing else: no compiler, no
// headers, no network. It installs without running a script, records where
// liblttng-ust is, and is silent, with a reason, where it is not.

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const { bind, debianRoot, inRoot } = require('./support/debian-root')
const { temporaryFolder } = require('./support/folder')

const ROOT = path.join(__dirname, '..')
const PACKAGES = ['.', ...[...Object.keys(require('../package.json').dependencies), 'bunyan1'].map(name => `node_modules/${name}`)]

function makeRoot () {
  if (/libnode/.test(execFileSync('ldd', [process.execPath], { encoding: 'utf8' }))) {
    return { skip: 'Debian\'s own Node is many packages; run the test with a Node that is one program' }
  }
  return debianRoot(process.arch === 'x64' ? 'amd64' : process.arch, ['base-files', 'dash', 'libstdc++6', 'liblttng-ust1'])
}

/** What needs the network, before the file runs again without one. */
function prepare () {
  const folder = temporaryFolder()
  const { root, skip } = makeRoot()
  if (skip === undefined) {
    for (const name of PACKAGES) {
      execFileSync('npm', ['pack', '--pack-destination', folder, ...(name === '.' ? [] : ['--ignore-scripts'])], { cwd: path.join(ROOT, name), stdio: ['ignore', 'ignore', 'pipe'] })
    }
    // The root is kept for the next run; what is installed in it is not.
    execFileSync('cp', ['--archive', `${root}/.`, path.join(folder, 'root')])
  }
  return JSON.stringify({ folder, skip })
}

if (process.env.NFTRACE_ISOLATED !== '1') {
  process.env.NFTRACE_PREPARED = prepare()
}
require('./support/isolate')()

const assert = require('node:assert')
const test = require('node:test')

const { trace } = require('./support/lttng')

const { folder, skip } = JSON.parse(process.env.NFTRACE_PREPARED)
const root = path.join(folder, 'root')
const NPM = fs.realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())
const LOG = `
  const nftrace = require('nftrace')
  const log = require('bunyan').createLogger({ name: 'bare', streams: [nftrace] })
  log.info({ uid: process.getuid() }, 'works')
  console.log(JSON.stringify({ available: nftrace.available, reason: nftrace.reason }))`

function runThere (...command) {
  return inRoot(root, command, { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, NODE_ENV: 'production' })
}

function check ({ status, stdout, stderr }) {
  assert.strictEqual(status, 0, stderr)
  assert.strictEqual(stderr, '')
  return stdout
}

const logs = () => JSON.parse(check(runThere(process.execPath, '-e', LOG)))

test('there is no compiler, no make and no header', { skip }, () => {
  // npm's package folder's parent has what Debian's npm is made of, too.
  bind(root, process.execPath, path.dirname(path.dirname(path.dirname(NPM))), '/dev', '/dev/shm', '/var/run/lttng', '/proc')
  assert.strictEqual(runThere('sh', '-c', 'command -v gcc || command -v cc || command -v make').stdout, '')
  for (const name of ['usr/include/lttng', `usr/include/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/lttng`]) {
    assert.ok(!fs.existsSync(path.join(root, name)))
  }
})

test('npm install, with scripts disabled', { skip }, () => {
  fs.mkdirSync(path.join(root, 'srv'), { recursive: true })
  fs.writeFileSync(path.join(root, 'srv', 'package.json'), '{"private": true}')
  const packages = fs.readdirSync(folder).filter(name => name.endsWith('.tgz'))
  assert.strictEqual(packages.length, PACKAGES.length)
  for (const name of packages) fs.copyFileSync(path.join(folder, name), path.join(root, 'srv', name))
  check(runThere(process.execPath, NPM, 'install', '--ignore-scripts', '--offline', '--omit=optional', '--no-audit', '--no-fund',
    '--no-update-notifier', ...packages.map(name => `./${name}`)))
})

test('it records', { skip }, () => {
  const session = trace()
  assert.deepStrictEqual(logs(), { available: true, reason: null })
  const [{ payload }] = session.finish()
  assert.deepStrictEqual([payload.name, payload.msg, payload.fields], ['bare', 'works', '{"uid":0}'])
})

test('without liblttng-ust it is silent, and says what is missing', { skip }, () => {
  const session = trace()
  logs() // something that the session does hold
  const libraries = path.join(root, 'usr/lib', process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu')
  const hidden = fs.readdirSync(libraries).filter(name => name.startsWith('liblttng-ust'))
  assert.ok(hidden.length > 1)
  for (const name of hidden) fs.renameSync(path.join(libraries, name), path.join(root, name))
  const { available, reason } = logs()
  assert.strictEqual(available, false)
  assert.match(reason, /liblttng-ust.*apt-get install liblttng-ust1/)
  assert.strictEqual(session.finish().length, 1)
  for (const name of hidden) fs.renameSync(path.join(root, name), path.join(libraries, name))
})

test('where the C library is musl, as in Alpine, no addon of glibc is loaded, and the reason says so', { skip }, () => {
  fs.writeFileSync(path.join(root, 'etc', 'alpine-release'), '3.20.0\n')
  const { available, reason } = logs()
  assert.strictEqual(available, false)
  assert.match(reason, /addon cannot be loaded.*libc=musl.*npm run build/)
})
