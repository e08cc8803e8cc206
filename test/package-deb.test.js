'use strict'
// make install and make deb: which files go where, and that the packages install on
// a Debian that has no Node, where the command, its manual page and babeltrace2 with
// the plugin work.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const { debianRoot, bind, inRoot } = require('./support/debian-root')
const { temporaryFolder } = require('./support/folder')

const ROOT = path.join(__dirname, '..')
const TRACE = path.join(__dirname, 'data', 'mixed-trace')
const { version } = require('../package.json')

/** What needs the network, before the file runs again without one. */
function prepare () {
  const folder = temporaryFolder()
  const made = spawnSync('make', ['--silent', 'deb'], { cwd: ROOT, encoding: 'utf8' })
  const packages = made.stdout.split('\n').filter(line => line.endsWith('.deb')).sort()
  if (made.status !== 0) throw new Error(made.stderr)
  // What the package depends on comes from Debian, with babeltrace2 and man.
  const depends = spawnSync('dpkg-deb', ['--field', packages[1], 'Depends'], { encoding: 'utf8' }).stdout
  const { root, skip } = debianRoot(process.arch === 'x64' ? 'amd64' : process.arch,
    [...depends.trim().split(', ').map(text => text.split(' ')[0]), 'babeltrace2', 'man-db'], 'essential')
  // The root is kept for the next run; what is installed in it is not.
  if (skip === undefined) spawnSync('cp', ['--archive', `${root}/.`, path.join(folder, 'root')])
  return JSON.stringify({ folder, skip, packages, warnings: made.stderr })
}

if (process.env.NFTRACE_ISOLATED !== '1') {
  process.env.NFTRACE_PREPARED = prepare()
}
require('./support/isolate')()

const assert = require('node:assert')
const test = require('node:test')

const { nftrace, run } = require('./support/command')

const { folder, skip, packages, warnings } = JSON.parse(process.env.NFTRACE_PREPARED)
const root = path.join(folder, 'root')
const TRIPLET = run('dpkg-architecture', ['-q', 'DEB_HOST_MULTIARCH']).trim()
const PLUGIN = `usr/lib/${TRIPLET}/babeltrace2/plugins/babeltrace-plugin-nftrace.so`

/** What a command prints in the root; it must succeed in silence. */
function check (...command) {
  const { status, stdout, stderr } = inRoot(root, command, { LC_ALL: 'C.UTF-8' })
  assert.strictEqual(stderr, '')
  assert.strictEqual(status, 0, stdout)
  return stdout
}

/** The files below a folder, by name. */
function filesOf (folder) {
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile()).map(entry => path.relative(folder, path.join(entry.path, entry.name))).sort()
}

test('make install puts each file where it is looked for, below DESTDIR and PREFIX', () => {
  const destination = temporaryFolder()
  run('make', ['--silent', 'install', `DESTDIR=${destination}`, 'PREFIX=/opt/nft'], { cwd: ROOT })
  assert.deepStrictEqual(filesOf(destination), [
    ...['bin/nftrace', 'include/nftrace/nft.h', 'include/nftrace/nft_bunyan.h', 'include/nftrace/nft_contract.h', 'lib/libnft.a', 'lib/pkgconfig/libnft.pc',
      'share/bash-completion/completions/nftrace', 'share/fish/vendor_completions.d/nftrace.fish', 'share/man/man1/nftrace.1',
      'share/zsh/site-functions/_nftrace'].map(name => `opt/nft/${name}`),
    PLUGIN])
})

test('make deb makes two packages of this version, without a warning', () => {
  assert.strictEqual(warnings, '')
  assert.deepStrictEqual(packages.map(file => path.basename(file).split('_').slice(0, 2)), [['libnft-dev', `${version}-1`], ['nftrace', `${version}-1`]])
})

test('lintian finds no error', () => {
  const { status, stdout, stderr } = spawnSync('lintian', ['--allow-root', '--fail-on=error', ...packages], { encoding: 'utf8' })
  assert.strictEqual(status, 0, stdout + stderr)
  assert.doesNotMatch(stdout, /^E:/m)
})

test('dpkg installs both', { skip }, () => {
  bind(root, '/dev', '/proc')
  for (const file of packages) fs.copyFileSync(file, path.join(root, 'srv', path.basename(file)))
  check('dpkg', '--install', ...packages.map(file => `/srv/${path.basename(file)}`))
  assert.strictEqual(check('dpkg', '--verify', 'nftrace', 'libnft-dev'), '')
  assert.strictEqual(inRoot(root, ['sh', '-c', 'command -v node']).status, 127)
})

test('nftrace and its manual page', { skip }, () => {
  assert.strictEqual(check('nftrace', '--version'), `nftrace ${version}\n`)
  assert.strictEqual(check('man', '--where', 'nftrace'), '/usr/share/man/man1/nftrace.1.gz\n')
  assert.match(check('man', 'nftrace'), /nftrace snapshot/)
})

test('babeltrace2 finds the plugin', { skip }, () => {
  fs.cpSync(TRACE, path.join(root, 'srv', 'trace'), { recursive: true })
  const { stdout } = nftrace(['read', TRACE])
  assert.ok(stdout.length > 0)
  assert.strictEqual(check('babeltrace2', '--component=sink.nftrace.bunyan', 'trace'), stdout)
  assert.strictEqual(check('nftrace', 'read', 'trace'), stdout)
})

test('the completions are where bash, fish and zsh look', { skip }, () => {
  for (const [shell, name] of [['bash', 'bash-completion/completions/nftrace'], ['fish', 'fish/vendor_completions.d/nftrace.fish'],
    ['zsh', 'zsh/vendor-completions/_nftrace']]) {
    assert.strictEqual(fs.readFileSync(path.join(root, 'usr', 'share', name), 'utf8'), fs.readFileSync(path.join(ROOT, 'completion', `nftrace.${shell}`), 'utf8'))
  }
})

test('a C program builds with what pkg-config says of libnft', { skip }, () => {
  const program = path.join(temporaryFolder(), 'program')
  const env = { ...process.env, PKG_CONFIG_LIBDIR: path.join(root, 'usr', 'lib', TRIPLET, 'pkgconfig'), PKG_CONFIG_SYSROOT_DIR: root }
  assert.strictEqual(run('pkg-config', ['--modversion', 'libnft'], { env }), `${version}\n`)
  fs.writeFileSync(`${program}.c`, `
    #include <nft_bunyan.h>
    #include <stdio.h>
    int main(void)
    {
      struct nft_provider *shop;
      int ret = nft_provider_create("shop", &shop);

      if (!ret)
        ret = nft_provider_enable(shop);
      printf("%d\\n", ret);
      return 0;
    }`)
  run('sh', ['-c', 'cc -Wall -Werror -o "$0" "$0.c" $(pkg-config --cflags --libs libnft)', program], { env })
  assert.strictEqual(run(program, []), '0\n')
})
