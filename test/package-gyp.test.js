'use strict'
// binding.gyp: node-gyp builds, in a checkout and in an installed package, an addon
// that node-gyp-build finds and that passes the core tests; npm install leaves it be.

const assert = require('node:assert')
const { execFile } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { describe, test } = require('node:test')
const { promisify } = require('node:util')
const nodeGypBuild = require('node-gyp-build')

const { ROOT, run } = require('./support/command')
const { temporaryFolder } = require('./support/folder')

const CORE = ['levels', 'round-trip', 'encode', 'copies']
const NODE = path.resolve(fs.realpathSync(process.execPath), '..', '..')
const skip = !fs.existsSync(path.join(NODE, 'include', 'node', 'node_api.h')) && `this Node has no headers below ${NODE}`

/** A checkout as git would make it, but with what is not committed yet. */
function checkout () {
  const folder = temporaryFolder()
  for (const file of run('git', ['ls-files', '-z', '--', 'binding.gyp', 'Makefile', 'package*.json', 'lib', 'native', 'provider'], { cwd: ROOT }).split('\0').filter(Boolean)) {
    fs.cpSync(path.join(ROOT, file), path.join(folder, file))
  }
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  return folder
}

function installed () {
  const folder = temporaryFolder()
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: ROOT }))
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private": true}')
  run('npm', ['install', '--no-audit', '--no-fund', `./${filename}`], { cwd: folder })
  const nftrace = path.join(folder, 'node_modules', 'nftrace')
  assert.ok(!fs.existsSync(path.join(nftrace, 'build')), 'npm install built the addon')
  return nftrace
}

/** Runs the core tests with the addon of a folder: how many there were, how many passed. */
async function runCore (folder) {
  const { NODE_TEST_CONTEXT, ...env } = process.env
  const files = CORE.map(name => path.join(__dirname, `${name}.test.js`))
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(ROOT, 'scripts', 'test.js'), ...files],
    { maxBuffer: 1 << 30, env: { ...env, NFTRACE_TEST_CONCURRENCY: '2', NFTRACE_PREBUILD: folder, NFTRACE_BUILD: path.join(folder, 'build') } })
  return ['tests', 'pass'].map(what => Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(stdout)[1]))
}

describe('node-gyp rebuild', { concurrency: true, skip }, () => {
  for (const [where, make] of [['in a checkout', checkout], ['in an installed package', installed]]) {
    test(where, async () => {
      const folder = make()
      run(path.join(ROOT, 'node_modules', '.bin', 'node-gyp'), ['rebuild', `--nodedir=${NODE}`], { cwd: folder })
      assert.strictEqual(nodeGypBuild.path(folder), path.join(folder, 'build', 'Release', 'nftrace.node'))
      const [tests, passed] = await runCore(folder)
      assert.ok(tests > 40, `${tests} tests`)
      assert.strictEqual(passed, tests)
    })
  }
})
