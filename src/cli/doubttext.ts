// How sure figures are, as text: of one task, and of all tasks in scope with the intervals of their mean pass^k. From view
// rows to text; computes nothing.

import { plural } from '../base/text.ts'
import type { IntervalRow, Told } from '../contract/comparerows.ts'
import {
  resamplingWords,
  type OrderRow,
  type SeverityRow,
  type SuiteFiguresRow,
  type TaskFiguresRow,
} from '../contract/statisticsrows.ts'
import { dollars, figure, probability } from '../core/reports/figures.ts'
import { textTable, wrapped, type Column } from './layout.ts'
import type { Style } from './terminal.ts'

function range(told: Told<IntervalRow>): string {
  return told.ok ? `${probability(told.value.lower)}–${probability(told.value.upper)}` : told.reason
}

function money(told: TaskFiguresRow['cost']['perSuccess']): string {
  return told.ok ? dollars(told.value) : told.reason
}

function orderText(order: OrderRow): string[] {
  const { independence, stopping } = order
  if (!independence.ok) return ['retries: order unknown (no start times that tell one trial from the next)']
  const { runs, drift, isSuspect, tasks } = independence.value
  const test = (name: string, told: typeof runs): string =>
    told.ok
      ? `${name} z = ${told.value.z.toFixed(2)}, p = ${probability(told.value.adjusted)} after Holm`
      : ''
  const word =
    tasks === 0
      ? 'not estimable (no task has both outcomes)'
      : isSuspect
        ? 'doubtful: trials seem to share something'
        : 'no sign against independence'
  const tests = [test('runs', runs), test('drift', drift)].filter((text) => text !== '')
  const lines = [`retries: ${word}${tests.length > 0 ? ` (${tests.join('; ')})` : ''}`]
  if (stopping.ok && stopping.value !== null)
    lines.push(
      `stopping rule depends on outcome (${stopping.value.kind}, ${stopping.value.tasks} shorter series): pass^k is biased`,
    )
  return lines
}

function severeText(severity: SeverityRow): string {
  const upper = (told: SeverityRow['upperExact']): string =>
    told.ok ? probability(told.value.upper) : told.reason
  const { passedButHarmful } = severity
  return (
    `severe: ${severity.severeTrials} of ${plural(severity.trials, 'trial')}; the rate is below ${upper(severity.upperExact)} (exact) or ${upper(severity.upperWilson)} (Wilson), one-sided 95 %` +
    (passedButHarmful.trials > 0 ? `; ${passedButHarmful.trials} passed but harmful` : '')
  )
}

/** The paragraph of one task. */
export function taskDoubtText(task: TaskFiguresRow, width: number): string {
  const { verdict } = task
  const more =
    verdict.verdict !== 'undecided'
      ? ''
      : verdict.moreTrials === null
        ? '; a thousand more trials at this rate would not decide it'
        : `; run ${verdict.moreTrials} more: decided if the rate seen so far holds`
  const last = task.atK.at(-1)
  return [
    `verdict: ${verdict.verdict.replaceAll('-', ' ')}${task.isFew ? ' (few)' : ''}, P(p < .1) = ${probability(verdict.below)}, P(.1 to .9) = ${probability(verdict.between)}, P(p > .9) = ${probability(verdict.above)}${more}`,
    ...(last === undefined
      ? []
      : [`interval for p^${last.k}: ${range(last.clopperPearson)} (Clopper–Pearson, 95 %)`]),
    ...orderText(task.order),
    severeText(task.severity),
    `cost per success: ${money(task.cost.perSuccess)}`,
  ]
    .map((line) => wrapped(line, width, '    '))
    .join('\n')
}

/** The table of intervals of all tasks, and what else doubts them. */
export function suiteDoubtText(suite: SuiteFiguresRow, style: Style, width: number): string {
  const header: Column[] = [
    { title: 'k', align: 'right' },
    { title: 'pass^k', align: 'right' },
    { title: '95 %, other tasks of this kind', align: 'right' },
    { title: 'method' },
    { title: '95 %, these tasks again', align: 'right' },
    { title: 'tasks with n ≥ k', align: 'right' },
  ]
  const rows = suite.atK.map(({ k, tasks, fixed, defined, total }) => [
    String(k),
    figure(tasks.estimate),
    range(tasks.headline),
    tasks.headline.ok
      ? `${tasks.headline.value.method}${tasks.notes.includes('all-tasks-equal') ? ' (all tasks equal: it sees no doubt)' : ''}`
      : '',
    `${range(fixed.interval)}${fixed.interval.ok && fixed.isApproximate ? ' ≈' : ''}`,
    `${defined} of ${total}`,
  ])
  const { variance, tarone, effective, pooled } = suite
  const lines = [
    variance.ok
      ? `between tasks: ICC ${variance.value.icc <= 0 ? '≤ 0' : variance.value.icc.toFixed(3)}${tarone.ok ? `, Tarone z = ${tarone.value.z.toFixed(2)}, p = ${probability(tarone.value.p)}` : ''}`
      : `between tasks: ${variance.reason}`,
    ...(effective === null
      ? []
      : [
          `pooled rate at effective n ${effective.trials.toFixed(1)} of ${pooled.trials}: ${probability(effective.wilson.lower)}–${probability(effective.wilson.upper)} (${pooled.caution})`,
        ]),
    ...orderText(suite.order),
    severeText(suite.severity),
    `cost per success: ${money(suite.cost.perSuccess)}`,
    ...suite.atK.slice(0, 1).map(({ tasks }) => `intervals over tasks: ${resamplingWords(tasks.resampling)}`),
  ]
  return [
    style.bold('How sure'),
    rows.length === 0 ? 'not estimable (no trial counts)' : textTable(header, rows),
    ...lines.map((line) => wrapped(line, width, '    ')),
  ].join('\n')
}
