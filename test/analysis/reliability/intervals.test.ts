// Intervals for a proportion against the printed tables, and the laws they must keep.

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clopperPearson,
  effectiveTrials,
  exactUpper,
  jeffreys,
  wilson,
  wilsonUpper,
} from '../../../src/analysis/reliability/intervals.ts'
import { limits, near, valueOf } from './figures.ts'

describe('intervals for x of n', () => {
  // x, n, Wilson, Clopper-Pearson, Jeffreys, one-sided Wilson upper bound; all 95 %.
  it.each([
    [0, 10, 0, 0.277533, 0, 0.308497, 0, 0.217196, 0.212942],
    [0, 20, 0, 0.161125, 0, 0.168433, 0, 0.116639, 0.119158],
    [1, 20, 0.008881, 0.236131, 0.001265, 0.248733, 0.005449, 0.210819, 0.196007],
    [2, 50, 0.011039, 0.134601, 0.004881, 0.137138, 0.008404, 0.122179, 0.1139],
    [0, 100, 0, 0.036993, 0, 0.036217, 0, 0.024745, 0.026343],
    [5, 100, 0.021544, 0.11175, 0.016432, 0.112835, 0.019332, 0.1061, 0.099161],
    [0, 300, 0, 0.012643, 0, 0.012221, 0, 0.008331, 0.008938],
    [8, 10, 0.490162, 0.943318, 0.443905, 0.974789, 0.497226, 0.955941, 0.931442],
    [10, 10, 0.722467, 1, 0.691503, 1, 0.782804, 1, 1],
    [26, 80, 0.232442, 0.433595, 0.22446, 0.438937, 0.229983, 0.432423, 0.415632],
    [4, 80, 0.019614, 0.121623, 0.013789, 0.123099, 0.01711, 0.114493, 0.106799],
    [84, 200, 0.353736, 0.489279, 0.350744, 0.491664, 0.353152, 0.489145, 0.478099],
  ])('%i of %i', (x, n, wl, wu, cl, cu, jl, ju, upper) => {
    limits(wilson(x, n), wl, wu, 5.1e-7)
    limits(clopperPearson(x, n), cl, cu, 5.1e-7)
    limits(jeffreys(x, n), jl, ju, 5.1e-7)
    near(valueOf(wilsonUpper(x, n)).upper, upper, 5.1e-7)
  })

  it.each([
    [1, 1, 0.2065, 1],
    [5, 5, 0.5655, 1],
    [10, 10, 0.7225, 1],
    [0, 10, 0, 0.2775],
    [17, 20, 0.6396, 0.9476],
    [4, 5, 0.3755, 0.9638],
    [3, 8, 0.1368, 0.6943],
    [1, 2, 0.0945, 0.9055],
    [238, 405, 0.5391, 0.6346],
    [238, 445, 0.4884, 0.5807],
  ])('Wilson %i of %i', (x, n, lower, upper) => limits(wilson(x, n), lower, upper, 5.1e-5))

  it('is exactly 0 and 1 at the ends', () => {
    for (let n = 1; n < 400; n++) {
      expect(valueOf(wilson(n, n)).upper).toBe(1)
      expect(valueOf(wilson(0, n)).lower).toBe(0)
      const z2 = 1.959963984540054 ** 2
      near(valueOf(wilson(0, n)).upper, z2 / (n + z2), 1e-14)
      near(valueOf(wilson(n, n)).lower, n / (n + z2), 1e-14)
    }
  })

  it('is not estimable for 0 of 0, and refuses impossible counts', () => {
    for (const of of [wilson, clopperPearson, jeffreys, wilsonUpper, exactUpper]) {
      expect(of(0, 0)).toEqual({ ok: false, reason: 'no-trials' })
      expect(() => of(3, 2)).toThrow(RangeError)
      expect(() => of(-1, 2)).toThrow(RangeError)
      expect(() => of(0.5, 2)).toThrow(RangeError)
      expect(() => of(1, 2, 1)).toThrow(RangeError)
      expect(() => of(1, 2, Number.NaN)).toThrow(RangeError)
    }
  })

  it('lies in [0, 1], holds x/n, and mirrors, for all counts', () => {
    const counts = fc
      .integer({ min: 1, max: 5000 })
      .chain((n) => fc.record({ n: fc.constant(n), x: fc.integer({ min: 0, max: n }) }))
    fc.assert(
      fc.property(counts, fc.constantFrom(0.8, 0.95, 0.99), ({ n, x }, confidence) => {
        for (const of of [wilson, clopperPearson, jeffreys]) {
          const { lower, upper } = valueOf(of(x, n, confidence))
          expect(lower).toBeGreaterThanOrEqual(0)
          expect(upper).toBeLessThanOrEqual(1)
          expect(lower).toBeLessThanOrEqual(x / n)
          expect(upper).toBeGreaterThanOrEqual(x / n)
          const mirror = valueOf(of(n - x, n, confidence))
          near(mirror.lower, 1 - upper, 1e-9)
        }
        // The guaranteed interval is never the narrower one on the side that matters.
        const exact = valueOf(clopperPearson(x, n, confidence))
        expect(valueOf(jeffreys(x, n, confidence)).upper).toBeLessThanOrEqual(exact.upper + 1e-9)
      }),
    )
  })

  it('has the stated coverage: the Clopper-Pearson tail at its own limit is α/2', () => {
    // P(Bin(20, upper) ≤ 1) must be 2.5 % at the upper limit of 1 of 20.
    const { upper } = valueOf(clopperPearson(1, 20))
    near((1 - upper) ** 20 + 20 * upper * (1 - upper) ** 19, 0.025, 1e-12)
    near(valueOf(exactUpper(0, 80)).upper, 1 - 0.05 ** (1 / 80), 1e-14)
    near(valueOf(exactUpper(26, 80)).upper, 0.421324, 5.1e-7)
    near(valueOf(exactUpper(4, 80)).upper, 0.110772, 5.1e-7)
    near(valueOf(exactUpper(0, 80)).upper, 0.036754, 5.1e-7)
    near(valueOf(wilsonUpper(0, 80)).upper, 0.032713, 5.1e-7)
    expect(valueOf(exactUpper(4, 4)).upper).toBe(1)
  })
})

describe('effective number of trials', () => {
  it('shrinks with the intraclass correlation', () => {
    near(
      valueOf(
        effectiveTrials(
          Array.from({ length: 10 }, () => 8),
          0.619875776,
        ),
      ),
      14.98,
      0.005,
    )
    near(valueOf(effectiveTrials([8, 8], 0)), 16)
    near(valueOf(effectiveTrials([8, 8], 1)), 2)
    near(valueOf(effectiveTrials([8, 8], -0.1)), 16)
    expect(effectiveTrials([], 0.5)).toEqual({ ok: false, reason: 'no-trials' })
  })
})
