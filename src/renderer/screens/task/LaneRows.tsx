// One lane of the table: its shell (verdict, name, fold, pin), its cells, and its length and severe events. Drawn
// again only when its own row, its focus or its chosen cell changes. Carries no handlers: the table delegates.

import { memo, type ReactElement } from 'react'
import { oneLine, plural } from '../../../base/text.ts'
import { DivergenceMark } from '../../../marks/DivergenceMark.tsx'
import { SevereTriangle } from '../../../marks/SevereCount.tsx'
import { StepDots } from '../../../marks/StepDots.tsx'
import { VERDICTS, VerdictGlyph } from '../../../marks/VerdictGlyph.tsx'
import { classes } from '../../kit/classes.ts'
import { AnnotateIcon, PinIcon } from '../../kit/icons.ts'
import { Text } from '../../kit/Text.tsx'
import type { CellRow, LaneCell } from './laneLayout.ts'
import type { DisplayColumn } from './laneColumns.ts'
import { divergenceWords, trialName } from './words.ts'
import styles from './Lanes.module.css'

/** Props of LaneRowView. `focused` and `chosen` are drawn columns (-1 the shell), null for none. */
export type LaneRowViewProps = {
  readonly row: CellRow
  readonly index: number
  readonly columns: readonly DisplayColumn[]
  readonly starts: ReadonlySet<number>
  readonly from: number
  readonly to: number
  readonly focused: number | null
  readonly chosen: number | null
  readonly isReference: boolean
  readonly isChosenTrial: boolean
  readonly hasConfigurations: boolean
  /** There is room for the names of the trials only. */
  readonly isNarrow: boolean
  readonly referenceNote: string
}

/** How a cell is named: "trial 3, failed, decide refund, diverges here: missing step". */
export function cellLabel(row: CellRow, cell: LaneCell, column: DisplayColumn): string {
  const who = row.kind === 'reference' ? 'reference' : trialName(row.trial, row.lane.trial)
  const parts = [who, VERDICTS[row.lane.outcome].word, column.stage, column.tool]
  if (cell.sign === 'lead' && cell.divergence)
    parts.push(`diverges here: ${divergenceWords(cell.divergence)}`)
  else if (cell.sign === 'ended') parts.push('ended here')
  else if (cell.divergence) parts.push(`small difference: ${divergenceWords(cell.divergence)}`)
  parts.push(cell.isSkipped ? 'skipped' : cell.count === 0 ? 'no step' : plural(cell.count, 'step'))
  if (cell.errors > 0) parts.push(plural(cell.errors, 'error'))
  if (cell.isDifferent && cell.divergence === null && !cell.isSkipped)
    parts.push('differs from the reference')
  return oneLine(parts.join(', '), 400)
}

/** The columns in sight, and the focused one wherever it is: what has the focus, or is to get it, must be there. */
function drawnColumns(count: number, from: number, to: number, focused: number | null): number[] {
  const inSight = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)
  const isAway = focused !== null && focused >= 0 && focused < count && (focused < from || focused >= to)
  return isAway ? [...inSight, focused] : inSight
}

function CellMarks({ cell }: { readonly cell: LaneCell }): ReactElement {
  const dots = (
    <StepDots count={cell.count} errors={cell.errors} label={null} width={cell.sign === null ? 36 : 22} />
  )
  if (cell.sign === null) return dots
  return (
    <>
      <DivergenceMark sign={cell.sign} label={null} size={cell.sign === 'lead' ? 14 : 12} />
      {cell.count === 0 ? null : dots}
    </>
  )
}

/** A lane. */
export const LaneRowView = memo(function LaneRowView(props: LaneRowViewProps): ReactElement {
  const { row, index, columns, starts, from, to, focused, chosen, isReference, hasConfigurations, isNarrow } =
    props
  const { lane, trial, fold } = row
  // With several configurations the label repeats them: here they stand in their own, muted place.
  const name =
    hasConfigurations && trial !== undefined ? `trial ${trial.number}` : trialName(trial, lane.trial)
  const severe = trial?.severe.filter((event) => event.severity === 'severe') ?? []
  const kinds = [...new Set(severe.map((event) => event.kind))].join(', ')
  const isHead = fold === 'head'
  const stepCount = trial?.steps ?? lane.stepCount
  const shellLabel = [
    row.kind === 'reference' ? `reference: ${name}` : name,
    VERDICTS[lane.outcome].word,
    hasConfigurations ? trial?.configurationLabel : undefined,
    isHead ? `${row.alike.length} alike` : undefined,
    severe.length > 0 ? plural(severe.length, 'severe event') : undefined,
    trial !== undefined && trial.annotationRevision !== null ? 'annotated' : undefined,
    plural(stepCount, 'step'),
  ]
  return (
    <div
      role="row"
      aria-rowindex={index + 3}
      className={styles.row}
      data-row={index}
      data-kind={row.kind}
      data-fold={fold}
      data-chosen={props.isChosenTrial}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        aria-label={oneLine(shellLabel.filter((part) => part !== undefined).join(', '), 300)}
        className={styles.shell}
        data-column={-1}
        data-roving={focused === -1 ? 'true' : undefined}
        tabIndex={focused === -1 ? 0 : -1}
      >
        <span className={styles.glyph}>
          {row.kind === 'reference' ? <span aria-hidden>◎</span> : <VerdictGlyph verdict={lane.outcome} />}
        </span>
        {row.kind === 'reference' ? (
          <>
            <span className={styles.name}>reference</span>
            {isNarrow ? null : (
              <span className={styles.config}>
                <Text value={props.referenceNote} line />
              </span>
            )}
          </>
        ) : (
          <>
            <span className={styles.name}>
              <Text value={name} line />
            </span>
            {severe.length > 0 ? <SevereTriangle /> : null}
            {hasConfigurations && trial !== undefined && !isNarrow ? (
              <span className={styles.config}>
                <Text value={trial.configurationLabel} line />
              </span>
            ) : null}
            {trial !== undefined && trial.annotationRevision !== null ? (
              <AnnotateIcon size={12} aria-label="annotated" className={styles.written} />
            ) : null}
            <span className={styles.push} />
            {isHead ? (
              <button
                type="button"
                tabIndex={-1}
                className={styles.fold}
                data-action="fold"
                aria-expanded={row.isOpen}
                aria-label={`${row.alike.length} alike`}
              >
                {row.alike.length} {isNarrow ? '' : 'alike '}
                {row.isOpen ? '▾' : '▸'}
              </button>
            ) : null}
            <button
              type="button"
              tabIndex={-1}
              className={styles.pin}
              data-action="pin"
              aria-pressed={isReference}
              aria-label={isReference ? `Unpin ${name} as reference` : `Pin ${name} as reference`}
              title={isReference ? 'Unpin (p)' : 'Pin as reference (p)'}
            >
              <PinIcon size={13} aria-hidden />
            </button>
          </>
        )}
      </div>
      {drawnColumns(columns.length, from, to, focused).map((at) => {
        const column = columns[at]
        const cell = row.cells[at]
        if (column === undefined || cell === undefined) return null
        return (
          <div
            key={column.key}
            role="gridcell"
            aria-colindex={at + 2}
            aria-label={cellLabel(row, cell, column)}
            aria-selected={chosen === at}
            className={classes(
              styles.cell,
              column.isBand && styles.inBand,
              cell.isDifferent && row.kind !== 'reference' && styles.different,
              cell.isSkipped && styles.skipped,
              at > 0 && starts.has(at) && styles.startOfStage,
              chosen === at && styles.chosen,
            )}
            style={{ gridColumn: at + 2, gridRow: 1 }}
            data-column={at}
            data-sign={cell.sign ?? undefined}
            data-roving={focused === at ? 'true' : undefined}
            tabIndex={focused === at ? 0 : -1}
          >
            <CellMarks cell={cell} />
          </div>
        )
      })}
      <div
        role="gridcell"
        aria-colindex={columns.length + 2}
        className={styles.tail}
        style={{ gridColumn: columns.length + 2, gridRow: 1 }}
      >
        <span title={plural(stepCount, 'step')}>{stepCount}</span>
        {severe.length > 0 && row.kind !== 'reference' && !isNarrow ? (
          <span className={styles.severeKinds}>
            <SevereTriangle />
            <Text value={kinds} line />
          </span>
        ) : null}
      </div>
    </div>
  )
})
