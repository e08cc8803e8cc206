'use strict'
// A service that logs records which are hard to carry, to nftrace and, beside
// it, to a file: awkward.js FILE [ROUNDS]

const bunyan = require('bunyan')
const nftrace = require('../..')

const [file, rounds = '1'] = process.argv.slice(2)

function everyCharacter (first, last) {
  let text = ''
  for (let code = first; code <= last; code++) text += String.fromCodePoint(code)
  return text
}

function nested (depth) {
  let value = 'deep'
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { in: value }
  return value
}

const texts = [
  '', ' ', '  ', 'plain', 'quote " and \\ backslash', 'new\nline\rreturn\ttab', 'nul \0 inside', '\0',
  everyCharacter(1, 0x1f), everyCharacter(0x20, 0x7e), '\x7f', everyCharacter(0x80, 0x9f), everyCharacter(0xa0, 0x2ff),
  '\x1b[31mred\x1b[0m', '\x9b31mred', '\u2028 \u2029 \ufeff \ufffd', 'é ü 漢字 😀 e\u0301', 'a'.repeat(7) + 'é' + 'b'.repeat(8),
  'lone \ud800 high', 'lone \udc00 low', '\udc00\ud800', '\u{10ffff}', '\\u0041', '%s %d %j', '{"not":"fields"}', 'x'.repeat(20000)
]

const records = [
  {}, { a: 1 }, { a: null, b: true, c: false, d: undefined }, { list: [] }, { object: {} }, { list: [[], {}, [1, [2, [3]]], null] },
  { numbers: [0, -0, 1.5, -1e-7, 1e21, 5e-324, 1.7976931348623157e308, 9007199254740992, NaN, Infinity] },
  { err: new Error('boom\nagain') }, { when: new Date(0) }, { far: new Date(8.64e15) }, { nested: nested(60) },
  { '': 'empty key' }, { ' ': 1, 'a b': 2, 'quote"': 3, 'back\\slash': 4, 'new\nline': 5, é: 6, '\x9b': 7, '\ud800': 8 },
  { name: 'other' }, { name: '' }, { name: 5 }, { name: null }, { name: 'nul\0' }, { hostname: '' }, { hostname: { a: 1 } }, { hostname: 'é\x7f' },
  { pid: 'text' }, { pid: 1.5 }, { pid: -1 }, { pid: 4294967296 }, { pid: null },
  { level: 35 }, { level: 30.5 }, { level: 1e9 }, { v: 1 }, { v: '0' }, { v: null },
  { time: 'yesterday' }, { time: 5 }, { time: new Date(-1) }, { time: new Date(-62198755200000) }, { time: new Date(253402300800000) },
  { time: new Date(8.64e15) }, { time: null }, { msg: 'in fields' }, { msg: '' }, { msg: 5 }, { msg: { a: [1] } }, { msg: null },
  { fields: '{}' }, { nftrace_fields: 1 }, { context: { a: 1 } }, { lost: 1 }, { constructor: 1, toString: 2, hasOwnProperty: 3 },
  JSON.parse('{"__proto__": {"a": 1}}'), { buffer: Buffer.from('bytes') }, { map: new Map([[1, 2]]), regexp: /x/ },
  { name: 'a', hostname: 'b', pid: 'c', msg: 'd', time: 'e', v: 'f' }
]

const log = bunyan.createLogger({
  name: 'awkward "name"',
  level: 'trace',
  serializers: { err: bunyan.stdSerializers.err },
  streams: [nftrace, { path: file, level: 'trace' }]
})

for (let round = 0; round < Number(rounds); round++) {
  for (const text of texts) {
    log.info(text)
    log.warn({ text }, text)
    log.debug({ [text]: [text] }, '%s', text)
  }
  for (const record of records) {
    log.error(record)
    log.trace(record, 'message of %s', 'its own')
    log.child({ component: 'child' }).fatal(record, '')
  }
}
