// Conflicts: records of one id with different content, both sides, and which one counts. Every decision can be undone.

import { useState, type ReactElement } from 'react'
import { oneLine, plural } from '../../../base/text.ts'
import type { ConflictRow, ConflictSide } from '../../../contract/outcomerows.ts'
import { ask } from '../../bridge/client.ts'
import { useAsk, useCommand } from '../../bridge/queries.ts'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { RadioGroup } from '../../kit/Field.tsx'
import { ErrorState, Loading } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import { say } from '../../shell/notices.ts'
import { remember } from '../../shell/undo.ts'
import styles from './Intake.module.css'

/** The sheet. */
export function ConflictsSheet({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { data, fault } = useAsk('conflicts.list', {})
  const open = (data ?? []).filter(({ keep }) => keep === null).length
  return (
    <Dialog
      title="Conflicts"
      isOpen
      onClose={onClose}
      size="large"
      actions={<Button onPress={onClose}>Done</Button>}
    >
      <div className={styles.sheet}>
        <p className="muted">
          Two imports brought trials with the same id of their source and different content. While a conflict
          is open, none of its trials counts.{' '}
          {data === undefined
            ? ''
            : open === 0
              ? 'All are decided.'
              : `${plural(open, 'conflict')} to decide.`}
        </p>
        {fault !== null ? (
          <ErrorState compact fault={fault} />
        ) : data === undefined ? (
          <Loading what="Listing the conflicts…" rows={4} />
        ) : (
          <div>
            {inPlace(data).map((conflict) => (
              <Conflict key={conflict.conflictId} conflict={conflict} />
            ))}
          </div>
        )}
      </div>
    </Dialog>
  )
}

/** By name: a decision moves nothing under the pointer. */
function inPlace(conflicts: readonly ConflictRow[]): readonly ConflictRow[] {
  const key = ({ suite, task, conflictId }: ConflictRow): string => `${suite}/${task}/${conflictId}`
  return conflicts.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

function Conflict({ conflict }: { readonly conflict: ConflictRow }): ReactElement {
  const resolve = useCommand('conflicts.resolve')
  const { conflictId, suite, task, sourceId, differs } = conflict
  // Two presses may come faster than the list is asked again: undo must know what the first one decided.
  const [decided, setDecided] = useState<{ readonly over: ConflictRow; readonly keep: string | null } | null>(
    null,
  )
  const before = decided !== null && decided.over === conflict ? decided.keep : conflict.keep
  const name = suite === '' ? task : `${suite}/${task}`
  const decide = async (keep: string | null): Promise<void> => {
    try {
      await resolve.run({ conflictId, keep })
      setDecided({ over: conflict, keep })
      remember({
        title: `conflict of ${oneLine(name, 40)} decided`,
        undo: () => ask('conflicts.resolve', { conflictId, keep: before }),
        redo: () => ask('conflicts.resolve', { conflictId, keep }),
      })
      say(
        keep === null
          ? `Conflict of ${oneLine(name, 60)} is open again`
          : `Conflict of ${oneLine(name, 60)} decided`,
      )
    } catch {
      // The fault stands in the command and is shown below.
    }
  }
  return (
    <section className={styles.conflict} aria-label={`Conflict of ${oneLine(name, 80)}`}>
      <div className={styles.conflictHead}>
        <h3>
          <Text value={name} limit={120} />
        </h3>
        <span className="muted">
          {sourceId === null ? null : (
            <>
              id <Text mono value={sourceId} limit={80} />
              {' · '}
            </>
          )}
          {differs.length > 0 ? `they differ in ${differs.join(', ')}` : 'not compared'}
        </span>
        {before === null ? null : (
          <Button size="small" variant="quiet" onPress={() => void decide(null)}>
            Open again
          </Button>
        )}
      </div>
      <RadioGroup
        label={`Which counts of ${oneLine(name, 80)}`}
        isLabelHidden
        value={before}
        onChange={(keep) => void decide(keep)}
        options={[
          ...conflict.sides.map((side) => ({ id: side.trialId, title: <Side side={side} /> })),
          {
            id: 'both',
            title: conflict.sides.length > 2 ? 'All of them: different trials' : 'Both: they are two trials',
          },
        ]}
      />
      {resolve.fault === null ? null : <ErrorState compact fault={resolve.fault} />}
    </section>
  )
}

function Side({ side }: { readonly side: ConflictSide }): ReactElement {
  const from = side.sources.map(({ fileName, line }) =>
    line === null ? fileName : `${fileName}, line ${line}`,
  )
  return (
    <span className={styles.side}>
      <strong>{side.outcome}</strong>
      <span>{plural(side.steps, 'step')}</span>
      {side.startedAt === null ? null : <Text value={side.startedAt} limit={40} />}
      <Text mono value={from.join(' and ')} limit={200} />
    </span>
  )
}
