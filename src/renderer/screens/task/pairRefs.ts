// Which two steps stand beside each other: for a trial, a reference and a column of the alignment, the step that
// each side has there; and which column comes next. Pure, over the analysis alone.

import type { Cell, Divergence, Lane, TaskAnalysis } from '../../../model/analysis.ts'
import type { StepRef } from '../../../contract/rows.ts'
import { columnIndices, drawnAt } from './laneColumns.ts'

/** The two sides of a column. A side is null when that trial has no step there. */
export type PairRefs = {
  readonly left: StepRef | null
  readonly right: StepRef | null
  /** The difference that the analysis ranks for the trial in this column. */
  readonly divergence: Divergence | null
}

function laneOf(analysis: TaskAnalysis, trial: string | null): Lane | undefined {
  return analysis.lanes.find((lane) => lane.trial === trial)
}

function refOf(trialId: string, cell: Cell | undefined): StepRef | null {
  if (cell === undefined) return null
  return { trialId, step: cell.step, call: cell.call, resultStep: cell.resultStep }
}

/** The trial's ranked difference in a column, best first. */
export function divergenceAt(analysis: TaskAnalysis, trial: string, column: number): Divergence | null {
  const finding = analysis.findings.find((one) => one.trial === trial)
  return finding?.ranked.find((d) => drawnAt(analysis, d.column) === column) ?? null
}

/** The steps of the reference (left) and the trial (right) in a column. */
export function pairRefs(
  analysis: TaskAnalysis,
  reference: string | null,
  trial: string,
  column: number,
): PairRefs {
  const divergence = divergenceAt(analysis, trial, column)
  const cellOf = (id: string | null): Cell | undefined =>
    laneOf(analysis, id)?.cells.find((cell) => cell.column === column)
  // A message before a column, and the final answer, are no cells: the divergence names their steps.
  const isMessage = divergence?.kind === 'message' || divergence?.kind === 'final'
  const own = cellOf(trial)
  const right: StepRef | null =
    divergence !== null && divergence.step !== null && (own === undefined || isMessage)
      ? { trialId: trial, step: divergence.step, call: divergence.call, resultStep: null }
      : refOf(trial, own)
  const sibling = divergence?.siblings.find((one) => one.trial === reference)
  const there = cellOf(reference)
  const left: StepRef | null =
    sibling !== undefined && (there === undefined || isMessage)
      ? { trialId: sibling.trial, step: sibling.step, call: sibling.call, resultStep: null }
      : reference === null
        ? null
        : refOf(reference, there)
  return { left, right, divergence }
}

/** Columns in which the pair has a step on either side, in order. */
export function pairColumns(analysis: TaskAnalysis, reference: string | null, trial: string): number[] {
  return columnIndices(analysis).filter((column) => {
    const { left, right, divergence } = pairRefs(analysis, reference, trial, column)
    return left !== null || right !== null || divergence !== null
  })
}

/** Whether the two sides are known to differ in a column, before their texts are read. */
export function isDifferentAt(
  analysis: TaskAnalysis,
  reference: string | null,
  trial: string,
  column: number,
): boolean {
  if (divergenceAt(analysis, trial, column) !== null) return true
  if (reference === null) return false
  const of = (id: string): string =>
    (laneOf(analysis, id)?.cells ?? [])
      .filter((cell) => cell.column === column)
      .map((cell) => `${cell.variant}${cell.isError ? '!' : ''}`)
      .join(' ')
  return of(reference) !== of(trial)
}

/** The column before (-1) or after (1) `from` among `columns`; null at the ends. */
export function neighbour(columns: readonly number[], from: number, step: 1 | -1): number | null {
  const found =
    step === 1 ? columns.find((column) => column > from) : columns.findLast((column) => column < from)
  return found ?? null
}
