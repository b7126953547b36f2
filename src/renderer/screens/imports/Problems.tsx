// The problems of a file or of a whole import run: what happened, where, what to do. Each can be read and all of
// them copied; only those in sight are drawn.

import { useCallback, type ReactElement } from 'react'
import { plural, visibleText } from '../../../base/text.ts'
import type { ProblemRow } from '../../../contract/rows.ts'
import { ask } from '../../bridge/client.ts'
import { usePages } from '../../bridge/pages.ts'
import { copyText } from '../../bridge/desktop.ts'
import { Button, IconButton } from '../../kit/Button.tsx'
import { classes } from '../../kit/classes.ts'
import { CloseIcon, CopyIcon, FaultIcon, InfoIcon, WarningIcon } from '../../kit/icons.ts'
import { RowList } from '../../kit/RowList.tsx'
import { ErrorState, Loading } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import { say, showFault } from '../../shell/notices.ts'
import { placeText, problemText } from './formatwords.ts'
import type { ProblemsOf } from './ImportsScreen.tsx'
import styles from './Imports.module.css'

const ICONS = { error: FaultIcon, warning: WarningIcon, info: InfoIcon } as const

/** Most problems that are copied at once; beyond that, the text says how many are missing. */
const COPY_LIMIT = 1000

/** The problems panel. */
export function Problems({
  of,
  onClose,
}: {
  readonly of: ProblemsOf
  readonly onClose: () => void
}): ReactElement {
  const { importId, fileId } = of
  const inputOf = useCallback(
    (offset: number, limit: number) => ({ importId, fileId, offset, limit }),
    [importId, fileId],
  )
  const { first, total, rowAt, onRange } = usePages('imports.problems', inputOf, (answer) => answer)
  const copyAll = async (): Promise<void> => {
    try {
      const { rows } = await ask('imports.problems', { importId, fileId, offset: 0, limit: COPY_LIMIT })
      const more = total > rows.length ? `\n… ${total - rows.length} more` : ''
      await copyText(visibleText(rows.map(problemText).join('\n') + more))
      say(`Copied ${plural(rows.length, 'problem')}`)
    } catch (error) {
      showFault('The problems were not copied', error)
    }
  }
  const line = (index: number): ReactElement => {
    const problem = rowAt(index)
    if (problem === undefined) return <div className={styles.problem} />
    return <Problem problem={problem} isFirst={rowAt(index - 1)?.code !== problem.code} />
  }
  return (
    <section className={styles.problems} aria-label={`Problems of ${of.title}`}>
      <header className={styles.problemsHead}>
        <h2>
          <Text value={of.title} limit={120} /> · {plural(total, 'problem')}
        </h2>
        <span className={styles.gap} />
        <Button size="small" icon={CopyIcon} onPress={() => void copyAll()}>
          Copy all
        </Button>
        <IconButton size="small" icon={CloseIcon} label="Close the problems" onPress={onClose} />
      </header>
      {first.fault !== null ? (
        <ErrorState compact fault={first.fault} />
      ) : first.data === undefined ? (
        <Loading what="Listing the problems…" rows={4} />
      ) : (
        <RowList
          label={`Problems of ${of.title}`}
          count={total}
          estimate={44}
          rowKey={(index) => rowAt(index)?.problemId ?? `coming-${index}`}
          onRange={onRange}
          row={line}
        />
      )}
    </section>
  )
}

function Problem({
  problem,
  isFirst,
}: {
  readonly problem: ProblemRow
  /** The first of its code: they come grouped. */
  readonly isFirst: boolean
}): ReactElement {
  const Picture = ICONS[problem.severity]
  const place = placeText(problem)
  return (
    <div className={classes(styles.problem, isFirst && styles.firstOfCode)}>
      <span className={styles[problem.severity]}>
        <Picture size={14} aria-hidden /> {problem.severity}
      </span>
      <span className={styles.place}>
        {place}
        {problem.count > 1 ? ` · ${problem.count.toLocaleString('en-US')} alike` : ''}
      </span>
      <code className={styles.code}>{problem.code}</code>
      <span className={styles.message}>
        <Text value={problem.message} limit={2000} />
        {problem.hint === null ? null : (
          <Text as="span" className={styles.hint} value={` ${problem.hint}`} limit={1000} />
        )}
      </span>
    </div>
  )
}
