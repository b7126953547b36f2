// What waits for a person beside the import runs: open conflicts, and the outcomes that were attached, each of which can
// be taken back.

import type { ReactElement } from 'react'
import { oneLine, plural } from '../../../base/text.ts'
import type { AttachmentRow } from '../../../contract/outcomerows.ts'
import { useAsk, useCommand } from '../../bridge/queries.ts'
import { Button } from '../../kit/Button.tsx'
import { AttachIcon, RedoIcon, UndoIcon, WarningIcon } from '../../kit/icons.ts'
import { openIntake } from '../../shell/intakes.ts'
import { say, showFault } from '../../shell/notices.ts'
import { whenText } from './formatwords.ts'
import styles from './Imports.module.css'

/** Attached outcomes that are listed; older ones stand on the command line. */
const LISTED = 3

/** The lines, or nothing. */
export function Pending(): ReactElement | null {
  const conflicts = useAsk('conflicts.list', {}).data ?? []
  const attachments = useAsk('outcomes.list', {}).data ?? []
  const open = conflicts.filter(({ keep }) => keep === null).length
  if (conflicts.length === 0 && attachments.length === 0) return null
  return (
    <ul className={styles.pending} aria-label="Conflicts and attached outcomes">
      {conflicts.length === 0 ? null : (
        <li>
          <WarningIcon size={14} aria-hidden className={open > 0 ? styles.warn : undefined} />
          <span>
            {open > 0
              ? `${plural(open, 'conflict')}: one id, different content. None of these trials counts.`
              : `${plural(conflicts.length, 'conflict')}, all decided.`}
          </span>
          <Button size="small" onPress={() => openIntake({ kind: 'conflicts' })}>
            {open > 0 ? 'Decide…' : 'Look at them…'}
          </Button>
        </li>
      )}
      {attachments.slice(0, LISTED).map((attachment) => (
        <Attachment key={attachment.attachmentId} attachment={attachment} />
      ))}
      {attachments.length > LISTED ? (
        <li className="muted">… and {plural(attachments.length - LISTED, 'earlier attaching')}</li>
      ) : null}
    </ul>
  )
}

function Attachment({ attachment }: { readonly attachment: AttachmentRow }): ReactElement {
  const { attachmentId, isUndone, source, trials, scorer, threshold } = attachment
  const undo = useCommand('outcomes.undo')
  const redo = useCommand('outcomes.redo')
  const change = async (): Promise<void> => {
    try {
      await (isUndone ? redo : undo).run({ attachmentId })
      say(isUndone ? 'Outcomes attached again' : 'Outcomes taken back; the imported ones are in force')
    } catch (error) {
      showFault(isUndone ? 'The outcomes were not attached' : 'The outcomes were not taken back', error)
    }
  }
  const decided =
    scorer === null
      ? ''
      : `, decided by ${oneLine(scorer, 40)}${threshold === null ? '' : ` from ${threshold} on`}`
  return (
    <li className={isUndone ? 'muted' : undefined}>
      <AttachIcon size={14} aria-hidden />
      <span>
        {whenText(attachment.attachedAt)}: outcomes of {plural(trials, 'trial')} from {oneLine(source, 120)}
        {decided}
        {isUndone ? ', taken back' : ''}
      </span>
      <Button
        size="small"
        icon={isUndone ? RedoIcon : UndoIcon}
        isDisabled={undo.isRunning || redo.isRunning}
        aria-label={`${isUndone ? 'Attach again' : 'Take back'} the outcomes from ${oneLine(source, 80)}`}
        onPress={() => void change()}
      >
        {isUndone ? 'Attach again' : 'Take back'}
      </Button>
    </li>
  )
}
