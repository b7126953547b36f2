// Peek: the selected task in short beside the table: rate, lead in words, its trials. Space opens and closes it.

import type { ReactElement } from 'react'
import { plural } from '../../../base/text.ts'
import type { TaskRow } from '../../../contract/rows.ts'
import { SevereCount } from '../../../marks/SevereCount.tsx'
import { VerdictGlyph } from '../../../marks/VerdictGlyph.tsx'
import { WilsonBar, wilsonText } from '../../../marks/WilsonBar.tsx'
import { useAsk } from '../../bridge/queries.ts'
import { Button, IconButton } from '../../kit/Button.tsx'
import { CloseIcon } from '../../kit/icons.ts'
import { ErrorState, Loading } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import { taskPlace } from '../../shell/places.ts'
import { usePlace, useView } from '../../shell/useplace.ts'
import { leadSentence, moneyText } from './taskwords.ts'
import styles from './Tasks.module.css'

/** The drawer for one task. */
export function Peek({
  row,
  onClose,
}: {
  readonly row: TaskRow
  readonly onClose: () => void
}): ReactElement {
  const view = useView()
  const { go } = usePlace()
  const { data, fault } = useAsk('tasks.get', { taskId: row.taskId, view })
  const [low, high] = row.rate.wilson ?? [null, null]
  return (
    <aside className={styles.peek} aria-label="Task in short">
      <header className={styles.peekHead}>
        <h2>
          <Text value={row.suite === '' ? row.task : `${row.suite}/${row.task}`} mono limit={200} />
        </h2>
        <Button size="small" onPress={() => go(taskPlace(row.taskId))}>
          Open the task
        </Button>
        <IconButton size="small" icon={CloseIcon} label="Close" onPress={onClose} />
      </header>
      <div className={styles.peekBody}>
        {row.title === null ? null : <Text as="p" value={row.title} limit={500} />}
        <p className={styles.peekRate}>
          <WilsonBar passes={row.rate.passes} n={row.rate.n} low={low} high={high} width={140} />
          <span>{wilsonText(row.rate.passes, row.rate.n, low, high)}</span>
        </p>
        {fault !== null ? (
          <ErrorState compact fault={fault} />
        ) : data === undefined ? (
          <Loading what="Reading the task…" rows={5} />
        ) : (
          <>
            <p className={styles.peekLead}>
              <Text value={data.lead?.sentence ?? leadSentence(row.lead)} />
            </p>
            {data.input === null ? null : (
              <details className={styles.peekInput}>
                <summary>What the task asks</summary>
                <Text as="p" value={data.input} limit={2000} />
              </details>
            )}
            <h3>{plural(data.trials.length, 'trial')}</h3>
            <ul className={styles.peekTrials}>
              {data.trials.slice(0, 60).map((trial) => (
                <li key={trial.trialId}>
                  <VerdictGlyph verdict={trial.outcome} hasWord />
                  <Text line value={trial.label} />
                  <SevereCount count={trial.severe.length} noun="severe event" />
                  <span className={styles.peekFacts}>
                    {plural(trial.steps, 'step')}
                    {trial.costUsd === null ? '' : ` · ${moneyText(trial.costUsd)}`}
                  </span>
                </li>
              ))}
            </ul>
            {data.trials.length > 60 ? <p className="muted">and {data.trials.length - 60} more</p> : null}
          </>
        )}
      </div>
    </aside>
  )
}
