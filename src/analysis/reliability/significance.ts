// Exact tests on counts (methods.md A9): McNemar for paired verdicts, Fisher for two groups, Newcombe's interval for
// a difference of rates. Whether the counts may be paired at all is decided in regression.ts; here is arithmetic.
// Sources: McNemar (1947); Fagerland, Lydersen, Laake (2013) for mid-p; Fisher (1935); Newcombe (1998), method 10.

import {
  estimable,
  notEstimable,
  requireConfidence,
  requireInteger,
  type Estimated,
  type Interval,
} from './estimate.ts'
import { wilsonLimits } from './intervals.ts'
import { chiSquareTail, twoSidedZ } from './normal.ts'
import { logChoose } from './special.ts'

/** Rounding may leave an exact p just above 1, and underflow at 0, which no exact p is. */
function probable(p: number): number {
  return Math.max(Number.MIN_VALUE, Math.min(1, p))
}

/** McNemar's test over b + c discordant pairs; all p two-sided. */
export type McNemar = {
  /** Passed before, fails now; failed before, passes now. */
  readonly b: number
  readonly c: number
  readonly exact: number
  readonly midP: number
  /** The corrected asymptotic test, for comparison only; null without disagreement. */
  readonly chiSquare: { readonly statistic: number; readonly p: number } | null
  /** Show the asymptotic test: only above 25 discordant pairs. */
  readonly isChiSquareShown: boolean
}

/**
 * Exact and mid-p McNemar from the discordant counts. b = c = 0 gives p = 1: no disagreement. Any number of pairs:
 * the tail is summed downward from its largest term. A p below the smallest double is given as that double, not 0.
 */
export function mcnemar(b: number, c: number): McNemar {
  requireInteger('b', b, 0)
  requireInteger('c', c, 0)
  const n = b + c
  const m = Math.min(b, c)
  if (n === 0) return { b, c, exact: 1, midP: 1, chiSquare: null, isChiSquareShown: false }
  const point = Math.exp(logChoose(n, m) - n * Math.LN2)
  let relative = 1
  let tail = 1
  for (let i = m; i > 0 && relative > 1e-18 * tail; i--) {
    relative *= i / (n - i + 1)
    tail += relative
  }
  const statistic = Math.max(0, Math.abs(b - c) - 1) ** 2 / n
  return {
    b,
    c,
    exact: probable(2 * tail * point),
    midP: probable(b === c ? 1 - 0.5 * point : (2 * tail - 1) * point),
    chiSquare: { statistic, p: chiSquareTail(statistic) },
    isChiSquareShown: n > 25,
  }
}

/** Fisher's exact test of [[a, b], [c, d]] given its margins. `greater`: a at least as large as seen. */
export type Fisher = {
  readonly twoSided: number
  readonly greater: number
  readonly less: number
  readonly midPGreater: number
  /** Probability of the table itself. */
  readonly table: number
}

/**
 * Fisher's exact test of the table with rows (a, b) and (c, d). Two-sided: the sum over all tables with these margins
 * that are no more probable than the one seen (relative tolerance 1e-7). A p below the smallest double is given as that.
 */
export function fisher(a: number, b: number, c: number, d: number): Fisher {
  for (const [name, count] of Object.entries({ a, b, c, d })) requireInteger(name, count, 0)
  const row1 = a + b
  const row2 = c + d
  const column1 = a + c
  const all = logChoose(row1 + row2, column1)
  const probability = (x: number): number => Math.exp(logChoose(row1, x) + logChoose(row2, column1 - x) - all)
  const table = probability(a)
  let twoSided = 0
  let greater = 0
  let less = 0
  for (let x = Math.max(0, column1 - row2); x <= Math.min(row1, column1); x++) {
    const p = probability(x)
    if (p <= table * (1 + 1e-7)) twoSided += p
    if (x >= a) greater += p
    if (x <= a) less += p
  }
  return {
    twoSided: probable(twoSided),
    greater: probable(greater),
    less: probable(less),
    midPGreater: probable(greater - 0.5 * table),
    table,
  }
}

/** The smallest two-sided Fisher p that groups of n1 and n2 trials can give: that of (n1, 0; 0, n2). 1 if one is empty. */
export function fisherFloor(n1: number, n2: number): number {
  requireInteger('n1', n1, 0)
  requireInteger('n2', n2, 0)
  return fisher(n1, 0, 0, n2).twoSided
}

/** p1 − p2 with Newcombe's hybrid score interval. */
export type RateDifference = { readonly difference: number; readonly interval: Interval }

/** x1 of n1 minus x2 of n2, with Newcombe's interval from the two Wilson intervals. Not estimable if n1 or n2 is 0. */
export function rateDifference(
  x1: number,
  n1: number,
  x2: number,
  n2: number,
  confidence = 0.95,
): Estimated<RateDifference> {
  requireInteger('n1', n1, 0)
  requireInteger('n2', n2, 0)
  requireInteger('x1', x1, 0, n1)
  requireInteger('x2', x2, 0, n2)
  requireConfidence(confidence)
  if (n1 === 0 || n2 === 0) return notEstimable('no-trials')
  const p1 = x1 / n1
  const p2 = x2 / n2
  const z = twoSidedZ(confidence)
  const first = wilsonLimits(p1, n1, z)
  const second = wilsonLimits(p2, n2, z)
  const difference = p1 - p2
  return estimable({
    difference,
    interval: {
      lower: Math.max(-1, difference - Math.hypot(p1 - first.lower, second.upper - p2)),
      upper: Math.min(1, difference + Math.hypot(first.upper - p1, p2 - second.lower)),
      confidence,
      method: 'newcombe',
      resampling: null,
    },
  })
}
