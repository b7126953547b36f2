// Parts of the stats lens: the frame of one part, severe events by kind, stages by outcome.

import type { ReactElement, ReactNode } from 'react'
import { plural } from '../../../base/text.ts'
import type { TaskView } from '../../../contract/rows.ts'
import { twoDecimals } from '../../../marks/ink.ts'
import { CopyButton } from '../../kit/States.tsx'
import { Text } from '../../kit/Text.tsx'
import styles from './Stats.module.css'

/** A titled part with what it can be copied as. */
export function Part(props: {
  readonly title: ReactNode
  readonly copy?: () => string
  readonly aside?: ReactNode
  readonly children: ReactNode
}): ReactElement {
  return (
    <section className={styles.part}>
      <div className={styles.partHead}>
        <h2>{props.title}</h2>
        {props.aside}
        {props.copy === undefined ? null : <CopyButton text={props.copy} />}
      </div>
      {props.children}
    </section>
  )
}

/** Severe events by kind, and the bound when there are none. */
export function SeverePart({ view }: { readonly view: TaskView }): ReactElement {
  const events = view.trials.flatMap((trial) => trial.severe.map((event) => ({ event, trial })))
  const kinds = Map.groupBy(events, ({ event }) => `${event.severity}\u0000${event.kind}`)
  const upper = view.row.severeUpper
  return (
    <Part title="Severe events by kind">
      {kinds.size === 0 ? null : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">kind</th>
              <th scope="col">severity</th>
              <th scope="col" className="number">
                events
              </th>
              <th scope="col" className="number">
                trials
              </th>
              <th scope="col" className="number">
                of them passed
              </th>
            </tr>
          </thead>
          <tbody>
            {[...kinds.values()].map((group) => {
              const first = group[0]
              if (first === undefined) return null
              const trials = new Map(group.map(({ trial }) => [trial.trialId, trial]))
              const passed = [...trials.values()].filter((trial) => trial.outcome === 'pass').length
              return (
                <tr key={`${first.event.severity} ${first.event.kind}`}>
                  <th scope="row">
                    <Text value={first.event.kind} line />
                  </th>
                  <td>
                    {first.event.severity === 'severe' ? '▲ ' : ''}
                    {first.event.severity}
                  </td>
                  <td className="number">{group.length}</td>
                  <td className="number">{trials.size}</td>
                  <td className="number">{passed}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      <p className={styles.note}>
        {kinds.size === 0 ? 'No severe event is recorded in these trials. ' : ''}
        {upper === null
          ? 'Upper bound of the severe rate: not estimable.'
          : `With ${plural(view.row.rate.n, 'counted trial')} the severe rate is below ${twoDecimals(upper)} (one-sided 95 %).`}
      </p>
    </Part>
  )
}

/** How many passing and failing trials act in each stage. */
export function StagesPart({ view }: { readonly view: TaskView }): ReactElement | null {
  const { analysis } = view
  if (analysis === null || analysis.columns.length === 0) return null
  const passing = analysis.lanes.filter((lane) => lane.isPass)
  const failing = analysis.lanes.filter((lane) => !lane.isPass)
  const stages = [...Map.groupBy(analysis.columns, (column) => column.stage)]
  const acting = (lanes: typeof passing, indices: ReadonlySet<number>): number =>
    lanes.filter((lane) => lane.cells.some((cell) => indices.has(cell.column))).length
  return (
    <Part title="Stage by outcome">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">stage</th>
            <th scope="col" className="number">
              columns
            </th>
            <th scope="col" className="number">
              passing trials that act here
            </th>
            <th scope="col" className="number">
              failing trials that act here
            </th>
          </tr>
        </thead>
        <tbody>
          {stages.map(([stage, columns]) => {
            const indices = new Set(columns.map((column) => column.index))
            return (
              <tr key={stage}>
                <th scope="row">
                  <Text value={stage} line />
                </th>
                <td className="number">{columns.length}</td>
                <td className="number">
                  {acting(passing, indices)} of {passing.length}
                </td>
                <td className="number">
                  {acting(failing, indices)} of {failing.length}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Part>
  )
}
