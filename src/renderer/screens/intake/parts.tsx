// Parts of the import sheets: a section that opens, a table of few columns, groups of problems.

import type { ReactElement, ReactNode } from 'react'
import { plural, visibleText } from '../../../base/text.ts'
import type { PreviewProblem } from '../../../contract/outcomerows.ts'
import { CopyButton } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import { placeText } from '../imports/formatwords.ts'
import { problemGroupText } from './intakewords.ts'
import styles from './Intake.module.css'

/** A part of a sheet under its title; folded parts open with a press. */
export function Part({
  title,
  isFolded = false,
  actions,
  children,
}: {
  readonly title: string
  readonly isFolded?: boolean
  readonly actions?: ReactNode
  readonly children: ReactNode
}): ReactElement {
  return (
    <details className={styles.part} open={!isFolded}>
      <summary>{title}</summary>
      {actions === undefined ? null : <div className={styles.partActions}>{actions}</div>}
      {children}
    </details>
  )
}

/** A small table. Cells are drawn as given; a number's column has the class `number`. */
export function SmallTable({
  label,
  head,
  rows,
}: {
  readonly label: string
  readonly head: readonly string[]
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
}): ReactElement {
  return (
    <div className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {head.map((title, at) => (
              <th
                key={title}
                scope="col"
                className={typeof rows[0]?.cells[at] === 'number' ? styles.right : undefined}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, at) => (
                // eslint-disable-next-line react/no-array-index-key
                <td key={at} className={typeof cell === 'number' ? 'number' : undefined}>
                  {typeof cell === 'number' ? cell.toLocaleString('en-US') : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Problems by code, each with the first of its kind; all of them can be copied. */
export function ProblemGroups({
  problems,
}: {
  readonly problems: readonly PreviewProblem[]
}): ReactElement | null {
  if (problems.length === 0) return null
  const total = problems.reduce((sum, { count }) => sum + count, 0)
  return (
    <Part
      title={plural(total, 'problem')}
      isFolded={problems.every(({ severity }) => severity === 'info')}
      actions={
        <CopyButton
          variant="plain"
          label="Copy all"
          text={() => visibleText(problems.map(problemGroupText).join('\n'))}
        />
      }
    >
      <ul className={styles.problems}>
        {problems.map((problem) => (
          <li key={`${problem.severity} ${problem.code} ${problem.fileName}`}>
            <span className={styles[problem.severity]}>{problem.severity}</span> <code>{problem.code}</code>{' '}
            <span className="muted">
              <Text value={problem.fileName} limit={200} mono />{' '}
              {placeText({ line: problem.line, byte: null, record: null })}
              {problem.count > 1 ? ` · ${problem.count.toLocaleString('en-US')} alike` : ''}
            </span>
            <br />
            <Text value={problem.message} limit={1000} />
            {problem.hint === null ? null : (
              <Text className="muted" value={` ${problem.hint}`} limit={1000} />
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}
