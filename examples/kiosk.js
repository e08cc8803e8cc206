'use strict'
// A service that does a bit of everything, and its customer: each order comes by
// HTTP over loopback, is priced (which keeps the CPU busy), written to a ledger
// on disk and stamped by a child process; then it ends. What it logs between
// these shows in a trace what the kernel did for which step:
//
//   npm run box -- run examples/kiosk.js

const { execFile } = require('node:child_process')
const crypto = require('node:crypto')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { promisify } = require('node:util')
const bunyan = require('bunyan')
const nftrace = require('nftrace')

const ORDERS = Number(process.argv[2]) || 25
const STAMP_EVERY = 5

const log = bunyan.createLogger({ name: 'kiosk', streams: [{ level: 'warn', stream: process.stdout }, nftrace] })
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kiosk-'))

/** A burst of work without a system call. */
function price (order) {
  const cost = crypto.pbkdf2Sync(`order ${order}`, 'kiosk', 500, 8, 'sha256')
  return cost.readUInt16BE() / 100
}

/** On disk when it returns. */
function enter (order, amount) {
  const ledger = fs.openSync(path.join(folder, `${order}.txt`), 'w')
  fs.writeSync(ledger, `${order}\t${amount}\n`)
  fs.fsyncSync(ledger)
  fs.closeSync(ledger)
}

async function stamp (requestLog) {
  const { stdout } = await promisify(execFile)('date', ['+%s'])
  requestLog.debug({ stamp: Number(stdout) }, 'stamped')
}

const server = http.createServer(async (req, res) => {
  const order = Number(req.url.slice(1))
  const requestLog = log.child({ order }, true)
  requestLog.debug('order came in')
  const amount = price(order)
  requestLog.debug({ amount }, 'priced')
  enter(order, amount)
  requestLog.debug('entered in the ledger')
  if (order % STAMP_EVERY === 0) await stamp(requestLog)
  res.end(`${amount}\n`)
  requestLog.info({ amount }, 'order handled')
})

function ask (port, order) {
  return new Promise((resolve, reject) => {
    http.get({ port, host: '127.0.0.1', path: `/${order}` }, res => res.resume().on('end', resolve)).on('error', reject)
  })
}

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address()
  log.info({ port, orders: ORDERS }, 'open')
  for (let order = 1; order <= ORDERS; order++) await ask(port, order)
  server.close()
  fs.rmSync(folder, { recursive: true })
  log.info('closed')
})
