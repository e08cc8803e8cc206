'use strict'
// Keeps secrets out of a trace: replaces what stands at some paths of a record.
//
// Done to the record's JSON text on its way out: paths mean what is recorded,
// whatever made it (a child's fields, a serializer, toJSON), nothing of the
// caller's is read twice or changed, and no other stream sees a difference.

const { CORE, INFO, STRINGS, TRUNCATED } = require('./contract')

const CENSOR = '[Redacted]'

// What isn't text in the payload has no room for the censor; the mark of a record
// that is cut is made afterwards.
const FIXED = new Set([...CORE.filter(key => !STRINGS.includes(key)), TRUNCATED])

const ANY = Symbol('any member') // a path's *
// One part of a path: *, a name, [*], [0], ["quoted"] or ['quoted']. What isn't
// sure to mean one thing is no part: .., a*, [name], ["*"], a backslash.
const PART = /(?:^|(?!^)\.)(?:(\*)|([^.[\]"'\s,*\\]+))|\[(?:(\*)|(0|[1-9]\d*)|"((?!\*")[^"\\]*)"|'((?!\*')[^'\\]*)')\]/y

const isMember = Object.prototype.propertyIsEnumerable // an array's length is not

/** A path's parts: keys, and ANY. Throws a TypeError for what can't be redacted. */
function parsePath (path) {
  const parts = []
  PART.lastIndex = 0
  while (PART.lastIndex < path.length) {
    const found = PART.exec(path)
    if (found === null) break
    const [, star, name, starInBrackets, ...quoted] = found
    parts.push(star || starInBrackets ? ANY : name ?? quoted.find(key => key !== undefined))
  }
  if (parts.length === 0 || PART.lastIndex !== path.length) {
    throw new TypeError(`nftrace.stream: redact: invalid path ${JSON.stringify(path)}; ` +
      'write paths as "a.b", "a.*.b", "a[*].b", "a[0].b" or \'a["b c"]\'')
  }
  if (parts.length === 1 ? parts[0] === ANY || FIXED.has(parts[0]) : parts[0] === TRUNCATED) {
    throw new TypeError(`nftrace.stream: redact: ${JSON.stringify(path)} can't be redacted: ` +
      `${[...FIXED].join(', ').replace(/, (?=[^,]*$)/, ' and ')} are recorded as they are`)
  }
  return parts
}

/** Throws a TypeError for paths that can't be redacted. */
function parsePaths (paths) {
  if (!Array.isArray(paths) || !paths.every(path => typeof path === 'string')) {
    throw new TypeError('nftrace.stream: redact must be an array of paths such as "req.headers.authorization"')
  }
  return paths.map(parsePath)
}

/** Redacts at a path, from its part i on, in what JSON.parse() gave. */
function redactAt (value, parts, i) {
  if (value === null || typeof value !== 'object') return
  if (parts[i] === ANY) {
    for (const key of Object.keys(value)) redactMember(value, key, parts, i)
  } else if (isMember.call(value, parts[i])) {
    redactMember(value, parts[i], parts, i)
  }
}

function redactMember (holder, key, parts, i) {
  if (i === parts.length - 1) holder[key] = CENSOR
  else redactAt(holder[key], parts, i + 1)
}

function redactAll (object, list) {
  for (const parts of list) redactAt(object, parts, 0)
}

/** Whether one of the paths is that of an error's message, or of the whole error. */
function coversError (list) {
  const isMet = (part, key) => part === ANY || part === key
  return list.some(parts => isMet(parts[0], 'err') && (parts.length === 1 || (parts.length === 2 && isMet(parts[1], 'message'))))
}

/**
 * Whether a record's message may be that of its error: Bunyan takes it from there
 * when a call has none, and from the error as it was before its serializer.
 */
function mayBeOfError (msg, err) {
  if (err === undefined || err === null) return false
  return typeof err !== 'object' || typeof err.message !== 'string' || msg === err.message
}

/**
 * Redacts at paths: a function of what split() in split.js gives, which returns
 * { name, hostname, msg, members }. Should anything fail, all that could hold a
 * secret is left out. Throws a TypeError for paths that can't be redacted.
 */
function makeRedact (paths) {
  const list = parsePaths(paths)
  const hidesError = coversError(list)
  return function (name, hostname, msg, members) {
    try {
      const clean = { name, hostname, msg }
      redactAll(clean, list)
      if (members !== '') {
        const fields = JSON.parse('{' + members + '}')
        if (hidesError && mayBeOfError(msg, fields.err)) clean.msg = CENSOR
        redactAll(fields, list)
        members = JSON.stringify(fields).slice(1, -1)
      }
      return { name: clean.name, hostname: clean.hostname, msg: clean.msg, members }
    } catch {
      return { name: CENSOR, hostname: CENSOR, msg: CENSOR, members: `"nftrace_redacted":"${CENSOR}"` }
    }
  }
}

/** As makeRedact(), for a line of JSON as Bunyan writes it. */
function makeRedactLine (paths) {
  const list = parsePaths(paths)
  const hidesError = coversError(list)
  return function (line) {
    let level = INFO
    try {
      const record = JSON.parse(line)
      if (record === null || typeof record !== 'object' || Array.isArray(record)) throw new TypeError('no record')
      if (typeof record.level === 'number') ({ level } = record)
      if (hidesError && mayBeOfError(record.msg, record.err)) record.msg = CENSOR
      redactAll(record, list)
      return JSON.stringify(record) + '\n'
    } catch {
      const record = { name: CENSOR, hostname: CENSOR, pid: process.pid, level, nftrace_redacted: CENSOR, msg: CENSOR, time: new Date(), v: 0 }
      return JSON.stringify(record) + '\n'
    }
  }
}

module.exports = { CENSOR, makeRedact, makeRedactLine, parsePaths }
