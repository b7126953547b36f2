// View rows: what a screen draws and the CLI prints, JSON-plain and bounded. Never whole trajectories.

import type { Json } from '../base/json.ts'
import type { FaultData } from '../base/fault.ts'
import type { SevereEvent, TrialError } from '../model/trial.ts'
import type { DivergenceKind, LeadLevel, LeadState, TaskAnalysis } from '../model/analysis.ts'
import type { Outcome, OutcomePolicy } from '../model/outcome.ts'
import type { AttachedFrom } from './outcomerows.ts'

/** A figure, or the reason why it cannot be had. */
export type Figure =
  { readonly ok: true; readonly value: number } | { readonly ok: false; readonly reason: string }

/** One file of an import run. */
export type ImportFileRow = {
  readonly fileId: string
  readonly name: string
  readonly bytes: number
  readonly format: string | null
  readonly formatTitle: string | null
  /** How sure the detection is, 0..1, and why. */
  readonly confidence: number
  readonly reason: string
  readonly candidates: readonly {
    readonly format: string
    readonly title: string
    readonly confidence: number
    readonly reason: string
  }[]
  readonly state:
    'waiting' | 'reading' | 'kept' | 'unchanged' | 'needs format' | 'unreadable' | 'cancelled' | 'skipped'
  readonly trialsNew: number
  /** Already here: nothing changed for these. */
  readonly trialsSame: number
  readonly conflicts: number
  readonly tasks: number
  readonly problems: number
  readonly fault: FaultData | null
}

/** One import run: what one drop, dialog or command line brought. */
export type ImportRow = {
  readonly importId: string
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly state: 'running' | 'kept' | 'cancelled' | 'failed' | 'interrupted' | 'undone'
  readonly trialsNew: number
  readonly trialsSame: number
  readonly problems: number
  /** Files of the run; `files` lists 2,000 of them at most, those that brought something first. */
  readonly filesTotal: number
  readonly files: readonly ImportFileRow[]
}

/** A problem met while importing, with its place. */
export type ProblemRow = {
  readonly problemId: number
  readonly fileName: string
  readonly severity: 'error' | 'warning' | 'info'
  readonly code: string
  readonly message: string
  readonly hint: string | null
  readonly line: number | null
  readonly byte: number | null
  readonly record: number | null
  /** How many alike were met; only the first hundred of a code and file are kept apart. */
  readonly count: number
}

/** Progress of an import. */
export type ImportProgress = {
  readonly importId: string
  readonly fileName: string
  readonly filesDone: number
  readonly filesTotal: number
  readonly bytesDone: number
  readonly bytesTotal: number
  readonly trials: number
  readonly problems: number
}

/** A rate with its doubt and its denominator. */
export type Rate = {
  readonly n: number
  readonly passes: number
  readonly rate: Figure
  /** Wilson interval at 95 %; null when n = 0. */
  readonly wilson: readonly [number, number] | null
  readonly fails: number
  readonly errors: number
  readonly unknown: number
  readonly excluded: number
}

/** pass^k and pass@k at one k. */
export type PassAt = {
  readonly k: number
  readonly passHatK: Figure
  readonly passAtK: Figure
  /** Exact rationals such as `28/45` where n ≤ 200. */
  readonly exactHat: string | null
  readonly exactAt: string | null
}

/** Where the failing trials of a task part, in short. */
export type LeadRow = {
  readonly state: LeadState | 'pending' | 'failed'
  readonly tooFew: boolean
  readonly stage: string | null
  readonly tool: string | null
  readonly kind: DivergenceKind | null
  readonly level: LeadLevel | null
  readonly probability: number | null
  readonly a: number
  readonly F: number
  readonly b: number
  readonly P: number
}

/** One task in the table. */
export type TaskRow = {
  readonly taskId: string
  readonly suite: string
  readonly task: string
  readonly title: string | null
  readonly rate: Rate
  /** pass^k for k = 1..n. */
  readonly curve: readonly number[]
  readonly verdict: string
  /** Trials with at least one severe event, events, and severe trials that passed. */
  readonly severeTrials: number
  readonly severeEvents: number
  readonly passedButHarmful: number
  /** One-sided 95 % upper bound of the severe rate; null when n = 0. */
  readonly severeUpper: number | null
  readonly costMean: number | null
  readonly costWorst: number | null
  readonly costWorstTrial: string | null
  readonly costTrials: number
  readonly configurations: number
  readonly lead: LeadRow
  readonly annotated: number
  readonly failing: number
}

/** An aggregate over tasks at one k. */
export type SuiteAt = {
  readonly k: number
  readonly passHatK: Figure
  readonly passAtK: Figure
  readonly tasksDefined: number
  readonly tasks: number
  /** Worst and best value of pass^k when the undefined tasks are put at 0 and 1. */
  readonly bounds: readonly [number, number] | null
}

/** What a table of tasks says as a whole. */
export type SuiteSummary = {
  readonly tasks: number
  readonly trials: number
  readonly alwaysPass: number
  readonly neverPass: number
  readonly sometimes: number
  readonly notEstimable: number
  readonly pooled: Rate
  readonly curve: readonly SuiteAt[]
  readonly severeTrials: number
  readonly severeEvents: number
  readonly passedButHarmful: number
  readonly severeUpper: number | null
  readonly costTotal: number | null
  readonly policy: OutcomePolicy
  /** The same pooled rate under the other reading of errors, when it differs in the second decimal. */
  readonly otherReading: { readonly policy: OutcomePolicy; readonly rate: number } | null
  readonly configurations: number
  readonly configurationsTotal: number
  readonly suites: readonly string[]
}

/** A page of the task table. */
export type TaskList = {
  readonly rows: readonly TaskRow[]
  readonly total: number
  /** All tasks in scope, before the filter. */
  readonly totalInScope: number
  readonly summary: SuiteSummary
}

/** A trial in the task screen. */
export type TrialRow = {
  readonly trialId: string
  /** Faultline's own number within (task, configuration), from 1. */
  readonly number: number
  readonly label: string
  readonly configurationId: string
  readonly configurationLabel: string
  readonly outcome: Outcome
  readonly counts: 'pass' | 'fail' | 'excluded'
  readonly score: number | null
  readonly scorer: string | null
  readonly termination: string | null
  readonly error: TrialError | null
  readonly severe: readonly SevereEvent[]
  readonly steps: number
  readonly calls: number
  readonly toolErrors: number
  readonly costUsd: number | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly durationMs: number | null
  readonly sourceTrial: string | null
  readonly seed: string | null
  readonly sources: readonly {
    readonly fileName: string
    readonly record: number
    readonly line: number | null
  }[]
  readonly annotationRevision: number | null
  readonly causes: readonly string[]
  readonly isConflict: boolean
  readonly attemptOf: string | null
  readonly attached: AttachedFrom | null
  /** Set when an outcome rule speaks of the trial: what was imported, and why it is as it is. */
  readonly judged?: { readonly imported: Outcome; readonly why: string; readonly ruleId: string } | null
}

/** A finding in words: built from counts, with how it was computed. */
export type FindingText = {
  readonly trialId: string
  readonly headline: string
  readonly sentence: string
  readonly intervention: string | null
  readonly how: readonly { readonly name: string; readonly value: string; readonly meaning: string }[]
}

/** Everything that the task screen draws. */
export type TaskView = {
  readonly row: TaskRow
  readonly input: string | null
  readonly curve: readonly PassAt[]
  readonly trials: readonly TrialRow[]
  /** When partial: columns, lanes and the finding of one failing trial; no lead, no modes. */
  readonly analysis: TaskAnalysis | null
  readonly analysisState: 'ready' | 'partial' | 'pending' | 'failed'
  /** Failing trials that are still being compared while the analysis is partial, else 0. */
  readonly comparing: number
  readonly analysisFault: FaultData | null
  /** The task's finding (band), then one per failing trial. */
  readonly lead: FindingText | null
  readonly findings: readonly FindingText[]
  readonly byConfiguration: readonly {
    readonly configurationId: string
    readonly label: string
    readonly rate: Rate
    readonly curve: readonly PassAt[]
    readonly severeTrials: number
  }[]
  readonly policy: OutcomePolicy
  readonly configurations: number
}

/** Names one step of one trial; `call` is the position in the step's calls. */
export type StepRef = {
  readonly trialId: string
  readonly step: number
  readonly call: number | null
  readonly resultStep: number | null
}

/** One step as read by a person: a call with its result, or a message. Text is cut at the limit asked for. */
export type StepView = {
  readonly trialId: string
  readonly trialLabel: string
  readonly outcome: Outcome
  readonly step: number
  readonly call: number | null
  readonly role: string
  readonly kind: string
  readonly agent: string | null
  readonly stage: string | null
  readonly tool: string | null
  /** Arguments as JSON, or as written when they did not parse. */
  readonly args: Json
  readonly argsRaw: string | null
  /** The result: parsed when it is JSON, else its text. */
  readonly observation: Json
  readonly observationText: string | null
  readonly said: string | null
  readonly error: string | null
  readonly isError: boolean
  readonly startedAt: string | null
  readonly durationMs: number | null
  /** Characters in all, when something was cut. */
  readonly cutFromChars: number | null
}
