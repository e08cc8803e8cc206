'use strict'
// Without LTTng: require() works, logging does nothing, and one can learn why.

require('./support/isolate')({ NFTRACE_NO_SESSIOND: '1' })

const assert = require('node:assert')
const { execFileSync, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const { temporaryFolder } = require('./support/folder')

const ROOT = path.join(__dirname, '..')
const SERVICE = path.join(__dirname, 'services', 'absent.js')

function log (env = {}, command = [process.execPath, SERVICE]) {
  return spawnSync(command[0], command.slice(1),
    { encoding: 'utf8', env: { ...process.env, NFTRACE: ROOT, ...env } })
}

/** A command that runs where liblttng-ust is hidden, in a namespace of its own. */
function hidden (...command) {
  const library = execFileSync('sh', ['-c', 'ldconfig -p | sed -n "s/.*liblttng-ust\\.so\\.1 .*=> //p"'], { encoding: 'utf8' })
  const files = [...new Set(library.trim().split('\n').map(file => fs.realpathSync(file)))]
  assert.ok(files.length > 0)
  const mounts = files.map(file => `mount --bind /dev/null ${file}`).join(' && ')
  return ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', `${mounts} && exec "$@"`, 'sh', ...command]
}

/** The package without its compiled addon. */
function withoutAddon () {
  const directory = temporaryFolder()
  for (const name of ['lib', 'package.json']) fs.cpSync(path.join(ROOT, name), path.join(directory, name), { recursive: true })
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'))
  return directory
}

const ABSENT = [
  ['library absent', { command: hidden(process.execPath, SERVICE) }, /liblttng-ust.*apt-get install liblttng-ust1/],
  ['addon not built', { env: { NFTRACE: withoutAddon(), NFTRACE_PREBUILD: '' } }, /addon cannot be loaded.*npm run build/],
  ['another operating system', { env: { PLATFORM: 'darwin' } }, /Linux only.*darwin/]
]

for (const [name, { env, command }, reason] of ABSENT) {
  test(`${name}: silent, says why, and the fallback gets Bunyan lines`, () => {
    const { stdout, stderr, status } = log(env, command)
    assert.deepStrictEqual([status, stderr], [0, ''])
    const seen = JSON.parse(stdout)
    assert.match(seen.reason, reason)
    delete seen.reason
    assert.deepStrictEqual(seen, {
      available: false, level: '30', enabled: false, written: ['to the fallback', 'to the fallback'], v: [0, 0]
    })
  })

  test(`${name}: NFTRACE_REQUIRE=1 throws the reason`, () => {
    const { status, stderr } = log({ ...env, NFTRACE_REQUIRE: '1' }, command)
    assert.notStrictEqual(status, 0)
    assert.match(stderr, /Error: nftrace: /)
    assert.match(stderr, reason)
  })
}

test('where tracing is available the fallback gets nothing', () => {
  const { stdout, stderr, status } = log({ NFTRACE_REQUIRE: '1' })
  assert.deepStrictEqual([status, stderr], [0, ''])
  assert.deepStrictEqual(JSON.parse(stdout),
    { available: true, reason: null, level: '30', enabled: false, written: [], v: [] })
})
