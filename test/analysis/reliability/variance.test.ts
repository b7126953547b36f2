// Flaky everywhere or broken in places: variance components, Tarone's test, and the verdict on one task.

import { describe, expect, it } from 'vitest'
import { effectivePool, splitVariance, taroneTest } from '../../../src/analysis/reliability/variance.ts'
import { taskVerdict } from '../../../src/analysis/reliability/verdict.ts'
import {
  AIRLINE,
  CAREFUL,
  EAGER,
  limits,
  near,
  SPLIT,
  tasksFrom,
  tasksOf,
  UNIFORM,
  valueOf,
} from './figures.ts'
import { wilson } from '../../../src/analysis/reliability/intervals.ts'

describe('variance between tasks', () => {
  it.each([
    ['uniform', tasksOf(UNIFORM, 10), 0.223947368, 0.176111111, 0.004783626, 0.02644425, 0.611412, 0.270463],
    ['split', tasksOf(SPLIT, 10), 0.677894737, 0.131111111, 0.054678363, 0.294302801, 8.435673, 1.6e-17],
    ['careful', tasksFrom(CAREFUL), 0.1125, 0.076785714, 0.004464286, 0.054945055, 0.640886, 0.260798],
    ['eager', tasksFrom(EAGER), 1.279166667, 0.091071429, 0.148511905, 0.619875776, 9.917641, 1.7e-23],
    ['airline', tasksFrom(AIRLINE), 0.545306122, 0.146666667, 0.099659864, 0.404584369, 6.892178, 2.7e-12],
  ])('%s', (_, tasks, between, within, variance, icc, z, p) => {
    const split = valueOf(splitVariance(tasks))
    near(split.betweenMeanSquare, between)
    near(split.withinMeanSquare, within)
    near(split.betweenVariance, variance)
    near(split.icc, icc)
    const tarone = valueOf(taroneTest(tasks))
    near(tarone.z, z, 5.1e-7)
    near(tarone.p, p, p < 0.01 ? 0.05 * p : 5.1e-7)
    // The beta distribution of task rates has this mean and this ICC.
    const { a, b } = split.beta!
    near(a / (a + b), split.rate)
    near(1 / (a + b + 1), icc)
  })

  it('counts trials per task when they differ', () => {
    const split = valueOf(
      splitVariance([
        { n: 2, c: 1 },
        { n: 4, c: 4 },
      ]),
    )
    near(split.trialsPerTask, 6 - 20 / 6)
    const withEmpty = valueOf(
      splitVariance([
        { n: 2, c: 1 },
        { n: 0, c: 0 },
        { n: 4, c: 4 },
      ]),
    )
    expect(withEmpty).toEqual(split)
  })

  it('may be negative, and then has no beta', () => {
    const split = valueOf(splitVariance(tasksOf([2, 2, 2], 4)))
    expect(split.icc).toBeLessThan(0)
    expect(split.beta).toBeNull()
  })

  it('says when there is nothing to split', () => {
    expect(splitVariance([])).toEqual({ ok: false, reason: 'no-tasks' })
    expect(splitVariance(tasksOf([3], 5))).toEqual({ ok: false, reason: 'single-task' })
    expect(splitVariance(tasksOf([1, 0], 1))).toEqual({ ok: false, reason: 'single-trials' })
    expect(splitVariance(tasksOf([5, 5], 5))).toEqual({ ok: false, reason: 'no-variation' })
    expect(taroneTest([])).toEqual({ ok: false, reason: 'no-trials' })
    expect(taroneTest(tasksOf([0, 0], 5))).toEqual({ ok: false, reason: 'no-variation' })
    expect(taroneTest(tasksOf([1, 0], 1))).toEqual({ ok: false, reason: 'single-trials' })
    expect(() => splitVariance([{ n: 2, c: 3 }])).toThrow(RangeError)
  })

  it('widens the pooled interval to the effective number of trials', () => {
    const pool = valueOf(effectivePool(tasksFrom(EAGER)))
    near(pool.trials, 14.98, 0.005)
    const plain = valueOf(wilson(53, 80))
    expect(pool.wilson.lower).toBeLessThan(plain.lower)
    expect(pool.wilson.upper).toBeGreaterThan(plain.upper)
    // Without correlation both are the same.
    const flat = valueOf(effectivePool(tasksOf([2, 2, 2], 4)))
    limits(wilson(6, 12), flat.wilson.lower, flat.wilson.upper, 1e-12)
  })
})

describe('verdict on one task', () => {
  it('rests on the posterior', () => {
    near(taskVerdict(8, 0).below, 0.8128, 5.1e-5)
    near(taskVerdict(8, 8).above, 0.8128, 5.1e-5)
    near(taskVerdict(8, 6).between, 0.9108, 5.1e-5)
    near(taskVerdict(8, 4).between, 0.9969, 5.1e-5)
    near(taskVerdict(5, 0).below, 0.7075, 5.1e-5)
    near(taskVerdict(3, 0).below, 0.5929, 5.1e-5)
    near(taskVerdict(10, 1).below, 0.4385, 5.1e-5)
  })

  it.each([
    [8, 0, 'consistently-failing'],
    [8, 8, 'reliable'],
    [8, 6, 'flaky'],
    [8, 4, 'flaky'],
    [5, 0, 'undecided'],
    [3, 0, 'undecided'],
    [10, 1, 'undecided'],
    [0, 0, 'undecided'],
  ])('%i trials, %i passes: %s', (n, c, verdict) => expect(taskVerdict(n, c).verdict).toBe(verdict))

  it('says how many trials more would decide', () => {
    expect(taskVerdict(5, 0).moreTrials).toBe(3)
    expect(taskVerdict(0, 0).moreTrials).toBe(8)
    expect(taskVerdict(8, 0).moreTrials).toBeNull()
    // At a rate of exactly .9 no number of trials decides on which side it lies.
    expect(taskVerdict(10, 9).moreTrials).toBeNull()
    const { moreTrials } = taskVerdict(10, 1)
    expect(moreTrials === null || moreTrials > 0).toBe(true)
  })

  it('calls a task consistently wrong only when its failures end alike', () => {
    const wrong = taskVerdict(5, 0, ['x', 'x', 'x', 'x', 'y'])
    expect([wrong.verdict, wrong.agreement, wrong.failsInDifferentWays]).toEqual([
      'consistently-wrong',
      { ok: true, value: 0.8 },
      false,
    ])
    expect(taskVerdict(4, 0, ['x', 'x', 'x', 'x']).verdict).toBe('undecided')
    expect(taskVerdict(8, 0, ['x', 'x', 'x', 'x', 'x', 'y', 'y', 'z']).verdict).toBe('consistently-failing')
    expect(taskVerdict(6, 1, ['x', 'x', 'x', 'x', 'x']).verdict).not.toBe('consistently-wrong')
    const various = taskVerdict(8, 0, ['a', 'b', 'c', 'd', 'e', 'f', 'a', 'h'])
    expect([various.verdict, various.failsInDifferentWays]).toEqual(['consistently-failing', true])
  })

  it('does not guess how failures ended', () => {
    expect(taskVerdict(5, 0, ['x', 'x', null, 'x', 'x']).agreement).toEqual({
      ok: false,
      reason: 'missing-signatures',
    })
    expect(taskVerdict(5, 0).agreement).toEqual({ ok: false, reason: 'missing-signatures' })
    expect(taskVerdict(5, 5).agreement).toEqual({ ok: false, reason: 'no-failures' })
    expect(() => taskVerdict(5, 4, ['x', 'y'])).toThrow(RangeError)
    expect(() => taskVerdict(5, 6)).toThrow(RangeError)
  })
})
