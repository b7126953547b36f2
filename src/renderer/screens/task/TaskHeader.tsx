// The head of the task screen: which task, how often it passes and with how much doubt, severe trials, and under
// what reading: algorithm, scope, policy. Every rate stands with its n and interval.

import type { ReactElement } from 'react'
import { oneLine, plural } from '../../../base/text.ts'
import type { TaskView } from '../../../contract/rows.ts'
import { policyWords } from '../../../model/outcome.ts'
import { SevereCount } from '../../../marks/SevereCount.tsx'
import { twoDecimals } from '../../../marks/ink.ts'
import { WilsonBar } from '../../../marks/WilsonBar.tsx'
import { How } from '../../kit/How.tsx'
import { Text } from '../../kit/Text.tsx'
import styles from './TaskScreen.module.css'

/** Below this many trials a rate is said to rest on few. */
const FEW = 5

/** The header. */
export function TaskHeader({ view }: { readonly view: TaskView }): ReactElement {
  const { row, analysis, policy, configurations } = view
  const { rate } = row
  const [low, high] = rate.wilson ?? [null, null]
  const beside = [
    rate.errors > 0 ? plural(rate.errors, 'error') : null,
    rate.unknown > 0 ? `${rate.unknown} unknown` : null,
    rate.excluded > 0 ? `${rate.excluded} excluded` : null,
  ].filter((part) => part !== null)
  return (
    <header className={styles.head}>
      <h1>
        {row.suite === '' ? null : (
          <span className={styles.suite}>
            <Text value={row.suite} /> /{' '}
          </span>
        )}
        <Text value={row.task} />
      </h1>
      <span className={styles.title} title={oneLine(view.input ?? row.title ?? '', 1200)}>
        <Text value={row.title ?? view.input ?? ''} line />
      </span>
      <div className={styles.figures}>
        <span className={styles.rate}>
          {rate.passes}/{rate.n}{' '}
          {rate.rate.ok ? twoDecimals(rate.rate.value) : <span className={styles.doubt}>not estimable</span>}
          <WilsonBar passes={rate.passes} n={rate.n} low={low} high={high} />
          {low === null || high === null ? null : (
            <span className={styles.doubt}>
              [{twoDecimals(low)}–{twoDecimals(high)}]
            </span>
          )}
          {rate.n > 0 && rate.n < FEW ? <span className={styles.doubt}>few</span> : null}
        </span>
        <How
          title="pass^1 and its interval"
          rows={[
            { name: 'passed', value: `${rate.passes} of ${rate.n}`, meaning: policyWords(policy) },
            {
              name: 'Wilson interval, 95 %',
              value:
                low === null || high === null ? 'not estimable' : `${low.toFixed(4)} to ${high.toFixed(4)}`,
              meaning: 'score interval for a proportion, z = 1.96; method in docs/method.md',
            },
          ]}
        />
        <SevereCount count={row.severeTrials} />
        {row.passedButHarmful > 0 ? (
          <span>{plural(row.passedButHarmful, 'trial')} passed but harmful</span>
        ) : null}
      </div>
      <div className={styles.said}>
        <span>{plural(view.trials.length, 'trial')}</span>
        {beside.map((part) => (
          <span key={part}>{part}</span>
        ))}
        <span>{configurations > 1 ? `${configurations} configurations pooled` : '1 configuration'}</span>
        <span>{policyWords(policy)}</span>
        <span>{analysis === null ? 'not analysed' : analysis.version}</span>
        {row.failing === 0 ? null : (
          <span>
            {row.annotated} of {plural(row.failing, 'failing trial')} annotated
          </span>
        )}
      </div>
    </header>
  )
}
