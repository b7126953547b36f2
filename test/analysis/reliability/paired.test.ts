// Trial noise with the tasks held fixed, and two systems compared on the same tasks, against their worked values.

import { describe, expect, it } from 'vitest'
import { estimable, notEstimable } from '../../../src/analysis/reliability/estimate.ts'
import { fixedTaskInterval, tasksAndTrialsInterval } from '../../../src/analysis/reliability/fixedtasks.ts'
import { comparePaired, signFlip } from '../../../src/analysis/reliability/paired.ts'
import { passHatEstimate } from '../../../src/analysis/reliability/passk.ts'
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

describe('the same tasks run again', () => {
  it.each([
    [
      'uniform',
      tasksOf(UNIFORM, 10),
      [
        [1, 0.02967416],
        [2, 0.0440218],
        [5, 0.0496119],
      ],
    ],
    [
      'split',
      tasksOf(SPLIT, 10),
      [
        [1, 0.02560382],
        [2, 0.02679697],
        [5, 0.00602796],
      ],
    ],
    [
      'airline',
      tasksFrom(AIRLINE),
      [
        [1, 0.02708013],
        [2, 0.02260777],
      ],
    ],
  ])('%s: closed form', (_, tasks, known) => {
    for (const [k, se] of known) {
      const found = fixedTaskInterval(tasks, k!)
      near(valueOf(found.standardError), se!, 5.1e-9)
      expect([found.isApproximate, valueOf(found.interval).method]).toEqual([false, 'fixed-tasks-z'])
      const half = 1.959963984540054 * se!
      limits(
        found.interval,
        Math.max(0, valueOf(found.estimate) - half),
        valueOf(found.estimate) + half,
        2e-8,
      )
    }
  })

  it('re-centres where n < 2k, and is centred where the estimate is', () => {
    const found = fixedTaskInterval(tasksOf(UNIFORM, 10), 6, { resamples: 2000 })
    const { lower, upper, method, resampling } = valueOf(found.interval)
    expect([found.isApproximate, method]).toEqual([true, 'fixed-tasks-recentred'])
    expect(resampling).toEqual({ generator: 'xoshiro128ss-1.1', seed: 2026, stream: 'hier-trials', B: 2000 })
    expect(lower).toBeLessThan(valueOf(found.estimate))
    expect(upper).toBeGreaterThan(valueOf(found.estimate))
    // The plug-in bias for k = 6 is +.045; a naive bootstrap would be off by that much.
    near((lower + upper) / 2, valueOf(found.estimate), 0.02)
  })

  it.each([
    ['uniform', UNIFORM, 1, 0.675, 0.845],
    ['uniform', UNIFORM, 5, 0.128372, 0.480296],
    ['split', SPLIT, 1, 0.635, 0.875],
    ['split', SPLIT, 5, 0.295474, 0.723485],
  ])('tasks and trials, %s (case %#)', (_, counts, k, lower, upper) => {
    const found = tasksAndTrialsInterval(tasksOf(counts, 10), k)
    limits(found.interval, lower, upper, 5.1e-7)
    expect(valueOf(found.interval).resampling?.stream).toBe('hier-both')
  })

  it('says when there is nothing to resample', () => {
    expect(fixedTaskInterval([], 1).interval).toEqual(notEstimable('no-tasks'))
    expect(fixedTaskInterval(tasksOf([1], 2), 3).estimate).toEqual(notEstimable('k-exceeds-n'))
    const two = tasksAndTrialsInterval(tasksOf([1, 2], 4), 1, { resamples: 50 })
    expect([two.estimate.ok, two.interval]).toEqual([true, notEstimable('too-few-tasks')])
    expect(() => fixedTaskInterval(tasksOf([1], 2), 0)).toThrow(RangeError)
  })
})

describe('two systems on the same tasks', () => {
  const pairs = (a: readonly number[], b: readonly number[], n: number, k: number) =>
    a.map((c, i) => ({ taskId: `t${i}`, a: passHatEstimate(n, c, k), b: passHatEstimate(n, b[i]!, k) }))
  const careful = tasksFrom(CAREFUL).map(({ c }) => c)
  const eager = tasksFrom(EAGER).map(({ c }) => c)

  it.each([
    ['split - uniform', UNIFORM, SPLIT, 10, 1, -0.005, [-0.145, 0.13], [-0.15, 0.13], 1],
    [
      'split - uniform',
      UNIFORM,
      SPLIT,
      10,
      5,
      0.215277778,
      [-0.042857143, 0.472420635],
      [-0.043253968, 0.472222222],
      0.1229095459,
    ],
    ['eager - careful', careful, eager, 8, 1, -0.25, [-0.45, -0.05], [-0.45, -0.05], 0.09375],
    [
      'eager - careful',
      careful,
      eager,
      8,
      4,
      -0.24,
      [-0.571428571, 0.092857143],
      [-0.557142857, 0.092857143],
      0.1875,
    ],
    ['eager - careful', careful, eager, 8, 8, -0.2, [-0.6, 0.2], null, 0.625],
  ])('%s (case %#)', (_, a, b, n, k, difference, percentile, bca, p) => {
    const found = comparePaired(pairs(a, b, n, k))
    near(valueOf(found.difference.estimate), difference)
    limits(found.difference.percentile, percentile[0]!, percentile[1]!)
    if (bca) limits(found.difference.bca, bca[0]!, bca[1]!)
    near(found.signFlip.p, p, 5.1e-11)
    expect([found.signFlip.isExact, found.signFlip.resampling]).toEqual([true, null])
    expect(valueOf(found.difference.percentile).resampling?.stream).toBe('paired-bootstrap')
  })

  it('names the tasks that only one side has', () => {
    const tasks = pairs([1, 2, 3, 4], [2, 2, 2, 2], 5, 1)
    tasks[1] = { taskId: 'gone', a: estimable(0.5), b: notEstimable('no-trials') }
    const found = comparePaired(tasks, { resamples: 100 })
    expect([found.compared, found.leftOut]).toEqual([3, ['gone']])
  })

  it('counts all sign patterns, and draws them above 20 differences', () => {
    expect(signFlip([0, 0])).toEqual({ p: 1, floor: 1, nonZero: 0, isExact: true, resampling: null })
    expect(signFlip([0.5])).toMatchObject({ p: 1, floor: 1 })
    expect(signFlip([1, 1, 1, 1, 1, 0])).toMatchObject({ p: 1 / 16, floor: 1 / 16, nonZero: 5 })
    // Equal sums that differ in rounding only are ties: .1 + .2 and .3.
    expect(signFlip([0.1, 0.2, -0.3]).p).toBe(1)
    const many = Array.from({ length: 21 }, () => 1)
    const drawn = signFlip(many, 5)
    expect(drawn.isExact).toBe(false)
    expect(drawn.resampling).toEqual({
      generator: 'xoshiro128ss-1.1',
      seed: 5,
      stream: 'signflip',
      B: 100_000,
    })
    expect(drawn.p).toBeGreaterThanOrEqual(drawn.floor)
    expect(drawn.p).toBeLessThan(1e-3)
    // Two more differences that weigh nothing: drawn and exact must tell the same.
    const mixed = Array.from({ length: 20 }, (_, i) => Math.sqrt(i + 1) - 2.8)
    const exact = signFlip(mixed).p
    const twice = signFlip([...mixed, 1e-6, -1e-6]).p
    near(exact, twice, 0.01)
  })
})
