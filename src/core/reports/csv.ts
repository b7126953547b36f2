// The report as CSV (RFC 4180, CR LF): one line per task, and one per failing or annotated trial when findings are
// asked for, told apart by the first column. Numbers in full precision. A spreadsheet must run nothing from it:
// cells that a spreadsheet would compute are guarded with an apostrophe. csvText also serves the CLI's --csv.

import { stringify } from 'csv-stringify/sync'
import { visibleText } from '../../base/text.ts'
import type { Figure, TaskRow } from '../../contract/rows.ts'
import type { Divergence } from '../../model/analysis.ts'
import { countSevere } from '../../model/trial.ts'
import { causeName } from './figures.ts'
import type { ReportInput, ReportTask } from './input.ts'

/** What a cell may hold. Null is an empty cell. */
export type Cell = string | number | boolean | null

/** A spreadsheet cell holds at most 32,767 characters; a longer one is cut and says so. */
export const CELL_CHARS = 32_767

/** Rows as CSV text. Strings are made visible, bounded, and guarded against being computed. */
export function csvText(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return stringify([header, ...rows.map((row) => row.map(safeCell))], {
    escape_formulas: true,
    record_delimiter: 'windows',
    cast: { boolean: (value) => (value ? 'true' : 'false') },
  })
}

/** Numbers stay numbers. The first sign that matters is looked for behind white space too. */
function safeCell(value: Cell): Cell {
  if (typeof value !== 'string') return value
  const text = visibleText(value)
  const note = `… [cut, ${text.length} characters in all]`
  const bounded =
    text.length < CELL_CHARS ? text : `${wholeCharacters(text, CELL_CHARS - note.length - 2)}${note}`
  return /^\s+[=+\-@＝＋－＠]/.test(bounded) ? `'${bounded}` : bounded
}

/** The first `length` UTF-16 units, one less where that would split a character. */
function wholeCharacters(text: string, length: number): string {
  const cut = text.slice(0, length)
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

const HEADER = [
  'record',
  'suite',
  'task',
  'title',
  'trial',
  'configuration',
  'outcome',
  'n',
  'passes',
  'rate',
  'wilson_low',
  'wilson_high',
  'pass_hat_n',
  'errors',
  'unknown',
  'excluded',
  'severe_trials',
  'severe_events',
  'passed_but_harmful',
  'cost_usd',
  'cost_mean_usd',
  'cost_worst_usd',
  'state',
  'level',
  'stage',
  'tool',
  'kind',
  'failing_with',
  'failing',
  'passing_with',
  'passing',
  'weight',
  'p',
  'p_floor',
  'finding',
  'root_cause',
  'further_causes',
  'severity',
  'note',
  'error_policy',
  'unknown_policy',
  'algorithm',
] as const

type Line = Partial<Record<(typeof HEADER)[number], Cell>>

/** The whole report. */
export function csvReport(input: ReportInput): string {
  const lines = input.tasks.flatMap((task) => [
    taskLine(task, input),
    ...(input.include.findings ? trialLines(task, input) : []),
  ])
  return csvText(
    HEADER,
    lines.map((line) => HEADER.map((name) => line[name] ?? null)),
  )
}

function common(row: TaskRow, input: ReportInput): Line {
  return {
    suite: row.suite,
    task: row.task,
    error_policy: input.summary.policy.error,
    unknown_policy: input.summary.policy.unknown,
    algorithm: input.workspace.algorithm,
  }
}

function value(figure: Figure): number | null {
  return figure.ok ? figure.value : null
}

function divergenceCells(divergence: Divergence | null | undefined): Line {
  if (divergence == null) return {}
  return {
    level: divergence.level,
    stage: divergence.stage,
    tool: divergence.tool,
    kind: divergence.kind,
    failing_with: divergence.counts.a,
    failing: divergence.counts.F,
    passing_with: divergence.counts.b,
    passing: divergence.counts.P,
    weight: divergence.probability,
  }
}

function taskLine({ view }: ReportTask, input: ReportInput): Line {
  const { row, analysis } = view
  return {
    record: 'task',
    ...common(row, input),
    title: row.title,
    n: row.rate.n,
    passes: row.rate.passes,
    rate: value(row.rate.rate),
    wilson_low: row.rate.wilson?.[0] ?? null,
    wilson_high: row.rate.wilson?.[1] ?? null,
    pass_hat_n: row.curve.at(-1) ?? null,
    errors: row.rate.errors,
    unknown: row.rate.unknown,
    excluded: row.rate.excluded,
    severe_trials: row.severeTrials,
    severe_events: row.severeEvents,
    passed_but_harmful: row.passedButHarmful,
    cost_mean_usd: row.costMean,
    cost_worst_usd: row.costWorst,
    state: row.lead.state,
    ...(input.include.findings
      ? {
          ...divergenceCells(analysis?.lead),
          p: analysis?.permutation.p ?? null,
          p_floor: analysis?.permutation.floor ?? null,
          finding: view.lead?.sentence ?? null,
        }
      : {}),
  }
}

/** Failing trials with their own finding and annotated trials, in the order of the trials. */
function trialLines({ view, annotations }: ReportTask, input: ReportInput): Line[] {
  return view.trials.flatMap((trial) => {
    if (input.trialIds !== null && !input.trialIds.includes(trial.trialId)) return []
    const finding = view.findings.find((f) => f.trialId === trial.trialId)
    const computed = view.analysis?.findings.find((f) => f.trial === trial.trialId)
    const annotation = annotations.find((a) => a.trialId === trial.trialId)
    if (finding === undefined && annotation === undefined) return []
    const causes = annotation?.causes.map((id) => causeName(id, input.taxonomy)) ?? []
    const line: Line = {
      record: 'trial',
      ...common(view.row, input),
      trial: trial.label,
      configuration: trial.configurationLabel,
      outcome: trial.outcome,
      severe_events: countSevere(trial.severe),
      cost_usd: trial.costUsd,
      state: computed?.state ?? null,
      ...divergenceCells(computed?.state === 'lead' ? computed.ranked[0] : null),
      finding: finding?.sentence ?? null,
      root_cause: causes[0] ?? null,
      further_causes: causes.slice(1).join('; ') || null,
      severity: annotation?.severity ?? null,
      note: annotation?.note || null,
    }
    return [line]
  })
}
