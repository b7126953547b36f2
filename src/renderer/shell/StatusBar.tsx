// The status bar: the only home of background work. Counts of the workspace, what is being done with its progress and
// Cancel, how it ended with Undo, the core's state, problems. What is spoken moves in steps of ten percent.

import type { ReactElement } from 'react'
import type { CoreState } from '../../contract/events.ts'
import type { WorkspaceInfo } from '../../contract/workspacerows.ts'
import { oneLine, plural } from '../../base/text.ts'
import { shareDone, useWork, type Work } from '../bridge/work.ts'
import { Button } from '../kit/Button.tsx'
import { faultWords } from '../kit/faults.ts'
import { FaultIcon, MoreIcon } from '../kit/icons.ts'
import { Progress } from '../kit/Progress.tsx'
import { useFrame } from './notices.ts'
import { hrefOf } from './useplace.ts'
import { runCommand } from './commands.ts'
import { useUndo } from './undo.ts'
import styles from './Frame.module.css'

/** What the live region says of running work: the title and the last full ten percent. */
export function spokenWork(work: Work): string {
  if (work.state === 'failed' && work.fault !== null)
    return work.fault.code === 'CANCELLED' ? `${work.title}: cancelled` : `${work.title}: failed`
  if (work.state === 'done') return work.summary ?? `${work.title}: done`
  if (work.state === 'cancelling') return `${work.title}: cancelling`
  const share = shareDone(work.progress)
  return share === null ? work.title : `${work.title}: ${Math.floor(share * 10) * 10} %`
}

/** The status bar of the frame. */
export function StatusBar({
  info,
  core,
  scope,
}: {
  readonly info: WorkspaceInfo | undefined
  readonly core: CoreState | undefined
  readonly scope: readonly string[] | null
}): ReactElement {
  const works = useWork((state) => state.works)
  const notice = useFrame((state) => state.notice)
  // What a person started has the room; what follows from it is said when it has ended.
  const isWorking = works.some(({ state }) => state === 'running' || state === 'cancelling')
  const spoken = [...works.map(spokenWork), notice?.text ?? ''].filter((text) => text !== '').join('. ')
  return (
    <footer className={styles.status} data-f6="" aria-label="Status">
      <span className={styles.counts}>
        {info === undefined
          ? ''
          : `${plural(info.trials, 'trial')} · ${plural(info.tasks, 'task')} · ${plural(info.configurations, 'configuration')}`}
      </span>
      <div className={styles.works}>
        {works.map((work) => (
          <WorkLine key={work.id} work={work} />
        ))}
        {notice === null ? null : (
          <span className={styles.work}>
            <span className={styles.workText}>{oneLine(notice.text, 200)}</span>
            {notice.action === undefined ? null : (
              <Button
                variant="quiet"
                size="small"
                className={styles.statusButton}
                onPress={() => {
                  notice.action?.run()
                  useFrame.setState({ notice: null })
                }}
              >
                {notice.action.title}
              </Button>
            )}
          </span>
        )}
      </div>
      <span className={styles.gap} />
      {info !== undefined && info.analysisPending > 0 && !isWorking ? (
        <span className={styles.fact}>comparing {plural(info.analysisPending, 'task')}…</span>
      ) : info !== undefined && info.indexPending > 0 && !isWorking ? (
        <span className={styles.fact}>indexing {plural(info.indexPending, 'trial')} for search…</span>
      ) : null}
      {info === undefined ? null : <span className={styles.fact}>{info.algorithm}</span>}
      <span className={styles.fact}>{coreText(core)}</span>
      {info !== undefined && info.problems > 0 ? (
        <a className={styles.problems} href={hrefOf({ at: 'imports', importId: null }, scope)}>
          {plural(info.problems, 'import problem')}
          <MoreIcon size={12} aria-hidden />
        </a>
      ) : null}
      <span className="hidden-text" role="status" aria-live="polite">
        {oneLine(spoken, 400)}
      </span>
    </footer>
  )
}

function coreText(core: CoreState | undefined): string {
  switch (core?.state) {
    case 'ready':
      return 'core ready'
    case 'gone':
      return 'core stopped'
    case 'restarting':
      return `core restarting (${core.attempt} of ${core.of})`
    case 'failed':
      return 'core failed'
    default:
      return 'core starting'
  }
}

function WorkLine({ work }: { readonly work: Work }): ReactElement {
  const cancel = useWork((state) => state.cancel)
  const dismiss = useWork((state) => state.dismiss)
  const canUndo = useUndo(({ done }) => work.summary !== null && done.at(-1)?.title === work.summary)
  const { progress } = work
  const share = shareDone(progress)
  if (work.state === 'done')
    return (
      <span className={styles.work}>
        <span className={styles.workText}>{work.summary}</span>
        {canUndo ? (
          <Button
            variant="quiet"
            size="small"
            className={styles.statusButton}
            onPress={() => {
              runCommand('edit.undo')
              dismiss(work.id)
            }}
          >
            Undo
          </Button>
        ) : null}
      </span>
    )
  if (work.state === 'failed')
    return (
      <span className={styles.work}>
        <FaultIcon size={14} aria-hidden />
        <span className={styles.workText}>
          {work.title}: {work.fault === null ? 'failed' : faultWords(work.fault).title.toLowerCase()}
        </span>
        <Button variant="quiet" size="small" className={styles.statusButton} onPress={() => dismiss(work.id)}>
          Dismiss
        </Button>
      </span>
    )
  return (
    <span className={styles.work}>
      <span className={styles.workText}>
        {work.title}
        {progress === null
          ? ''
          : ` · ${plural(progress.trials, 'trial')}${
              progress.filesTotal > 1 ? ` · file ${progress.filesDone + 1} of ${progress.filesTotal}` : ''
            }`}
      </span>
      <Progress label={work.title} value={share} />
      <span className={styles.percent}>{share === null ? '' : `${Math.floor(share * 100)} %`}</span>
      {/* Not disabled while it ends: what it says then is to be read, and the focus stays. A further press does nothing. */}
      <Button
        variant="quiet"
        size="small"
        className={work.state === 'cancelling' ? undefined : styles.statusButton}
        onPress={() => cancel(work.id)}
      >
        {work.state === 'cancelling' ? 'Cancelling…' : 'Cancel'}
      </Button>
    </span>
  )
}
