// The head of the step pair: the neighbouring columns, so that one never loses the place, and what stands on each
// side.

import type { ReactElement } from 'react'
import type { StepView } from '../../../contract/rows.ts'
import type { TaskAnalysis } from '../../../model/analysis.ts'
import { DivergenceMark } from '../../../marks/DivergenceMark.tsx'
import { VerdictGlyph } from '../../../marks/VerdictGlyph.tsx'
import { Text } from '../../kit/Text.tsx'
import { columnName } from './laneColumns.ts'
import styles from './Pair.module.css'

/** One side's head: verdict, role, trial, step. `step` null: that trial has none here. */
export function SideHead({
  step,
  name,
  role,
}: {
  readonly step: StepView | null
  readonly name: string
  readonly role: string
}): ReactElement {
  return (
    <div className={styles.side}>
      {step === null ? null : <VerdictGlyph verdict={step.outcome} />}
      <span className="muted">{role}</span>
      <Text value={name} line />
      <span className="muted">
        {step === null ? 'no step' : `step ${step.step}`}
        {step?.isError ? ' · error' : ''}
      </span>
    </div>
  )
}

/** The columns around the open one; those that differ carry a diamond. */
export function PairStrip({
  analysis,
  columns,
  column,
  different,
  lead,
  ownLead,
  onChoose,
}: {
  readonly analysis: TaskAnalysis
  readonly columns: readonly number[]
  readonly column: number
  readonly different: readonly number[]
  readonly lead: number | null
  readonly ownLead: number | null
  readonly onChoose: (column: number) => void
}): ReactElement {
  const around = nearby(columns, column)
  return (
    <nav className={styles.strip} aria-label="Neighbouring columns">
      {around.map((one) => (
        <button
          key={one}
          type="button"
          className={styles.neighbour}
          aria-current={one === column}
          data-lead={lead === one}
          onClick={() => onChoose(one)}
        >
          {different.includes(one) ? (
            <DivergenceMark sign={ownLead === one ? 'lead' : 'small'} label="differs" size={9} />
          ) : null}
          <Text value={columnName(analysis, one).tool} line />
        </button>
      ))}
    </nav>
  )
}

/** The column with up to two before and after it. */
function nearby(columns: readonly number[], column: number): readonly number[] {
  const at = columns.indexOf(column)
  return at < 0 ? [] : columns.slice(Math.max(0, at - 2), at + 3)
}
