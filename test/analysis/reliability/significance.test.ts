// Exact tests and corrections against their worked values, and what may be paired at all.

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../../src/model/outcome.ts'
import { benjaminiHochberg, holm } from '../../../src/analysis/reliability/multiple.ts'
import {
  taskMcNemar,
  taskPasses,
  taskRegressions,
  trialMcNemar,
  type SeededTrial,
} from '../../../src/analysis/reliability/regression.ts'
import {
  fisher,
  fisherFloor,
  mcnemar,
  rateDifference,
} from '../../../src/analysis/reliability/significance.ts'
import { near, valueOf } from './figures.ts'

describe('McNemar', () => {
  it.each([
    [10, 1, 3 / 256, 13 / 2048, 5.818182, 0.01586133],
    [6, 2, 37 / 128, 23 / 128, 1.125, 0.28884437],
    [0, 5, 1 / 16, 1 / 32, 3.2, 0.07363827],
    [5, 0, 0.0625, 0.03125, 3.2, 0.07363827],
    [5, 5, 1, 449 / 512, 0, 1],
    [7, 1, 9 / 128, 5 / 128, 3.125, 0.07709987],
    [25, 10, 0.0166738478, 0.01133098418, 5.6, 0.01796048],
    [30, 12, 0.00791589733, 0.00540157265, 6.880952, 0.00871191],
  ])('b=%i c=%i', (b, c, exact, midP, chi, p) => {
    const found = mcnemar(b, c)
    near(found.exact, exact, 1e-11)
    near(found.midP, midP, 1e-11)
    near(found.chiSquare!.statistic, chi, 5.1e-7)
    near(found.chiSquare!.p, p, 5.1e-9)
    expect(found.isChiSquareShown).toBe(b + c > 25)
  })

  it('is 1 without disagreement', () => {
    expect(mcnemar(0, 0)).toEqual({ b: 0, c: 0, exact: 1, midP: 1, chiSquare: null, isChiSquareShown: false })
  })

  it.each([
    [6, 0, 0.03125, 0.016, 5e-4],
    [8, 2, 0.109, 0.065, 5e-4],
    [10, 10, 1, 0.912, 5e-4],
    [24, 0, 1.2e-7, 6e-8, 5e-9],
    [3, 0, 0.25, 0.125, 1e-12],
  ])('b=%i c=%i, as printed', (b, c, exact, midP, tolerance) => {
    near(mcnemar(b, c).exact, exact, tolerance)
    near(mcnemar(b, c).midP, midP, tolerance)
  })

  it('does not overflow with thousands of discordant pairs', () => {
    near(mcnemar(600, 700).exact, 0.0060157938610449395, 1e-13)
    near(mcnemar(1000, 1100).exact, 0.03072070786424249, 1e-12)
    expect(mcnemar(1000, 1000).exact).toBe(1)
    near(mcnemar(50_000, 50_300).exact, mcnemar(50_000, 50_300).chiSquare!.p, 1e-5)
    // Smaller than any double: still not zero.
    expect(mcnemar(10, 3000).exact).toBeGreaterThan(0)
    expect(mcnemar(0, 100_000).midP).toBeGreaterThan(0)
  })

  it('is symmetric and ordered, for all counts', () => {
    const count = fc.integer({ min: 0, max: 3000 })
    fc.assert(
      fc.property(count, count, (b, c) => {
        const found = mcnemar(b, c)
        expect(found.exact).toBe(mcnemar(c, b).exact)
        expect(found.midP).toBeLessThanOrEqual(found.exact)
        expect(found.exact).toBeLessThanOrEqual(1)
      }),
    )
    expect(() => mcnemar(-1, 2)).toThrow(RangeError)
    expect(() => mcnemar(1.5, 2)).toThrow(RangeError)
  })
})

describe('Fisher', () => {
  it.each([
    [2, 0, 0, 3, 1 / 10, 0.05, 0.1],
    [5, 0, 0, 5, 1 / 252, 0.001984127, 0.0079365079],
    [4, 1, 1, 4, 13 / 126, 0.0535714286, 0.2063492063],
    [3, 1, 0, 6, 1 / 30, 1 / 60, 1 / 30],
    [7, 3, 1, 9, 83 / 8398, 0.0051202667, 0.0197666111],
    [8, 2, 5, 5, 113 / 646, 0.1017801858, 0.3498452012],
  ])('[[%i,%i],[%i,%i]]', (a, b, c, d, greater, midP, twoSided) => {
    const found = fisher(a, b, c, d)
    near(found.greater, greater, 1e-12)
    near(found.midPGreater, midP, 5.1e-11)
    near(found.twoSided, twoSided, 5.1e-11)
    near(found.less + found.greater, 1 + found.table, 1e-12)
  })

  it('knows its floor: the smallest p that so few trials can give', () => {
    near(fisherFloor(2, 2), 1 / 3)
    near(fisherFloor(3, 3), 0.1)
    near(fisherFloor(4, 4), 0.0286, 5e-5)
    near(fisherFloor(3, 5), 0.0179, 5e-5)
    near(fisherFloor(5, 5), 2 / 252)
    near(fisher(6, 0, 0, 6).twoSided, 0.00216, 5e-6)
    expect(fisherFloor(0, 4)).toBe(1)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 }), (n1, n2) => {
        let least = 1
        for (let a = 0; a <= n1; a++)
          for (let c = 0; c <= n2; c++) least = Math.min(least, fisher(a, n1 - a, c, n2 - c).twoSided)
        near(fisherFloor(n1, n2), least, 1e-12)
      }),
    )
  })

  it('stands large tables', () => {
    near(fisher(300, 700, 350, 650).twoSided, 0.019284321614513614, 1e-11)
    expect(fisher(5000, 0, 0, 5000).twoSided).toBeGreaterThan(0)
    expect(() => fisher(1, -1, 0, 0)).toThrow(RangeError)
  })
})

describe('difference of two rates', () => {
  it.each([
    [0, 2, 3, 3, -1, -1, -0.135279],
    [0, 3, 5, 5, -1, -1, -0.290032],
    [1, 4, 9, 10, -0.65, -0.870293, -0.107386],
    [0, 8, 8, 8, -1, -1, -0.541218],
    [3, 10, 9, 10, -0.6, -0.809018, -0.170523],
  ])('%i/%i - %i/%i', (x1, n1, x2, n2, difference, lower, upper) => {
    const found = valueOf(rateDifference(x1, n1, x2, n2))
    near(found.difference, difference, 1e-12)
    near(found.interval.lower, lower, 5.1e-7)
    near(found.interval.upper, upper, 5.1e-7)
  })

  it('is not estimable without trials', () => {
    expect(rateDifference(0, 0, 1, 2)).toEqual({ ok: false, reason: 'no-trials' })
    expect(() => rateDifference(3, 2, 1, 2)).toThrow(RangeError)
  })
})

describe('several comparisons', () => {
  const p = [0.001, 0.01, 0.02, 0.04, 0.3]

  it('adjusts by Holm and by Benjamini-Hochberg', () => {
    for (const [i, value] of [0.005, 0.04, 0.06, 0.08, 0.3].entries()) near(holm(p)[i]!, value)
    for (const [i, value] of [0.005, 0.025, 1 / 30, 0.05, 0.3].entries())
      near(benjaminiHochberg(p)[i]!, value)
    const shuffled = [3, 0, 4, 2, 1]
    expect(holm(shuffled.map((i) => p[i]!))).toEqual(shuffled.map((i) => holm(p)[i]))
    expect([holm([]), benjaminiHochberg([])]).toEqual([[], []])
    expect(() => holm([0.1, Number.NaN])).toThrow(RangeError)
  })

  it('never adjusts downward, and BH never above Holm', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }), (values) => {
        const strict = holm(values)
        const loose = benjaminiHochberg(values)
        for (const [i, value] of values.entries()) {
          expect(loose[i]!).toBeGreaterThanOrEqual(value * (1 - 1e-12))
          expect(strict[i]!).toBeGreaterThanOrEqual(loose[i]! * (1 - 1e-12))
          expect(strict[i]!).toBeLessThanOrEqual(1)
        }
      }),
    )
  })
})

describe('regressions', () => {
  const pair = (taskId: string, a: [number, number], b: [number, number]) => ({
    taskId,
    a: { c: a[0], n: a[1] },
    b: { c: b[0], n: b[1] },
  })

  it('judges a task by the stated rule', () => {
    expect(taskPasses({ n: 5, c: 3 }, { kind: 'majority' })).toEqual({ ok: true, value: true })
    expect(taskPasses({ n: 4, c: 2 }, { kind: 'majority' })).toEqual({ ok: false, reason: 'tie' })
    expect(taskPasses({ n: 4, c: 4 }, { kind: 'all' })).toEqual({ ok: true, value: true })
    expect(taskPasses({ n: 4, c: 3 }, { kind: 'all' })).toEqual({ ok: true, value: false })
    expect(taskPasses({ n: 4, c: 3 }, { kind: 'pass-hat', k: 2, threshold: 0.5 })).toEqual({
      ok: true,
      value: true,
    })
    expect(taskPasses({ n: 4, c: 3 }, { kind: 'pass-hat', k: 5, threshold: 0.5 })).toEqual({
      ok: false,
      reason: 'k-exceeds-n',
    })
    expect(taskPasses({ n: 0, c: 0 }, { kind: 'all' })).toEqual({ ok: false, reason: 'no-trials' })
  })

  it('runs McNemar over tasks and names those it left out', () => {
    const found = taskMcNemar(
      [
        pair('a', [5, 5], [0, 5]),
        pair('b', [4, 5], [1, 5]),
        pair('c', [1, 5], [5, 5]),
        pair('d', [2, 4], [0, 4]),
      ],
      { kind: 'majority' },
    )
    expect([found.test.b, found.test.c, found.compared, found.leftOut]).toEqual([2, 1, 3, ['d']])
  })

  it('pairs trials by shared seed only', () => {
    const trial = (taskId: string, seed: string | null, outcome: SeededTrial['outcome']): SeededTrial => ({
      taskId,
      seed,
      outcome,
    })
    const a = [
      trial('x', '1', 'pass'),
      trial('x', '2', 'pass'),
      trial('y', '1', 'fail'),
      trial('y', '3', 'pass'),
    ]
    const b = [
      trial('x', '2', 'fail'),
      trial('x', '1', 'error'),
      trial('y', '1', 'pass'),
      trial('y', '4', 'pass'),
    ]
    const found = valueOf(trialMcNemar(a, b, DEFAULT_POLICY))
    expect([found.test.b, found.test.c, found.pairs, found.leftOut]).toEqual([2, 1, 3, 2])
    expect(found.treatsTrialsAsIndependent).toBe(true)
    const excluded = valueOf(trialMcNemar(a, b, { error: 'exclude', unknown: 'exclude' }))
    expect([excluded.test.b, excluded.pairs, excluded.leftOut, excluded.treatsTrialsAsIndependent]).toEqual([
      1,
      2,
      4,
      false,
    ])
    const refused = { ok: false, reason: 'no-shared-seeds' }
    expect(trialMcNemar(a, [trial('x', null, 'fail')], DEFAULT_POLICY)).toEqual(refused)
    expect(trialMcNemar(a, [trial('x', '9', 'fail')], DEFAULT_POLICY)).toEqual(refused)
    expect(trialMcNemar([...a, trial('x', '1', 'fail')], b, DEFAULT_POLICY)).toEqual(refused)
    expect(trialMcNemar([], [], DEFAULT_POLICY)).toEqual(refused)
  })

  it('shows the power floor instead of an empty table', () => {
    const tasks = Array.from({ length: 50 }, (_, i) => pair(`t${i}`, [5, 5], [i === 0 ? 0 : 5, 5]))
    const gate = taskRegressions(tasks)
    expect([gate.m, gate.tasks[0]!.taskId]).toEqual([50, 't0'])
    near(gate.tasks[0]!.p, 2 / 252)
    near(gate.tasks[0]!.adjusted, 100 / 252)
    near(gate.adjustedFloor, 100 / 252)
    expect(gate.adjustedFloor).toBeGreaterThan(0.05)
    near(taskRegressions(tasks, 'benjamini-hochberg').adjustedFloor, 2 / 252)
    const none = taskRegressions([pair('empty', [0, 0], [1, 2])])
    expect([none.m, none.leftOut, none.adjustedFloor]).toEqual([0, ['empty'], 1])
  })
})
