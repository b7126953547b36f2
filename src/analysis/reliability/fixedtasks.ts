// How much a suite's pass^k would move if the same tasks were run again (methods.md A5.4), and the conservative
// interval that lets tasks and trials vary (A5.5). Trials are never resampled naively: a resampled task has binomial
// counts whose mean pass^k is the biased (c/n)^k, so replicates are moved back by that difference. Sources: Davison
// & Hinkley (1997) sec. 3.8; measured coverage in docs/method.md.

import type { TaskCounts } from './aggregate.ts'
import { orderLimits } from './bootstrap.ts'
import {
  estimable,
  notEstimable,
  requireConfidence,
  requireInteger,
  type Estimate,
  type Estimated,
  type Interval,
} from './estimate.ts'
import { twoSidedZ } from './normal.ts'
import { passHatK, passHatVariance } from './passk.ts'
import { DEFAULT_RESAMPLES, DEFAULT_SEED, resampling, Rng } from './random.ts'
import { mean, sum } from './sums.ts'

/** A mean pass^k with an interval for trial noise. `isApproximate`: from re-centred resampling, k too near n. */
export type TrialNoise = {
  readonly estimate: Estimate
  readonly tasks: number
  readonly standardError: Estimate
  readonly interval: Estimated<Interval>
  readonly isApproximate: boolean
}

/** Options of the resampled intervals; `resamples` is B. */
export type TrialBootstrapOptions = {
  readonly seed?: number
  readonly resamples?: number
  readonly confidence?: number
}

/**
 * Trial noise of the mean pass^k over the tasks with n ≥ k, these tasks held fixed: closed form where every such
 * task has n ≥ 2k, otherwise the re-centred trial bootstrap (stream "hier-trials").
 */
export function fixedTaskInterval(
  tasks: readonly TaskCounts[],
  k: number,
  options: TrialBootstrapOptions = {},
): TrialNoise {
  const { confidence = 0.95 } = options
  requireConfidence(confidence)
  const defined = definedTasks(tasks, k)
  if (defined.length === 0) return noNoise(tasks.length)
  const variances = defined.flatMap(({ n, c }) => {
    const variance = passHatVariance(n, c, k)
    return variance.ok ? [variance.value] : []
  })
  if (variances.length < defined.length) return recentred(defined, k, 'trials', options)
  const estimate = mean(defined.map(({ n, c }) => passHatK(n, c, k)))
  const standardError = Math.sqrt(sum(variances)) / defined.length
  const half = twoSidedZ(confidence) * standardError
  return {
    estimate: estimable(estimate),
    tasks: defined.length,
    standardError: estimable(standardError),
    interval: estimable({
      lower: Math.max(0, estimate - half),
      upper: Math.min(1, estimate + half),
      confidence,
      method: 'fixed-tasks-z',
      resampling: null,
    }),
    isApproximate: false,
  }
}

/**
 * The interval that resamples tasks and, within them, trials (stream "hier-both"): conservative, since task values
 * already carry trial noise. Never the default; at least 3 tasks with n ≥ k.
 */
export function tasksAndTrialsInterval(
  tasks: readonly TaskCounts[],
  k: number,
  options: TrialBootstrapOptions = {},
): TrialNoise {
  requireConfidence(options.confidence ?? 0.95)
  const defined = definedTasks(tasks, k)
  if (defined.length === 0) return noNoise(tasks.length)
  const result = recentred(defined, k, 'both', options)
  if (defined.length >= 3) return result
  const none = notEstimable('too-few-tasks')
  return { ...result, standardError: none, interval: none }
}

function definedTasks(tasks: readonly TaskCounts[], k: number): readonly TaskCounts[] {
  requireInteger('k', k, 1)
  return tasks.filter(({ n, c }) => {
    requireInteger('n', n, 0)
    requireInteger('c', c, 0, n)
    return n >= k
  })
}

function noNoise(total: number): TrialNoise {
  const none = notEstimable(total === 0 ? 'no-tasks' : 'k-exceeds-n')
  return { estimate: none, tasks: 0, standardError: none, interval: none, isApproximate: false }
}

function recentred(
  tasks: readonly TaskCounts[],
  k: number,
  mode: 'trials' | 'both',
  options: TrialBootstrapOptions,
): TrialNoise {
  const { seed = DEFAULT_SEED, resamples = DEFAULT_RESAMPLES, confidence = 0.95 } = options
  const stream = `hier-${mode}`
  const stamp = resampling(seed, stream, resamples)
  const rng = new Rng(seed, stream)
  const T = tasks.length
  // pass^k for every count a resampled task can have, one table per distinct n.
  const tables = new Map<number, Float64Array>()
  for (const { n } of tasks) {
    if (tables.has(n)) continue
    tables.set(
      n,
      Float64Array.from({ length: n + 1 }, (_, c) => passHatK(n, c, k)),
    )
  }
  const table = tasks.map(({ n }) => tables.get(n)!)
  const values = tasks.map(({ c }, i) => table[i]![c]!)
  const shift = tasks.map(({ n, c }, i) => values[i]! - (c / n) ** k)
  const draws = tasks.map(({ n }) => new Int32Array(n))
  const replicates = new Float64Array(resamples)
  for (let b = 0; b < resamples; b++) {
    let total = 0
    for (let i = 0; i < T; i++) {
      const at = mode === 'both' ? rng.below(T) : i
      const draw = draws[at]!
      rng.fillBelow(draw, draw.length)
      const passes = tasks[at]!.c
      let count = 0
      for (const index of draw) if (index < passes) count++
      total += table[at]![count]! + shift[at]!
    }
    replicates[b] = Math.min(1, Math.max(0, total / T))
  }
  const centre = mean(replicates)
  const spread = sum(replicates.map((value) => (value - centre) ** 2))
  const alpha = 1 - confidence
  const [lower, upper] = orderLimits(replicates.sort(), alpha / 2, 1 - alpha / 2)
  return {
    estimate: estimable(mean(values)),
    tasks: T,
    standardError: estimable(Math.sqrt(spread / (resamples - 1))),
    interval: estimable({
      lower,
      upper,
      confidence,
      method: mode === 'both' ? 'tasks-and-trials' : 'fixed-tasks-recentred',
      resampling: stamp,
    }),
    isApproximate: true,
  }
}
