// The columns of the search screen: task, trial with its outcome, step, and the words around what was found.

import type { ReactElement } from 'react'
import { plural } from '../../../base/text.ts'
import { stepWords } from '../../../contract/searchrows.ts'
import { VerdictGlyph } from '../../../marks/VerdictGlyph.tsx'
import type { GridColumn } from '../../kit/Grid.tsx'
import { MarkedText, Text } from '../../kit/Text.tsx'
import { hrefOf } from '../../shell/useplace.ts'
import { placeOfLine, taskName, type SearchLine } from './searchlines.ts'
import styles from './Search.module.css'

/** The columns; `hasSuites`: tasks are of several suites; `onFollow` hears which line's link is followed. */
export function searchColumns(
  scope: readonly string[] | null,
  hasSuites: boolean,
  onFollow: (line: SearchLine) => void,
): readonly GridColumn<SearchLine>[] {
  return [
    {
      id: 'task',
      title: 'Task',
      width: 'minmax(110px, 1fr)',
      cell: (line) =>
        line.isFirstOfTrial ? (
          <Text
            line
            value={hasSuites ? taskName(line.row) : line.row.task}
            className={(line.isFirstOfTask ? styles.task : styles.sameTask) ?? ''}
          />
        ) : null,
    },
    {
      id: 'trial',
      title: 'Trial',
      width: 'minmax(150px, 1.2fr)',
      cell: (line) => (line.isFirstOfTrial ? <TrialName line={line} /> : null),
    },
    {
      id: 'step',
      title: 'Step',
      width: 'minmax(150px, 1.2fr)',
      cell: (line) => <StepName line={line} />,
    },
    {
      id: 'text',
      title: 'Text',
      width: 'minmax(260px, 4.5fr)',
      cell: (line) => (
        <a
          href={hrefOf(placeOfLine(line), scope)}
          tabIndex={-1}
          className={styles.link}
          onClick={() => onFollow(line)}
        >
          {line.step === null ? (
            <span className="muted">… {plural(line.more, 'more step')} of this trial</span>
          ) : (
            <MarkedText {...snippetOf(line.step.snippet)} before={36} className={styles.snippet ?? ''} />
          )}
        </a>
      ),
    },
  ]
}

function snippetOf({ text, start, end }: { text: string; start: number; end: number }): {
  value: string
  start: number
  end: number
} {
  return { value: text, start, end }
}

function TrialName({ line }: { readonly line: SearchLine }): ReactElement {
  const { trial } = line.row
  if (trial === null) return <span className="muted">the task itself</span>
  return (
    <span className={styles.trial}>
      <VerdictGlyph verdict={trial.outcome} />
      <Text line value={trial.configuration} className={styles.configuration ?? ''} />
      <span className={styles.number}>· trial {trial.number}</span>
    </span>
  )
}

function StepName({ line }: { readonly line: SearchLine }): ReactElement | null {
  const { step } = line
  if (step === null) return null
  return (
    <span className={styles.step}>
      {step.step === null ? null : <span className={styles.index}>{step.step}</span>}
      <Text line value={stepWords(step)} className={styles.what ?? ''} />
    </span>
  )
}
