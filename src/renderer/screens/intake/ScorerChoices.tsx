// Which score decides, suite by suite, where the trials have several or one on a scale: a choice of the score and of the
// number from which it is a pass. Says what is chosen; writing it is the caller's.

import { useState, type ReactElement } from 'react'
import { oneLine, plural } from '../../../base/text.ts'
import type { ScorerChoice } from '../../../contract/rulerows.ts'
import { TextField } from '../../kit/Field.tsx'
import { Select } from '../../kit/Select.tsx'
import styles from './Intake.module.css'

/** What a person decided for a suite. */
export type Decided = { readonly suite: string; readonly scorer: string; readonly threshold: number | null }

/** The choices. `decided` are those that were made here and are not written yet. */
export function ScorerChoices({
  choices,
  decided,
  onDecide,
}: {
  readonly choices: readonly ScorerChoice[]
  readonly decided: readonly Decided[]
  readonly onDecide: (decided: Decided) => void
}): ReactElement | null {
  if (choices.length === 0) return null
  return (
    <>
      {choices.map((choice) => (
        <OneChoice
          key={choice.suite}
          choice={choice}
          decided={decided.find(({ suite }) => suite === choice.suite) ?? null}
          onDecide={onDecide}
        />
      ))}
    </>
  )
}

function OneChoice({
  choice,
  decided,
  onDecide,
}: {
  readonly choice: ScorerChoice
  readonly decided: Decided | null
  readonly onDecide: (decided: Decided) => void
}): ReactElement {
  const { suite, fields } = choice
  const scorer = decided?.scorer ?? choice.decides
  const given = decided === null ? choice.threshold : decided.threshold
  const [written, setWritten] = useState<string | null>(null)
  const text = written ?? (given === null ? '' : String(given))
  const isWrong = text.trim() !== '' && !Number.isFinite(Number(text))
  const name = oneLine(suite, 40)
  const decide = (next: string, threshold: string): void => {
    setWritten(null)
    onDecide({ suite, scorer: next, threshold: threshold.trim() === '' ? null : Number(threshold) })
  }
  return (
    <div className={styles.fields}>
      <Select
        label={`What decides in ${name}`}
        layout="stacked"
        placeholder="choose one"
        options={fields.map(({ name: field, trials, lowest, highest }) => ({
          id: field,
          title: oneLine(field, 60),
          hint: `${plural(trials, 'trial')}, ${lowest === highest ? lowest : `${lowest} to ${highest}`}`,
        }))}
        value={scorer}
        // A mark belongs to a scale: another score begins without one.
        onChange={(next) => decide(next, next === scorer ? text : '')}
      />
      {scorer === null ? null : (
        <TextField
          label={`A pass in ${name} from this number on`}
          value={text}
          placeholder="1"
          maxLength={40}
          error={isWrong ? 'Write a number.' : null}
          onChange={setWritten}
          onBlur={() => {
            if (!isWrong && written !== null && written !== (given === null ? '' : String(given)))
              decide(scorer, written)
          }}
        />
      )}
    </div>
  )
}
