'use strict'
// The traces that are kept of each version of the event contract; see scripts/keep-contract.js.

const fs = require('node:fs')
const path = require('node:path')

const DATA = path.join(__dirname, '..', 'data')

/** babeltrace2's options for text that is the same wherever it is written. */
const TEXT = ['--component=sink.text.pretty', '--params=no-delta=true,clock-gmt=true,clock-date=true']

/** The kept traces: { version, trace, lines, text }, the last two as text. */
function keptTraces () {
  return fs.readdirSync(DATA).filter(name => name.startsWith('contract-')).map(name => {
    const file = of => path.join(DATA, name, of)
    return { version: name.slice('contract-'.length), trace: file('trace'), lines: fs.readFileSync(file('lines'), 'utf8'), text: fs.readFileSync(file('text'), 'utf8') }
  })
}

module.exports = { keptTraces, TEXT }
