// Words and figures of the Tasks screen: rates, leads, costs, what a filter says. Pure; numbers carry their doubt and
// what cannot be estimated says so.

import { oneLine, plural } from '../../../base/text.ts'
import type { OutcomePolicy } from '../../../model/outcome.ts'
import type { Figure, LeadRow, Rate, SuiteAt, SuiteSummary, TaskRow } from '../../../contract/rows.ts'
import type { TaskFilter, TaskSort } from '../../shell/places.ts'

/** Fewer counted trials than this get the word *few*. */
export const FEW = 5

/** A figure with `digits` decimals, or an en dash when it is not estimable. */
export function figureText(figure: Figure, digits = 2): string {
  if (!figure.ok) return '–'
  return numberText(figure.value, digits)
}

/** A proportion; what only rounds to 0 or 1 says so, because "never" and "always" are claims. */
export function numberText(value: number, digits = 2): string {
  const step = 10 ** -digits
  if (value > 0 && value < step / 2) return `<${step.toFixed(digits)}`
  if (value < 1 && value > 1 - step / 2) return `>${(1 - step).toFixed(digits)}`
  return value.toFixed(digits)
}

/** `6/9`, or `0 of 0 count` when every trial is left out. */
export function countText(rate: Rate): string {
  return `${rate.passes}/${rate.n}`
}

/** Money: two decimals from ten cents up, two digits below, so that a cheap trial is not free. */
export function moneyText(usd: number): string {
  if (usd === 0) return '$0'
  if (usd >= 0.095) return `$${usd.toFixed(2)}`
  const decimals = Math.min(8, 1 - Math.floor(Math.log10(usd)))
  return `$${usd.toFixed(decimals)}`
}

/** Where a task's failing trials part, in short. */
export function leadText(lead: LeadRow): string {
  switch (lead.state) {
    case 'lead': {
      const place = lead.tool ?? lead.stage ?? 'unknown step'
      return oneLine(place, 80)
    }
    case 'pending':
      return 'comparing…'
    case 'failed':
      return 'comparison failed'
    case 'no failing run':
    case 'no passing run':
      return '—'
    case 'not comparable':
      return 'not comparable'
    case 'none':
      return 'no difference stands out'
  }
}

/** Why there is no lead, or what the lead says, in a sentence. */
export function leadSentence(lead: LeadRow): string {
  switch (lead.state) {
    case 'lead':
      return `${lead.level ?? 'Lead'}: ${lead.kind ?? 'difference'} at ${oneLine(lead.tool ?? lead.stage ?? 'a step', 60)}; shown by ${lead.a} of ${lead.F} failing and ${lead.b} of ${lead.P} passing trials${lead.tooFew ? '; too few trials for certainty' : ''}`
    case 'pending':
      return 'Still being compared'
    case 'failed':
      return 'The comparison failed; open the task to see why'
    case 'no failing run':
      return 'No trial failed: there is nothing to part from'
    case 'no passing run':
      return 'No trial passed: there is nothing to compare with'
    case 'not comparable':
      return 'Passing and failing trials share no stage: not comparable'
    case 'none':
      return 'No difference goes with failing'
  }
}

/** A row as a screen reader hears it. */
export function rowLabel(row: TaskRow): string {
  const { rate } = row
  const parts = [oneLine(row.task, 120)]
  parts.push(
    rate.n === 0
      ? 'no trial counts'
      : `${rate.passes} of ${rate.n} passed${rate.wilson === null ? '' : `, 95 % interval ${numberText(rate.wilson[0])} to ${numberText(rate.wilson[1])}`}`,
  )
  if (rate.n > 0 && rate.n < FEW) parts.push('few trials')
  if (row.severeTrials > 0) parts.push(plural(row.severeTrials, 'severe trial'))
  if (row.lead.state === 'lead') parts.push(`parts at ${leadText(row.lead)}`)
  if (row.annotated > 0) parts.push(`${row.annotated} annotated`)
  return parts.join(', ')
}

/** Titles of the orders, as the sort button and the status line name them. */
export const SORT_TITLES: { readonly [sort in TaskSort]: string } = {
  severe: 'Severe, then lower bound',
  lowest: 'Lowest lower bound',
  rate: 'Lowest rate',
  cost: 'Worst cost',
  lead: 'Clearest lead',
  n: 'Most trials',
  task: 'Task',
}

/** The direction in which each order runs by itself: what `aria-sort` says when it is not turned round. */
export const NATURAL: { readonly [sort in TaskSort]: 'ascending' | 'descending' } = {
  severe: 'descending',
  lowest: 'ascending',
  rate: 'ascending',
  cost: 'descending',
  lead: 'descending',
  n: 'descending',
  task: 'ascending',
}

/** The order after this one, for the `s` key. */
export function nextSort(sort: TaskSort): TaskSort {
  const all = Object.keys(SORT_TITLES) as TaskSort[]
  return all[(all.indexOf(sort) + 1) % all.length] ?? 'severe'
}

/** One filter that is set: what its chip says and the filter without it. */
export type SetFilter = { readonly id: string; readonly words: string; readonly without: Partial<TaskFilter> }

const OUTCOME_WORDS = {
  always: 'always pass',
  never: 'never pass',
  sometimes: 'sometimes pass',
  'not estimable': 'not estimable',
} as const

/** The filters that are set, in words. */
export function setFilters(filter: TaskFilter): readonly SetFilter[] {
  const found: SetFilter[] = []
  if (filter.text !== '')
    found.push({ id: 'text', words: `“${oneLine(filter.text, 40)}”`, without: { text: '' } })
  if (filter.outcome !== 'any')
    found.push({ id: 'outcome', words: OUTCOME_WORDS[filter.outcome], without: { outcome: 'any' } })
  if (filter.severe) found.push({ id: 'severe', words: 'severe', without: { severe: false } })
  if (filter.lead !== 'any')
    found.push({
      id: 'lead',
      words: filter.lead === 'with' ? 'with a lead' : 'without a lead',
      without: { lead: 'any' },
    })
  if (filter.annotated !== 'any')
    found.push({
      id: 'annotated',
      words: filter.annotated === 'yes' ? 'annotated' : 'not annotated',
      without: { annotated: 'any' },
    })
  if (filter.suite !== null)
    found.push({ id: 'suite', words: `suite ${oneLine(filter.suite, 40)}`, without: { suite: null } })
  return found
}

/** How another policy differs from the one in force, in words. */
export function otherText(policy: OutcomePolicy, other: OutcomePolicy): string {
  const parts: string[] = []
  if (other.error !== policy.error)
    parts.push(other.error === 'fail' ? 'errors count as failures' : 'errors are left out')
  if (other.unknown !== policy.unknown)
    parts.push(other.unknown === 'fail' ? 'unknown counts as failure' : 'unknown is left out')
  return parts.join(' and ')
}

/** The values of k that the summary line shows: the first four, then 8, 16, 32 …, always the last. */
export function shownKs(curve: readonly SuiteAt[]): readonly SuiteAt[] {
  const last = curve.at(-1)?.k ?? 0
  return curve.filter(({ k }) => k <= 4 || k === last || (k >= 8 && Number.isInteger(Math.log2(k))))
}

/** The coverage of an aggregate: empty when every task qualifies. */
export function coverageText(at: SuiteAt): string {
  return at.tasksDefined === at.tasks ? '' : `${at.tasksDefined}/${at.tasks} tasks`
}

/** Rows of "how computed" for the suite's figures. */
export function suiteHow(
  summary: SuiteSummary,
): readonly { name: string; value: string; meaning?: string }[] {
  const { pooled } = summary
  return [
    {
      name: 'trials that count',
      value: `${pooled.n} of ${summary.trials}`,
      meaning: `${plural(pooled.errors, 'error')}, ${pooled.unknown} unknown, ${pooled.excluded} left out under the policy`,
    },
    {
      name: 'pooled pass rate',
      value: `${pooled.passes}/${pooled.n} = ${figureText(pooled.rate, 3)}`,
      meaning:
        pooled.wilson === null
          ? 'not estimable'
          : `Wilson score interval at 95 %: ${numberText(pooled.wilson[0], 3)} to ${numberText(pooled.wilson[1], 3)}`,
    },
    {
      name: 'pass^k',
      value: 'mean over tasks of C(c,k) / C(n,k)',
      meaning:
        'the chance that k trials of a task, drawn without replacement from its own n, all pass; a task with fewer than k trials is not estimable and left out, and the number of tasks left stands beside the figure',
    },
    {
      name: 'pass@k',
      value: 'mean over tasks of 1 − C(n−c,k) / C(n,k)',
      meaning: 'the chance that at least one of k passes',
    },
  ]
}
