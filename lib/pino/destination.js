'use strict'
// A destination for pino. pino writes lines; of each, all but what the payload
// carries by itself goes into fields as it is, so serializers, redaction and
// formatters have done their work. The logger's levels follow the tracing
// sessions, as Bunyan's do.

const { EventEmitter } = require('node:events')

const { CORE, indexOfLevel } = require('../record/contract')
const { Destination } = require('../record/destination')
const { follow, rootOf, symbolsOf } = require('./logger')
const { enter, MAX_SPARES, putMember, putMembersText, spares, START } = require('../record/encode')
const { sinkOf } = require('../record/event')
const { recordsOf } = require('../record/lines')
const { thrown } = require('../record/safe')
const { nearestLevel, split, splitBare } = require('../record/split')
const { states } = require('../record/states')
const { isTime, now } = require('../record/time')

const METADATA = Symbol.for('pino.metadata')
const HOOKS = Symbol.for('pino.hooks')
const NO_TEXT = ' '
const LEAST_MS = 1e11 // a time below is in seconds (pino's unixTime)
const TIME = ',"time":'
const QUOTE = 0x22
const CLOSE = 0x7d
const COMMA = 0x2c
const IS_FLAT = new RegExp(`"(?:${CORE.join('|')})":`)

const own = Object.prototype.hasOwnProperty

/** Whether a text stands at a place of a line; many times faster than startsWith(). */
function hasAt (line, text, at) {
  return line.slice(at, at + text.length) === text
}

class PinoDestination extends Destination {
  #sink
  #floor
  #levels = { labels: {} }
  #messageKey = 'msg'
  #memberStart = ',"msg":'
  #symbols
  #roots = new WeakSet()
  #bindings = new WeakMap()

  constructor (limit, floor) {
    super()
    this.#sink = sinkOf(limit)
    this.#floor = floor
    this[METADATA] = true // pino tells more of a line with it
    this.nrLines = 0 // written so far
  }

  /** pino() emits its configuration while it makes a logger, and then, as the logger, 'level-change'. */
  emit (event, message) {
    if (event !== 'message' || message === null || typeof message !== 'object' || message.code !== 'PINO_CONFIG') return super.emit(...arguments)
    this.#levels = message.config.levels
    this.#messageKey = message.config.messageKey
    this.#memberStart = `,"${this.#messageKey}":`
    const { prototype } = EventEmitter
    const { emit } = prototype
    const watch = root => this.#adopt(root)
    prototype.emit = function emitted (event) {
      if (prototype.emit === emitted) prototype.emit = emit
      if (event === 'level-change') watch(this)
      return Reflect.apply(emit, this, arguments)
    }
    return true
  }

  record (line) {
    this.nrLines++
    const { lastLevel, lastLogger } = this
    try {
      if (lastLogger !== undefined && this.#symbols === undefined) this.#adopt(rootOf(lastLogger))
      if (typeof lastLevel !== 'number' || states[indexOfLevel(lastLevel)][0] !== 0) this.#recordLine(line)
    } finally {
      this.lastObj = this.lastMsg = this.lastLogger = this.lastLevel = undefined // they may be large, and aren't the next line's
    }
  }

  flushSync () {}

  /** Records that a call of a level could not be recorded otherwise. error: what it threw. */
  recordFailure (level, error) {
    try {
      split({ level, msg: thrown(error), time: new Date(), v: 0 }, this.#sink)
    } catch {}
  }

  /** Learns about a logger; it follows the sessions if it writes to us alone. */
  #adopt (root) {
    if (this.#roots.has(root) || typeof root.levels !== 'object') return
    const symbols = symbolsOf(root)
    if (symbols === undefined) return
    this.#symbols = symbols
    if (root[symbols.stream] !== this) return // one of several
    this.#roots.add(root)
    const compare = root[symbols.levelComp]
    if (typeof compare === 'function' && !compare(20, 10)) return // an order of its own
    follow(root, this.#floor, symbols, this)
  }

  #recordLine (line) {
    const writer = enter()
    try {
      if (this.lastLogger !== undefined && this.#symbols !== undefined && this.#recordParts(writer, line)) return
    } catch { // another shape of pino than is known here
      if (writer.sent) return
    } finally {
      if (spares.count < MAX_SPARES) spares.writers[spares.count++] = writer
    }
    for (const record of recordsOf(line)) {
      if (this.#messageKey !== 'msg' && record.msg === undefined) record.msg = record[this.#messageKey]
      try {
        split({ v: 0, ...record }, this.#sink)
      } catch (error) {
        splitBare(record, error, this.#sink)
      }
    }
  }

  /**
   * Records a line made of the parts that pino is known to make it of. Returns
   * whether it was one. Nothing is recorded that the line doesn't hold: what pino
   * tells besides (the message, the logger) is what it was before serializers,
   * formatters and redaction, and only says where to look.
   */
  #recordParts (writer, line) {
    const { lastLevel, lastLogger, lastMsg, lastTime } = this
    const { chindings, end: endSymbol, lsCache, timeSliceIndex } = this.#symbols
    const head = lastLogger[lsCache][lastLevel]
    const texts = lastLogger[chindings]
    if (head === undefined || lastLogger[HOOKS]?.streamWrite || typeof lastTime !== 'string') return false
    const timeStart = head.length
    const timeEnd = timeStart + (lastTime === '' ? 0 : lastLogger[timeSliceIndex] + lastTime.length)
    const start = timeEnd + texts.length
    const last = line.length - lastLogger[endSymbol].length
    // Somebody may have changed the line: each joint must be where it is taken to be.
    if (start > last || !hasAt(line, head, 0) || !hasAt(line, lastTime, timeEnd - lastTime.length) || !hasAt(line, texts, timeEnd) ||
        line.charCodeAt(last) !== CLOSE || (start < last && line.charCodeAt(start) !== COMMA)) return false

    const bindings = this.#bindingsOf(lastLogger, texts)
    let end = putMembersText(writer, START, bindings.members)
    if (!isPlainHead(head, lastLevel)) end = putMembersText(writer, end, this.#levelMembers(line.slice(0, timeStart), lastLevel))
    const time = timeOf(lastTime)
    if (!time.exact || (lastTime !== '' && !hasAt(line, TIME, timeStart))) {
      end = putMembersText(writer, end, line.slice(timeStart + 1, timeEnd))
    }
    let to = last
    let msg
    const at = typeof lastMsg === 'string' ? this.#startOfMsg(line, lastMsg, start, last) : -1
    if (at >= 0) {
      msg = lastMsg
      if (this.#messageKey === 'msg' && !bindings.hasMsg && !line.slice(start, at).includes(this.#memberStart)) to = at
    } else {
      if (lastMsg !== undefined) to = this.#endBeforeRemoved(line, last)
      msg = this.#msgIn(line.slice(start, to)) // and it is in fields
    }
    if (start < to) end = putMembersText(writer, end, line.slice(start + 1, to))
    if (msg === undefined) msg = NO_TEXT
    else if (msg === '') end = putMember(writer, end, 'msg', msg)
    this.#sink(writer, bindings.name, bindings.hostname, bindings.pid, nearestLevel(lastLevel), time.ms, msg, end)
    return true
  }

  /** Where a message's member starts at a line's end; -1 if it isn't there as it was given. */
  #startOfMsg (line, msg, start, last) {
    const key = this.#memberStart
    const plain = last - msg.length - key.length - 2
    if (plain >= start && hasAt(line, key, plain) && line.charCodeAt(plain + key.length) === QUOTE && line.charCodeAt(last - 1) === QUOTE &&
        hasAt(line, msg, last - 1 - msg.length) && !msg.includes('"') && !msg.includes('\\')) return plain
    const text = JSON.stringify(msg)
    const at = last - text.length - key.length
    return at >= start && hasAt(line, key, at) && hasAt(line, text, last - text.length) ? at : -1
  }

  /** Where a line's members end that are JSON: pino's redaction and serializers leave a removed message as undefined. */
  #endBeforeRemoved (line, last) {
    const gone = this.#memberStart + 'undefined'
    return hasAt(line, gone, last - gone.length) ? last - gone.length : last
  }

  /** The message in the text of members, each behind a comma; undefined if it isn't there, or isn't text. */
  #msgIn (members) {
    if (!members.includes(this.#memberStart)) return undefined
    const msg = JSON.parse(`{${members.slice(1)}}`)[this.#messageKey]
    return typeof msg === 'string' && msg !== '' ? msg : undefined
  }

  /** What a formatter made of the level, but for its label, which the number tells. */
  #levelMembers (head, level) {
    const members = JSON.parse(head + '}')
    if (String(members.level).toLowerCase() === String(this.#levels.labels[level]).toLowerCase() || members.level === level) delete members.level
    return JSON.stringify(members).slice(1, -1)
  }

  /** A logger's own members: who logs, and the text of the others. */
  #bindingsOf (logger, text) {
    const kept = this.#bindings.get(logger)
    if (kept !== undefined && kept.text === text) return kept
    const parent = this.#bindings.get(Object.getPrototypeOf(logger))
    let bindings
    if (parent !== undefined && text.startsWith(parent.text) && !IS_FLAT.test(text.slice(parent.text.length))) {
      const more = text.slice(parent.text.length + 1)
      bindings = { ...parent, text, members: parent.members + (parent.members === '' || more === '' ? '' : ',') + more }
    } else {
      bindings = parseBindings(text)
    }
    this.#bindings.set(logger, bindings)
    return bindings
  }
}

function parseBindings (text) {
  const { name, hostname, pid, ...others } = JSON.parse(`{${text.slice(1)}}`)
  const flat = { text, name: NO_TEXT, hostname: NO_TEXT, pid: 0 }
  for (const [key, value] of Object.entries({ name, hostname, pid })) {
    if (value === undefined) continue
    if (key === 'pid' ? (value | 0) === value : typeof value === 'string') flat[key] = value
    else others[key] = value
  }
  return { ...flat, hasMsg: own.call(others, 'msg'), members: JSON.stringify(others).slice(1, -1) }
}

const heads = new Map()

/** Whether a line's head tells the level as a number and no more. */
function isPlainHead (head, level) {
  let plain = heads.get(level)
  if (plain === undefined) heads.set(level, plain = `{"level":${level}`)
  return head === plain
}

/** Milliseconds for the text of a time, and whether they say the same. */
function timeOf (text) {
  const number = Number(text)
  if (text !== '' && number - number === 0) {
    const ms = Math.abs(number) < LEAST_MS ? number * 1000 : number
    return isTime(ms) ? { ms: Math.trunc(ms), exact: Number.isInteger(ms) } : { ms: now(), exact: false }
  }
  const ms = text[0] === '"' ? Date.parse(text.slice(1, -1)) : NaN
  if (ms - ms !== 0) return { ms: now(), exact: text === '' }
  return { ms, exact: new Date(ms).toISOString() === text.slice(1, -1) }
}

module.exports = { PinoDestination }
