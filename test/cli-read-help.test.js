'use strict'
// The options that a command takes, --help, the manual page and the shells' completions
// agree.

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')

const { nftrace, ROOT, run } = require('./support/command')

const MAN = path.join(ROOT, 'man', 'nftrace.1')
const completion = shell => path.join(ROOT, 'completion', `nftrace.${shell}`)

/** What bash completes the last of some words to. */
function complete (...words) {
  const script = `source '${completion('bash')}'; COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}); ` +
    `COMP_CWORD=${words.length - 1}; compopt () { :; }; _nftrace; IFS=$'\\n'; echo "\${COMPREPLY[*]}"`
  return run('bash', ['-c', script]).trim().split('\n')
}

/** What fish completes the last of some words to, without the descriptions. */
function completeFish (...words) {
  return run('fish', ['--no-config', '-c', 'source $argv[1]; complete -C "$argv[2]"', completion('fish'), words.join(' ')])
    .split('\n').filter(Boolean).map(line => line.split('\t')[0])
}

/** The options and words that zsh is told of for a command. */
function completeZsh (command) {
  const script = `
    _arguments () { print -rl -- "$@" }
    _describe () { print -rl -- "\${(P@)4%%:*}" }
    words=(nftrace ${command} ''); CURRENT=\${#words}
    completion () { source '${completion('zsh')}' }; completion`
  return run('zsh', ['-f', '-c', script]).split('\n').filter(Boolean)
    .map(spec => spec.replace(/^(\([^)]*\)|\*(?=-))/, '').replace(/[[=+].*/, ''))
}

// Options of two arguments, which popt can't have, are taken out before.
const BEFORE_POPT = { read: ['--around'] }

/** The options that a command takes: those of the table that it gives to popt, after the preprocessor. */
function tableOf (command) {
  const flags = run('pkg-config', ['--cflags', 'babeltrace2', 'lttng-ctl', 'libuv', 'yajl', 'popt']).trim().split(/\s+/).filter(Boolean)
  const source = run('cc', ['-E', '-P', '-D_GNU_SOURCE', '-Inative', '-Iprovider', ...flags, `native/cli/${command}.c`], { cwd: ROOT })
  const [, table] = /const struct poptOption table\[\] = \{([^]*?)\};/.exec(source)
  return [...table.matchAll(/\{\s*"([a-z-]+)",/g)].map(match => `--${match[1]}`).concat(BEFORE_POPT[command] || [])
}

const commands = () => nftrace(['--help']).stdout.match(/^ {2}\w+/gm).map(line => line.trim())
const isLong = word => word.startsWith('--')

test('each option of --help', () => {
  const manual = fs.readFileSync(MAN, 'utf8').replaceAll('\\-', '-')
  for (const command of commands()) {
    const { status, stdout, stderr } = nftrace([command, '--help'])
    assert.strictEqual(status, 0)
    assert.strictEqual(stderr, '')
    assert.match(stdout, new RegExp(`^Usage: .*nftrace ${command} `))
    assert.match(stdout, /^Exit status: /m)
    assert.strictEqual(nftrace(['help', command]).stdout, stdout)
    const options = stdout.split('\n').map(line => /^ +(?:-\w, +)?(--[a-z-]+)/.exec(line)).filter(Boolean).map(match => match[1]).sort()
    assert.ok(options.length > 1)
    assert.deepStrictEqual(tableOf(command).sort(), options, `popt: ${command}`)
    assert.deepStrictEqual(complete('nftrace', command, '--').sort(), options, `bash: ${command}`)
    assert.deepStrictEqual(completeFish('nftrace', command, '--').sort(), options, `fish: ${command}`)
    assert.deepStrictEqual(completeZsh(command).filter(isLong).sort(), options, `zsh: ${command}`)
    for (const option of options) if (option !== '--help') assert.ok(manual.includes(option), option)
  }
})

test('the manual page is well-formed, and names each command', () => {
  const { status, stdout, stderr } = spawnSync('man', ['--warnings', '-E', 'UTF-8', '-l', '-Tutf8', MAN], { encoding: 'utf8', env: { ...process.env, MANWIDTH: '80' } })
  assert.strictEqual(status, 0)
  assert.strictEqual(stderr, '')
  // eslint-disable-next-line no-control-regex
  const text = stdout.replace(/.\x08/g, '') // bold and underlined, as on a printing terminal
  for (const command of commands()) assert.ok(text.includes(`nftrace ${command}`), command)
})

test('completion of levels and commands', () => {
  assert.deepStrictEqual(complete('nftrace', 'read', '--level', 'w'), ['warn'])
  assert.deepStrictEqual(complete('nftrace', 'tail', '--level', '=', ''), ['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
  assert.deepStrictEqual(complete('nftrace', 'sn'), ['snapshot'])
  assert.deepStrictEqual(complete('nftrace', 'snapshot', 'sa'), ['save'])
  assert.deepStrictEqual(completeFish('nftrace', 'read', '--level', 'w'), ['warn'])
  assert.deepStrictEqual(completeFish('nftrace', 'snapshot', 'sa'), ['save'])
  const all = [...commands(), 'help'].sort()
  assert.deepStrictEqual(complete('nftrace', '').filter(word => !isLong(word)).sort(), all)
  assert.deepStrictEqual(completeFish('nftrace', '').sort(), all)
  assert.deepStrictEqual(completeZsh('').filter(word => !isLong(word)).sort(), all)
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
