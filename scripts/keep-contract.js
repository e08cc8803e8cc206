'use strict'
// keep-contract.js: records the trace that is kept of this version of the event contract
// (lib/record/contract.js), into test/data/contract-VERSION/, with what is read from it:
//   trace       by nftrace record, of test/services/contract.js
//   lines       by nftrace read --context
//   text        by babeltrace2
// Once for each version, after the compilation, and never again: test/contract.test.js
// holds every later reader to it. Look at the lines before you commit them.

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const { VERSION } = require('../lib/record/contract')
const { TEXT } = require('../test/support/contract')

const ROOT = path.join(__dirname, '..')
const NFTRACE = path.join(ROOT, 'build', 'nftrace')
const HOST = 'web1' // whose name is in the trace, not this machine's

const run = (command, ...args) => execFileSync(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })

const folder = path.join(ROOT, 'test', 'data', `contract-${VERSION}`)
const trace = path.join(folder, 'trace')
fs.mkdirSync(folder) // fails if it is there
run('unshare', '--uts', 'sh', '-c', `hostname ${HOST} && exec "$@"`, 'sh', path.join(ROOT, 'test', 'support', 'private-lttng'),
  NFTRACE, 'record', '--buffers', '64k×4', '--output', trace, '--', process.execPath, path.join('test', 'services', 'contract.js'))
fs.writeFileSync(path.join(folder, 'lines'), run(NFTRACE, 'read', '--context', trace))
fs.writeFileSync(path.join(folder, 'text'), run('babeltrace2', trace, ...TEXT))
