'use strict'
// --help, the manual page and bash's completion tell of the same options.

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')

const { nftrace, ROOT, run } = require('./support/command')

const MAN = path.join(ROOT, 'man', 'nftrace.1')
const COMPLETION = path.join(ROOT, 'completion', 'nftrace.bash')

/** What bash completes the last of some words to. */
function complete (...words) {
  const script = `source '${COMPLETION}'; COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}); ` +
    `COMP_CWORD=${words.length - 1}; compopt () { :; }; _nftrace; IFS=$'\\n'; echo "\${COMPREPLY[*]}"`
  return run('bash', ['-c', script]).trim().split('\n')
}

test('each option of --help', () => {
  const manual = fs.readFileSync(MAN, 'utf8').replaceAll('\\-', '-')
  for (const command of ['read', 'tail']) {
    const { status, stdout, stderr } = nftrace([command, '--help'])
    assert.strictEqual(status, 0)
    assert.strictEqual(stderr, '')
    assert.match(stdout, new RegExp(`^Usage: nftrace ${command} `))
    assert.match(stdout, /Exit status: 0/)
    assert.strictEqual(nftrace(['help', command]).stdout, stdout)
    const options = stdout.split('\n').map(line => /^ +(?:-\w, +)?(--[a-z-]+)/.exec(line)).filter(Boolean).map(match => match[1])
    assert.ok(options.length > 5)
    assert.deepStrictEqual(complete('nftrace', command, '--').sort(), options.sort())
    for (const option of options) if (option !== '--help') assert.ok(manual.includes(option), option)
  }
})

test('the manual page is well-formed, and names each command', () => {
  const { status, stdout, stderr } = spawnSync('man', ['--warnings', '-E', 'UTF-8', '-l', '-Tutf8', MAN], { encoding: 'utf8', env: { ...process.env, MANWIDTH: '80' } })
  assert.strictEqual(status, 0)
  assert.strictEqual(stderr, '')
  // eslint-disable-next-line no-control-regex
  const text = stdout.replace(/.\x08/g, '') // bold and underlined, as on a printing terminal
  for (const command of nftrace(['--help']).stdout.match(/^ {2}\w+/gm)) assert.ok(text.includes(`nftrace ${command.trim()}`), command)
})

test('completion of levels and commands', () => {
  assert.deepStrictEqual(complete('nftrace', 'read', '--level', 'w'), ['warn'])
  assert.deepStrictEqual(complete('nftrace', 'tail', '--level', '=', ''), ['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
  assert.deepStrictEqual(complete('nftrace', 'sn'), ['snapshot'])
  assert.deepStrictEqual(complete('nftrace', 'snapshot', 'sa'), ['save'])
})

test('wrong command lines end with 2 and say where to look', () => {
  for (const args of [[], ['nonsense'], ['read'], ['read', '--nonsense'], ['read', '--level'], ['tail', 'extra'], ['help', 'nonsense']]) {
    const { status, stdout, stderr } = nftrace(args)
    assert.strictEqual(status, 2, args.join(' '))
    assert.strictEqual(stdout, '')
    assert.match(stderr, /--help|nftrace help|nftrace read/)
  }
  assert.match(nftrace(['--version']).stdout, /^nftrace \d+\.\d+\.\d+\n$/)
})
