// Rules as text: the list with effects, what trying one shows, its history, and what was learned of a suite. From the
// contract's rows to text; used by `rules`.

import { plural } from '../base/text.ts'
import type { LearnedSuite, RuleList, RuleRow, RuleStateRow, RuleTest } from '../contract/rulerows.ts'
import { csvText } from '../core/reports/csvtext.ts'
import { dollars } from '../core/reports/figures.ts'
import { safe, textTable, wrapped, type Column } from './layout.ts'
import type { Style } from './terminal.ts'

/** What a rule does at present. */
export function effectText({ effect, rule }: RuleRow): string {
  if (!rule.enabled) return 'switched off'
  if (effect.is === 'events') {
    const cost = effect.costUsd === null ? '' : `, ${dollars(effect.costUsd)}`
    return `${plural(effect.events, 'event')} in ${plural(effect.trials, 'trial')} of ${plural(effect.tasks, 'task')}${cost}`
  }
  if (effect.is === 'outcomes')
    return `speaks of ${plural(effect.trials, 'trial')}, ${effect.changed} with another outcome`
  return `bears on ${plural(effect.tasks, 'task')}`
}

/** The list of rules. */
export function rulesText(list: RuleList, width: number | null): string {
  if (list.rows.length === 0)
    return 'No rules yet. faultline rules --help shows what they look like; faultline rules learned what is believed without.'
  const columns: Column[] = [
    { title: 'id' },
    { title: 'suite' },
    { title: 'kind' },
    { title: 'effect' },
    { title: 'rule' },
  ]
  const rows = list.rows.map((row) => [
    row.rule.id,
    row.rule.suite === null ? 'every suite' : safe(row.rule.suite, 24),
    row.rule.kind,
    effectText(row),
    safe(row.words, 300) + (row.rule.note === '' ? '' : ` (${safe(row.rule.note, 100)})`),
  ])
  const waiting = list.waitingTrials > 0 ? `\n${plural(list.waitingTrials, 'trial')} still to be judged.` : ''
  return textTable(columns, rows, width) + waiting
}

/** The list of rules for a spreadsheet. */
export function rulesCsv(rows: readonly RuleRow[]): string {
  return csvText(
    'rule_id revision suite kind enabled words note effect events trials tasks changed cost_usd'.split(' '),
    rows.map(({ rule, words, effect }) => [
      rule.id,
      rule.revision,
      rule.suite,
      rule.kind,
      rule.enabled,
      words,
      rule.note,
      effect.is,
      effect.is === 'events' ? effect.events : null,
      effect.is === 'comparison' ? null : effect.trials,
      effect.tasks,
      effect.is === 'outcomes' ? effect.changed : null,
      effect.is === 'events' ? effect.costUsd : null,
    ]),
  )
}

/** What a rule would do. */
export function testText(test: RuleTest, width: number): string {
  const { before, after } = test
  const columns: Column[] = [
    { title: '' },
    { title: 'before', align: 'right' },
    { title: 'after', align: 'right' },
  ]
  const rows: [string, string, string][] = [
    ['passes', String(before.passes), String(after.passes)],
    ['failures', String(before.fails), String(after.fails)],
    ['errors', String(before.errors), String(after.errors)],
    ['unknown', String(before.unknown), String(after.unknown)],
    ['severe trials', String(before.severeTrials), String(after.severeTrials)],
    ['severe events', String(before.severeEvents), String(after.severeEvents)],
    ['passed but harmful', String(before.passedButHarmful), String(after.passedButHarmful)],
    ['events found by rules', String(before.ruleEvents), String(after.ruleEvents)],
    ['their cost', dollars(before.ruleCostUsd), dollars(after.ruleCostUsd)],
  ]
  const shown = rows.map(([name, was, is]) => [was === is ? name : `${name} *`, was, is])
  const parts = [
    wrapped(test.words === null ? 'Without the rule:' : `With the rule “${safe(test.words, 600)}”:`, width),
    textTable(columns, shown),
    `${plural(test.trials, 'trial')} looked at; ${plural(test.recomputed, 'task')} would be compared again. Nothing was saved.`,
  ]
  if (test.failedTrials > 0)
    parts.push(`${plural(test.failedTrials, 'trial')} left out: their records are damaged.`)
  if (test.examples.length > 0) {
    const more = test.outcomesChanged + test.eventsAppear + test.eventsGo - test.examples.length
    const lines = test.examples.map((example) => `  ${exampleText(example)}`)
    if (more > 0) lines.push(`  … and ${more} more`)
    parts.push(['Examples:', ...lines].join('\n'))
  }
  return parts.join('\n\n')
}

function exampleText({ suite, task, number, change }: RuleTest['examples'][number]): string {
  const where = `${suite === '' ? '' : `${safe(suite, 40)}/`}${safe(task, 40)} trial ${number}`
  if (change.is === 'outcome')
    return `${where}: ${change.from} becomes ${change.to} (${safe(change.why, 200)})`
  const cost = change.costUsd === null ? '' : `, ${dollars(change.costUsd)}`
  return `${where}, step ${change.step}: ${change.appears ? '+' : '−'} ${safe(change.kind, 60)} (${change.severity}): ${safe(change.note, 200)}${cost}`
}

/** Every state of a rule. */
export function historyText(states: readonly RuleStateRow[], width: number | null): string {
  const columns: Column[] = [{ title: 'revision', align: 'right' }, { title: 'saved' }, { title: 'rule' }]
  return textTable(
    columns,
    states.map(({ revision, savedAt, words, draft }) => [
      String(revision),
      savedAt,
      words === null ? 'removed' : safe(words, 300) + (draft?.enabled === false ? ' (off)' : ''),
    ]),
    width,
  )
}

/** What is believed of a suite. */
export function learnedText(learned: LearnedSuite, style: Style, width: number | null): string {
  const tools = textTable(
    [
      { title: 'tool' },
      { title: 'class' },
      { title: 'stage' },
      { title: 'calls', align: 'right' },
      { title: 'tasks', align: 'right' },
      { title: 'why' },
    ],
    learned.tools.map((tool) => [
      safe(tool.tool, 48),
      tool.stepClass,
      safe(tool.stage, 24),
      String(tool.calls),
      String(tool.tasks),
      safe(tool.reason, 120) +
        (tool.canonical === tool.tool ? '' : `; counts as ${safe(tool.canonical, 48)}`),
    ]),
    width,
  )
  const merges = learned.merges.map(({ alias, tool, args, tasks, evidence }) => {
    const names = Object.entries(args).map(([from, to]) => `${safe(from, 30)} is ${safe(to, 30)}`)
    const shown =
      evidence === null
        ? ''
        : `: trial ${evidence.trialId} step ${evidence.step} and trial ${evidence.otherTrialId} step ${evidence.otherStep} gave the same ${plural(evidence.values, 'value')}`
    return `  ${safe(alias, 48)} = ${safe(tool, 48)}${names.length > 0 ? ` (${names.join(', ')})` : ''} in ${plural(tasks, 'task')}${shown}`
  })
  const masks = learned.masks.map(({ tool, path, reason, seen, different, examples, tasks }) => {
    const some = examples.map((example) => safe(example, 40)).join(' | ')
    return `  ${safe(tool, 48)} ${safe(path, 60)}: ${reason === 'name' ? 'by its name' : reason}; ${different} values in ${seen} results, ${plural(tasks, 'task')}: ${some}`
  })
  return [
    style.bold(`Tools of ${safe(learned.suite)} (${plural(learned.tasks, 'task')})`),
    tools,
    '',
    style.bold('Taken for one tool'),
    ...(merges.length === 0 ? ['  none'] : merges),
    '',
    style.bold('Not compared in results'),
    ...(masks.length === 0 ? ['  none'] : masks),
  ].join('\n')
}
