// Tokens of leaves, flattening, masks and salient values, against the tables of docs/method-divergence.md.

import { describe, expect, test } from 'vitest'
import {
  canonLeaf,
  flatten,
  isProse,
  isSpecific,
  isVolatileKey,
  longIds,
  MAX_LEAVES,
  salientValues,
  tokenText,
  volatileShape,
} from '../../../src/analysis/divergence/leaf.ts'
import { handlesOf } from '../../../src/analysis/divergence/handles.ts'
import { maskLine } from '../../../src/analysis/divergence/textleaves.ts'

test.each([
  ['  A  b ', 's:A b'],
  ['5', 'n:5'],
  [5, 'n:5'],
  ['5.0', 'n:5'],
  ['05', 's:05'],
  [-0, 'n:0'],
  ['1e5', 's:1e5'],
  ['March 4, 2026', 'd:2026-03-04'],
  ['4 Mar 2026', 'd:2026-03-04'],
  ['4th of March 2026', 's:4th of March 2026'],
  ['03/04/2026', 's:03/04/2026'],
  ['2026-03-04', 'd:2026-03-04'],
  ['2026-03-04T10:00:00Z', 't:2026-03-04T10:00:00Z'],
  ['true', 's:true'],
  [true, 'b:true'],
  [null, 'null'],
  ['9007199254740993', 's:9007199254740993'],
] as const)('%j → %s', (value, token) => {
  expect(canonLeaf(value)).toBe(token)
})

describe('flatten', () => {
  test('sorts keys, forgets the order of arrays and drops nulls', () => {
    expect(flatten({ b: [1, 2], a: null, c: {} })).toEqual([
      ['b[]', 'n:1'],
      ['b[]', 'n:2'],
      ['c{}', '∅'],
    ])
  })

  test('a long text becomes what it says and its status lines', () => {
    const leaves = flatten('collected 3 items\n12 passed in 0.34s')
    expect(leaves.map(([path]) => path)).toEqual(['$text', '$numbers', '$status'])
    expect(leaves[2]![1]).toContain('12 passed in <d>')
    expect(flatten('collected 3 items\n12 passed in 9.99s')).toEqual(leaves)
    expect(flatten('collected 4 items\n12 passed in 0.34s')[1]).not.toEqual(leaves[1])
  })

  test('lines with a key are leaves of their own, JSON in them is read', () => {
    const leaves = flatten('Invoice sheet\n- amount due: 120\norders: ["A1","B2"]\nprinted 10:11:12')
    expect(leaves.slice(0, 3)).toEqual([
      ['$line.amount due', 'n:120'],
      ['$line.orders[]', 's:A1'],
      ['$line.orders[]', 's:B2'],
    ])
  })

  test('is bounded in leaves and depth', () => {
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]))
    expect(flatten(wide).length).toBeLessThanOrEqual(MAX_LEAVES + 1)
    let deep: { readonly [key: string]: unknown } | number = 1
    for (let i = 0; i < 3000; i++) deep = { d: deep }
    expect(flatten(deep as never)).toHaveLength(1)
  })
})

test('masks forget clocks, addresses, ids, temporary paths and durations', () => {
  expect(maskLine(' at 2026-01-02T03:04:05Z 0xdeadbeef /tmp/x/y took 12 ms pid 77 ')).toBe(
    'at <t> <a> <p> took <d> pid',
  )
  expect(maskLine('plain words')).toBe('plain words')
})

test('volatile keys and shapes', () => {
  expect(isVolatileKey('a.request_id')).toBe(true)
  expect(isVolatileKey('latency_ms')).toBe(true)
  expect(isVolatileKey('order_id')).toBe(false)
  expect(volatileShape('s:6f1c2f0e-0000-4aaa-8bbb-0123456789ab')).toBe('V:uuid')
  expect(volatileShape('s:call_abcdefgh12')).toBe('V:call')
  expect(volatileShape('s:0123456789abcdef01')).toBe('V:hex')
  expect(volatileShape('s:0123456789012345')).toBe(null)
})

test('salient values and ids of a text', () => {
  expect(salientValues('Refund $1,200.50 for #W1234567 on 2026-03-04, ABC123, gift_card_77')).toEqual([
    '1200.50',
    '#W1234567',
    '2026-03-04',
    'ABC123',
    'gift_card_77',
  ])
  expect(longIds('issued as RF-12ab34cd.')).toEqual(['RF-12ab34cd'])
})

test('prose, specific tokens, tokens as text', () => {
  expect(isProse('ordered by mistake')).toBe(false)
  expect(isProse('the customer no longer needs it')).toBe(true)
  expect(isSpecific('n:7')).toBe(false)
  expect(isSpecific('n:42')).toBe(true)
  expect(isSpecific('b:true')).toBe(false)
  expect(tokenText('n:5¦s:a')).toBe('5, a')
  expect(tokenText('@create_refund.refund_id')).toBe('(the one that create_refund gave as refund_id)')
})

test.each([
  ['one word', 'a'.repeat(300_000)],
  ['dashes', 'a-'.repeat(150_000)],
  ['white space', `${' '.repeat(300_000)}x`],
  ['brackets', '['.repeat(300_000)],
  ['keys', 'k: '.repeat(100_000)],
  ['digits', '1'.repeat(300_000)],
])('hostile text takes linear time: %s', (_, text) => {
  const started = performance.now()
  flatten(text)
  salientValues(text)
  longIds(text)
  handlesOf(text)
  expect(performance.now() - started).toBeLessThan(3000)
})
