'use strict'
// Other systems, in folders: they are installed from their archives at the first
// run, which takes minutes, and kept in build/chroots.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const { ROOT } = require('./memory')
const { temporaryFolder } = require('../support/folder')

const SYSTEMS = path.join(ROOT, 'build', 'chroots')
const LTTNG = ['lttng-tools', 'babeltrace2', 'liblttng-ust-dev', 'libbabeltrace2-dev', 'liblttng-ctl-dev', 'libuv1-dev', 'libyajl-dev',
  'libpopt-dev', 'pkg-config', 'gcc', 'libc6-dev', 'make', 'iproute2', 'mount', 'procps']
const DEBIAN = 'http://deb.debian.org/debian'
// Debian has no keys for it; nothing of it is run but in its folder.
const UBUNTU = suite => `deb [trusted=yes] http://archive.ubuntu.com/ubuntu ${suite} main universe`

// What comes next in LTTng; on a machine whose clock is ahead of its archive, too.
const SID = `deb [check-valid-until=no] ${DEBIAN} sid main`

/** Installs a system, unless it is there: null, or why it isn't. */
function install (suite, archive, packages, name) {
  const archived = path.join(SYSTEMS, `${name}.tar`)
  const partly = path.join(SYSTEMS, `part-${name}.tar`) // mmdebstrap goes by the ending
  if (fs.existsSync(archived)) return null
  if (process.getuid() !== 0) return 'it needs root'
  if (spawnSync('mmdebstrap', ['--version']).status !== 0) return 'it needs mmdebstrap: apt-get install mmdebstrap'
  process.stderr.write(`installing ${suite} from ${archive}\n`)
  fs.mkdirSync(SYSTEMS, { recursive: true })
  const { status, stderr } = spawnSync('mmdebstrap', ['--variant=apt', `--include=${['libstdc++6', ...packages].join(',')}`, suite, partly, archive],
    { encoding: 'utf8' })
  if (status !== 0) return `its packages cannot be had: ${stderr.trim().split('\n').slice(-1)[0]}`
  fs.renameSync(partly, archived)
  return null
}

/** Runs a shell command in a system, with our package and this Node in it; what it printed. */
function inSystem (torture, name, command) {
  const root = temporaryFolder()
  const script = `set -e
    mount --bind "$1" "$1"
    tar -xf "$2" -C "$1" --exclude './dev/*'
    mkdir -p "$1/app/node_modules/nftrace" "$1/app/node_modules/bunyan"
    touch "$1/usr/local/bin/node"
    mount --bind "$3" "$1/app/node_modules/nftrace"
    mount --bind "$3/node_modules/bunyan" "$1/app/node_modules/bunyan"
    cp "$3"/test/services/environments/*.js "$1/app"
    mount --bind "$4" "$1/usr/local/bin/node"
    mount -t proc proc "$1/proc"
    mount --rbind /sys "$1/sys"
    mount --rbind /dev "$1/dev"
    exec chroot "$1" /bin/sh -ec "cd /app && $5"`
  const env = { PATH: '/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin', NODE_NO_WARNINGS: '1' }
  const result = spawnSync('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh',
    root, path.join(SYSTEMS, `${name}.tar`), ROOT, fs.realpathSync(process.execPath), command], { encoding: 'utf8', env, maxBuffer: 1 << 28 })
  fs.rmSync(root, { recursive: true, force: true })
  torture.check(result.status === 0, `${command} ended with ${result.signal ?? result.status}: ${result.stderr.slice(-3000)}`)
  return result
}

function traced (name, title, suite, archive) {
  return {
    name,
    done: `${title}: the same compiled addon, the command built there`,
    promised: 'each record that Bunyan made is read, by nftrace and by babeltrace2',
    needs: () => install(suite, archive, LTTNG, name),
    run (torture) {
      const { status, stdout } = inSystem(torture, name, 'make -s -C node_modules/nftrace BUILD=/tmp/build /tmp/build/nftrace >&2 && ' +
        'node_modules/nftrace/test/support/private-lttng node system.js /tmp/build/nftrace')
      if (status !== 0) return
      const { written, read, versions } = JSON.parse(stdout)
      Object.assign(torture.result, { written, read, lost: written - read })
      torture.note(versions)
    }
  }
}

module.exports = [
  traced('debian-13', 'Debian 13', 'trixie', DEBIAN),
  traced('debian-sid', 'Debian sid', 'sid', SID),
  traced('ubuntu-22.04', 'Ubuntu 22.04', 'jammy', UBUNTU('jammy')),
  {
    name: 'no-lttng',
    done: 'Debian 12 without LTTng',
    promised: 'the service runs and prints nothing; available is false, and reason says what to install',
    needs: () => install('bookworm', DEBIAN, [], 'no-lttng'),
    run (torture) {
      const { status, stdout, stderr } = inSystem(torture, 'no-lttng', 'node absent.js')
      if (status !== 0) return
      const { available, reason } = JSON.parse(stdout)
      torture.check(stderr === '', `it printed ${stderr}`)
      torture.check(available === false && /install LTTng-UST/.test(reason), `available: ${available}, ${reason}`)
    }
  }
].map(scenario => ({ chroot: true, weight: 1, ...scenario }))
