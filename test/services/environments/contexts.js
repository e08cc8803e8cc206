'use strict'
// contexts.js COUNT: so many vm contexts come and go; each logs values of its own
// realm through our logger, and through Bunyan and nftrace loaded inside it.

const fs = require('node:fs')
const vm = require('node:vm')
const bunyan = require('bunyan')
const { createRequire } = require('node:module')
const path = require('node:path')

const nftrace = require('nftrace')

const COUNT = Number(process.argv[2])
const memory = { type: 'raw', level: 'trace', stream: { write (record) { fs.appendFileSync(process.env.WRITTEN, JSON.stringify(record) + '\n') } } }
const log = bunyan.createLogger({ name: 'outside', streams: [memory, nftrace] })

/** require() that evaluates JavaScript inside a context; all else comes from outside. */
function requireInside (context) {
  const modules = new Map()
  const load = file => {
    if (modules.has(file)) return modules.get(file).exports
    const module = { exports: {} }
    modules.set(file, module)
    const outer = createRequire(file)
    const inner = Object.assign(name => {
      const found = outer.resolve(name)
      return path.isAbsolute(found) && found.endsWith('.js') && !found.includes('node-gyp-build') ? load(found) : outer(name)
    }, { resolve: outer.resolve })
    const wrapper = new vm.Script(`(function (module, exports, require, __dirname, __filename) {${fs.readFileSync(file)}\n})`, { filename: file })
    wrapper.runInContext(context)(module, module.exports, inner, path.dirname(file), file)
    return module.exports
  }
  return load
}

for (let i = 0; i < COUNT; i++) {
  const context = vm.createContext({ log, memory, i, process, Buffer, console, setTimeout })
  vm.runInContext('log.info({ i, date: new Date(i), list: [1, { a: null }], nested: { map: new Map() } }, "from a context")', context)
  vm.runInContext('log.warn(new TypeError("inside"))', context)
  if (i % 10 === 0) {
    const load = requireInside(context)
    Object.assign(context, { bunyan: load(require.resolve('bunyan')), nftrace: load(require.resolve('nftrace')) })
    vm.runInContext('bunyan.createLogger({ name: "inside", streams: [memory, nftrace] }).child({ a: 1 }).debug({ i, date: new Date(i) }, "inside")', context)
  }
}
