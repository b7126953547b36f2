// pass^k and pass@k: worked values, exact fractions, and the laws that hold for all counts.

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  exactPassAtK,
  exactPassHatK,
  failAllK,
  fractionText,
  logSubsetRatio,
  passAtCurve,
  passAtEstimate,
  passAtK,
  passAtText,
  passHatCurve,
  passHatEstimate,
  passHatInterval,
  passHatK,
  passHatVariance,
} from '../../../src/analysis/reliability/passk.ts'
import { limits, near, valueOf } from './figures.ts'

const counts = fc
  .integer({ min: 1, max: 120 })
  .chain((n) =>
    fc.record({ n: fc.constant(n), c: fc.integer({ min: 0, max: n }), k: fc.integer({ min: 1, max: n }) }),
  )

describe('pass^k and pass@k', () => {
  it.each([
    [10, 8, 2, '28/45', '44/45'],
    [10, 8, 5, '2/9', '1'],
    [8, 6, 4, '3/14', '1'],
    [8, 6, 2, '15/28', '27/28'],
    [5, 2, 2, '1/10', '7/10'],
    [10, 3, 4, '0', '5/6'],
    [10, 0, 1, '0', '0'],
    [10, 10, 10, '1', '1'],
    [1, 1, 1, '1', '1'],
    [100, 97, 10, '178/245', '1'],
    [64, 32, 8, '325/136762', '136437/136762'],
  ])('n=%i c=%i k=%i: %s and %s', (n, c, k, hat, at) => {
    const asNumber = (text: string): number => {
      const [numerator, denominator = '1'] = text.split('/')
      return Number(numerator) / Number(denominator)
    }
    expect(fractionText(exactPassHatK(n, c, k)!)).toBe(hat)
    expect(fractionText(exactPassAtK(n, c, k)!)).toBe(at)
    near(passHatK(n, c, k), asNumber(hat), 1e-14)
    near(passAtK(n, c, k), asNumber(at), 1e-14)
  })

  it('is stable for large counts', () => {
    near(passHatK(1000, 995, 100), 0.58983218169, 1e-11)
    expect(passAtK(1000, 995, 100)).toBe(1)
    // Log space above 10,000 trials and below 1e-280 agrees with what the product would give.
    near(passHatK(20_000, 19_900, 100), Math.exp(logSubsetRatio(19_900, 20_000, 100)), 1e-12)
    near(logSubsetRatio(600, 1000, 600), -logChooseByProduct(1000, 600), 1e-9)
    expect(passHatK(1000, 600, 500)).toBeGreaterThan(0)
    expect(passHatCurve(1000, 600)[499]).toBeCloseTo(passHatK(1000, 600, 500), 12)
  })

  it('is not the plug-in: 8 of 10', () => {
    expect(passHatK(10, 8, 10)).toBe(0)
    near(passHatK(10, 8, 3), 0.4667, 5e-5)
    near(passAtK(4, 1, 3), 0.75, 1e-14)
    near(passAtK(164, 50, 10), 0.9768, 5e-5)
  })

  it.each([
    [5, 6, 2],
    [5, 2, 6],
    [5, 2, 0],
    [5, -1, 1],
    [0, 0, 1],
    [5.5, 2, 1],
    [5, 2.5, 1],
    [5, 2, 1.5],
    [Number.NaN, 1, 1],
  ])('throws RangeError for n=%d c=%d k=%d', (n, c, k) => {
    for (const of of [passHatK, passAtK, failAllK, exactPassHatK, exactPassAtK, passHatVariance]) {
      expect(() => of(n, c, k)).toThrow(RangeError)
    }
  })

  it('says why there is no figure instead of giving one', () => {
    expect(passHatEstimate(5, 2, 6)).toEqual({ ok: false, reason: 'k-exceeds-n' })
    expect(passAtEstimate(0, 0, 1)).toEqual({ ok: false, reason: 'no-trials' })
    expect(valueOf(passHatEstimate(5, 2, 2))).toBeCloseTo(0.1, 14)
    expect(() => passHatEstimate(5, 6, 1)).toThrow(RangeError)
    expect(exactPassHatK(201, 100, 2)).toBeNull()
    expect(exactPassAtK(201, 100, 2)).toBeNull()
  })

  it('does not print certainty that is not there', () => {
    expect(passAtText(10, 5, 5)).toBe('0.996')
    expect(passAtText(10, 3, 7)).toBe('0.992')
    expect(passAtText(20, 16, 4)).toBe('1 - 2.1e-4')
    expect(passAtText(10, 8, 5)).toBe('1')
    expect(passAtText(3000, 600, 2000)).toBe('1 - (below 1e-300)')
  })

  it('never contradicts itself, for all counts', () => {
    fc.assert(
      fc.property(counts, ({ n, c, k }) => {
        const hat = passHatCurve(n, c)
        const at = passAtCurve(n, c)
        expect(hat).toHaveLength(n)
        near(hat[0]!, c / n, 1e-15)
        near(at[0]!, c / n, 1e-15)
        expect([0, 1]).toContain(hat[n - 1])
        for (let i = 1; i < n; i++) {
          expect(hat[i]!).toBeLessThanOrEqual(hat[i - 1]!)
          expect(at[i]!).toBeGreaterThanOrEqual(at[i - 1]!)
        }
        near(hat[k - 1]!, passHatK(n, c, k), 1e-14)
        near(at[k - 1]!, passAtK(n, c, k), 1e-14)
        near(passHatK(n, c, k), 1 - passAtK(n, n - c, k), 1e-14)
        const exact = exactPassHatK(n, c, k)!
        const scale = 10n ** 20n
        near(passHatK(n, c, k), Number((exact.numerator * scale) / exact.denominator) / 1e20, 1e-14)
      }),
    )
  })

  it('is unbiased for p^k: the mean over all samples', () => {
    const p = 0.8
    const n = 10
    const chance = Array.from({ length: n + 1 }, (_, c) => choose(n, c) * p ** c * (1 - p) ** (n - c))
    for (const k of [1, 2, 5, 10]) {
      near(
        chance.reduce((total, weight, c) => total + weight * passHatK(n, c, k), 0),
        p ** k,
        1e-14,
      )
      near(
        chance.reduce((total, weight, c) => total + weight * passAtK(n, c, k), 0),
        1 - (1 - p) ** k,
        1e-14,
      )
    }
    // The variance estimator is unbiased too: its mean is the true variance of pass^2.
    const mean = chance.reduce((total, weight, c) => total + weight * valueOf(passHatVariance(n, c, 2)), 0)
    const second = chance.reduce((total, weight, c) => total + weight * passHatK(n, c, 2) ** 2, 0)
    near(mean, 0.0415288889, 1e-10)
    near(mean, second - p ** 4, 1e-14)
  })

  it('knows the variance of one task', () => {
    const known: [number, number, number, number][] = [
      [10, 8, 1, 0.0177778],
      [10, 8, 2, 0.0538272],
      [10, 8, 5, 0.0493827],
      [8, 6, 2, 0.0727041],
      [8, 6, 4, 0.0459184],
    ]
    for (const [n, c, k, variance] of known) near(valueOf(passHatVariance(n, c, k)), variance, 5e-8)
    expect(passHatVariance(10, 10, 5)).toEqual({ ok: true, value: 0 })
    expect(passHatVariance(10, 8, 6)).toEqual({ ok: false, reason: 'needs-2k-trials' })
    fc.assert(
      fc.property(counts, ({ n, c, k }) => {
        const variance = passHatVariance(n, c, k)
        expect(variance.ok).toBe(2 * k <= n)
        if (variance.ok) expect(variance.value).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('raises the interval of p to the k-th power', () => {
    limits(passHatInterval(10, 8, 2), 0.443905 ** 2, 0.974789 ** 2, 2e-6)
    limits(passHatInterval(10, 8, 2, 'wilson'), 0.490162 ** 2, 0.943318 ** 2, 2e-6)
    expect(passHatInterval(0, 0, 2)).toEqual({ ok: false, reason: 'no-trials' })
    expect(() => passHatInterval(10, 8, 0)).toThrow(RangeError)
  })
})

function choose(n: number, k: number): number {
  let value = 1
  for (let j = 0; j < k; j++) value = (value * (n - j)) / (j + 1)
  return value
}

function logChooseByProduct(n: number, k: number): number {
  let value = 0
  for (let j = 0; j < k; j++) value += Math.log((n - j) / (j + 1))
  return value
}
