// RowList: a long list of rows of differing heights, of which only those in sight are drawn. For steps, diff rows,
// problems, JSON rows. Rows are measured after drawing; the list stays anchored on the row in view.

import { useVirtualizer } from '@tanstack/react-virtual'
import { useImperativeHandle, useRef, type ReactElement, type ReactNode, type Ref } from 'react'
import { classes } from './classes.ts'
import styles from './RowList.module.css'

/** What a list can be told to do. */
export type RowListHandle = { scrollToRow(index: number): void }

/** Props of RowList. `estimate` is the expected row height in px. */
export type RowListProps = {
  readonly label: string
  readonly count: number
  readonly estimate: number
  readonly rowKey: (index: number) => string | number
  readonly row: (index: number) => ReactNode
  readonly role?: 'list' | 'table' | 'none'
  readonly className?: string
  readonly handle?: Ref<RowListHandle>
  /** Called with the first and last row drawn, so that the caller can fetch them. */
  readonly onRange?: (first: number, last: number) => void
  readonly overscan?: number
}

/** A virtual list that scrolls by itself. */
export function RowList(props: RowListProps): ReactElement {
  const { label, count, estimate, rowKey, row, role = 'list', className, handle, onRange } = props
  const scroller = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- the React compiler is not used here
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: rowKey,
    overscan: props.overscan ?? 8,
    ...(onRange === undefined
      ? {}
      : {
          onChange: (instance) => {
            const items = instance.getVirtualItems()
            const first = items[0]
            const last = items.at(-1)
            if (first !== undefined && last !== undefined) onRange(first.index, last.index)
          },
        }),
  })
  useImperativeHandle(
    handle,
    () => ({ scrollToRow: (index) => virtual.scrollToIndex(index, { align: 'center' }) }),
    [virtual],
  )
  return (
    <div
      ref={scroller}
      className={classes(styles.scroller, className)}
      role="group"
      aria-label={label}
      tabIndex={0}
    >
      <div
        role={role === 'list' ? 'list' : 'presentation'}
        className={styles.space}
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map((item) => (
          <div
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            className={styles.row}
            style={{ transform: `translateY(${item.start}px)` }}
            {...(role === 'list'
              ? { role: 'listitem', 'aria-posinset': item.index + 1, 'aria-setsize': count }
              : {})}
          >
            {row(item.index)}
          </div>
        ))}
      </div>
    </div>
  )
}
