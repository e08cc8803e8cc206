'use strict'
// Services that are bundled into one file: either the addon lies beside the bundle and
// they are traced, or the reason says that and what to do. And Node's permission model.

require('./support/isolate')()

const assert = require('node:assert')
const { execFileSync, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')
const { promisify } = require('node:util')

const { ROOT } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { trace } = require('./support/lttng')

// A service with nftrace as it is installed, without its sources.
const folder = fs.realpathSync(temporaryFolder())
const modules = path.join(folder, 'node_modules')
const entry = path.join(folder, 'service.js')
execFileSync('make', ['--silent', 'prebuild'], { cwd: ROOT })
for (const name of ['lib', 'prebuilds', 'package.json']) fs.cpSync(path.join(ROOT, name), path.join(modules, 'nftrace', name), { recursive: true })
for (const name of ['bunyan', 'bunyan1', 'pino', 'node-gyp-build']) fs.symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name))
fs.cpSync(path.join(__dirname, 'services', 'bundled.js'), entry)

// Bunyan's, and not installed.
const OPTIONAL = ['dtrace-provider', 'mv', 'source-map-support']

/** Each makes one file of the service. */
const BUNDLERS = {
  esbuild: out => require('esbuild').buildSync({ entryPoints: [entry], bundle: true, platform: 'node', minify: true, outfile: path.join(out, 'bundle.js'), external: OPTIONAL, logLevel: 'error' }),
  webpack: async out => {
    const stats = await promisify(require('webpack'))({
      entry,
      target: 'node',
      mode: 'production',
      output: { path: out, filename: 'bundle.js', strictModuleErrorHandling: true },
      externals: [({ request }, found) => OPTIONAL.includes(request) ? found(null, `commonjs ${request}`) : found()]
    })
    assert.strictEqual(stats.hasErrors(), false, stats.toString())
  },
  rolldown: async out => {
    const { build } = await import('rolldown')
    await build({ input: entry, platform: 'node', external: OPTIONAL, output: { file: path.join(out, 'bundle.js'), format: 'cjs', minify: true }, logLevel: 'silent' })
  },
  ncc: async out => {
    const { code } = await require('@vercel/ncc')(entry, { quiet: true, minify: true, externals: OPTIONAL })
    fs.writeFileSync(path.join(out, 'bundle.js'), code)
  }
}

for (const [name, bundle] of Object.entries(BUNDLERS)) {
  test(`${name}: a bundle says what is missing, and is traced with prebuilds beside it`, { timeout: 120000 }, async () => {
    const out = path.join(folder, name)
    fs.mkdirSync(out)
    await bundle(out)
    const run = () => JSON.parse(execFileSync(process.execPath, [path.join(out, 'bundle.js')], { encoding: 'utf8', cwd: out }))

    const { reason } = run()
    assert.match(reason, /nftrace is bundled into .*: copy the folder prebuilds of the package nftrace to /)
    assert.ok(reason.includes(` to ${out},`), reason)
    fs.cpSync(path.join(ROOT, 'prebuilds'), path.join(out, 'prebuilds'), { recursive: true })
    assert.deepStrictEqual(run(), { reason: null, open: [false, false, false] })
    const session = trace({}, '--loglevel=DEBUG_SYSTEM')
    assert.deepStrictEqual(run().open, [true, true, true])
    assert.deepStrictEqual(session.finish().map(({ payload: { msg, fields } }) => [msg, fields]), Array(3).fill(['placed', '{"order":17}']))
  })
}

test('with Node\'s permission model the reason names what must be allowed', () => {
  const [major] = process.versions.node.split('.').map(Number)
  const permission = major >= 24 ? '--permission' : '--experimental-permission'
  const run = (...allowed) => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', permission, ...allowed, '-p', `require(${JSON.stringify(path.join(modules, 'nftrace'))}).reason`],
      { encoding: 'utf8', cwd: folder })
    return stdout.trim() || stderr
  }
  const lib = path.join(modules, 'nftrace', 'lib', '*')
  const gyp = path.join(fs.realpathSync(path.join(modules, 'node-gyp-build')), '*')
  const link = path.join(modules, 'node-gyp-build', '*')
  const all = path.join(modules, 'nftrace', '*')
  const reads = (...paths) => paths.map(path => `--allow-fs-read=${path}`)
  const without = run(...reads(lib, path.join(modules, 'nftrace', 'package.json'), gyp, link, path.join(folder, 'package.json')))
  assert.ok(without.includes(`--allow-fs-read=${all} and --allow-addons`), without)
  assert.match(run(...reads('*')), /permission model forbids addons; start node with --allow-addons$/)
  assert.strictEqual(run(...reads('*'), '--allow-addons'), 'null')
})
