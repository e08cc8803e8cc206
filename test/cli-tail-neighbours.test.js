'use strict'
// Other users of the host can't read what `nftrace tail` follows, nor end it, and
// nothing that they leave in shared folders is followed, removed or waited for.

require('./support/isolate')()

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')

const { childOf, nftrace, run, startService } = require('./support/command')
const { temporaryFolder } = require('./support/folder')
const { until } = require('./support/until')
const { asNeighbour, COMMAND, give, NEIGHBOUR, neighbourRuns, skip, skipRun } = require('./support/neighbour')
const { startRelayd } = require('./support/lttng')
const { startTail, Tail } = require('./support/tail')

const GREET = fs.readFileSync(path.join(__dirname, 'support', 'greet-relayd.js'), 'utf8')
const RELAYD_PORTS = [5342, 5343, 5344]
const TIMEOUT = 20000 // of a tail that isn't to start
const LISTEN = '0A'
const FIN_WAIT1 = '04'
const LOOPBACK = '0100007F'

/** The TCP sockets of this host: { local, state }. */
function sockets () {
  return fs.readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1).map(line => {
    const [, local, , state] = line.trim().split(/\s+/)
    return { local, state }
  })
}

/** The ports of 127.0.0.1 that somebody listens on here. */
function listening () {
  return sockets().filter(({ local, state }) => local.startsWith(LOOPBACK) && state === LISTEN)
    .map(({ local }) => parseInt(local.split(':')[1], 16))
}

/** How many TCP connections were made in a process's network namespace. */
function connections (pid) {
  const [names, values] = fs.readFileSync(`/proc/${pid}/net/snmp`, 'utf8').split('\n').filter(line => line.startsWith('Tcp:')).map(line => line.split(' '))
  return Number(values[names.indexOf('ActiveOpens')])
}

test('its relay daemon answers nobody else, and it goes on', { skip }, async () => {
  const tail = await startTail()
  const ports = listening()
  assert.ok(ports.length >= 2)
  const answers = neighbourRuns(GREET, ...ports, ...RELAYD_PORTS)
  assert.deepStrictEqual(Object.values(answers), [...ports, ...RELAYD_PORTS].map(() => [0, 0]))
  await startService('count.js', ['after', 20, 20])
  await tail.seen(20, record => record.name === 'after')
  assert.deepStrictEqual(await tail.end(), { status: 0, signal: null })
  // Said once.
  assert.strictEqual(tail.stderr, `nftrace: refused a connection of uid ${NEIGHBOUR} to the relay daemon\n`)
})

test('a relay daemon that a user starts answers everybody', { skip }, async () => {
  const relayd = await startRelayd(temporaryFolder())
  const answers = neighbourRuns(GREET, ...RELAYD_PORTS)
  await relayd.end()
  assert.deepStrictEqual(answers[5342], [8, 0])
  assert.deepStrictEqual(answers[5344], [0, 20])
})

test('a connection whose maker has gone gets no further: the kernel counts it as root\'s', { skip }, async () => {
  const tail = await startTail()
  const ports = listening()
  const relayd = childOf(tail.child, 'lttng-relayd')
  const before = connections(relayd)
  assert.ok(before > 0)
  tail.child.kill('SIGSTOP')
  const attack = spawnSync(COMMAND[0], [...COMMAND.slice(1), 'bash', '-c',
    ports.map(port => `exec 3<>/dev/tcp/127.0.0.1/${port}; printf 'something' >&3`).join('; ')], { cwd: '/' })
  assert.strictEqual(attack.status, 0, String(attack.stderr))
  await until(() => !sockets().some(({ state }) => state === FIN_WAIT1), 'the connections to be closed')
  tail.child.kill('SIGCONT')
  // Those that come behind it have been looked at.
  neighbourRuns(GREET, ...ports)
  assert.strictEqual(connections(relayd), before)
  await tail.end()
})

// Preloaded: it connects over TCP, to the gate itself, only once there is the file GO.
const SLOW = `
  #include <dlfcn.h>
  #include <stdlib.h>
  #include <sys/socket.h>
  #include <unistd.h>
  int connect (int fd, const struct sockaddr *address, socklen_t size) {
    while (address->sa_family == AF_INET && access(getenv("GO"), F_OK)) usleep(1000);
    return ((int (*)(int, const struct sockaddr *, socklen_t))dlsym(RTLD_NEXT, "connect"))(fd, address, size);
  }`

test('somebody else is the first to connect: it starts all the same', { skip }, async t => {
  const folder = temporaryFolder()
  const [library, GO] = ['slow.so', 'go'].map(name => path.join(folder, name))
  run('cc', ['-D_GNU_SOURCE', '-shared', '-fPIC', '-x', 'c', '-o', library, '-'], { input: SLOW })
  const before = listening()
  const tail = new Tail([], { env: { ...process.env, LD_PRELOAD: library, GO } })
  t.after(() => tail.child.kill('SIGKILL'))
  await until(() => listening().length >= before.length + 2, 'its ports')
  neighbourRuns(GREET, ...listening().filter(port => !before.includes(port)))
  fs.writeFileSync(GO, '')
  await startService('count.js', ['after', 100, 20])
  await tail.seen(1, record => record.name === 'after')
  assert.deepStrictEqual(await tail.end(), { status: 0, signal: null })
})

test('more connections than it has use for: it goes on', async () => {
  const tail = await startTail()
  const clients = listening().flatMap(port => Array.from({ length: 100 }, () => require('node:net').connect(port, '127.0.0.1')))
  for (const client of clients) client.on('error', () => {})
  await until(() => clients.filter(client => client.closed).length > 100, 'most of them being refused')
  await startService('count.js', ['after', 20, 20])
  await tail.seen(20, record => record.name === 'after')
  for (const client of clients) client.destroy()
  assert.deepStrictEqual(await tail.end(), { status: 0, signal: null })
})

test('a relay daemon that stands still for a while: what comes then is whole', async () => {
  const tail = await startTail()
  const relayd = childOf(tail.child, 'lttng-relayd')
  process.kill(relayd, 'SIGSTOP')
  await startService('count.js', ['much', 100000])
  process.kill(relayd, 'SIGCONT')
  // The buffers are full until the relay daemon has caught up, and lose what is logged.
  await until(async () => {
    await startService('count.js', ['after', 20, 20])
    return tail.records.some(record => record.name === 'after')
  }, 'records again')
  await tail.end()
  const much = tail.records.filter(record => record.name === 'much')
  assert.ok(much.length > 0)
  for (const { number, msg, filler } of much) assert.deepStrictEqual([msg, filler.length], [`record ${number}`, number % 100])
})

test('a user with a daemon of his own follows his services, and only he', { skip: skipRun }, async t => {
  if (asNeighbour('unshare', ['--user', '--net', 'true']).status !== 0) return t.skip('users may not make user namespaces here')
  const HOME = give(temporaryFolder())
  const options = { through: COMMAND, env: { ...process.env, HOME, LTTNG_HOME: HOME, XDG_RUNTIME_DIR: HOME, TMPDIR: HOME } }
  const tail = await startTail(options)
  t.after(() => process.kill(Number(fs.readFileSync(path.join(HOME, '.lttng', 'lttng-sessiond.pid'), 'utf8'))))
  assert.strictEqual(fs.statSync(path.join(HOME, 'nftrace')).uid, NEIGHBOUR)
  const ports = listening()
  const greet = spawnSync(process.execPath, ['-e', GREET, '--', ...ports.map(String)], { encoding: 'utf8' })
  assert.deepStrictEqual(Object.values(JSON.parse(greet.stdout)), ports.map(() => [0, 0]))
  await startService('count.js', ['after', 20, 20], options)
  await tail.seen(20, record => record.name === 'after')
  // COMMAND becomes tail.
  assert.deepStrictEqual(await tail.end(), { status: 0, signal: null })
  assert.strictEqual(tail.stderr, 'nftrace: refused a connection of uid 0 to the relay daemon\n')
  assert.deepStrictEqual(fs.readdirSync(path.join(HOME, 'nftrace')), [])
  assert.deepStrictEqual(fs.readdirSync(HOME).filter(name => name.startsWith('nftrace-')), [])
})

test('root without CAP_SYS_ADMIN, in a user namespace', async () => {
  const tail = await startTail({ through: ['setpriv', '--bounding-set', '-sys_admin'] })
  assert.deepStrictEqual(await tail.end(), { status: 0, signal: null })
  assert.strictEqual(tail.stderr, '')
})

test('where no network namespace can be made it refuses, and says what to do instead', () => {
  const TMPDIR = temporaryFolder()
  for (const limit of ['max_net_namespaces', 'max_user_namespaces']) {
    const { status, stdout, stderr } = nftrace(['tail'], {
      env: { ...process.env, TMPDIR },
      timeout: TIMEOUT,
      // In a user namespace, whose own limits these are.
      through: ['unshare', '--user', '--map-root-user', 'setpriv', ...(limit === 'max_user_namespaces' ? ['--bounding-set', '-sys_admin'] : []),
        'sh', '-c', `echo 0 > /proc/sys/user/${limit} && exec "$@"`, 'sh']
    })
    assert.match(stderr, /^nftrace: cannot make a network namespace, in which no other user reaches the relay daemon: user.max_net_namespaces or user.max_user_namespaces \(sysctl\) allows no more\nnftrace: instead, start lttng-relayd, .* nftrace tail --session NAME; but whoever can connect to that relay daemon can read what it gets\n$/)
    assert.deepStrictEqual([status, stdout], [1, ''])
    assert.deepStrictEqual([fs.readdirSync(TMPDIR), fs.readdirSync('/run/nftrace')], [[], []])
    assert.match(run('lttng', ['list']), /no available recording session/)
  }
})
