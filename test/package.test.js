'use strict'
// The npm package: what is in it, and that it works where it is installed. npm
// needs the network, so only the log calls run beside a private daemon.

const assert = require('node:assert')
const { execFileSync, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const { temporaryFolder } = require('./support/folder')

const ROOT = path.join(__dirname, '..')
const SOURCES = ['provider', ...fs.readdirSync(path.join(ROOT, 'native')).map(folder => `native/${folder}`)]

function npm (cwd, ...args) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** What is traced of one log call with the package installed in a directory. */
function logsFrom (directory) {
  return execFileSync(path.join(__dirname, 'support', 'private-lttng'),
    [process.execPath, path.join(__dirname, 'services', 'installed.js'), directory], { encoding: 'utf8' }).trim()
}

test('npm pack, npm install in an empty directory, require: it records, and builds from source on request', () => {
  const directory = temporaryFolder()
  const [{ filename, files, size }] = JSON.parse(npm(ROOT, 'pack', '--json', '--pack-destination', directory))
  const sources = SOURCES.flatMap(name => fs.readdirSync(path.join(ROOT, name)).map(file => `${name}/${file}`))
  const library = fs.readdirSync(path.join(ROOT, 'lib'), { recursive: true }).filter(file => path.extname(file) !== '').map(file => `lib/${file}`)
  // Only an x64 machine is given the other architecture's compiler by scripts/setup.
  const prebuilds = (process.arch === 'x64' ? ['x64', 'arm64'] : [process.arch]).map(arch => `prebuilds/linux-${arch}/node.napi.glibc.node`)
  assert.deepStrictEqual(files.map(file => file.path).sort(), [
    'CHANGES.md', 'LICENSE', 'Makefile', 'README.md', 'binding.gyp', 'package.json', ...prebuilds, 'scripts/setup',
    ...['control', 'copyright', 'deb', 'libnft.pc.in'].map(file => `packaging/${file}`),
    'bin/nftrace', 'man/nftrace.1', ...fs.readdirSync(path.join(ROOT, 'docs')).map(file => `docs/${file}`), ...['bash', 'fish', 'zsh'].map(shell => `completion/nftrace.${shell}`), ...sources, ...library
  ].sort())
  assert.ok(size < 500000, `${size} bytes`)
  fs.writeFileSync(path.join(directory, 'package.json'), '{"private": true}')
  npm(directory, 'install', '--ignore-scripts', `./${filename}`)
  assert.strictEqual(logsFrom(directory), 'works')

  const installed = path.join(directory, 'node_modules', 'nftrace')
  fs.rmSync(path.join(installed, 'prebuilds'), { recursive: true })
  assert.match(logsFrom(directory), /addon cannot be loaded.*npm run build/)
  const command = path.join(directory, 'node_modules', '.bin', 'nftrace')
  assert.match(spawnSync(command, ['--version'], { encoding: 'utf8' }).stderr, /not compiled.*libbabeltrace2-dev.*npm run build/s)
  npm(installed, 'run', 'build')
  assert.strictEqual(logsFrom(directory), 'works')
  assert.match(execFileSync(command, ['--version'], { encoding: 'utf8' }), /^nftrace \d/)
})
