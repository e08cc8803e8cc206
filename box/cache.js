'use strict'
// What is made once and used again, by the content of what it is made of.

const crypto = require('node:crypto')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const DAY_MS = 24 * 3600 * 1000
const UNUSED_MS = 7 * DAY_MS
const TEMPORARY = 'temporary-'

const folder = process.env.NFTRACE_BOX_CACHE ||
  path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'nftrace-box')

/** A new folder in the cache; whoever makes it removes it. */
function temporaryFolder () {
  fs.mkdirSync(folder, { recursive: true })
  return fs.mkdtempSync(path.join(folder, TEMPORARY))
}

/** What nobody asked for in a week, and what somebody who was killed left. */
function removeUnused () {
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name)
    const status = fs.statSync(file, { throwIfNoEntry: false })
    const unused = name.startsWith(TEMPORARY) ? DAY_MS : UNUSED_MS
    if (status !== undefined && Date.now() - status.mtimeMs > unused) fs.rmSync(file, { recursive: true, force: true })
  }
}

/**
 * The folder named after kind and content, a list of strings and buffers. If it
 * isn't there, build(folder) fills it; what build throws leaves nothing behind.
 * Returns { folder, made }.
 */
async function cached (kind, content, build) {
  const hash = crypto.createHash('sha256')
  for (const part of content) hash.update(`${part.length}:`).update(part)
  const place = path.join(folder, `${kind}-${hash.digest('hex').slice(0, 16)}`)
  if (fs.existsSync(place)) {
    fs.utimesSync(place, new Date(), new Date())
    return { folder: place, made: false }
  }
  const temporary = temporaryFolder()
  try {
    await build(temporary)
    // Somebody else may have made the same meanwhile.
    if (!fs.existsSync(place)) fs.renameSync(temporary, place)
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true })
  }
  removeUnused()
  return { folder: place, made: true }
}

module.exports = { cached, folder, temporaryFolder }
