// What a report is made from: view rows only, gathered by services/reports.ts. The writers (markdown, json, csv)
// turn it into text and nothing else: same input, same bytes. Never whole trajectories, never the clock.

import type { Annotation } from '../../model/annotation.ts'
import type { RuleKind } from '../../model/rules.ts'
import type { Taxonomy } from '../../model/taxonomy.ts'
import type { RuleRow } from '../../contract/rulerows.ts'
import type { StepView, SuiteSummary, TaskView } from '../../contract/rows.ts'
import type { ConfigurationRow } from '../../contract/workspacerows.ts'

/** One task in a report. `pair` holds the two steps of its lead (failing left, passing right) when texts are asked for. */
export type ReportTask = {
  readonly view: TaskView
  /** Annotations of the task's trials, in the order of the trials. */
  readonly annotations: readonly Annotation[]
  readonly pair: { readonly left: StepView | null; readonly right: StepView | null } | null
}

/** One rule in force: what it says and what it found. */
export type ReportRule = {
  readonly ruleId: string
  readonly revision: number
  /** Null: every suite. */
  readonly suite: string | null
  readonly kind: RuleKind
  readonly words: string
  readonly note: string
  readonly effect: RuleRow['effect']
}

/** What was replaced by stubs: occurrences, and how many different values, per kind of thing. */
export type RedactionCount = { readonly kind: string; readonly found: number; readonly different: number }

/** Everything that the writers know. */
export type ReportInput = {
  readonly workspace: {
    readonly name: string
    readonly coreVersion: string
    readonly schemaVersion: number
    readonly algorithm: string
  }
  /** The configurations in scope. */
  readonly configurations: readonly ConfigurationRow[]
  /** The figures over exactly the tasks of this report. */
  readonly summary: SuiteSummary
  readonly tasks: readonly ReportTask[]
  readonly taxonomy: Taxonomy
  /** The rules that were on for the suites of this report. */
  readonly rules: readonly ReportRule[]
  /** Tasks in scope; larger than `tasks.length` when the person chose some. */
  readonly tasksInScope: number
  /** When the person chose trials: only these get findings and annotations. */
  readonly trialIds: readonly string[] | null
  readonly include: {
    readonly summary: boolean
    readonly findings: boolean
    readonly method: boolean
    readonly stepTexts: boolean
  }
  /** What was replaced; null when the report was not redacted. */
  readonly redaction: readonly RedactionCount[] | null
}

/** How many tasks, findings (tasks with a lead) and annotations a report holds. */
export function contents(input: ReportInput): {
  readonly tasks: number
  readonly findings: number
  readonly annotations: number
  readonly redactions: number
} {
  const shown = input.include.findings
  return {
    tasks: input.tasks.length,
    findings: shown ? input.tasks.filter((task) => task.view.analysis?.lead != null).length : 0,
    annotations: shown ? input.tasks.reduce((sum, task) => sum + task.annotations.length, 0) : 0,
    redactions: (input.redaction ?? []).reduce((sum, count) => sum + count.found, 0),
  }
}
