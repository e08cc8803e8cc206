'use strict'
// Keeps secrets out of a trace: replaces what stands at some paths of a record.
//
// Done to the record's JSON text on its way out: paths mean what is recorded,
// whatever made it (a child's fields, a serializer, toJSON), nothing of the
// caller's is read twice or changed, and no other stream sees a difference.

const redactor = require('@pinojs/redact')

const CENSOR = '[Redacted]'
// What isn't text in the payload has no room for the censor.
const NUMBERS = /^(?:level|time|pid|v)$|__proto__/

// The library copies members by assignment, which this key doesn't survive.
const PROTO = '__proto__'
const HIDDEN = '\0__proto__'

const own = Object.prototype.hasOwnProperty

function rename (object, from, to) {
  const value = object[from]
  delete object[from]
  Object.defineProperty(object, to, { value, writable: true, enumerable: true, configurable: true })
}

function parse (text) {
  if (!text.includes(PROTO)) return JSON.parse(text)
  return JSON.parse(text, (_, value) => {
    if (value !== null && typeof value === 'object' && own.call(value, PROTO)) rename(value, PROTO, HIDDEN)
    return value
  })
}

function stringify (value, text) {
  if (!text.includes(PROTO)) return JSON.stringify(value)
  return JSON.stringify(value, (_, value) => {
    if (value !== null && typeof value === 'object' && own.call(value, HIDDEN)) rename(value, HIDDEN, PROTO)
    return value
  })
}

/** Throws a TypeError for paths that can't be redacted. */
function checkPaths (paths) {
  const isList = Array.isArray(paths) && paths.every(path => typeof path === 'string')
  if (!isList) throw new TypeError('nftrace.stream: redact must be an array of paths such as "req.headers.authorization"')
  const bad = paths.find(path => NUMBERS.test(path))
  if (bad !== undefined) throw new TypeError(`nftrace.stream: redact: ${bad} can't be redacted`)
  try {
    redactor({ paths })
  } catch (error) {
    throw new TypeError(`nftrace.stream: redact: ${error.message}; paths are as "a.b", "a.*.b", "a[*].b" and 'a["b-c"]'`)
  }
}

/** Of an object, or of its copy; serialize: false would add a member to it. */
function makeRedactor (paths) {
  return redactor({ paths, censor: CENSOR, serialize: copy => copy })
}

/**
 * Redacts at paths, checked by checkPaths(): a function of what split() in
 * record.js gives, which returns { name, hostname, msg, members }. Should
 * anything fail, all that could hold a secret is left out.
 */
function makeRedact (paths) {
  const redact = makeRedactor(paths)
  return function (name, hostname, msg, members) {
    try {
      const flat = redact({ name, hostname, msg })
      if (members !== '') {
        const text = '{' + members + '}'
        members = stringify(redact(parse(text)), text).slice(1, -1)
      }
      return { name: flat.name, hostname: flat.hostname, msg: flat.msg, members }
    } catch {
      return { name, hostname, msg: CENSOR, members: `"nftrace_redacted":"${CENSOR}"` }
    }
  }
}

/** As makeRedact(), for a line of JSON as Bunyan writes it. */
function makeRedactLine (paths) {
  const redact = makeRedactor(paths)
  return function (line) {
    try {
      return stringify(redact(parse(line)), line) + '\n'
    } catch {
      return `{"nftrace_redacted":"${CENSOR}"}\n`
    }
  }
}

module.exports = { checkPaths, makeRedact, makeRedactLine }
