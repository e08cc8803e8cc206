'use strict'
// The pages in docs/: every command and every program in them runs, beside a
// session daemon of its own and a service that logs. In a page,
//   ```sh                   runs, one block after the other, in one shell
//   ```sh interrupted       runs until Ctrl-C: here, three seconds
//   ```sh elsewhere: WHY    is not run here, for this reason
//   ```js, ```ts            runs as a program of its own; is compiled
//   <!-- test: COMMAND -->  must succeed at that place, and readers don't see it

require('./support/isolate')()

const assert = require('node:assert')
const { execFileSync, spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const test = require('node:test')

const { temporaryFolder } = require('./support/folder')

const ROOT = path.join(__dirname, '..')
const DOCS = path.join(ROOT, 'docs')
const PIECE = /^```(\w+)(?: (.*))?\n([^]*?)^```$|^<!-- test: (.*) -->$/gm
const PAGES = fs.readdirSync(DOCS).filter(name => name.endsWith('.md'))
// Blocks that are not code: what is shown there is not meant to be run.
const SHOWN = ['text', 'json', 'mermaid', 'diff']
const MAX_LINES = 200

function pieces (page) {
  return [...fs.readFileSync(path.join(DOCS, page), 'utf8').matchAll(PIECE)].map(([, language, mode = '', code, command]) =>
    command === undefined ? { language, mode, code } : { language: 'sh', mode: '', code: `${command}\n` })
}

// Until the service has said hello to the session daemon.
const READY = 'for _ in $(seq 100); do ! lttng list --userspace | grep bunyan:fatal > /dev/null || break; sleep 0.1; done\n'

/** The pieces of a page that are for the shell, as one script. */
function scriptOf (page) {
  return READY + pieces(page).filter(({ language, mode }) => language === 'sh' && !mode.startsWith('elsewhere: ')).map(({ mode, code }) => {
    const quoted = `'${code.replaceAll("'", "'\\''")}'`
    const command = mode === 'interrupted' ? `timeout --signal=INT 3 bash -c ${quoted} || [ $? = 124 ]\n` : code
    return `echo ${quoted} >&2\n${command}`
  }).join('')
}

/** A folder where nftrace is installed, as far as programs can tell, and its environment. */
function workplace () {
  const folder = temporaryFolder(os.homedir())
  fs.mkdirSync(path.join(folder, 'node_modules'))
  for (const name of fs.readdirSync(path.join(ROOT, 'node_modules')).filter(name => !name.startsWith('.'))) {
    fs.symlinkSync(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name))
  }
  fs.symlinkSync(ROOT, path.join(folder, 'node_modules', 'nftrace'))
  const bin = path.join(folder, 'bin')
  fs.mkdirSync(bin)
  fs.symlinkSync(path.join(ROOT, 'build', 'nftrace'), path.join(bin, 'nftrace'))
  return { folder, env: { ...process.env, PATH: `${bin}:${path.join(ROOT, 'node_modules', '.bin')}:${process.env.PATH}` } }
}

// The hosts of the pages are this one.
const hosts = path.join(os.homedir(), 'hosts')
fs.writeFileSync(hosts, fs.readFileSync('/etc/hosts', 'utf8') + '127.0.0.1 collector\n')
execFileSync('mount', ['--bind', hosts, '/etc/hosts'])

test('each block says what it is; no page is longer than a few screens', () => {
  assert.ok(PAGES.length >= 4)
  for (const page of PAGES) {
    assert.ok(fs.readFileSync(path.join(DOCS, page), 'utf8').split('\n').length <= MAX_LINES + 1, `${page} is too long`)
    for (const { language, mode } of pieces(page)) {
      assert.ok(['sh', 'js', 'ts', ...SHOWN].includes(language), `${page}: ${language}`)
      if (language === 'sh') assert.match(mode, /^(|interrupted|elsewhere: .+)$/, page)
    }
    // An indented block would run nowhere.
    assert.doesNotMatch(fs.readFileSync(path.join(DOCS, page), 'utf8').replace(PIECE, ''), /^ {4}\S/m, page)
  }
})

for (const page of PAGES) {
  const code = pieces(page)
  if (code.some(({ language }) => language === 'sh')) {
    test(`${page}: its commands`, () => {
      const { folder, env } = workplace()
      const service = spawn(process.execPath, [path.join(__dirname, 'services', 'docs.js')], { stdio: 'ignore' })
      // To a file: a daemon of the page would keep a pipe open.
      const output = path.join(folder, 'output')
      const to = fs.openSync(output, 'w')
      const { status, signal } = spawnSync('bash', ['-euo', 'pipefail', '-c', scriptOf(page)],
        { cwd: folder, timeout: 120000, stdio: ['ignore', to, to], env: { ...env, SERVICE: String(service.pid) } })
      service.kill()
      assert.strictEqual(status, 0, `${signal} after:\n${fs.readFileSync(output, 'utf8').slice(-4000)}`)
    })
  }

  code.filter(({ language }) => language === 'js').forEach(({ code }, i) => {
    test(`${page}: program ${i + 1}`, () => {
      const { folder, env } = workplace()
      fs.writeFileSync(path.join(folder, 'program.js'), code)
      const { status, stderr } = spawnSync(process.execPath, ['program.js'], { cwd: folder, encoding: 'utf8', timeout: 20000, env })
      assert.strictEqual(status, 0, stderr)
    })
  })

  code.filter(({ language }) => language === 'ts').forEach(({ code }, i) => {
    test(`${page}: types ${i + 1}`, () => {
      const { folder } = workplace()
      fs.writeFileSync(path.join(folder, 'program.ts'), code)
      const { status, stdout } = spawnSync(path.join(ROOT, 'node_modules', '.bin', 'tsc'),
        ['--strict', '--noEmit', '--module', 'node16', '--skipLibCheck', '--types', 'node', 'program.ts'], { cwd: folder, encoding: 'utf8' })
      assert.strictEqual(status, 0, stdout)
    })
  })
}
