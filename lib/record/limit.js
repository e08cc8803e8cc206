'use strict'
// Cuts a record that is larger than its stream allows. The largest strings are
// cut first, the JSON stays valid, and the record says what was done to it:
//   "nftrace_truncated": {"bytes": 70030, "cut": 1, "dropped": ["blob"]}
// bytes is what the payload would have taken, cut is how many strings end early
// (in "…"), dropped names the members that had to be left out altogether.
// native/pipe/limit.c cuts in the same way; test/cli-pipe-same.test.js compares the two:
// change both.

const { STRINGS, TRUNCATED } = require('./contract')
// FIXED_BYTES: of a payload, beside its strings.
const { fixedBytes: FIXED_BYTES } = require('../native')

const ELLIPSIS = '…'
// Strings keep at least so many bytes; before that, whole members are dropped.
const MIN_STRING = 24
const MAX_DROPPED_NAMES = 8
const MAX_NAME_BYTES = 40
const MARK_BYTES = 128 + MAX_DROPPED_NAMES * (MAX_NAME_BYTES + 3)

/** UTF-8 bytes of a character in JSON text; at least what it takes outside. */
function characterBytes (codePoint) {
  if (codePoint < 0x20) return 6
  if (codePoint === 0x22 || codePoint === 0x5c) return 2
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  if (codePoint >= 0xd800 && codePoint < 0xe000) return 6
  return codePoint < 0x10000 ? 3 : 4
}

/** Bytes of a text in JSON, without its quotes. */
function textBytes (text) {
  if (text.length < 64 && /^[ !#-[\]-~]*$/.test(text)) return text.length
  return Buffer.byteLength(JSON.stringify(text)) - 2
}

/** The longest beginning of a text, in whole characters, within some bytes. */
function cutText (text, maxBytes) {
  let left = maxBytes - Buffer.byteLength(ELLIPSIS)
  let end = 0
  while (end < text.length) {
    const codePoint = text.codePointAt(end)
    left -= characterBytes(codePoint)
    if (left < 0) break
    end += codePoint > 0xffff ? 2 : 1
  }
  return text.slice(0, end) + ELLIPSIS
}

/**
 * Looks at one member of an object, without recursion: the bytes of its JSON
 * text but for what its strings hold, and those strings, each with where it
 * stands. What can't fit is not measured further: a string is as long as the limit,
 * and a member whose strings could all go and that is still too large has none.
 */
function measure (holder, key, limit) {
  const strings = []
  let bytes = textBytes(key) + '"":,'.length
  const open = [[holder, key]]
  let next
  while ((next = open.pop()) !== undefined) {
    if (bytes > limit) return { key, bytes, strings: [], least: limit + 1 }
    const [holder, name] = next
    const value = holder[name]
    if (typeof value === 'string') {
      bytes += 2
      strings.push({ holder, key: name, bytes: value.length >= limit ? limit : textBytes(value) })
    } else if (value === null || typeof value !== 'object') {
      bytes += String(value).length
    } else {
      const isArray = Array.isArray(value)
      const names = Object.keys(value)
      bytes += 2 + Math.max(0, names.length - 1)
      for (const name of names) {
        if (!isArray) bytes += textBytes(name) + '"":'.length
        open.push([value, name])
      }
    }
  }
  const least = strings.reduce((sum, string) => sum + Math.min(string.bytes, MIN_STRING), bytes)
  return { key, bytes, strings, least: Math.min(least, limit + 1) }
}

/** The most bytes each string may keep for their sum to stay within a room. */
function highestCut (strings, room) {
  const sizes = strings.map(string => string.bytes).sort((a, b) => a - b)
  for (let i = 0; i < sizes.length; i++) {
    const share = Math.floor(room / (sizes.length - i))
    if (sizes[i] > share) return share
    room -= sizes[i]
  }
  return Infinity
}

/** JSON.parse() makes __proto__ an own member; so must an assignment. */
function setMember (holder, key, value) {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Leaves out those members that free most, until the others' strings can be cut to fit. */
function dropMembers (fields, members, room) {
  let least = members.reduce((sum, member) => sum + member.least, 0)
  const dropped = new Set()
  for (const member of [...members].sort((a, b) => b.least - a.least)) {
    if (least <= room) break
    delete fields[member.key]
    dropped.add(member)
    least -= member.least
  }
  return dropped
}

/**
 * Cuts a record to a limit. Takes the four strings of a payload, fields as the
 * text of an object's members, the payload's bytes and the most it may take (at
 * least LIMITS.least of contract.js). Returns { name, hostname, msg, members }.
 */
function cutRecord ({ members: text, ...strings }, bytes, limit) {
  const flat = Object.fromEntries(STRINGS.map(key => [key, strings[key]]))
  const fields = JSON.parse('{' + text + '}')
  delete fields[TRUNCATED]
  const room = limit - FIXED_BYTES - MARK_BYTES
  const flatMembers = Object.keys(flat).map(key => measure(flat, key, limit))
  const members = Object.keys(fields).map(key => measure(fields, key, limit))
  // The flat members count as those of an object, with fields as its last one;
  // a member's bytes have its comma, which the last one needs not.
  const frame = '{"fields":{}}'.length - (members.length > 0 ? 1 : 0)
  const dropped = dropMembers(fields, members, room - frame - flatMembers.reduce((sum, member) => sum + member.least, 0))
  const kept = flatMembers.concat(members.filter(member => !dropped.has(member)))
  const texts = kept.flatMap(member => member.strings)
  const most = highestCut(texts, room - kept.reduce((sum, member) => sum + member.bytes, frame))
  const mark = { bytes, cut: 0 }
  for (const { holder, key, bytes } of texts) {
    if (bytes <= most) continue
    setMember(holder, key, cutText(holder[key], most))
    mark.cut++
  }
  if (dropped.size > 0) {
    mark.dropped = Array.from(dropped, member => member.key).slice(0, MAX_DROPPED_NAMES)
      .map(key => textBytes(key) > MAX_NAME_BYTES ? cutText(key, MAX_NAME_BYTES) : key)
  }
  fields[TRUNCATED] = mark
  return { ...flat, members: JSON.stringify(fields).slice(1, -1) }
}

module.exports = { cutRecord, FIXED_BYTES }
