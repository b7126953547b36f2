// Figures that others published, reproduced: worked examples, their intervals (through CPython's generator, kept here
// for that), and counts of real trials. Real files are read where a checkout has them; their counts are here.

import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  macroAtK,
  macroCurve,
  passHistogram,
  pooledRate,
  type TaskCounts,
} from '../../../src/analysis/reliability/aggregate.ts'
import { orderLimits } from '../../../src/analysis/reliability/bootstrap.ts'
import { fractionText, exactPassHatK, passAtText, passHatK } from '../../../src/analysis/reliability/passk.ts'
import { mean } from '../../../src/analysis/reliability/sums.ts'
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
import { PyRandom } from './pyrandom.ts'

const dataRoot = resolve(import.meta.dirname, '../../../../shared/data')

function curve(tasks: readonly TaskCounts[], metric: 'pass-hat' | 'pass-at'): number[] {
  return macroCurve(tasks, metric).map((point) => valueOf(point.mean))
}

describe('uniform and split failures, 20 tasks of 10 trials', () => {
  it('draws the published counts with CPython random.Random(34)', () => {
    const random = new PyRandom(34)
    const draw = (p: number) => Array.from({ length: 10 }, () => random.random() < p).filter(Boolean).length
    expect(Array.from({ length: 20 }, () => draw(0.8))).toEqual(UNIFORM)
    expect(Array.from({ length: 20 }, (_, i) => draw(i < 10 ? 1 : 0.55))).toEqual(SPLIT)
  })

  it.each([
    ['uniform', UNIFORM, [153 / 200, 53 / 90, 31 / 105], [847 / 900, 5039 / 5040]],
    ['split', SPLIT, [19 / 25, 283 / 450, 2573 / 5040], [401 / 450, 313 / 315]],
  ])('%s: exact means', (_, counts, hat, at) => {
    const tasks = tasksOf(counts, 10)
    for (const [i, k] of [1, 2, 5].entries())
      near(valueOf(macroAtK(tasks, k, 'pass-hat').mean), hat[i]!, 1e-14)
    for (const [i, k] of [2, 5].entries()) near(valueOf(macroAtK(tasks, k, 'pass-at').mean), at[i]!, 1e-14)
  })

  it.each([
    [
      'uniform',
      UNIFORM,
      [
        [0.705, 0.825],
        [0.491, 0.694],
        [0.153, 0.443],
      ],
    ],
    [
      'split',
      SPLIT,
      [
        [0.65, 0.87],
        [0.471, 0.802],
        [0.309, 0.713],
      ],
    ],
  ])('%s: the published intervals (B = 500)', (_, counts, intervals) => {
    for (const [i, k] of [1, 2, 5].entries()) {
      const values = counts.map((c) => passHatK(10, c, k))
      const random = new PyRandom(340 + k)
      const replicates = Float64Array.from({ length: 500 }, () =>
        mean(values.map(() => random.choice(values))),
      ).sort()
      const [lower, upper] = orderLimits(replicates, 0.025, 0.975)
      expect([lower, upper]).toEqual([replicates[12], replicates[487]])
      near(lower, intervals[i]![0]!, 5.1e-4)
      near(upper, intervals[i]![1]!, 5.1e-4)
    }
  })
})

describe('other worked examples', () => {
  it('takes 15 of 70 subsets: 6 of 8 at k = 4', () => {
    expect(fractionText(exactPassHatK(8, 6, 4)!)).toBe('3/14')
    near(passHatK(8, 6, 4), 15 / 70, 1e-15)
    near(valueOf(macroAtK(tasksOf([8], 10), 2, 'pass-hat').mean), 28 / 45, 1e-15)
    near(valueOf(macroAtK(tasksOf([8], 10), 2, 'pass-at').mean), 44 / 45, 1e-15)
    expect(passAtText(10, 5, 5)).not.toBe('1.000')
  })

  it.each([
    [0.99, [0.99, 0.96, 0.92, 0.85]],
    [0.95, [0.95, 0.81, 0.66, 0.44]],
    [0.9, [0.9, 0.66, 0.43, 0.19]],
  ])('decays as p^k: %d', (p, powers) => {
    // With very many trials pass^k is p^k; 10^7 of them also exercise the logarithms.
    for (const [i, k] of [1, 4, 8, 16].entries())
      near(passHatK(1e7, Math.round(p * 1e7), k), powers[i]!, 5.1e-3)
  })

  it('gives 5, 4, 2 and 0 of 5 at k = 2: mean .550, any .675, all .425', () => {
    const tasks = tasksOf([5, 4, 2, 0], 5)
    near(valueOf(macroAtK(tasks, 1, 'pass-hat').mean), 11 / 20, 1e-15)
    near(valueOf(macroAtK(tasks, 2, 'pass-at').mean), 27 / 40, 1e-15)
    near(valueOf(macroAtK(tasks, 2, 'pass-hat').mean), 17 / 40, 1e-15)
    const each = [
      [1, 1, 1],
      [0.8, 1, 0.6],
      [0.4, 0.7, 0.1],
      [0, 0, 0],
    ]
    for (const [i, task] of tasks.entries()) {
      near(valueOf(macroAtK([task], 1, 'pass-hat').mean), each[i]![0]!, 1e-15)
      near(valueOf(macroAtK([task], 2, 'pass-at').mean), each[i]![1]!, 1e-15)
      near(valueOf(macroAtK([task], 2, 'pass-hat').mean), each[i]![2]!, 1e-15)
    }
  })

  it('gives the curves of a careful and an eager agent', () => {
    expect(tasksFrom(CAREFUL).map(({ c }) => c)).toEqual([6, 6, 7, 8, 8, 8, 6, 8, 8, 8])
    expect(tasksFrom(EAGER).map(({ c }) => c)).toEqual([8, 0, 7, 6, 8, 8, 0, 8, 4, 4])
    const careful = [0.9125, 0.835714, 0.769643, 0.714286, 0.669643, 0.635714, 0.6125, 0.6]
    const eager = [0.6625, 0.571429, 0.5125, 0.474286, 0.448214, 0.428571, 0.4125, 0.4]
    for (const [i, value] of curve(tasksFrom(CAREFUL), 'pass-hat').entries()) near(value, careful[i]!, 5.1e-7)
    for (const [i, value] of curve(tasksFrom(EAGER), 'pass-hat').entries()) near(value, eager[i]!, 5.1e-7)
  })
})

/** Tasks from a histogram such as {'14/20': 1, '19/20': 2}. */
function tasksOfHistogram(bars: Readonly<Record<string, number>>): TaskCounts[] {
  return Object.entries(bars).flatMap(([bar, count]) => {
    const [c, n] = bar.split('/').map(Number)
    return Array.from({ length: count }, (_, i) => ({ taskId: `${bar}-${i}`, n: n!, c: c! }))
  })
}

type Golden = {
  readonly bars: Readonly<Record<string, number>>
  readonly pooled: readonly [number, number, number, number, number]
  readonly hat: readonly number[]
  readonly at: readonly number[]
  readonly defined: readonly number[]
  readonly mixed: number
}

const GOLDEN: Readonly<Record<string, Golden>> = {
  airline: {
    bars: { '0/4': 14, '1/4': 12, '2/4': 10, '3/4': 4, '4/4': 10 },
    pooled: [84, 200, 0.42, 0.353736, 0.489279],
    hat: [0.42, 0.273333, 0.22, 0.2],
    at: [0.42, 0.566667, 0.66, 0.72],
    defined: [50, 50, 50, 50],
    mixed: 26,
  },
  'retail, errors as failures': {
    bars: { '0/3': 4, '1/3': 8, '2/3': 27, '3/3': 76 },
    pooled: [290, 345, 0.84058, 0.798232, 0.875426],
    hat: [0.84058, 0.73913, 0.66087],
    at: [0.84058, 0.942029, 0.965217],
    defined: [115, 115, 115],
    mixed: 35,
  },
  'retail, errors excluded': {
    bars: { '0/3': 4, '1/3': 8, '2/2': 2, '2/3': 25, '3/3': 76 },
    pooled: [290, 343, 0.845481, 0.803424, 0.879885],
    hat: [0.846377, 0.750725, 0.672566],
    at: [0.846377, 0.942029, 0.964602],
    defined: [115, 115, 113],
    mixed: 33,
  },
  'seven tasks of 20 trials': {
    bars: { '14/20': 1, '19/20': 2, '20/20': 4 },
    pooled: [132, 140, 0.942857, 0.891297, 0.970764],
    hat: [
      0.942857, 0.896992, 0.8599, 0.829515, 0.804161, 0.782497, 0.763467, 0.746263, 0.730274, 0.71506,
      0.70031, 0.685817, 0.671454, 0.657147, 0.642857, 0.628571, 0.614286, 0.6, 0.585714, 0.571429,
    ],
    at: [
      0.942857, 0.988722, 0.997494, 0.999558, 0.999945, 0.999996, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    ],
    defined: Array.from({ length: 20 }, () => 7),
    mixed: 3,
  },
}

describe('counts of real trials', () => {
  it.each(Object.entries(GOLDEN))('%s', (_, { bars, pooled, hat, at, defined, mixed }) => {
    const tasks = tasksOfHistogram(bars)
    const found = pooledRate(tasks)
    expect([found.passes, found.trials]).toEqual([pooled[0], pooled[1]])
    near(valueOf(found.rate), pooled[2], 5.1e-7)
    limits(found.wilson, pooled[3], pooled[4], 5.1e-7)
    expect(Object.fromEntries(passHistogram(tasks).map((bar) => [`${bar.c}/${bar.n}`, bar.tasks]))).toEqual(
      bars,
    )
    expect(macroCurve(tasks, 'pass-hat').map((point) => point.defined)).toEqual(defined)
    for (const [i, value] of curve(tasks, 'pass-hat').entries()) near(value, hat[i]!, 5.1e-7)
    for (const [i, value] of curve(tasks, 'pass-at').entries()) near(value, at[i]!, 5.1e-7)
    expect(tasks.filter(({ n, c }) => c > 0 && c < n)).toHaveLength(mixed)
  })

  it('holds the same airline trials as are written here', () => {
    expect(passHistogram(tasksFrom(AIRLINE)).map(({ c, tasks }) => [`${c}/4`, tasks])).toEqual(
      Object.entries(GOLDEN['airline']!.bars),
    )
  })

  const airlineFile = resolve(dataRoot, 'tau-bench/gpt-4o-airline.json')
  it.skipIf(!existsSync(airlineFile))(
    'reads the same trials from the airline file (needs ../shared/data)',
    () => {
      const rows = JSON.parse(readFileSync(airlineFile, 'utf8')) as {
        task_id: number
        trial: number
        reward: number
      }[]
      const texts = Array.from({ length: 50 }, (_, task) =>
        rows
          .filter((row) => row.task_id === task)
          .sort((a, b) => a.trial - b.trial)
          .map((row) => (Math.abs(row.reward - 1) < 1e-6 ? '1' : '0'))
          .join(''),
      )
      expect(texts).toEqual(AIRLINE)
    },
  )
})
