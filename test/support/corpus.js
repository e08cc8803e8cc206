'use strict'
// Awkward log calls.

const vm = require('node:vm')

function deep (depth) {
  let value = 'bottom'
  while (depth-- > 0) value = { value }
  return value
}

class Point {
  constructor (x) { this.x = x }
  get hidden () { return 'on the prototype' }
}
class Celsius {
  toJSON (key) { return `${key}: 21` }
}

// Arguments of a log call, each of which Bunyan itself writes as JSON.
const CALLS = {
  'a message': ['hello'],
  'no message': [{ a: 1 }],
  'an empty message': [''],
  'a formatted message': ['%s and %d and %j', 'text', 7, { a: [1] }],
  'text beyond ASCII': [{ 'ключ "q"': 'значение\t\\ 😀' }, 'ünïcode 😀   �'],
  'U+0000 in msg': ['before\0after'],
  'msg begins with U+0000': ['\0after'],
  'half surrogate pairs in msg': ['\ud800 and \udfff and 😀'],
  'control characters': [{ esc: '\u001b[31m', bell: '\u0007' }, 'red \u001b[31m\r\n'],
  numbers: [{ a: 0, b: -0, c: 1e21, d: 1.5, e: NaN, f: Infinity, g: -Infinity, h: 2 ** 53, i: Number.MIN_VALUE }],
  'null, undefined, boolean': [{ a: null, b: undefined, c: true, d: false }],
  'symbols and functions': [{ a: Symbol('s'), b () {}, c: [Symbol('s'), () => {}, undefined], [Symbol('k')]: 1 }],
  dates: [{ a: new Date(0), b: new Date(NaN), c: { d: new Date(1) } }],
  'boxed values': [{ a: Object(1), b: Object('s'), c: Object(true) }],
  instances: [{ point: new Point(3), map: new Map([[1, 2]]), set: new Set([1]), re: /x/g, error: new Error('e') }],
  'toJSON with its key': [{ inside: new Celsius(), deeper: { inside: new Celsius() }, list: [new Celsius()] }],
  'toJSON that gives undefined': [{ gone: { toJSON () {} }, stays: 1 }],
  'a function with toJSON': [{ f: Object.assign(() => {}, { toJSON () { return 'from a function' } }) }],
  'whole numbers': [{ list: 1, a: 9, b: 10, c: 99, d: 100, e: 999, f: 1000, g: 9999, h: 10000, i: 99999, j: 100000, k: 999999, l: 1000000, m: 2 ** 31, n: -1, o: -2147483648 }],
  'strings about as long as those handed over by themselves': [
    Object.fromEntries([62, 63, 64, 65].flatMap(n => ['x', '"', 'é', '😀', '\n'].map(c => [`${n}${c}`, c.repeat(n)])))],
  'long strings with all that needs an escape': [
    { nested: { s: Array.from({ length: 0x100 }, (_, i) => String.fromCharCode(i)).join('') }, t: '\x01\x02'.repeat(40), u: '\\"'.repeat(50) + '/\u2028\u2029\x7f' }, 'm'.repeat(70)],
  'long strings with halves of surrogate pairs': [{ a: 'x'.repeat(80) + '\ud800', b: '\udfff' + 'x'.repeat(80), c: '\ufffd'.repeat(70) }, 'm'.repeat(80) + '\udc00'],
  'long JSON beside long strings': [{ a: ['x'.repeat(100), 1], b: 'y'.repeat(100), c: new Map(), d: { e: ['é'.repeat(100)], f: 'z"'.repeat(50) } }, 'ü'],
  'long keys': [{ ['k'.repeat(300)]: { ['é"'.repeat(200)]: 1 }, after: 2 }],
  arrays: [{ a: [], b: [1, [2, [3]]], c: new Array(3), d: Object.assign([1], { extra: 1 }) }],
  buffers: [{ a: Buffer.from('bytes'), b: new Uint8Array([1, 2]), c: new Float64Array([0.5]) }],
  'a buffer alone': [Buffer.from('bytes'), 'more'],
  'keys like numbers, empty, escaped': [{ 10: 'a', 2: 'b', '': 'c', 'a"b\n': 'd' }],
  '__proto__ and other names of Object': [JSON.parse('{"__proto__": {"a": 1}, "constructor": 1, "hasOwnProperty": 2, "toString": "3"}')],
  'no prototype': [Object.assign(Object.create(null), { a: 1 })],
  'inherited members': [Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true }, hidden: { value: 3 } })],
  'from another realm': [vm.runInNewContext('({ date: new Date(5), list: [1], nested: { a: null } })')],
  frozen: [Object.freeze({ a: Object.freeze({ b: 1 }) })],
  'an error': [new TypeError('broken')],
  'an error with a message': [new TypeError('broken'), 'it is %s', 'broken'],
  'an error under err': [{ err: new RangeError('range') }],
  'flat members given by the call': [{ pid: 'a string', name: 7, hostname: ['h'], time: 'not a date', msg: 'own msg' }, 'msg'],
  'a valid time given by the call': [{ time: new Date(123456789) }, 'msg'],
  'an invalid Date': [{ time: new Date(NaN) }, 'msg'],
  'times before and after what is usual': [{ time: new Date(-8.64e15) }, 'msg'],
  'a level between levels': [{ level: 35.5 }, 'msg'],
  'a level beyond int32': [{ level: 1e10 }, 'msg'],
  'pids out of range': [{ pid: 2 ** 40 }, 'msg'],
  'a pid that is no integer': [{ pid: 1.5 }, 'msg'],
  'half a surrogate pair in name': [{ name: 'n\ud800', hostname: 'h\0' }, 'msg'],
  'empty name and hostname': [{ name: '', hostname: '' }, 'msg'],
  'nulls for flat members': [{ name: null, hostname: null, pid: null, time: null }, 'msg'],
  'v is ours to restore': [{ v: 3 }, 'msg'],
  'names of the payload': [{ fields: '{}', fields_length: 1, nftrace_truncated: 'mine' }, 'msg'],
  'depth 500': [{ deep: deep(500) }],
  'a long string': [{ long: 'x"'.repeat(5000) }, 'y'.repeat(9000)],
  'many keys': [Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`key${i}`, i]))],
  'a list first': [[1, 2], 'three'],
  'odd first arguments': [undefined, null, 7],
  'null first': [null, 'msg'],
  'a boolean first': [true],
  'a number first': [42],
  'a symbol first': [Symbol('s')],
  'a BigInt in the message': [10n],
  'a Map first': [new Map([[1, 2]]), 'msg'],
  'a long name': [{ name: 'n'.repeat(3000), hostname: 'h'.repeat(3000) }, 'msg']
}

module.exports = { CALLS, deep }
