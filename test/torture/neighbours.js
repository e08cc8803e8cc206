'use strict'
// Another user of the host, who plants folders and exchanges them, and talks to every
// port, while root's tail, record and read come and go.

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const { nftrace, startService } = require('../support/command')
const { temporaryFolder } = require('../support/folder')
const { COMMAND, give, sharedFolder, skip } = require('../support/neighbour')
const { Tail } = require('../support/tail')

const FILES = 200 // of root's, that nobody is to remove
const RECORDS = 200 // of each tail
const BROKEN_TRACE = path.join(__dirname, '..', 'data', 'unregistered-trace')

/**
 * What the other user runs, as text: that user can't read this folder. PLACE is a
 * folder that all can write to, TARGET one of root's. Prints how much it did when its
 * stdin ends.
 */
const ATTACK = `
const fs = require('node:fs'), net = require('node:net'), { execFileSync } = require('node:child_process')
const [place, target] = process.argv.slice(-2)
const done = { folders: 0, exchanges: 0, connections: 0, read: 0 }
const AGENT_PORT = 5345 // of the session daemon itself, which answers agents of other languages
const attempt = work => { try { work() } catch {} }
const random = bound => Math.floor(Math.random() * bound)
const names = ['nftrace-tail-', 'nftrace-', 'nftrace-0/', 'nftrace-0/tail-', 'trace']
function plant () {
  const folder = place + '/' + names[random(names.length)] + Math.random().toString(36).slice(2, 8)
  attempt(() => {
    fs.mkdirSync(folder + '/inner', { recursive: true })
    for (let i = 0; i < 20; i++) fs.writeFileSync(folder + '/inner/' + i, '')
    if (random(2)) execFileSync('mkfifo', [folder + '/pid'])
    else fs.writeFileSync(folder + '/pid', ['1', '999999', String(process.pid)][random(3)])
    fs.chmodSync(folder, 0o777)
    done.folders++
  })
}
function exchange () {
  attempt(() => {
    const found = fs.readdirSync(place)
    const folder = place + '/' + found[random(found.length)]
    if (fs.existsSync(folder + '/inner')) {
      fs.renameSync(folder + '/inner', folder + '/away' + Math.random())
      fs.symlinkSync(target, folder + '/inner')
    } else {
      fs.renameSync(folder, folder + 'x')
      fs.symlinkSync(target, folder)
    }
    done.exchanges++
  })
}
function talk () {
  attempt(() => {
    const ports = fs.readFileSync('/proc/net/tcp', 'utf8').split('\\n').slice(1).map(line => line.trim().split(/\\s+/))
      .filter(([, local, , state]) => state === '0A' && local?.startsWith('0100007F')).map(([, local]) => parseInt(local.split(':')[1], 16))
    for (const port of [...ports, 5342, 5343, 5344]) {
      const message = Buffer.alloc(36)
      message.writeBigUInt64BE(BigInt([8, 20, 1e9][random(3)]), random(2) * 8)
      message.writeUInt32BE(random(30), [8, 16][random(2)])
      const socket = net.connect(port, '127.0.0.1', () => {
        done.connections++
        socket.write(message)
        if (random(3) === 0) socket.destroy()
      }).on('data', data => { if (port !== AGENT_PORT) done.read += data.length }).on('error', () => {}).setTimeout(500, () => socket.destroy())
    }
  })
}
setInterval(() => { plant(); exchange(); exchange() }, 2)
setInterval(talk, 20)
process.stdin.on('end', () => { console.log(JSON.stringify(done)); process.exit() }).resume()
`

/** The attack while something runs: what it did. */
async function during (place, target, work) {
  const attacker = spawn(COMMAND[0], [...COMMAND.slice(1), process.execPath, '-e', ATTACK, '--', place, target],
    { cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] })
  let said = ''
  attacker.stdout.setEncoding('utf8').on('data', data => { said += data })
  const closed = new Promise(resolve => attacker.on('close', resolve))
  try {
    await work()
  } finally {
    attacker.stdin.end()
    await closed
  }
  return JSON.parse(said)
}

function makeTarget (folder) {
  for (let i = 0; i < FILES; i++) fs.writeFileSync(path.join(folder, String(i)), 'root\'s')
  return folder
}

async function run (torture) {
  const place = sharedFolder()
  const target = makeTarget(temporaryFolder(sharedFolder()))
  const env = { ...process.env, TMPDIR: place }
  const sum = { tails: 0, killed: 0, folders: 0, exchanges: 0, connections: 0, read: 0 }
  do {
    const done = await during(place, target, async () => {
      const tail = new Tail([], { env })
      const name = `round-${sum.tails}`
      await startService('count.js', [name, RECORDS, 5])
      await tail.seen(1)
      await startService('count.js', [`${name}-more`, RECORDS])
      await tail.seen(RECORDS, record => record.name === `${name}-more`, { seconds: 60 })
      const killed = torture.random() < 0.5 // the next one cleans up
      const { status, signal } = await tail.end(killed ? 'SIGKILL' : 'SIGINT')
      torture.check(killed ? signal === 'SIGKILL' : status === 0, `tail ended with ${status ?? signal}: ${tail.stderr}`)
      const read = nftrace(['read', BROKEN_TRACE], { env })
      torture.check(read.status === 0, `read ended with ${read.status}: ${read.stderr}`)
      sum.tails++
      sum.killed += killed
    })
    for (const [what, amount] of Object.entries(done)) sum[what] += amount
    torture.check(done.read === 0, `the other user has read ${done.read} bytes`)
    torture.check(fs.readdirSync(target).length === FILES, `${fs.readdirSync(target).length} of root's ${FILES} files are left`)
    torture.progress(JSON.stringify(sum))
  } while (torture.left > 0)
  give(place)
  torture.note(Object.entries(sum).map(([what, amount]) => `${what} ${amount}`).join(', '))
}

module.exports = [{
  name: 'neighbours',
  done: 'another user plants and exchanges folders and talks to every port, while tails and reads come and go',
  promised: 'nothing of root\'s is removed, read or held up; each tail prints what is logged',
  weight: 2,
  needs: () => skip || null,
  run
}]
