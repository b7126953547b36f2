// Rows of a comparison, side by side or one under the other, with equal stretches folded. Draws rows and nothing
// else; what is compared is decided in sections.ts. All text goes through Text.

import { useState, type ReactElement } from 'react'
import { foldEqual, type DiffRow, type RowSide } from '../../../analysis/stepdiff/rows.ts'
import { plural } from '../../../base/text.ts'
import { classes } from '../../kit/classes.ts'
import { Text } from '../../kit/Text.tsx'
import styles from './Pair.module.css'

/** How rows are drawn. `isOneSided`: the other trial has no step at all, so that nothing is marked as changed. */
export type RowLook = {
  readonly isUnified: boolean
  readonly isWrapped: boolean
  readonly isOneSided: boolean
  /** The trial stands left, the reference right. */
  readonly isSwapped: boolean
}

/** Rows drawn before the rest must be asked for. */
const ROWS_AT_ONCE = 1200

function Side({
  side,
  depth,
  isPlain,
}: {
  readonly side: RowSide
  readonly depth: number
  readonly isPlain: boolean
}): ReactElement {
  return (
    <span
      className={styles.value}
      style={depth === 0 ? undefined : { paddingInlineStart: `${depth * 12}px` }}
    >
      {side.key === null ? null : (
        <span className={styles.key}>
          <Text value={side.key} />
          {': '}
        </span>
      )}
      {side.segments.map((segment, i) => (
        // Segments of one line: their order is their identity.
        <Text
          key={i}
          value={segment.text}
          {...(segment.isChanged && !isPlain ? { className: styles.changed ?? '' } : {})}
        />
      ))}
    </span>
  )
}

function Cell(props: {
  readonly row: DiffRow
  readonly of: 'left' | 'right'
  readonly look: RowLook
}): ReactElement {
  const { row, of, look } = props
  const isPlain = look.isOneSided
  const side = row[of]
  if (side === null) return <div className={classes(styles.cell, !isPlain && styles.none)} />
  const isMarked = row.kind !== 'equal' && !isPlain
  const sign = isMarked ? (of === 'left' ? '−' : '+') : ''
  // Words are marked only where part of the line is shared; a line of one side alone is marked as a whole.
  const isWhole = row.kind === of || (side.key === null && side.segments.length === 1)
  return (
    <div
      className={classes(styles.cell, isMarked && styles[of])}
      // Whose words these are, for evidence: the reference's are `left` wherever they stand.
      data-trial={(of === 'left') === look.isSwapped ? 'right' : 'left'}
    >
      <span className={styles.sign}>{sign}</span>
      <Side side={side} depth={row.depth} isPlain={isPlain || isWhole} />
    </div>
  )
}

/** One row as one or two cells. */
function Row({
  row,
  look,
  isFirst,
}: {
  readonly row: DiffRow
  readonly look: RowLook
  readonly isFirst: boolean
}): ReactElement {
  const mark = isFirst ? { 'data-diff': '' } : {}
  if (look.isUnified) {
    return (
      <div className={styles.row} {...mark}>
        {row.left === null || row.kind === 'equal' ? null : <Cell row={row} of="left" look={look} />}
        {row.right === null ? null : <Cell row={row} of="right" look={look} />}
      </div>
    )
  }
  return (
    <div className={styles.row} {...mark}>
      <Cell row={row} of="left" look={look} />
      <Cell row={row} of="right" look={look} />
    </div>
  )
}

type Piece = { readonly from: number; readonly to: number; readonly isFolded: boolean }

/** The stretches to draw: folds that were opened are rows, and rows beyond the limit are left out. */
function piecesOf(
  rows: readonly DiffRow[],
  opened: ReadonlySet<number>,
  limit: number,
): { readonly pieces: readonly Piece[]; readonly left: number } {
  const pieces: Piece[] = []
  let room = limit
  let left = 0
  for (const { from, to, isFolded } of foldEqual(rows)) {
    const isShut = isFolded && !opened.has(from)
    if (isShut) {
      if (room > 0) pieces.push({ from, to, isFolded: true })
      continue
    }
    const shown = Math.min(room, to - from)
    if (shown > 0) pieces.push({ from, to: from + shown, isFolded: false })
    left += to - from - shown
    room -= shown
  }
  return { pieces, left }
}

/** The rows of one section. */
export function DiffRows({
  rows,
  look,
}: {
  readonly rows: readonly DiffRow[]
  readonly look: RowLook
}): ReactElement {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const [limit, setLimit] = useState(ROWS_AT_ONCE)
  const { pieces, left } = piecesOf(rows, opened, limit)
  return (
    <div className={styles.rows}>
      {pieces.map((piece) =>
        piece.isFolded ? (
          <button
            key={piece.from}
            type="button"
            className={styles.expand}
            onClick={() => setOpened(new Set([...opened, piece.from]))}
          >
            … {plural(piece.to - piece.from, 'equal line')} ▸
          </button>
        ) : (
          rows.slice(piece.from, piece.to).map((row, i) => {
            const at = piece.from + i
            const isFirst = row.kind !== 'equal' && (at === 0 || rows[at - 1]?.kind === 'equal')
            return <Row key={at} row={row} look={look} isFirst={isFirst && !look.isOneSided} />
          })
        ),
      )}
      {left > 0 ? (
        <button type="button" className={styles.expand} onClick={() => setLimit(limit + 5 * ROWS_AT_ONCE)}>
          … {plural(left, 'more line')} ▸
        </button>
      ) : null}
    </div>
  )
}
