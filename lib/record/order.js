'use strict'
// The order of a record's members, which the payload's own fields would lose.
//
// Read back, a record has name, hostname, pid and level first, then the members of
// fields, then msg, time and v. Where it had another order, white space in the text of
// fields, which means nothing to JSON, says so: a mark for each of these seven that stood
// elsewhere, before the member (or the brace) that came next; and behind the closing
// brace the marks of all that have one. docs/events.md is the specification.

const { checkNamed, CORE } = require('./contract')

const ORDER = ['name', 'hostname', 'pid', 'level', 'msg', 'time', 'v']
checkNamed([...CORE].sort(), ...[...ORDER].sort())
const [NAME, HOSTNAME, PID, LEVEL, MSG, TIME, V] = ORDER.keys()

const MARKS = ['\r ', '\r\t', '\r\n', ' ', '\n', '\t', '\r\r'].map(text => Buffer.from(text))
const [LEVEL_MARK] = MARKS[LEVEL]

/**
 * What is known of the order while a record is written: first: where the first member
 * of fields begins, behind marks. moved: the marks written, as bits. head: the last of
 * name, hostname, pid and level that is in its place. tail: those of msg, time and v, as
 * bits, that are in their places unless a member follows.
 */
function startOrder (writer, start) {
  writer.first = start
  writer.moved = 0
  writer.head = -1
  writer.tail = 0
}

function putMark (writer, p, which) {
  const mark = MARKS[which]
  if (p === writer.first) writer.first += mark.length
  writer.bytes[p++] = mark[0]
  if (mark.length > 1) writer.bytes[p++] = mark[1]
  writer.moved |= 1 << which
  return p
}

/** Marks msg, time and v that a member follows. */
function putTail (writer, p) {
  for (let which = MSG; which <= V; which++) {
    if ((writer.tail & (1 << which)) !== 0) p = putMark(writer, p, which)
  }
  writer.tail = 0
  return p
}

/** Says that name, hostname, pid or level stands at p, which is start if no member has been written. */
function placeHead (writer, p, start, which) {
  if (writer.tail !== 0) p = putTail(writer, p)
  if (p !== start || which < writer.head) return putMark(writer, p, which)
  writer.head = which
  return p
}

/** Says that msg, time or v stands at p. */
function placeTail (writer, p, which) {
  if (writer.tail >> which !== 0) p = putTail(writer, p)
  writer.tail |= 1 << which
  return p
}

/** Says which marks there are, behind the brace. */
function putMoved (writer, p) {
  const { moved } = writer
  for (let which = NAME; which <= V; which++) {
    if ((moved & (1 << which)) === 0) continue
    for (const byte of MARKS[which]) writer.bytes[p++] = byte
  }
  return p
}

/** The same as text. */
function movedText (moved) {
  return MARKS.filter((_, which) => (moved & (1 << which)) !== 0).join('')
}

module.exports = { HOSTNAME, LEVEL, LEVEL_MARK, movedText, MSG, NAME, PID, placeHead, placeTail, putMoved, putTail, startOrder, TIME, V }
