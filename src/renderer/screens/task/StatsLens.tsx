// Lens 3: the figures of the task. pass^k and pass@k with their exact values and their curve, rates by
// configuration, severe events by kind, stages by outcome, and the trials with their cost. Everything is a table
// that can be read and copied; drawings repeat it.

import type { ReactElement } from 'react'
import type { Figure, Rate, TaskView } from '../../../contract/rows.ts'
import { policyWords } from '../../../model/outcome.ts'
import { twoDecimals } from '../../../marks/ink.ts'
import { PassCurve } from '../../../marks/PassCurve.tsx'
import { ReliabilityCurve } from '../../../marks/ReliabilityCurve.tsx'
import { SevereCount } from '../../../marks/SevereCount.tsx'
import { WilsonBar } from '../../../marks/WilsonBar.tsx'
import { How } from '../../kit/How.tsx'
import { Text } from '../../kit/Text.tsx'
import { DoubtPart } from './StatsDoubt.tsx'
import { Part, SeverePart, StagesPart } from './StatsParts.tsx'
import { StatsTrials } from './StatsTrials.tsx'
import { tableText } from './tabletext.ts'
import type { GoInTask } from './taskplace.ts'
import styles from './Stats.module.css'

function FigureText({ figure }: { readonly figure: Figure }): ReactElement {
  return figure.ok ? <>{figure.value.toFixed(4)}</> : <span className="muted">not estimable</span>
}

function RateCells({ rate }: { readonly rate: Rate }): ReactElement {
  const [low, high] = rate.wilson ?? [null, null]
  return (
    <>
      <td className="number">
        {rate.passes}/{rate.n}
      </td>
      <td className="number">{rate.rate.ok ? twoDecimals(rate.rate.value) : '–'}</td>
      <td>
        <WilsonBar passes={rate.passes} n={rate.n} low={low} high={high} />
      </td>
      <td className="number">
        {low === null || high === null ? 'not estimable' : `${twoDecimals(low)}–${twoDecimals(high)}`}
      </td>
    </>
  )
}

function CurvePart({ view }: { readonly view: TaskView }): ReactElement {
  const { curve, row } = view
  const value = (figure: Figure): number | null => (figure.ok ? figure.value : null)
  const rows = curve.map((at) => [
    String(at.k),
    at.passHatK.ok ? String(at.passHatK.value) : 'not estimable',
    at.exactHat ?? '',
    at.passAtK.ok ? String(at.passAtK.value) : 'not estimable',
    at.exactAt ?? '',
  ])
  return (
    <Part
      title="pass^k and pass@k"
      copy={() => tableText(['k', 'pass^k', 'exact', 'pass@k', 'exact'], rows)}
      aside={
        <How
          title="pass^k and pass@k"
          rows={[
            {
              name: 'c of n',
              value: `${row.rate.passes} of ${row.rate.n}`,
              meaning: policyWords(view.policy),
            },
            {
              name: 'pass^k',
              value: 'C(c, k) / C(n, k)',
              meaning: 'chance that k trials drawn without replacement all pass; not estimable where k > n',
            },
            {
              name: 'pass@k',
              value: '1 − C(n − c, k) / C(n, k)',
              meaning: 'chance that at least one of k drawn trials passes',
            },
          ]}
        />
      }
    >
      {curve.length === 0 ? (
        <p className="muted">not estimable: no trial counts under this policy</p>
      ) : (
        <div className={styles.beside}>
          <div className={styles.scroll} tabIndex={0} role="region" aria-label="pass^k and pass@k by k">
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col" className="number">
                    k
                  </th>
                  <th scope="col" className="number">
                    pass^k
                  </th>
                  <th scope="col" className="number">
                    exact
                  </th>
                  <th scope="col" className="number">
                    pass@k
                  </th>
                  <th scope="col" className="number">
                    exact
                  </th>
                </tr>
              </thead>
              <tbody>
                {curve.map((at) => (
                  <tr key={at.k}>
                    <th scope="row" className="number">
                      {at.k}
                    </th>
                    <td className="number">
                      <FigureText figure={at.passHatK} />
                    </td>
                    <td className="number">
                      <Text value={at.exactHat ?? '–'} mono />
                    </td>
                    <td className="number">
                      <FigureText figure={at.passAtK} />
                    </td>
                    <td className="number">
                      <Text value={at.exactAt ?? '–'} mono />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <ReliabilityCurve
            points={curve.map((at) => ({ k: at.k, hat: value(at.passHatK), at: value(at.passAtK) }))}
          />
        </div>
      )}
    </Part>
  )
}

function ConfigurationsPart({ view }: { readonly view: TaskView }): ReactElement {
  return (
    <Part
      title="By configuration"
      copy={() =>
        tableText(
          ['configuration', 'passes', 'n', 'low', 'high', 'severe trials'],
          view.byConfiguration.map(({ label, rate, severeTrials }) => [
            label,
            String(rate.passes),
            String(rate.n),
            String(rate.wilson?.[0] ?? ''),
            String(rate.wilson?.[1] ?? ''),
            String(severeTrials),
          ]),
        )
      }
    >
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">configuration</th>
            <th scope="col" className="number">
              passed
            </th>
            <th scope="col" className="number">
              pass^1
            </th>
            <th scope="col" colSpan={2}>
              Wilson 95 %
            </th>
            <th scope="col">pass^k</th>
            <th scope="col">severe</th>
          </tr>
        </thead>
        <tbody>
          {view.byConfiguration.map(({ configurationId, label, rate, curve, severeTrials }) => (
            <tr key={configurationId}>
              <th scope="row">
                <Text value={label} line />
              </th>
              <RateCells rate={rate} />
              <td>
                <PassCurve values={curve.flatMap((at) => (at.passHatK.ok ? [at.passHatK.value] : []))} />
              </td>
              <td>
                {severeTrials === 0 ? <span className="muted">0</span> : <SevereCount count={severeTrials} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  )
}

/** The stats lens. */
export function StatsLens({ view, go }: { readonly view: TaskView; readonly go: GoInTask }): ReactElement {
  return (
    <div className={styles.lens} tabIndex={0} role="region" aria-label="Figures of the task">
      <CurvePart view={view} />
      <DoubtPart view={view} />
      <ConfigurationsPart view={view} />
      <SeverePart view={view} />
      <StagesPart view={view} />
      <StatsTrials view={view} go={go} />
    </div>
  )
}
