// Figures in words, for people: rounding, intervals, the outcome policy, the scope. Used by the reports and the
// CLI, so that a figure reads alike everywhere. Full precision is the business of the JSON writer, not of this.

import { assertNever } from '../../base/assert.ts'
import { plural } from '../../base/text.ts'
import type { Annotation } from '../../model/annotation.ts'
import type { Counts, Divergence, TaskAnalysis } from '../../model/analysis.ts'
import type { OutcomePolicy } from '../../model/outcome.ts'
import type { Taxonomy } from '../../model/taxonomy.ts'
import type { Figure, LeadRow, Rate, TaskRow } from '../../contract/rows.ts'

/** What stands where k is larger than n. */
export const NOT_ESTIMABLE = 'not estimable (needs n ≥ k)'

/**
 * A probability with three decimals, `0` and `1` only when exact. Near the ends the small part is kept
 * (`2.0e-4`, `1 − 2.0e-4`), because 1.000 for 5039/5040 would be wrong (methods.md A1).
 */
export function probability(value: number): string {
  if (value === 0) return '0'
  if (value === 1) return '1'
  if (value < 0.0005) return value.toExponential(1)
  if (value > 0.9995) return `1 − ${(1 - value).toExponential(1)}`
  return value.toFixed(3)
}

/** A figure for people, or its reason. */
export function figure(value: Figure): string {
  return value.ok ? probability(value.value) : value.reason
}

/** An interval as `0.354–0.489`; `–` when there is none. */
export function interval(value: readonly [number, number] | null): string {
  return value === null ? '–' : `${value[0].toFixed(3)}–${value[1].toFixed(3)}`
}

/** `0.420 (0.354–0.489)`, or the reason why there is no rate. */
export function rateWords(rate: Rate): string {
  return rate.rate.ok ? `${rate.rate.value.toFixed(3)} (${interval(rate.wilson)})` : rate.rate.reason
}

/** A signed difference with two decimals and a true minus. */
export function signed(value: number): string {
  const text = Math.abs(value).toFixed(2)
  return value < 0 && Number(text) !== 0 ? `−${text}` : `+${text}`
}

/** Dollars, with as many decimals as small amounts need; `–` when unknown. */
export function dollars(value: number | null): string {
  if (value === null) return '–'
  return `$${Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) >= 1 || value === 0 ? 2 : 4)}`
}

/** `3 configurations pooled`, `1 configuration`, `2 of 3 configurations pooled`. */
export function scopeWords(inScope: number, total: number): string {
  const of =
    inScope < total ? `${inScope} of ${plural(total, 'configuration')}` : plural(total, 'configuration')
  return inScope > 1 ? `${of} pooled` : of
}

/** What was left out of the denominator and how the rest ended: `3 errors counted as failure, 2 unknown excluded`. */
export function exclusionWords(rate: Rate, policy: OutcomePolicy): string {
  const parts: string[] = []
  if (rate.errors > 0)
    parts.push(
      `${plural(rate.errors, 'error')} ${policy.error === 'fail' ? 'counted as failure' : 'excluded'}`,
    )
  if (rate.unknown > 0)
    parts.push(`${rate.unknown} unknown ${policy.unknown === 'fail' ? 'counted as failure' : 'excluded'}`)
  return parts.length === 0 ? 'nothing excluded' : parts.join(', ')
}

/** pass^k at k = n, the number that tells whether the task always passes. */
export function lastOfCurve(row: TaskRow): string {
  const value = row.curve.at(-1)
  return value === undefined ? NOT_ESTIMABLE : probability(value)
}

/** The state of a task's comparison in exactly the words of methods.md B10. */
export function stateWords(state: LeadRow['state']): string {
  switch (state) {
    case 'lead':
      return 'lead'
    case 'no passing run':
    case 'no failing run':
    case 'not comparable':
    case 'none':
      return state
    case 'pending':
      return 'being computed'
    case 'failed':
      return 'could not be computed'
    default:
      return assertNever(state)
  }
}

/** Where a task's trials part, in short: `check: get_policy missing (Lead; 3/4 fail, 0/4 pass)`, or the state. */
export function leadWords(lead: LeadRow): string {
  if (lead.state !== 'lead') return stateWords(lead.state)
  const where = [lead.stage, lead.tool].filter((word) => word !== null && word !== '').join(': ')
  const level = lead.level === null ? '' : `${lead.level}${lead.tooFew ? ', too few' : ''}; `
  return `${where} ${lead.kind ?? ''} (${level}${countWords(lead)})`
}

/** `3 of 4 failing, 0 of 4 passing`. */
export function countWords(counts: Counts): string {
  return `${counts.a} of ${counts.F} failing, ${counts.b} of ${counts.P} passing`
}

/** Pass rate with and without the difference and the interval of the gap. */
export function effectWords(divergence: Divergence): string {
  const { passWith, passWithout, low, high } = divergence.effect
  if (passWith === null || passWithout === null) return 'not estimable (one side has no trial)'
  const gap = low === null || high === null ? '' : `, 95 % ${signed(low)} … ${signed(high)} (Newcombe)`
  return `pass rate ${passWith.toFixed(2)} with it, ${passWithout.toFixed(2)} without (${signed(passWith - passWithout)}${gap})`
}

/** The permutation p and its floor in words. */
export function permutationWords(permutation: TaskAnalysis['permutation']): string {
  const { p, floor, labelings, isExact } = permutation
  if (p === null || floor === null) return 'not estimable (needs failing and passing trials)'
  const how = isExact ? `all ${plural(labelings, 'labeling')}` : `${plural(labelings, 'random labeling')}`
  return `p = ${probability(p)} (${how}); smallest possible with these trials ${probability(floor)}`
}

/** The verdict that a person gave on the computed difference. */
export function verdictWords(annotation: Annotation): string | null {
  if (annotation.verdict === null) return null
  const where = annotation.verdictColumn === null ? '' : ` (column ${annotation.verdictColumn + 1})`
  const words = {
    right: 'the computed difference is right',
    earlier: `the difference that matters is earlier${where}`,
    later: `the difference that matters is later${where}`,
    wrong: 'the computed difference is wrong',
  }
  return words[annotation.verdict]
}

/** A task's address as people type it. */
export function taskAddress(row: Pick<TaskRow, 'suite' | 'task'>): string {
  return row.suite === '' ? row.task : `${row.suite}/${row.task}`
}

/** The name of a root cause; an id that the taxonomy lost is shown as it is. */
export function causeName(id: string, taxonomy: Taxonomy): string {
  return taxonomy.terms.find((term) => term.id === id)?.name ?? id
}
