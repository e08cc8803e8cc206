'use strict'
// The memory that a service's threads share with its scenario, and their own.

const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '..', '..')
const BUILD = path.resolve(ROOT, process.env.NFTRACE_BUILD || 'build')
const { map } = require(path.join(BUILD, 'test', 'torture', 'shared.node'))

/** Doubles that each thread has. */
const SLOT = 8
const RETURNED = 0 // log calls that came back
const WANTED = 1 // of these, made while a session wanted them
const PAUSE = 2 // the longest log call, ms
const READY = 3 // 1: it logs
const PID = 4
const ENDING = 5 // 1: its process may exit

/** Resident memory that is a process's own, in bytes: LTTng's shared buffers are not counted. */
function ownMemory (pid) {
  return Number(/^RssAnon:\s*(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024
}

module.exports = { BUILD, ENDING, map, ownMemory, PAUSE, PID, READY, RETURNED, ROOT, SLOT, WANTED }
