// Does any event of the alignment go with failing at all? A permutation test over outcomes, conditional on the
// alignment: the statistic is the smallest one-sided Fisher p over all events (presence, absence, values, tools).

import { DEFAULT_SEED, GENERATOR, Rng } from '../reliability/random.ts'
import { logChoose } from '../reliability/special.ts'
import type { Alignment } from './align.ts'
import { CONFIG } from './constants.ts'
import { bitCount } from './cost.ts'
import type { Prepared } from './prepare.ts'

/** The stream of the generator that random labelings are drawn from. */
export const STREAM = 'perm'

/** The result of the test; `p` and `floor` are null when one of the groups is empty. */
export type Permutation = {
  readonly p: number | null
  readonly floor: number | null
  readonly labelings: number
  readonly isExact: boolean
  readonly generator: string
  readonly seed: number
  readonly stream: string
}

/** An event: the trials that show it. */
type Event = { readonly bits: Uint32Array; readonly count: number }

/**
 * The share of labelings with as many failing trials whose best event is at least as clear as the observed one; all
 * labelings up to CONFIG.exactLabelings, else CONFIG.randomLabelings random ones with (hits + 1) / (labelings + 1).
 */
export function permutationTest(prepared: Prepared, alignment: Alignment, seed = DEFAULT_SEED): Permutation {
  const total = prepared.isPass.length
  const failing = prepared.isPass.filter((isPass) => !isPass).length
  const base = { generator: GENERATOR, seed, stream: STREAM }
  if (failing === 0 || failing === total)
    return { ...base, p: null, floor: null, labelings: 0, isExact: true }
  const labelings = binomial(total, failing)
  const isExact = labelings <= CONFIG.exactLabelings
  const floor = 1 / labelings
  const test = new Test(eventsOf(prepared, alignment), total, failing)
  const observed = new Uint32Array((total + 31) >> 5)
  prepared.isPass.forEach((isPass, r) => {
    if (!isPass) observed[r >> 5]! |= 1 << (r & 31)
  })
  test.observe(observed)
  if (isExact) {
    let hits = 0
    eachSubset(total, failing, (bits) => {
      if (test.isAsClear(bits)) hits++
    })
    return { ...base, p: hits / labelings, floor, labelings, isExact }
  }
  const hits = randomHits(test, total, failing, new Rng(seed, STREAM))
  const drawn = CONFIG.randomLabelings
  return { ...base, p: (hits + 1) / (drawn + 1), floor, labelings: drawn, isExact }
}

/** The events with, for each, how many failing trials make it as clear as the observed best. */
class Test {
  readonly #events: readonly Event[]
  readonly #tails: readonly Float64Array[]
  #needed: { readonly bits: Uint32Array; readonly least: number }[] = []
  #isAnything = false

  constructor(events: readonly Event[], total: number, failing: number) {
    this.#events = events
    this.#tails = fisherTails(total, failing)
  }

  /** Sets the statistic that labelings are compared with. */
  observe(labels: Uint32Array): void {
    let best = 1
    for (const event of this.#events) {
      best = Math.min(best, this.#tails[event.count]![overlap(event.bits, labels)]!)
    }
    const limit = best * (1 + 1e-9)
    this.#isAnything = limit >= 1
    this.#needed = []
    for (const { bits, count } of this.#events) {
      const least = this.#tails[count]!.findIndex((tail) => tail <= limit)
      if (least >= 0) this.#needed.push({ bits, least })
    }
  }

  /** True when some event is at least as clear under these labels. */
  isAsClear(labels: Uint32Array): boolean {
    return this.#isAnything || this.#needed.some(({ bits, least }) => overlap(bits, labels) >= least)
  }
}

function overlap(a: Uint32Array, b: Uint32Array): number {
  let count = 0
  for (let i = 0; i < a.length; i++) count += bitCount(a[i]! & b[i]!)
  return count
}

/** Tails[n][a]: probability of at least a failing trials among n of an event, when outcomes are random. */
function fisherTails(total: number, failing: number): Float64Array[] {
  return Array.from({ length: total + 1 }, (_, n) => {
    const most = Math.min(n, failing)
    const least = Math.max(0, n - (total - failing))
    const tails = new Float64Array(most + 1).fill(1)
    let sum = 0
    for (let a = most; a >= least; a--) {
      sum += Math.exp(logChoose(failing, a) + logChoose(total - failing, n - a) - logChoose(total, n))
      tails[a] = Math.min(1, sum)
    }
    return tails
  })
}

/** The distinct events of all columns: absent, present, each tool, each value of each facet. */
function eventsOf(prepared: Prepared, alignment: Alignment): Event[] {
  const { tokens } = prepared.vocabulary
  const total = prepared.isPass.length
  const words = (total + 31) >> 5
  const distinct = new Map<string, Event>()
  const add = (trials: readonly number[]): void => {
    if (trials.length === 0 || trials.length === total) return
    const key = trials.join()
    if (distinct.has(key)) return
    const bits = new Uint32Array(words)
    for (const r of trials) bits[r >> 5]! |= 1 << (r & 31)
    distinct.set(key, { bits, count: trials.length })
  }
  for (let c = 0; c < alignment.columnCount; c++) {
    const present: number[] = []
    const absent: number[] = []
    const byToken = new Map<number, number[]>()
    for (let r = 0; r < total; r++) {
      const i = alignment.cells[r]![c]!
      if (i < 0) absent.push(r)
      else {
        present.push(r)
        const token = alignment.steps[r]![i]!
        const trials = byToken.get(token)
        if (trials === undefined) byToken.set(token, [r])
        else trials.push(r)
      }
    }
    add(absent)
    add(present)
    if (byToken.size < 2) continue
    const groups = new Map<string, number[]>()
    const into = (key: string, trials: readonly number[]): void => {
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [...trials])
      else group.push(...trials)
    }
    for (const [number, trials] of byToken) {
      const token = tokens[number]!
      into(`t${token.tool}`, trials)
      for (let i = 0; i < token.facets.length; i += 3)
        into(`${token.facets[i]}=${token.facets[i + 1]}`, trials)
    }
    for (const group of groups.values()) add(group.sort((a, b) => a - b))
  }
  return [...distinct.values()]
}

/** Calls `visit` with the bits of every subset of `size` of `total`; the same array each time. */
function eachSubset(total: number, size: number, visit: (bits: Uint32Array) => void): void {
  const bits = new Uint32Array((total + 31) >> 5)
  const choose = (from: number, left: number): void => {
    if (left === 0) {
      visit(bits)
      return
    }
    for (let r = from; r <= total - left; r++) {
      bits[r >> 5]! |= 1 << (r & 31)
      choose(r + 1, left - 1)
      bits[r >> 5]! &= ~(1 << (r & 31))
    }
  }
  choose(0, size)
}

function randomHits(test: Test, total: number, failing: number, rng: Rng): number {
  const trials = Array.from({ length: total }, (_, r) => r)
  const bits = new Uint32Array((total + 31) >> 5)
  let hits = 0
  for (let draw = 0; draw < CONFIG.randomLabelings; draw++) {
    bits.fill(0)
    for (let i = 0; i < failing; i++) {
      const j = i + rng.below(total - i)
      const chosen = trials[j]!
      trials[j] = trials[i]!
      trials[i] = chosen
      bits[chosen >> 5]! |= 1 << (chosen & 31)
    }
    if (test.isAsClear(bits)) hits++
  }
  return hits
}

/** Number of subsets; a double, exact as far as doubles are. */
function binomial(n: number, k: number): number {
  let value = 1
  for (let i = 1; i <= Math.min(k, n - k); i++) value = Math.round((value * (n - i + 1)) / i)
  return value
}
