// Which part of the lanes table is in sight: width of a column from the room there is, and, for large tables, the
// rows and columns that must be drawn. Reads sizes of the scroller; knows nothing of lanes.

import { useCallback, useEffect, useState, type RefObject } from 'react'

/** Rows and columns to draw (ends exclusive) and the width of a column in px. */
export type LaneWindow = {
  readonly columnWidth: number
  readonly rowFrom: number
  readonly rowTo: number
  readonly columnFrom: number
  readonly columnTo: number
  /** Height of the scroller in px. */
  readonly height: number
  readonly edges: ReturnType<typeof laneEdges>
  /** All columns have room: there is nothing to scroll sideways. */
  readonly isFitting: boolean
}

/** A column is never narrower than a cell can be hit, nor wider than its tool's name needs. */
export const COLUMN_WIDTH = { least: 44, most: 148, upright: 84 } as const

/** Below this width the lanes keep to what tells them apart: no configuration beside the name, no kinds of events. */
const NARROW_PX = 800

/**
 * Widths beside the columns in px, in a table `width` px wide: the lane's shell at the left, its length and severe
 * events at the right. Names of configurations need room where there are several, kinds of events where there are any.
 */
export function laneEdges(
  width: number,
  { hasConfigurations, hasEvents }: { readonly hasConfigurations: boolean; readonly hasEvents: boolean },
): { readonly shell: number; readonly tail: number; readonly isNarrow: boolean } {
  if (width < NARROW_PX) return { shell: 168, tail: 64, isNarrow: true }
  const shell = Math.round(width * (hasConfigurations ? 0.22 : 0.17))
  return {
    shell: Math.min(340, Math.max(hasConfigurations ? 264 : 200, shell)),
    tail: hasEvents ? 152 : 64,
    isNarrow: false,
  }
}

/** Up to this many cells everything is drawn; above, only what is in sight and a margin around it. */
const DRAWN_WHOLE = 2500
const MARGIN_PX = 320

type Seen = { readonly width: number; readonly height: number; readonly left: number; readonly top: number }

/** The width of a column when `columns` of them share the room beside the shell and the tail. */
export function columnWidthFor(room: number, columns: number): number {
  if (columns === 0) return COLUMN_WIDTH.most
  return Math.min(COLUMN_WIDTH.most, Math.max(COLUMN_WIDTH.least, Math.floor(room / columns)))
}

/** The part of `count` items of one size that lies in `from..from + length` px, with a margin. */
export function partInSight(
  count: number,
  size: number,
  from: number,
  length: number,
): { from: number; to: number } {
  const first = Math.max(0, Math.floor((from - MARGIN_PX) / size))
  return { from: Math.min(first, count), to: Math.min(count, Math.ceil((from + length + MARGIN_PX) / size)) }
}

/** Follows the scroller. `rows` and `columns` count everything; heights and widths in px. */
export function useLaneWindow(
  scroller: RefObject<HTMLElement | null>,
  size: {
    readonly rows: number
    readonly columns: number
    readonly rowHeight: number
    readonly hasConfigurations: boolean
    readonly hasEvents: boolean
  },
): LaneWindow {
  const [seen, setSeen] = useState<Seen>({ width: 1000, height: 600, left: 0, top: 0 })
  const isWhole = size.rows * size.columns <= DRAWN_WHOLE
  const look = useCallback(() => {
    const element = scroller.current
    if (element === null || element.clientWidth === 0) return
    const next = {
      width: element.clientWidth,
      height: element.clientHeight,
      // Steps of half a margin: most scroll events change nothing and draw nothing.
      left: isWhole ? 0 : Math.floor(element.scrollLeft / (MARGIN_PX / 2)) * (MARGIN_PX / 2),
      top: isWhole ? 0 : Math.floor(element.scrollTop / (MARGIN_PX / 2)) * (MARGIN_PX / 2),
    }
    setSeen((now) =>
      now.width === next.width && now.height === next.height && now.left === next.left && now.top === next.top
        ? now
        : next,
    )
  }, [scroller, isWhole])

  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    element.addEventListener('scroll', look, { passive: true })
    if (typeof ResizeObserver === 'undefined') return () => element.removeEventListener('scroll', look)
    // Tells the first size too.
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      observer.disconnect()
    }
  }, [scroller, look])

  const edges = laneEdges(seen.width, size)
  const besides = edges.shell + edges.tail
  const columnWidth = columnWidthFor(seen.width - besides, size.columns)
  const { height } = seen
  const isFitting = besides + size.columns * columnWidth <= seen.width
  if (isWhole)
    return {
      height,
      edges,
      isFitting,
      columnWidth,
      rowFrom: 0,
      rowTo: size.rows,
      columnFrom: 0,
      columnTo: size.columns,
    }
  const rows = partInSight(size.rows, size.rowHeight, seen.top, seen.height + MARGIN_PX / 2)
  const columns = partInSight(size.columns, columnWidth, seen.left, seen.width + MARGIN_PX / 2)
  return {
    height,
    edges,
    isFitting,
    columnWidth,
    rowFrom: rows.from,
    rowTo: rows.to,
    columnFrom: columns.from,
    columnTo: columns.to,
  }
}
