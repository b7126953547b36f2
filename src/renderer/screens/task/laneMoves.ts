// Where the focus of the lanes goes on a key: pure, so that it is tested without a layout. Rows that are block
// titles are stepped over; column -1 is the lane's shell (its name), columns from 0 are its cells. Above the lanes
// stand the two header rows: stages, and tools where a press opens folded columns.

import type { StageSegment } from './laneColumns.ts'
import type { LaneLayout } from './laneLayout.ts'

/** A focused place: an index into `layout.rows` or a header row, and a drawn column, -1 for the shell. */
export type LaneFocus = { readonly row: number; readonly column: number }

/** The header row of the stages. */
export const STAGE_ROW = -2
/** The header row of the tools. */
export const TOOL_ROW = -1

/** The stage segment that holds a drawn column; undefined without columns. */
export function segmentAt(layout: LaneLayout, column: number): StageSegment | undefined {
  return layout.segments.find((one) => column >= one.from && column < one.from + one.span)
}

/** The nearest row with cells at or after `row` in direction `step`; null when there is none. */
function cellRow(layout: LaneLayout, row: number, step: 1 | -1): number | null {
  for (let i = row; i >= 0 && i < layout.rows.length; i += step) {
    if (layout.rows[i]?.kind !== 'block') return i
  }
  return null
}

/** The focus held inside the table: after folding, pinning or hiding, the old place may be gone. */
export function clampFocus(layout: LaneLayout, at: LaneFocus): LaneFocus {
  if (at.row < 0) {
    const column = Math.min(Math.max(at.column, 0), layout.columns.length - 1)
    const segment = segmentAt(layout, column)
    if (at.row === TOOL_ROW && layout.columns[column]?.isFolded === true) return { row: TOOL_ROW, column }
    if (at.row === STAGE_ROW && segment !== undefined) return { row: STAGE_ROW, column: segment.from }
  }
  const row = Math.min(Math.max(at.row, 0), Math.max(0, layout.rows.length - 1))
  return {
    row: cellRow(layout, row, 1) ?? cellRow(layout, row, -1) ?? 0,
    column: Math.min(Math.max(at.column, -1), layout.columns.length - 1),
  }
}

/** The header above a column: the folded columns' button when there is one, else the stage. */
function headerAbove(layout: LaneLayout, column: number): LaneFocus {
  return clampFocus(layout, { row: layout.columns[column]?.isFolded ? TOOL_ROW : STAGE_ROW, column })
}

/** The place in the header rows after a key, or null when the key moves nothing. */
function moveInHeader(layout: LaneLayout, at: LaneFocus, key: string): LaneFocus | null {
  const stops =
    at.row === STAGE_ROW
      ? layout.segments.map((segment) => segment.from)
      : layout.columns.flatMap((column, i) => (column.isFolded ? [i] : []))
  const here = stops.indexOf(at.column)
  const to = (index: number): LaneFocus => ({ ...at, column: stops[index] ?? at.column })
  switch (key) {
    case 'ArrowLeft':
      return to(Math.max(0, here - 1))
    case 'ArrowRight':
      return to(Math.min(stops.length - 1, here + 1))
    case 'Home':
      return to(0)
    case 'End':
      return to(stops.length - 1)
    case 'ArrowUp':
      return at.row === TOOL_ROW ? clampFocus(layout, { ...at, row: STAGE_ROW }) : at
    case 'ArrowDown':
      if (at.row === STAGE_ROW && layout.columns[at.column]?.isFolded) return { ...at, row: TOOL_ROW }
      return clampFocus(layout, { row: 0, column: at.column })
    default:
      return null
  }
}

/** The place after a key, or null when the key moves nothing. Up from the first lane leads into the header. */
export function moveFocus(
  layout: LaneLayout,
  from: LaneFocus,
  { key, isMod }: { readonly key: string; readonly isMod: boolean },
): LaneFocus | null {
  const at = clampFocus(layout, from)
  if (at.row < 0 && !isMod) return moveInHeader(layout, at, key)
  const last = layout.rows.length - 1
  const ends = layout.columns.length - 1
  switch (key) {
    case 'ArrowDown':
      return { ...at, row: cellRow(layout, at.row + 1, 1) ?? at.row }
    case 'ArrowUp':
      return above(layout, at) ?? at
    case 'ArrowRight':
      return { ...at, column: Math.min(at.column + 1, ends) }
    case 'ArrowLeft':
      return { ...at, column: Math.max(at.column - 1, -1) }
    case 'PageDown':
      return clampFocus(layout, { ...at, row: at.row + 10 })
    case 'PageUp':
      return clampFocus(layout, { ...at, row: at.row - 10 })
    case 'Home':
      return isMod ? clampFocus(layout, { row: 0, column: 0 }) : { ...at, column: 0 }
    case 'End':
      return isMod ? { row: cellRow(layout, last, -1) ?? 0, column: ends } : { ...at, column: ends }
    default:
      return null
  }
}

/** The place above a cell: the next lane up, above the first one the header; null where there is nothing above. */
function above(layout: LaneLayout, at: LaneFocus): LaneFocus | null {
  const row = cellRow(layout, at.row - 1, -1)
  if (row !== null) return { ...at, row }
  return at.column >= 0 && layout.columns.length > 0 ? headerAbove(layout, at.column) : null
}

/** The row of the next (1) or previous (-1) failing lane, around the ends; null without failing lanes. */
export function nextFailing(layout: LaneLayout, from: number, step: 1 | -1): number | null {
  const count = layout.rows.length
  const start = Math.max(from, step === 1 ? -1 : 0)
  for (let i = 1; i <= count; i += 1) {
    const at = (((start + step * i) % count) + count) % count
    const row = layout.rows[at]
    if (row?.kind === 'lane' && !row.lane.isPass) return at
  }
  return null
}

/** The drawn column that holds an alignment column; -1 when none does. */
export function drawnColumn(layout: LaneLayout, column: number): number {
  return layout.columns.findIndex((one) => one.columns.includes(column))
}
