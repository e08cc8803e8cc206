'use strict'
// examples/typescript.mts: strict TypeScript takes it, and it records.

require('./support/isolate')()

const assert = require('node:assert')
const { execFileSync, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')

const { temporaryFolder } = require('./support/folder')
const { recordOf, trace } = require('./support/lttng')

const ROOT = path.join(__dirname, '..')

test('the TypeScript example compiles with --strict, and records', () => {
  // Inside the package, for that is where its name is known.
  const folder = temporaryFolder(path.join(ROOT, 'build'))
  try {
    // The declarations themselves are checked by module.test.js, which takes longer.
    const { status, stdout } = spawnSync(process.execPath, [require.resolve('typescript/bin/tsc'), '--strict', '--skipLibCheck', '--target', 'es2022',
      '--module', 'node16', '--types', 'node', '--rootDir', ROOT, '--outDir', folder, path.join(ROOT, 'examples', 'typescript.mts')], { encoding: 'utf8' })
    assert.strictEqual(status, 0, stdout)
    const session = trace()
    execFileSync(process.execPath, [path.join(folder, 'examples', 'typescript.mjs')], { stdio: 'inherit' })
    assert.deepStrictEqual(session.finish().map(recordOf).map(({ level, msg, component, order, stock }) => ({ level, msg, component, order, stock })), [
      { level: 20, msg: 'looked up', component: 'orders', order: undefined, stock: [4, 4] },
      { level: 30, msg: 'order placed', component: 'orders', order: { id: 17, items: 2 }, stock: undefined }
    ])
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
})
