'use strict'
// What of `npm run box` needs no virtual machine: its command line, which kernel
// it takes, what it keeps, and how it judges a merged log.

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')

const { temporaryFolder } = require('./support/folder')

const place = temporaryFolder()
process.env.NFTRACE_BOX_CACHE = path.join(place, 'cache')

const { cached } = require('../box/cache')
const Interleaved = require('../box/interleaved')
const { candidates } = require('../box/kernel')
const { nftrace, ROOT } = require('./support/command')

function box (...args) {
  return spawnSync(process.execPath, [path.join(ROOT, 'box'), ...args], { encoding: 'utf8', cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** What apt-cache madison prints of kernels: { RELEASE: VERSION }, headers too unless left out. */
function madison (kernels, { without = [] } = {}) {
  return Object.entries(kernels).flatMap(([release, version]) =>
    [`linux-image-${release}`, `linux-headers-${release}`, `linux-headers-${release.replace('-cloud-amd64', '')}-common`]
      .filter(name => !without.includes(name))
      .map(name => `${name} | ${version} | http://deb.debian.org/debian bookworm/main amd64 Packages\n`)).join('')
}

const KERNELS = {
  '6.1.0-9-cloud-amd64': '6.1.27-1',
  '6.1.0-47-cloud-amd64': '6.1.170-3',
  '6.1.0-50-cloud-amd64': '6.1.176-1',
  '6.1.0-57-cloud-amd64': '6.1.192-3',
  '6.12.117+deb12-cloud-amd64': '6.12.117-1'
}
const NEWEST = '6.1.0-57-cloud-amd64'
const releases = (...args) => candidates(...args).map(({ release }) => release)

test('--help', () => {
  const { status, stdout, stderr } = box('--help')
  assert.match(stdout, /^Usage: npm run box -- /)
  assert.strictEqual(stderr, '')
  assert.strictEqual(status, 0)
  assert.deepStrictEqual(box('run', '--help').stdout, stdout)
})

test('a wrong command line ends with 2 and says what is wrong', () => {
  fs.mkdirSync(path.join(place, 'full', 'of'), { recursive: true })
  const cases = [
    [['run'], /^box: run needs a script/],
    [['run', 'examples/none.js'], /^box: examples\/none\.js is not a file of this working tree/],
    [['run', '/etc/passwd'], /^box: \/etc\/passwd is not a file of this working tree/],
    [['run', '--kernel', 'x', 'examples/kiosk.js'], /^box: .*--kernel/],
    [['run', 'examples/kiosk.js', '-o', 'trace'], /^box: -o is not for nftrace record here/],
    [['run', 'examples/kiosk.js', '3', '--level', 'info'], /^box: 3: what is for the script goes behind another --/],
    [['run', '-o', path.join(place, 'full'), 'examples/kiosk.js'], /^box: --output: .*full is not empty/],
    [['--timeout', 'soon'], /^box: --timeout: "soon" is not a number of seconds/],
    [['--shell'], /^box: .*--shell/],
    [['shell'], /^box: .*shell/],
    [['test', '--output'], /^box: .*--output/]
  ]
  for (const [args, message] of cases) {
    const { status, stdout, stderr } = box(...args)
    assert.match(stderr, message)
    assert.match(stderr, /; see npm run box -- --help\n$/)
    assert.strictEqual(stdout, '')
    assert.strictEqual(status, 2, args.join(' '))
  }
})

test('clean removes the cache', async () => {
  const { folder } = await cached('thing', ['a'], () => {})
  assert.ok(fs.existsSync(folder))
  assert.strictEqual(box('clean').status, 0)
  assert.ok(!fs.existsSync(process.env.NFTRACE_BOX_CACHE))
})

test('what is cached is made once for the same content', async () => {
  let times = 0
  const make = content => cached('thing', content, folder => fs.writeFileSync(path.join(folder, 'file'), String(++times)))
  const first = await make(['a', 'b'])
  const again = await make(['a', 'b'])
  assert.deepStrictEqual([first.made, again.made, first.folder], [true, false, again.folder])
  const others = await Promise.all([['ab', ''], ['b', 'a'], ['a', 'b', '']].map(make))
  assert.strictEqual(new Set([first, ...others].map(({ folder }) => folder)).size, 4)
  assert.strictEqual(times, 4)
  assert.strictEqual(fs.readFileSync(path.join(first.folder, 'file'), 'utf8'), '1')
})

test('what nobody used in a week is removed', async () => {
  const { folder } = await cached('old', [], () => {})
  const age = days => fs.utimesSync(folder, new Date(), new Date(Date.now() - days * 24 * 3600 * 1000))
  age(6)
  await cached('new', ['1'], () => {})
  assert.ok(fs.existsSync(folder))
  age(8)
  await cached('new', ['2'], () => {})
  assert.ok(!fs.existsSync(folder))
})

test('what cannot be made leaves nothing in the cache', async () => {
  await assert.rejects(cached('broken', [], folder => {
    fs.writeFileSync(path.join(folder, 'half'), '')
    throw new Error('no more')
  }), /no more/)
  const names = fs.readdirSync(process.env.NFTRACE_BOX_CACHE)
  assert.ok(names.every(name => /^(thing|new)-/.test(name)), names.join())
})

test('the kernel known to work comes first, then the newest of the series', () => {
  assert.deepStrictEqual(releases(madison(KERNELS), NEWEST), [
    '6.1.0-47-cloud-amd64', NEWEST, '6.1.0-50-cloud-amd64', '6.1.0-9-cloud-amd64'
  ])
  const { '6.1.0-47-cloud-amd64': _, ...rest } = KERNELS
  assert.strictEqual(releases(madison(rest), NEWEST)[0], NEWEST)
})

test('a kernel without its headers, or with those of another version, is passed over', () => {
  const without = ['linux-headers-6.1.0-47-common', `linux-headers-${NEWEST}`]
  const other = `linux-headers-${NEWEST} | 6.1.190-1 | http://deb.debian.org/debian bookworm/main amd64 Packages\n`
  assert.deepStrictEqual(releases(madison(KERNELS, { without }) + other, NEWEST), ['6.1.0-50-cloud-amd64', '6.1.0-9-cloud-amd64'])
})

test('a kernel asked for is the only one, of any series', () => {
  const wanted = '6.12.117+deb12-cloud-amd64'
  assert.deepStrictEqual(candidates(madison(KERNELS), NEWEST, wanted), [{
    release: wanted,
    version: '6.12.117-1',
    packages: [`linux-image-${wanted}=6.12.117-1`, `linux-headers-${wanted}=6.12.117-1`, 'linux-headers-6.12.117+deb12-common=6.12.117-1']
  }])
  assert.deepStrictEqual(releases(madison(KERNELS), NEWEST, '6.1.0-1-cloud-amd64'), [])
})

test('a merged log shows what it should, or what it lacks is said', () => {
  const { stdout } = nftrace(['read', '--all', '--context', path.join(__dirname, 'data', 'mixed-trace')])
  const merged = stdout.trimEnd().split('\n').map(line => JSON.parse(line))
  const judge = records => {
    const seen = new Interleaved()
    for (const record of records) seen.add(record)
    return seen
  }
  const isLog = ({ context }) => context.event.startsWith('bunyan:')
  const all = judge(merged)
  assert.strictEqual(all.problem(), undefined)
  assert.match(`${all}`, /^147 log records, 22759 events of the kernel, \d+ times /)
  assert.ok(all.spans >= 25)
  assert.match(judge([]).problem(), /^no log record was seen/)
  assert.match(judge(merged.filter(record => !isLog(record))).problem(), /^no log record was seen/)
  assert.match(judge(merged.filter(isLog)).problem(), /^no event of the kernel was seen:/)
  const threads = new Set(merged.filter(isLog).map(({ context }) => context.vtid))
  assert.match(judge(merged.filter(record => isLog(record) || !threads.has(record.context.vtid))).problem(), /^no event of the kernel was seen between/)
  const logFirst = [...merged.filter(isLog), ...merged.filter(record => !isLog(record))]
  assert.match(judge(logFirst).problem(), /^no event of the kernel was seen between/)
})
