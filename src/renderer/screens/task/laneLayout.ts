// The lanes table as data: rows (reference, passed block, failed block, folded lanes), drawn columns, segments and
// cells with their signs. Pure: the analysis and the trial rows in, what Lanes.tsx draws out; no DOM, no query.

import type { Cell, Divergence, Lane, TaskAnalysis } from '../../../model/analysis.ts'
import type { TrialRow } from '../../../contract/rows.ts'
import {
  columnIndices,
  displayColumns,
  drawnAt,
  type DisplayColumn,
  type StageSegment,
} from './laneColumns.ts'

/** A cell of the table: one lane in one drawn column. */
export type LaneCell = {
  /** The alignment column that opening this cell shows. */
  readonly column: number
  readonly count: number
  readonly errors: number
  readonly sign: 'lead' | 'small' | 'ended' | null
  readonly divergence: Divergence | null
  /** Does or sees something else than the shown reference here. */
  readonly isDifferent: boolean
  /** The reference acts here and this lane does not. */
  readonly isSkipped: boolean
}

/** A row of the table. `trial` is missing only when the core knows a lane whose trial is not listed. */
export type LaneRow =
  | { readonly kind: 'block'; readonly key: string; readonly isPass: boolean; readonly count: number }
  | {
      readonly kind: 'reference' | 'lane'
      readonly key: string
      readonly lane: Lane
      readonly trial: TrialRow | undefined
      readonly cells: readonly LaneCell[]
      /** Trials that are alike in every column, this one first; length 1 when it stands alone. */
      readonly alike: readonly string[]
      /** `head` of a fold (drawn), `member` of an opened fold, or `alone`. */
      readonly fold: 'head' | 'member' | 'alone'
      readonly isOpen: boolean
      /** The trial's own earliest consequential divergence, and the column that it is drawn in. */
      readonly divergence: Divergence | null
      readonly divergenceAt: number | null
    }

/** A row with cells. */
export type CellRow = Extract<LaneRow, { kind: 'reference' | 'lane' }>

/** The whole table. */
export type LaneLayout = {
  readonly rows: readonly LaneRow[]
  readonly columns: readonly DisplayColumn[]
  readonly segments: readonly StageSegment[]
  readonly reference: Lane | null
  readonly isPinned: boolean
  /** Passing lanes that are alike with the consensus; 0 without one. */
  readonly consensusOf: number
  readonly passing: number
  readonly failing: number
  /** Trials that have no lane, with the reason. */
  readonly leftOut: readonly { readonly trialId: string; readonly label: string; readonly reason: string }[]
}

/** How the table is wanted. */
export type LaneOptions = {
  /** A pinned trial id; null takes the consensus of the passing trials. */
  readonly reference: string | null
  readonly order: 'divergence' | 'number'
  readonly isGapsHidden: boolean
  readonly openColumns: ReadonlySet<number>
  readonly foldedStages: ReadonlySet<number>
  /** `passed 3`, `failed 3`: folds that are open. */
  readonly openFolds: ReadonlySet<string>
  /** A trial that must be drawn even when it is folded away. */
  readonly reveal: string | null
}

/** The key of a fold. */
export function foldKey(lane: Lane): string {
  return `${lane.isPass ? 'passed' : 'failed'} ${lane.alike}`
}

/** The trial's own lead, and its other differences that had an effect, by column. */
function divergencesOf(
  analysis: TaskAnalysis,
  trial: string,
): { lead: Divergence | null; byColumn: Map<number, Divergence> } {
  const finding = analysis.findings.find((one) => one.trial === trial)
  const byColumn = new Map<number, Divergence>()
  if (finding === undefined) return { lead: null, byColumn }
  const lead = finding.state === 'lead' ? (finding.ranked[0] ?? null) : null
  for (const d of finding.ranked) {
    const column = drawnAt(analysis, d.column)
    if ((d === lead || !d.isInert) && !byColumn.has(column)) byColumn.set(column, d)
  }
  return { lead, byColumn }
}

/** The lane that passing trials agree on most: the first of the largest group of alike passing lanes. */
export function consensusLane(analysis: TaskAnalysis): { lane: Lane; count: number } | null {
  const counts = new Map<number, number>()
  const passing = analysis.lanes.filter((lane) => lane.isPass)
  for (const lane of passing) counts.set(lane.alike, (counts.get(lane.alike) ?? 0) + 1)
  let best: { lane: Lane; count: number } | null = null
  for (const lane of passing) {
    const count = counts.get(lane.alike) ?? 0
    if (best === null || count > best.count) best = { lane, count }
  }
  return best
}

type Prepared = {
  readonly lane: Lane
  readonly byColumn: ReadonlyMap<number, readonly Cell[]>
  readonly lead: Divergence | null
  readonly leadAt: number | null
  readonly divergences: ReadonlyMap<number, Divergence>
  readonly endedAt: number | null
}

function cellsByColumn(lane: Lane): Map<number, Cell[]> {
  const map = new Map<number, Cell[]>()
  for (const cell of lane.cells) {
    const there = map.get(cell.column)
    if (there === undefined) map.set(cell.column, [cell])
    else there.push(cell)
  }
  return map
}

function prepare(
  analysis: TaskAnalysis,
  lane: Lane,
  reference: ReadonlyMap<number, readonly Cell[]> | null,
): Prepared {
  const byColumn = cellsByColumn(lane)
  const { lead, byColumn: divergences } = divergencesOf(analysis, lane.trial)
  let endedAt: number | null = null
  if (!lane.isPass && reference !== null) {
    const last = Math.max(-1, ...byColumn.keys())
    const after = [...reference.keys()].filter((column) => column > last)
    if (after.length > 0) endedAt = Math.min(...after)
  }
  const leadAt = lead === null ? null : drawnAt(analysis, lead.column)
  return { lane, byColumn, lead, leadAt, divergences, endedAt }
}

function differs(own: readonly Cell[] | undefined, reference: readonly Cell[] | undefined): boolean {
  const a = own ?? []
  const b = reference ?? []
  return (
    a.length !== b.length ||
    a.some((cell, i) => cell.variant !== b[i]?.variant || cell.isError !== b[i]?.isError)
  )
}

function cellOf(
  prepared: Prepared,
  reference: ReadonlyMap<number, readonly Cell[]> | null,
  columns: readonly number[],
): LaneCell {
  const { byColumn, lead, leadAt, divergences, endedAt } = prepared
  const cells = columns.flatMap((column) => byColumn.get(column) ?? [])
  const atLead = lead !== null && leadAt !== null && columns.includes(leadAt) ? lead : null
  const small = atLead === null ? columns.find((column) => divergences.has(column)) : undefined
  const divergence = atLead ?? (small === undefined ? null : (divergences.get(small) ?? null))
  const isEnd = endedAt !== null && columns.includes(endedAt)
  const sign = atLead !== null ? 'lead' : isEnd ? 'ended' : divergence !== null ? 'small' : null
  const other = columns.find(
    (column) => reference !== null && differs(byColumn.get(column), reference.get(column)),
  )
  const first = columns[0] ?? 0
  return {
    column:
      (atLead === null ? small : leadAt) ?? other ?? columns.find((column) => byColumn.has(column)) ?? first,
    count: cells.length,
    errors: cells.filter((cell) => cell.isError).length,
    sign,
    divergence,
    isDifferent: other !== undefined,
    isSkipped: cells.length === 0 && reference !== null && columns.some((column) => reference.has(column)),
  }
}

/** Compares two lanes of one block: by divergence column, then length, then trial number. */
function compareLanes(
  a: Prepared,
  b: Prepared,
  numbers: ReadonlyMap<string, number>,
  order: LaneOptions['order'],
): number {
  const number = (numbers.get(a.lane.trial) ?? 0) - (numbers.get(b.lane.trial) ?? 0)
  if (order === 'number') return number
  const none = Number.MAX_SAFE_INTEGER
  return (a.leadAt ?? none) - (b.leadAt ?? none) || a.lane.stepCount - b.lane.stepCount || number
}

/** Lays out the lanes of a task. */
export function laneLayout(
  analysis: TaskAnalysis,
  trials: readonly TrialRow[],
  options: LaneOptions,
): LaneLayout {
  const rowsOf = new Map(trials.map((trial) => [trial.trialId, trial]))
  const numbers = new Map(trials.map((trial, i) => [trial.trialId, i]))
  const consensus = consensusLane(analysis)
  const pinned = analysis.lanes.find((lane) => lane.trial === options.reference) ?? null
  const reference = pinned ?? consensus?.lane ?? null
  const referenceCells = reference === null ? null : cellsByColumn(reference)
  const prepared = analysis.lanes.map((lane) => prepare(analysis, lane, referenceCells))

  const busy = new Set<number>()
  for (const index of columnIndices(analysis)) {
    const isBusy = prepared.some(
      (one) =>
        one.divergences.has(index) ||
        one.endedAt === index ||
        (referenceCells !== null && differs(one.byColumn.get(index), referenceCells.get(index))),
    )
    if (isBusy) busy.add(index)
  }
  const { columns, segments } = displayColumns(analysis, {
    isGapsHidden: options.isGapsHidden,
    open: options.openColumns,
    foldedStages: options.foldedStages,
    busy,
  })

  const row = (
    one: Prepared,
    kind: 'reference' | 'lane',
    alike: readonly string[],
    fold: CellRow['fold'],
    isOpen: boolean,
  ): CellRow => ({
    kind,
    key: kind === 'reference' ? 'reference' : one.lane.trial,
    lane: one.lane,
    trial: rowsOf.get(one.lane.trial),
    cells: columns.map((column) => cellOf(one, referenceCells, column.columns)),
    alike,
    fold,
    isOpen,
    divergence: one.lead,
    divergenceAt: one.leadAt,
  })

  const rows: LaneRow[] = []
  const ofReference = prepared.find((one) => one.lane === reference)
  if (ofReference !== undefined)
    rows.push(row(ofReference, 'reference', [ofReference.lane.trial], 'alone', false))
  for (const isPass of [true, false]) {
    const block = prepared
      .filter((one) => one.lane.isPass === isPass)
      .sort((a, b) => compareLanes(a, b, numbers, options.order))
    if (block.length === 0) continue
    rows.push({ kind: 'block', key: isPass ? 'passed' : 'failed', isPass, count: block.length })
    const groups = Map.groupBy(block, (one) => one.lane.alike)
    for (const group of groups.values()) {
      const head = group[0]
      if (head === undefined) continue
      const alike = group.map((one) => one.lane.trial)
      if (group.length === 1) {
        rows.push(row(head, 'lane', alike, 'alone', false))
        continue
      }
      const isHiding =
        options.reveal !== null && options.reveal !== head.lane.trial && alike.includes(options.reveal)
      const isOpen = options.openFolds.has(foldKey(head.lane)) || isHiding
      rows.push(row(head, 'lane', alike, 'head', isOpen))
      if (isOpen) for (const one of group.slice(1)) rows.push(row(one, 'lane', alike, 'member', true))
    }
  }

  const excluded = new Map(analysis.excluded.map(({ trial, reason }) => [trial, reason]))
  const laned = new Set(analysis.lanes.map((lane) => lane.trial))
  return {
    rows,
    columns,
    segments,
    reference,
    isPinned: pinned !== null,
    consensusOf: consensus?.count ?? 0,
    passing: prepared.filter((one) => one.lane.isPass).length,
    failing: prepared.filter((one) => !one.lane.isPass).length,
    leftOut: trials
      .filter((trial) => !laned.has(trial.trialId))
      .map((trial) => ({
        trialId: trial.trialId,
        label: trial.label,
        reason: excluded.get(trial.trialId) ?? 'not part of the comparison',
      })),
  }
}
