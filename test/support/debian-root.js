'use strict'
// Roots of other machines: folders with nothing in them but a few packages of this
// Debian release, with all that they depend on, for this architecture or another.

const { execFileSync, spawnSync } = require('node:child_process')
const crypto = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')

const FOLDER = path.join(__dirname, '..', '..', 'build', 'test-roots')

function codename () {
  return /^VERSION_CODENAME=(\w+)$/m.exec(fs.readFileSync('/etc/os-release', 'utf8'))[1]
}

/**
 * Makes a root with mmdebstrap, unless an earlier run has made it: { root }, or
 * { skip } with the reason why there can be none. variant, as mmdebstrap has it:
 * "extract" for the packages' files alone, "essential" to have them configured,
 * beside dpkg.
 */
function debianRoot (architecture, packages, variant = 'extract') {
  const hash = crypto.createHash('sha256').update([variant, ...packages].join()).digest('hex')
  const root = path.join(FOLDER, `${architecture}-${hash.slice(0, 8)}`)
  if (fs.existsSync(root)) return { root }
  const unfinished = `${root}.${process.pid}`
  fs.mkdirSync(FOLDER, { recursive: true })
  const { status, stderr, error } = spawnSync('mmdebstrap', ['--quiet', `--variant=${variant}`, '--dpkgopt=force-unsafe-io',
    `--architectures=${architecture}`, `--include=${packages.join()}`, '--skip=check/qemu', codename(), unfinished], { encoding: 'utf8' })
  if (error !== undefined || status !== 0) {
    fs.rmSync(unfinished, { recursive: true, force: true })
    return { skip: `mmdebstrap makes no root: ${error || stderr.trim().split('\n').pop()}` }
  }
  fs.renameSync(unfinished, root)
  return { root }
}

/** Shows files or folders of this machine in a root, in this mount namespace alone. */
function bind (root, ...names) {
  for (const name of names) {
    const to = path.join(root, name)
    if (fs.statSync(name).isDirectory()) {
      fs.mkdirSync(to, { recursive: true })
    } else {
      fs.mkdirSync(path.dirname(to), { recursive: true })
      fs.writeFileSync(to, '')
    }
    execFileSync('mount', ['--bind', name, to])
  }
}

/** Runs a command in a root's folder /srv: { status, stdout, stderr }. */
function inRoot (root, command, env = {}) {
  return spawnSync('/usr/sbin/chroot', [root, '/bin/sh', '-c', 'cd /srv && exec "$@"', 'sh', ...command],
    { encoding: 'utf8', env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/srv', ...env } })
}

module.exports = { bind, debianRoot, inRoot }
