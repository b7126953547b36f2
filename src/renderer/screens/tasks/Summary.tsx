// The lines over the task table: what the tasks say as a whole, each phrase a filter; and the suite's figures with
// their doubt, coverage and method.

import { useState, type ReactElement, type ReactNode } from 'react'
import { plural } from '../../../base/text.ts'
import type { SuiteSummary } from '../../../contract/rows.ts'
import { SevereTriangle } from '../../../marks/SevereCount.tsx'
import { Button } from '../../kit/Button.tsx'
import { How } from '../../kit/How.tsx'
import type { TaskFilter } from '../../shell/places.ts'
import { AllKSheet } from './AllKSheet.tsx'
import { coverageText, figureText, moneyText, numberText, otherText, shownKs, suiteHow } from './taskwords.ts'
import styles from './Tasks.module.css'

/** The first line: counts as filters. */
export function Phrases({
  summary,
  filter,
  onFilter,
}: {
  readonly summary: SuiteSummary
  readonly filter: TaskFilter
  readonly onFilter: (change: Partial<TaskFilter>) => void
}): ReactElement {
  const outcome = (id: Exclude<TaskFilter['outcome'], 'any'>, words: string): ReactElement => (
    <Phrase
      isOn={filter.outcome === id}
      onPress={() => onFilter({ outcome: filter.outcome === id ? 'any' : id })}
    >
      {words}
    </Phrase>
  )
  return (
    <p className={styles.phrases}>
      <Phrase isOn={filter.outcome === 'any'} onPress={() => onFilter({ outcome: 'any' })}>
        {plural(summary.tasks, 'task')}
      </Phrase>
      {outcome('always', `${summary.alwaysPass.toLocaleString('en-US')} always pass`)}
      {outcome('never', `${summary.neverPass.toLocaleString('en-US')} never pass`)}
      {outcome('sometimes', `${summary.sometimes.toLocaleString('en-US')} sometimes`)}
      {summary.notEstimable > 0 ? outcome('not estimable', `${summary.notEstimable} not estimable`) : null}
      {summary.severeTrials > 0 ? (
        <Phrase isOn={filter.severe} onPress={() => onFilter({ severe: !filter.severe })}>
          <SevereTriangle /> {plural(summary.severeTrials, 'severe trial')}
          {summary.passedButHarmful > 0 ? `, ${summary.passedButHarmful} of them passed` : ''}
        </Phrase>
      ) : null}
    </p>
  )
}

function Phrase(props: {
  readonly isOn: boolean
  readonly onPress: () => void
  readonly children: ReactNode
}): ReactElement {
  return (
    <Button
      variant="quiet"
      size="small"
      className={styles.phrase}
      aria-pressed={props.isOn}
      onPress={props.onPress}
    >
      {props.children}
    </Button>
  )
}

/** The second line: pooled rate and pass^k over all tasks in scope, never only over the filtered ones. */
export function SuiteLine({ summary }: { readonly summary: SuiteSummary }): ReactElement {
  const { pooled, curve, otherReading } = summary
  const [isAllK, setAllK] = useState(false)
  return (
    <div className={styles.suiteLine}>
      <span>
        <span className="muted">pooled pass rate</span>{' '}
        {pooled.rate.ok ? (
          <>
            <strong>{figureText(pooled.rate, 3)}</strong>
            {pooled.wilson === null ? null : (
              <span className={styles.interval}>
                {' '}
                [{numberText(pooled.wilson[0], 3)}–{numberText(pooled.wilson[1], 3)}]
              </span>
            )}
          </>
        ) : (
          <span title={pooled.rate.reason}>not estimable</span>
        )}{' '}
        <span className="muted">
          {pooled.passes.toLocaleString('en-US')}/{pooled.n.toLocaleString('en-US')}
        </span>
      </span>
      {shownKs(curve).map((at) => (
        <span key={at.k} title={at.passHatK.ok ? undefined : at.passHatK.reason}>
          <span className="muted">pass^{at.k}</span> <strong>{figureText(at.passHatK, 3)}</strong>
          {coverageText(at) === '' ? null : <span className="muted"> ({coverageText(at)})</span>}
        </span>
      ))}
      {otherReading === null ? null : (
        <span className={styles.other}>
          {numberText(otherReading.rate, 3)} if {otherText(summary.policy, otherReading.policy)}
        </span>
      )}
      {summary.costTotal === null ? null : (
        <span>
          <span className="muted">cost</span> {moneyText(summary.costTotal)}
        </span>
      )}
      <span className={styles.suiteButtons}>
        <How title="How these figures are computed" rows={suiteHow(summary)} look="words" />
        {curve.length < 2 ? null : (
          <Button variant="quiet" size="small" onPress={() => setAllK(true)}>
            All k
          </Button>
        )}
        {isAllK ? <AllKSheet summary={summary} onClose={() => setAllK(false)} /> : null}
      </span>
    </div>
  )
}
