// How: "how computed" for one figure: a small button that opens its inputs, formula and source. Every derived mark
// has one (a claim shows its method).

import type { ReactElement, ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Popover } from './Dialog.tsx'
import { Text } from './Text.tsx'
import styles from './How.module.css'

/** One line of an explanation: a name, its value, and what it means. */
export type HowRow = { readonly name: string; readonly value: string; readonly meaning?: string }

/** Props of How. `title` names the figure: "pass^1 of refund-017". */
export type HowProps = {
  readonly title: string
  readonly rows: readonly HowRow[]
  readonly children?: ReactNode
  readonly look?: 'sign' | 'words'
}

/** The button and its popover. */
export function How({ title, rows, children, look = 'sign' }: HowProps): ReactElement {
  return (
    <Popover
      label={`How computed: ${title}`}
      title={title}
      width="wide"
      trigger={
        look === 'sign' ? (
          <Button variant="quiet" size="small" className={styles.sign} aria-label={`How computed: ${title}`}>
            ⓘ
          </Button>
        ) : (
          <Button variant="quiet" size="small">
            How computed
          </Button>
        )
      }
    >
      {children === undefined ? null : <div className={styles.words}>{children}</div>}
      <dl className={styles.rows}>
        {rows.map((row) => (
          <div key={row.name} className={styles.row}>
            <dt>
              <Text value={row.name} />
            </dt>
            <dd>
              <Text value={row.value} mono />
              {row.meaning === undefined ? null : (
                <Text as="p" className={styles.meaning} value={row.meaning} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Popover>
  )
}
