// Comparison of steps: whatever the input, the rows give both sides back; and what counts as a difference.

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../src/base/json.ts'
import { canonicalJson } from '../../../src/base/json.ts'
import { firstDifference } from '../../../src/analysis/stepdiff/first.ts'
import { jsonRows, oneSideJsonRows } from '../../../src/analysis/stepdiff/jsonRows.ts'
import {
  DIFF_LIMITS,
  countDifferences,
  foldEqual,
  sideText,
  type Comparison,
  type DiffRow,
} from '../../../src/analysis/stepdiff/rows.ts'
import { oneSideRows, textRows } from '../../../src/analysis/stepdiff/textRows.ts'
import { splitWords, wordSegments } from '../../../src/analysis/stepdiff/words.ts'

type Which = 'left' | 'right'

function rowsOf(comparison: Comparison): readonly DiffRow[] {
  if (!comparison.ok) throw new Error(`no comparison: ${comparison.reason}`)
  return comparison.rows
}

/** Reads one side's rows back into a JSON value: brackets nest, a continued row joins the one before. */
function readJson(rows: readonly DiffRow[], of: Which): Json {
  const lines: { key: string | null; text: string }[] = []
  for (const row of rows) {
    const shown = row[of]
    if (shown === null) continue
    const last = lines.at(-1)
    if (shown.isContinued && last !== undefined) last.text += sideText(shown)
    else lines.push({ key: shown.key, text: sideText(shown) })
  }
  let at = 0
  const read = (): { key: string | null; value: Json } => {
    const line = lines[at]
    at += 1
    if (line === undefined) throw new Error('rows end too early')
    if (line.text === '[') {
      const items: Json[] = []
      while (lines[at]?.text !== ']') items.push(read().value)
      at += 1
      return { key: line.key, value: items }
    }
    if (line.text === '{') {
      const entries: [string, Json][] = []
      while (lines[at]?.text !== '}') {
        const child = read()
        entries.push([child.key ?? '', child.value])
      }
      at += 1
      return { key: line.key, value: Object.fromEntries(entries) }
    }
    return { key: line.key, value: JSON.parse(line.text) as Json }
  }
  const { value } = read()
  expect(at).toBe(lines.length)
  return value
}

const readText = (rows: readonly DiffRow[], of: Which): string =>
  rows.flatMap((row) => (row[of] === null ? [] : [sideText(row[of])])).join('\n')

const words = fc
  .array(fc.constantFrom('refund', 'order', 'the', ' ', '  ', '\n', 'é', '💡', '12.5', '"', '\\', '-'))
  .map((parts) => parts.join(' '))
const longText = fc.array(words, { maxLength: 12 }).map((lines) => lines.join('\n'))
const anyText = fc.oneof(words, longText, fc.string({ unit: 'binary', maxLength: 80 }))
const json = fc
  .oneof(
    fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.oneof(anyText, fc.jsonValue())),
  )
  // Without prototypes that differ and without -0, which JSON does not know.
  .map((value) => JSON.parse(JSON.stringify(value)) as Json)

describe('words', () => {
  test('split and joined is the text', () => {
    fc.assert(fc.property(anyText, (text) => splitWords(text).join('') === text))
    expect(splitWords('a\ud800b').join('')).toBe('a\ud800b')
  })

  test('segments give both sides back, with and without white space', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.boolean(), (left, right, ignoreSpace) => {
        const segments = wordSegments(left, right, undefined, { ignoreSpace })
        expect(sideText({ key: null, segments: segments.left })).toBe(left)
        expect(sideText({ key: null, segments: segments.right })).toBe(right)
      }),
    )
  })

  test('only the changed words are marked', () => {
    const { left, right } = wordSegments('I need to check the fare rules', 'I need to skip the fare rules')
    expect(left.filter((segment) => segment.isChanged).map((segment) => segment.text)).toEqual(['check'])
    expect(right.filter((segment) => segment.isChanged).map((segment) => segment.text)).toEqual(['skip'])
  })

  test('dates, times and amounts are whole words', () => {
    expect(splitWords('"2026-01-02" 09:15:05.962Z $1,412.00 v1.2')).toEqual([
      '"',
      '2026-01-02',
      '"',
      ' ',
      '09:15:05.962Z',
      ' ',
      '$',
      '1,412.00',
      ' ',
      'v1',
      '.',
      '2',
    ])
  })

  test('texts that share next to nothing are marked whole', () => {
    const { left } = wordSegments('refund issued to card ending 12', 'please wait, an agent joins soon')
    expect(left).toEqual([{ text: 'refund issued to card ending 12', isChanged: true }])
  })

  test('a line beyond the word limit is marked whole and at once', () => {
    const long = 'word '.repeat(DIFF_LIMITS.lineWords)
    expect(wordSegments(long, `${long}x`).left).toEqual([{ text: long, isChanged: true }])
  })
})

describe('text', () => {
  test('rows give both texts back', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.boolean(), (left, right, ignoreSpace) => {
        const rows = rowsOf(textRows(left, right, { ignoreSpace }))
        expect(readText(rows, 'left')).toBe(left)
        expect(readText(rows, 'right')).toBe(right)
      }),
    )
  })

  test('equal texts have no difference, unequal ones have', () => {
    fc.assert(
      fc.property(anyText, anyText, (left, right) => {
        const same = textRows(left, left)
        expect(same.ok && same.differences).toBe(0)
        const compared = textRows(left, right)
        expect(compared.ok && compared.differences > 0).toBe(left !== right)
      }),
    )
  })

  test('white space alone can be ignored', () => {
    const compared = textRows('a  b\nc', 'a b\nc', { ignoreSpace: true })
    expect(compared.ok && compared.differences).toBe(0)
    expect(textRows('a  b', 'a b')).toMatchObject({ ok: true, differences: 1 })
  })

  test('too large and too different are said, not guessed', () => {
    const big = 'x'.repeat(DIFF_LIMITS.chars + 1)
    expect(textRows(big, 'x')).toEqual({ ok: false, reason: 'too large' })
    const lines = (seed: string): string => Array.from({ length: 3000 }, (_, i) => `${seed}${i}`).join('\n')
    expect(textRows(lines('a'), lines('b'))).toEqual({ ok: false, reason: 'too different' })
  })

  test('one side only', () => {
    expect(readText(oneSideRows('a\nb', 'right'), 'right')).toBe('a\nb')
  })
})

describe('JSON', () => {
  test('rows give both values back', () => {
    fc.assert(
      fc.property(json, json, fc.boolean(), (left, right, ignoreSpace) => {
        const rows = rowsOf(jsonRows(left, right, { ignoreSpace }))
        expect(canonicalJson(readJson(rows, 'left'))).toBe(canonicalJson(left))
        expect(canonicalJson(readJson(rows, 'right'))).toBe(canonicalJson(right))
      }),
      { numRuns: 300 },
    )
  })

  test('a difference is found exactly when the values are unequal', () => {
    fc.assert(
      fc.property(json, json, (left, right) => {
        const compared = jsonRows(left, right)
        expect(compared.ok && compared.differences > 0).toBe(canonicalJson(left) !== canonicalJson(right))
      }),
    )
  })

  test('key order and 1.0 are no difference; a number and its text are', () => {
    const read = (text: string): Json => JSON.parse(text) as Json
    expect(jsonRows(read('{"a":1,"b":{"c":2,"d":3}}'), read('{"b":{"d":3,"c":2.0},"a":1.0}'))).toMatchObject({
      ok: true,
      differences: 0,
    })
    expect(jsonRows({ a: 1 }, { a: '1' })).toMatchObject({ ok: true, differences: 1 })
    expect(jsonRows({ a: null }, {})).toMatchObject({ ok: true, differences: 1 })
  })

  test('an inserted array item does not shift the others', () => {
    const rows = rowsOf(jsonRows(['a', 'b', 'c'], ['x', 'a', 'b', 'c']))
    expect(rows.map((row) => row.kind)).toEqual(['equal', 'right', 'equal', 'equal', 'equal', 'equal'])
  })

  test('a key that only the right side has stands where the right side has it', () => {
    const rows = rowsOf(jsonRows({ a: 1, c: 3 }, { a: 1, b: 2, c: 3 }))
    expect(rows.map((row) => row.right?.key ?? null)).toEqual([null, 'a', 'b', 'c', null])
  })

  test('a long string with line breaks is compared line by line', () => {
    const text = (third: string): string =>
      `first line of a policy\nsecond line of a policy\n${third}\nlast line`
    const rows = rowsOf(jsonRows({ text: text('within 60 days') }, { text: text('within 30 days') }))
    expect(rows.map((row) => row.kind)).toEqual(['equal', 'equal', 'equal', 'changed', 'equal', 'equal'])
    expect(rows[3]?.left?.segments.filter((segment) => segment.isChanged)).toEqual([
      { text: '60', isChanged: true },
    ])
  })

  test('deep nesting is refused without a stack overflow', () => {
    let deep: Json = 1
    for (let i = 0; i < 50_000; i += 1) deep = [deep]
    expect(jsonRows(deep, 1)).toEqual({ ok: false, reason: 'too deep' })
    expect(oneSideJsonRows(deep, 'left')).toBeNull()
  })

  test('2 × 200 kB are compared or refused in a bounded time', () => {
    const rows = (shift: number): Json =>
      Array.from({ length: 2200 }, (_, i) => ({
        id: i,
        name: `passenger ${(i * 7 + shift) % 977}`,
        bags: i % 3,
      }))
    const before = performance.now()
    jsonRows(rows(0), rows(1))
    textRows('lorem ipsum '.repeat(16_000), 'ipsum lorem '.repeat(16_000))
    // A net against quadratic behaviour, wide enough for a busy machine; the budget stands in screens and bench.
    expect(performance.now() - before).toBeLessThan(3000)
  })
})

describe('first difference', () => {
  test('names the path and both values; key order is none', () => {
    expect(firstDifference({ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 3] }, a: 1 })).toEqual({
      path: 'b.c[1]',
      left: 2,
      right: 3,
    })
    expect(firstDifference({ a: 1 }, { a: 1, d: null })).toEqual({ path: 'd', left: undefined, right: null })
    expect(firstDifference({ a: 1, b: 2 }, { b: 2, a: 1 })).toBeNull()
    expect(firstDifference([], {})).toEqual({ path: '', left: [], right: {} })
  })

  test('is there exactly when the values are unequal', () => {
    fc.assert(
      fc.property(
        json,
        json,
        (left, right) =>
          (firstDifference(left, right) !== null) === (canonicalJson(left) !== canonicalJson(right)),
      ),
    )
  })
})

describe('folding', () => {
  const row = (kind: DiffRow['kind']): DiffRow => ({
    kind,
    depth: 0,
    left: kind === 'right' ? null : { key: null, segments: [] },
    right: kind === 'left' ? null : { key: null, segments: [] },
  })
  const kinds = fc.array(fc.constantFrom('equal' as const, 'changed' as const), { maxLength: 60 })

  test('covers every row once, folds only equal rows and keeps three around a difference', () => {
    fc.assert(
      fc.property(kinds, (list) => {
        const rows = list.map(row)
        const stretches = foldEqual(rows)
        expect(
          stretches.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)),
        ).toEqual(rows.map((_, i) => i))
        for (const { from, to, isFolded } of stretches) {
          if (!isFolded) continue
          expect(to - from).toBeGreaterThanOrEqual(3)
          for (let i = from; i < to; i += 1) {
            for (let near = Math.max(0, i - 3); near <= Math.min(rows.length - 1, i + 3); near += 1) {
              expect(rows[near]?.kind).toBe('equal')
            }
          }
        }
      }),
    )
  })

  test('differences are runs', () => {
    expect(
      countDifferences(
        ['changed', 'changed', 'equal', 'left', 'right'].map((kind) => row(kind as DiffRow['kind'])),
      ),
    ).toBe(2)
  })
})
