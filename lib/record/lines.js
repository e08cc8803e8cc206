'use strict'
// Text written to a stream of type 'stream': Bunyan's JSON lines, or anything.
// native/pipe/ reads lines by the same rules; test/cli-pipe-same.test.js compares the
// two: change both.

const os = require('node:os')

const { INFO } = require('./contract')

/** Bunyan writes a Date as ISO text; what isn't exactly that stays as it is. */
function withDate (record) {
  if (typeof record.time === 'string') {
    const date = new Date(record.time)
    if (date.getTime() - date.getTime() === 0 && date.toISOString() === record.time) record.time = date
  }
  return record
}

/** A line that isn't a JSON object becomes the message of an info record. */
function textRecord (line) {
  return { name: '', hostname: os.hostname(), pid: process.pid, level: INFO, msg: line, time: new Date(), v: 0 }
}

function lineRecord (line, censor) {
  try {
    const record = JSON.parse(line)
    if (record !== null && typeof record === 'object' && !Array.isArray(record)) return withDate(record)
  } catch {}
  return textRecord(censor ?? line)
}

/**
 * The records of a string or of UTF-8 bytes: one a line, empty ones left out.
 * censor: what is recorded of lines that aren't JSON objects, if not themselves.
 */
function * recordsOf (data, censor) {
  const text = typeof data === 'string' ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString()
  for (const line of text.split(/\r?\n/)) {
    if (line !== '') yield lineRecord(line, censor)
  }
}

module.exports = { recordsOf }
