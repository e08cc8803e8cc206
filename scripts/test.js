'use strict'
// test.js [FILE…]: runs test files (all of them unless named), two at a time: each
// has a session daemon of its own, for which it mostly waits.

const fs = require('node:fs')
const path = require('node:path')
const { run } = require('node:test')
const { spec: Spec } = require('node:test/reporters')

const directory = path.join(__dirname, '..', 'test')
const all = () => fs.readdirSync(directory).filter(file => file.endsWith('.test.js')).map(file => path.join(directory, file))
const files = process.argv.length > 2 ? process.argv.slice(2).map(file => path.resolve(file)) : all()

run({ files, concurrency: 2 })
  .on('test:fail', () => { process.exitCode = 1 })
  .compose(new Spec())
  .pipe(process.stdout)
