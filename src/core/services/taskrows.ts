// From trial lines to task rows: counts, rates, curves, severity and cost of each task, and the suite's summary.
// Pure: no database, no process. services/tasks.ts gives it lines and draws pages from what it gives back.

import { countOutcomes, countsAs, otherPolicies } from '../../analysis/reliability/outcomes.ts'
import { macroCurve, type TaskCounts } from '../../analysis/reliability/aggregate.ts'
import { wilson, wilsonUpper } from '../../analysis/reliability/intervals.ts'
import {
  EXACT_TRIALS,
  exactPassAtK,
  exactPassHatK,
  fractionText,
  passAtEstimate,
  passHatCurve,
  passHatEstimate,
} from '../../analysis/reliability/passk.ts'
import { reasonWords, type Estimate } from '../../analysis/reliability/estimate.ts'
import { severitySummary } from '../../analysis/reliability/severity.ts'
import { costSummary } from '../../analysis/reliability/cost.ts'
import { taskVerdict } from '../../analysis/reliability/verdict.ts'
import type { Outcome, OutcomePolicy } from '../../model/outcome.ts'
import type { Figure, LeadRow, PassAt, Rate, SuiteAt, SuiteSummary, TaskRow } from '../../contract/rows.ts'

/** What the table needs of one trial. */
export type TrialLine = {
  readonly trialId: string
  readonly taskId: string
  readonly configurationId: string
  readonly outcome: Outcome
  readonly severeEvents: number
  readonly costUsd: number | null
}

/** What the table needs of one task. */
export type TaskLine = {
  readonly taskId: string
  readonly suite: string
  readonly task: string
  readonly title: string | null
}

/** An estimate as a figure with words. */
export function figure(estimate: Estimate): Figure {
  return estimate.ok ? estimate : { ok: false, reason: reasonWords(estimate.reason) }
}

/** Counts, rate and Wilson interval of a set of outcomes under the policy. */
export function rateOf(outcomes: readonly Outcome[], policy: OutcomePolicy): Rate {
  const counts = countOutcomes(outcomes, policy)
  const interval = wilson(counts.c, counts.n)
  return {
    n: counts.n,
    passes: counts.c,
    rate: figure(passHatEstimate(counts.n, counts.c, 1)),
    wilson: interval.ok ? [interval.value.lower, interval.value.upper] : null,
    fails: outcomes.filter((outcome) => outcome === 'fail').length,
    errors: counts.errors,
    unknown: counts.unknown,
    excluded: counts.excluded,
  }
}

/** pass^k and pass@k for k = 1..n, with exact rationals where n allows. Beyond 1,000 trials only round k are listed. */
export function curveOf(n: number, c: number): readonly PassAt[] {
  const points: PassAt[] = []
  for (let k = 1; k <= n; k++) {
    if (n > 1000 && k > 100 && k % 100 !== 0 && k !== n) continue
    const hat = n <= EXACT_TRIALS ? exactPassHatK(n, c, k) : null
    const at = n <= EXACT_TRIALS ? exactPassAtK(n, c, k) : null
    points.push({
      k,
      passHatK: figure(passHatEstimate(n, c, k)),
      passAtK: figure(passAtEstimate(n, c, k)),
      exactHat: hat === null ? null : fractionText(hat),
      exactAt: at === null ? null : fractionText(at),
    })
  }
  return points
}

/** Longest in-row curve; longer ones are thinned, the last value always kept. */
const ROW_CURVE = 100

/** Verdicts by counts: a table of thousands of tasks has few different counts, and each verdict integrates a posterior. */
const verdicts = new Map<string, string>()

function verdictOf(n: number, c: number): string {
  const key = `${n}/${c}`
  const known = verdicts.get(key)
  if (known !== undefined) return known
  if (verdicts.size > 10_000) verdicts.clear()
  const { verdict } = taskVerdict(n, c)
  verdicts.set(key, verdict)
  return verdict
}

/** One task's row from its trials in scope. */
export function taskRow(
  task: TaskLine,
  lines: readonly TrialLine[],
  policy: OutcomePolicy,
  lead: LeadRow,
  annotated: number,
): TaskRow {
  const rate = rateOf(
    lines.map((line) => line.outcome),
    policy,
  )
  const severe = severitySummary(lines.map((line) => ({ ...line, events: line.severeEvents })))
  const cost = costSummary(
    lines.map((line) => ({ ...line, cost: line.costUsd, passed: countsAs(line.outcome, policy) })),
  )
  const full = rate.n > 0 ? passHatCurve(rate.n, rate.passes) : []
  const stride = Math.ceil(full.length / ROW_CURVE)
  return {
    taskId: task.taskId,
    suite: task.suite,
    task: task.task,
    title: task.title,
    rate,
    curve: stride <= 1 ? full : full.filter((_, i) => i % stride === 0 || i === full.length - 1),
    verdict: verdictOf(rate.n, rate.passes),
    severeTrials: severe.severeTrials,
    severeEvents: severe.events,
    passedButHarmful: severe.passedButHarmful.trials,
    severeUpper: severe.upperWilson.ok ? severe.upperWilson.value.upper : null,
    costMean: cost.mean.ok ? cost.mean.value : null,
    costWorst: cost.worst.ok ? cost.worst.value.cost : null,
    costWorstTrial: cost.worst.ok ? cost.worst.value.trialId : null,
    costTrials: cost.trials,
    configurations: new Set(lines.map((line) => line.configurationId)).size,
    lead,
    annotated,
    failing: rate.n - rate.passes,
  }
}

/** The curve of a suite: macro averages with the number of tasks that qualify at each k. */
export function suiteCurve(tasks: readonly TaskCounts[]): readonly SuiteAt[] {
  const hat = macroCurve(tasks, 'pass-hat')
  const at = macroCurve(tasks, 'pass-at')
  return hat.map((point, i) => {
    const other = at[i]
    return {
      k: point.k,
      passHatK: figure(point.mean),
      passAtK: other ? figure(other.mean) : { ok: false, reason: 'not estimable' },
      tasksDefined: point.defined,
      tasks: point.total,
      bounds: point.isPartial ? [point.bounds.lower, point.bounds.upper] : null,
    }
  })
}

/** What the tasks in scope say as a whole. `rows` and `lines` cover the same trials. */
export function suiteSummary(
  rows: readonly TaskRow[],
  lines: readonly TrialLine[],
  policy: OutcomePolicy,
  configurations: { readonly inScope: number; readonly total: number },
): SuiteSummary {
  const outcomes = lines.map((line) => line.outcome)
  const severe = severitySummary(lines.map((line) => ({ ...line, events: line.severeEvents })))
  const costs = lines.flatMap((line) => (line.costUsd === null ? [] : [line.costUsd]))
  const pooled = rateOf(outcomes, policy)
  const counts = rows.map((row) => ({ taskId: row.taskId, n: row.rate.n, c: row.rate.passes }))
  const estimable = rows.filter((row) => row.rate.n > 0)
  const upper = wilsonUpper(severe.severeTrials, lines.length)
  return {
    tasks: rows.length,
    trials: lines.length,
    alwaysPass: estimable.filter((row) => row.rate.passes === row.rate.n).length,
    neverPass: estimable.filter((row) => row.rate.passes === 0).length,
    sometimes: estimable.filter((row) => row.rate.passes > 0 && row.rate.passes < row.rate.n).length,
    notEstimable: rows.length - estimable.length,
    pooled,
    curve: suiteCurve(counts),
    severeTrials: severe.severeTrials,
    severeEvents: severe.events,
    passedButHarmful: severe.passedButHarmful.trials,
    severeUpper: upper.ok ? upper.value.upper : null,
    costTotal: costs.length > 0 ? costs.reduce((sum, cost) => sum + cost, 0) : null,
    policy,
    otherReading: otherReading(outcomes, pooled, policy),
    configurations: configurations.inScope,
    configurationsTotal: configurations.total,
    suites: [...new Set(rows.map((row) => row.suite))].sort(),
  }
}

/** The first other policy under which the pooled rate differs in the second decimal (methods.md A0.3). */
function otherReading(
  outcomes: readonly Outcome[],
  pooled: Rate,
  policy: OutcomePolicy,
): SuiteSummary['otherReading'] {
  if (!pooled.rate.ok) return null
  for (const other of otherPolicies(policy)) {
    const { rate } = rateOf(outcomes, other)
    if (rate.ok && rate.value.toFixed(2) !== pooled.rate.value.toFixed(2))
      return { policy: other, rate: rate.value }
  }
  return null
}
