'use strict'
// npm run demo: a service under load, a level turned on from outside, a SIGKILL,
// and the records read back. Runs beside a private session daemon.

const { execFileSync, fork } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')

const bunyan = require('bunyan')

const NFTRACE = path.join(__dirname, '..', 'build', 'nftrace')
const BUNYAN = require.resolve('bunyan/bin/bunyan')
const SECONDS = 2 // of load, before and after the switch
const SHOWN = 12 // records

const directory = path.join(os.homedir(), 'trace')
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })

function say (text) {
  console.log(`\n# ${text}`)
}

/** Runs a command where everybody can see it. */
function show (command, ...args) {
  console.log(`$ ${[command, ...args].map(arg => /^[\w./=:@-]+$/.test(arg) ? arg : `'${arg}'`).join(' ')}`)
  return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 30 })
}

function order (port) {
  return new Promise((resolve, reject) => {
    http.get({ port, agent, path: '/order/pear' }, async response => {
      response.setEncoding('utf8')
      let body = ''
      for await (const chunk of response) body += chunk
      resolve(JSON.parse(body).order)
    }).on('error', reject)
  })
}

/** Orders as fast as one client can, for a while; gives the last order's number. */
async function load (port) {
  const end = Date.now() + SECONDS * 1000
  let last
  do {
    last = await order(port)
  } while (Date.now() < end)
  return last
}

function check (condition, message) {
  if (!condition) throw new Error(`the demo failed: ${message}`)
}

async function main () {
  say('A service with Bunyan and nftrace, under load. Nobody listens yet.')
  const service = fork(path.join(__dirname, '..', 'examples', 'shop.js'))
  const [{ port }] = await once(service, 'message')
  const unheard = await load(port)
  console.log(`${unheard} orders handled, nothing recorded.`)

  say('An operator turns info on, from outside.')
  show('lttng', 'create', 'demo', '-o', directory)
  show('lttng', 'enable-event', '-u', 'bunyan:*', '--loglevel=INFO')
  show('lttng', 'start')
  const before = await load(port)

  say('And debug too, while it runs.')
  show('lttng', 'enable-event', '-u', 'bunyan:debug')
  const last = await load(port)

  say(`The service is killed right after it answered order ${last}.`)
  service.kill('SIGKILL')
  await once(service, 'exit')

  say(`The last ${SHOWN} records:`)
  show('lttng', 'destroy')
  console.log(`$ nftrace read ${directory} | tail -n ${SHOWN} | bunyan -o short`)
  const lines = execFileSync(NFTRACE, ['read', directory], { encoding: 'utf8', maxBuffer: 1 << 30 }).trimEnd().split('\n')
  process.stdout.write(execFileSync(process.execPath, [BUNYAN, '-o', 'short', process.stdout.isTTY ? '--color' : '--no-color'], { input: lines.slice(-SHOWN).join('\n') + '\n' }))
  const seen = lines.map(line => JSON.parse(line))

  const debug = seen.filter(record => record.level === bunyan.DEBUG)
  const info = seen.filter(record => record.level === bunyan.INFO)
  check(info.length > 0 && info.length === last - unheard, `${info.length} info records of ${last - unheard} orders`)
  check(debug.length > 0 && debug.every(record => record.order > before), 'debug records from before the switch')
  check(info[info.length - 1].order === last, `the last record is of order ${info[info.length - 1].order}`)
  fs.rmSync(directory, { recursive: true })

  console.log(`
${info.length} info records, one for each order since info was on, and ${debug.length} debug records, all from after order ${before}, when debug was turned on; the service knew of neither.
Its last record is that of order ${last}, the last one it answered: records live in LTTng's shared memory, where a SIGKILL can't reach them.`)
}

main().then(() => process.exit(0), error => {
  console.error(error.message)
  process.exit(1)
})
