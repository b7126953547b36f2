// The method section of the Markdown report: what was computed how, what was left out, and from which seeds, so
// that a reader can judge the figures and get the same ones again. Part of markdown.ts.

import { plural } from '../../base/text.ts'
import { policyWords } from '../../model/outcome.ts'
import { dollars, scopeWords } from './figures.ts'
import { codeSpan, prose, table } from './inert.ts'
import type { ReportInput } from './input.ts'

/** The blocks of the section. */
export function methodSection(input: ReportInput): string[] {
  const { summary } = input
  const lines = [
    `- Outcomes: ${policyWords(summary.policy)}. ${summary.pooled.excluded} of ${summary.trials} trials are in no denominator.`,
    `- Scope: ${scopeWords(summary.configurations, summary.configurationsTotal)}; every trial in scope counts and is compared.`,
    '- pass^k = C(c,k)/C(n,k) and pass@k = 1 − C(n−c,k)/C(n,k) for a task with c passes of n trials; the unbiased estimators over subsets of the recorded trials. The mean is taken over tasks with n ≥ k; a task with fewer trials is not estimable at that k and is counted as neither 0 nor 1.',
    '- Intervals of rates: Wilson, 95 %, without continuity correction. Upper bounds of severe shares: one-sided Wilson, 95 %. Differences of two rates: Newcombe hybrid score, 95 %.',
    `- Lanes and leads: analysis ${codeSpan(input.workspace.algorithm)}. All trials of a task are laid into one alignment; a lead is the earliest difference that goes with failing. The weight says which difference, the permutation p says whether any: smallest one-sided Fisher p over all differences, against relabelled outcomes.`,
    ...seedLines(input),
  ]
  return ['## Method', lines.join('\n'), ...exclusionBlocks(input), ...ruleBlocks(input)]
}

/** The rules in force, with what they found: figures that they changed cannot be read without them. */
function ruleBlocks(input: ReportInput): string[] {
  if (input.rules.length === 0)
    return ['No rule is in force: outcomes and severe events are those of the files.']
  const rows = input.rules.map((rule) => [
    rule.suite === null ? 'every suite' : codeSpan(rule.suite),
    prose(rule.words, 600) + (rule.note === '' ? '' : ` (${prose(rule.note, 300)})`),
    effectOfRule(rule.effect),
    `${rule.ruleId}, revision ${rule.revision}`,
  ])
  return ['### Rules in force', table(['suite', 'rule', 'effect in the workspace', 'id'], rows)]
}

function effectOfRule(effect: ReportInput['rules'][number]['effect']): string {
  if (effect.is === 'events') {
    const cost = effect.costUsd === null ? '' : `, ${dollars(effect.costUsd)}`
    return `${plural(effect.events, 'event')} in ${plural(effect.trials, 'trial')}${cost}`
  }
  if (effect.is === 'outcomes')
    return `speaks of ${plural(effect.trials, 'trial')}, ${effect.changed} with another outcome`
  return `${plural(effect.tasks, 'task')} compared under it`
}

/** Generators and seeds of everything that was drawn at random in this report. */
function seedLines(input: ReportInput): string[] {
  const permutations = input.tasks.flatMap(({ view: { analysis } }) =>
    analysis ? [analysis.permutation] : [],
  )
  if (permutations.length === 0) return []
  const drawn = permutations.filter((permutation) => !permutation.isExact && permutation.p !== null)
  const exact = permutations.filter((permutation) => permutation.isExact && permutation.p !== null)
  const sources = [
    ...new Set(
      drawn.map((p) => `${p.generator}, seed ${p.seed}, stream ${p.stream}, ${p.labelings} labelings`),
    ),
  ]
  return [
    `- Permutation tests: ${plural(exact.length, 'task')} over all labelings, ${plural(drawn.length, 'task')} over random ones${
      sources.length > 0
        ? ` (${sources
            .sort()
            .map((source) => prose(source))
            .join('; ')})`
        : ''
    }.`,
  ]
}

/** Trials that could not be compared, grouped by reason, in the order of the tasks. */
function exclusionBlocks(input: ReportInput): string[] {
  const byReason = new Map<string, number>()
  for (const { view } of input.tasks)
    for (const { reason } of view.analysis?.excluded ?? [])
      byReason.set(reason, (byReason.get(reason) ?? 0) + 1)
  if (byReason.size === 0) return ['No trial in scope was left out of the comparison.']
  const reasons = [...byReason].sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    [
      'Left out of the comparison:',
      '',
      ...reasons.map(([reason, n]) => `- ${plural(n, 'trial')}: ${prose(reason, 300)}`),
    ].join('\n'),
  ]
}
