// The task table and its summary as text, as CSV, and the conditions that --fail-on knows. From view rows to text;
// used by `tasks` and `diagnose`.

import { plural } from '../base/text.ts'
import { policyWords } from '../model/outcome.ts'
import type { SuiteSummary, TaskList, TaskRow } from '../contract/rows.ts'
import {
  COST_COLUMNS,
  COUNT_COLUMNS,
  csvText,
  LEAD_COLUMNS,
  RATE_COLUMNS,
  taskFigures,
  type Cell,
} from '../core/reports/csvtext.ts'
import {
  dollars,
  exclusionWords,
  figure,
  interval,
  leadWords,
  probability,
  rateWords,
  scopeWords,
  taskAddress,
} from '../core/reports/figures.ts'
import { safe, textTable, type Column } from './layout.ts'
import type { Style } from './terminal.ts'

/** The values of k that a table has room for: all up to five, then the usual ones and the largest. */
export function shownK(largest: number): readonly number[] {
  const all = Array.from({ length: Math.min(largest, 5) }, (_, i) => i + 1)
  if (largest <= 5) return all
  return [1, 2, 5, 10, 20, 50, 100].filter((k) => k < largest).concat(largest)
}

/** pass^k of a row; null where k > n. Long curves are thinned in the row: only their ends are certain then. */
function passHat(row: TaskRow, k: number): number | null | 'thinned' {
  const n = row.rate.n
  if (k > n) return null
  if (row.curve.length === n) return row.curve[k - 1] ?? null
  return k === 1 ? (row.curve[0] ?? null) : k === n ? (row.curve.at(-1) ?? null) : 'thinned'
}

/** Table and summary, as people read them. `columns` is the width to keep to; null: no limit. */
export function taskListText(list: TaskList, style: Style, columns: number | null): string {
  const { summary, rows } = list
  const head = `${countOf(list)} · ${plural(summary.trials, 'trial')} · ${scopeWords(summary.configurations, summary.configurationsTotal)} · ${policyWords(summary.policy)}`
  if (summary.tasks === 0) return 'No task in scope. faultline import PATH… brings some in.'
  return [style.bold(head), '', table(rows, style, columns), '', summaryText(summary, style)].join('\n')
}

function countOf(list: TaskList): string {
  const all = plural(list.totalInScope, 'task')
  return list.total < list.totalInScope ? `${list.total} of ${all}` : all
}

function table(rows: readonly TaskRow[], style: Style, columns: number | null): string {
  if (rows.length === 0) return 'No task passes the filter.'
  const ks = shownK(Math.max(1, ...rows.map((row) => row.rate.n))).filter((k) => k > 1)
  const hasCost = rows.some((row) => row.costMean !== null)
  const hasSevere = rows.some((row) => row.severeEvents > 0)
  const header: Column[] = [
    { title: 'task' },
    { title: 'n', align: 'right' },
    { title: 'passes', align: 'right' },
    { title: 'pass^1 (Wilson 95 %)' },
    ...ks.map((k): Column => ({ title: `pass^${k}`, align: 'right' })),
    ...(hasSevere ? [{ title: 'severe', align: 'right' } as const] : []),
    ...(hasCost ? [{ title: 'mean cost', align: 'right' } as const] : []),
    { title: 'where it parts' },
  ]
  let isMissing = false
  const cells = rows.map((row) => {
    const curve = ks.map((k) => {
      const value = passHat(row, k)
      if (value === null) isMissing = true
      return value === null ? '–' : value === 'thinned' ? '…' : probability(value)
    })
    return [
      safe(taskAddress(row), columns === null ? 80 : 40),
      String(row.rate.n),
      String(row.rate.passes),
      rateWords(row.rate),
      ...curve,
      ...(hasSevere ? [row.severeTrials === 0 ? '' : style.severe(`▲${row.severeTrials}`)] : []),
      ...(hasCost ? [dollars(row.costMean)] : []),
      safe(leadWords(row.lead), 160),
    ]
  })
  const note = isMissing ? `\n${style.faint('–: not estimable (needs n ≥ k)')}` : ''
  return textTable(header, cells, columns) + note
}

function summaryText(summary: SuiteSummary, style: Style): string {
  const { pooled } = summary
  const lines = [
    `${summary.sometimes} sometimes pass, ${summary.alwaysPass} always, ${summary.neverPass} never` +
      (summary.notEstimable > 0 ? `, ${summary.notEstimable} not estimable (no trial counts)` : ''),
    `${pooled.passes} of ${pooled.n} trials passed: pooled rate ${rateWords(pooled)}, Wilson 95 %; ${exclusionWords(pooled, summary.policy)}`,
  ]
  if (summary.otherReading !== null)
    lines.push(
      `other reading (${policyWords(summary.otherReading.policy)}): pooled rate ${summary.otherReading.rate.toFixed(3)}`,
    )
  if (summary.severeEvents > 0)
    lines.push(
      style.severe(
        `▲ ${plural(summary.severeTrials, 'trial')} with ${plural(summary.severeEvents, 'severe event')}, ${summary.passedButHarmful} passed but harmful`,
      ),
    )
  return [...lines, '', curveText(summary)].join('\n')
}

function curveText(summary: SuiteSummary): string {
  const largest = summary.curve.at(-1)?.k ?? 0
  const wanted = new Set(shownK(largest))
  const rows = summary.curve
    .filter((at) => wanted.has(at.k))
    .map((at) => [
      String(at.k),
      figure(at.passHatK),
      figure(at.passAtK),
      `${at.tasksDefined} of ${at.tasks}`,
      at.bounds === null ? '' : `pass^k within ${interval(at.bounds)} over all tasks`,
    ])
  const header: Column[] = [
    { title: 'k', align: 'right' },
    { title: 'pass^k', align: 'right' },
    { title: 'pass@k', align: 'right' },
    { title: 'tasks with n ≥ k', align: 'right' },
    { title: '' },
  ]
  return textTable(header, rows)
}

/** The table as CSV, in full precision, with the policy on every line. */
export function taskListCsv(list: TaskList): string {
  const largest = Math.max(0, ...list.rows.map((row) => (row.curve.length === row.rate.n ? row.rate.n : 1)))
  const ks = Array.from({ length: largest }, (_, i) => i + 1)
  const header = [
    'task_id',
    'suite',
    'task',
    'title',
    ...RATE_COLUMNS,
    ...ks.map((k) => `pass_hat_${k}`),
    'verdict',
    ...COUNT_COLUMNS,
    ...COST_COLUMNS,
    'configurations',
    ...LEAD_COLUMNS,
    'annotated',
    'error_policy',
    'unknown_policy',
  ]
  return csvText(
    header,
    list.rows.map((row) => {
      const cells = cellsOf(row, ks, list)
      return header.map((name) => cells[name] ?? null)
    }),
  )
}

function cellsOf(row: TaskRow, ks: readonly number[], list: TaskList): { readonly [column: string]: Cell } {
  const { lead } = row
  return {
    ...taskFigures(row),
    task_id: row.taskId,
    suite: row.suite,
    task: row.task,
    title: row.title,
    ...Object.fromEntries(
      ks.map((k) => {
        const value = passHat(row, k)
        return [`pass_hat_${k}`, typeof value === 'number' ? value : null]
      }),
    ),
    verdict: row.verdict,
    configurations: row.configurations,
    state: lead.state,
    level: lead.level,
    stage: lead.stage,
    tool: lead.tool,
    kind: lead.kind,
    ...(lead.state === 'lead'
      ? {
          failing_with: lead.a,
          failing: lead.F,
          passing_with: lead.b,
          passing: lead.P,
          weight: lead.probability,
        }
      : {}),
    annotated: row.annotated,
    error_policy: list.summary.policy.error,
    unknown_policy: list.summary.policy.unknown,
  }
}

/** Conditions that --fail-on knows. */
export const CONDITIONS = ['severe', 'flaky'] as const

/** A condition that --fail-on knows. */
export type Condition = (typeof CONDITIONS)[number]

/** The rows for which a condition holds. */
export function holding(condition: Condition, rows: readonly TaskRow[]): readonly TaskRow[] {
  return rows.filter((row) =>
    condition === 'severe' ? row.severeTrials > 0 : row.rate.passes > 0 && row.rate.passes < row.rate.n,
  )
}
