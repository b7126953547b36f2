// Several comparisons at once (methods.md A8): Holm's adjustment where one false alarm would stop a release, the
// Benjamini–Hochberg adjustment for exploring. Sources: Holm (1979); Benjamini & Hochberg (1995).

function requireProbabilities(p: readonly number[]): void {
  for (const value of p) {
    if (!(value >= 0 && value <= 1)) throw new RangeError(`A p-value lies in [0, 1], got ${value}`)
  }
}

/** Indices by ascending p; equal ones stay in the order given. */
function ascending(p: readonly number[]): number[] {
  return p.map((_, index) => index).sort((a, b) => p[a]! - p[b]! || a - b)
}

/** Holm's adjusted p-values, in the order given: the running maximum of (m − j)·p₍ⱼ₎, at most 1. */
export function holm(p: readonly number[]): readonly number[] {
  requireProbabilities(p)
  const adjusted = Array.from<number>({ length: p.length })
  let running = 0
  for (const [j, index] of ascending(p).entries()) {
    running = Math.max(running, Math.min(1, (p.length - j) * p[index]!))
    adjusted[index] = running
  }
  return adjusted
}

/** Benjamini–Hochberg adjusted p-values, in the order given: the running minimum, from the largest, of m·p₍ⱼ₎/(j+1). */
export function benjaminiHochberg(p: readonly number[]): readonly number[] {
  requireProbabilities(p)
  const adjusted = Array.from<number>({ length: p.length })
  const order = ascending(p)
  let running = 1
  for (let j = p.length - 1; j >= 0; j--) {
    const index = order[j]!
    running = Math.min(running, (p.length * p[index]!) / (j + 1))
    adjusted[index] = running
  }
  return adjusted
}
