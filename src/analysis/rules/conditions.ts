// Comparisons of rules: values are compared in the canonical form of the alignment, so that 5, "5" and "5.0" are one
// number and "March 4, 2026" is 2026-03-04. No regular expressions: trace text is hostile, and globs are linear.

import type { Json } from '../../base/json.ts'
import { canonicalJson } from '../../base/json.ts'
import type { Condition } from '../../model/ruleparts.ts'
import { parsePath, type ValuePath } from '../../model/valuepath.ts'
import { canonLeaf, flatten, MAX_LEAVES } from '../divergence/leaf.ts'
import { matchesGlob } from '../divergence/words.ts'
import type { Call } from './calls.ts'

/** A comparison without its path: what outcome rules and conditions have in common. */
export type Comparison = { readonly test: Condition['test']; readonly value?: unknown }

/** A path that a schema has already checked. */
export function checkedPath(text: string): ValuePath {
  const path = parsePath(text)
  if (!path.ok) throw new Error(`A rule holds a path that is none: ${path.error}`)
  return path.value
}

/** One text for equal values: the canonical token of a scalar, the sorted leaves of anything else. */
export function tokenOf(value: Json): string {
  if (typeof value !== 'object' || value === null) return canonLeaf(value)
  const leaves = flatten(value)
  // Beyond the bound flatten forgets: then only the whole text tells two values apart.
  if (leaves.length >= MAX_LEAVES) return canonicalJson(value)
  return leaves
    .map(([path, token]) => JSON.stringify([path, token]))
    .sort()
    .join()
}

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/
const GROUPED = /^-?\d{1,3}(,\d{3}){1,4}(\.\d{1,15})?$/

/** A number, also one written as text, with a currency sign or with thousands commas; null for everything else. */
export function numberOf(value: Json | undefined): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || value.length > 40) return null
  const text = value.trim().replace(/^(-?)[$€£]\s?/, '$1')
  if (NUMBER.test(text)) return Number(text)
  return GROUPED.test(text) ? Number(text.replaceAll(',', '')) : null
}

/** −1, 0 or 1 for two numbers, two dates or two times; null for what has no order. */
function order(left: Json, right: Json): number | null {
  const a = numberOf(left)
  const b = numberOf(right)
  if (a !== null && b !== null) return Math.sign(a - b)
  if (typeof left !== 'string' || typeof right !== 'string') return null
  const x = canonLeaf(left)
  const y = canonLeaf(right)
  const isDated = (token: string): boolean => token.startsWith('d:') || token.startsWith('t:')
  if (!isDated(x) || !isDated(y)) return null
  // A day against a time: the day's own ten characters decide.
  const length = x[0] === y[0] ? undefined : 10
  const p = x.slice(2).slice(0, length)
  const q = y.slice(2).slice(0, length)
  return p < q ? -1 : p > q ? 1 : 0
}

/** Whether values meet a comparison: any of them, but for not-equals and missing none may be equal or there. */
export function holds(found: readonly Json[], { test, value }: Comparison): boolean {
  const wanted = value as Json
  switch (test) {
    case 'exists':
      return found.length > 0
    case 'missing':
      return found.length === 0
    case 'equals': {
      const token = tokenOf(wanted)
      return found.some((one) => tokenOf(one) === token)
    }
    case 'not-equals': {
      const token = tokenOf(wanted)
      return found.length > 0 && found.every((one) => tokenOf(one) !== token)
    }
    case 'in': {
      const tokens = new Set((Array.isArray(wanted) ? (wanted as readonly Json[]) : []).map(tokenOf))
      return found.some((one) => tokens.has(tokenOf(one)))
    }
    case 'contains':
      return found.some((one) => textOf(one).includes(String(wanted)))
    case 'glob':
      return found.some((one) => matchesGlob(String(wanted), textOf(one)))
    case '>':
      return found.some((one) => order(one, wanted) === 1)
    case '>=':
      return found.some((one) => (order(one, wanted) ?? -1) >= 0)
    case '<':
      return found.some((one) => order(one, wanted) === -1)
    case '<=':
      return found.some((one) => (order(one, wanted) ?? 1) <= 0)
  }
}

/** A value as text: strings as they are, everything else as JSON. */
function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Conditions with their paths parsed once. */
export type Where = readonly { readonly path: ValuePath; readonly comparison: Comparison }[]

/** Prepares conditions for many calls. */
export function prepareWhere(conditions: readonly Condition[]): Where {
  return conditions.map((condition) => ({ path: checkedPath(condition.path), comparison: condition }))
}

/** True when a call meets all conditions. */
export function meets(call: Call, where: Where): boolean {
  return where.every(({ path, comparison }) => holds(call.at(path), comparison))
}
