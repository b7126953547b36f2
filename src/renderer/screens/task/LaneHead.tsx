// The header of the lanes table: stage segments, tools, and the flag on the divergence band. Stays on top while the
// lanes scroll. Stages and folded columns open and fold by press; they are stops of the table's roving focus.

import { memo, type ReactElement, type ReactNode } from 'react'
import { oneLine } from '../../../base/text.ts'
import { DivergenceMark } from '../../../marks/DivergenceMark.tsx'
import { classes } from '../../kit/classes.ts'
import { Text } from '../../kit/Text.tsx'
import type { LaneLayout } from './laneLayout.ts'
import type { DisplayColumn, StageSegment } from './laneColumns.ts'
import { STAGE_ROW, TOOL_ROW, type LaneFocus } from './laneMoves.ts'
import styles from './Lanes.module.css'

/** Props of LaneHead. `from` and `to` bound the drawn columns; `flag` is what the band says; `focused` may be elsewhere. */
export type LaneHeadProps = {
  readonly layout: LaneLayout
  readonly from: number
  readonly to: number
  readonly isUpright: boolean
  readonly flag: string | null
  readonly focused: LaneFocus | null
  readonly onStage: (segment: StageSegment) => void
  readonly onOpenColumns: (column: DisplayColumn) => void
}

/** A tool's name that may break after its separators. */
export function ToolName({ name }: { readonly name: string }): ReactElement {
  const parts = name.slice(0, 200).split(/(?<=[\s_./:-])/)
  return (
    <span>
      {parts.map((part, i) => (
        // Pieces of one name: their order is their identity.
        <span key={i}>
          <Text value={part} />
          <wbr />
        </span>
      ))}
    </span>
  )
}

/** The two header rows and the flag. */
export const LaneHead = memo(function LaneHead(props: LaneHeadProps): ReactElement {
  const { layout, from, to, isUpright, flag, focused, onStage, onOpenColumns } = props
  const band = layout.columns.findIndex((column) => column.isBand)
  const starts = new Set(layout.segments.map((segment) => segment.from))
  const count = layout.columns.length
  // A flag near the right edge opens to the left, so that it never makes the table wider.
  const isFlagEnd = band >= count - 2 && band > 2
  const isFocused = (row: number, column: number): boolean =>
    focused !== null && focused.row === row && focused.column === column
  // What makes an element a stop of the table's focus; only one of them all is reached by Tab.
  const stop = (row: number, column: number): object => {
    const isHere = isFocused(row, column)
    return { 'data-column': column, 'data-roving': isHere ? 'true' : undefined, tabIndex: isHere ? 0 : -1 }
  }
  return (
    <div role="rowgroup" className={classes(styles.head, isUpright && styles.upright)}>
      {band >= 0 && flag !== null ? <div className={styles.band} aria-hidden /> : null}
      {flag === null || band < 0 ? null : (
        <div className={classes(styles.row, styles.flags)} aria-hidden>
          <span
            className={classes(styles.flag, isFlagEnd && styles.flagEnd)}
            style={
              isFlagEnd
                ? { gridColumn: `2 / ${band + 3}`, gridRow: 1 }
                : { gridColumn: `${band + 2} / -1`, gridRow: 1 }
            }
          >
            <DivergenceMark sign="lead" label={null} />
            {flag}
          </span>
        </div>
      )}
      <HeadRow row={STAGE_ROW} index={1} className={styles.stages} corner="stage">
        {layout.segments
          .filter(
            (segment) =>
              (segment.from < to && segment.from + segment.span > from) || isFocused(STAGE_ROW, segment.from),
          )
          .map((segment) => (
            <div
              key={segment.first}
              role="columnheader"
              aria-colindex={segment.from + 2}
              aria-colspan={segment.span}
              className={styles.stage}
              style={{ gridColumn: `${segment.from + 2} / span ${segment.span}`, gridRow: 1 }}
            >
              {segment.columns > 1 ? (
                <button
                  type="button"
                  {...stop(STAGE_ROW, segment.from)}
                  className={styles.stageName}
                  aria-expanded={!segment.isFolded}
                  title={
                    segment.isFolded ? `Open ${segment.columns} columns` : `Fold ${segment.columns} columns`
                  }
                  onClick={() => onStage(segment)}
                >
                  <Text value={segment.stage} line />
                </button>
              ) : (
                <span {...stop(STAGE_ROW, segment.from)} className={styles.stageName}>
                  <Text value={segment.stage} line />
                </span>
              )}
            </div>
          ))}
      </HeadRow>
      <HeadRow row={TOOL_ROW} index={2} className={styles.tools} corner="trial">
        {layout.columns.map((column, at) => {
          if ((at < from || at >= to) && !isFocused(TOOL_ROW, at)) return null
          const place = { gridColumn: at + 2, gridRow: 1 }
          const name = column.isFolded ? (
            <button
              type="button"
              {...stop(TOOL_ROW, at)}
              className={classes(styles.tool, styles.toolButton)}
              title={`Show ${column.columns.length} columns in which all trials agree`}
              onClick={() => onOpenColumns(column)}
            >
              <span>⋯ {column.columns.length}</span>
            </button>
          ) : (
            <ToolName name={column.tool} />
          )
          return (
            <div
              key={column.key}
              role="columnheader"
              aria-colindex={at + 2}
              className={classes(
                !column.isFolded && styles.tool,
                at > 0 && starts.has(at) && styles.startOfStage,
              )}
              style={place}
              title={column.isFolded ? undefined : oneLine(`${column.stage} · ${column.tool}`, 300)}
            >
              {name}
            </div>
          )
        })}
        <div
          role="columnheader"
          aria-colindex={count + 2}
          className={styles.tailHead}
          style={{ gridColumn: count + 2, gridRow: 1 }}
        >
          steps
        </div>
      </HeadRow>
    </div>
  )
})

/** One of the two rows of the header, with its corner. `row` is its number among the stops of the table's focus. */
function HeadRow({
  row,
  index,
  className,
  corner,
  children,
}: {
  readonly row: number
  readonly index: number
  readonly className: string | undefined
  readonly corner: string
  readonly children: ReactNode
}): ReactElement {
  return (
    <div role="row" aria-rowindex={index} className={classes(styles.row, className)} data-header-row={row}>
      <div role="columnheader" aria-colindex={1} className={styles.corner}>
        {corner}
      </div>
      {children}
    </div>
  )
}
