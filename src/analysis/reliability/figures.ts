// The figures with doubt (methods.md A5, A6, A10–A12), whole: of one task its verdict, intervals for p^k, severe bounds
// and cost; of a suite the intervals of its mean pass^k, how outcomes vary between tasks, and whether retries look
// independent. The suite's figures resample: run them in a worker. Joins the other files of this folder.

import { policyWords, type Outcome, type OutcomePolicy } from '../../model/outcome.ts'
import { macroAtK, pooledRate, type PooledRate, type TaskCounts } from './aggregate.ts'
import type { TaskBootstrap } from './bootstrap.ts'
import { stoppingRule, type StoppingRule } from './contamination.ts'
import { costBootstrap, costSummary, type CostSummary } from './cost.ts'
import { estimable, notEstimable, type Estimate, type Estimated, type Interval } from './estimate.ts'
import { fixedTaskInterval, type TrialNoise } from './fixedtasks.ts'
import { executionOrder, testIndependence, type Independence } from './independence.ts'
import { POOLED_CAUTION } from './intervals.ts'
import { countsAs } from './outcomes.ts'
import { passHatEstimate, passHatInterval, passHatVariance } from './passk.ts'
import { DEFAULT_SEED } from './random.ts'
import { severitySummary, type SeveritySummary } from './severity.ts'
import { curveIntervals, taskReliability } from './summary.ts'
import {
  effectivePool,
  NOTABLE_ICC,
  splitVariance,
  taroneTest,
  type EffectivePool,
  type Tarone,
  type VarianceSplit,
} from './variance.ts'
import type { TaskVerdict } from './verdict.ts'

/** One trial as the figures see it. `end`: what tells how it ended, null where nothing does. */
export type FigureTrial = {
  readonly trialId: string
  readonly taskId: string
  readonly configurationId: string
  readonly outcome: Outcome
  readonly startMs: number | null
  readonly severeEvents: number
  readonly costUsd: number | null
  readonly end: string | null
}

/** What figures are asked of: the trials in scope, of one task or of several. */
export type FiguresInput = {
  readonly of: 'task' | 'suite'
  readonly trials: readonly FigureTrial[]
  readonly policy: OutcomePolicy
  /** A k that a person chose, besides the usual ones; null for none. */
  readonly exposure: number | null
  readonly confidence: number
  readonly seed?: number
  readonly resamples?: number
}

/**
 * Whether the order of execution is known, and what it says, over series: the trials of one task under one configuration
 * (two configurations that ran one after the other would look like bunches). Those of unknown order take no part.
 */
export type OrderFigures = {
  readonly known: number
  readonly unknown: number
  readonly independence: Estimated<Independence>
  readonly stopping: Estimated<StoppingRule | null>
}

/** The interval for p^k of one task. `deviation`: of pass^k over repetitions of these n trials. */
export type TaskAtK = {
  readonly k: number
  readonly estimate: Estimate
  readonly clopperPearson: Estimated<Interval>
  readonly wilson: Estimated<Interval>
  readonly deviation: Estimate
}

/** One task. */
export type TaskFigures = {
  readonly n: number
  readonly c: number
  readonly isFew: boolean
  readonly verdict: TaskVerdict
  readonly atK: readonly TaskAtK[]
  readonly order: OrderFigures
  readonly severity: SeveritySummary
  readonly cost: CostSummary
}

/** The mean pass^k at one k with both of its intervals. */
export type SuiteAtK = {
  readonly k: number
  readonly defined: number
  readonly total: number
  /** Other tasks of this kind. */
  readonly tasks: TaskBootstrap
  /** The same tasks run again. */
  readonly fixed: TrialNoise
}

/** Several tasks. `effective` is null unless the ICC is above `NOTABLE_ICC`. */
export type SuiteFigures = {
  readonly tasks: number
  readonly trials: number
  readonly policyWords: string
  readonly atK: readonly SuiteAtK[]
  readonly pooled: PooledRate & { readonly caution: string }
  readonly variance: Estimated<VarianceSplit>
  readonly tarone: Estimated<Tarone>
  readonly effective: EffectivePool | null
  readonly order: OrderFigures
  readonly severity: SeveritySummary
  readonly cost: CostSummary
  readonly meanCost: TaskBootstrap
}

/** The figures of one task or of a suite; the other is null. */
export type Figures = { readonly task: TaskFigures | null; readonly suite: SuiteFigures | null }

/** Computes what is asked for. RangeError for a confidence outside of (0, 1) or an exposure below 1. */
export function figuresOf(input: FiguresInput): Figures {
  return input.of === 'task'
    ? { task: taskFigures(input), suite: null }
    : { task: null, suite: suiteFigures(input) }
}

/** The values of k that a list has room for: all up to ten, then the usual ones, the largest, and a chosen one. */
export function listedKs(largest: number, exposure: number | null): readonly number[] {
  const ks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 50, 100].filter((k) => k <= largest)
  return [
    ...new Set([...ks, ...(largest > 0 ? [largest] : []), ...(exposure === null ? [] : [exposure])]),
  ].sort((a, b) => a - b)
}

function taskFigures(input: FiguresInput): TaskFigures {
  const { trials, policy, confidence } = input
  const { n, c, isFew, verdict } = taskReliability(
    trials.map((trial) => trial.outcome),
    policy,
    { confidence, ends: trials.map((trial) => trial.end) },
  )
  return {
    n,
    c,
    isFew,
    verdict,
    atK: listedKs(n, input.exposure).map((k) => {
      const variance = k <= n ? passHatVariance(n, c, k) : notEstimable('k-exceeds-n')
      return {
        k,
        estimate: passHatEstimate(n, c, k),
        clopperPearson: passHatInterval(n, c, k, 'clopper-pearson', confidence),
        wilson: passHatInterval(n, c, k, 'wilson', confidence),
        deviation: variance.ok ? estimable(Math.sqrt(variance.value)) : variance,
      }
    }),
    order: orderFigures(trials, policy),
    ...harmAndCost(trials, policy),
  }
}

function suiteFigures(input: FiguresInput): SuiteFigures {
  const { trials, policy, confidence } = input
  const byTask = [...Map.groupBy(trials, (trial) => trial.taskId)]
  const counts = byTask.map(([taskId, mine]): TaskCounts => {
    const counted = mine.map((trial) => countsAs(trial.outcome, policy))
    return {
      taskId,
      n: counted.filter((one) => one !== null).length,
      c: counted.filter((one) => one === true).length,
    }
  })
  const options = {
    seed: input.seed ?? DEFAULT_SEED,
    confidence,
    ...(input.resamples === undefined ? {} : { resamples: input.resamples }),
  }
  const ks = listedKs(
    counts.reduce((most, { n }) => Math.max(most, n), 0),
    input.exposure,
  )
  const effective = effectivePool(counts, confidence)
  return {
    tasks: counts.length,
    trials: trials.length,
    policyWords: policyWords(policy),
    atK: curveIntervals(counts, ks, 'pass-hat', options).map(({ k, bootstrap }) => {
      const { defined, total } = macroAtK(counts, k, 'pass-hat')
      return { k, defined, total, tasks: bootstrap, fixed: fixedTaskInterval(counts, k, options) }
    }),
    pooled: { ...pooledRate(counts, confidence), caution: POOLED_CAUTION },
    variance: splitVariance(counts),
    tarone: taroneTest(counts),
    effective: effective.ok && effective.value.icc > NOTABLE_ICC ? effective.value : null,
    order: orderFigures(trials, policy),
    ...harmAndCost(trials, policy),
    meanCost: costBootstrap(costTrials(trials, policy), options),
  }
}

/**
 * Order of execution by start time alone: an index in a file is the order in which trials were written, and trials that
 * ran side by side are written as they end.
 */
function orderFigures(trials: readonly FigureTrial[], policy: OutcomePolicy): OrderFigures {
  let unknown = 0
  const sequences: (readonly boolean[])[] = []
  const series = Map.groupBy(trials, (trial) => JSON.stringify([trial.taskId, trial.configurationId]))
  for (const mine of series.values()) {
    const counted = mine.flatMap(({ outcome, startMs }) => {
      const passed = countsAs(outcome, policy)
      return passed === null ? [] : [{ index: null, startMs, passed }]
    })
    if (counted.length === 0) continue
    const order = executionOrder(counted)
    if (order.ok) sequences.push(order.value)
    else unknown++
  }
  const isKnown = sequences.length > 0
  return {
    known: sequences.length,
    unknown,
    independence: isKnown ? estimable(testIndependence(sequences)) : notEstimable('order-unknown'),
    stopping: isKnown ? estimable(stoppingRule(sequences)) : notEstimable('order-unknown'),
  }
}

function costTrials(trials: readonly FigureTrial[], policy: OutcomePolicy) {
  return trials.map(({ trialId, taskId, costUsd, outcome }) => ({
    trialId,
    taskId,
    cost: costUsd,
    passed: countsAs(outcome, policy),
  }))
}

function harmAndCost(
  trials: readonly FigureTrial[],
  policy: OutcomePolicy,
): { severity: SeveritySummary; cost: CostSummary } {
  return {
    severity: severitySummary(trials.map((trial) => ({ ...trial, events: trial.severeEvents }))),
    cost: costSummary(costTrials(trials, policy)),
  }
}
