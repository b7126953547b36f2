// The sheet of all k: pass^k and pass@k of the suite over k, with the intervals of the mean for other tasks of this kind
// and for the same tasks run again, how outcomes vary between tasks, and whether retries look independent.

import type { ReactElement } from 'react'
import type { SuiteSummary } from '../../../contract/rows.ts'
import type { SuiteFiguresRow } from '../../../contract/statisticsrows.ts'
import { ReliabilityCurve } from '../../../marks/ReliabilityCurve.tsx'
import { useAsk } from '../../bridge/queries.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { How } from '../../kit/How.tsx'
import { ErrorState, Skeleton } from '../../kit/States.tsx'
import { useView } from '../../shell/useplace.ts'
import {
  bootstrapHow,
  costFacts,
  methodText,
  orderFacts,
  rangeText,
  seedText,
  severityFacts,
  shareText,
  toldText,
  type Fact,
} from '../doubt/doubtwords.ts'
import doubt from '../doubt/Doubt.module.css'
import { Facts } from '../doubt/Facts.tsx'
import { figureText, moneyText, numberText } from './taskwords.ts'

/** The sheet; asks for its intervals when it opens. */
export function AllKSheet({
  summary,
  onClose,
}: {
  readonly summary: SuiteSummary
  readonly onClose: () => void
}): ReactElement {
  const view = useView()
  const { data, fault } = useAsk('tasks.statistics', { taskId: null, view }, { keep: true })
  const suite = data?.suite ?? null
  return (
    <Dialog title="All k" isOpen onClose={onClose} size="large">
      <div className={doubt.sheet}>
        <ReliabilityCurve
          points={summary.curve.map((at) => ({
            k: at.k,
            hat: at.passHatK.ok ? at.passHatK.value : null,
            at: at.passAtK.ok ? at.passAtK.value : null,
          }))}
        />
        <CurveTable summary={summary} suite={suite} />
        {summary.curve.every((at) => at.tasksDefined === at.tasks) ? null : (
          <p className="muted">
            A task with fewer than k trials has no pass^k; the bounds say how far the figure could move.
          </p>
        )}
        {fault !== null && suite === null ? <ErrorState fault={fault} compact /> : null}
        {suite === null ? (
          fault === null ? (
            <Skeleton rows={4} />
          ) : null
        ) : (
          <Facts
            label="How sure the figures of all tasks are"
            facts={[
              ...varianceFacts(suite),
              ...orderFacts(suite.order),
              ...severityFacts(suite.severity),
              ...costFacts(suite.cost, moneyText),
            ]}
          />
        )}
      </div>
    </Dialog>
  )
}

function CurveTable({
  summary,
  suite,
}: {
  readonly summary: SuiteSummary
  readonly suite: SuiteFiguresRow | null
}): ReactElement {
  const intervals = new Map(suite?.atK.map((at) => [at.k, at]))
  return (
    <div className={doubt.scroll} tabIndex={0} role="region" aria-label="pass^k and its intervals by k">
      <table className={doubt.table}>
        <thead>
          <tr>
            <th scope="col">k</th>
            <th scope="col">pass^k</th>
            <th scope="col">95 %, other tasks of this kind</th>
            <th scope="col">95 %, these tasks again</th>
            <th scope="col">pass@k</th>
            <th scope="col">tasks with n ≥ k</th>
            <th scope="col">bounds</th>
          </tr>
        </thead>
        <tbody>
          {summary.curve.map((at) => {
            const found = intervals.get(at.k)
            return (
              <tr key={at.k}>
                <th scope="row">{at.k}</th>
                <td>{figureText(at.passHatK, 3)}</td>
                <td>
                  {found === undefined ? (
                    <NoInterval isThere={suite !== null} />
                  ) : (
                    <>
                      {rangeText(found.tasks.headline)}{' '}
                      <How
                        title={`interval of pass^${at.k}, other tasks`}
                        rows={[
                          {
                            name: 'shown',
                            value: found.tasks.headline.ok
                              ? methodText(found.tasks.headline.value.method)
                              : found.tasks.headline.reason,
                          },
                          ...bootstrapHow(found.tasks),
                        ]}
                      />
                    </>
                  )}
                </td>
                <td>
                  {found === undefined ? (
                    <NoInterval isThere={suite !== null} />
                  ) : (
                    <>
                      {rangeText(found.fixed.interval)}
                      {found.fixed.isApproximate && found.fixed.interval.ok ? ' ≈' : ''}{' '}
                      <How
                        title={`interval of pass^${at.k}, these tasks again`}
                        rows={[
                          {
                            name: 'method',
                            value: found.fixed.interval.ok
                              ? methodText(found.fixed.interval.value.method)
                              : found.fixed.interval.reason,
                            meaning: 'closed form where every task has n ≥ 2k; else approximate (≈)',
                          },
                          {
                            name: 'standard error',
                            value: toldText(found.fixed.standardError, (value) => value.toFixed(4)),
                          },
                          {
                            name: 'drawn',
                            value: found.fixed.interval.ok
                              ? seedText(found.fixed.interval.value.resampling)
                              : 'nothing',
                          },
                        ]}
                      />
                    </>
                  )}
                </td>
                <td>{figureText(at.passAtK, 3)}</td>
                <td>
                  {at.tasksDefined} of {at.tasks}
                </td>
                <td>
                  {at.bounds === null
                    ? ''
                    : `${numberText(at.bounds[0], 3)} … ${numberText(at.bounds[1], 3)}`}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** Where no interval was asked for, or it is on its way. */
function NoInterval({ isThere }: { readonly isThere: boolean }): ReactElement {
  return (
    <span
      className="muted"
      title={isThere ? 'computed for k up to 10, 20, 50, 100 and the largest' : 'on its way'}
    >
      {isThere ? '–' : '…'}
    </span>
  )
}

/** How outcomes vary between tasks, and what that does to the pooled rate. */
function varianceFacts({ variance, tarone, effective, pooled }: SuiteFiguresRow): readonly Fact[] {
  const icc = variance.ok ? variance.value.icc : null
  const facts: Fact[] = [
    {
      name: 'between tasks (ICC)',
      value: variance.ok
        ? variance.value.icc <= 0
          ? '≤ 0'
          : shareText(variance.value.icc)
        : variance.reason,
      note:
        icc === null
          ? ''
          : icc > 0.5
            ? 'failures belong to particular tasks: mend those'
            : icc < 0.1
              ? 'failures come everywhere alike: flakiness'
              : 'both: some tasks are worse, and all are flaky',
      how: [
        {
          name: 'ICC',
          value: '(MSB − MSW) / (MSB + (n₀ − 1)·MSW)',
          meaning: 'one-way analysis of variance of the 0/1 outcomes by task',
        },
        ...(variance.ok
          ? [
              {
                name: 'MSB, MSW, n₀',
                value: `${variance.value.betweenMeanSquare.toFixed(4)}, ${variance.value.withinMeanSquare.toFixed(4)}, ${variance.value.trialsPerTask.toFixed(2)}`,
              },
            ]
          : []),
        {
          name: 'Tarone’s test',
          value: tarone.ok
            ? `z = ${tarone.value.z.toFixed(2)}, p = ${shareText(tarone.value.p)}`
            : tarone.reason,
          meaning: 'one-sided: do tasks differ more than one common rate would allow?',
        },
      ],
    },
  ]
  if (effective !== null)
    facts.push({
      name: 'pooled, effective n',
      value: `${effective.trials.toFixed(1)} of ${pooled.trials}: ${shareText(effective.wilson.lower)}–${shareText(effective.wilson.upper)}`,
      warning: `${pooled.caution}: the plain interval ${rangeText(pooled.wilson)} is too narrow.`,
      how: [
        {
          name: 'effective n',
          value: 'N / (1 + (m − 1)·ICC)',
          meaning: 'm = Σn²/N; shown above an ICC of .05',
        },
        { name: 'pooled', value: `${pooled.passes} of ${pooled.trials}`, meaning: pooled.label },
      ],
    })
  return facts
}
