// How many trials: the printed plans, both conventions, and the exactness of each number.

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  binomialCdf,
  cleanTrialsByWilson,
  passingChance,
  planTrials,
  ruleOfThree,
  trialsNeeded,
} from '../../../src/analysis/reliability/planning.ts'
import { near } from './figures.ts'

describe('planning', () => {
  it.each([
    [0.1, 29, 44, 35, 30],
    [0.05, 59, 90, 73, 60],
    [0.02, 149, 228, 189, 150],
    [0.01, 299, 459, 381, 300],
    [0.005, 598, 919, 765, 600],
  ])('clean trials for a rate below %d', (rate, at95, at99, wilson, three) => {
    expect(trialsNeeded(rate, 0)).toBe(at95)
    expect(trialsNeeded(rate, 0, 0.99)).toBe(at99)
    expect(cleanTrialsByWilson(rate)).toBe(wilson)
    expect(ruleOfThree(rate)).toBe(three)
  })

  it.each([
    [0.1, [29, 46, 61, 76, 89, 103]],
    [0.05, [59, 93, 124, 153, 181, 208]],
    [0.02, [149, 236, 313, 386, 456, 523]],
    [0.01, [299, 473, 628, 773, 913, 1049]],
  ])('trials with failures allowed for a rate below %d', (rate, trials) => {
    expect(trials.map((_, failures) => trialsNeeded(rate, failures))).toEqual(trials)
  })

  it.each([
    [0.01, [0.5527, 0.7616, 0.8716, 0.9315]],
    [0.005, [0.744, 0.9206, 0.9752, 0.9924]],
    [0.02, [0.3036, 0.4427, 0.5477, 0.6337]],
    [0.05, [0.0485, 0.05, 0.0495, 0.0494]],
  ])('chance that a system failing at %d passes the plans for .05', (rate, chances) => {
    const trials = [59, 93, 124, 153]
    for (const [failures, chance] of chances.entries())
      near(passingChance(trials[failures]!, failures, rate), chance, 5.1e-5)
  })

  it('knows the binomial distribution, also far out', () => {
    near(binomialCdf(20, 5000, 0.005), 0.1848418488777258, 1e-11)
    near(binomialCdf(3, 1000, 0.01), 0.010072654772014291, 1e-12)
    expect([binomialCdf(-1, 5, 0.5), binomialCdf(5, 5, 0.5), binomialCdf(0, 0, 0.5)]).toEqual([0, 1, 1])
    near(binomialCdf(1000, 2000, 0.5), 0.5 + 0.5 * 0.017839, 1e-6)
    expect(trialsNeeded(1e-9, 0)).toBe(2995732273)
  })

  it('gives the smallest number that shows it', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.002, max: 0.9, noNaN: true }),
        fc.integer({ min: 0, max: 8 }),
        (rate, failures) => {
          const n = trialsNeeded(rate, failures)
          expect(binomialCdf(failures, n, rate)).toBeLessThanOrEqual(0.05 * (1 + 1e-11))
          expect(n > failures + 1 ? binomialCdf(failures, n - 1, rate) : 1).toBeGreaterThan(0.05)
        },
      ),
    )
  })

  it('writes a plan with both conventions named', () => {
    const plan = planTrials(0.05, 2)
    expect(plan.convention).toBe('one-sided exact binomial')
    expect(plan.rows.map(({ failures, trials }) => [failures, trials])).toEqual([
      [0, 59],
      [1, 93],
      [2, 124],
    ])
    expect(plan.clean).toEqual({ oneSidedExact: 59, twoSidedWilson: 73, ruleOfThree: 60 })
    near(plan.rows[2]!.chances[1]!.chance, 0.8716, 5.1e-5)
  })

  it('refuses rates and failures that mean nothing', () => {
    for (const rate of [0, 1, -0.1, Number.NaN]) expect(() => trialsNeeded(rate, 0)).toThrow(RangeError)
    expect(() => trialsNeeded(0.1, -1)).toThrow(RangeError)
    expect(() => trialsNeeded(0.1, 0.5)).toThrow(RangeError)
    expect(() => passingChance(5, 6, 0.1)).toThrow(RangeError)
    expect(() => planTrials(0.1, 1, 1)).toThrow(RangeError)
  })
})
