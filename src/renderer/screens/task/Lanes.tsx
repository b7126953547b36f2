// The lanes of a task: the semantic grid with its roving focus, keys, card and band. Says where it was pressed
// through callbacks; what is open lives in the hash, how it is arranged in laneview. Asks nothing by itself.

import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
} from 'react'
import { oneLine, plural } from '../../../base/text.ts'
import type { TaskAnalysis } from '../../../model/analysis.ts'
import { classes } from '../../kit/classes.ts'
import { useCommands } from '../../shell/usecommands.ts'
import { LaneCard, ShellCard } from './LaneCard.tsx'
import { LaneHead } from './LaneHead.tsx'
import { lanePlace, useLaneCard } from './lanehover.ts'
import type { CellRow, LaneLayout } from './laneLayout.ts'
import { drawnAt, type DisplayColumn, type StageSegment } from './laneColumns.ts'
import { drawnRows, firstFocus, hasSevere, isCellRow, type Chosen } from './laneDrawn.ts'
import { clampFocus, drawnColumn, moveFocus, nextFailing, segmentAt, STAGE_ROW } from './laneMoves.ts'
import type { LaneFocus } from './laneMoves.ts'
import { LaneRowView } from './LaneRows.tsx'
import { COLUMN_WIDTH, useLaneWindow } from './lanewindow.ts'
import styles from './Lanes.module.css'

/** Props of Lanes. Row height in px. */
export type LanesProps = {
  readonly label: string
  readonly analysis: TaskAnalysis
  readonly layout: LaneLayout
  readonly chosen: Chosen
  readonly rowHeight: number
  readonly hasConfigurations: boolean
  readonly onOpen: (trial: string, column: number) => void
  readonly onChooseTrial: (trial: string) => void
  readonly onPin: (trial: string) => void
  readonly onFold: (row: CellRow) => void
  readonly onStage: (segment: StageSegment) => void
  readonly onOpenColumns: (column: DisplayColumn) => void
  readonly onGaps: () => void
  /** Escape with no card open: closes the step pair. */
  readonly onClose: () => void
}

/** The table. */
export function Lanes(props: LanesProps): ReactElement {
  const { label, analysis, layout, chosen, rowHeight, onOpen } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<LaneFocus>(() => firstFocus(layout, chosen))
  const wantsFocus = useRef<LaneFocus | null>(null)
  const { card, show: showCard, hide: hideCard } = useLaneCard(layout)
  const focus = clampFocus(layout, at)

  const part = useLaneWindow(scroller, {
    rows: layout.rows.length,
    columns: layout.columns.length,
    rowHeight,
    hasConfigurations: props.hasConfigurations,
    hasEvents: layout.rows.some((row) => isCellRow(row) && hasSevere(row)),
  })
  const isUpright = part.columnWidth < COLUMN_WIDTH.upright
  // Beside an open step pair on a small window the lanes need the room more than the tools' full names.
  const uprightHeight = part.height < 290 ? 60 : part.height < 320 ? 84 : 104
  const toolsHeight = isUpright ? uprightHeight : 50
  const starts = useMemo(() => new Set(layout.segments.map((segment) => segment.from)), [layout])
  const band = layout.columns.findIndex((column) => column.isBand)
  const lead = analysis.lead
  const flag = lead === null ? null : `parts here: ${lead.counts.a} of ${lead.counts.F}`

  // After every drawing: the cell that is to have the focus may only now be there. An effect of an older drawing
  // can run after the key press: only the wanted place takes the focus.
  useEffect(() => {
    const wanted = wantsFocus.current
    if (wanted === null) return
    const row = wanted.row < 0 ? `[data-header-row="${wanted.row}"]` : `[data-row="${wanted.row}"]`
    const place = `${row} [data-column="${wanted.column}"][data-roving="true"]`
    const element = scroller.current?.querySelector<HTMLElement>(place)
    if (element === null || element === undefined) return
    wantsFocus.current = null
    element.focus({ preventScroll: true })
    element.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  })
  // What the step pair shows stays in sight when it opens (the table becomes smaller) and when it moves on.
  const { trial: chosenTrial, column: chosenColumn } = chosen
  const openAt = chosenTrial === null || chosenColumn === null ? null : `${chosenTrial} ${chosenColumn}`
  useEffect(() => {
    if (openAt === null || part.height === 0) return
    const frame = requestAnimationFrame(() => {
      const cell = scroller.current?.querySelector('[role="gridcell"][aria-selected="true"]')
      cell?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
    })
    return () => cancelAnimationFrame(frame)
  }, [openAt, part.height])

  const goTo = (next: LaneFocus): void => {
    setAt(next)
    wantsFocus.current = next
    hideCard()
  }
  const goToDivergence = (): void => {
    const row = layout.rows[focus.row]
    const own = isCellRow(row) ? row.divergenceAt : null
    const column = own ?? (lead === null ? null : drawnAt(analysis, lead.column))
    if (column === null) return
    const to = own !== null ? focus.row : (nextFailing(layout, focus.row - 1, 1) ?? focus.row)
    goTo({ row: to, column: drawnColumn(layout, column) })
  }
  const goToFailing = (step: 1 | -1): void => {
    const to = nextFailing(layout, focus.row, step)
    const row = layout.rows[to ?? -1]
    if (to === null || !isCellRow(row)) return
    goTo({
      row: to,
      column: row.divergenceAt === null ? focus.column : drawnColumn(layout, row.divergenceAt),
    })
  }
  const foldStage = (): void => {
    const segment = segmentAt(layout, focus.column)
    if (segment === undefined || segment.columns < 2) return
    goTo({ row: STAGE_ROW, column: segment.from })
    props.onStage(segment)
  }
  const focusedRow = layout.rows[focus.row]
  useCommands({
    'lanes.divergence': goToDivergence,
    'lanes.nextFailing': () => goToFailing(1),
    'lanes.previousFailing': () => goToFailing(-1),
    'lanes.pin': () => isCellRow(focusedRow) && props.onPin(focusedRow.lane.trial),
    'lanes.gaps': props.onGaps,
    'lanes.foldStage': foldStage,
  })

  const open = (row: number, column: number): void => {
    const there = layout.rows[row]
    if (!isCellRow(there)) return
    const cell = there.cells[column]
    if (column < 0) props.onChooseTrial(there.lane.trial)
    else if (cell !== undefined) onOpen(there.lane.trial, cell.column)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey || event.shiftKey) return
    const next = moveFocus(layout, focus, { key: event.key, isMod: event.ctrlKey || event.metaKey })
    if (next !== null) {
      event.preventDefault()
      goTo(next)
    } else if ((event.key === 'Enter' || event.key === ' ') && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault()
      if (event.key === ' ' && isCellRow(focusedRow) && focusedRow.fold === 'head') props.onFold(focusedRow)
      else open(focus.row, focus.column)
    } else if (event.key === 'Escape') {
      if (card === null) props.onClose()
      hideCard()
    }
  }
  const onClick = (event: MouseEvent): void => {
    const place = lanePlace(event.target)
    // The buttons of the header carry themselves out.
    if (place === null || place.row < 0) return
    const row = layout.rows[place.row]
    const action = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-action]') : null
    if (action !== null && isCellRow(row)) {
      if (action.dataset['action'] === 'fold') props.onFold(row)
      else props.onPin(row.lane.trial)
      return
    }
    setAt({ row: place.row, column: place.column })
    hideCard()
    open(place.row, place.column)
  }
  const cardRow = layout.rows.find((row) => row.key === card?.row)
  const cardCell = card !== null && isCellRow(cardRow) ? cardRow.cells[card.column] : undefined
  const cardColumn = card === null ? undefined : layout.columns[card.column]
  const reference = layout.reference?.trial ?? null
  const note = layout.isPinned ? 'pinned' : `consensus ${layout.consensusOf}/${layout.passing}`
  const drawn = drawnRows(layout, part.rowFrom, part.rowTo, focus.row)
  const vars: { readonly [name: string]: string | number } = {
    '--shell': `${part.edges.shell}px`,
    '--tail': `${part.edges.tail}px`,
    '--columns': layout.columns.length,
    '--column': `${part.columnWidth}px`,
    '--tools': `${toolsHeight}px`,
    '--band-at': band,
    '--head-height': `${toolsHeight + 26 + (flag === null ? 0 : 22) + 6}px`,
  }
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={layout.rows.length + 2}
      aria-colcount={layout.columns.length + 2}
      className={classes(styles.grid, part.isFitting && styles.fitting)}
      style={vars as CSSProperties}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onPointerOver={(event) => {
        if (event.pointerType !== 'touch') showCard(event.target)
      }}
      onPointerLeave={hideCard}
      onScroll={hideCard}
      onFocus={(event) => {
        const place = lanePlace(event.target)
        if (place !== null) setAt({ row: place.row, column: place.column })
        if (event.target instanceof HTMLElement && event.target.matches(':focus-visible'))
          showCard(event.target)
      }}
      onBlur={hideCard}
    >
      <div className={styles.inner}>
        {band >= 0 && lead !== null ? <div className={styles.band} aria-hidden data-band /> : null}
        <LaneHead
          layout={layout}
          from={part.columnFrom}
          to={part.columnTo}
          isUpright={isUpright}
          flag={flag}
          focused={focus.row < 0 ? focus : null}
          onStage={props.onStage}
          onOpenColumns={(column) => {
            // The button that was pressed goes: the stage that it belonged to takes the focus.
            const at = layout.columns.indexOf(column)
            goTo({ row: STAGE_ROW, column: segmentAt(layout, at)?.from ?? at })
            props.onOpenColumns(column)
          }}
        />
        <div role="rowgroup">
          {drawn.map((item) => {
            if (item.kind === 'space') return <div key={item.key} style={{ height: item.rows * rowHeight }} />
            const { row, index } = item
            if (row.kind === 'block') {
              return (
                <div key={row.key} role="row" aria-rowindex={index + 3} className={styles.row}>
                  <div className={styles.blockRule} aria-hidden />
                  <div role="rowheader" className={styles.blockTitle} data-pass={row.isPass}>
                    {row.isPass ? '✓ passed' : '✗ failed'} {row.count}
                  </div>
                </div>
              )
            }
            const isChosenTrial = row.kind === 'lane' && row.lane.trial === chosen.trial
            return (
              <LaneRowView
                key={row.key}
                row={row}
                index={index}
                columns={layout.columns}
                starts={starts}
                from={part.columnFrom}
                to={part.columnTo}
                focused={focus.row === index ? focus.column : null}
                chosen={isChosenTrial && chosen.column !== null ? drawnColumn(layout, chosen.column) : null}
                isReference={layout.isPinned && row.lane.trial === reference}
                isChosenTrial={isChosenTrial}
                hasConfigurations={props.hasConfigurations}
                isNarrow={part.edges.isNarrow}
                referenceNote={note}
              />
            )
          })}
        </div>
        {lead === null ? null : (
          <p className="hidden-text">
            {lead.counts.a} of {plural(lead.counts.F, 'failing trial')} part at{' '}
            {oneLine(`${lead.stage ?? ''} ${lead.tool ?? ''}`, 200)}.
          </p>
        )}
      </div>
      {card?.column === -1 && isCellRow(cardRow) ? (
        <ShellCard at={card} row={cardRow} note={note} trials={analysis.lanes.length} />
      ) : null}
      {card !== null && isCellRow(cardRow) && cardCell !== undefined && cardColumn !== undefined ? (
        <LaneCard
          at={card}
          row={cardRow}
          cell={cardCell}
          column={cardColumn}
          analysis={analysis}
          reference={reference}
        />
      ) : null}
    </div>
  )
}
