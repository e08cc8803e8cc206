'use strict'
// includes.js: fails where a file of native/ or lib/ includes one that its folder must
// not use. A folder uses only the ones listed for it, so the further down a folder is,
// the less a reader has to know.

const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '..')
const NATIVE = path.join(ROOT, 'native')
const LIB = path.join(ROOT, 'lib')

// What each folder of native/ may use beside itself and provider/.
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

// What each folder of lib/ may use beside itself and the files of lib/ itself.
const REQUIRES = { record: [], bunyan: ['record'], pino: ['record'] }

function wrongRequires (folder) {
  const found = []
  for (const file of fs.readdirSync(path.join(LIB, folder))) {
    const text = fs.readFileSync(path.join(LIB, folder, file), 'utf8')
    for (const [, required] of text.matchAll(/require\('(\.[^']+)'\)/g)) {
      const [of, ...rest] = path.join(folder, required).split('/')
      const isAllowed = of === folder || REQUIRES[folder].includes(of) || (rest.length === 0 && of !== 'index')
      if (!isAllowed) found.push(`lib/${folder}/${file} requires ${required}`)
    }
  }
  return found
}

/** What is wrong in each folder below one; table: what each of them may use. */
function wrongBelow (directory, table, wrongIn) {
  const folders = fs.readdirSync(directory, { withFileTypes: true }).filter(entry => entry.isDirectory())
  return folders.flatMap(({ name }) => table[name] === undefined
    ? [`${path.relative(ROOT, directory)}/${name} is not among the folders of scripts/includes.js`]
    : wrongIn(name))
}

const wrong = [...wrongBelow(NATIVE, USES, wrongIncludes), ...wrongBelow(LIB, REQUIRES, wrongRequires)]
for (const line of wrong) console.error(line)
process.exitCode = wrong.length > 0 ? 1 : 0
