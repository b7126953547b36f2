// What it costs to put a step into a column: nothing for the same token, little for the same call, more the less the
// arguments agree, forbidden for different tools (with two exceptions). Asked once per cell of every alignment, so it
// looks at small arrays first and remembers what it had to compute.

import { CHECK, COST, FINAL, READ, WRITE } from './constants.ts'
import type { Token } from './node.ts'
import type { Prepared } from './prepare.ts'

/** Substitution cost of two tokens (by number). */
export type PairCost = (a: number, b: number) => number

/** How many numbers two ascending lists without repeats share. */
function sharedCount(a: Int32Array, b: Int32Array): number {
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
  return shared
}

/** Share of the smaller set of values that both tokens have; 0 when one has none. */
export function sharedValues(a: Token, b: Token): number {
  const least = Math.min(a.values.length, b.values.length)
  return least === 0 ? 0 : sharedCount(a.values, b.values) / least
}

/** The cost function of a prepared task whose actions are `rows` (arranged, as token numbers). */
export function pairCost(prepared: Prepared, rows: readonly Int32Array[]): PairCost {
  const { tokens, calls, tools } = prepared.vocabulary
  const together = toolsTogether(prepared, rows)
  const toolCount = tools.names.length
  const callCount = calls.names.length
  const toolOf = Int32Array.from(tokens, (token) => token.tool)
  const classOf = Uint8Array.from(tokens, (token) => token.cls)
  const signs = new Signatures(tokens)
  const byCall = new Map<number, number>()
  const byToken = new Map<number, number>()

  const sameTool = (x: Token, y: Token): number => {
    if (x.call === y.call) return x.isError === y.isError ? COST.sameCall : COST.sameCallOtherError
    const key = x.call < y.call ? x.call * callCount + y.call : y.call * callCount + x.call
    let cost = byCall.get(key)
    if (cost === undefined) {
      const shared = sharedCount(x.leaves, y.leaves)
      const all = Math.max(1, x.leaves.length + y.leaves.length - shared)
      cost = COST.sameTool + COST.sameToolSpan * (1 - shared / all)
      byCall.set(key, cost)
    }
    return cost
  }

  const otherLook = (a: number, b: number): number => {
    const key = a < b ? a * tokens.length + b : b * tokens.length + a
    let cost = byToken.get(key)
    if (cost === undefined) {
      const isSame = sharedValues(tokens[a]!, tokens[b]!) >= COST.otherReadShare
      cost = isSame ? COST.otherRead : COST.forbidden
      byToken.set(key, cost)
    }
    return cost
  }

  return (a, b) => {
    if (a === b) return 0
    const toolA = toolOf[a]!
    const toolB = toolOf[b]!
    if (toolA === toolB) return sameTool(tokens[a]!, tokens[b]!)
    const classA = classOf[a]!
    const classB = classOf[b]!
    if (classA === WRITE || classB === WRITE) {
      const isPair = classA === classB && together[toolA * toolCount + toolB] === 0
      return isPair ? COST.otherWrite : COST.forbidden
    }
    if (classA === FINAL || classB === FINAL || !signs.mayShare(a, b)) return COST.forbidden
    return otherLook(a, b)
  }
}

/**
 * 64 bits per token, one set per value modulo 64: two tokens whose bits differ too much cannot share enough values,
 * which settles nearly all pairs of different tools without looking at a value.
 */
class Signatures {
  readonly #low: Uint32Array
  readonly #high: Uint32Array
  readonly #size: Int32Array

  constructor(tokens: readonly Token[]) {
    this.#low = new Uint32Array(tokens.length)
    this.#high = new Uint32Array(tokens.length)
    this.#size = Int32Array.from(tokens, (token) => token.values.length)
    tokens.forEach((token, t) => {
      for (const value of token.values) {
        const bit = value & 63
        if (bit < 32) this.#low[t]! |= 1 << bit
        else this.#high[t]! |= 1 << (bit - 32)
      }
    })
  }

  /** False only when tokens `a` and `b` share less than COST.otherReadShare of the smaller one's values. */
  mayShare(a: number, b: number): boolean {
    const [small, large] = this.#size[a]! <= this.#size[b]! ? [a, b] : [b, a]
    const size = this.#size[small]!
    if (size === 0) return false
    const missing =
      bitCount(this.#low[small]! & ~this.#low[large]!) + bitCount(this.#high[small]! & ~this.#high[large]!)
    return missing <= size * (1 - COST.otherReadShare) + 1e-9
  }
}

/** The number of set bits of a 32-bit word. */
export function bitCount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555)
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
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
