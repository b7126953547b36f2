// From tasks to a suite (methods.md A2, A3): the mean over the tasks that have at least k trials, how many those are,
// and how far the others could move it. Each task is estimated first, then averaged; a pooled mean is never raised
// to a power, and pooled pass^k for k > 1 is not offered: it would credit one task's luck to another.

import {
  estimable,
  notEstimable,
  requireInteger,
  type Estimate,
  type Estimated,
  type Interval,
} from './estimate.ts'
import { wilson } from './intervals.ts'
import { passAtCurve, passAtEstimate, passHatCurve, passHatEstimate } from './passk.ts'
import { sum } from './sums.ts'

/** One task as the estimators see it: `c` of its `n` trials passed. */
export type TaskCounts = { readonly taskId: string; readonly n: number; readonly c: number }

/** `pass-hat`: all k trials pass. `pass-at`: at least one of k trials passes. */
export type Metric = 'pass-hat' | 'pass-at'

/** The mean of one metric over tasks at one k, with its coverage. */
export type AggregateAtK = {
  readonly k: number
  readonly metric: Metric
  /** Mean over the tasks with n ≥ k. */
  readonly mean: Estimate
  /** The same, but not estimable when fewer than half of the tasks have n ≥ k: then only the bounds are said. */
  readonly headline: Estimate
  readonly defined: number
  readonly total: number
  /** Some task has fewer than k trials: draw the curve dashed from here. */
  readonly isPartial: boolean
  /** The mean if every undefined task had 0, or 1. */
  readonly bounds: { readonly lower: number; readonly upper: number }
}

/** Below this share of tasks with n ≥ k there is no headline value. */
const HEADLINE_COVERAGE = 0.5

function aggregate(values: readonly number[], total: number, k: number, metric: Metric): AggregateAtK {
  const defined = values.length
  const subtotal = sum(values)
  const mean: Estimate =
    defined > 0 ? estimable(subtotal / defined) : notEstimable(total === 0 ? 'no-tasks' : 'k-exceeds-n')
  const isCovered = defined >= HEADLINE_COVERAGE * total
  return {
    k,
    metric,
    mean,
    headline: mean.ok && !isCovered ? notEstimable('coverage-below-half') : mean,
    defined,
    total,
    isPartial: defined < total,
    bounds:
      total === 0
        ? { lower: 0, upper: 1 }
        : { lower: subtotal / total, upper: (subtotal + total - defined) / total },
  }
}

/** The value of each task at k, in the order of `tasks`; not estimable where k > n. */
export function taskValues(tasks: readonly TaskCounts[], k: number, metric: Metric): readonly Estimate[] {
  const of = metric === 'pass-hat' ? passHatEstimate : passAtEstimate
  return tasks.map(({ n, c }) => of(n, c, k))
}

/** The macro mean at one k. A task with n < k is undefined: listed by `undefinedTasks`, never counted as 0 or 1. */
export function macroAtK(tasks: readonly TaskCounts[], k: number, metric: Metric): AggregateAtK {
  const values = taskValues(tasks, k, metric).flatMap((value) => (value.ok ? [value.value] : []))
  return aggregate(values, tasks.length, k, metric)
}

/** The macro mean for k = 1 to the largest n (index k − 1). Empty when no task has a trial. */
export function macroCurve(tasks: readonly TaskCounts[], metric: Metric): readonly AggregateAtK[] {
  const curves = tasks.map(({ n, c }) => (metric === 'pass-hat' ? passHatCurve(n, c) : passAtCurve(n, c)))
  const longest = curves.reduce((most, curve) => Math.max(most, curve.length), 0)
  return Array.from({ length: longest }, (_, index) => {
    const values = curves.flatMap((curve) => (curve.length > index ? [curve[index]!] : []))
    return aggregate(values, tasks.length, index + 1, metric)
  })
}

/** Ids of the tasks that have fewer than k trials, in the order given. */
export function undefinedTasks(tasks: readonly TaskCounts[], k: number): readonly string[] {
  requireInteger('k', k, 1)
  return tasks.filter(({ n }) => n < k).map(({ taskId }) => taskId)
}

/** The k to put in a headline: 1, 2, 5 and the exposure a person chose, where at least half of the tasks have n ≥ k. */
export function headlineKs(tasks: readonly TaskCounts[], exposure: number | null = null): readonly number[] {
  const wanted = new Set([1, 2, 5])
  if (exposure !== null) {
    requireInteger('exposure', exposure, 1)
    wanted.add(exposure)
  }
  return [...wanted]
    .filter(
      (k) => tasks.length > 0 && tasks.filter(({ n }) => n >= k).length >= HEADLINE_COVERAGE * tasks.length,
    )
    .sort((a, b) => a - b)
}

/** Declared weights, one per task in the order of the tasks, and where they come from ("traffic, March"). */
export type Weights = { readonly source: string; readonly of: readonly number[] }

/** A weighted mean over the defined tasks, renormalised. `lostWeight`: share of the weight on undefined tasks. */
export type WeightedAtK = {
  readonly k: number
  readonly metric: Metric
  readonly mean: Estimate
  readonly defined: number
  readonly total: number
  readonly lostWeight: number
  readonly source: string
}

/** The mean with declared weights ≥ 0. RangeError for a negative, infinite or missing weight. */
export function weightedAtK(
  tasks: readonly TaskCounts[],
  k: number,
  metric: Metric,
  weights: Weights,
): WeightedAtK {
  if (weights.of.length !== tasks.length) throw new RangeError('One weight per task is needed')
  for (const weight of weights.of) {
    if (!(weight >= 0 && weight < Infinity))
      throw new RangeError(`A weight must be finite and at least 0, got ${weight}`)
  }
  const terms: number[] = []
  const kept: number[] = []
  let defined = 0
  for (const [index, value] of taskValues(tasks, k, metric).entries()) {
    if (!value.ok) continue
    defined++
    terms.push(weights.of[index]! * value.value)
    kept.push(weights.of[index]!)
  }
  const keptWeight = sum(kept)
  const allWeight = sum(weights.of)
  return {
    k,
    metric,
    mean:
      keptWeight > 0
        ? estimable(sum(terms) / keptWeight)
        : notEstimable(allWeight > 0 ? 'k-exceeds-n' : 'no-weight'),
    defined,
    total: tasks.length,
    lostWeight: allWeight > 0 ? Math.max(0, (allWeight - keptWeight) / allWeight) : 0,
    source: weights.source,
  }
}

/** Stands wherever a pooled rate stands. */
export const POOLED_LABEL = 'pooled: gives more weight to tasks that ran more often'

/** The rate over all trials regardless of task; k = 1 only, and always with its label. */
export type PooledRate = {
  readonly label: string
  readonly passes: number
  readonly trials: number
  readonly rate: Estimate
  readonly wilson: Estimated<Interval>
}

/** Passes over trials, all tasks thrown together, with Wilson's interval as if trials were independent. */
export function pooledRate(tasks: readonly TaskCounts[], confidence = 0.95): PooledRate {
  let trials = 0
  let passes = 0
  for (const { n, c } of tasks) {
    requireInteger('n', n, 0)
    requireInteger('c', c, 0, n)
    trials += n
    passes += c
  }
  return {
    label: POOLED_LABEL,
    passes,
    trials,
    rate: trials > 0 ? estimable(passes / trials) : notEstimable('no-trials'),
    wilson: wilson(passes, trials, confidence),
  }
}

/** How many tasks have `c` passes in `n` trials. */
export type HistogramBar = { readonly n: number; readonly c: number; readonly tasks: number }

/** Passes-per-task histogram, by n, then c; only what occurs. */
export function passHistogram(tasks: readonly TaskCounts[]): readonly HistogramBar[] {
  const bars = new Map<string, { n: number; c: number; tasks: number }>()
  for (const { n, c } of tasks) {
    const bar = bars.get(`${c}/${n}`) ?? { n, c, tasks: 0 }
    bar.tasks++
    bars.set(`${c}/${n}`, bar)
  }
  return [...bars.values()].sort((a, b) => a.n - b.n || a.c - b.c)
}
