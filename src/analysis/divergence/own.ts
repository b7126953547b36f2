// The own score of a difference: how much its kind matters, how surprising it is given the passing trials, and how
// much the other failing trials share it. Natural logarithms; see docs/method-divergence.md for a worked example.

import { logGamma } from '../reliability/special.ts'
import { CONFIG, PRIOR, PRIOR_OTHER } from './constants.ts'

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b)
}

/** Logarithm of the beta-binomial probability of k in n under Beta(a, b). */
export function logBetaBinomial(k: number, n: number, a: number, b: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1) + logBeta(k + a, n - k + b) - logBeta(a, b)
}

/** An own score with the terms it is the sum of. */
export type Own = {
  readonly own: number
  /** Smoothed share of passing trials that show the same. */
  readonly q: number
  readonly prior: number
  readonly novelty: number
  readonly sharing: number
}

/** Own scores of one analysis; Bayes factors are kept, because they repeat. */
export class OwnScores {
  readonly #factors = new Map<string, number>()

  /**
   * Score of a difference of `kind` that `b` of `N` comparable passing trials show too, at novelty rate `eta`, and that
   * `a` of the `others` other failing trials show.
   */
  of(kind: string, b: number, N: number, eta: number, a: number, others: number): Own {
    const prior = PRIOR[kind] ?? PRIOR_OTHER
    const q = Math.min(0.98, (b + CONFIG.m * eta) / (N + CONFIG.m))
    const factor = others > 0 ? this.#factor(b, N, eta, a, others) : 0
    const sharing = Math.log(CONFIG.omega + (1 - CONFIG.omega) * Math.exp(factor))
    return { own: Math.log(prior) - Math.log(q) + sharing, q, prior, novelty: eta, sharing }
  }

  #factor(b: number, N: number, eta: number, a: number, others: number): number {
    const alpha = b + CONFIG.m * eta
    const beta = Math.max(0.2, N - b + CONFIG.m * (1 - eta))
    const key = `${a}|${others}|${alpha.toFixed(4)}|${beta.toFixed(4)}`
    let factor = this.#factors.get(key)
    if (factor === undefined) {
      factor = Math.min(
        CONFIG.bfCap,
        logBetaBinomial(a, others, 1, 1) - logBetaBinomial(a, others, alpha, beta),
      )
      this.#factors.set(key, factor)
    }
    return factor
  }
}
