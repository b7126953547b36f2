// From tasks to suites: unequal n with coverage and bounds, weights, and pooled figures that say so.

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  headlineKs,
  macroAtK,
  macroCurve,
  passHistogram,
  pooledRate,
  POOLED_LABEL,
  undefinedTasks,
  weightedAtK,
  type TaskCounts,
} from '../../../src/analysis/reliability/aggregate.ts'
import { limits, near, tasksOf, valueOf } from './figures.ts'

const unequal: TaskCounts[] = [
  { taskId: 'a', n: 5, c: 5 },
  { taskId: 'b', n: 8, c: 6 },
  { taskId: 'c', n: 3, c: 2 },
  { taskId: 'd', n: 10, c: 0 },
]

describe('macro mean', () => {
  it.each([
    [1, 29 / 48, 4, 29 / 48, 29 / 48],
    [2, 157 / 336, 4, 157 / 336, 157 / 336],
    [4, 17 / 42, 3, 0.303571429, 0.553571429],
    [5, 31 / 84, 3, 0.276785714, 0.526785714],
  ])('k=%i with unequal n', (k, mean, defined, lower, upper) => {
    const found = macroAtK(unequal, k, 'pass-hat')
    near(valueOf(found.mean), mean)
    near(valueOf(found.headline), mean)
    expect([found.defined, found.total, found.isPartial]).toEqual([defined, 4, defined < 4])
    near(found.bounds.lower, lower)
    near(found.bounds.upper, upper)
  })

  it('names undefined tasks and withholds the headline below half coverage', () => {
    expect(undefinedTasks(unequal, 4)).toEqual(['c'])
    const at9 = macroAtK(unequal, 9, 'pass-hat')
    expect([at9.defined, at9.mean.ok]).toEqual([1, true])
    expect(at9.headline).toEqual({ ok: false, reason: 'coverage-below-half' })
    near(at9.bounds.upper, 0.75)
    expect(macroAtK(unequal, 11, 'pass-hat').mean).toEqual({ ok: false, reason: 'k-exceeds-n' })
    expect(macroAtK([], 1, 'pass-hat').mean).toEqual({ ok: false, reason: 'no-tasks' })
    expect(() => macroAtK(unequal, 0, 'pass-hat')).toThrow(RangeError)
  })

  it('averages tasks 4/4 and 2/2 to 1 at k = 2', () => {
    const tasks = [
      { taskId: 'a', n: 4, c: 4 },
      { taskId: 'b', n: 2, c: 2 },
    ]
    expect(macroAtK(tasks, 2, 'pass-hat').mean).toEqual({ ok: true, value: 1 })
  })

  it('chooses headline values of k by coverage', () => {
    expect(headlineKs(unequal)).toEqual([1, 2, 5])
    expect(headlineKs(unequal, 8)).toEqual([1, 2, 5, 8])
    expect(headlineKs(unequal, 9)).toEqual([1, 2, 5])
    expect(headlineKs([])).toEqual([])
  })

  it('agrees point by point with its curve, for all suites', () => {
    const suite = fc.array(
      fc
        .integer({ min: 0, max: 12 })
        .chain((n) => fc.record({ n: fc.constant(n), c: fc.integer({ min: 0, max: n }) })),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(suite, fc.constantFrom('pass-hat' as const, 'pass-at' as const), (counts, metric) => {
        const tasks = counts.map((task, i) => ({ taskId: `t${i}`, ...task }))
        const curve = macroCurve(tasks, metric)
        expect(curve).toHaveLength(Math.max(0, ...tasks.map(({ n }) => n)))
        for (const [i, point] of curve.entries()) {
          const single = macroAtK(tasks, i + 1, metric)
          expect({ ...point, mean: 0, headline: 0, bounds: 0 }).toEqual({
            ...single,
            mean: 0,
            headline: 0,
            bounds: 0,
          })
          near(valueOf(point.mean), valueOf(single.mean), 1e-13)
          expect(point.defined).toBe(tasks.length - undefinedTasks(tasks, i + 1).length)
          // The bounds hold the mean whatever the undefined tasks would have given.
          expect(point.bounds.lower).toBeLessThanOrEqual(valueOf(point.mean) + 1e-12)
          expect(point.bounds.upper).toBeGreaterThanOrEqual(valueOf(point.mean) - 1e-12)
        }
      }),
    )
  })
})

describe('weights', () => {
  const weights = { source: 'traffic', of: [0.5, 0.3, 0.1, 0.1] }

  it('renormalises over defined tasks and says what was lost', () => {
    near(valueOf(weightedAtK(unequal, 2, 'pass-hat', weights).mean), 0.694047619)
    const at4 = weightedAtK(unequal, 4, 'pass-hat', weights)
    near(valueOf(at4.mean), 0.626984127)
    near(at4.lostWeight, 0.1)
    expect([at4.defined, at4.total, at4.source]).toEqual([3, 4, 'traffic'])
  })

  it('is not estimable when nothing weighs, and refuses wrong weights', () => {
    const none = weightedAtK(unequal, 1, 'pass-hat', { source: 'x', of: [0, 0, 0, 0] })
    expect(none.mean).toEqual({ ok: false, reason: 'no-weight' })
    const lost = weightedAtK(unequal, 4, 'pass-hat', { source: 'x', of: [0, 0, 1, 0] })
    expect([lost.mean, lost.lostWeight]).toEqual([{ ok: false, reason: 'k-exceeds-n' }, 1])
    for (const of of [
      [1, 1, 1],
      [1, 1, 1, -1],
      [1, 1, 1, Number.NaN],
      [1, 1, 1, Infinity],
    ]) {
      expect(() => weightedAtK(unequal, 1, 'pass-hat', { source: 'x', of })).toThrow(RangeError)
    }
  })
})

describe('pooled', () => {
  it('carries its label and differs from the macro mean', () => {
    const pooled = pooledRate(unequal)
    expect([pooled.passes, pooled.trials, pooled.rate]).toEqual([13, 26, { ok: true, value: 0.5 }])
    expect(pooled.label).toBe(POOLED_LABEL)
    const none = pooledRate([])
    expect([none.rate, none.wilson]).toEqual([
      { ok: false, reason: 'no-trials' },
      { ok: false, reason: 'no-trials' },
    ])
    limits(pooledRate(tasksOf([84], 200)).wilson, 0.353736, 0.489279, 5e-7)
  })

  it('counts tasks by passes and trials', () => {
    expect(passHistogram([...unequal, { taskId: 'e', n: 5, c: 5 }])).toEqual([
      { n: 3, c: 2, tasks: 1 },
      { n: 5, c: 5, tasks: 2 },
      { n: 8, c: 6, tasks: 1 },
      { n: 10, c: 0, tasks: 1 },
    ])
  })
})
