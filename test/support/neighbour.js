'use strict'
// Another user of the same host, for tests of what such a one can do to us.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')

const { NFTRACE, run } = require('./command')
const { temporaryFolder } = require('./folder')

// A user and a group that nobody else has, nor another test that runs meanwhile.
const NEIGHBOUR = 100000 + process.pid
const COMMAND = ['setpriv', '--reuid', String(NEIGHBOUR), '--regid', String(NEIGHBOUR), '--clear-groups']

/** For test(): false, or why there can be no other user here. */
const skip = succeeds('true') ? false : 'only root can become another user'

/** The same for what such a user is to run. */
const skipRun = skip || (succeeds('test', '-x', NFTRACE) ? false : 'other users can\'t look into the folder of this checkout')

function succeeds (...command) {
  return spawnSync(COMMAND[0], [...COMMAND.slice(1), ...command]).status === 0
}

/** Runs a command as the neighbour; its result. */
function asNeighbour (command, args, options = {}) {
  const result = spawnSync(COMMAND[0], [...COMMAND.slice(1), command, ...args],
    { encoding: 'utf8', cwd: '/', ...options })
  if (result.error) throw result.error
  return result
}

/** Runs JavaScript as the neighbour; what it prints, parsed. */
function neighbourRuns (code, ...args) {
  const { stdout, stderr } = asNeighbour(process.execPath, ['-e', code, '--', ...args.map(String)])
  if (stderr !== '') throw new Error(stderr)
  return JSON.parse(stdout)
}

/** A new folder in which everybody can make files, as in /tmp. */
function sharedFolder () {
  const folder = temporaryFolder()
  fs.chmodSync(folder, 0o1777)
  return folder
}

/** Makes a file or a folder, and all in it, the neighbour's. */
function give (file) {
  run('chown', ['-hR', `${NEIGHBOUR}:${NEIGHBOUR}`, file])
  return file
}

module.exports = { asNeighbour, COMMAND, give, NEIGHBOUR, neighbourRuns, sharedFolder, skip, skipRun }
