// Do retries look independent: runs and drift against worked values and full enumeration, and the plain signs.

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  contaminationFlags,
  stoppingRule,
  type TrialSurroundings,
} from '../../../src/analysis/reliability/contamination.ts'
import {
  driftDistribution,
  executionOrder,
  runsDistribution,
  testIndependence,
} from '../../../src/analysis/reliability/independence.ts'
import { AIRLINE, CAREFUL, EAGER, near, trialsOf, valueOf } from './figures.ts'

describe('runs and drift', () => {
  it.each([
    ['careful', CAREFUL, [15, 14.75, 2.758929, 0.150512, 0.880361], [2.5, 32.25, 0.440225, 0.659774]],
    ['eager', EAGER, [18, 16.75, 4.473214, 0.591017, null], [3.5, 38.25, 0.565916, null]],
    ['airline', AIRLINE, [72, 70, 10.666667, 0.612372, 0.540291], [-1, 36.666667, -0.165145, 0.86883]],
    ['one task', ['11110000'], [2, 5, 1.714286, -2.291288, null], [-8, 12, -2.309401, 0.020921]],
    ['drifting', ['00111', '01111', '00011', '10111'], null, [9, 10, 2.84605, 0.004427]],
  ])('%s', (_, texts, runs, drift) => {
    const found = testIndependence(texts.map(trialsOf))
    if (runs) {
      const test = valueOf(found.runs)
      for (const [i, figure] of [test.statistic, test.expected, test.variance, test.z].entries())
        near(figure, runs[i]!, 5.1e-7)
      if (runs[4] !== null) near(test.normalP, runs[4]!, 5.1e-7)
      expect(test.method).toBe(test.variance < 5 ? 'exact' : 'normal')
    }
    const test = valueOf(found.drift)
    for (const [i, figure] of [test.statistic, test.variance, test.z].entries())
      near(figure, drift[i]!, 5.1e-7)
    if (drift[3] !== null) near(test.p, drift[3]!, 5.1e-7)
    expect(test.p).toBe(test.normalP)
  })

  it('warns after the correction for two tests, not before', () => {
    const found = testIndependence(['00111', '01111', '00011', '10111'].map(trialsOf))
    expect(found.isSuspect).toBe(true)
    near(valueOf(found.drift).adjusted, 2 * valueOf(found.drift).p)
    expect(testIndependence(CAREFUL.map(trialsOf)).isSuspect).toBe(false)
  })

  it('has the exact distribution of runs', () => {
    const { from, weights } = runsDistribution(5, 3)
    expect(from).toBe(2)
    for (const [i, ways] of [2, 6, 16, 16, 12, 4].entries()) near(weights[i]!, ways / 56, 1e-12)
    expect(weights).toHaveLength(6)
  })

  it('has exact distributions and moments: all orders of every small task', () => {
    for (let n = 2; n <= 8; n++) {
      for (let passes = 1; passes < n; passes++) {
        const orders = allOrders(n, passes)
        const runs = runsDistribution(passes, n - passes)
        const drift = driftDistribution(n, passes)
        const runsSeen = orders.map((order) => 1 + order.filter((x, i) => i > 0 && x !== order[i - 1]).length)
        const driftSeen = orders.map((order) =>
          order.reduce((s, x, i) => s + (x ? i + 1 - (n + 1) / 2 : 0), 0),
        )
        for (const [{ from, weights }, seen] of [
          [runs, runsSeen],
          [drift, driftSeen],
        ] as const) {
          for (const [i, weight] of weights.entries()) {
            near(
              weight,
              seen.filter((value) => Math.abs(value - from - i) < 1e-9).length / orders.length,
              1e-12,
            )
          }
          near(
            weights.reduce((a, b) => a + b, 0),
            1,
            1e-12,
          )
        }
        const test = testIndependence([orders[0]!])
        const spread = (values: number[], mean: number) =>
          values.reduce((s, v) => s + (v - mean) ** 2, 0) / values.length
        if (test.runs.ok) near(test.runs.value.variance, spread(runsSeen, test.runs.value.expected), 1e-9)
        near(valueOf(test.drift).variance, spread(driftSeen, 0), 1e-9)
      }
    }
  })

  it('gives exact p-values over several tasks: the same as enumerating all orders', () => {
    const texts = ['1101', '100']
    const orders = [allOrders(4, 3), allOrders(3, 1)]
    const both = orders[0]!.flatMap((first) => orders[1]!.map((second) => testIndependence([first, second])))
    const seen = testIndependence(texts.map(trialsOf))
    for (const kind of ['runs', 'drift'] as const) {
      const { statistic, expected, p, method } = valueOf(seen[kind])
      const far = both.filter((one) => {
        const other = valueOf(one[kind])
        return Math.abs(other.statistic - expected) >= Math.abs(statistic - expected) - 1e-9
      })
      expect(method).toBe('exact')
      near(p, far.length / both.length, 1e-12)
    }
  })

  it('stands many short and few long tasks', () => {
    const long = [true, ...Array.from({ length: 3000 }, () => false)]
    expect(valueOf(testIndependence([long]).runs).method).toBe('exact')
    fc.assert(
      fc.property(fc.array(fc.array(fc.boolean(), { maxLength: 9 }), { maxLength: 9 }), (sequences) => {
        const found = testIndependence(sequences)
        for (const test of [found.runs, found.drift]) {
          if (!test.ok) continue
          expect(test.value.p).toBeGreaterThan(0)
          expect(test.value.p).toBeLessThanOrEqual(1)
          expect(Number.isFinite(test.value.z)).toBe(true)
        }
      }),
    )
  })

  it('is not estimable without mixed tasks', () => {
    const found = testIndependence([trialsOf('1111'), trialsOf('00'), []])
    expect(found).toEqual({
      runs: { ok: false, reason: 'no-mixed-tasks' },
      drift: { ok: false, reason: 'no-mixed-tasks' },
      tasks: 0,
      isSuspect: false,
    })
    // One pass and one failure always give two runs: no test there, but a drift.
    const pair = testIndependence([trialsOf('10')])
    expect([pair.runs.ok, pair.drift.ok]).toEqual([false, true])
  })

  it('orders trials by start, else by index, else not', () => {
    const place = (index: number | null, startMs: number | null, passed: boolean) => ({
      index,
      startMs,
      passed,
    })
    expect(executionOrder([place(0, 20, true), place(1, 10, false)])).toEqual({
      ok: true,
      value: [false, true],
    })
    expect(executionOrder([place(1, null, true), place(0, 10, false)])).toEqual({
      ok: true,
      value: [false, true],
    })
    expect(executionOrder([place(0, 10, true), place(0, 10, false)])).toEqual({
      ok: false,
      reason: 'order-unknown',
    })
    expect(executionOrder([place(null, null, true)])).toEqual({ ok: false, reason: 'order-unknown' })
  })
})

describe('signs of contamination', () => {
  const trial = (trialId: string, facts: Partial<TrialSurroundings> = {}): TrialSurroundings => ({
    trialId,
    initialStateHash: null,
    environmentId: null,
    startMs: null,
    endMs: null,
    readsFrom: [],
    ...facts,
  })

  it('finds environments that differ, overlap or leak', () => {
    expect(
      contaminationFlags([
        trial('1', { initialStateHash: 'a', environmentId: 'e', startMs: 0, endMs: 10 }),
        trial('2', { initialStateHash: 'b', environmentId: 'e', startMs: 9, endMs: 12 }),
        trial('3', { environmentId: 'e', startMs: 12, endMs: 13, readsFrom: ['1'] }),
        trial('4', { initialStateHash: 'a', environmentId: 'f', startMs: 0, endMs: 10, readsFrom: ['4'] }),
      ]),
    ).toEqual([
      { kind: 'initial-state-missing', trials: ['3'] },
      { kind: 'initial-state-differs', trials: ['1', '2', '4'] },
      { kind: 'environment-overlap', trials: ['1', '2'] },
      { kind: 'reads-other-trial', trials: ['3'] },
    ])
  })

  it('says nothing where the source says nothing', () => {
    expect(contaminationFlags([trial('1'), trial('2')])).toEqual([])
    expect(contaminationFlags([trial('1', { readsFrom: ['2'] })])).toEqual([])
  })

  it('finds a stopping rule in tasks that are shorter than the longest', () => {
    const rule = (...texts: string[]) => stoppingRule(texts.map(trialsOf))
    expect(rule('11111', '110', '0', '10')).toEqual({ kind: 'stops-at-failure', tasks: 3 })
    expect(rule('00000', '01', '1', '001')).toEqual({ kind: 'stops-at-success', tasks: 3 })
    expect(rule('11111', '110', '11')).toBeNull()
    expect(rule('11111', '110')).toBeNull()
    expect(rule('111', '110')).toBeNull()
    expect(rule()).toBeNull()
    expect(rule('00000', '101', '1')).toBeNull()
  })
})

function allOrders(n: number, passes: number): boolean[][] {
  return Array.from({ length: 2 ** n }, (_, bits) =>
    Array.from({ length: n }, (_, i) => ((bits >> i) & 1) === 1),
  ).filter((order) => order.filter(Boolean).length === passes)
}
