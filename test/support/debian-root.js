'use strict'
// A folder with nothing in it but a few packages of this Debian release, with all
// that they depend on: another machine's root, for this architecture or another.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const FOLDER = path.join(__dirname, '..', '..', 'build', 'test-roots')

function codename () {
  return /^VERSION_CODENAME=(\w+)$/m.exec(fs.readFileSync('/etc/os-release', 'utf8'))[1]
}

/**
 * Makes a root with mmdebstrap, unless an earlier run has made it:
 * { root }, or { skip } with the reason why there can be none.
 */
module.exports = function debianRoot (architecture, packages) {
  const root = path.join(FOLDER, architecture)
  if (fs.existsSync(root)) return { root }
  const unfinished = `${root}.${process.pid}`
  fs.mkdirSync(FOLDER, { recursive: true })
  const { status, stderr, error } = spawnSync('mmdebstrap', ['--quiet', '--variant=extract',
    `--architectures=${architecture}`, `--include=${packages.join()}`, '--skip=check/qemu', codename(), unfinished], { encoding: 'utf8' })
  if (error !== undefined || status !== 0) {
    fs.rmSync(unfinished, { recursive: true, force: true })
    return { skip: `mmdebstrap makes no root: ${error || stderr.trim().split('\n').pop()}` }
  }
  fs.renameSync(unfinished, root)
  return { root }
}
