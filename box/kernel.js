'use strict'
// Chooses a kernel that Debian offers today and has LTTng's modules made for it.

const fs = require('node:fs')
const path = require('node:path')

const { cached, temporaryFolder } = require('./cache')
const { BoxError, run, say } = require('./steps')

// Known to work as they are with lttng-modules 2.13.9, which Debian 12 has.
const PREFERRED = ['6.1.0-47-cloud-amd64']
const MOST_TRIES = 3
const FLAVOUR = '-cloud-amd64'
const MODULES = 'lttng-modules-dkms'

/**
 * The kernels to try, in order: those preferred, the one that Debian's
 * metapackage stands for, then the rest of its series, newest first; but only
 * those that are offered whole. wanted, if any, is the only one.
 *
 * madison: what `apt-cache madison` prints. Returns [{ release, version, packages }],
 * packages being NAME=VERSION for apt-get.
 */
function candidates (madison, metapackage, wanted) {
  const offered = new Map()
  for (const line of madison.split('\n')) {
    const [name, version] = line.split('|').map(part => part.trim())
    if (version === undefined) continue
    if (!offered.has(name)) offered.set(name, [])
    offered.get(name).push(version)
  }
  const series = metapackage.split(/[-+]/)[0].replace(/\.\d+$/, '.')
  const releases = [...offered.keys()]
    .filter(name => name.startsWith('linux-image-') && name.endsWith(FLAVOUR))
    .map(name => name.slice('linux-image-'.length))
  const newest = releases.filter(release => release.startsWith(series))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  const order = wanted === undefined ? [...PREFERRED, metapackage, ...newest] : [wanted]
  const found = []
  for (const release of new Set(order)) {
    const names = [`linux-image-${release}`, `linux-headers-${release}`, `linux-headers-${release.slice(0, -FLAVOUR.length)}-common`]
    const version = (offered.get(names[0]) || []).find(version => names.every(name => (offered.get(name) || []).includes(version)))
    if (version !== undefined) found.push({ release, version, packages: names.map(name => `${name}=${version}`) })
  }
  return found
}

async function look (wanted) {
  const depends = await run('apt-cache', ['depends', 'linux-image-cloud-amd64'])
  const metapackage = (/Depends: linux-image-(\S+)/.exec(depends) || [])[1]
  if (metapackage === undefined) throw new BoxError('apt knows of no linux-image-cloud-amd64')
  const names = await run('apt-cache', ['search', '--names-only', '^linux-(image|headers)-[0-9].*-(cloud-amd64|common)$'])
  const madison = await run('apt-cache', ['madison', ...names.split('\n').map(line => line.split(' ')[0]).filter(Boolean)])
  return candidates(madison, metapackage, wanted)
}

/** Without lists of packages, or with old ones, apt can't download. */
async function updateLists () {
  const root = process.getuid() === 0
  await run(root ? 'apt-get' : 'sudo', [...(root ? [] : ['apt-get']), 'update', '-qq'])
}

/** Downloads and builds; leaves vmlinuz, modules.tar and release in folder. */
async function make ({ release, packages }, folder) {
  const work = temporaryFolder()
  try {
    // linux-kbuild is one for the whole series.
    const headers = await run('apt-cache', ['depends', packages[1]])
    const kbuild = /Depends: (linux-kbuild-\S+)/.exec(headers)
    if (kbuild === null) throw new BoxError(`${packages[1]} depends on no linux-kbuild`)
    // As root, apt would give up its rights and then not come to the folder.
    await run('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=', ...packages, kbuild[1], MODULES], { cwd: work })
    await run('bash', [path.join(__dirname, 'modules.sh'), work, release, folder])
    fs.writeFileSync(path.join(folder, 'release'), `${release}\n`)
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
}

async function choose (folder) {
  const wanted = process.env.NFTRACE_BOX_KERNEL
  let order = await look(wanted).catch(() => [])
  if (order.length === 0) {
    await updateLists()
    order = await look(wanted)
  }
  if (order.length === 0) throw new BoxError(`apt offers no ${wanted || 'kernel'} with its headers; \`apt-cache search linux-headers\` lists what it does`)
  for (const [tried, candidate] of order.slice(0, MOST_TRIES).entries()) {
    try {
      return await make(candidate, folder)
    } catch (error) {
      if (!(error instanceof BoxError)) throw error
      say(`no modules for ${candidate.release}: ${error.message}`)
      if (tried === 0) await updateLists()
    }
  }
  throw new BoxError('no kernel that Debian offers could be used; NFTRACE_BOX_KERNEL names another')
}

/** Returns { folder, release, made }: the kernel's part of the box. */
async function kernel () {
  const content = ['kernel.js', 'modules.sh', 'hrtimer-start.patch'].map(file => fs.readFileSync(path.join(__dirname, file)))
  const tools = await run('dpkg-query', ['-W', 'lttng-tools'])
  const result = await cached('kernel', [...content, tools, process.env.NFTRACE_BOX_KERNEL || ''], choose)
  return { ...result, release: fs.readFileSync(path.join(result.folder, 'release'), 'utf8').trim() }
}

module.exports = { candidates, kernel }
