// The lines of the Imports table: a run (when, what was kept, undo) and a file of it (format and how sure, counts,
// state, what the person can do).

import type { ReactElement } from 'react'
import type { FaultData } from '../../../base/fault.ts'
import { oneLine, plural } from '../../../base/text.ts'
import type { ImportFileRow, ImportRow } from '../../../contract/rows.ts'
import { useCommand } from '../../bridge/queries.ts'
import { shareDone, useWork } from '../../bridge/work.ts'
import { Button } from '../../kit/Button.tsx'
import { classes } from '../../kit/classes.ts'
import { Popover } from '../../kit/Dialog.tsx'
import { MoreIcon, RedoIcon, UndoIcon } from '../../kit/icons.ts'
import { Progress } from '../../kit/Progress.tsx'
import { Text } from '../../kit/Text.tsx'
import { rememberImport } from '../../shell/actions.ts'
import { say, showFault } from '../../shell/notices.ts'
import { isAside, wasNotRead, runStateText, sizeText, sureDots, sureWord, whenText } from './formatwords.ts'
import { FileState } from './FileState.tsx'
import type { ProblemsOf } from './ImportsScreen.tsx'
import styles from './Imports.module.css'

/** The column titles. */
export function HeadLine(): ReactElement {
  return (
    <div className={classes(styles.line, styles.headLine)} aria-hidden>
      <span>File</span>
      <span>Format (how sure)</span>
      <span className="number">Trials</span>
      <span className="number">Tasks</span>
      <span className="number">Problems</span>
      <span>State</span>
    </div>
  )
}

/** The line of an import run. */
export function RunLine({
  run,
  onProblems,
}: {
  readonly run: ImportRow
  readonly onProblems: (of: ProblemsOf) => void
}): ReactElement {
  const undo = useCommand('imports.undo')
  const redo = useCommand('imports.redo')
  const work = useWork((state) =>
    state.works.find(
      (one) => one.importId === run.importId && (one.state === 'running' || one.state === 'cancelling'),
    ),
  )
  const summary = `import of ${whenText(run.startedAt)}`
  const change = async (command: typeof undo, isUndo: boolean): Promise<void> => {
    try {
      await command.run({ importId: run.importId })
      say(isUndo ? `Undone: ${plural(run.trialsNew, 'trial')} taken out again` : `Kept again: ${summary}`)
      if (!isUndo) rememberImport(run.importId, summary)
    } catch (error) {
      showFault(isUndo ? 'The import was not undone' : 'The import was not done again', error)
    }
  }
  const share = shareDone(work?.progress ?? null)
  return (
    <div className={styles.runLine}>
      <h2 className={styles.runTitle}>{whenText(run.startedAt)}</h2>
      <span className={styles.runWords}>
        {/* While it runs, what the status bar says: the list itself is asked again now and then only. */}
        {work?.progress != null
          ? `${plural(work.progress.trials, 'trial')} read · `
          : run.trialsNew > 0
            ? `${plural(run.trialsNew, 'new trial')} · `
            : ''}
        {plural(run.filesTotal, 'file')}
        {run.filesTotal > run.files.length
          ? ` (${run.files.length.toLocaleString('en-US')} listed)`
          : ''} · {runStateText(run)}
      </span>
      {run.problems > 0 && run.files.length > 1 ? (
        <Button
          variant="quiet"
          size="small"
          onPress={() => onProblems({ importId: run.importId, fileId: null, title: summary })}
        >
          {plural(run.problems, 'problem')} in all
        </Button>
      ) : null}
      <span className={styles.gap} />
      {work === undefined ? null : (
        <>
          <Progress label={work.title} value={share} />
          <span className={styles.percent}>{share === null ? '' : `${Math.floor(share * 100)} %`}</span>
          <Button size="small" onPress={() => useWork.getState().cancel(work.id)}>
            {work.state === 'cancelling' ? 'Cancelling…' : 'Cancel'}
          </Button>
        </>
      )}
      {run.state === 'undone' ? (
        <Button
          size="small"
          icon={RedoIcon}
          isDisabled={redo.isRunning}
          onPress={() => void change(redo, false)}
        >
          Keep again
        </Button>
      ) : run.state !== 'running' && run.trialsNew > 0 ? (
        <Button
          size="small"
          icon={UndoIcon}
          isDisabled={undo.isRunning}
          onPress={() => void change(undo, true)}
        >
          Undo this import
        </Button>
      ) : null}
    </div>
  )
}

/** The line of one file of a run. */
export function FileLine({
  run,
  file,
  isChosen,
  onProblems,
}: {
  readonly run: ImportRow
  readonly file: ImportFileRow
  readonly isChosen: boolean
  readonly onProblems: (of: ProblemsOf) => void
}): ReactElement {
  const trials = file.trialsNew + file.trialsSame
  const isBegun = file.state !== 'waiting' && (file.state !== 'reading' || trials > 0)
  const isKnown = isBegun && file.format !== null && !isAside(file)
  return (
    <div className={classes(styles.line, styles.fileLine, isChosen && styles.chosen)}>
      <span className={styles.fileName}>
        <Text line mono value={file.name} />
        <span className={styles.size}>{sizeText(file.bytes)}</span>
      </span>
      <span className={styles.format}>
        <FormatCell file={file} />
      </span>
      <span className="number">
        {isKnown ? (
          <>
            {trials.toLocaleString('en-US')}
            <span className="hidden-text"> trials</span>
          </>
        ) : (
          '—'
        )}
      </span>
      <span className="number">
        {isKnown ? (
          <>
            {file.tasks.toLocaleString('en-US')}
            <span className="hidden-text"> tasks</span>
          </>
        ) : (
          '—'
        )}
      </span>
      <span className="number">
        {file.problems > 0 ? (
          <Button
            variant="quiet"
            size="small"
            className={styles.problemsButton}
            aria-expanded={isChosen}
            aria-label={`${plural(file.problems, 'problem')} of ${oneLine(file.name, 80)}`}
            onPress={() =>
              onProblems({
                importId: run.importId,
                fileId: file.fileId,
                title: oneLine(file.name, 120),
              })
            }
          >
            {file.problems.toLocaleString('en-US')}
            <MoreIcon size={12} aria-hidden />
          </Button>
        ) : (
          0
        )}
      </span>
      <span className={styles.state}>
        <FileState run={run} file={file} />
      </span>
      {file.fault === null ? null : (
        <Text as="p" className={styles.faultLine} value={faultSentence(file.fault)} limit={1000} />
      )}
    </div>
  )
}

function FormatCell({ file }: { readonly file: ImportFileRow }): ReactElement {
  if (file.state === 'waiting') return <span className="muted">not read yet</span>
  // Cancelled before it was looked at: nothing is known of its format, and nothing was unknown.
  if (wasNotRead(file)) return <span className="muted">not read</span>
  const { confidence } = file
  const title = file.formatTitle ?? 'unknown'
  return (
    <>
      <Text line value={title} className={file.format === null ? styles.unknown : undefined} />
      <span role="img" aria-label={`how sure: ${sureWord(confidence)}`} className={styles.dots}>
        {sureDots(confidence)}
      </span>
      <Popover
        label={`Why ${oneLine(title, 60)}`}
        title="How the format was told"
        trigger={
          <Button
            variant="quiet"
            size="small"
            className={styles.why}
            aria-label={`why? ${oneLine(title, 60)}`}
          >
            why?
          </Button>
        }
      >
        {file.reason === '' ? null : (
          <p>
            <Text value={file.reason} />
          </p>
        )}
        {file.candidates.length === 0 ? null : (
          <dl className={styles.candidates}>
            {file.candidates.map((candidate) => (
              <div key={candidate.format}>
                <dt>
                  <Text value={candidate.title} />{' '}
                  <span className={styles.dots} aria-label={sureWord(candidate.confidence)} role="img">
                    {sureDots(candidate.confidence)}
                  </span>
                </dt>
                <dd className="muted">
                  <Text value={candidate.reason} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Popover>
    </>
  )
}

/** A fault of a file in a sentence or two: what, and what to do. */
function faultSentence(fault: FaultData): string {
  // What each format missed stands under "why?", next to how sure it was.
  if (fault.hint === undefined || fault.code === 'FORMAT_UNKNOWN') return fault.message
  return `${fault.message} ${fault.hint}`
}
