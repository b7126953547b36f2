// pass^k and pass@k of one task from its counts (methods.md A1): the share of all k-subsets of its n trials that
// passed throughout, and that hold at least one pass.
//     pass^k = C(c,k)/C(n,k)        pass@k = 1 − C(n−c,k)/C(n,k)        1 ≤ k ≤ n, 0 ≤ c ≤ n
// Both are unbiased for p^k and 1 − (1−p)^k when trials are alike and independent. Sources: Chen et al. (2021) for
// pass@k, Yao et al. (2024) for pass^k. The plug-in (c/n)^k is biased and is nowhere used as an estimate.

import {
  estimable,
  notEstimable,
  requireInteger,
  type Estimate,
  type Estimated,
  type Interval,
} from './estimate.ts'
import { clopperPearson, wilson } from './intervals.ts'

/** From here on products of ratios give way to sums of logarithms. */
const LOG_SPACE_TRIALS = 10_000
const LOG_SPACE_RATIO = 1e-280
/** Exact fractions are for reading: above this n nobody reads them. */
export const EXACT_TRIALS = 200

function requireCounts(n: number, c: number, k: number): void {
  requireInteger('n', n, 1)
  requireInteger('c', c, 0, n)
  requireInteger('k', k, 1, n)
}

/** C(selected, k)/C(n, k): the chance that k trials drawn without replacement all are among the selected. */
function subsetRatio(selected: number, n: number, k: number): number {
  if (selected < k) return 0
  if (n > LOG_SPACE_TRIALS) return Math.exp(logSubsetRatio(selected, n, k))
  let ratio = 1
  for (let j = 0; j < k; j++) ratio *= (selected - j) / (n - j)
  return ratio < LOG_SPACE_RATIO ? Math.exp(logSubsetRatio(selected, n, k)) : ratio
}

/** ln of `C(selected, k)/C(n, k)`, where the ratio itself may underflow; −∞ when it is zero. */
export function logSubsetRatio(selected: number, n: number, k: number): number {
  requireCounts(n, selected, k)
  if (selected < k) return -Infinity
  let total = 0
  for (let j = 0; j < k; j++) total += Math.log1p((selected - n) / (n - j))
  return total
}

/** C(s,k)/C(n,k) for k = 1..n in one pass (index k − 1). */
function subsetCurve(selected: number, n: number): number[] {
  const curve: number[] = []
  let ratio = 1
  let logRatio = 0
  for (let j = 0; j < n; j++) {
    if (j >= selected) {
      curve.push(0)
      continue
    }
    ratio *= (selected - j) / (n - j)
    logRatio += Math.log1p((selected - n) / (n - j))
    curve.push(n > LOG_SPACE_TRIALS || ratio < LOG_SPACE_RATIO ? Math.exp(logRatio) : ratio)
  }
  return curve
}

/** pass^k of a task with `c` passes in `n` trials. RangeError for anything but 1 ≤ k ≤ n, 0 ≤ c ≤ n. */
export function passHatK(n: number, c: number, k: number): number {
  requireCounts(n, c, k)
  return subsetRatio(c, n, k)
}

/** pass@k of a task with `c` passes in `n` trials. RangeError as `passHatK`. */
export function passAtK(n: number, c: number, k: number): number {
  requireCounts(n, c, k)
  return 1 - subsetRatio(n - c, n, k)
}

/** 1 − pass@k kept as it is: the chance that all of k trials fail, exact where pass@k would round to 1. */
export function failAllK(n: number, c: number, k: number): number {
  requireCounts(n, c, k)
  return subsetRatio(n - c, n, k)
}

/** pass^k for k = 1..n (index k − 1). RangeError for impossible counts; empty for n = 0. */
export function passHatCurve(n: number, c: number): number[] {
  requireInteger('n', n, 0)
  requireInteger('c', c, 0, n)
  return subsetCurve(c, n)
}

/** pass@k for k = 1..n (index k − 1). */
export function passAtCurve(n: number, c: number): number[] {
  requireInteger('n', n, 0)
  requireInteger('c', c, 0, n)
  return subsetCurve(n - c, n).map((allFail) => 1 - allFail)
}

/** pass^k or, where k > n, the reason why there is none. Invalid integers still throw. */
export function passHatEstimate(n: number, c: number, k: number): Estimate {
  return guarded(n, c, k, passHatK)
}

/** pass@k or, where k > n, the reason why there is none. */
export function passAtEstimate(n: number, c: number, k: number): Estimate {
  return guarded(n, c, k, passAtK)
}

function guarded(n: number, c: number, k: number, of: (n: number, c: number, k: number) => number): Estimate {
  requireInteger('n', n, 0)
  requireInteger('c', c, 0, n)
  requireInteger('k', k, 1)
  if (n === 0) return notEstimable('no-trials')
  return k > n ? notEstimable('k-exceeds-n') : estimable(of(n, c, k))
}

/** A fraction in lowest terms. */
export type Fraction = { readonly numerator: bigint; readonly denominator: bigint }

function exactRatio(selected: number, n: number, k: number): Fraction {
  if (selected < k) return { numerator: 0n, denominator: 1n }
  let numerator = 1n
  let denominator = 1n
  for (let j = 0; j < k; j++) {
    numerator *= BigInt(selected - j)
    denominator *= BigInt(n - j)
  }
  let a = numerator
  let b = denominator
  while (b > 0n) [a, b] = [b, a % b]
  return { numerator: numerator / a, denominator: denominator / a }
}

/** pass^k as a fraction in lowest terms; null when n > 200, where nobody could read it. */
export function exactPassHatK(n: number, c: number, k: number): Fraction | null {
  requireCounts(n, c, k)
  return n > EXACT_TRIALS ? null : exactRatio(c, n, k)
}

/** pass@k as a fraction in lowest terms; null when n > 200. */
export function exactPassAtK(n: number, c: number, k: number): Fraction | null {
  requireCounts(n, c, k)
  if (n > EXACT_TRIALS) return null
  const { numerator, denominator } = exactRatio(n - c, n, k)
  return { numerator: denominator - numerator, denominator }
}

/** "28/45"; a whole number without its denominator. */
export function fractionText({ numerator, denominator }: Fraction): string {
  return denominator === 1n ? numerator.toString() : `${numerator}/${denominator}`
}

/**
 * pass@k for reading: `digits` decimals, but "1 - 2.0e-4" above 0.9995, where rounding would claim certainty;
 * "1" only when it is exactly 1.
 */
export function passAtText(n: number, c: number, k: number, digits = 3): string {
  const allFail = failAllK(n, c, k)
  if (allFail > 0 && allFail < 0.0005) return `1 - ${allFail.toExponential(1)}`
  if (allFail > 0) return (1 - allFail).toFixed(digits)
  // All k may fail with a chance below the smallest double: still not certain.
  return n - c >= k ? '1 - (below 1e-300)' : '1'
}

/**
 * The unbiased variance of one task's pass^k over repetitions of its n trials: (C(c,k)/C(n,k))² − C(c,2k)/C(n,2k),
 * since C(c,2k)/C(n,2k) is unbiased for p^2k. Needs 2k ≤ n.
 */
export function passHatVariance(n: number, c: number, k: number): Estimate {
  requireCounts(n, c, k)
  if (2 * k > n) return notEstimable('needs-2k-trials')
  // Never negative in exact arithmetic; rounding may leave −1e-17 at c = n.
  return estimable(Math.max(0, subsetRatio(c, n, k) ** 2 - subsetRatio(c, n, 2 * k)))
}

/**
 * An interval for the true p^k of one task: the interval (L, U) of p raised to the k-th power, a monotone
 * transform, so its coverage is that of (L, U). Label it "interval for p^k": the estimate pass^k may lie outside
 * when c < k. k may exceed n.
 */
export function passHatInterval(
  n: number,
  c: number,
  k: number,
  method: 'clopper-pearson' | 'wilson' = 'clopper-pearson',
  confidence = 0.95,
): Estimated<Interval> {
  requireInteger('k', k, 1)
  const base = method === 'wilson' ? wilson(c, n, confidence) : clopperPearson(c, n, confidence)
  if (!base.ok) return base
  return estimable({ ...base.value, lower: base.value.lower ** k, upper: base.value.upper ** k })
}
