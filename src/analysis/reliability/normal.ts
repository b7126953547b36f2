// The normal, chi-square (one degree of freedom) and Student distributions, for intervals and tests.
// Sources: Marsaglia, "Evaluating the normal distribution" (2004) for the cdf; Wichura, AS 241 PPND16 (1988) for
// the quantile. Upper tails are always `normalCdf(-z)`, never `1 - normalCdf(z)`: the difference would be rounding.

import { betaQuantile } from './special.ts'

const HALF_LOG_2PI = 0.9189385332046728

/** P(Z ≤ x) for a standard normal Z; relative error below 2e-13 down to twelve standard deviations. */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) throw new RangeError('The normal cdf of NaN does not exist')
  if (x < -4) return normalTail(-x)
  if (x > 4) return 1 - normalTail(x)
  let total = x
  let previous = 0
  let term = x
  for (let i = 3; total !== previous; i += 2) {
    previous = total
    term *= (x * x) / i
    total = previous + term
  }
  return 0.5 + total * Math.exp(-0.5 * x * x - HALF_LOG_2PI)
}

/** P(Z > x) for x > 4, by the continued fraction of Laplace. */
function normalTail(x: number): number {
  let fraction = 0
  for (let k = 120; k >= 1; k--) fraction = k / (x + fraction)
  return Math.exp(-0.5 * x * x - HALF_LOG_2PI) / (x + fraction)
}

/** The polynomial with these coefficients, highest power first. */
function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0
  for (const coefficient of coefficients) value = value * x + coefficient
  return value
}

// Coefficients of AS 241, highest power first: centre, shoulders, far tails.
const CENTRE_P = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
  1971.5909503065513, 133.14166789178438, 3.3871328727963665,
]
const CENTRE_Q = [
  5226.495278852546, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
  687.1870074920579, 42.31333070160091, 1,
]
const SHOULDER_P = [
  7.745450142783414e-4, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
  5.769497221460691, 4.630337846156546, 1.4234371107496835,
]
const SHOULDER_Q = [
  1.0507500716444169e-9, 5.475938084995345e-4, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
  1.6763848301838038, 2.053191626637759, 1,
]
const TAIL_P = [
  2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124,
  0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
]
const TAIL_Q = [
  2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 7.868691311456133e-4,
  0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1,
]

/** The standard normal quantile of `p` in [0, 1]; ∓∞ at 0 and 1. RangeError outside. */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`A probability lies in [0, 1], got ${p}`)
  if (p === 0) return -Infinity
  if (p === 1) return Infinity
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q
    return (q * polynomial(CENTRE_P, r)) / polynomial(CENTRE_Q, r)
  }
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p))
  const tail =
    r <= 5
      ? polynomial(SHOULDER_P, r - 1.6) / polynomial(SHOULDER_Q, r - 1.6)
      : polynomial(TAIL_P, r - 5) / polynomial(TAIL_Q, r - 5)
  return q < 0 ? -tail : tail
}

/** The z of a two-sided interval: Φ⁻¹(1 − α/2); 1.959963984540054 at 95 %. */
export function twoSidedZ(confidence: number): number {
  return normalQuantile(1 - (1 - confidence) / 2)
}

/** P(X > x) of a chi-square variable with one degree of freedom. */
export function chiSquareTail(x: number): number {
  return x <= 0 ? 1 : 2 * normalCdf(-Math.sqrt(x))
}

/** The quantile of Student's t with `degrees` of freedom at `p` in (0.5, 1), through the beta quantile. */
export function studentQuantile(p: number, degrees: number): number {
  if (!(p > 0.5 && p < 1) || !(degrees > 0)) {
    throw new RangeError(`Student quantile needs 0.5 < p < 1 and degrees > 0 (p=${p}, degrees=${degrees})`)
  }
  // t²/(degrees + t²) is Beta(1/2, degrees/2).
  const share = betaQuantile(0.5, degrees / 2, 2 * p - 1)
  return Math.sqrt((degrees * share) / (1 - share))
}
