// What the app asks for: the reliability of one task from the outcomes of its trials, and of a suite from its tasks.
// Everything a screen, a report or the CLI prints about rates comes from here, so that all print the same.
// Cheap (no resampling): intervals by resampling are asked for separately through `curveIntervals`, in a worker.

import { policyWords, type Outcome, type OutcomePolicy } from '../../model/outcome.ts'
import {
  headlineKs,
  macroAtK,
  macroCurve,
  passHistogram,
  pooledRate,
  taskValues,
  type AggregateAtK,
  type HistogramBar,
  type Metric,
  type PooledRate,
  type TaskCounts,
} from './aggregate.ts'
import { taskBootstrapColumns, type BootstrapOptions, type TaskBootstrap } from './bootstrap.ts'
import {
  estimable,
  notEstimable,
  requireInteger,
  type Estimate,
  type Estimated,
  type Interval,
} from './estimate.ts'
import { POOLED_CAUTION, wilson } from './intervals.ts'
import { countOutcomes, countsAs, otherPolicies, type OutcomeCounts } from './outcomes.ts'
import { passAtCurve, passHatCurve } from './passk.ts'
import {
  effectivePool,
  NOTABLE_ICC,
  splitVariance,
  taroneTest,
  type EffectivePool,
  type Tarone,
  type VarianceSplit,
} from './variance.ts'
import { taskVerdict, type TaskVerdict } from './verdict.ts'

/** Version of the figures: stored with derived rows, raised when a figure changes. */
export const RELIABILITY_VERSION = 'reliability@1'

/** Below this n a task's figures carry the word "few". */
const FEW_TRIALS = 5

/** The reliability of one task. */
export type TaskReliability = OutcomeCounts & {
  readonly policy: OutcomePolicy
  readonly policyWords: string
  readonly rate: Estimate
  readonly wilson: Estimated<Interval>
  /** pass^k and pass@k for k = 1..n (index k − 1); beyond n they are not estimable. */
  readonly passHat: readonly number[]
  readonly passAt: readonly number[]
  readonly isFew: boolean
  readonly verdict: TaskVerdict
}

/** Optional facts about a task. `ends`: parallel to the outcomes, what tells a trial's end, null if nothing does. */
export type TaskOptions = { readonly confidence?: number; readonly ends?: readonly (string | null)[] }

/** The reliability of a task from its trials' outcomes. RangeError when `ends` has another length. */
export function taskReliability(
  outcomes: readonly Outcome[],
  policy: OutcomePolicy,
  options: TaskOptions = {},
): TaskReliability {
  const { confidence = 0.95, ends } = options
  if (ends && ends.length !== outcomes.length) throw new RangeError('One end per trial is needed')
  const counts = countOutcomes(outcomes, policy)
  const { n, c } = counts
  const failureEnds = ends?.filter((_, i) => countsAs(outcomes[i]!, policy) === false) ?? []
  return {
    ...counts,
    policy,
    policyWords: policyWords(policy),
    rate: n > 0 ? estimable(c / n) : notEstimable('no-trials'),
    wilson: wilson(c, n, confidence),
    passHat: passHatCurve(n, c),
    passAt: passAtCurve(n, c),
    isFew: n < FEW_TRIALS,
    verdict: taskVerdict(n, c, failureEnds),
  }
}

/** A task and the outcomes of its trials in scope. */
export type TaskOutcomes = { readonly taskId: string; readonly outcomes: readonly Outcome[] }

/** The same trials read under another policy. */
export type OtherReading = {
  readonly policy: OutcomePolicy
  readonly policyWords: string
  readonly mean: Estimate
}

/** The reliability of a suite. Curves run to the largest n, each point with its coverage. */
export type SuiteReliability = {
  readonly version: string
  readonly policy: OutcomePolicy
  readonly policyWords: string
  readonly confidence: number
  readonly tasks: number
  /** Trials that count, passes among them, trials excluded, and how many errors and unknowns were seen. */
  readonly trials: number
  readonly passes: number
  readonly excluded: number
  readonly errors: number
  readonly unknown: number
  /** Tasks with both outcomes. */
  readonly mixedTasks: number
  readonly passHat: readonly AggregateAtK[]
  readonly passAt: readonly AggregateAtK[]
  /** The k to put in a headline. */
  readonly headlineKs: readonly number[]
  readonly pooled: PooledRate & { readonly caution: string }
  /** The pooled interval at the effective number of trials; only when the ICC is above 0.05. */
  readonly effective: EffectivePool | null
  readonly histogram: readonly HistogramBar[]
  readonly variance: Estimated<VarianceSplit>
  readonly tarone: Estimated<Tarone>
  /** Readings under policies that differ in one switch, where the mean pass^1 differs in the second decimal. */
  readonly otherReadings: readonly OtherReading[]
}

/** Optional choices for a suite. `exposure`: the k that a person chose. */
export type SuiteOptions = { readonly confidence?: number; readonly exposure?: number | null }

/** The counts of every task under the policy, in the order given. */
export function suiteCounts(tasks: readonly TaskOutcomes[], policy: OutcomePolicy): readonly TaskCounts[] {
  return tasks.map(({ taskId, outcomes }) => {
    const { n, c } = countOutcomes(outcomes, policy)
    return { taskId, n, c }
  })
}

/** The reliability of a suite from its tasks' outcomes: each task first, then the mean over tasks. */
export function suiteReliability(
  tasks: readonly TaskOutcomes[],
  policy: OutcomePolicy,
  options: SuiteOptions = {},
): SuiteReliability {
  const { confidence = 0.95, exposure = null } = options
  const seen = tasks.map(({ outcomes }) => countOutcomes(outcomes, policy))
  const counts = suiteCounts(tasks, policy)
  const pooled = pooledRate(counts, confidence)
  const effective = effectivePool(counts, confidence)
  const total = (of: (task: OutcomeCounts) => number): number => seen.reduce((sum, task) => sum + of(task), 0)
  return {
    version: RELIABILITY_VERSION,
    policy,
    policyWords: policyWords(policy),
    confidence,
    tasks: tasks.length,
    trials: pooled.trials,
    passes: pooled.passes,
    excluded: total(({ excluded }) => excluded),
    errors: total(({ errors }) => errors),
    unknown: total(({ unknown }) => unknown),
    mixedTasks: counts.filter(({ n, c }) => c > 0 && c < n).length,
    passHat: macroCurve(counts, 'pass-hat'),
    passAt: macroCurve(counts, 'pass-at'),
    headlineKs: headlineKs(counts, exposure),
    pooled: { ...pooled, caution: POOLED_CAUTION },
    effective: effective.ok && effective.value.icc > NOTABLE_ICC ? effective.value : null,
    histogram: passHistogram(counts),
    variance: splitVariance(counts),
    tarone: taroneTest(counts),
    otherReadings: otherReadings(tasks, counts, policy),
  }
}

function otherReadings(
  tasks: readonly TaskOutcomes[],
  counts: readonly TaskCounts[],
  policy: OutcomePolicy,
): readonly OtherReading[] {
  const text = (mean: Estimate): string => (mean.ok ? mean.value.toFixed(2) : mean.reason)
  const own = text(macroAtK(counts, 1, 'pass-hat').mean)
  return otherPolicies(policy).flatMap((other) => {
    const { mean } = macroAtK(suiteCounts(tasks, other), 1, 'pass-hat')
    return text(mean) === own ? [] : [{ policy: other, policyWords: policyWords(other), mean }]
  })
}

/** The task bootstrap of a suite's mean at one k. */
export type CurveInterval = { readonly k: number; readonly metric: Metric; readonly bootstrap: TaskBootstrap }

/**
 * Task bootstrap intervals of the mean at each k (stream "task-bootstrap"), over the tasks with n ≥ k. All k with the
 * same tasks share the draws: 10 values of k over 1,000 tasks cost little more than one. Run it in a worker.
 */
export function curveIntervals(
  tasks: readonly TaskCounts[],
  ks: readonly number[],
  metric: Metric,
  options: BootstrapOptions = {},
): readonly CurveInterval[] {
  const byTasks = new Map<number, { ks: number[]; columns: number[][] }>()
  for (const k of ks) {
    requireInteger('k', k, 1)
    const kept = options.weights
    if (kept && kept.length !== tasks.length) throw new RangeError('One weight per task is needed')
    const values = taskValues(tasks, k, metric).flatMap((value) => (value.ok ? [value.value] : []))
    // Tasks with n ≥ k shrink with k, so that equal numbers mean equal tasks.
    const group = byTasks.get(values.length) ?? { ks: [], columns: [] }
    group.ks.push(k)
    group.columns.push(values)
    byTasks.set(values.length, group)
  }
  const found = new Map<number, CurveInterval>()
  for (const group of byTasks.values()) {
    const least = group.ks[0]!
    const weights = options.weights?.filter((_, i) => tasks[i]!.n >= least)
    const bootstraps = taskBootstrapColumns(group.columns, { ...options, weights })
    for (const [j, k] of group.ks.entries()) found.set(k, { k, metric, bootstrap: bootstraps[j]! })
  }
  return ks.map((k) => found.get(k)!)
}
