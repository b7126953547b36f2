// Structural difference of two JSON values as rows that are the same on both sides. The order of keys is no
// difference; 1 and 1.0 are the same number; 1 and "1" are not the same. Array items are aligned by content.
// Bounded by DIFF_LIMITS; gives up with a reason.

import { canonicalJson, type Json, type JsonObject } from '../../base/json.ts'
import { align } from './align.ts'
import {
  DIFF_LIMITS,
  countDifferences,
  side,
  type Comparison,
  type DiffOptions,
  type DiffRow,
} from './rows.ts'
import { isSameBesidesSpace, wordBudget, wordSegments, type WordBudget } from './words.ts'

type Context = { readonly rows: DiffRow[]; readonly budget: WordBudget; readonly options: DiffOptions }
type Present = { readonly key: string | null; readonly value: Json }

/** Thrown inside a comparison when an alignment of items gives up. */
class TooDifferent extends Error {}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
function isRecord(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True when the value nests deeper than `limit`; walks without recursion. */
export function isDeeper(value: Json, limit: number): boolean {
  const open: { readonly value: Json; readonly depth: number }[] = [{ value, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue
    if (next.depth >= limit) return true
    for (const child of Object.values(next.value)) open.push({ value: child, depth: next.depth + 1 })
  }
  return false
}

/** A scalar as it is written: JSON, a string with line breaks over several lines that joined are JSON. */
function scalarLines(value: Json): string[] {
  const text = JSON.stringify(value) ?? 'null'
  if (typeof value !== 'string' || !value.includes('\n') || value.length < 60) return [text]
  return text.split(/(?<=(?<!\\)(?:\\\\)*\\n)/)
}

/** Rows of a value that stands on one side, or equal on both. */
function plainRows(kind: 'equal' | 'left' | 'right', of: Present, depth: number, rows: DiffRow[]): void {
  const push = (key: string | null, text: string, at: number, isContinued = false): void => {
    const shown = side(key, text, kind !== 'equal', isContinued)
    rows.push({
      kind,
      depth: at,
      left: kind === 'right' ? null : shown,
      right: kind === 'left' ? null : shown,
    })
  }
  const { key, value } = of
  if (isArray(value)) {
    if (value.length === 0) return push(key, '[]', depth)
    push(key, '[', depth)
    for (const item of value) plainRows(kind, { key: null, value: item }, depth + 1, rows)
    push(null, ']', depth)
  } else if (isRecord(value)) {
    const keys = Object.keys(value)
    if (keys.length === 0) return push(key, '{}', depth)
    push(key, '{', depth)
    for (const child of keys) plainRows(kind, { key: child, value: value[child] ?? null }, depth + 1, rows)
    push(null, '}', depth)
  } else scalarLines(value).forEach((line, i) => push(i === 0 ? key : null, line, depth, i > 0))
}

function bracket(key: string | null, text: string, depth: number): DiffRow {
  return { kind: 'equal', depth, left: side(key, text), right: side(key, text) }
}

function changedScalars(key: string | null, left: Json, right: Json, depth: number, context: Context): void {
  if (
    context.options.ignoreSpace &&
    typeof left === 'string' &&
    typeof right === 'string' &&
    isSameBesidesSpace(left, right)
  ) {
    const shown = (text: string): string => JSON.stringify(text)
    context.rows.push({
      kind: 'equal',
      depth,
      left: side(key, shown(left)),
      right: side(key, shown(right)),
    })
    return
  }
  const isText = typeof left === 'string' && typeof right === 'string'
  const a = isText ? scalarLines(left) : [JSON.stringify(left) ?? 'null']
  const b = isText ? scalarLines(right) : [JSON.stringify(right) ?? 'null']
  const stretches = a.length === 1 && b.length === 1 ? null : align(a, b)
  const sides = (x: string | undefined, y: string | undefined) => {
    if (isText && x !== undefined && y !== undefined)
      return wordSegments(x, y, context.budget, context.options)
    return { left: [{ text: x ?? '', isChanged: true }], right: [{ text: y ?? '', isChanged: true }] }
  }
  const push = (x: number | null, y: number | null): void => {
    const inLeft = x === null ? undefined : a[x]
    const inRight = y === null ? undefined : b[y]
    const { left: leftWords, right: rightWords } = sides(inLeft, inRight)
    const isLone = inLeft === undefined ? 'right' : inRight === undefined ? 'left' : null
    context.rows.push({
      kind: isLone ?? (inLeft === inRight ? 'equal' : 'changed'),
      depth,
      left:
        isLone === 'right' ? null : { key: x === 0 ? key : null, segments: leftWords, isContinued: x !== 0 },
      right:
        isLone === 'left' ? null : { key: y === 0 ? key : null, segments: rightWords, isContinued: y !== 0 },
    })
  }
  const whole = [{ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length }]
  for (const { aFrom, aTo, bFrom, bTo } of stretches ?? whole) {
    for (let n = 0; n < Math.max(aTo - aFrom, bTo - bFrom); n += 1) {
      push(aFrom + n < aTo ? aFrom + n : null, bFrom + n < bTo ? bFrom + n : null)
    }
  }
}

function arrayRows(left: readonly Json[], right: readonly Json[], depth: number, context: Context): void {
  const stretches = align(left.map(canonicalJson), right.map(canonicalJson))
  if (stretches === null) throw new TooDifferent()
  for (const { isEqual, aFrom, aTo, bFrom, bTo } of stretches) {
    for (let n = 0; n < Math.max(aTo - aFrom, bTo - bFrom); n += 1) {
      const a = aFrom + n < aTo ? { key: null, value: left[aFrom + n] ?? null } : null
      const b = bFrom + n < bTo ? { key: null, value: right[bFrom + n] ?? null } : null
      if (isEqual && b !== null) plainRows('equal', b, depth, context.rows)
      else valueRows(a, b, depth, context)
    }
  }
}

function objectRows(left: JsonObject, right: JsonObject, depth: number, context: Context): void {
  // The left side's order; a key that only the right has stands after the key that it follows there.
  const added = new Map<string | null, string[]>()
  let after: string | null = null
  for (const key of Object.keys(right)) {
    if (Object.hasOwn(left, key)) after = key
    else added.set(after, [...(added.get(after) ?? []), key])
  }
  const keys = [...(added.get(null) ?? [])]
  for (const key of Object.keys(left)) keys.push(key, ...(added.get(key) ?? []))
  for (const key of keys) {
    const a = Object.hasOwn(left, key) ? { key, value: left[key] ?? null } : null
    const b = Object.hasOwn(right, key) ? { key, value: right[key] ?? null } : null
    valueRows(a, b, depth, context)
  }
}

function valueRows(left: Present | null, right: Present | null, depth: number, context: Context): void {
  const { rows } = context
  if (left === null || right === null) {
    if (left !== null) plainRows('left', left, depth, rows)
    if (right !== null) plainRows('right', right, depth, rows)
    return
  }
  const { key } = left
  const a = left.value
  const b = right.value
  if (isArray(a) && isArray(b) && (a.length > 0 || b.length > 0)) {
    rows.push(bracket(key, '[', depth))
    arrayRows(a, b, depth + 1, context)
    rows.push(bracket(null, ']', depth))
  } else if (isRecord(a) && isRecord(b) && (Object.keys(a).length > 0 || Object.keys(b).length > 0)) {
    rows.push(bracket(key, '{', depth))
    objectRows(a, b, depth + 1, context)
    rows.push(bracket(null, '}', depth))
  } else if (a === b || canonicalJson(a) === canonicalJson(b)) plainRows('equal', left, depth, rows)
  else if (typeof a === 'object' && a !== null) {
    plainRows('left', left, depth, rows)
    plainRows('right', right, depth, rows)
  } else if (typeof b === 'object' && b !== null) {
    plainRows('left', left, depth, rows)
    plainRows('right', right, depth, rows)
  } else changedScalars(key, a, b, depth, context)
}

/** Compares two JSON values by structure. See DiffRow for how rows are read back into the two values. */
export function jsonRows(left: Json, right: Json, options: DiffOptions = {}): Comparison {
  if (isDeeper(left, DIFF_LIMITS.depth) || isDeeper(right, DIFF_LIMITS.depth))
    return { ok: false, reason: 'too deep' }
  const size = (value: Json): number => (JSON.stringify(value) ?? '').length
  if (size(left) > DIFF_LIMITS.chars || size(right) > DIFF_LIMITS.chars)
    return { ok: false, reason: 'too large' }
  const rows: DiffRow[] = []
  try {
    valueRows({ key: null, value: left }, { key: null, value: right }, 0, {
      rows,
      budget: wordBudget(),
      options,
    })
  } catch (error) {
    if (error instanceof TooDifferent) return { ok: false, reason: 'too different' }
    throw error
  }
  return { ok: true, rows, differences: countDifferences(rows) }
}

/** Rows of a JSON value that stands on one side only; null when it is too large or too deep to be laid out. */
export function oneSideJsonRows(value: Json, of: 'left' | 'right'): DiffRow[] | null {
  if (isDeeper(value, DIFF_LIMITS.depth)) return null
  const rows: DiffRow[] = []
  plainRows(of, { key: null, value }, 0, rows)
  return rows
}
