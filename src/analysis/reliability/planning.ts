// How many trials a release needs (methods.md A7): without a failure, and with some allowed. Two conventions give
// different numbers and are told apart by name: the exact one-sided binomial bound, and the upper end of the
// two-sided Wilson interval. The rule of three is a mnemonic, never a result.

import { requireConfidence, requireInteger } from './estimate.ts'
import { twoSidedZ } from './normal.ts'

function requireRate(rate: number): void {
  if (!(rate > 0 && rate < 1)) throw new RangeError(`A failure rate must lie between 0 and 1, got ${rate}`)
}

/** P(Bin(n, p) ≤ x) for n ≥ 0, 0 < p < 1; terms by recurrence in logarithms, so that no n overflows. */
export function binomialCdf(x: number, n: number, p: number): number {
  requireInteger('n', n, 0)
  requireRate(p)
  if (x < 0) return 0
  if (x >= n) return 1
  const logOdds = Math.log(p) - Math.log1p(-p)
  let logTerm = n * Math.log1p(-p)
  // Terms are added relative to the largest so far: exp of a single one may underflow.
  let largest = logTerm
  let total = 1
  for (let i = 0; i < Math.floor(x); i++) {
    logTerm += Math.log((n - i) / (i + 1)) + logOdds
    if (logTerm > largest) {
      total = total * Math.exp(largest - logTerm) + 1
      largest = logTerm
    } else {
      total += Math.exp(logTerm - largest)
    }
  }
  return Math.min(1, total * Math.exp(largest))
}

/**
 * The smallest n such that n trials with at most `failures` failures show, one-sided at `confidence`, that the failure
 * rate is below `rate`: P(Bin(n, rate) ≤ failures) ≤ 1 − confidence. With no failure allowed, (1 − rate)^n ≤ α.
 */
export function trialsNeeded(rate: number, failures: number, confidence = 0.95): number {
  requireRate(rate)
  requireInteger('failures', failures, 0)
  requireConfidence(confidence)
  // A hair of tolerance, so that 0.95 = 1 − 0.05 does not cost a trial.
  const alpha = (1 - confidence) * (1 + 1e-12)
  const shows = (n: number): boolean => binomialCdf(failures, n, rate) <= alpha
  let low = failures
  let high = failures + 1
  while (!shows(high)) {
    low = high
    high *= 2
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (shows(middle)) high = middle
    else low = middle
  }
  return high
}

/** The smallest n whose two-sided Wilson interval at 0 of n ends at or below `rate`: n ≥ z²(1 − rate)/rate. */
export function cleanTrialsByWilson(rate: number, confidence = 0.95): number {
  requireRate(rate)
  requireConfidence(confidence)
  return Math.ceil((twoSidedZ(confidence) ** 2 * (1 - rate)) / rate - 1e-9)
}

/** 3/rate, rounded up: what to remember, not what to report. */
export function ruleOfThree(rate: number): number {
  requireRate(rate)
  return Math.ceil(3 / rate - 1e-9)
}

/** The chance that a system with true failure rate `trueRate` passes a plan of `n` trials with `failures` allowed. */
export function passingChance(n: number, failures: number, trueRate: number): number {
  requireInteger('n', n, 1)
  requireInteger('failures', failures, 0, n)
  return binomialCdf(failures, n, trueRate)
}

/** One row of a plan: with `failures` allowed, `trials` are needed; how often systems of given quality pass it. */
export type PlanRow = {
  readonly failures: number
  readonly trials: number
  readonly chances: readonly { readonly trueRate: number; readonly chance: number }[]
}

/** A plan: trials for 0 to the allowed number of failures, and the other convention for clean trials, named. */
export type Plan = {
  readonly rate: number
  readonly confidence: number
  readonly convention: 'one-sided exact binomial'
  readonly rows: readonly PlanRow[]
  readonly clean: {
    readonly oneSidedExact: number
    readonly twoSidedWilson: number
    readonly ruleOfThree: number
  }
}

/**
 * The plan that shows a failure rate below `rate` with 0 to `failures` failures allowed. The chances are those of
 * systems at a tenth, a fifth, two fifths of the rate and at the rate itself (there: the α that was asked for).
 */
export function planTrials(rate: number, failures: number, confidence = 0.95): Plan {
  requireInteger('failures', failures, 0)
  const rows = Array.from({ length: failures + 1 }, (_, allowed): PlanRow => {
    const trials = trialsNeeded(rate, allowed, confidence)
    const chances = [0.1, 0.2, 0.4, 1].map((share) => ({
      trueRate: share * rate,
      chance: passingChance(trials, allowed, share * rate),
    }))
    return { failures: allowed, trials, chances }
  })
  return {
    rate,
    confidence,
    convention: 'one-sided exact binomial',
    rows,
    clean: {
      oneSidedExact: trialsNeeded(rate, 0, confidence),
      twoSidedWilson: cleanTrialsByWilson(rate, confidence),
      ruleOfThree: ruleOfThree(rate),
    },
  }
}
