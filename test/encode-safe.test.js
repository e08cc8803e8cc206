'use strict'
// Values that JSON.stringify() refuses: they cost no other value, and none is refused.

const assert = require('node:assert')
const test = require('node:test')

const { safeText } = require('../lib/record/safe')

const written = value => JSON.parse(safeText(value, 'key'))

test('an object that stands at several places is written at each, beside a BigInt or what throws', () => {
  const org = { name: 'org' }
  assert.deepStrictEqual(written([{ id: 1n, org }, { id: 2n, org }]), [{ id: 1, org }, { id: 2, org }])
  const throws = { org, get bad () { throw new Error('boom') }, again: org }
  assert.deepStrictEqual(written(throws), { org, bad: '[Throws: boom]', again: org })
})

test('only an object within itself is circular', () => {
  const org = { name: 'org' }
  const parent = { org, children: [] }
  parent.children.push({ parent, org }, { parent, org })
  assert.deepStrictEqual(written(parent),
    { org, children: [{ parent: '[Circular]', org }, { parent: '[Circular]', org }] })
})

test('a toJSON is asked at each place, with its key', () => {
  const value = { toJSON: key => ({ key, big: 1n }) }
  assert.deepStrictEqual(written({ a: value, b: [value] }), { a: { key: 'a', big: 1 }, b: [{ key: '0', big: 1 }] })
})

test('what stands at one place has no limit but depth', () => {
  const many = { big: 1n, list: Array.from({ length: 150000 }, (_, i) => ({ i })) }
  assert.strictEqual(written(many).list[149999].i, 149999)
  const shared = { name: 'org' }
  const rows = Array.from({ length: 120000 }, () => ({ big: 1n, shared }))
  assert.ok(written(rows).every(row => row.shared.name === 'org'))
  let deep = { big: 1n }
  for (let i = 0; i < 900; i++) deep = { deep }
  assert.match(safeText(deep), /{"big":1}/)
  for (let i = 0; i < 900; i++) deep = { deep }
  assert.match(safeText(deep), /\[Too deep\]/)
})

test('a graph that is all cycles ends', () => {
  const nodes = Array.from({ length: 40 }, () => ({ big: 1n }))
  for (const node of nodes) nodes.forEach((to, i) => { node[`to${i}`] = to })
  const text = safeText(nodes[0])
  assert.match(text, /\[Repeated\]/)
  assert.ok(text.length < 50e6, `${text.length}`)
  let doubled = [1n]
  for (let i = 0; i < 60; i++) doubled = [doubled, doubled]
  assert.match(safeText(doubled), /\[Repeated\]/)
})
