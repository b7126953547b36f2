// Sums, means and medians with compensated summation (methods.md A0.4), used by every estimator here.
// A plain sum of the published fixture gives 0.7649999999999999 where 0.765 is meant.
// Source: A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", ZAMM 54 (1974).

/** The sum, with Neumaier's compensation: the error does not grow with the number of terms. 0 for no terms. */
export function sum(values: ArrayLike<number>): number {
  let total = 0
  let compensation = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    const next = total + value
    // The low-order digits lost in `next` belong to whichever operand is smaller.
    compensation += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total
    total = next
  }
  return total + compensation
}

/** The arithmetic mean. Throws RangeError for no values: a mean of nothing is not estimable, ask before. */
export function mean(values: ArrayLike<number>): number {
  if (values.length === 0) throw new RangeError('The mean of no values does not exist')
  return sum(values) / values.length
}

/** The sample standard deviation (divisor n − 1). Throws RangeError for fewer than two values. */
export function sampleDeviation(values: ArrayLike<number>): number {
  const n = values.length
  if (n < 2) throw new RangeError('A sample deviation needs two values')
  const centre = mean(values)
  const squares = new Float64Array(n)
  for (let i = 0; i < n; i++) squares[i] = (values[i]! - centre) ** 2
  return Math.sqrt(sum(squares) / (n - 1))
}

/** The median; between the two middle values when their number is even. Throws RangeError for no values. */
export function median(values: ArrayLike<number>): number {
  if (values.length === 0) throw new RangeError('The median of no values does not exist')
  const sorted = Float64Array.from(values).sort()
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}
