// Where the focus of the lanes goes on a key: pure, so that it is tested without a layout. Rows that are block
// titles are stepped over; column -1 is the lane's shell (its name), columns from 0 are its cells.

import type { LaneLayout } from './laneLayout.ts'

/** A focused place: an index into `layout.rows` and a drawn column, -1 for the shell. */
export type LaneFocus = { readonly row: number; readonly column: number }

/** The nearest row with cells at or after `row` in direction `step`; null when there is none. */
function cellRow(layout: LaneLayout, row: number, step: 1 | -1): number | null {
  for (let i = row; i >= 0 && i < layout.rows.length; i += step) {
    if (layout.rows[i]?.kind !== 'block') return i
  }
  return null
}

/** The focus held inside the table: after folding, pinning or hiding, the old place may be gone. */
export function clampFocus(layout: LaneLayout, at: LaneFocus): LaneFocus {
  const row = Math.min(Math.max(at.row, 0), Math.max(0, layout.rows.length - 1))
  return {
    row: cellRow(layout, row, 1) ?? cellRow(layout, row, -1) ?? 0,
    column: Math.min(Math.max(at.column, -1), layout.columns.length - 1),
  }
}

/** The place after a key, or null when the key moves nothing. */
export function moveFocus(
  layout: LaneLayout,
  from: LaneFocus,
  { key, isMod }: { readonly key: string; readonly isMod: boolean },
): LaneFocus | null {
  const at = clampFocus(layout, from)
  const last = layout.rows.length - 1
  const ends = layout.columns.length - 1
  switch (key) {
    case 'ArrowDown':
      return { ...at, row: cellRow(layout, at.row + 1, 1) ?? at.row }
    case 'ArrowUp':
      return { ...at, row: cellRow(layout, at.row - 1, -1) ?? at.row }
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

/** The row of the next (1) or previous (-1) failing lane, around the ends; null without failing lanes. */
export function nextFailing(layout: LaneLayout, from: number, step: 1 | -1): number | null {
  const count = layout.rows.length
  for (let i = 1; i <= count; i += 1) {
    const at = (((from + step * i) % count) + count) % count
    const row = layout.rows[at]
    if (row?.kind === 'lane' && !row.lane.isPass) return at
  }
  return null
}

/** The drawn column that holds an alignment column; -1 when none does. */
export function drawnColumn(layout: LaneLayout, column: number): number {
  return layout.columns.findIndex((one) => one.columns.includes(column))
}
