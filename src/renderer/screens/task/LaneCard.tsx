// The cards of the lanes: of a cell (what the step is, and the first thing in which its arguments differ from the
// reference) and of a lane's name. Shown on hover and focus; all of it also stands elsewhere. No focus, no pointer.

import type { ReactElement, ReactNode } from 'react'
import type { Json } from '../../../base/json.ts'
import { firstDifference } from '../../../analysis/stepdiff/first.ts'
import { plural } from '../../../base/text.ts'
import type { TaskAnalysis } from '../../../model/analysis.ts'
import { VERDICTS } from '../../../marks/VerdictGlyph.tsx'
import { skipToken, useAsk } from '../../bridge/queries.ts'
import { Text } from '../../kit/Text.tsx'
import type { CellRow, LaneCell } from './laneLayout.ts'
import { columnName, type DisplayColumn } from './laneColumns.ts'
import { pairRefs } from './pairRefs.ts'
import { countsWords, divergenceWords, durationText, trialName } from './words.ts'
import styles from './Lanes.module.css'

/** Where a card stands: the rectangle of its cell in the window. */
export type CardAt = { readonly row: string; readonly column: number; readonly rect: DOMRect }

/** A value on one line; undefined is said as absent. */
function shortJson(value: Json | undefined): string {
  if (value === undefined) return '(absent)'
  return JSON.stringify(value) ?? 'null'
}

/** The card of a lane's name: what the narrow shell has no room for. */
export function ShellCard(props: {
  readonly at: CardAt
  readonly row: CellRow
  /** What the reference is. */
  readonly note: string
  readonly trials: number
}): ReactElement {
  const { at, row, note } = props
  const { trial, lane } = row
  const severe = [...new Set((trial?.severe ?? []).map((event) => `${event.severity}: ${event.kind}`))]
  const facts: (readonly [string, string | null])[] = [
    ['configuration', trial?.configurationLabel ?? null],
    ['outcome', VERDICTS[lane.outcome].word],
    ['ended', trial?.termination ?? null],
    ['events', severe.length === 0 ? null : severe.join(', ')],
    ['steps', String(trial?.steps ?? lane.stepCount)],
    ['took', trial?.durationMs ? durationText(trial.durationMs) : null],
    [
      'alike',
      row.alike.length > 1 ? `${row.alike.length} of ${props.trials} trials do the same steps` : null,
    ],
    ['annotated', trial !== undefined && trial.annotationRevision !== null ? 'yes' : null],
  ]
  return (
    <Card at={at}>
      <div className={styles.cardTitle}>
        {row.kind === 'reference' ? `reference (${note}): ` : ''}
        {trial === undefined ? <Text value={trialName(trial, lane.trial)} /> : `trial ${trial.number}`}
      </div>
      <div className={styles.cardFacts}>
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name} className={styles.cardSide}>
              <span className={styles.cardLine}>{name}</span>
              <Text value={value} limit={300} />
            </div>
          ),
        )}
      </div>
    </Card>
  )
}

/** A card at its cell: below, or above where there is no room. */
function Card({ at, children }: { readonly at: CardAt; readonly children: ReactNode }): ReactElement {
  const height = 190
  const isAbove = at.rect.bottom + height > window.innerHeight
  const x = Math.max(8, Math.min(at.rect.left, window.innerWidth - 336))
  return (
    <div
      role="tooltip"
      id="lane-card"
      className={styles.card}
      style={
        isAbove
          ? { left: x, bottom: window.innerHeight - at.rect.top + 6 }
          : { left: x, top: at.rect.bottom + 6 }
      }
    >
      {children}
    </div>
  )
}

/** The card of a cell. Asks for the two steps with a small limit: a preview, never a whole record. */
export function LaneCard(props: {
  readonly at: CardAt
  readonly row: CellRow
  readonly cell: LaneCell
  readonly column: DisplayColumn
  readonly analysis: TaskAnalysis
  readonly reference: string | null
}): ReactElement {
  const { at, row, cell, column, analysis, reference } = props
  const refs = pairRefs(analysis, reference, row.lane.trial, cell.column)
  const isAlone = row.kind === 'reference' || row.lane.trial === reference
  const pair = useAsk(
    'trials.pair',
    refs.left === null && refs.right === null
      ? skipToken
      : { left: isAlone ? null : refs.left, right: refs.right, limitChars: 4000 },
  )
  const { left = null, right = null } = pair.data ?? {}
  const first =
    left !== null && right !== null && left.tool === right.tool
      ? firstDifference(left.args, right.args)
      : null
  const { stage, tool } = columnName(analysis, cell.column)
  return (
    <Card at={at}>
      <div className={styles.cardTitle}>
        <Text value={column.isFolded ? stage : `${stage} · ${tool}`} line />
      </div>
      <div className={styles.cardLine}>
        {row.kind === 'reference' ? 'reference' : <Text value={trialName(row.trial, row.lane.trial)} />}
        {' · '}
        {cell.isSkipped ? 'skips this' : cell.count === 0 ? 'no step' : plural(cell.count, 'step')}
        {cell.errors > 0 ? ` · ${plural(cell.errors, 'error')}` : ''}
        {right?.durationMs ? ` · ${durationText(right.durationMs)}` : ''}
      </div>
      {cell.divergence === null ? null : (
        <div>
          <div>
            {cell.sign === 'lead' ? '◆ ' : '◇ '}
            <Text value={divergenceWords(cell.divergence)} />
          </div>
          <div className={styles.cardLine}>
            {countsWords(cell.divergence)}
            {cell.divergence.isConsequence ? ' · follows from an earlier difference' : ''}
          </div>
        </div>
      )}
      {cell.sign === 'ended' && cell.divergence === null ? <div>× ended before this</div> : null}
      {right !== null && right.tool !== null && right.tool !== tool ? (
        <div className={styles.cardSide}>
          <span className={styles.cardLine}>calls</span>
          <Text value={right.tool} line mono />
        </div>
      ) : null}
      {first === null ? null : (
        <>
          <Text value={first.path === '' ? 'arguments' : first.path} line mono />
          <div className={styles.cardSide}>
            <span className={styles.cardLine}>reference</span>
            <Text value={shortJson(first.left)} line mono />
            <span className={styles.cardLine}>here</span>
            <Text value={shortJson(first.right)} line mono />
          </div>
        </>
      )}
      {right !== null && right.said !== null && first === null && right.tool === null ? (
        <Text value={right.said} line />
      ) : null}
    </Card>
  )
}
