// A list of figures with their doubt, each with its "how computed". Used by the stats lens and by the sheet of all k.

import type { ReactElement } from 'react'
import { How } from '../../kit/How.tsx'
import { Text } from '../../kit/Text.tsx'
import type { Fact } from './doubtwords.ts'
import styles from './Doubt.module.css'

/** The list. */
export function Facts({
  facts,
  label,
}: {
  readonly facts: readonly Fact[]
  readonly label: string
}): ReactElement {
  return (
    <dl className={styles.facts} aria-label={label}>
      {facts.map((fact) => (
        <div key={fact.name} className={styles.fact}>
          <dt>{fact.name}</dt>
          <dd>
            <span className={styles.value}>
              <Text value={fact.value} />
            </span>
            <How title={fact.name} rows={fact.how} />
            {fact.note === undefined || fact.note === '' ? null : (
              <span className={styles.note}>{fact.note}</span>
            )}
            {fact.warning === undefined ? null : (
              <p className={styles.warning}>
                <span aria-hidden>! </span>
                {fact.warning}
              </p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
