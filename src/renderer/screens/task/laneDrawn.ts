// What of the lanes table is drawn and where its focus begins: pure parts of Lanes.tsx, over the layout.

import type { CellRow, LaneLayout, LaneRow } from './laneLayout.ts'
import { drawnColumn, type LaneFocus } from './laneMoves.ts'

/** What is open in the step pair: a trial and an alignment column. */
export type Chosen = { readonly trial: string | null; readonly column: number | null }

/** Whether a row has cells: all but the titles of the blocks. */
export function isCellRow(row: LaneRow | undefined): row is CellRow {
  return row !== undefined && row.kind !== 'block'
}

/** Whether a lane's trial has severe events. */
export function hasSevere(row: CellRow): boolean {
  return row.trial?.severe.some((event) => event.severity === 'severe') === true
}

/** The focus on entering: what is open, else the first failing lane at its divergence, else the first lane. */
export function firstFocus(layout: LaneLayout, chosen: Chosen): LaneFocus {
  const open = layout.rows.findIndex((row) => row.kind === 'lane' && row.key === chosen.trial)
  if (open >= 0)
    return { row: open, column: chosen.column === null ? -1 : drawnColumn(layout, chosen.column) }
  const failing = layout.rows.findIndex((row) => row.kind === 'lane' && row.divergence !== null)
  const row = layout.rows[failing]
  if (isCellRow(row) && row.divergence !== null) {
    return { row: failing, column: drawnColumn(layout, row.divergenceAt ?? 0) }
  }
  return { row: 0, column: -1 }
}

/** A row to draw, or the height of rows that are left out. */
export type Drawn =
  | { readonly kind: 'row'; readonly row: LaneRow; readonly index: number }
  | { readonly kind: 'space'; readonly key: string; readonly rows: number }

/** The rows in sight and the focused one, with empty space of the right height for the others. */
export function drawnRows(layout: LaneLayout, from: number, to: number, focused: number): Drawn[] {
  const drawn: Drawn[] = []
  let hidden = 0
  layout.rows.forEach((row, index) => {
    if ((index >= from && index < to) || index === focused) {
      if (hidden > 0) drawn.push({ kind: 'space', key: `space ${index}`, rows: hidden })
      hidden = 0
      drawn.push({ kind: 'row', row, index })
    } else hidden += 1
  })
  if (hidden > 0) drawn.push({ kind: 'space', key: 'space end', rows: hidden })
  return drawn
}
