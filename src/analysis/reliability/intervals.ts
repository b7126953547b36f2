// Intervals for a proportion x of n (methods.md A6): Wilson by default, Clopper–Pearson where a guarantee is
// wanted, Jeffreys for the verdicts, one-sided upper bounds for events that must not happen, and the effective
// number of trials for pooled rates. Sources: Wilson (1927); Clopper & Pearson (1934); Brown, Cai, DasGupta (2001);
// Kish (1965) for the design effect.

import {
  estimable,
  notEstimable,
  requireConfidence,
  requireInteger,
  type Estimated,
  type Interval,
  type UpperBound,
} from './estimate.ts'
import { normalQuantile, twoSidedZ } from './normal.ts'
import { betaQuantile } from './special.ts'

function requireProportion(x: number, n: number, confidence: number): void {
  requireInteger('n', n, 0)
  requireInteger('x', x, 0, n)
  requireConfidence(confidence)
}

/** Wilson limits of rate `p` seen in `n` trials (n may be an effective number, hence not whole). */
export function wilsonLimits(p: number, n: number, z: number): { lower: number; upper: number } {
  const z2 = z * z
  const scale = 1 + z2 / n
  const centre = (p + z2 / (2 * n)) / scale
  const half = (z * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n))) / scale
  // At the ends the formula gives 0 and 1 up to rounding (10 of 10: 0.9999999999999999): say them exactly.
  return { lower: p === 0 ? 0 : Math.max(0, centre - half), upper: p === 1 ? 1 : Math.min(1, centre + half) }
}

/** Wilson's score interval for x of n, two-sided, without continuity correction. Not estimable for n = 0. */
export function wilson(x: number, n: number, confidence = 0.95): Estimated<Interval> {
  requireProportion(x, n, confidence)
  if (n === 0) return notEstimable('no-trials')
  return estimable({
    ...wilsonLimits(x / n, n, twoSidedZ(confidence)),
    confidence,
    method: 'wilson',
    resampling: null,
  })
}

/** The Clopper–Pearson ("exact") interval: coverage never below the stated confidence, often well above. */
export function clopperPearson(x: number, n: number, confidence = 0.95): Estimated<Interval> {
  requireProportion(x, n, confidence)
  if (n === 0) return notEstimable('no-trials')
  const tail = (1 - confidence) / 2
  return estimable({
    lower: x === 0 ? 0 : betaQuantile(x, n - x + 1, tail),
    upper: x === n ? 1 : betaQuantile(x + 1, n - x, 1 - tail),
    confidence,
    method: 'clopper-pearson',
    resampling: null,
  })
}

/** The Jeffreys interval: quantiles of Beta(x + ½, n − x + ½), 0 at x = 0 and 1 at x = n. */
export function jeffreys(x: number, n: number, confidence = 0.95): Estimated<Interval> {
  requireProportion(x, n, confidence)
  if (n === 0) return notEstimable('no-trials')
  const tail = (1 - confidence) / 2
  return estimable({
    lower: x === 0 ? 0 : betaQuantile(x + 0.5, n - x + 0.5, tail),
    upper: x === n ? 1 : betaQuantile(x + 0.5, n - x + 0.5, 1 - tail),
    confidence,
    method: 'jeffreys',
    resampling: null,
  })
}

/** One-sided Wilson upper bound for x of n: z = Φ⁻¹(confidence). */
export function wilsonUpper(x: number, n: number, confidence = 0.95): Estimated<UpperBound> {
  requireProportion(x, n, confidence)
  if (n === 0) return notEstimable('no-trials')
  const { upper } = wilsonLimits(x / n, n, normalQuantile(confidence))
  return estimable({ upper, confidence, method: 'wilson' })
}

/** One-sided exact upper bound for x of n; 1 − α^(1/n) when x = 0. */
export function exactUpper(x: number, n: number, confidence = 0.95): Estimated<UpperBound> {
  requireProportion(x, n, confidence)
  if (n === 0) return notEstimable('no-trials')
  const upper =
    x === n ? 1 : x === 0 ? -Math.expm1(Math.log1p(-confidence) / n) : betaQuantile(x + 1, n - x, confidence)
  return estimable({ upper, confidence, method: 'clopper-pearson' })
}

/** Printed under every interval over pooled trials. */
export const POOLED_CAUTION = 'trials of one task are not independent of each other'

/**
 * The number of independent trials that would carry as much as these: N/(1 + (m − 1)·ICC), with m = Σn²/N, which is
 * the trials per task when all tasks have as many. A negative ICC counts as 0. `ns` are the trials of each task.
 * Not estimable without trials.
 */
export function effectiveTrials(ns: readonly number[], icc: number): Estimated<number> {
  let trials = 0
  let squares = 0
  for (const n of ns) {
    requireInteger('n', n, 0)
    trials += n
    squares += n * n
  }
  if (trials === 0) return notEstimable('no-trials')
  return estimable(trials / (1 + (squares / trials - 1) * Math.max(0, icc)))
}
