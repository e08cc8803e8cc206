'use strict'
// includes.js: fails where a file of native/ includes one that its folder must not use.
// A folder uses those behind it alone, so that whoever reads one needs to know less
// the further down it is.

const fs = require('node:fs')
const path = require('node:path')

const NATIVE = path.join(__dirname, '..', 'native')

// What each folder may use beside itself and provider/.
const USES = {
  addon: [],
  base: [],
  ctf: ['base'],
  expression: ['base'],
  reader: ['ctf', 'base'],
  around: ['reader', 'expression', 'base'],
  pipe: ['base'],
  session: ['base'],
  live: ['session', 'base'],
  plugin: ['reader', 'base'],
  cli: ['live', 'session', 'pipe', 'around', 'reader', 'expression', 'ctf', 'base']
}

function wrongIncludes (folder) {
  const found = []
  for (const file of fs.readdirSync(path.join(NATIVE, folder))) {
    const text = fs.readFileSync(path.join(NATIVE, folder, file), 'utf8')
    for (const [, included] of text.matchAll(/^#include "([^"]+)"/gm)) {
      const [of, ...rest] = included.split('/')
      const isOwn = of === folder || (folder === 'addon' && rest.length === 0)
      const isProvider = of.startsWith('nft') || included.startsWith('../../provider/')
      if (!isOwn && !isProvider && !USES[folder].includes(of)) found.push(`native/${folder}/${file} includes ${included}`)
    }
  }
  return found
}

const wrong = fs.readdirSync(NATIVE).flatMap(folder => USES[folder] === undefined
  ? [`native/${folder} is not among the folders of scripts/includes.js`]
  : wrongIncludes(folder))
for (const line of wrong) console.error(line)
process.exitCode = wrong.length > 0 ? 1 : 0
