// Do failures belong to particular tasks or to chance everywhere (methods.md A11)? One-way random effects on the 0/1
// outcomes: the intraclass correlation is the share of the variance that lies between tasks. High: mend those tasks;
// low with p < 1: flakiness everywhere. Sources: Donner (1986) for the ANOVA estimator; Tarone (1979).

import type { TaskCounts } from './aggregate.ts'
import { effectiveTrials, wilsonLimits } from './intervals.ts'
import {
  estimable,
  notEstimable,
  requireConfidence,
  requireInteger,
  type Estimated,
  type Interval,
} from './estimate.ts'
import { normalCdf, twoSidedZ } from './normal.ts'
import { sum } from './sums.ts'

/** Variance of the outcomes, split. `icc` may be slightly negative (show as ≤ 0). `trialsPerTask`: the ANOVA's n₀. */
export type VarianceSplit = {
  readonly rate: number
  readonly betweenMeanSquare: number
  readonly withinMeanSquare: number
  readonly trialsPerTask: number
  /** (MSB − MSW)/n₀; display max(0, ·). Within-task variance is `withinMeanSquare`. */
  readonly betweenVariance: number
  readonly icc: number
  /** The beta distribution of task rates with this mean and ICC; null when the ICC is not in (0, 1). */
  readonly beta: { readonly a: number; readonly b: number } | null
}

type Pool = { tasks: readonly Pick<TaskCounts, 'n' | 'c'>[]; trials: number; passes: number }

function pool(tasks: readonly Pick<TaskCounts, 'n' | 'c'>[]): Pool {
  let trials = 0
  let passes = 0
  for (const { n, c } of tasks) {
    requireInteger('n', n, 0)
    requireInteger('c', c, 0, n)
    trials += n
    passes += c
  }
  return { tasks: tasks.filter(({ n }) => n > 0), trials, passes }
}

/**
 * The one-way ANOVA of outcomes by task; tasks without trials do not take part. Not estimable for fewer than two tasks,
 * with one trial each, or when all outcomes are equal.
 */
export function splitVariance(all: readonly Pick<TaskCounts, 'n' | 'c'>[]): Estimated<VarianceSplit> {
  const { tasks, trials, passes } = pool(all)
  const T = tasks.length
  if (T < 2) return notEstimable(T === 0 ? 'no-tasks' : 'single-task')
  if (trials === T) return notEstimable('single-trials')
  if (passes === 0 || passes === trials) return notEstimable('no-variation')
  const rate = passes / trials
  const between = sum(tasks.map(({ n, c }) => n * (c / n - rate) ** 2)) / (T - 1)
  const within = sum(tasks.map(({ n, c }) => n * (c / n) * (1 - c / n))) / (trials - T)
  const perTask = (trials - sum(tasks.map(({ n }) => n * n)) / trials) / (T - 1)
  const icc = (between - within) / (between + (perTask - 1) * within)
  return estimable({
    rate,
    betweenMeanSquare: between,
    withinMeanSquare: within,
    trialsPerTask: perTask,
    betweenVariance: (between - within) / perTask,
    icc,
    beta: icc > 0 && icc < 1 ? { a: (rate * (1 - icc)) / icc, b: ((1 - rate) * (1 - icc)) / icc } : null,
  })
}

/** Tarone's test of variation beyond the binomial; p one-sided. */
export type Tarone = { readonly z: number; readonly p: number }

/**
 * Tarone's test: do tasks differ more than trials with one common rate would? Not estimable when all outcomes are
 * equal or no task has two trials.
 */
export function taroneTest(all: readonly Pick<TaskCounts, 'n' | 'c'>[]): Estimated<Tarone> {
  const { tasks, trials, passes } = pool(all)
  if (trials === 0) return notEstimable('no-trials')
  if (passes === 0 || passes === trials) return notEstimable('no-variation')
  const pairs = sum(tasks.map(({ n }) => n * (n - 1)))
  if (pairs === 0) return notEstimable('single-trials')
  const rate = passes / trials
  const spread = sum(tasks.map(({ n, c }) => (c - n * rate) ** 2)) / (rate * (1 - rate))
  const z = (spread - trials) / Math.sqrt(2 * pairs)
  return estimable({ z, p: normalCdf(-z) })
}

/** From this ICC on a pooled interval is shown for the effective number of trials as well. */
export const NOTABLE_ICC = 0.05

/** A pooled rate's interval that admits the dependence of trials within tasks. */
export type EffectivePool = { readonly icc: number; readonly trials: number; readonly wilson: Interval }

/**
 * Wilson's interval of the pooled rate at the effective number of trials N/(1 + (m − 1)·ICC). Not estimable where the
 * ICC is not; callers show it beside the plain one when the ICC exceeds `NOTABLE_ICC`.
 */
export function effectivePool(
  tasks: readonly Pick<TaskCounts, 'n' | 'c'>[],
  confidence = 0.95,
): Estimated<EffectivePool> {
  requireConfidence(confidence)
  const split = splitVariance(tasks)
  if (!split.ok) return split
  const trials = effectiveTrials(
    tasks.map(({ n }) => n),
    split.value.icc,
  )
  if (!trials.ok) return trials
  return estimable({
    icc: split.value.icc,
    trials: trials.value,
    wilson: {
      ...wilsonLimits(split.value.rate, trials.value, twoSidedZ(confidence)),
      confidence,
      method: 'wilson',
      resampling: null,
    },
  })
}
