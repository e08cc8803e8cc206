'use strict'
// temporaryFolder(): where a test, a torture or a bench writes.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

let folders

/** A new folder, removed when this process ends; in another folder than the system's if it must. */
function temporaryFolder (parent = os.tmpdir()) {
  if (folders === undefined) {
    folders = []
    process.on('exit', () => {
      for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true })
    })
  }
  const folder = fs.mkdtempSync(path.join(parent, 'nftrace-test-'))
  folders.push(folder)
  return folder
}

module.exports = { temporaryFolder }
