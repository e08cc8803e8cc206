'use strict'
// The native addon, or a stand-in that says why there is none.

const path = require('node:path')

const { contractText } = require('./record/contract')

// In a bundle this file has another name. Then the addon is looked for beside the bundle.
const IS_BUNDLED = path.basename(__filename) !== 'native.js'
const ROOT = IS_BUNDLED ? __dirname : path.join(__dirname, '..')

/** What an addon without LTTng gives: nothing is wanted, nothing is recorded. */
function absent (reason) {
  return {
    unavailable: reason,
    fixedBytes: 0,
    words: () => null,
    state: () => 0,
    identify () {},
    head () {},
    memory: () => 0,
    record () {},
    recordAsIs () {}
  }
}

/** Why the addon could not be loaded, and what to do. */
function whyNot (error) {
  const { permission } = process
  if (permission !== undefined && !permission.has('fs.read', ROOT)) {
    return `Node's permission model forbids to read ${ROOT}; start node with --allow-fs-read=${path.join(ROOT, '*')} and --allow-addons`
  }
  if (error.code === 'ERR_DLOPEN_DISABLED') {
    return 'Node\'s permission model forbids addons; start node with --allow-addons'
  }
  const what = String(error.message).split('\n')[0]
  return IS_BUNDLED
    ? `${what}; nftrace is bundled into ${__filename}: copy the folder prebuilds of the package nftrace to ${ROOT}, or make nftrace an external of the bundle`
    : `${what}; build it with "npm run build" in ${ROOT} (with gcc, make and liblttng-ust-dev)`
}

function load () {
  const target = `${process.platform}-${process.arch}`
  if (process.platform !== 'linux') {
    return absent(`LTTng exists on Linux only, this is ${target}`)
  }
  let native
  try {
    native = require('node-gyp-build')(ROOT)
  } catch (error) {
    return absent(`the native addon cannot be loaded for ${target}: ${whyNot(error)}`)
  }
  if (native.contract !== contractText()) {
    return absent(`the native addon was built from other sources than lib/, and its events are others; build it again with "npm run build" in ${ROOT}`)
  }
  if (native.unavailable === null) return native
  return absent(`${native.unavailable}; install LTTng-UST 2.13 or later: ` +
    'apt-get install liblttng-ust1 (Debian 12, Ubuntu 22.04 and later), dnf install lttng-ust (Fedora)')
}

const native = load()

const required = process.env.NFTRACE_REQUIRE
if (native.unavailable !== null && required !== undefined && required !== '' && required !== '0') {
  throw new Error(`nftrace: ${native.unavailable}`)
}

module.exports = native
