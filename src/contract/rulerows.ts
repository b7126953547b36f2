// What is asked about rules, and what answers: schemas of inputs, rows of outputs. Part of the contract; bounded, plain.

import * as v from 'valibot'
import type { StepClass } from '../model/analysis.ts'
import type { Outcome } from '../model/outcome.ts'
import { ruleDraftSchema, type Rule, type RuleDraft } from '../model/rules.ts'
import type { Severity } from '../model/trial.ts'
import { id } from './inputs.ts'

const revision = v.pipe(v.number(), v.integer(), v.minValue(0))

/** A rule to be saved: a new one without id, else the revision that the person saw. */
export const saveRuleSchema = v.object({
  ruleId: v.optional(v.nullable(id), null),
  revision: v.optional(revision, 0),
  draft: ruleDraftSchema,
})

/** A rule in the revision that the person saw. */
export const seenRuleSchema = v.object({ ruleId: id, revision })

/** Changes to be taken back, as they were answered. */
export const undoRulesSchema = v.object({
  changes: v.pipe(v.array(v.object({ ruleId: id, revision })), v.minLength(1), v.maxLength(10_000)),
})

/** A rule to be tried: a draft in place of an existing rule (or beside all), or null: without that rule. */
export const testRuleSchema = v.object({
  ruleId: v.optional(v.nullable(id), null),
  draft: v.nullable(ruleDraftSchema),
})

/** What a rule does at present. */
export type RuleRow = {
  readonly rule: Rule
  /** The rule in one sentence. */
  readonly words: string
  readonly effect:
    | {
        readonly is: 'events'
        readonly events: number
        readonly trials: number
        readonly tasks: number
        readonly costUsd: number | null
      }
    | { readonly is: 'outcomes'; readonly trials: number; readonly changed: number; readonly tasks: number }
    /** Tasks whose trials call the tool: their comparison heeds the rule. */
    | { readonly is: 'comparison'; readonly tasks: number }
}

/** All rules, with how many trials still wait to be judged by them. */
export type RuleList = {
  readonly rows: readonly RuleRow[]
  readonly waitingTrials: number
  /** Trials that could not be judged (a damaged record); they keep what was imported. */
  readonly failedTrials: number
  readonly suites: readonly string[]
}

/** Which score decides in a suite, where there is a choice. */
export type ScorerChoice = {
  readonly suite: string
  readonly fields: readonly {
    readonly name: string
    readonly trials: number
    readonly lowest: number
    readonly highest: number
  }[]
  /** The one that decides; null when none of them does. */
  readonly decides: string | null
  /** From which number on it is a pass, where a person said so. */
  readonly threshold: number | null
  /** Whether a person chose it. */
  readonly isChosen: boolean
  /** Whether the source, or a rule, says the outcomes by something else than these scores: what holds when none decides. */
  readonly isStated: boolean
  /** Whether a person should be asked: the source leaves it open, and nobody chose. */
  readonly isOpen: boolean
}

/** A choice of what decides; without a scorer the outcomes as imported do. */
export const decideSchema = v.object({
  suite: v.pipe(v.string(), v.maxLength(1000)),
  scorer: v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(1000))),
  threshold: v.optional(v.nullable(v.pipe(v.number(), v.finite())), null),
})

/** What a change of a rule made; give it to rules.undo to take it back. */
export type RuleChanged = {
  readonly ruleId: string
  readonly revision: number
  /** Null: removed. */
  readonly rule: Rule | null
}

/** An earlier state of a rule; draft null: it was removed. */
export type RuleStateRow = {
  readonly revision: number
  readonly savedAt: string
  readonly draft: RuleDraft | null
  readonly words: string | null
}

/** Progress of work over trials or tasks. */
export type RuleProgress = { readonly done: number; readonly total: number }

/** Counts that a rule can change. */
export type RuleCounts = {
  readonly passes: number
  readonly fails: number
  readonly errors: number
  readonly unknown: number
  /** Trials with a severe event, severe events, and severe trials that passed; imported ones included. */
  readonly severeTrials: number
  readonly severeEvents: number
  readonly passedButHarmful: number
  /** Events of any severity that rules find, and what they cost where that is known. */
  readonly ruleEvents: number
  readonly ruleCostUsd: number | null
}

/** One thing that would change in one trial. */
export type RuleExample = {
  readonly trialId: string
  readonly taskId: string
  readonly suite: string
  readonly task: string
  readonly number: number
  readonly change:
    | {
        readonly is: 'event'
        readonly appears: boolean
        readonly step: number
        readonly kind: string
        readonly severity: Severity
        readonly note: string
        readonly costUsd: number | null
      }
    | { readonly is: 'outcome'; readonly from: Outcome; readonly to: Outcome; readonly why: string }
}

/** What saving (or removing) a rule would do. Nothing was saved. */
export type RuleTest = {
  readonly words: string | null
  readonly trials: number
  readonly before: RuleCounts
  readonly after: RuleCounts
  /** Tasks whose comparison would be computed again, and a few of them. */
  readonly recomputed: number
  readonly recomputedTasks: readonly {
    readonly taskId: string
    readonly suite: string
    readonly task: string
  }[]
  /** Trials with another outcome, events that appear and that go. */
  readonly outcomesChanged: number
  readonly eventsAppear: number
  readonly eventsGo: number
  /** Damaged trials, left out on both sides. */
  readonly failedTrials: number
  readonly examples: readonly RuleExample[]
}

/** What the analysis believes of a suite without being told, with its evidence. */
export type LearnedSuite = {
  readonly suite: string
  readonly tasks: number
  readonly tools: readonly {
    readonly tool: string
    readonly canonical: string
    readonly stepClass: StepClass
    readonly stage: string
    readonly reason: string
    readonly calls: number
    readonly failedCalls: number
    readonly tasks: number
    /** Rules that set its class, its stage, or what it is the same as. */
    readonly classRule: string | null
    readonly stageRule: string | null
    readonly sameRule: string | null
  }[]
  readonly merges: readonly {
    readonly alias: string
    readonly tool: string
    readonly args: { readonly [alias: string]: string }
    readonly tasks: number
    readonly evidence: {
      readonly trialId: string
      readonly step: number
      readonly otherTrialId: string
      readonly otherStep: number
      readonly values: number
    } | null
  }[]
  readonly masks: readonly {
    readonly tool: string
    readonly path: string
    readonly reason: 'name' | 'random value' | 'differs between passing trials' | 'never the same twice'
    readonly seen: number
    readonly different: number
    readonly examples: readonly string[]
    readonly tasks: number
  }[]
}
