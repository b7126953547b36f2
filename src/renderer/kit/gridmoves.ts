// Where the focus of a grid goes on a key: pure, so that it is tested without a layout. Row -1 is the header; column
// -1 is the row as a whole (Enter opens it), columns from 0 are its cells.

/** The focused place of a grid. */
export type GridFocus = { readonly row: number; readonly column: number }

/** The size of a grid; `page` is how many rows are in sight. */
export type GridSize = { readonly rows: number; readonly columns: number; readonly page: number }

/** The keys that move the focus. */
export type GridKey = { readonly key: string; readonly isMod: boolean }

/**
 * The place after a key, or null when the key moves nothing. Up from the first row enters the header, whose cells
 * are the sort buttons; Home and End go along the cells when a cell has the focus, else to the first and last row.
 */
export function moveGridFocus(at: GridFocus, size: GridSize, { key, isMod }: GridKey): GridFocus | null {
  const last = size.rows - 1
  const isHeader = at.row < 0
  const row = (next: number): GridFocus => ({
    row: Math.min(Math.max(next, 0), Math.max(last, 0)),
    column: isHeader ? -1 : at.column,
  })
  const column = (next: number): GridFocus => ({
    row: at.row,
    column: Math.min(Math.max(next, isHeader ? 0 : -1), size.columns - 1),
  })
  switch (key) {
    case 'ArrowDown':
      return isHeader ? row(0) : row(at.row + 1)
    case 'ArrowUp':
      if (isHeader) return at
      return at.row === 0 ? { row: -1, column: Math.max(at.column, 0) } : row(at.row - 1)
    case 'ArrowRight':
      return column(at.column + 1)
    case 'ArrowLeft':
      return column(at.column - 1)
    case 'PageDown':
      return row(Math.max(at.row, 0) + size.page)
    case 'PageUp':
      return row(at.row - size.page)
    case 'Home':
      return isMod || (at.column < 0 && !isHeader) ? { ...row(0), column: -1 } : column(0)
    case 'End':
      return isMod || (at.column < 0 && !isHeader) ? { ...row(last), column: -1 } : column(size.columns - 1)
    default:
      return null
  }
}
