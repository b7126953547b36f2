// Grid: the virtual table. Draws only the rows in sight, so that 100,000 rows scroll like ten; rows may be missing
// (their page is on its way) and are drawn as placeholders. role=grid with true counts; one tab stop, arrows move.
// It holds no data and knows no query: the caller answers `rowAt(index)` and hears which rows are in sight.

import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
} from 'react'
import { classes } from './classes.ts'
import { moveGridFocus, type GridFocus } from './gridmoves.ts'
import { GridRow, isControl, type RowActions } from './GridRow.tsx'
import { SortDownIcon, SortUpIcon } from './icons.ts'
import styles from './Grid.module.css'

/** One column. `width` is a CSS grid track: `minmax(160px, 2fr)`, `64px`. */
export type GridColumn<R> = {
  readonly id: string
  readonly title: ReactNode
  /** The column's name for a screen reader, where the title is a sign. */
  readonly name?: string
  readonly width: string
  readonly align?: 'start' | 'end'
  readonly cell: (row: R, index: number) => ReactNode
  /** What stands in the header besides the title: a "how computed" button. */
  readonly aside?: ReactNode
  readonly sort?: 'ascending' | 'descending' | 'none'
  readonly onSort?: () => void
}

/** What a grid can be told to do. */
export type GridHandle = {
  /** Scrolls the row into sight and, with `focus`, gives it the focus. */
  goToRow(index: number, options?: { readonly focus?: boolean }): void
}

/** Props of Grid. Heights in px. */
export type GridProps<R> = {
  readonly label: string
  readonly columns: readonly GridColumn<R>[]
  readonly count: number
  readonly rowAt: (index: number) => R | undefined
  readonly rowKey: (row: R) => string
  readonly rowHeight: number
  /** How a row is named when it is focused as a whole. */
  readonly rowLabel: (row: R, index: number) => string
  readonly selected?: number | null
  readonly onSelect?: (index: number) => void
  readonly onOpen?: (row: R, index: number) => void
  readonly onPeek?: (row: R, index: number) => void
  readonly onRange?: (first: number, last: number) => void
  readonly handle?: Ref<GridHandle>
  readonly minWidth?: number
}

/** A virtual grid with roving focus. */
export function Grid<R>(props: GridProps<R>): ReactElement {
  const { columns, count, rowAt, rowHeight, selected = null, onSelect, onRange } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [focus, setFocus] = useState<GridFocus>({ row: selected ?? 0, column: -1 })
  const [wantsFocus, setWantsFocus] = useState(false)
  const at: GridFocus = { ...focus, row: Math.min(focus.row, Math.max(count - 1, 0)) }

  // oxlint-disable-next-line react/incompatible-library -- the React compiler is not used here
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // The focused row stays in the document when it is scrolled away: focus is never lost.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      if (at.row < 0 || at.row >= count || shown.includes(at.row)) return shown
      return [...shown, at.row].sort((a, b) => a - b)
    },
  })
  useEffect(() => virtual.measure(), [virtual, rowHeight])

  const first = virtual.range?.startIndex ?? 0
  const last = virtual.range?.endIndex ?? 0
  useEffect(() => {
    if (count > 0) onRange?.(first, Math.min(last, count - 1))
  }, [onRange, first, last, count])

  /** Gives the focus to what holds it by the grid's own state; false while that is not drawn. */
  const focusRoving = (): boolean => {
    const element = scroller.current?.querySelector<HTMLElement>('[data-roving="true"]')
    if (element === null || element === undefined) return false
    // A cell that holds one control hands it the focus.
    const control = at.column >= 0 ? element.querySelector<HTMLElement>('button, a, input') : null
    ;(control ?? element).focus({ preventScroll: true })
    return true
  }
  const roving = useRef(focusRoving)
  useLayoutEffect(() => {
    roving.current = focusRoving
  })
  useEffect(() => {
    if (wantsFocus && roving.current()) setWantsFocus(false)
  }, [wantsFocus, at.row, at.column, virtual.range])

  // A row on its way is drawn as a placeholder, and another element takes its place when it comes: it takes the focus
  // over as well, and what was chosen on the placeholder is chosen then. React hears no blur of what it removes itself.
  const focused = useRef<Element | null>(null)
  const awaited = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (focused.current?.isConnected === false) {
      focused.current = null
      if (document.activeElement === document.body) roving.current()
    }
    const index = awaited.current
    if (index === null || rowAt(index) === undefined) return
    awaited.current = null
    if (index === at.row) onSelect?.(index)
  })

  const goTo = (next: GridFocus): void => {
    setFocus(next)
    setWantsFocus(true)
    awaited.current = null
    if (next.row < 0) return
    virtual.scrollToIndex(next.row, { align: 'auto' })
    if (next.row === at.row && selected === next.row) return
    if (rowAt(next.row) === undefined) awaited.current = next.row
    else onSelect?.(next.row)
  }
  useImperativeHandle(props.handle, () => ({
    goToRow(index, options) {
      setFocus({ row: index, column: -1 })
      virtual.scrollToIndex(index, { align: 'auto' })
      if (options?.focus === true) setWantsFocus(true)
    },
  }))

  // Rows keep one object of actions for life; what it calls is always the newest.
  const latest = useRef({ goTo, onOpen: props.onOpen })
  useEffect(() => {
    latest.current = { goTo, onOpen: props.onOpen }
  })
  const [actions] = useState<RowActions<R>>(() => ({
    focusRow: (index) => setFocus({ row: index, column: -1 }),
    press: (index) => latest.current.goTo({ row: index, column: -1 }),
    open: (row, index) => latest.current.onOpen?.(row, index),
  }))

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.defaultPrevented || event.altKey) return
    const isMod = event.ctrlKey || event.metaKey
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 2)
    const next = moveGridFocus(at, { rows: count, columns: columns.length, page }, { key: event.key, isMod })
    if (next !== null) {
      event.preventDefault()
      goTo(next)
      return
    }
    const row = at.row >= 0 ? rowAt(at.row) : undefined
    if (row === undefined || isMod || isControl(event.target)) return
    if (event.key === 'Enter' && props.onOpen !== undefined) {
      event.preventDefault()
      props.onOpen(row, at.row)
    } else if (event.key === ' ' && props.onPeek !== undefined) {
      event.preventDefault()
      props.onPeek(row, at.row)
    }
  }

  const template = columns.map((column) => column.width).join(' ')
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={props.label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      className={styles.grid}
      style={{ scrollPaddingTop: rowHeight + 4 }}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        // What a popover of a cell holds is heard here, too, and stands elsewhere.
        focused.current = scroller.current?.contains(event.target) === true ? event.target : null
      }}
      onBlur={() => {
        focused.current = null
      }}
    >
      <div className={styles.inner} style={{ minWidth: props.minWidth ?? 0 }}>
        <div role="row" aria-rowindex={1} className={styles.head} style={{ gridTemplateColumns: template }}>
          {columns.map((column, index) => (
            <HeadCell
              key={column.id}
              column={column}
              index={index}
              isRoving={at.row < 0 && at.column === index}
              onFocus={() => setFocus({ row: -1, column: index })}
            />
          ))}
        </div>
        <div role="rowgroup" className={styles.space} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rowAt(item.index)
            return (
              <GridRow
                key={row === undefined ? item.key : props.rowKey(row)}
                row={row}
                index={item.index}
                start={item.start}
                height={item.size}
                template={template}
                columns={columns}
                label={row === undefined ? 'Loading' : props.rowLabel(row, item.index)}
                isSelected={selected === item.index}
                focusColumn={at.row === item.index ? at.column : null}
                actions={actions}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

function HeadCell<R>(props: {
  readonly column: GridColumn<R>
  readonly index: number
  readonly isRoving: boolean
  readonly onFocus: () => void
}): ReactElement {
  const { column, index, isRoving, onFocus } = props
  const isSorted = column.sort === 'ascending' || column.sort === 'descending'
  return (
    <div
      role="columnheader"
      aria-colindex={index + 1}
      aria-label={column.name}
      aria-sort={column.onSort === undefined ? undefined : (column.sort ?? 'none')}
      className={classes(styles.cell, styles.headCell, column.align === 'end' && styles.end)}
      data-roving={isRoving ? 'true' : undefined}
      tabIndex={column.onSort === undefined ? (isRoving ? 0 : -1) : undefined}
      onFocus={isRoving ? undefined : onFocus}
    >
      {column.onSort === undefined ? (
        <span className={styles.headText}>{column.title}</span>
      ) : (
        <button
          type="button"
          className={classes(styles.sort, isSorted && styles.sorted)}
          tabIndex={isRoving ? 0 : -1}
          onClick={column.onSort}
        >
          <span className={styles.headText}>{column.title}</span>
          {column.sort === 'ascending' ? <SortUpIcon size={12} aria-hidden /> : null}
          {column.sort === 'descending' ? <SortDownIcon size={12} aria-hidden /> : null}
        </button>
      )}
      {column.aside}
    </div>
  )
}
