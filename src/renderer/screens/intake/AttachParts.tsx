// Parts of the sheet that attaches outcomes: what a person may or must say (field, threshold, suite, order), and the
// list of trials whose outcome changes.

import { useState, type ReactElement } from 'react'
import { oneLine, plural } from '../../../base/text.ts'
import type { AttachPreview, JoinedLine } from '../../../contract/outcomerows.ts'
import { Checkbox, TextField } from '../../kit/Field.tsx'
import { Select } from '../../kit/Select.tsx'
import { Text } from '../../kit/Text.tsx'
import { RULE_WORDS } from './intakewords.ts'
import { SmallTable } from './parts.tsx'
import styles from './Intake.module.css'

/** What a person has decided so far; `null` and empty: nothing. */
export type Choices = {
  readonly suite: string | null
  readonly scorer: string | null
  readonly threshold: string
  readonly replace: boolean
  readonly byOrder: boolean
}

/** What a person may or must say: field, threshold, suite, order. */
export function Questions({
  preview,
  choices,
  onChoices,
}: {
  readonly preview: AttachPreview
  readonly choices: Choices
  readonly onChoices: (choices: Choices) => void
}): ReactElement | null {
  const [threshold, setThreshold] = useState(
    preview.choice.threshold === null ? '' : String(preview.choice.threshold),
  )
  const decides = preview.fields.find(({ name }) => name === preview.choice.scorer)
  const asksThreshold =
    decides?.isScale === true || choices.threshold !== '' || preview.choice.threshold !== null
  const isWrong = threshold.trim() !== '' && !Number.isFinite(Number(threshold))
  // One field is no choice, unless it says only how a trial ended: then it decides when a person says so.
  const asksField = preview.fields.length > (preview.choice.scorer === null ? 0 : 1)
  const hasFields = asksField || asksThreshold
  if (
    !hasFields &&
    preview.suites.length === 0 &&
    choices.suite === null &&
    preview.joinableByOrder === 0 &&
    !choices.byOrder
  )
    return null
  return (
    <div className={styles.sheet}>
      <div className={styles.fields}>
        {asksField ? (
          <Select
            label="Decided by"
            layout="stacked"
            placeholder="choose one"
            options={preview.fields.map(({ name, rows, isScale, lowest, highest }) => ({
              id: name,
              title: oneLine(name, 40),
              hint: `${plural(rows, 'value')}${isScale && lowest !== null && highest !== null ? `, ${lowest} to ${highest}` : ''}`,
            }))}
            value={preview.choice.scorer}
            onChange={(scorer) => onChoices({ ...choices, scorer })}
          />
        ) : null}
        {asksThreshold ? (
          <TextField
            label="A pass from this number on"
            value={threshold}
            placeholder="1"
            maxLength={40}
            error={isWrong ? 'Write a number.' : null}
            onChange={setThreshold}
            onBlur={() => {
              if (!isWrong && threshold !== choices.threshold)
                onChoices({ ...choices, scorer: preview.choice.scorer, threshold })
            }}
          />
        ) : null}
        {preview.suites.length > 0 || choices.suite !== null ? (
          <Select
            label="Suite of rows that name none"
            layout="stacked"
            placeholder="choose one"
            options={[
              ...new Set([...preview.suites, ...(choices.suite === null ? [] : [choices.suite])]),
            ].map((suite) => ({
              id: suite,
              title: oneLine(suite, 60),
            }))}
            value={choices.suite}
            onChange={(suite) => onChoices({ ...choices, suite })}
          />
        ) : null}
      </div>
      {preview.isRemembered ? <p className="muted">Decided as for files of this kind before.</p> : null}
      {preview.joinableByOrder > 0 || choices.byOrder ? (
        <Checkbox isSelected={choices.byOrder} onChange={(byOrder) => onChoices({ ...choices, byOrder })}>
          Join trials without a number of their source in the order in which they are numbered here
        </Checkbox>
      ) : null}
    </div>
  )
}

/** Trials with their outcome before and after, and by what they were joined. */
export function JoinedLines({
  label,
  lines,
}: {
  readonly label: string
  readonly lines: readonly JoinedLine[]
}): ReactElement {
  return (
    <SmallTable
      label={label}
      head={['Task', 'Trial', 'Outcome', 'Joined by', 'From']}
      rows={lines.map((line) => ({
        key: line.trialId,
        cells: [
          <Text key="task" line value={line.suite === '' ? line.task : `${line.suite}/${line.task}`} />,
          line.number,
          <span key="outcome">
            {line.from} <span className={styles.arrow}>→</span> <strong>{line.to}</strong>
          </span>,
          RULE_WORDS[line.rule],
          <Text
            key="from"
            line
            mono
            value={line.line === null ? line.file : `${line.file}, line ${line.line}`}
          />,
        ],
      }))}
    />
  )
}
