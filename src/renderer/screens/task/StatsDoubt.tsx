// The part of the stats lens that says how sure its figures are: verdict, interval for p^k, order of the retries, severe
// bounds, cost per success. Computed in the core's worker threads; asked when the lens is open.

import type { ReactElement } from 'react'
import type { TaskView } from '../../../contract/rows.ts'
import type { TaskAtK } from '../../../contract/statisticsrows.ts'
import { useAsk } from '../../bridge/queries.ts'
import { How } from '../../kit/How.tsx'
import { ErrorState, Skeleton } from '../../kit/States.tsx'
import { useView } from '../../shell/useplace.ts'
import {
  costFacts,
  orderFacts,
  rangeText,
  severityFacts,
  toldText,
  verdictFacts,
} from '../doubt/doubtwords.ts'
import doubt from '../doubt/Doubt.module.css'
import { Facts } from '../doubt/Facts.tsx'
import { Part } from './StatsParts.tsx'
import { tableText } from './tabletext.ts'
import { costText } from './words.ts'

/** How sure the figures of the task are. */
export function DoubtPart({ view }: { readonly view: TaskView }): ReactElement {
  const inView = useView()
  const { data, fault } = useAsk(
    'tasks.statistics',
    { taskId: view.row.taskId, view: inView },
    { keep: true },
  )
  const task = data?.task ?? null
  return (
    <>
      <Part title="How sure">
        {fault !== null && task === null ? <ErrorState fault={fault} compact /> : null}
        {task === null ? (
          fault === null ? (
            <Skeleton rows={4} />
          ) : null
        ) : (
          <Facts
            label="How sure the figures of the task are"
            facts={[
              ...verdictFacts(task),
              ...orderFacts(task.order),
              ...severityFacts(task.severity),
              ...costFacts(task.cost, costText),
            ]}
          />
        )}
      </Part>
      {task === null || task.atK.length === 0 ? null : <IntervalPart atK={task.atK} />}
    </>
  )
}

function IntervalPart({ atK }: { readonly atK: readonly TaskAtK[] }): ReactElement {
  const cells = atK.map((at) => [
    String(at.k),
    toldText(at.estimate),
    rangeText(at.clopperPearson),
    rangeText(at.wilson),
    toldText(at.deviation),
  ])
  const head = ['k', 'pass^k', 'interval for p^k, exact', 'Wilson', 'deviation of pass^k']
  return (
    <Part
      title="Interval for p^k"
      copy={() => tableText(head, cells)}
      aside={
        <How
          title="Interval for p^k"
          rows={[
            {
              name: 'interval for p^k',
              value: '[L^k, U^k]',
              meaning:
                'the 95 % interval [L, U] of the pass rate p, each end raised to k; pass^k may lie outside when c < k',
            },
            {
              name: 'deviation',
              value: '√(pass^k² − C(c, 2k)/C(n, 2k))',
              meaning: 'of pass^k over repetitions of these n trials; needs n ≥ 2k',
            },
          ]}
        />
      }
    >
      <div className={doubt.scroll} tabIndex={0} role="region" aria-label="Interval for p^k by k">
        <table className={doubt.table}>
          <thead>
            <tr>
              {head.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cells.map(([k, ...rest]) => (
              <tr key={k}>
                <th scope="row">{k}</th>
                {rest.map((cell, i) => (
                  <td key={head[i + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Part>
  )
}
