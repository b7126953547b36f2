// Which score decides, suite by suite, where the trials have several or one on a scale: a choice of the score and of the
// number from which it is a pass. Says what is chosen; writing it is the caller's.

import { useState, type ReactElement } from 'react'
import { oneLine, plural } from '../../../base/text.ts'
import type { ScorerChoice } from '../../../contract/rulerows.ts'
import { classes } from '../../kit/classes.ts'
import { TextField } from '../../kit/Field.tsx'
import { Select } from '../../kit/Select.tsx'
import styles from './Intake.module.css'

/** What a person decided for a suite; without a scorer, that the outcomes as imported do. */
export type Decided = {
  readonly suite: string
  readonly scorer: string | null
  readonly threshold: number | null
}

const IMPORTED = 'imported'
/** Names of scores are the source's own: they stand apart from what is said here. */
const idOf = (scorer: string): string => `score:${scorer}`

/** Whether there is something to choose: one score beside outcomes that the source says is a measure, and was not chosen. */
function isChoice({ fields, isStated, isChosen }: ScorerChoice): boolean {
  return isChosen || !isStated || fields.length > 1
}

/** Whether any of these is to be shown. */
export function hasChoices(choices: readonly ScorerChoice[]): boolean {
  return choices.some(isChoice)
}

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
  if (!hasChoices(choices)) return null
  return (
    <>
      {choices.filter(isChoice).map((choice) => (
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
  const scorer = decided === null ? choice.decides : decided.scorer
  const given = decided === null ? choice.threshold : decided.threshold
  const [written, setWritten] = useState<string | null>(null)
  const text = written ?? (given === null ? '' : String(given))
  const isWrong = text.trim() !== '' && !Number.isFinite(Number(text))
  const name = oneLine(suite, 40)
  const decide = (next: string | null, threshold: string): void => {
    setWritten(null)
    onDecide({ suite, scorer: next, threshold: threshold.trim() === '' ? null : Number(threshold) })
  }
  const field = fields.find(({ name: one }) => one === scorer)
  // From 1 on is a pass where nobody said otherwise; on a scale nothing is until somebody does.
  const placeholder =
    field !== undefined && (field.lowest < 0 || field.highest > 1)
      ? `${field.lowest} to ${field.highest}`
      : '1'
  const imported = { id: IMPORTED, title: 'the outcomes as imported' }
  return (
    <div className={classes(styles.fields, styles.decider)}>
      <Select
        label={`What decides in ${name}`}
        layout="stacked"
        placeholder="choose one"
        options={[
          ...(choice.isStated ? [imported] : []),
          ...fields.map(({ name: one, trials, lowest, highest }) => ({
            id: idOf(one),
            title: oneLine(one, 60),
            hint: `${plural(trials, 'trial')}, ${lowest === highest ? lowest : `${lowest} to ${highest}`}`,
          })),
        ]}
        value={scorer === null ? (choice.isStated ? IMPORTED : null) : idOf(scorer)}
        // A mark belongs to a scale: another score begins without one.
        onChange={(id) => {
          const next = fields.find(({ name: one }) => idOf(one) === id)?.name ?? null
          if (next !== scorer) decide(next, '')
        }}
      />
      {scorer === null ? null : (
        <TextField
          label={`A pass in ${name} from this number on`}
          value={text}
          placeholder={placeholder}
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
