// Do the retries of a task look independent (methods.md A12)? Given how many passed, are passes and failures bunched
// or alternating (runs), and do later trials do better or worse (drift)? Either would mean that trials share something
// they should not: leftover state, a cache, a limit. Needs the order in which trials were executed.
// Sources: Wald & Wolfowitz (1940); the rank-sum statistic (Wilcoxon 1945) against execution order.

import { estimable, notEstimable, type Estimated } from './estimate.ts'
import { holm } from './multiple.ts'
import { normalCdf } from './normal.ts'
import { logChoose } from './special.ts'
import { sum } from './sums.ts'

/** One test over all tasks with both outcomes. `p` is exact below a variance of 5, else normal; both two-sided. */
export type OrderTest = {
  readonly statistic: number
  readonly expected: number
  readonly variance: number
  readonly z: number
  readonly p: number
  readonly method: 'exact' | 'normal'
  /** The normal approximation, for comparison. */
  readonly normalP: number
  /** After Holm's correction for the two tests. */
  readonly adjusted: number
}

/** Both tests. Runs: z < 0 means bunched, z > 0 alternating. Drift: z > 0 means that later trials pass more. */
export type Independence = {
  readonly runs: Estimated<OrderTest>
  readonly drift: Estimated<OrderTest>
  /** Tasks that took part: those with both outcomes. */
  readonly tasks: number
  /** An adjusted p below 0.05. The z-values are shown in any case. */
  readonly isSuspect: boolean
}

/** Below this variance the normal approximation is not trusted. */
const NORMAL_VARIANCE = 5

/** Tests the pass/fail sequences of several tasks, each in execution order (true = passed). */
export function testIndependence(sequences: readonly (readonly boolean[])[]): Independence {
  const mixed = sequences.filter((trials) => trials.includes(true) && trials.includes(false))
  const found = [runsTest(mixed), driftTest(mixed)] as const
  const adjusted = holm(found.flatMap((test) => (test ? [test.p] : [])))
  let next = 0
  const [runs, drift] = found.map((test): Estimated<OrderTest> =>
    test ? estimable({ ...test, adjusted: adjusted[next++]! }) : notEstimable('no-mixed-tasks'),
  )
  return { runs: runs!, drift: drift!, tasks: mixed.length, isSuspect: adjusted.some((p) => p < 0.05) }
}

/** A trial's place in time, as far as known: its index among the task's trials, or its start. */
export type PlacedTrial = {
  readonly index: number | null
  readonly startMs: number | null
  readonly passed: boolean
}

/**
 * The outcomes of one task in execution order: by start time when every trial has one and no two are equal, else by
 * index under the same conditions, else not estimable.
 */
export function executionOrder(trials: readonly PlacedTrial[]): Estimated<readonly boolean[]> {
  for (const place of ['startMs', 'index'] as const) {
    const places = new Set(trials.map((trial) => trial[place]))
    if (places.size < trials.length || places.has(null)) continue
    const ordered = [...trials].sort((a, b) => (a[place] ?? 0) - (b[place] ?? 0))
    return estimable(ordered.map(({ passed }) => passed))
  }
  return notEstimable('order-unknown')
}

type Unadjusted = Omit<OrderTest, 'adjusted'>

/** A distribution on equally spaced values: `weights[i]` belongs to `from + i·step`. */
type Distribution = { readonly from: number; readonly step: number; readonly weights: readonly number[] }

function orderTest(
  statistic: number,
  expected: number,
  variance: number,
  exact: () => readonly Distribution[],
): Unadjusted | null {
  if (!(variance > 0)) return null
  const z = (statistic - expected) / Math.sqrt(variance)
  const normalP = Math.min(1, 2 * normalCdf(-Math.abs(z)))
  const isExact = variance < NORMAL_VARIANCE
  const p = isExact ? distanceTail(exact(), statistic, expected) : normalP
  return { statistic, expected, variance, z, p, method: isExact ? 'exact' : 'normal', normalP }
}

/** P(the sum lies at least as far from `expected` as `statistic`), by convolution of the parts. */
function distanceTail(parts: readonly Distribution[], statistic: number, expected: number): number {
  let from = 0
  let step = 1
  let weights: readonly number[] = [1]
  for (const part of parts) {
    const next = Array.from({ length: weights.length + part.weights.length - 1 }, () => 0)
    for (const [i, left] of weights.entries()) {
      for (const [j, right] of part.weights.entries()) next[i + j]! += left * right
    }
    weights = next
    from += part.from
    step = part.step
  }
  const distance = Math.abs(statistic - expected) - 1e-9
  return Math.min(1, sum(weights.filter((_, i) => Math.abs(from + i * step - expected) >= distance)))
}

function countPasses(trials: readonly boolean[]): number {
  return trials.filter(Boolean).length
}

function runsTest(sequences: readonly (readonly boolean[])[]): Unadjusted | null {
  let statistic = 0
  let expected = 0
  let variance = 0
  for (const trials of sequences) {
    const n = trials.length
    const passes = countPasses(trials)
    const product = 2 * passes * (n - passes)
    statistic += 1 + trials.filter((passed, i) => i > 0 && passed !== trials[i - 1]).length
    expected += 1 + product / n
    variance += (product * (product - n)) / (n * n * (n - 1))
  }
  return orderTest(statistic, expected, variance, () =>
    sequences.map((trials) => runsDistribution(countPasses(trials), trials.length - countPasses(trials))),
  )
}

/** P(R = r) for the number of runs among `ones` and `zeros` (both ≥ 1) in random order, r = 2, 3, … */
export function runsDistribution(ones: number, zeros: number): Distribution {
  const all = logChoose(ones + zeros, ones)
  const most = 2 * Math.min(ones, zeros) + (ones === zeros ? 0 : 1)
  const weights = Array.from({ length: most - 1 }, (_, i) => {
    const k = Math.floor((i + 2) / 2)
    const ways = (a: number, b: number): number =>
      Math.exp(logChoose(ones - 1, a) + logChoose(zeros - 1, b) - all)
    return i % 2 === 0 ? 2 * ways(k - 1, k - 1) : ways(k, k - 1) + ways(k - 1, k)
  })
  return { from: 2, step: 1, weights }
}

function driftTest(sequences: readonly (readonly boolean[])[]): Unadjusted | null {
  let statistic = 0
  let variance = 0
  for (const trials of sequences) {
    const n = trials.length
    const passes = countPasses(trials)
    statistic += sum(trials.map((passed, i) => (passed ? i + 1 - (n + 1) / 2 : 0)))
    variance += (passes * (n - passes) * (n + 1)) / 12
  }
  return orderTest(statistic, 0, variance, () =>
    sequences.map((trials) => driftDistribution(trials.length, countPasses(trials))),
  )
}

/** The distribution of Σ(j − (n + 1)/2) over the positions j of `passes` passes among n, in random order. */
export function driftDistribution(n: number, passes: number): Distribution {
  // ways[m][s]: subsets of m positions with position sum s, built position by position.
  const most = (passes * (2 * n - passes + 1)) / 2
  const ways = Array.from({ length: passes + 1 }, () => new Float64Array(most + 1))
  ways[0]![0] = 1
  for (let position = 1; position <= n; position++) {
    for (let m = Math.min(passes, position); m >= 1; m--) {
      const target = ways[m]!
      const source = ways[m - 1]!
      for (let total = most; total >= position; total--) target[total]! += source[total - position]!
    }
  }
  const least = (passes * (passes + 1)) / 2
  const counts = Array.from(ways[passes]!.subarray(least))
  const all = sum(counts)
  return { from: least - (passes * (n + 1)) / 2, step: 1, weights: counts.map((count) => count / all) }
}
