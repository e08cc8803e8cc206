'use strict'
// Which logger a stream is given to. Bunyan's addStream() doesn't tell the stream, but
// adds an 'error' listener to it, which is a closure over the logger.

const { EventEmitter } = require('node:events')

// What Bunyan's addStream() gives: (err) => self.emit('error', err, s), as a function or
// an arrow, with any quotes, names, semicolons and white space, as minifiers write it, and
// with Istanbul's counters, which a run with coverage puts before each statement.
const HEAD = /^(?:function\b\s*[\w$]*\s*)?\(?\s*([\w$]+)\s*\)?\s*(?:=>)?\s*/
const COUNTERS = '(?:(?:\\+\\+)?[\\w$]+(?:\\(\\))?\\.[fs]\\[["\']?\\d+["\']?\\](?:\\+\\+)?\\s*[;,]\\s*)*'
const emits = error => new RegExp('^[({]?\\s*' + COUNTERS + '(?:return\\s+|void\\s+)?[\\w$]+\\s*(?:\\.\\s*emit|\\[\\s*["\'`]emit["\'`]\\s*\\])' +
  '\\s*\\(\\s*(["\'`])error\\1\\s*,\\s*' + error.replace(/\$/g, '\\$&') + '\\s*,\\s*[\\w$]+\\s*\\)\\s*;?\\s*[)}]?$')

/** Whether a function is such a listener: others must not be called. */
function isOfBunyan (listener) {
  if (typeof listener !== 'function' || listener.length !== 1) return false
  const text = Function.prototype.toString.call(listener)
  const head = HEAD.exec(text)
  return head !== null && emits(head[1]).test(text.slice(head[0].length))
}

/**
 * The logger behind an 'error' listener that Bunyan's addStream() made, else null.
 * Calling the listener while emit() is ours shows whom it emits for. Nothing else can
 * run in between.
 */
function loggerOf (listener) {
  if (!isOfBunyan(listener)) return null
  const { prototype } = EventEmitter
  const { emit } = prototype
  const token = new Error('nftrace asks whose listener this is')
  let logger = null
  try {
    prototype.emit = function (event, error) {
      if (error !== token) return Reflect.apply(emit, this, arguments)
      logger = this
      return true
    }
    listener(token)
  } catch {
  } finally {
    prototype.emit = emit
  }
  return logger !== null && Array.isArray(logger.streams) && typeof logger._emit === 'function' ? logger : null
}

module.exports = { loggerOf }
