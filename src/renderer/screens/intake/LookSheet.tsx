// Look before it is kept: what was recognised, how much there is, what is missing, the first trials as they would stand
// here. Formats, suite and label can be changed; nothing is written before the button is pressed.

import { useState, type ReactElement } from 'react'
import { oneLine, plural } from '../../../base/text.ts'
import type { Granted } from '../../../contract/events.ts'
import type { ImportPreview, PreviewFile } from '../../../contract/outcomerows.ts'
import { useAsk, useJob } from '../../bridge/queries.ts'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Checkbox, TextField } from '../../kit/Field.tsx'
import { WarningIcon } from '../../kit/icons.ts'
import { Select } from '../../kit/Select.tsx'
import { ErrorState } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import { keepFiles, type Go } from '../../shell/actions.ts'
import { openIntake, setLooksFirst, useIntake } from '../../shell/intakes.ts'
import { decideScorer } from '../rules/changes.ts'
import { missingText, outcomesText, previewStateText } from './intakewords.ts'
import { ScorerChoices, type Decided } from './ScorerChoices.tsx'
import { Part, ProblemGroups, SmallTable } from './parts.tsx'
import styles from './Intake.module.css'

/** Files whose format can be chosen in the sheet. */
const CHOOSABLE = 200

type Choices = {
  readonly formats: Readonly<Record<string, string>>
  readonly suite: string
  readonly label: string
}

const inputOf = (files: readonly Granted[], { formats, suite, label }: Choices) => ({
  files: files.map(({ grant }) => ({ grant })),
  formats: { ...formats },
  suite: suite.trim() === '' ? null : suite.trim(),
  label: label.trim() === '' ? null : label.trim(),
})

/** The sheet. `first` is the preview without any choice. */
export function LookSheet({
  files,
  first,
  go,
  onClose,
}: {
  readonly files: readonly Granted[]
  readonly first: ImportPreview
  readonly go: Go
  readonly onClose: () => void
}): ReactElement {
  const looksFirst = useIntake((state) => state.looksFirst)
  const job = useJob('imports.preview')
  const [preview, setPreview] = useState(first)
  const [choices, setChoices] = useState<Choices>({ formats: {}, suite: '', label: '' })
  const aside = preview.files.filter(({ state }) => state === 'outcomes').map(({ name }) => name)
  const [attaches, setAttaches] = useState(true)
  const [decided, setDecided] = useState<readonly Decided[]>([])

  const look = (next: Choices): void => {
    setChoices(next)
    job
      .start(inputOf(files, next))
      .then(setPreview)
      .catch(() => {
        // The fault stands in the job and is shown; the preview before it stays.
      })
  }
  const decide = (one: Decided): void => {
    const others = decided.filter(({ suite }) => suite !== one.suite)
    // Back to what holds without a choice, where none was made before: there is nothing to write.
    const isNothing =
      one.scorer === null && !preview.scorers.some(({ suite, isChosen }) => suite === one.suite && isChosen)
    setDecided(isNothing ? others : [...others, one])
  }
  const keep = async (): Promise<void> => {
    onClose()
    const run = await keepFiles(files, go, inputOf(files, choices))
    if (run !== null && run.trialsNew + run.trialsSame > 0) for (const one of decided) await decideScorer(one)
    if (run === null || !attaches || aside.length === 0 || run.trialsNew + run.trialsSame === 0) return
    openIntake({ kind: 'attach', wish: { files, only: aside, importId: run.importId } })
  }

  return (
    <Dialog
      title="Look before it is kept"
      isOpen
      onClose={onClose}
      size="large"
      actions={
        <>
          <Button onPress={onClose}>Import nothing</Button>
          <Button
            variant="primary"
            isDisabled={job.isRunning || preview.trials === 0}
            onPress={() => void keep()}
          >
            Import {preview.isPartial ? 'at least ' : ''}
            {plural(preview.trials, 'trial')}
          </Button>
        </>
      }
    >
      <div className={styles.sheet} aria-busy={job.isRunning}>
        {preview.attention.length === 0 ? null : (
          <div className={styles.attention}>
            <WarningIcon size={16} aria-hidden />
            <ul>
              {preview.attention.map((sentence) => (
                <li key={sentence}>{oneLine(sentence, 400)}</li>
              ))}
            </ul>
          </div>
        )}
        {job.fault === null ? null : <ErrorState compact fault={job.fault} />}
        <Facts preview={preview} />
        <div className={styles.fields}>
          <TextField
            label="Suite, in place of their own"
            value={choices.suite}
            maxLength={200}
            placeholder={oneLine(preview.suites[0] ?? '', 60)}
            onChange={(suite) => setChoices({ ...choices, suite })}
            onBlur={() => look(choices)}
          />
          <TextField
            label="Label of their configurations, such as a version"
            value={choices.label}
            maxLength={200}
            placeholder={oneLine(preview.configurations[0] ?? '', 60)}
            onChange={(label) => setChoices({ ...choices, label })}
            onBlur={() => look(choices)}
          />
        </div>
        <ScorerChoices choices={preview.scorers} decided={decided} onDecide={decide} />
        <Files preview={preview} choices={choices} onFormats={(formats) => look({ ...choices, formats })} />
        <FirstTrials preview={preview} />
        <ProblemGroups problems={preview.problems} />
        <div className={styles.checks}>
          {aside.length > 0 ? (
            <Checkbox isSelected={attaches} onChange={setAttaches}>
              Then attach the outcomes of{' '}
              {aside.length === 1 ? oneLine(aside[0] ?? '', 80) : plural(aside.length, 'file')}
            </Checkbox>
          ) : null}
          <Checkbox isSelected={looksFirst} onChange={setLooksFirst}>
            Look before every import
          </Checkbox>
        </div>
      </div>
    </Dialog>
  )
}

function Facts({ preview }: { readonly preview: ImportPreview }): ReactElement {
  const { trials, isPartial, tasks, configurations, suites, alreadyHere } = preview
  const rows: readonly (readonly [string, string])[] = [
    [
      'Found',
      `${isPartial ? 'at least ' : ''}${plural(trials, 'trial')} of ${plural(tasks, 'task')}, ${plural(configurations.length, 'configuration')}${alreadyHere > 0 ? `; ${plural(alreadyHere, 'trial')} already here` : ''}`,
    ],
    ['Outcomes', outcomesText(preview.outcomes)],
    ['Missing', missingText(preview)],
    ['Suites', suites.map((suite) => oneLine(suite, 40)).join(', ') || 'none'],
    ['Configurations', configurations.map((label) => oneLine(label, 60)).join(', ') || 'none'],
  ]
  return (
    <dl className={styles.facts}>
      {rows.map(([name, value]) => (
        <div key={name} className={styles.pair}>
          <dt>{name}</dt>
          <dd>
            <Text value={value} limit={600} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Files({
  preview,
  choices,
  onFormats,
}: {
  readonly preview: ImportPreview
  readonly choices: Choices
  readonly onFormats: (formats: Readonly<Record<string, string>>) => void
}): ReactElement {
  const formats = useAsk('imports.formats', {}).data ?? []
  const shown = preview.files.slice(0, CHOOSABLE)
  const choose = (file: PreviewFile, format: string): void => {
    const { [file.name]: _before, ...others } = choices.formats
    onFormats(format === 'auto' ? others : { ...others, [file.name]: format })
  }
  const options = [
    { id: 'auto', title: 'As recognised' },
    ...formats.map(({ format, title, status }) => ({
      id: format,
      title: oneLine(title, 60),
      ...(status === 'beta' ? { hint: 'beta' } : {}),
    })),
    { id: 'skip', title: 'Leave out' },
  ]
  return (
    <Part title={plural(preview.filesTotal, 'file')}>
      <SmallTable
        label="Files"
        head={['File', 'Format', 'Trials', 'Tasks', 'State', 'Read as']}
        rows={shown.map((file) => ({
          key: file.name,
          cells: [
            <Text key="name" line mono value={file.name} />,
            <span key="format" title={oneLine(file.reason, 300)}>
              <Text value={file.formatTitle ?? 'unknown'} limit={60} />
              {file.isBeta ? <span className="muted"> beta</span> : null}
            </span>,
            file.trials,
            file.tasks,
            <span key="state">
              {previewStateText(file)}
              {file.fault === null ? null : (
                <Text as="div" className={styles.fault} value={file.fault.message} limit={300} />
              )}
            </span>,
            <Select
              key="as"
              layout="hidden label"
              label={`Read ${oneLine(file.name, 80)} as`}
              options={options}
              value={choices.formats[file.name] ?? 'auto'}
              onChange={(format) => choose(file, format)}
            />,
          ],
        }))}
      />
      {preview.filesTotal > shown.length ? (
        <p className="muted">… and {plural(preview.filesTotal - shown.length, 'more file')}</p>
      ) : null}
    </Part>
  )
}

function FirstTrials({ preview }: { readonly preview: ImportPreview }): ReactElement | null {
  if (preview.firstTrials.length === 0) return null
  return (
    <Part title={`The first ${plural(preview.firstTrials.length, 'trial')}, as they would be kept`} isFolded>
      <SmallTable
        label="First trials"
        head={[
          'Suite',
          'Task',
          'Configuration',
          'Outcome',
          'Steps',
          'Calls',
          'Started',
          'Trial of the source',
        ]}
        rows={preview.firstTrials.map((trial, at) => ({
          key: `${at} ${trial.task}`,
          cells: [
            <Text key="suite" line value={trial.suite} />,
            <Text key="task" line value={trial.title ?? trial.task} />,
            <Text key="configuration" line value={trial.configuration} />,
            <span key="outcome">
              {trial.outcome}
              {trial.score === null ? '' : ` ${trial.score}`}
            </span>,
            trial.steps,
            trial.calls,
            <Text key="started" line value={trial.startedAt ?? '–'} />,
            <Text key="source" line mono value={trial.sourceTrial ?? trial.sourceId ?? '–'} />,
          ],
        }))}
      />
    </Part>
  )
}
