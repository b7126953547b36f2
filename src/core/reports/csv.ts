// The report as CSV (RFC 4180, CR LF): one line per task, and one per failing or annotated trial when findings are
// asked for, told apart by the first column. Numbers in full precision. Cells and the columns of tasks are csvtext.ts.

import type { TaskRow } from '../../contract/rows.ts'
import type { Divergence } from '../../model/analysis.ts'
import { countSevere } from '../../model/trial.ts'
import {
  COST_COLUMNS,
  COUNT_COLUMNS,
  csvText,
  LEAD_COLUMNS,
  RATE_COLUMNS,
  taskFigures,
  type Cell,
} from './csvtext.ts'
import { causeName } from './figures.ts'
import type { ReportInput, ReportTask } from './input.ts'

const HEADER = [
  'record',
  'suite',
  'task',
  'title',
  'trial',
  'configuration',
  'outcome',
  ...RATE_COLUMNS,
  'pass_hat_n',
  ...COUNT_COLUMNS,
  'cost_usd',
  ...COST_COLUMNS,
  ...LEAD_COLUMNS,
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
    ...taskFigures(row),
    pass_hat_n: row.curve.at(-1) ?? null,
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
