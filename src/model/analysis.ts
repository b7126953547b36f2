// What the analysis of one task gives: aligned columns, one lane per trial, and the divergences that go with
// failing. Derived, versioned, JSON-plain; written by analysis/divergence, drawn by the window, CLI and reports.

import type { Outcome } from './outcome.ts'

/** Class of a step in scoring: state-changing, checking, reading, message, final answer. */
export type StepClass = 'write' | 'check' | 'read' | 'message' | 'final'

/** What kind of difference a divergence is (methods.md B5). */
export type DivergenceKind =
  | 'missing'
  | 'extra'
  | 'duplicate'
  | 'tool'
  | 'arguments'
  | 'observation'
  | 'error'
  | 'order'
  | 'termination'
  | 'message'
  | 'final'

/** Why a task has no lead, in exactly these words everywhere; `lead` when it has one (methods.md B10). */
export type LeadState = 'lead' | 'no passing run' | 'no failing run' | 'not comparable' | 'none'

/** The wording level of a lead (methods.md B10). */
export type LeadLevel = 'none' | 'Weak lead' | 'Lead' | 'Clear lead' | 'Strong lead'

/** One column of the alignment: the same point of the work in all trials. */
export type Column = {
  readonly index: number
  /** Semantic stage, for display and grouping: identify, gather, check, compute, act, talk, present, or the source's own. */
  readonly stage: string
  /** The tool that passing trials call here (canonical name), or `final`. */
  readonly tool: string
  readonly stepClass: StepClass
  /** How many passing and failing trials have a step here. */
  readonly passPresent: number
  readonly failPresent: number
}

/** A trial's step in a column. */
export type Cell = {
  readonly column: number
  /** `Step.index` of the step (for a call: of the assistant step that made it). */
  readonly step: number
  /** Position in the step's `calls`; null for messages. */
  readonly call: number | null
  /** `Step.index` of the result, when there is one. */
  readonly resultStep: number | null
  readonly tool: string
  /** Cells of one column with the same variant number did the same and saw the same. */
  readonly variant: number
  /** Differs from what passing trials do here. */
  readonly differs: boolean
  readonly isError: boolean
  /** A failed call of this tool was followed by one that worked: folded into this cell. */
  readonly recovered: boolean
}

/** One trial laid into the columns. Cells are in the trial's own order. */
export type Lane = {
  readonly trial: string
  readonly outcome: Outcome
  readonly isPass: boolean
  readonly cells: readonly Cell[]
  /** Lanes with equal numbers are alike in every column: they may be folded. */
  readonly alike: number
  readonly stepCount: number
}

/** Counts behind a divergence: shown by a of F failing and b of P passing trials. */
export type Counts = { readonly a: number; readonly F: number; readonly b: number; readonly P: number }

/** How a figure came about, as data: inputs and terms, for "how computed". */
export type HowComputed = {
  readonly prior: number
  readonly priorName: string
  readonly novelty: number
  readonly surprise: number
  readonly sharing: number
  readonly own: number
  readonly cascade: number
  readonly score: number
}

/** One difference of one failing trial. */
export type Divergence = {
  readonly trial: string
  /** Column index; for a message before a column, that column; for the final answer, the column count. */
  readonly column: number
  /** `Step.index` in the failing trial, null when the step is absent. */
  readonly step: number | null
  readonly call: number | null
  readonly kind: DivergenceKind
  /** Scoring kind such as `write.arg`, `check.missing`, `term`. */
  readonly scoringKind: string
  readonly stage: string
  /** The failing trial's tool (or the missing one), and what passing trials call here. */
  readonly tool: string
  readonly columnTool: string
  /** Argument or observation path in question, and both values as text; null where there is none. */
  readonly facet: string | null
  readonly valueFail: string | null
  readonly valuePass: string | null
  /** The value has no source in the failing trial (invented). */
  readonly isUngrounded: boolean
  readonly counts: Counts
  /** Pass rate with and without the difference, and the Newcombe interval of the gap; null when not estimable. */
  readonly effect: {
    readonly passWith: number | null
    readonly passWithout: number | null
    readonly low: number | null
    readonly high: number | null
  }
  /** Weight among the differences of this trial, "none of them" included (0..1). */
  readonly probability: number
  /** Columns of later differences that this one explains. */
  readonly explains: readonly number[]
  readonly level: LeadLevel
  /** Consequence of an earlier difference, or without effect on what followed. */
  readonly isConsequence: boolean
  readonly isInert: boolean
  /** Stopped right after an error that passing trials met and recovered from (termination only). */
  readonly afterError: boolean
  readonly how: HowComputed
  /** Where the other trials stand in this column. */
  readonly siblings: readonly {
    readonly trial: string
    readonly step: number
    readonly call: number | null
  }[]
}

/** The ranked differences of one failing trial, best first. */
export type TrialFinding = {
  readonly trial: string
  readonly state: LeadState
  readonly pNone: number
  readonly ranked: readonly Divergence[]
}

/** Failing trials whose top divergence is the same. */
export type FailureMode = {
  readonly column: number | null
  readonly kind: DivergenceKind | null
  readonly facet: string | null
  readonly trials: readonly string[]
}

/** The analysis of one task over all trials in scope. */
export type TaskAnalysis = {
  readonly version: string
  readonly state: LeadState
  /** Smallest reachable p is above .1: said beside the ranking, not instead of it. */
  readonly tooFew: boolean
  readonly columns: readonly Column[]
  readonly lanes: readonly Lane[]
  readonly findings: readonly TrialFinding[]
  readonly modes: readonly FailureMode[]
  /** The commonest earliest consequential divergence: the band. Null without a lead. */
  readonly lead: Divergence | null
  readonly permutation: {
    readonly p: number | null
    readonly floor: number | null
    readonly labelings: number
    readonly isExact: boolean
    readonly generator: string
    readonly seed: number
    readonly stream: string
  }
  /** Tools with the class and stage they were given and why; what was learned and may be corrected. */
  readonly tools: readonly {
    readonly name: string
    readonly canonical: string
    readonly stepClass: StepClass
    readonly stage: string
    readonly reason: string
  }[]
  /** Trials left out of the comparison, and why. */
  readonly excluded: readonly { readonly trial: string; readonly reason: string }[]
}
