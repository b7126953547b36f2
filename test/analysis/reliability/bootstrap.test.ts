// The task bootstrap against its worked values (seed 2026, B = 10,000) and its degenerate cases.

import { describe, expect, it } from 'vitest'
import {
  taskBootstrap,
  taskBootstrapColumns,
  type TaskBootstrap,
} from '../../../src/analysis/reliability/bootstrap.ts'
import { notEstimable } from '../../../src/analysis/reliability/estimate.ts'
import { passHatK } from '../../../src/analysis/reliability/passk.ts'
import { curveIntervals } from '../../../src/analysis/reliability/summary.ts'
import { AIRLINE, limits, near, SPLIT, tasksFrom, tasksOf, UNIFORM, valueOf } from './figures.ts'

const values = (counts: readonly number[], n: number, k: number): number[] =>
  counts.map((c) => passHatK(n, c, k))

describe('task bootstrap', () => {
  it.each([
    ['uniform', UNIFORM, 1, 0.765, [0.7, 0.83], -0.000751989, 0.005125107, [0.7, 0.83], 0.03264474],
    [
      'uniform',
      UNIFORM,
      2,
      0.588888889,
      [0.485555556, 0.693333333],
      0.008271968,
      0.015791502,
      [0.491111111, 0.698888889],
      0.05295616,
    ],
    [
      'uniform',
      UNIFORM,
      5,
      0.295238095,
      [0.156944444, 0.450793651],
      0.027074893,
      0.045801776,
      [0.16984127, 0.47718254],
      0.07539847,
    ],
    ['split', SPLIT, 1, 0.76, [0.645, 0.87], -0.021057234, -0.011192046, [0.64, 0.865], 0.05678517],
    [
      'split',
      SPLIT,
      2,
      0.628888889,
      [0.461111111, 0.795555556],
      -0.012408128,
      -0.005347561,
      [0.457777778, 0.791111111],
      0.08522894,
    ],
    [
      'split',
      SPLIT,
      5,
      0.510515873,
      [0.308134921, 0.712103175],
      0.014037579,
      -0.000228194,
      [0.309920635, 0.713095238],
      0.10952896,
    ],
  ])('%s at k = %#: worked values', (_, counts, k, estimate, percentile, z0, a, bca, se) => {
    const found = taskBootstrap(values(counts, 10, k))
    near(valueOf(found.estimate), estimate)
    limits(found.percentile, percentile[0]!, percentile[1]!)
    limits(found.bca, bca[0]!, bca[1]!)
    limits(found.headline, bca[0]!, bca[1]!)
    near(valueOf(found.z0), z0)
    near(valueOf(found.acceleration), a)
    near(valueOf(found.standardError), se, 5.1e-9)
    expect(valueOf(found.headline).resampling).toEqual({
      generator: 'xoshiro128ss-1.1',
      seed: 2026,
      stream: 'task-bootstrap',
      B: 10_000,
    })
    expect(found.notes).toEqual([])
  })

  it.each([
    [1, 0.42, [0.32, 0.525], [0.32, 0.525], 0.05207573],
    [2, 0.273333333, [0.17, 0.386666667], [0.176666667, 0.396666667], 0.05545763],
    [4, 0.2, [0.1, 0.32], [0.1, 0.34], 0.05720853],
  ])('airline at k = %i', (k, estimate, percentile, bca, se) => {
    const [found] = curveIntervals(tasksFrom(AIRLINE), [k], 'pass-hat')
    near(valueOf(found!.bootstrap.estimate), estimate)
    limits(found!.bootstrap.percentile, percentile[0]!, percentile[1]!)
    limits(found!.bootstrap.bca, bca[0]!, bca[1]!)
    near(valueOf(found!.bootstrap.standardError), se, 5.1e-9)
  })

  it('gives several columns exactly what each gives alone', () => {
    const columns = [1, 2, 5].map((k) => values(UNIFORM, 10, k))
    const together = taskBootstrapColumns(columns, { resamples: 500 })
    for (const [j, column] of columns.entries()) {
      const alone = taskBootstrap(column, { resamples: 500 })
      const pick = ({ percentile, bca, student }: TaskBootstrap) => [percentile, bca, student].map(valueOf)
      for (const [i, interval] of pick(together[j]!).entries()) {
        near(interval.lower, pick(alone)[i]!.lower, 1e-12)
        near(interval.upper, pick(alone)[i]!.upper, 1e-12)
      }
    }
  })

  it('repeats with the seed and moves with it', () => {
    const run = (seed: number) => taskBootstrap(values(UNIFORM, 10, 5), { seed, resamples: 300 })
    expect(run(1)).toEqual(run(1))
    expect(valueOf(run(1).percentile)).not.toEqual(valueOf(run(2).percentile))
  })

  it('uses Student below 10 tasks, and nothing below 3', () => {
    const eight = [1, 0.5, 0.75, 0.25, 1, 1, 0, 0.5]
    const found = taskBootstrap(eight)
    // mean .625, s = .377964473, t(7) = 2.364624252
    const half = (2.364624251592784 * 0.3779644730092272) / Math.sqrt(8)
    limits(found.headline, 0.625 - half, 0.625 + half)
    expect(valueOf(found.headline).method).toBe('student-t')
    expect(valueOf(found.headline).resampling).toBeNull()
    expect(found.notes).toEqual(['few-tasks'])
    expect(found.percentile.ok).toBe(true)
    // Clipped to what a rate can be, unless told otherwise.
    limits(taskBootstrap([1, 1, 0]).headline, 0, 1)
    expect(valueOf(taskBootstrap([1, 1, 0], { range: null }).headline).upper).toBeGreaterThan(2)
    for (const few of [[0.2, 0.9], [0.5]]) {
      const none = taskBootstrap(few)
      expect([none.headline, none.percentile, none.bca, none.student]).toEqual(
        Array.from({ length: 4 }, () => notEstimable('too-few-tasks')),
      )
      expect(none.estimate.ok).toBe(true)
    }
    expect(taskBootstrap([]).estimate).toEqual({ ok: false, reason: 'no-tasks' })
  })

  it('says so when all tasks gave the same value', () => {
    const found = taskBootstrap(Array.from({ length: 12 }, () => 0.1))
    near(valueOf(found.headline).lower, 0.1, 1e-15)
    expect(valueOf(found.headline).lower).toBe(valueOf(found.headline).upper)
    expect(found.notes).toContain('all-tasks-equal')
    expect(found.acceleration).toEqual({ ok: true, value: 0 })
    expect(found.standardError).toEqual({ ok: true, value: 0 })
  })

  it('falls back to the percentile interval when every replicate lies on one side', () => {
    // Two replicates, and with this seed both on the same side of the mean.
    const found = taskBootstrap([...Array.from({ length: 11 }, (_, i) => i / 100), 1], {
      resamples: 2,
      seed: 3,
    })
    expect(found.bca).toEqual({ ok: false, reason: 'one-sided-replicates' })
    expect(valueOf(found.headline).method).toBe('percentile')
    expect(found.notes).toContain('bca-unavailable')
  })

  it('weighs tasks, and ignores those without weight', () => {
    const plain = taskBootstrap(values(SPLIT, 10, 2), { resamples: 500 })
    const same = taskBootstrap(values(SPLIT, 10, 2), { resamples: 500, weights: SPLIT.map(() => 3) })
    near(valueOf(same.headline).lower, valueOf(plain.headline).lower, 1e-12)
    near(valueOf(same.student).upper, valueOf(plain.student).upper, 1e-12)
    const weighted = taskBootstrap([1, 0, 0.5, 1], { weights: [2, 1, 1, 0] })
    near(valueOf(weighted.estimate), 2.5 / 4)
    expect(weighted.tasks).toBe(3)
    expect(taskBootstrap([1, 0, 0.5], { weights: [1, 1, 0] }).headline.ok).toBe(false)
  })

  it('refuses what cannot be averaged', () => {
    expect(() => taskBootstrap([1, Number.NaN, 0])).toThrow(RangeError)
    expect(() => taskBootstrap([1, 0, 1], { weights: [1, -1, 1] })).toThrow(RangeError)
    expect(() => taskBootstrap([1, 0, 1], { weights: [1] })).toThrow(RangeError)
    expect(() => taskBootstrap([1, 0, 1], { confidence: 1 })).toThrow(RangeError)
    expect(() => taskBootstrap([1, 0, 1], { resamples: 1 })).toThrow(RangeError)
    expect(() => taskBootstrap([1, 0, 1], { seed: -1 })).toThrow(RangeError)
  })

  it('takes each k over the tasks that have it, also with weights', () => {
    const tasks = [...tasksOf([5, 4, 3, 2, 1, 0, 5, 5, 2, 2, 1], 5), ...tasksOf([2, 1, 0], 2)]
    const found = curveIntervals(tasks, [4, 1, 2], 'pass-hat', { resamples: 200 })
    expect(found.map(({ k, bootstrap }) => [k, bootstrap.tasks])).toEqual([
      [4, 11],
      [1, 14],
      [2, 14],
    ])
    const alone = taskBootstrap(values([5, 4, 3, 2, 1, 0, 5, 5, 2, 2, 1], 5, 4), { resamples: 200 })
    near(valueOf(found[0]!.bootstrap.headline).upper, valueOf(alone.headline).upper, 1e-12)
    const weights = tasks.map((_, i) => i + 1)
    const weighted = curveIntervals(tasks, [4], 'pass-at', { resamples: 200, weights })
    expect(weighted[0]!.bootstrap.tasks).toBe(11)
    expect(curveIntervals(tasks, [6], 'pass-hat')[0]!.bootstrap.estimate).toEqual(notEstimable('no-tasks'))
  })
})
