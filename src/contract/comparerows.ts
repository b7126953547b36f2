// View rows of a comparison of two versions and of a plan of trials, and the schemas that ask for them. JSON-plain.
// A figure that cannot be had carries its reason in words.

import * as v from 'valibot'
import type { OutcomePolicy } from '../model/outcome.ts'
import type { Figure, LeadRow, Rate } from './rows.ts'
import { id } from './inputs.ts'

/** How sure an interval is to be; 95 % when nothing is said. */
export const confidence = v.optional(v.pipe(v.number(), v.gtValue(0), v.ltValue(1)), 0.95)
const wholeK = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000))
/** A k that a person chose, besides the usual ones; null for none. */
export const exposure = v.optional(v.nullable(wholeK), null)

/** One side: trials of these configurations (null: any) that came from these files (null: any). */
export const sideSchema = v.pipe(
  v.object({
    configurations: v.optional(v.nullable(v.pipe(v.array(id), v.minLength(1))), null),
    files: v.optional(v.nullable(v.pipe(v.array(id), v.minLength(1))), null),
  }),
  v.check(
    ({ configurations, files }) => configurations !== null || files !== null,
    'A side needs configurations or files.',
  ),
)

/** When a task counts as passed. */
export const ruleSchema = v.variant('kind', [
  v.object({ kind: v.literal('majority') }),
  v.object({ kind: v.literal('all') }),
  v.object({
    kind: v.literal('pass-hat'),
    k: wholeK,
    threshold: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  }),
])

/** What is compared, and how; the policy is added by the contract. */
export const compareSchema = {
  a: sideSchema,
  b: sideSchema,
  rule: v.optional(ruleSchema, { kind: 'majority' }),
  correction: v.optional(v.picklist(['holm', 'benjamini-hochberg']), 'holm'),
  k: exposure,
  confidence,
} as const

/** A plan of trials that is to show a failure rate below `rate`, with up to `failures` failures allowed. */
export const planSchema = v.object({
  rate: v.pipe(v.number(), v.minValue(1e-6), v.ltValue(1)),
  failures: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)), 0),
  confidence: v.optional(v.pipe(v.number(), v.gtValue(0), v.maxValue(0.999999)), 0.95),
  /** A failure rate of a system that one would call good; null: a fifth of `rate`. */
  good: v.optional(v.nullable(v.pipe(v.number(), v.gtValue(0), v.ltValue(1))), null),
})

/** A value, or the reason in words why there is none. */
export type Told<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string }

/** What repeats a resampled figure exactly. */
export type ResamplingRow = {
  readonly generator: string
  readonly seed: number
  readonly stream: string
  readonly B: number
}

/** A two-sided interval and its method; `resampling` is null for a closed form. */
export type IntervalRow = {
  readonly lower: number
  readonly upper: number
  readonly confidence: number
  readonly method: string
  readonly resampling: ResamplingRow | null
}

/** A mean over tasks with its bootstrap; `headline` is the interval to show, the others stand in "how computed". */
export type BootstrapRow = {
  readonly estimate: Figure
  readonly tasks: number
  readonly headline: Told<IntervalRow>
  readonly percentile: Told<IntervalRow>
  readonly bca: Told<IntervalRow>
  readonly student: Told<IntervalRow>
  readonly z0: Figure
  readonly acceleration: Figure
  readonly standardError: Figure
  readonly notes: readonly string[]
  readonly resampling: ResamplingRow
}

/** The mean of one side at one k. */
export type MeanAtK = {
  readonly k: number
  readonly mean: Figure
  readonly headline: Figure
  readonly defined: number
  readonly total: number
  readonly bounds: { readonly lower: number; readonly upper: number }
}

/** McNemar's test; b passed in A and fails in B, c the reverse. */
export type McNemarRow = {
  readonly b: number
  readonly c: number
  readonly exact: number
  readonly midP: number
  readonly chiSquare: { readonly statistic: number; readonly p: number } | null
  readonly isChiSquareShown: boolean
}

/** One side as a whole. */
export type CompareSide = {
  readonly label: string
  readonly configurations: readonly string[]
  readonly trials: number
  readonly tasks: number
  readonly pooled: Rate
  readonly severeTrials: number
  readonly severeEvents: number
  readonly passedButHarmful: number
}

/** One task under one side. `lead` is null where nothing had to be aligned to tell it. */
export type CompareCell = {
  readonly rate: Rate
  /** pass^k for k = 1..n, thinned beyond 100. */
  readonly curve: readonly number[]
  /** pass^k at the comparison's `shownK`. */
  readonly passHatK: Figure
  readonly severeTrials: number
  readonly severeEvents: number
  readonly passedButHarmful: number
  readonly costMean: number | null
  readonly lead: LeadRow
}

/** One task that both sides list. */
export type CompareTask = {
  readonly taskId: string
  readonly suite: string
  readonly task: string
  readonly title: string | null
  readonly a: CompareCell
  readonly b: CompareCell
  /** B − A with Newcombe's interval; not certain when the interval holds 0. */
  readonly difference: Told<{
    readonly difference: number
    readonly interval: IntervalRow
    readonly isCertain: boolean
  }>
  readonly change: 'better' | 'worse' | 'same' | 'not estimable'
  /** Fisher's test with the correction for all tasks; null where a side has no counted trial. */
  readonly regression: { readonly p: number; readonly adjusted: number; readonly floor: number } | null
}

/** A task that only one side lists. */
export type CompareOnly = {
  readonly taskId: string
  readonly suite: string
  readonly task: string
  readonly n: number
  readonly passes: number
  readonly severeTrials: number
}

/** The mean over tasks at one k: A, B, and the paired difference. */
export type CompareAtK = {
  readonly k: number
  readonly a: MeanAtK
  readonly b: MeanAtK
  readonly paired: {
    readonly difference: BootstrapRow
    readonly signFlip: {
      readonly p: number
      readonly floor: number
      readonly nonZero: number
      readonly isExact: boolean
      readonly resampling: ResamplingRow | null
    }
    readonly compared: number
    readonly leftOut: readonly string[]
    /** The shown interval holds 0, or there is none. */
    readonly isCertain: boolean
  }
}

/** B compared with A. */
export type CompareView = {
  readonly a: CompareSide
  readonly b: CompareSide
  readonly policy: OutcomePolicy
  readonly confidence: number
  /** Trials that both sides hold: they are no evidence of a difference. */
  readonly sharedTrials: number
  readonly shownK: number
  readonly tasks: readonly CompareTask[]
  readonly onlyA: readonly CompareOnly[]
  readonly onlyB: readonly CompareOnly[]
  readonly atK: readonly CompareAtK[]
  readonly mcnemar: {
    readonly rule: string
    readonly test: McNemarRow
    readonly compared: number
    readonly leftOut: readonly string[]
  }
  readonly trialMcnemar: Told<{
    readonly test: McNemarRow
    readonly pairs: number
    readonly leftOut: number
    readonly treatsTrialsAsIndependent: boolean
  }>
  readonly regressions: {
    readonly correction: 'holm' | 'benjamini-hochberg'
    readonly m: number
    readonly leftOut: readonly string[]
    /** The smallest adjusted p that these numbers of trials can give; above .05 an empty list says nothing. */
    readonly adjustedFloor: number
    readonly canTell: boolean
  }
  /** What `--fail-on` asks, as task ids. */
  readonly conditions: {
    /** B has a severe event. */
    readonly severe: readonly string[]
    /** The share of trials with a severe event is larger in B than in A, or the task is new and has one. */
    readonly moreSevere: readonly string[]
    /** Worse after the correction. */
    readonly worse: readonly string[]
    /** The mean pass^1 is lower with a sign-flip p below .05. */
    readonly worseOverall: boolean
  }
  /** Analyses of either side that are still being computed: their leads say "pending". */
  readonly pending: number
}

/** A plan: trials for 0 to the allowed number of failures under one convention, and clean trials under both. */
export type PlanView = {
  readonly rate: number
  readonly failures: number
  readonly confidence: number
  readonly convention: string
  readonly good: number
  readonly rows: readonly {
    readonly failures: number
    readonly trials: number
    /** Chance that a system of the good rate passes, and of systems of other rates. */
    readonly goodPasses: number
    readonly chances: readonly { readonly trueRate: number; readonly chance: number }[]
  }[]
  readonly clean: {
    readonly oneSidedExact: number
    readonly twoSidedWilson: number
    readonly ruleOfThree: number
  }
}
