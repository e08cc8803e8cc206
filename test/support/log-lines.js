'use strict'
// Log lines to put through nftrace pipe: awkward ones by hand, and random ones.

const { numbersBelow } = require('./random')

const BASE = { name: 'shop', hostname: 'h', pid: 1234, level: 30, msg: 'hi', time: '2024-02-29T12:34:56.789Z', v: 0 }

/** A Bunyan line with some members replaced; undefined leaves one out. */
function line (members) {
  return JSON.stringify({ ...BASE, ...members })
}

const NUMBERS = ['0', '-0', '1.0', '1.50', '1e3', '1E+3', '100e-2', '1e21', '1e20', '123456789012345678901', '12345678901234567890123',
  '0.1', '0.30000000000000004', '1e-6', '1e-7', '1.5e-7', '-1.5e300', '1.7976931348623157e308', '1e309', '-1e999', '5e-324', '2.5e-324', '4.9406564584124654e-324',
  '9007199254740993', '9007199254740992', '999999999999999', '9999999999999999', '0.1e1', '123.456e-2', '0e5', '0.0', '-0.0', '1e0', '00000', '01', '1.', '.5', '+1', '-', '1e', '1e400',
  '0.00000000000000000000000000000000000001', '1' + '0'.repeat(400), '0.' + '0'.repeat(400) + '1', '3.14159265358979323846264338327950288']

const TIMES = ['2024-02-29T12:34:56.789Z', '2023-02-29T12:34:56.789Z', '2024-02-31T00:00:00.000Z', '2024-01-01', '2024-01', '2024', '2024-01-01T00:00Z', '2024-01-01T00:00:00Z',
  '2024-01-01T00:00:00.1Z', '2024-01-01T00:00:00.123456Z', '2024-01-01T24:00:00.000Z', '2024-01-01T24:00:00.001Z', '2024-01-01T23:59:60.000Z', '2024-13-01', '2024-01-32T00:00:00.000Z',
  '2024-01-01T00:00:00.000+05:30', '2024-01-01T00:00:00.000-00:00', '+012345-06-07T08:09:10.011Z', '-000001-01-01T00:00:00.000Z', '-000000-01-01T00:00:00.000Z', '+002024-01-01T00:00:00.000Z',
  '0000-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00.000Z', '+275760-09-13T00:00:00.001Z',
  '2024-01-01T12:00:00', '2024-07-01T12:00:00.500', '1900-03-01T00:00:00.000Z', '2000-02-29T00:00:00.000Z', '2100-02-28T23:59:59.999Z', '']

const AWKWARD = [
  line({}), line({ a: 1, b: { c: [1, 2, { d: null }] }, t: true, f: false }),
  '{}', '{ }', ' {"msg":"spaces"} ', '\t{"msg":"tab"}', '[]', '[1]', 'null', '12', '"text"', 'true', 'plain text', ' ', '\t', 'a\rb', '{', '}', '{"a"', '{"a":', '{"a":1', '{"a":1,}', '{"a" 1}',
  '{"a":1}x', '{"a":1} {"b":2}', '{"a":1}}', "{'a':1}", '{"a":tru}', '{"a":nul', '{"a":"\t"}', '{"a":"b', '{"a":"\\x"}', '{"a":"\\u12"}', '{"a":"\\u12g4"}', '{"a":1}\v', '{\f"a":1}', '{"a":/**/1}', '{"a":1}//', '\ufeff{"a":1}', '{"a":NaN}', '{"a":Infinity}', '{"a":undefined}',
  ...['name', 'hostname', 'msg'].flatMap(key => ['', ' ', 'a\0b', '\0', '\ud800', 'x\udc00y', '\ud83d\ude00', '\ud83d\ud83d\ude00', '\udc00\ud800', '\ufffd', 'é\u2028"\\/\b\f\n\r\t\x01\x1f\x7f', null, 5, true, {}, { toJSON: 1 }, []].map(value => line({ [key]: value }))),
  ...['name', 'hostname', 'pid', 'level', 'time', 'msg', 'v'].map(key => line({ [key]: undefined })),
  ...NUMBERS.flatMap(number => ['level', 'pid', 'v', 'time', 'x'].map(key => `{"msg":"n","${key}":${number}}`)),
  ...[10, 19, 20, 29.9, 30, 35, 59, 60, 61, -5, -5.5, 2147483647, 2147483648, -2147483648, -2147483649, 1e300, '30', null].map(level => line({ level })),
  ...[0, -1, 4294967296, 1.5, '12', null].map(pid => line({ pid })),
  ...[0, 1, 0.5, '0', null, false].map(v => line({ v })),
  ...TIMES.map(time => line({ time })),
  ...[0, 1e12, 1e12 + 0.5, -1, 8.64e15, 8.64e15 + 2, null, true, []].map(time => line({ time })),
  '{"b":1,"2":2,"10":3,"1":4,"a":5,"01":6,"-1":7,"1.5":8,"4294967294":9,"4294967295":10,"0":11}',
  '{"x":{"b":1,"2":2,"10":3,"1":[{"z":1,"3":{"5":1,"4":2}}],"a":5}}',
  '{"a":1,"b":2,"a":3}', '{"x":{"a":1,"b":2,"a":{"c":1,"c":2},"b":4,"a":5}}', '{"msg":"one","msg":"two"}', '{"msg":"one","msg":2}', '{"msg":1,"msg":"two","level":50,"level":20}', '{"a":1,"\\u0061":2}',
  `{${Array.from({ length: 50 }, (_, i) => `"k${i % 40}":${i}`)}}`, `{"x":{${Array.from({ length: 50 }, (_, i) => `"${(i * 7) % 40}":${i}`)}}}`,
  '{"__proto__":{"a":1},"msg":"p"}', '{"x":{"__proto__":1}}', '{"constructor":1,"toString":2,"hasOwnProperty":3}', '{"":1,"x":{"":{}}}', '{"toJSON":{"toJSON":1}}',
  '{"a":"\\ud800","\\udc00":"k","p":"\\ud83d\\ude00","q":"\\uD83D\\u0041","r":"\\\\ud800","s":"\\ud83d"}', '{"a":"\\/\\b\\f\\n\\r\\t\\"\\\\\\u0000\\u001f\\u007f\\u0080\\u2028"}',
  '{"é":"ü","日本":"語","😀":"😀"}',
  `{"deep":${'['.repeat(500)}${']'.repeat(500)}}`, `{"deep":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`,
  line({ nftrace_truncated: 'mine' }),
  // larger than a record may be
  line({ msg: 'm'.repeat(70000) }), line({ msg: 'é'.repeat(40000) }), line({ msg: '\n'.repeat(50000) }), line({ msg: '"'.repeat(65400) }), line({ msg: 'm'.repeat(65400) }), line({ blob: '😀'.repeat(20000), other: 'x' }),
  line({ a: 'a'.repeat(40000), b: 'b'.repeat(40000), c: 'c'.repeat(100) }), line({ name: 'n'.repeat(70000), hostname: 'h'.repeat(70000), msg: 'm'.repeat(70000) }),
  line({ list: Array.from({ length: 30000 }, (_, i) => i) }), line({ list: Array.from({ length: 5000 }, (_, i) => 'text ' + i), 7: 'seven', b: 'x'.repeat(100) }), line({ objects: Array.from({ length: 3000 }, (_, i) => ({ key: 'v'.repeat(i % 50) })) }),
  line({ ['k'.repeat(70000)]: 1 }), line({ ['\n'.repeat(30)]: Array(40000).fill(0), nftrace_truncated: { bytes: 1 } }),
  line(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => ['key' + i, i]))), line(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [i % 2 ? i : 'k' + i, Array(5000).fill(i)]))),
  line({ msg: 'a\0' + 'b'.repeat(40000) }), line({ msg: '\ud800' + 'b'.repeat(30000), x: 'c'.repeat(20000) }), line({ msg: '', blob: 'b'.repeat(70000) }), line({ name: '', blob: ['\ud800'.repeat(20000)] }),
  line({ blob: '\\u'.repeat(40000), 1: '\x07'.repeat(20000) }), 'text '.repeat(20000), '{"text '.repeat(20000), '\x01'.repeat(70000)
]

/** Bytes that aren't UTF-8, in JSON and not. */
const INVALID = [
  [0x80], [0xff], [0xc0, 0x80], [0xc3], [0xe2, 0x82], [0xe2, 0x28, 0xa1], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98], [0xf4, 0x90, 0x80, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xe0, 0x80, 0xaf], [0xf0, 0x9f, 0x41], [0xc3, 0xa9, 0xc3]
].flatMap(bytes => [
  Buffer.concat([Buffer.from('{"msg":"a'), Buffer.from(bytes), Buffer.from('b","x":"'), Buffer.from(bytes), Buffer.from('"}')]),
  Buffer.concat([Buffer.from('text '), Buffer.from(bytes), Buffer.from(' text')]),
  Buffer.concat([Buffer.from('{"msg":"a'), Buffer.from(bytes)])
])

/** So many random lines: JSON written oddly, some of it damaged. Buffers. */
function randomLines (count, seed) {
  const below = numbersBelow(seed)
  const pick = list => list[below(list.length)]
  const space = () => below(8) === 0 ? pick([' ', '\t', '  ', '\r']) : ''
  const character = () => pick(['a', 'b', 'é', '日', '😀', '\\u0041', '\\ud83d\\ude00', '\\ud83d', '\\udc00', '\\u0000', '\\n', '\\"', '\\\\', '\\/', '\x7f', ' ', '\\u001F', '0', '1'])
  const string = () => '"' + Array.from({ length: below(6) }, character).join('') + '"'
  const key = () => pick([string, () => pick(['"name"', '"hostname"', '"pid"', '"level"', '"msg"', '"v"', '"a"', '"b"', '"__proto__"', '"nftrace_truncated"']), () => `"${below(12)}"`])()
  const value = depth => pick([string, string, () => pick(NUMBERS), () => String(below(100)), () => pick(['true', 'false', 'null']), () => `"${pick(TIMES)}"`,
    () => depth > 4 ? '[]' : '[' + Array.from({ length: below(4) }, () => space() + value(depth + 1) + space()).join(',') + ']',
    () => depth > 4 ? '{}' : object(depth + 1)])()
  // JavaScript reads more texts as times than ECMAScript says; only nftrace's own are compared.
  const member = depth => below(12) === 0 ? `"time":"${pick(TIMES)}"` : key() + space() + ':' + space() + value(depth)
  const object = depth => '{' + Array.from({ length: below(7) }, () => space() + member(depth) + space()).join(',') + '}'
  return Array.from({ length: count }, () => {
    const bytes = Buffer.from(space() + object(0) + space())
    if (below(10) === 0) bytes[below(bytes.length)] = pick([0x22, 0x5c, 0x80, 0xc3, 0x7b, 0x7d, 0x2c, 0x20, 0x00, 0xff])
    return bytes
  })
}

module.exports = { AWKWARD, INVALID, line, randomLines }
