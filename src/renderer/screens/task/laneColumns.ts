// The columns of the lanes table: which of the alignment's columns are drawn, which are folded into one narrow
// column, and the stage segments above them. Pure: an analysis and options in, plain data out; no DOM.

import type { TaskAnalysis } from '../../../model/analysis.ts'

/** A drawn column: one column of the alignment, or several folded into one (`isFolded`). */
export type DisplayColumn = {
  readonly key: string
  /** Indices into `analysis.columns`; the index after the last stands for the final answer. */
  readonly columns: readonly number[]
  readonly stage: string
  readonly tool: string
  readonly isFolded: boolean
  readonly isBand: boolean
}

/** A maximal run of columns of one stage. `from` and `span` count drawn columns. */
export type StageSegment = {
  /** First alignment column: what identifies the segment when it is folded or opened. */
  readonly first: number
  readonly stage: string
  readonly from: number
  readonly span: number
  readonly columns: number
  readonly isFolded: boolean
}

/** What decides which columns are drawn. */
export type ColumnOptions = {
  /** Fold columns in which all lanes do the same, away from the divergence. */
  readonly isGapsHidden: boolean
  /** Alignment columns that are never folded: opened by hand, or the one being looked at. */
  readonly open: ReadonlySet<number>
  /** Segments folded by hand, by their first column. */
  readonly foldedStages: ReadonlySet<number>
  /** Columns in which something is to be seen: a sign or a difference. */
  readonly busy: ReadonlySet<number>
}

/** Above this many columns the gaps are folded unless the person says otherwise. */
export const MANY_COLUMNS = 24

/** The name shown for the column of final answers, which the alignment does not have as a column. */
export const FINAL_TOOL = 'final answer'

/**
 * The column that a divergence is drawn in. The engine places a difference in the final answer behind the last
 * column; where the alignment has a column of final answers, that is it.
 */
export function drawnAt(analysis: TaskAnalysis, column: number): number {
  const count = analysis.columns.length
  if (column < count) return column
  return analysis.columns[count - 1]?.tool === 'final' ? count - 1 : count
}

/** Stage and tool of a column index; the index after the last is the final answer. */
export function columnName(analysis: TaskAnalysis, index: number): { stage: string; tool: string } {
  const column = analysis.columns[index]
  if (column === undefined) return { stage: 'answer', tool: FINAL_TOOL }
  return { stage: column.stage, tool: column.tool === 'final' ? FINAL_TOOL : column.tool }
}

/** All column indices: those of the alignment, and one more when a divergence lies in the final answer. */
export function columnIndices(analysis: TaskAnalysis): number[] {
  const count = analysis.columns.length
  const hasAnswer = analysis.findings.some((finding) =>
    finding.ranked.some((d) => drawnAt(analysis, d.column) >= count),
  )
  return Array.from({ length: count + (hasAnswer ? 1 : 0) }, (_, i) => i)
}

/** The drawn columns and the segments above them. */
export function displayColumns(
  analysis: TaskAnalysis,
  options: ColumnOptions,
): { columns: DisplayColumn[]; segments: StageSegment[] } {
  const band = analysis.lead === null ? null : drawnAt(analysis, analysis.lead.column)
  const isKept = (index: number): boolean =>
    !options.isGapsHidden ||
    options.open.has(index) ||
    options.busy.has(index) ||
    (band !== null && Math.abs(index - band) <= 1)

  const columns: DisplayColumn[] = []
  const segments: StageSegment[] = []
  const push = (indices: readonly number[], stage: string): void => {
    const first = indices[0]
    if (first === undefined) return
    const isFolded = indices.length > 1
    columns.push({
      key: isFolded ? `${first}-${indices.at(-1)}` : String(first),
      columns: indices,
      stage,
      tool: isFolded ? `${indices.length} columns` : columnName(analysis, first).tool,
      isFolded,
      isBand: band !== null && indices.includes(band),
    })
  }

  const all = columnIndices(analysis)
  for (let start = 0; start < all.length;) {
    const { stage } = columnName(analysis, start)
    let end = start
    while (end < all.length && columnName(analysis, end).stage === stage) end += 1
    const run = all.slice(start, end)
    const from = columns.length
    const isFolded = options.foldedStages.has(start) && run.length > 1
    if (isFolded) push(run, stage)
    else {
      let gap: number[] = []
      const flush = (): void => {
        push(gap, stage)
        gap = []
      }
      for (const index of run) {
        if (isKept(index)) {
          flush()
          push([index], stage)
        } else gap.push(index)
      }
      flush()
    }
    segments.push({
      first: start,
      stage,
      from,
      span: columns.length - from,
      columns: run.length,
      isFolded,
    })
    start = end
  }
  return { columns, segments }
}
