// The words of figures with doubt: intervals, bounds, tests of order, severe events, cost; each as a fact with what it
// was computed from. Pure. Numbers come from the core; what cannot be had says why.

import { plural } from '../../../base/text.ts'
import type { BootstrapRow, IntervalRow, ResamplingRow, Told } from '../../../contract/comparerows.ts'
import type { Figure } from '../../../contract/rows.ts'
import {
  resamplingWords,
  type CostRow,
  type OrderRow,
  type OrderTestRow,
  type SeverityRow,
  type TaskFiguresRow,
} from '../../../contract/statisticsrows.ts'
import type { HowRow } from '../../kit/How.tsx'

/** One line of a list of facts. `warning` stands out and is said in words, not by a colour alone. */
export type Fact = {
  readonly name: string
  readonly value: string
  readonly note?: string
  readonly warning?: string
  readonly how: readonly HowRow[]
}

/** A proportion with three decimals; what only rounds to 0 or 1 says so. */
export function shareText(value: number): string {
  if (value > 0 && value < 0.0005) return '<0.001'
  if (value < 1 && value > 0.9995) return '>0.999'
  return value.toFixed(3)
}

/** A figure, or why there is none. */
export function toldText(figure: Figure, text: (value: number) => string = shareText): string {
  return figure.ok ? text(figure.value) : figure.reason
}

/** `0.354–0.489`, or why there is no interval. */
export function rangeText(told: Told<IntervalRow>): string {
  return told.ok ? `${shareText(told.value.lower)}–${shareText(told.value.upper)}` : told.reason
}

const METHODS: Readonly<Record<string, string>> = {
  wilson: 'Wilson',
  'clopper-pearson': 'Clopper–Pearson',
  bca: 'BCa, tasks resampled',
  percentile: 'percentile, tasks resampled',
  'student-t': 'Student t over tasks',
  'fixed-tasks-z': 'closed form, these tasks',
  'fixed-tasks-recentred': 'trials resampled and re-centred (approximate)',
}

/** The name of an interval's method. */
export function methodText(method: string): string {
  return METHODS[method] ?? method
}

/** What repeats a resampled figure, or that none is needed. */
export function seedText(resampling: ResamplingRow | null): string {
  return resampling === null ? 'closed form, nothing is drawn' : resamplingWords(resampling)
}

const NOTES: Readonly<Record<string, string>> = {
  'few-tasks': 'few tasks: below 20',
  'all-tasks-equal':
    'all tasks are equal, so that resampling sees no difference: read the intervals of the tasks',
  'bca-unavailable': 'BCa is not estimable here; the percentile interval stands in',
}

/** "How computed" of a mean over tasks. */
export function bootstrapHow(row: BootstrapRow): readonly HowRow[] {
  const interval = (name: string, told: Told<IntervalRow>): HowRow => ({ name, value: rangeText(told) })
  return [
    {
      name: 'tasks with n ≥ k',
      value: String(row.tasks),
      meaning: 'BCa from 10 on, Student t from 3 to 9, none below 3',
    },
    interval('BCa', row.bca),
    interval('percentile', row.percentile),
    interval('Student t', row.student),
    { name: 'standard error', value: toldText(row.standardError, (value) => value.toFixed(4)) },
    {
      name: 'z₀ and acceleration',
      value: `${toldText(row.z0, (value) => value.toFixed(4))}, ${toldText(row.acceleration, (value) => value.toFixed(4))}`,
    },
    { name: 'drawn', value: seedText(row.resampling), meaning: 'the same figures on any machine' },
    ...row.notes.map((note) => ({ name: 'note', value: NOTES[note] ?? note })),
  ]
}

function orderTestHow(name: string, told: Told<OrderTestRow>, meaning: string): HowRow {
  if (!told.ok) return { name, value: told.reason, meaning }
  const { statistic, expected, variance, z, p, method, adjusted } = told.value
  return {
    name,
    value: `z = ${z.toFixed(2)}, p = ${shareText(p)} (${method}), ${shareText(adjusted)} after Holm`,
    meaning: `${meaning}; seen ${statistic.toFixed(1)}, expected ${expected.toFixed(1)}, variance ${variance.toFixed(2)}`,
  }
}

/** Whether retries look independent, and whether trials were stopped by their outcomes. */
export function orderFacts(order: OrderRow): readonly Fact[] {
  const { independence, stopping, known: series, unknown } = order
  const known: HowRow = {
    name: 'order of execution',
    value: `known in ${series} series, unknown in ${unknown}`,
    meaning:
      'by start time; a series is the trials of one task under one configuration; without start times, or with equal ones, it has no order',
  }
  if (!independence.ok)
    return [
      {
        name: 'retries independent?',
        value: 'order unknown',
        note: 'the import has no start times that tell one trial from the next',
        how: [known],
      },
    ]
  const { runs, drift, tasks, isSuspect } = independence.value
  const facts: Fact[] = [
    {
      name: 'retries independent?',
      value:
        tasks === 0
          ? 'not estimable (no task has both outcomes)'
          : isSuspect
            ? 'doubtful'
            : 'no sign against it',
      ...(isSuspect
        ? { warning: 'Trials of a task seem to share something: leftover state, a cache, a limit.' }
        : {}),
      how: [
        known,
        orderTestHow('runs', runs, 'z < 0: outcomes come in bunches, z > 0: they alternate'),
        orderTestHow('drift', drift, 'z > 0: later trials pass more often'),
      ],
    },
  ]
  if (stopping.ok && stopping.value !== null) {
    const { kind, tasks: stopped } = stopping.value
    facts.push({
      name: 'stopping rule',
      value: kind === 'stops-at-failure' ? 'stops at a failure' : 'stops at a success',
      warning: `Stopping rule depends on outcome: pass^k is biased. ${stopped} shorter series all end that way.`,
      how: [known],
    })
  }
  return facts
}

/** Severe events with both upper bounds, and those in trials that passed. */
export function severityFacts(severity: SeverityRow): readonly Fact[] {
  const { trials, severeTrials, events, passedButHarmful } = severity
  const upper = (told: SeverityRow['upperExact']): string =>
    told.ok ? shareText(told.value.upper) : told.reason
  return [
    {
      name: 'severe rate below',
      value: upper(severity.upperExact),
      note: `one-sided 95 %, exact; ${severeTrials} of ${plural(trials, 'trial')}, ${plural(events, 'event')}`,
      how: [
        {
          name: 'exact (Clopper–Pearson)',
          value: upper(severity.upperExact),
          meaning: '1 − 0.05^(1/n) when none was seen',
        },
        { name: 'Wilson', value: upper(severity.upperWilson), meaning: 'one-sided, z = 1.645' },
        { name: 'events per trial (Poisson)', value: upper(severity.eventsPerTrialUpper) },
      ],
    },
    {
      name: 'passed but harmful',
      value: `${plural(passedButHarmful.trials, 'trial')}, ${plural(passedButHarmful.events, 'event')}`,
      ...(passedButHarmful.trials > 0
        ? { warning: 'Graded as passes, with a severe event: the rate counts them as good.' }
        : {}),
      how: [{ name: 'counted', value: 'outcome pass and at least one severe event' }],
    },
  ]
}

/** Cost per success and its parts. `money` writes dollars. */
export function costFacts(cost: CostRow, money: (usd: number) => string): readonly Fact[] {
  return [
    {
      name: 'cost per success',
      value: toldText(cost.perSuccess, money),
      note: `over ${plural(cost.trials, 'trial')} with a cost${cost.withoutCost > 0 ? `, ${cost.withoutCost} without` : ''}`,
      how: [
        {
          name: 'total',
          value: cost.trials === 0 ? 'not estimable (no trial has a cost)' : money(cost.total),
          meaning: 'failing trials included, divided by the passes',
        },
        { name: 'mean, median', value: `${toldText(cost.mean, money)}, ${toldText(cost.median, money)}` },
        { name: 'deviation', value: toldText(cost.deviation, money) },
      ],
    },
  ]
}

const VERDICTS: Readonly<Record<string, string>> = {
  reliable: 'reliable',
  flaky: 'flaky',
  'consistently-failing': 'consistently failing',
  'consistently-wrong': 'consistently wrong',
  undecided: 'undecided',
}

/** The verdict on a task with its probabilities and how many more trials it needs. */
export function verdictFacts({ verdict, n, c, isFew }: TaskFiguresRow): readonly Fact[] {
  const { moreTrials } = verdict
  const more =
    verdict.verdict !== 'undecided'
      ? null
      : moreTrials === null
        ? 'a thousand more trials at this rate would not decide it'
        : `run ${plural(moreTrials, 'more trial')}: decided if the rate seen so far holds`
  return [
    {
      name: 'verdict',
      value: `${VERDICTS[verdict.verdict] ?? verdict.verdict}${isFew ? ' (few)' : ''}`,
      note: [more, verdict.failsInDifferentWays ? 'fails in different ways' : null]
        .filter((part) => part !== null)
        .join('; '),
      how: [
        {
          name: 'passed',
          value: `${c} of ${n}`,
          meaning: 'Jeffreys posterior Beta(c + ½, n − c + ½) of the pass rate p',
        },
        { name: 'P(p < 0.1)', value: shareText(verdict.below), meaning: 'from 0.8 on: consistently failing' },
        { name: 'P(0.1 ≤ p ≤ 0.9)', value: shareText(verdict.between), meaning: 'from 0.8 on: flaky' },
        { name: 'P(p > 0.9)', value: shareText(verdict.above), meaning: 'from 0.8 on: reliable' },
        {
          name: 'failing trials that end alike',
          value: toldText(verdict.agreement),
          meaning:
            'the same state-changing calls; at 0.8 or more, with no pass in 5 trials, consistently wrong',
        },
      ],
    },
  ]
}
