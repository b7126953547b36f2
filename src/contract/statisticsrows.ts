// View rows of the figures with doubt: of one task, or of all tasks in scope. JSON-plain. A figure that cannot be had
// carries its reason in words; a resampled one what repeats it.

import type { OutcomePolicy } from '../model/outcome.ts'
import type { BootstrapRow, IntervalRow, ResamplingRow, Told } from './comparerows.ts'
import type { Figure } from './rows.ts'

/** One test of the order of outcomes over all tasks with both; `adjusted` by Holm for the two tests. */
export type OrderTestRow = {
  readonly statistic: number
  readonly expected: number
  readonly variance: number
  readonly z: number
  readonly p: number
  readonly method: 'exact' | 'normal'
  readonly adjusted: number
}

/**
 * Whether the order of execution is known (start times), and what it says of the retries. A series: the trials of one
 * task under one configuration.
 */
export type OrderRow = {
  readonly known: number
  readonly unknown: number
  readonly independence: Told<{
    readonly runs: Told<OrderTestRow>
    readonly drift: Told<OrderTestRow>
    readonly tasks: number
    readonly isSuspect: boolean
  }>
  /** Set when the number of trials seems to depend on their outcomes: pass^k is then biased. */
  readonly stopping: Told<{
    readonly kind: 'stops-at-failure' | 'stops-at-success'
    readonly tasks: number
  } | null>
}

/** One-sided upper bound. */
export type UpperRow = { readonly upper: number; readonly confidence: number; readonly method: string }

/** Severe events, whatever the outcomes. */
export type SeverityRow = {
  readonly trials: number
  readonly severeTrials: number
  readonly events: number
  readonly upperWilson: Told<UpperRow>
  readonly upperExact: Told<UpperRow>
  readonly eventsPerTrialUpper: Told<UpperRow>
  readonly passedButHarmful: { readonly trials: number; readonly events: number }
  readonly worstTask: {
    readonly taskId: string
    readonly severeTrials: number
    readonly events: number
    readonly trials: number
  } | null
}

/** Cost in US dollars over the trials that have one. */
export type CostRow = {
  readonly trials: number
  readonly withoutCost: number
  readonly total: number
  readonly mean: Figure
  readonly median: Figure
  readonly deviation: Figure
  readonly worst: Told<{ readonly trialId: string; readonly cost: number }>
  readonly perSuccess: Figure
}

/** The interval for p^k of a task; `deviation`: of pass^k over repetitions of its n trials. */
export type TaskAtK = {
  readonly k: number
  readonly estimate: Figure
  readonly clopperPearson: Told<IntervalRow>
  readonly wilson: Told<IntervalRow>
  readonly deviation: Figure
}

/** One task. */
export type TaskFiguresRow = {
  readonly n: number
  readonly c: number
  readonly isFew: boolean
  readonly verdict: {
    readonly verdict: string
    readonly below: number
    readonly between: number
    readonly above: number
    /** Share of failing trials that end in the commonest way. */
    readonly agreement: Figure
    readonly failsInDifferentWays: boolean
    /** For "undecided": trials to add until the rate seen would be decided; null when a thousand would not. */
    readonly moreTrials: number | null
  }
  readonly atK: readonly TaskAtK[]
  readonly order: OrderRow
  readonly severity: SeverityRow
  readonly cost: CostRow
}

/** The mean pass^k at one k: for other tasks of this kind, and for the same tasks run again. */
export type SuiteAtKRow = {
  readonly k: number
  readonly defined: number
  readonly total: number
  readonly tasks: BootstrapRow
  readonly fixed: {
    readonly estimate: Figure
    readonly tasks: number
    readonly standardError: Figure
    readonly interval: Told<IntervalRow>
    readonly isApproximate: boolean
  }
}

/** All tasks in scope. */
export type SuiteFiguresRow = {
  readonly tasks: number
  readonly trials: number
  readonly policyWords: string
  readonly atK: readonly SuiteAtKRow[]
  readonly pooled: {
    readonly label: string
    readonly passes: number
    readonly trials: number
    readonly rate: Figure
    readonly wilson: Told<IntervalRow>
    readonly caution: string
  }
  readonly variance: Told<{
    readonly rate: number
    readonly betweenMeanSquare: number
    readonly withinMeanSquare: number
    readonly trialsPerTask: number
    readonly icc: number
    readonly beta: { readonly a: number; readonly b: number } | null
  }>
  readonly tarone: Told<{ readonly z: number; readonly p: number }>
  /** The pooled interval at the effective number of trials; null unless the ICC is above .05. */
  readonly effective: { readonly icc: number; readonly trials: number; readonly wilson: IntervalRow } | null
  readonly order: OrderRow
  readonly severity: SeverityRow
  readonly cost: CostRow
  readonly meanCost: BootstrapRow
}

/** The answer: of one task or of all; the other is null. */
export type StatisticsView = {
  readonly task: TaskFiguresRow | null
  readonly suite: SuiteFiguresRow | null
  readonly policy: OutcomePolicy
  readonly confidence: number
}

/** What repeats a figure, in words: `10,000 resamples, xoshiro128ss-1.1, seed 2026, stream task-bootstrap`. */
export function resamplingWords({ generator, seed, stream, B }: ResamplingRow): string {
  return `${B.toLocaleString('en-US')} resamples, ${generator}, seed ${seed}, stream ${stream}`
}
