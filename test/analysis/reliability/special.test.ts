// Distributions against values computed with SciPy 1.17.

import { describe, expect, it } from 'vitest'
import {
  normalCdf,
  normalQuantile,
  studentQuantile,
  twoSidedZ,
} from '../../../src/analysis/reliability/normal.ts'
import {
  betaCdf,
  betaQuantile,
  logChoose,
  logFactorial,
  logGamma,
} from '../../../src/analysis/reliability/special.ts'
import { mean, median, sampleDeviation, sum } from '../../../src/analysis/reliability/sums.ts'
import { near } from './figures.ts'

const relative = (actual: number, expected: number, tolerance: number): void =>
  near(actual, expected, tolerance * Math.abs(expected))

describe('distributions', () => {
  it('knows the normal quantile and its own z, not 1.96', () => {
    near(twoSidedZ(0.8), 1.2815515655446004, 1e-14)
    near(twoSidedZ(0.9), 1.6448536269514722, 1e-14)
    near(twoSidedZ(0.95), 1.959963984540054, 1e-14)
    near(twoSidedZ(0.99), 2.5758293035489004, 1e-14)
    near(normalQuantile(1e-10), -6.361340902404056, 1e-13)
    near(normalQuantile(1e-300), -37.0470962993612, 1e-12)
    expect([normalQuantile(0), normalQuantile(0.5), normalQuantile(1)]).toEqual([-Infinity, 0, Infinity])
    expect(() => normalQuantile(1.1)).toThrow(RangeError)
  })

  it('keeps relative precision in the tail of the normal', () => {
    relative(normalCdf(-12), 1.776482112077653e-33, 1e-12)
    relative(normalCdf(-6), 9.865876450376946e-10, 1e-12)
    relative(normalCdf(-4.5), 3.3976731247300535e-6, 1e-12)
    near(normalCdf(-1), 0.15865525393145707, 1e-15)
    near(normalCdf(0.3), 0.6179114221889526, 1e-15)
    near(normalCdf(5), 0.9999997133484281, 1e-15)
    expect(normalCdf(0)).toBe(0.5)
  })

  it('knows Student quantiles', () => {
    const known = { 2: 4.302652729749462, 5: 2.5705818356363146, 7: 2.364624251592784, 9: 2.262157162798205 }
    for (const [degrees, t] of Object.entries(known)) near(studentQuantile(0.975, Number(degrees)), t, 1e-10)
    near(studentQuantile(0.975, 100), 1.9839715185235518, 1e-10)
    expect(() => studentQuantile(0.5, 3)).toThrow(RangeError)
  })

  it('knows gamma, factorials and binomial coefficients', () => {
    near(logGamma(0.1), 2.252712651734206, 1e-13)
    near(logGamma(0.5), 0.5723649429247, 1e-13)
    near(logGamma(3.7), 1.428072326665388, 1e-13)
    relative(logGamma(12345.6), 103959.18506616844, 1e-14)
    near(logFactorial(5), Math.log(120), 1e-15)
    relative(logFactorial(1023), 6071.28041294445, 1e-14)
    relative(logFactorial(1024), 6078.211884750051, 1e-14)
    relative(logFactorial(100_000), 1051299.2218991218, 1e-14)
    near(logChoose(10, 3), Math.log(120), 1e-13)
    expect(logChoose(3, 4)).toBe(-Infinity)
  })

  it('knows the incomplete beta and its inverse', () => {
    near(betaCdf(2, 3, 0.4), 0.5248, 1e-14)
    near(betaCdf(0.5, 0.5, 0.1), 0.20483276469913345, 1e-14)
    near(betaCdf(100, 200, 0.3), 0.10884306564490986, 1e-12)
    near(betaCdf(5000, 3000, 0.63), 0.8221209976303466, 1e-10)
    near(betaCdf(1e5, 2e5, 0.3333), 0.48472420024960267, 1e-8)
    for (const p of [0.001, 0.025, 0.4, 0.975]) {
      for (const [a, b] of [
        [0.5, 20.5],
        [1, 1],
        [9, 2],
        [300, 7],
      ] as const) {
        near(betaCdf(a, b, betaQuantile(a, b, p)), p, 1e-11)
      }
    }
    expect(() => betaCdf(0, 1, 0.5)).toThrow(RangeError)
  })
})

describe('sums', () => {
  it('compensates, so that the published mean is exact', () => {
    expect(mean([6, 10, 7, 8, 7, 10, 6, 9, 8, 5, 8, 9, 6, 8, 6, 9, 7, 7, 10, 7].map((c) => c / 10))).toBe(
      0.765,
    )
    expect(sum([1, 1e100, 1, -1e100])).toBe(2)
    expect(sum([])).toBe(0)
  })

  it('knows medians and deviations, and refuses empty ones', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 3, 2])).toBe(2.5)
    near(sampleDeviation([0, 0, 0, 25, 0, 0, 40, 0, 0, 0]), 14.151953143569186, 1e-12)
    expect(() => mean([])).toThrow(RangeError)
    expect(() => median([])).toThrow(RangeError)
    expect(() => sampleDeviation([1])).toThrow(RangeError)
  })
})
