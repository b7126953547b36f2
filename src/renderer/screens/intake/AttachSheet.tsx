// Attach outcomes: what the file says, what decides, how many rows find their trial, what would change, and what is left
// on either side. Nothing changes before the button is pressed; it can be undone.

import { useCallback, useEffect, useState, type ReactElement } from 'react'
import { plural } from '../../../base/text.ts'
import type { AttachPreview } from '../../../contract/outcomerows.ts'
import { ask, type Ask } from '../../bridge/client.ts'
import { useJob } from '../../bridge/queries.ts'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Checkbox } from '../../kit/Field.tsx'
import { ErrorState, Loading } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import type { AttachWish } from '../../shell/intakes.ts'
import { say } from '../../shell/notices.ts'
import { remember } from '../../shell/undo.ts'
import { JoinedLines, Questions, type Choices } from './AttachParts.tsx'
import { joinedText } from './intakewords.ts'
import { Part, ProblemGroups, SmallTable } from './parts.tsx'
import styles from './Intake.module.css'

const UNDECIDED: Choices = { suite: null, scorer: null, threshold: '', replace: false, byOrder: false }

function inputOf(wish: AttachWish, choices: Choices): Ask<'outcomes.attach'> {
  const threshold = choices.threshold.trim() === '' ? null : Number(choices.threshold)
  const isChosen = choices.scorer !== null || (threshold !== null && Number.isFinite(threshold))
  return {
    files: wish.files.map(({ grant }) => ({ grant })),
    only: wish.only === null ? null : [...wish.only],
    importId: wish.importId,
    suite: choices.suite,
    choice: isChosen
      ? { scorer: choices.scorer, threshold: Number.isFinite(threshold) ? threshold : null }
      : null,
    replace: choices.replace,
    byOrder: choices.byOrder,
  }
}

/** The sheet. */
export function AttachSheet({
  wish,
  onClose,
}: {
  readonly wish: AttachWish
  readonly onClose: () => void
}): ReactElement {
  const looking = useJob('outcomes.preview')
  const attaching = useJob('outcomes.attach')
  const [preview, setPreview] = useState<AttachPreview | null>(null)
  const [choices, setChoices] = useState(UNDECIDED)
  const start = looking.start
  const read = useCallback(
    (next: Choices): void => {
      start(inputOf(wish, next))
        .then(setPreview)
        .catch(() => {
          // The fault stands in the job and is shown.
        })
    },
    [start, wish],
  )
  useEffect(() => read(UNDECIDED), [read])
  const look = (next: Choices): void => {
    setChoices(next)
    read(next)
  }
  const attachNothing = (): void => {
    attaching.cancel()
    onClose()
  }

  const attach = async (): Promise<void> => {
    try {
      const { attachment } = await attaching.start(inputOf(wish, choices))
      onClose()
      if (attachment === null) {
        say('No outcome changed')
        return
      }
      const { attachmentId, trials } = attachment
      const title = `outcomes of ${plural(trials, 'trial')} attached`
      const undo = (): Promise<unknown> => ask('outcomes.undo', { attachmentId })
      remember({ title, undo, redo: () => ask('outcomes.redo', { attachmentId }) })
      say(`Attached outcomes to ${plural(trials, 'trial')}`, { title: 'Undo', run: () => void undo() })
    } catch {
      // The fault stands in the job and is shown in the sheet.
    }
  }

  const fault = attaching.fault ?? looking.fault
  return (
    <Dialog
      title="Attach outcomes"
      isOpen
      onClose={attachNothing}
      size="large"
      actions={
        <>
          <Button onPress={attachNothing}>Attach nothing</Button>
          <Button
            variant="primary"
            isDisabled={preview === null || preview.changed === 0 || looking.isRunning || attaching.isRunning}
            onPress={() => void attach()}
          >
            {preview === null ? 'Attach' : `Attach ${plural(preview.changed, 'outcome')}`}
          </Button>
        </>
      }
    >
      <div className={styles.sheet} aria-busy={looking.isRunning}>
        {fault === null ? null : <ErrorState compact fault={fault} />}
        {preview === null ? (
          fault === null ? (
            <Loading what="Reading the outcomes…" rows={4} />
          ) : null
        ) : (
          <Seen preview={preview} choices={choices} onChoices={look} />
        )}
      </div>
    </Dialog>
  )
}

function Seen({
  preview,
  choices,
  onChoices,
}: {
  readonly preview: AttachPreview
  readonly choices: Choices
  readonly onChoices: (choices: Choices) => void
}): ReactElement {
  const { changed, changes, same, silent, contradicted, unmatchedRows, unmatchedTrials } = preview
  const facts: readonly (readonly [string, string])[] = [
    ['Joined', joinedText(preview)],
    [
      'Changes',
      changed === 0
        ? 'none'
        : changes.map(({ from, to, count }) => `${count.toLocaleString('en-US')} ${from} → ${to}`).join(', '),
    ],
    ...(same > 0 ? ([['The same already', plural(same, 'trial')]] as const) : []),
    ...(silent > 0 ? ([['Without outcome', plural(silent, 'row')]] as const) : []),
    ...(contradicted > 0
      ? ([
          [
            'Contradicted',
            `${plural(contradicted, 'known outcome')}${choices.replace ? ', replaced' : ', kept'}`,
          ],
        ] as const)
      : []),
    [
      'Joined to nothing',
      `${plural(unmatchedRows.count, 'row')}; ${plural(unmatchedTrials.count, 'trial')} without a row`,
    ],
  ]
  return (
    <>
      <SmallTable
        label="Outcome files"
        head={['File', 'Format', 'Rows', 'Recognised by']}
        rows={preview.files.map((file) => ({
          key: file.name,
          cells: [
            <Text key="name" line mono value={file.name} />,
            <Text key="format" value={file.formatTitle ?? 'unknown'} limit={60} />,
            file.rows,
            file.fault === null ? (
              <Text key="why" className="muted" value={file.reason} limit={200} />
            ) : (
              <Text key="why" className={styles.fault} value={file.fault.message} limit={300} />
            ),
          ],
        }))}
      />
      <Questions preview={preview} choices={choices} onChoices={onChoices} />
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={styles.pair}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {changed > 0 ? (
        <Part title={`What changes (${plural(changed, 'trial')})`} isFolded={changed > 12}>
          <JoinedLines label="What changes" lines={preview.changedLines} />
        </Part>
      ) : null}
      {contradicted > 0 ? (
        <Part title={`Known outcomes that rows contradict (${contradicted.toLocaleString('en-US')})`}>
          <Checkbox isSelected={choices.replace} onChange={(replace) => onChoices({ ...choices, replace })}>
            Replace them; the imported ones are kept beside
          </Checkbox>
          <JoinedLines label="Contradicted outcomes" lines={preview.contradictedLines} />
        </Part>
      ) : null}
      {unmatchedRows.count > 0 ? (
        <Part
          title={`Rows joined to nothing (${unmatchedRows.count.toLocaleString('en-US')})`}
          isFolded={changed > 0}
        >
          <SmallTable
            label="Rows joined to nothing"
            head={['Task', 'Trial', 'Outcome', 'Line', 'Why']}
            rows={unmatchedRows.lines.map((row, at) => ({
              key: String(at),
              cells: [
                <Text key="task" line value={row.task ?? row.sourceId ?? row.file} />,
                <Text key="trial" line value={row.trial ?? '–'} />,
                row.outcome,
                row.line === null ? '–' : row.line,
                row.reason,
              ],
            }))}
          />
        </Part>
      ) : null}
      {unmatchedTrials.count > 0 ? (
        <Part title={`Trials without a row (${unmatchedTrials.count.toLocaleString('en-US')})`} isFolded>
          <SmallTable
            label="Trials without a row"
            head={['Suite', 'Task', 'Trial', 'Outcome']}
            rows={unmatchedTrials.lines.map((trial) => ({
              key: trial.trialId,
              cells: [
                <Text key="suite" line value={trial.suite} />,
                <Text key="task" line value={trial.task} />,
                trial.number,
                trial.outcome,
              ],
            }))}
          />
        </Part>
      ) : null}
      <ProblemGroups problems={preview.problems} />
    </>
  )
}
