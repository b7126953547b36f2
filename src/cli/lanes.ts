// The aligned lanes of a task as text: columns with their stage and tool, one lane per kind of trial, the lead's
// column marked. From a TaskView to text; computes no alignment.

import { plural } from '../base/text.ts'
import type { TaskView, TrialRow } from '../contract/rows.ts'
import type { Cell, Lane, TaskAnalysis } from '../model/analysis.ts'
import { displayWidth, safe, textTable, type Column } from './layout.ts'
import type { Style } from './terminal.ts'

/** How an outcome is written: never by colour alone. */
export function outcomeMark(trial: Pick<TrialRow, 'outcome'>, style: Style): string {
  const marks = { pass: style.pass('✓'), fail: style.fail('✗'), error: style.fail('!'), unknown: '?' }
  return marks[trial.outcome]
}

/** Letters for variants: A, B, … Z, then numbers. */
function variantLetter(variant: number): string {
  return variant < 26 ? String.fromCodePoint(65 + variant) : String(variant)
}

/** What one lane has in one column: a letter for what was done, `!` error, `~` recovered error, `·` nothing. */
function cellText(cells: readonly Cell[]): string {
  const [first] = cells
  if (first === undefined) return '·'
  const mark = first.recovered ? '~' : first.isError ? '!' : ''
  const more = cells.length > 1 ? `${cells.length}` : ''
  return `${variantLetter(first.variant)}${mark}${more}${first.differs ? '*' : ''}`
}

/** Columns, lanes and legend. `width` is what a line may take; wider alignments are broken into parts. */
export function lanesText(view: TaskView, style: Style, width: number): string {
  const { analysis } = view
  if (analysis === null || analysis.lanes.length === 0) return 'No lanes: nothing could be aligned.'
  const leadColumn = analysis.lead?.column ?? null
  return [
    style.bold('Columns'),
    columnsText(analysis, leadColumn),
    '',
    style.bold('Lanes'),
    laneGrid(view, analysis, leadColumn, style, width),
    style.faint(
      'Equal letters in a column: the same was done and seen. · absent   * differs from passing trials   ! error   ~ error, then recovered' +
        (leadColumn === null ? '' : '   ◆ the lead'),
    ),
  ].join('\n')
}

function columnsText(analysis: TaskAnalysis, leadColumn: number | null): string {
  const P = analysis.lanes.filter((lane) => lane.isPass).length
  const F = analysis.lanes.length - P
  const header: Column[] = [
    { title: '' },
    { title: '#', align: 'right' },
    { title: 'stage' },
    { title: 'tool' },
    { title: 'passing', align: 'right' },
    { title: 'failing', align: 'right' },
  ]
  const rows = analysis.columns.map((column) => [
    column.index === leadColumn ? '◆' : ' ',
    String(column.index + 1),
    safe(column.stage, 20),
    safe(column.tool, 40),
    `${column.passPresent}/${P}`,
    `${column.failPresent}/${F}`,
  ])
  return textTable(header, rows)
}

function laneGrid(
  view: TaskView,
  analysis: TaskAnalysis,
  leadColumn: number | null,
  style: Style,
  width: number,
): string {
  const groups = foldAlike(analysis.lanes)
  const labels = groups.map((lanes) => laneLabel(lanes, view, style))
  const labelWidth = Math.max(...labels.map(displayWidth))
  const texts = groups.map((lanes) =>
    analysis.columns.map((column) =>
      cellText(lanes[0]?.cells.filter((c) => c.column === column.index) ?? []),
    ),
  )
  const widths = analysis.columns.map((column, i) =>
    Math.max(String(column.index + 1).length, ...texts.map((row) => row[i]?.length ?? 0)),
  )
  const pad = (text: string, i: number): string => text.padEnd(widths[i] ?? 0)
  const parts: string[] = []
  for (const [from, to] of slices(widths, Math.max(20, width - labelWidth - 2))) {
    const range = analysis.columns.slice(from, to).map((_, i) => from + i)
    const line = (label: string, cell: (i: number) => string): string =>
      `${label}${' '.repeat(labelWidth - displayWidth(label))}  ${range.map((i) => pad(cell(i), i)).join(' ')}`.trimEnd()
    const head = [line('', (i) => String(i + 1))]
    if (leadColumn !== null && range.includes(leadColumn))
      head.unshift(line('', (i) => (i === leadColumn ? '◆' : '')))
    parts.push(
      [...head, ...groups.map((_, g) => line(labels[g] ?? '', (i) => texts[g]?.[i] ?? ''))].join('\n'),
    )
  }
  return parts.join('\n\n')
}

/** Lanes that are alike in every column, of one outcome, in the order of their first. */
function foldAlike(lanes: readonly Lane[]): readonly (readonly Lane[])[] {
  const groups = new Map<string, Lane[]>()
  for (const lane of lanes) {
    const key = `${lane.alike} ${lane.outcome}`
    groups.set(key, [...(groups.get(key) ?? []), lane])
  }
  return [...groups.values()]
}

function laneLabel(lanes: readonly Lane[], view: TaskView, style: Style): string {
  const [first] = lanes
  if (first === undefined) return ''
  const name = safe(view.trials.find((trial) => trial.trialId === first.trial)?.label ?? first.trial, 24)
  return `${outcomeMark(first, style)} ${name}${lanes.length > 1 ? ` and ${plural(lanes.length - 1, 'other')}` : ''}`
}

/** Ranges of columns whose cells fit into `room`. */
function slices(widths: readonly number[], room: number): readonly (readonly [number, number])[] {
  const found: [number, number][] = []
  let from = 0
  let used = 0
  for (const [i, width] of widths.entries()) {
    if (i > from && used + width + 1 > room) {
      found.push([from, i])
      from = i
      used = 0
    }
    used += width + 1
  }
  return [...found, [from, widths.length]]
}
