// What it costs to put a step into a column: nothing for the same token, little for the same call, more the less the
// arguments agree, forbidden for different tools (with two exceptions). Memoised per pair of calls.

import { CHECK, COST, FINAL, READ, WRITE } from './constants.ts'
import type { Token } from './node.ts'
import type { Prepared } from './prepare.ts'

/** Substitution cost of two tokens (by number). */
export type PairCost = (a: number, b: number) => number

/** Share of the smaller set of values that both tokens have; 0 when one has none. */
export function sharedValues(a: Token, b: Token): number {
  if (a.values.size === 0 || b.values.size === 0) return 0
  let shared = 0
  for (const value of a.values) if (b.values.has(value)) shared++
  return shared / Math.min(a.values.size, b.values.size)
}

/** The cost function of a prepared task whose actions are `rows` (arranged, as token numbers). */
export function pairCost(prepared: Prepared, rows: readonly Int32Array[]): PairCost {
  const { tokens, calls, tools } = prepared.vocabulary
  const together = toolsTogether(prepared, rows)
  const toolCount = tools.names.length
  const callCount = calls.names.length
  const tokenCount = tokens.length
  const byCall = new Map<number, number>()
  const byToken = new Map<number, number>()
  return (a, b) => {
    if (a === b) return 0
    const x = tokens[a]!
    const y = tokens[b]!
    if (x.tool !== y.tool) {
      if (x.cls === WRITE && y.cls === WRITE && together[x.tool * toolCount + y.tool] === 0)
        return COST.otherWrite
      if (x.cls === WRITE || y.cls === WRITE || x.cls === FINAL || y.cls === FINAL) return COST.forbidden
      if (x.values.size === 0 || y.values.size === 0) return COST.forbidden
      const key = a < b ? a * tokenCount + b : b * tokenCount + a
      let cost = byToken.get(key)
      if (cost === undefined) {
        cost = sharedValues(x, y) >= COST.otherReadShare ? COST.otherRead : COST.forbidden
        byToken.set(key, cost)
      }
      return cost
    }
    if (x.call === y.call) return x.isError === y.isError ? COST.sameCall : COST.sameCallOtherError
    const key = x.call < y.call ? x.call * callCount + y.call : y.call * callCount + x.call
    let cost = byCall.get(key)
    if (cost === undefined) {
      cost = COST.sameTool + COST.sameToolSpan * (1 - argumentOverlap(x.leaves, y.leaves))
      byCall.set(key, cost)
    }
    return cost
  }
}

/** Shared over all argument leaves of two ascending lists. */
function argumentOverlap(a: Int32Array, b: Int32Array): number {
  let shared = 0
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const left = a[i]!
    const right = b[j]!
    if (left === right) {
      shared++
      i++
      j++
    } else if (left < right) i++
    else j++
  }
  return shared / Math.max(1, a.length + b.length - shared)
}

/** Which pairs of tools occur in one passing trial: such writes are never taken for each other. */
function toolsTogether(prepared: Prepared, rows: readonly Int32Array[]): Uint8Array {
  const { tokens, tools } = prepared.vocabulary
  const count = tools.names.length
  const together = new Uint8Array(count * count)
  rows.forEach((row, r) => {
    if (prepared.isPass[r] !== true) return
    const here = [...new Set(Array.from(row, (token) => tokens[token]!.tool))]
    for (const a of here) for (const b of here) together[a * count + b] = 1
  })
  return together
}

/** True for a class that only looks: read or check. */
export function isLook(token: Token): boolean {
  return token.cls === READ || token.cls === CHECK
}
