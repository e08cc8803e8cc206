'use strict'
// Makes an event of the parts of a record: where all ways to record end.

const { STRINGS } = require('./contract')
const { putMembersText, send, START, takeMembers } = require('./encode')
const identities = require('./identity')
const { cutRecord, FIXED_BYTES } = require('./limit')
const native = require('../native')
const { movedText } = require('./order')
const { isExactText } = require('./text')

/**
 * A function(writer, name, hostname, pid, level, time, msg, end, called) that records an
 * event: the writer of encode.js that has the members, strings, int32 pid and level,
 * ms since the epoch, where the members end, and the level of the event, which is the
 * record's if it isn't given. limit: the most bytes that its payload may take.
 */
function sinkOf (limit) {
  return (writer, name, hostname, pid, level, time, msg, end, called = level) => {
    const identity = identities.get(name, hostname, pid)
    const { moved } = writer
    if (!identity.exact || !send(writer, identity.slot, level, time, limit, msg, end, called)) {
      recordOther({ name, hostname, msg, members: takeMembers(writer, end) }, pid, level, time, limit, called, movedText(moved))
    }
  }
}

/** As sinkOf(), but redacts first; redact: from makeRedact() in redact.js. */
function redactingSinkOf (limit, redact) {
  const sink = sinkOf(limit)
  return (writer, name, hostname, pid, level, time, msg, end, called = level) => {
    const clean = redact(name, hostname, msg, takeMembers(writer, end))
    sink(writer, clean.name, clean.hostname, pid, level, time, clean.msg, putMembersText(writer, START, clean.members), called)
  }
}

function memberText (key, text) {
  return `"${key}":${JSON.stringify(text)}`
}

/** For what a payload can't carry exactly, and what is too large for it; moved: from movedText(). */
function recordOther (strings, pid, level, time, limit, called, moved) {
  // An empty message is there already.
  const exact = STRINGS.filter(key => !isExactText(strings[key]) && !(key === 'msg' && strings.msg === ''))
    .map(key => memberText(key, strings[key])).join()
  const isAlone = exact === '' || strings.members.trim() === '' // but for marks of the order
  strings.members += isAlone ? exact : ',' + exact
  const bytes = STRINGS.reduce((sum, key) => sum + Buffer.byteLength(strings[key]),
    FIXED_BYTES + Buffer.byteLength(strings.members) + '{}'.length + moved.length)
  if (bytes > limit) {
    strings = cutRecord(strings, bytes, limit)
    moved = ''
  }
  const { slot } = identities.get(strings.name, strings.hostname, pid)
  native.recordAsIs(slot, level, time, limit, strings.msg, '{' + strings.members + '}' + moved, called)
}

module.exports = { redactingSinkOf, sinkOf }
