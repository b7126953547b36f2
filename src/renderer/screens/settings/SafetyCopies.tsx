// Safety copies of the open workspace: what each was made before, when, how large; restored or removed after a question,
// because either takes something away.

import { useRef, useState, type ReactElement } from 'react'
import { plural, visibleText } from '../../../base/text.ts'
import type { BackupRow, WorkspaceInfo } from '../../../contract/workspacerows.ts'
import { useCommand } from '../../bridge/queries.ts'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { ErrorState } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import { bytesText, restoreCopy } from '../../shell/actions.ts'
import { say } from '../../shell/notices.ts'
import { whenText } from '../imports/formatwords.ts'
import styles from './Settings.module.css'

type Question = { readonly copy: BackupRow; readonly is: 'restore' | 'remove' }

const BEFORE = { upgrade: 'before an upgrade of the file', restore: 'before a copy was restored' } as const

/** The list of safety copies; nothing when there is none. */
export function SafetyCopies({ info }: { readonly info: WorkspaceInfo }): ReactElement | null {
  const [question, setQuestion] = useState<Question | null>(null)
  const [isRestoring, setRestoring] = useState(false)
  const remove = useCommand('workspace.removeBackup')
  const list = useRef<HTMLUListElement>(null)
  const ask = (next: Question): void => {
    if (!isRestoring) setQuestion(next)
  }
  const close = (): void => setQuestion(null)
  const go = ({ copy: { name }, is }: Question): void => {
    close()
    if (is === 'remove') {
      const screen = list.current?.closest<HTMLElement>('[data-region]')
      remove.run({ name }).then(
        () => {
          say(`Removed ${visibleText(name)}`)
          // The button that was pressed goes with its copy: the list has the focus, or the screen without a list.
          ;(list.current !== null && list.current.childElementCount > 1 ? list.current : screen)?.focus()
        },
        // The command shows its fault itself.
        () => undefined,
      )
    } else {
      setRestoring(true)
      void restoreCopy(name).finally(() => setRestoring(false))
    }
  }
  if (info.backups.length === 0) return null
  return (
    <div>
      <h3 id="copies">Safety copies beside the file</h3>
      <ul
        ref={list}
        className={styles.backups}
        aria-labelledby="copies"
        aria-busy={isRestoring}
        tabIndex={-1}
      >
        {info.backups.map((copy) => (
          <li key={copy.name}>
            <div className={styles.copy}>
              <Text value={copy.name} mono />
              <span className="muted">
                {whenText(copy.madeAt)}, {BEFORE[copy.before]} · {bytesText(copy.bytes)}
              </span>
            </div>
            {/* Not disabled while a copy is restored: a button that is loses the focus. */}
            <Button
              size="small"
              aria-label={`Restore ${visibleText(copy.name)}…`}
              onPress={() => ask({ copy, is: 'restore' })}
            >
              Restore…
            </Button>
            <Button
              size="small"
              aria-label={`Remove ${visibleText(copy.name)}…`}
              onPress={() => ask({ copy, is: 'remove' })}
            >
              Remove…
            </Button>
          </li>
        ))}
      </ul>
      {remove.fault === null ? null : <ErrorState compact fault={remove.fault} />}
      {question === null ? null : <Ask info={info} question={question} onClose={close} onGo={go} />}
    </div>
  )
}

function Ask({
  info,
  question,
  onClose,
  onGo,
}: {
  readonly info: WorkspaceInfo
  readonly question: Question
  readonly onClose: () => void
  readonly onGo: (question: Question) => void
}): ReactElement {
  const { copy, is } = question
  const isRestore = is === 'restore'
  return (
    <Dialog
      title={isRestore ? 'Restore this safety copy?' : 'Remove this safety copy?'}
      role="alertdialog"
      isOpen
      size="small"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{isRestore ? 'Leave it as it is' : 'Keep it'}</Button>
          <Button variant={isRestore ? 'primary' : 'danger'} onPress={() => onGo(question)}>
            {isRestore ? 'Restore' : 'Remove'}
          </Button>
        </>
      }
    >
      {isRestore ? (
        <p>
          The workspace goes back to what it held on {whenText(copy.madeAt)}. What it holds now (
          {plural(info.trials, 'trial')}, {plural(info.annotations, 'annotation')},{' '}
          {plural(info.rules, 'rule')}) is saved beside it first, as another copy in this list.
          {info.deletedTrials + info.deletedRules > 0
            ? ' What was deleted cannot be brought back after this.'
            : ''}
        </p>
      ) : (
        <p>
          What was written before {whenText(copy.madeAt)} and is no longer in the workspace may be in this
          copy only. It cannot be brought back.
        </p>
      )}
    </Dialog>
  )
}
