'use strict'
// docs/containers.md, as it stands there: root's daemon records a service in a
// container that has the application socket and a flag, and nothing else of the host,
// also once the daemon was restarted; and nobody in it controls the daemon.

require('./support/isolate')({ NFTRACE_NO_SESSIOND: '1' })

const assert = require('node:assert')
const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { after, test } = require('node:test')

const { isRunning, nftrace, NFTRACE, parseLines, ROOT, run } = require('./support/command')
const { until } = require('./support/until')
const { lttng, trace } = require('./support/lttng')

const DOCUMENT = fs.readFileSync(path.join(ROOT, 'docs', 'containers.md'), 'utf8')
const BLOCKS = [...DOCUMENT.matchAll(/^```sh elsewhere: it changes root's daemon.*\n([^]*?)^```$/gm)].map(([, code]) => code)
const MOUNTS = [...DOCUMENT.matchAll(/--mount type=bind,src=(\S+),dst=(\S+),readonly/g)].map(([, source, target]) => ({ source, target }))
const USER = /--user (\d+):\1/.exec(DOCUMENT)[1]
// private-lttng has one user alone when it isn't run as root.
const skip = Number(fs.readFileSync('/proc/self/uid_map', 'utf8').trim().split(/\s+/)[2]) <= USER ? 'it needs root, for other users' : false
const PID_FILE = '/run/lttng/lttng-sessiond.pid'

// The number of the protocol; the page has that of LTTng 2.13.
run('lttng-sessiond', ['--no-kernel', '--group=root', '--background'], { stdio: 'ignore' })
const NUMBER = /lttng-ust-sock-(\d+)/.exec(fs.readdirSync('/run/lttng').join())[1]
const numbered = text => text.replaceAll('lttng-ust-sock-8', `lttng-ust-sock-${NUMBER}`).replaceAll('lttng-ust-wait-8', `lttng-ust-wait-${NUMBER}`)

const daemon = () => Number(fs.readFileSync(PID_FILE, 'utf8'))

async function endDaemon (signal) {
  const pid = daemon()
  process.kill(pid, signal)
  await until(() => !isRunning(pid), 'the end of the daemon')
}

const startDaemon = () => run('lttng-sessiond', ['--no-kernel', '--group=root', '--background'], { stdio: 'ignore' })

after(() => { if (fs.existsSync(PID_FILE)) process.kill(daemon()) })

/**
 * The shell script that makes a container's mounts out of the host's and then runs a
 * command: the mounts of the page, a /dev/shm and a /proc of its own, and this checkout,
 * with Node, where any user can read it.
 */
const ENTER = `
  set -eu
  mount -t tmpfs -o mode=0755 tmpfs /mnt
  mkdir /mnt/app /mnt/mounts
  touch /mnt/node
  mount --bind '${ROOT}' /mnt/app
  mount --bind '${fs.realpathSync(process.execPath)}' /mnt/node
  stage () {
    if [ -d "$1" ]; then mkdir "$2"; else touch "$2"; fi
    mount --bind "$1" "$2"
  }
  place () {
    [ -e "$2" ] || if [ -d "$1" ]; then mkdir -p "$2"; else touch "$2"; fi
    mount --bind "$1" "$2"
    mount -o remount,bind,ro "$2"
    umount "$1"
  }
  ${MOUNTS.map(({ source }, i) => `stage ${numbered(source)} /mnt/mounts/${i}`).join('\n  ')}
  mount -t tmpfs -o mode=0755 tmpfs /run/lttng
  mount -t tmpfs -o mode=1777 tmpfs /dev/shm
  ${MOUNTS.map(({ target }, i) => `place /mnt/mounts/${i} ${numbered(target)}`).join('\n  ')}
  cd /mnt/app
  exec "$@"`

const ISOLATED = ['--mount', '--pid', '--ipc', '--uts', '--net', '--fork', '--mount-proc']
const AS_USER = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups']
/** What uid 0 of a container has without a single capability. */
const AS_POWERLESS_ROOT = ['setpriv', '--inh-caps=-all', '--bounding-set=-all']
const { LTTNG_HOME, ...env } = { ...process.env, HOME: '/nonexistent' }

/** The command that runs another one in a container. */
const contained = (...command) => ['unshare', ...ISOLATED, 'sh', '-c', ENTER, 'sh', ...command]

function runContained (command, more = {}) {
  const [program, ...args] = contained(...command)
  return spawnSync(program, args, { encoding: 'utf8', env: { ...env, ...more } })
}

/** Logs until its stdin is closed, and says so each time that somebody records it. */
const SERVICE = `
  const log = require('bunyan').createLogger({ name: 'boxed', streams: [require('.')] })
  let n = 0
  setInterval(() => {
    log.info({ uid: process.getuid(), n: n++ }, 'hello')
    process.stdout.write(log.info() ? 'recorded\\n' : 'alone\\n')
  }, 20)
  process.stdin.on('end', () => process.exit()).resume()`

class Service {
  constructor ([program, ...args]) {
    this.child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env })
    this.child.stdout.setEncoding('utf8').on('data', data => { this.said = (this.said + data).slice(-1000) })
    this.ended = new Promise(resolve => this.child.on('close', resolve))
  }

  said = ''

  async says (word) {
    this.said = ''
    await until(() => this.said.split(word).length > 10, `"${word}" of the service`)
  }

  async end () {
    this.child.stdin.end()
    await this.ended
  }
}

/** A session that is recorded until the service says so; its records. */
async function record (service) {
  const session = trace({ contexts: ['vpid'] })
  await service.says('recorded')
  session.end()
  const { status, stdout, stderr } = nftrace(['read', '--context', session.folder])
  assert.deepStrictEqual([status, stderr], [0, ''])
  const records = parseLines(stdout)
  const numbers = records.map(({ n }) => n)
  assert.ok(records.length >= 10 && records.every(({ name }) => name === 'boxed'))
  assert.deepStrictEqual(numbers, numbers.map((_, i) => numbers[0] + i))
  return { records, folder: session.folder }
}

/** The IDs of users whose processes a trace is of. */
const usersOf = folder => fs.readdirSync(path.join(folder, 'ust', 'uid'))

test('the page says what to do', () => {
  assert.deepStrictEqual(BLOCKS.length, 2)
  assert.deepStrictEqual(MOUNTS.map(({ target }) => target), ['/var/run/lttng', '/dev/shm/lttng-ust-wait-8'])
})

test('a daemon with its application socket in a folder of its own serves the host, too', async () => {
  await endDaemon('SIGTERM')
  for (const code of BLOCKS) run('bash', ['-euc', numbered(code)])
  startDaemon()
  assert.deepStrictEqual(fs.readdirSync('/run/lttng/apps'), [`lttng-ust-sock-${NUMBER}`])
  const service = new Service([process.execPath, '-e', `process.chdir(${JSON.stringify(ROOT)})\n${SERVICE}`])
  await record(service)
  await service.end()
})

test('a service is recorded, and again when the daemon was restarted or killed', { skip }, async () => {
  const service = new Service(contained(...AS_USER, '/mnt/node', '-e', SERVICE))
  const { records, folder } = await record(service)
  assert.deepStrictEqual(usersOf(folder), [USER])
  assert.deepStrictEqual([records[0].uid, records[0].pid, records[0].context.vpid], [Number(USER), 1, 1])
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    await endDaemon(signal)
    await service.says('alone')
    startDaemon()
    const again = await record(service)
    assert.ok(again.records[0].n > records.at(-1).n)
  }
  await service.end()
})

test('a service in a user namespace is recorded as who it is on the host', { skip }, async () => {
  const BASE = 100000
  const holder = spawn('unshare', ['--user', 'sleep', 'infinity'])
  try {
    await until(() => fs.readlinkSync(`/proc/${holder.pid}/ns/user`) !== fs.readlinkSync('/proc/self/ns/user'), 'the user namespace')
    for (const map of ['uid_map', 'gid_map']) fs.writeFileSync(`/proc/${holder.pid}/${map}`, `0 ${BASE} 65536`)
    const inside = ['nsenter', '--user', `--target=${holder.pid}`, '--setuid=0', '--setgid=0']
    const service = new Service([...inside, ...contained('/mnt/node', '-e', SERVICE)])
    const { records, folder } = await record(service)
    assert.deepStrictEqual([usersOf(folder), records[0].uid], [[String(BASE)], 0])
    await service.end()
  } finally {
    holder.kill()
  }
})

test('nobody in the container controls the daemon, or changes what it has of the host', { skip }, () => {
  lttng('create', 'mine', '--no-output')
  for (const user of [AS_USER, AS_POWERLESS_ROOT]) {
    for (const command of [['list'], ['list', '--userspace'], ['create', 'theirs', '--no-output'], ['destroy', '--all']]) {
      const { status, stdout } = runContained([...user, 'lttng', ...command])
      assert.notStrictEqual(status, 0, command.join(' '))
      assert.doesNotMatch(stdout, /mine/)
    }
    const { stdout } = runContained([...user, 'find', '/run/lttng', '/dev/shm', '!', '-type', 'd'])
    assert.deepStrictEqual(stdout.trim().split('\n').sort(), [`/dev/shm/lttng-ust-wait-${NUMBER}`, `/run/lttng/lttng-ust-sock-${NUMBER}`])
    const changes = runContained([...user, 'sh', '-c', `rm -f /run/lttng/*; touch /run/lttng/new; echo > /dev/shm/lttng-ust-wait-${NUMBER}; rm -f /dev/shm/lttng-ust-wait-${NUMBER}`])
    assert.strictEqual(changes.stderr.trim().split('\n').length, 4, changes.stderr)
  }
  const sessions = run('lttng', ['list'])
  assert.match(sessions, /mine/)
  assert.doesNotMatch(sessions, /theirs/)
  lttng('destroy', 'mine')
})

test('nftrace status in the container sends to the host, and says what to mount where nothing is', async () => {
  const command = [...AS_POWERLESS_ROOT, path.join('/mnt/app', path.relative(ROOT, NFTRACE)), 'status']
  assert.match(runContained(command).stdout, /^root's session daemon: no answer\n {2}not to be asked from here; .* run nftrace on the host$/m)
  await endDaemon('SIGTERM')
  assert.match(runContained(command, { container: 'docker' }).stdout,
    /^ {2}not running here; this is a container: .*read-only, a folder with nothing but its application socket at \/var\/run\/lttng, and \/dev\/shm\/lttng-ust-wait-\*; never the host's \/var\/run\/lttng/m)
  startDaemon()
})
