// The parts of a step pair on the page: one section each, or both texts as they are when no comparison is made,
// or the words that say that one side has no step here.

import type { ReactElement } from 'react'
import { plural } from '../../../base/text.ts'
import type { StepView } from '../../../contract/rows.ts'
import { classes } from '../../kit/classes.ts'
import { Text } from '../../kit/Text.tsx'
import { DiffRows, type RowLook } from './DiffRows.tsx'
import type { PairSection } from './sections.ts'
import styles from './Pair.module.css'

const WHY = {
  'too large': 'Too different to align: show both as they are (over 200 kB).',
  'too different': 'Too different to align: show both as they are.',
  'too deep': 'Too different to align: show both as they are (nested too deeply).',
} as const

/** A side's text as it stands, bounded. */
function AsIs({ text }: { readonly text: string | null }): ReactElement {
  return (
    <div>
      {text === null ? (
        <span className="muted">none</span>
      ) : (
        <Text as="pre" value={text} mono limit={50_000} />
      )}
    </div>
  )
}

/** Props of PairBody. `absent` says whose step is missing and in which words. */
export type PairBodyProps = {
  readonly sections: readonly PairSection[]
  readonly left: StepView | null
  readonly right: StepView | null
  readonly absent: { readonly left: string | null; readonly right: string | null }
  readonly isUnified: boolean
  readonly isWrapped: boolean
  readonly isSwapped: boolean
}

function Absent({ left, right }: PairBodyProps['absent']): ReactElement | null {
  if (left === null && right === null) return null
  return (
    <div className={styles.absent}>
      <p>{left === null ? null : <Text value={left} />}</p>
      <p>{right === null ? null : <Text value={right} />}</p>
    </div>
  )
}

/** All sections. */
export function PairBody(props: PairBodyProps): ReactElement {
  const { sections, left, right, absent, isUnified, isWrapped, isSwapped } = props
  const look: RowLook = { isUnified, isWrapped, isSwapped, isOneSided: left === null || right === null }
  const cut = Math.max(left?.cutFromChars ?? 0, right?.cutFromChars ?? 0)
  return (
    <div className={classes(isUnified && styles.unified, isWrapped && styles.wrap)}>
      <Absent {...absent} />
      {cut > 0 ? (
        <p className={styles.note}>
          Only the beginning is compared: a text here has {cut.toLocaleString('en-US')} characters. Show raw
          to read all of it.
        </p>
      ) : null}
      {sections.map(({ id, title, comparison, leftText, rightText }) => (
        <section
          key={id}
          aria-label={title}
          data-section={id}
          className={classes(styles.section, (id === 'said' || id === 'error') && styles.prose)}
        >
          <h3 className={styles.sectionHead}>
            {title}
            {comparison.ok && comparison.differences === 0 ? <span className={styles.same}>same</span> : null}
            {comparison.ok && comparison.differences > 0 && !look.isOneSided ? (
              <span className={styles.same}>{plural(comparison.differences, 'difference')}</span>
            ) : null}
          </h3>
          {comparison.ok ? (
            <DiffRows rows={comparison.rows} look={look} />
          ) : (
            <>
              <p className={styles.note}>{WHY[comparison.reason]}</p>
              <div className={styles.asIs} data-diff="">
                <AsIs text={leftText} />
                <AsIs text={rightText} />
              </div>
            </>
          )}
        </section>
      ))}
    </div>
  )
}
