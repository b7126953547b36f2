// The trials of the task as a table: outcome, score, length, cost, time, and where each came from.

import type { ReactElement } from 'react'
import { oneLine } from '../../../base/text.ts'
import type { TaskView, TrialRow } from '../../../contract/rows.ts'
import { SevereCount } from '../../../marks/SevereCount.tsx'
import { VERDICTS, VerdictGlyph } from '../../../marks/VerdictGlyph.tsx'
import { countSevere } from '../../../model/trial.ts'
import { Button } from '../../kit/Button.tsx'
import { Text } from '../../kit/Text.tsx'
import { Part } from './StatsParts.tsx'
import { tableText } from './tabletext.ts'
import type { GoInTask } from './taskplace.ts'
import { costText, durationText } from './words.ts'
import styles from './Stats.module.css'

const HEAD = [
  'trial',
  'outcome',
  'score',
  'steps',
  'calls',
  'tool errors',
  'severe',
  'cost',
  'tokens in',
  'tokens out',
  'time',
  'configuration',
  'source',
]

function sourceText(trial: TrialRow): string {
  const first = trial.sources[0]
  if (first === undefined) return ''
  return `${first.fileName} record ${first.record}${first.line === null ? '' : `, line ${first.line}`}`
}

function copyRow(trial: TrialRow): string[] {
  const number = (value: number | null): string => (value === null ? '' : String(value))
  return [
    trial.label,
    trial.outcome,
    number(trial.score),
    String(trial.steps),
    String(trial.calls),
    String(trial.toolErrors),
    String(trial.severe.length),
    number(trial.costUsd),
    number(trial.inputTokens),
    number(trial.outputTokens),
    number(trial.durationMs),
    trial.configurationLabel,
    sourceText(trial),
  ]
}

/** A number, or a dash that says it is not recorded. */
function Known({
  value,
  text,
}: {
  readonly value: number | null
  readonly text?: (value: number) => string
}): ReactElement {
  if (value === null)
    return (
      <span className="muted" title="not recorded">
        –
      </span>
    )
  return <>{text === undefined ? value.toLocaleString('en-US') : text(value)}</>
}

/** Why a trial does not count, in a word or two. */
function whyExcluded(trial: TrialRow): string {
  if (trial.attemptOf !== null) return 'earlier attempt'
  return trial.isConflict ? 'conflict or set aside' : 'excluded'
}

/** The table of trials. */
export function StatsTrials({ view, go }: { readonly view: TaskView; readonly go: GoInTask }): ReactElement {
  const { costMean, costWorst, costTrials } = view.row
  return (
    <Part title="Trials" copy={() => tableText(HEAD, view.trials.map(copyRow))}>
      <p className={styles.note}>
        {costMean === null || costWorst === null
          ? 'Cost is not recorded.'
          : `Mean cost ${costText(costMean)}, worst ${costText(costWorst)}, over ${costTrials} of ${view.trials.length} trials with a recorded cost.`}
      </p>
      <div className={styles.wide} tabIndex={0} role="region" aria-label="Trials">
        <table className={styles.table}>
          <thead>
            <tr>
              {HEAD.map((title, i) => (
                <th key={title} scope="col" className={i >= 2 && i <= 10 && i !== 6 ? 'number' : undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {view.trials.map((trial) => (
              <tr key={trial.trialId}>
                <th scope="row">
                  <Button
                    size="small"
                    variant="quiet"
                    onPress={() => go({ lens: 'steps', trial: trial.trialId })}
                  >
                    <Text value={trial.label} />
                  </Button>
                </th>
                <td className={styles.nowrap}>
                  <VerdictGlyph verdict={trial.outcome} /> {VERDICTS[trial.outcome].word}
                  {trial.judged == null || trial.judged.imported === trial.outcome ? null : (
                    <span className="muted" title={oneLine(trial.judged.why, 400)}>
                      {' '}
                      (imported: {VERDICTS[trial.judged.imported].word})
                    </span>
                  )}
                  {trial.counts === 'excluded' ? <span className="muted"> {whyExcluded(trial)}</span> : null}
                  {trial.attached === null ? null : <span className="muted"> attached</span>}
                </td>
                <td className="number">
                  <Known value={trial.score} text={String} />
                </td>
                <td className="number">{trial.steps}</td>
                <td className="number">{trial.calls}</td>
                <td className="number">{trial.toolErrors}</td>
                <td>
                  <SevereCount count={countSevere(trial.severe)} noun="severe event" />
                </td>
                <td className="number">
                  <Known value={trial.costUsd} text={costText} />
                </td>
                <td className="number">
                  <Known value={trial.inputTokens} />
                </td>
                <td className="number">
                  <Known value={trial.outputTokens} />
                </td>
                <td className="number">
                  <Known value={trial.durationMs} text={durationText} />
                </td>
                <td>
                  <Text value={trial.configurationLabel} line limit={60} />
                </td>
                <td title={oneLine(sourceText(trial), 300)}>
                  <Text value={sourceText(trial)} line limit={60} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Part>
  )
}
