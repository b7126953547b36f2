// One row of the virtual grid, drawn again only when something of it changes: while scrolling, the rows that stay in
// sight cost nothing. Its actions come in one stable object.

import { memo, type ReactElement } from 'react'
import { classes } from './classes.ts'
import type { GridColumn } from './Grid.tsx'
import styles from './Grid.module.css'

/** What a row can ask the grid for. The object must keep its identity. */
export type RowActions<R> = {
  readonly focusRow: (index: number) => void
  readonly press: (index: number) => void
  readonly open: (row: R, index: number) => void
}

/** Props of GridRow. `start` and `height` in px; `focusColumn` null: not focused, -1: the row itself, else a cell. */
export type GridRowProps<R> = {
  readonly row: R | undefined
  readonly index: number
  readonly start: number
  readonly height: number
  readonly template: string
  readonly columns: readonly GridColumn<R>[]
  readonly label: string
  readonly isSelected: boolean
  readonly focusColumn: number | null
  readonly actions: RowActions<R>
}

/** True when a press or a key on the target belongs to a control inside a cell. */
export function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, a, input, textarea, select') !== null
}

function Row<R>(props: GridRowProps<R>): ReactElement {
  const { row, index, start, height, template, columns, label, isSelected, focusColumn, actions } = props
  const isStop = focusColumn === -1
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-label={label}
      tabIndex={isStop ? 0 : -1}
      data-roving={isStop ? 'true' : undefined}
      className={classes(styles.row, isSelected && styles.selected)}
      style={{ gridTemplateColumns: template, height, transform: `translateY(${start}px)` }}
      onFocus={(event) => {
        if (event.target === event.currentTarget && !isStop) actions.focusRow(index)
      }}
      onClick={(event) => {
        if (!isControl(event.target)) actions.press(index)
      }}
      onDoubleClick={(event) => {
        if (row !== undefined && !isControl(event.target)) actions.open(row, index)
      }}
    >
      {columns.map((column, at) => (
        <div
          key={column.id}
          role="gridcell"
          aria-colindex={at + 1}
          tabIndex={focusColumn === at ? 0 : -1}
          data-roving={focusColumn === at ? 'true' : undefined}
          className={classes(styles.cell, column.align === 'end' && styles.end)}
        >
          {row === undefined ? <span className={styles.coming} /> : column.cell(row, index)}
        </div>
      ))}
    </div>
  )
}

/** The row, memoised; the cast keeps the type parameter that memo loses. */
export const GridRow = memo(Row) as typeof Row
