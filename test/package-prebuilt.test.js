'use strict'
// The addons in the npm package: which machines they load on.

const assert = require('node:assert')
const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const ROOT = path.join(__dirname, '..')
const MACHINES = { x64: 'Advanced Micro Devices X86-64', arm64: 'AArch64' }
const OLDEST_GLIBC = 35 // 2.35, that of Ubuntu 22.04; Debian 12 has 2.36

execFileSync('make', ['--silent', 'prebuild'], { cwd: ROOT })
const architectures = fs.readdirSync(path.join(ROOT, 'prebuilds')).map(name => name.replace('linux-', ''))

test('there is one for each architecture', () => {
  // Only an x64 machine is given the other's compiler by scripts/setup.
  assert.deepStrictEqual(architectures.sort(), process.arch === 'x64' ? ['arm64', 'x64'] : [process.arch])
})

for (const architecture of architectures) {
  const file = path.join(ROOT, 'prebuilds', `linux-${architecture}`, 'node.napi.glibc.node')
  const readelf = option => execFileSync('readelf', ['--wide', option, file], { encoding: 'utf8' })

  test(`${architecture}: needs the C library alone, and none newer than 2.${OLDEST_GLIBC}`, () => {
    assert.match(readelf('--file-header'), new RegExp(`Machine: +${MACHINES[architecture]}`))
    const dynamic = readelf('--dynamic')
    assert.deepStrictEqual([...dynamic.matchAll(/\(NEEDED\).*\[(.*)\]/g)].map(([, name]) => name), ['libc.so.6'])
    assert.match(dynamic, /FLAGS_1.*NODELETE/)
    const versions = [...readelf('--version-info').matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor))
    assert.ok(versions.length > 0)
    assert.ok(Math.max(...versions) <= OLDEST_GLIBC, `needs glibc 2.${Math.max(...versions)}`)
  })

  test(`${architecture}: exports what Node and other copies of it look for, holds no debug information`, () => {
    const exported = [...readelf('--dyn-syms').matchAll(/GLOBAL +DEFAULT +\d+ (\w+)/g)].map(([, name]) => name)
    assert.deepStrictEqual(exported.sort(), ['napi_register_module_v1', 'nft__process_1', 'node_api_module_get_api_version_v1'])
    assert.doesNotMatch(readelf('--section-headers'), /\.debug/)
  })
}

test('the package runs nothing when it is installed', () => {
  const { gypfile, scripts } = require('../package.json')
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) assert.strictEqual(scripts[script], undefined)
  assert.strictEqual(gypfile, false) // npm would run node-gyp for binding.gyp
})
