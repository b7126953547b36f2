// The report as Markdown: summary, findings, method, footer. Figures are rounded for people (the JSON report has
// them in full). Everything from traces goes through inert.ts; no line starts with trace text outside a fence.

import { plural } from '../../base/text.ts'
import { policyWords } from '../../model/outcome.ts'
import { contents, type ReportInput } from './input.ts'
import {
  dollars,
  exclusionWords,
  figure,
  interval,
  lastOfCurve,
  leadWords,
  probability,
  rateWords,
  scopeWords,
  taskAddress,
} from './figures.ts'
import { findingSection } from './findings.ts'
import { codeSpan, prose, table } from './inert.ts'
import { methodSection } from './method.ts'

/** The whole report. Ends with one line feed. */
export function markdownReport(input: ReportInput): string {
  const blocks = [
    ...head(input),
    ...(input.include.summary ? summarySection(input) : []),
    ...(input.include.findings ? findingsSection(input) : []),
    ...(input.include.method ? methodSection(input) : []),
    '---',
    footer(input),
  ]
  return `${blocks.join('\n\n')}\n`
}

function head(input: ReportInput): string[] {
  const { summary } = input
  const chosen =
    input.tasks.length < input.tasksInScope
      ? `${input.tasks.length} of ${input.tasksInScope} tasks`
      : plural(input.tasks.length, 'task')
  const scope = scopeWords(summary.configurations, summary.configurationsTotal)
  const lines = [
    `# Faultline report: ${codeSpan(input.workspace.name)}`,
    `${chosen} · ${plural(summary.trials, 'trial')} · ${scope} · ${policyWords(summary.policy)}`,
  ]
  if (input.redaction !== null) lines.push(redactionWords(input))
  return lines
}

function redactionWords(input: ReportInput): string {
  const counts = input.redaction ?? []
  const what =
    counts.length === 0
      ? 'Redaction was on and found nothing to replace.'
      : `Redacted: ${counts.map((c) => `${c.found} × ${c.kind} (${c.different} different)`).join(', ')}. Equal stubs stand for equal values.`
  return `${what} Names of people are not recognised: read the text before you pass it on.`
}

function summarySection(input: ReportInput): string[] {
  const { summary } = input
  const pooled = summary.pooled
  const facts = [
    `- Tasks: ${summary.alwaysPass} always pass, ${summary.sometimes} sometimes, ${summary.neverPass} never` +
      (summary.notEstimable > 0 ? `, ${summary.notEstimable} not estimable (no trial counts)` : ''),
    `- Trials: ${pooled.passes} of ${pooled.n} passed; pooled rate ${rateWords(pooled)}, Wilson 95 %; ${exclusionWords(pooled, summary.policy)}`,
  ]
  if (summary.otherReading !== null) {
    const { policy, rate } = summary.otherReading
    facts.push(`- Other reading (${policyWords(policy)}): pooled rate ${rate.toFixed(3)}`)
  }
  const upper =
    summary.severeUpper === null
      ? ''
      : `; true share at most ${probability(summary.severeUpper)} (one-sided Wilson 95 %)`
  facts.push(
    `- Severe: ${plural(summary.severeTrials, 'trial')} of ${summary.trials} with ${plural(summary.severeEvents, 'severe event')}, ${summary.passedButHarmful} of them passed but harmful${upper}`,
  )
  if (summary.costTotal !== null)
    facts.push(`- Cost: ${dollars(summary.costTotal)} over the trials that state one`)
  return [
    '## Summary',
    facts.join('\n'),
    '### pass^k and pass@k',
    curveTable(input),
    '### Configurations in scope',
    configurationTable(input),
    '### Tasks',
    taskTable(input),
  ]
}

/** Rows for every k up to here; beyond, the usual ones and the largest. */
const EVERY_K = 20

function curveTable(input: ReportInput): string {
  const { curve } = input.summary
  const largest = curve.at(-1)?.k ?? 0
  if (largest === 0) return 'Not estimable: no trial counts.'
  const shown = curve.filter(
    (at) => at.k <= EVERY_K || at.k === largest || [50, 100, 200, 500].includes(at.k),
  )
  const rows = shown.map((at) => [
    String(at.k),
    figure(at.passHatK),
    figure(at.passAtK),
    `${at.tasksDefined} of ${at.tasks}`,
    at.bounds === null ? '' : interval(at.bounds),
  ])
  const whole = table(['k', 'pass^k', 'pass@k', 'tasks with n ≥ k', 'pass^k if the others were 0 or 1'], rows)
  return shown.length === curve.length ? whole : `${whole}\n\nThe JSON report has every k.`
}

function configurationTable(input: ReportInput): string {
  const rows = input.configurations.map((row) => [
    codeSpan(row.label),
    codeSpan(row.configuration.model ?? 'unknown'),
    codeSpan(
      [row.configuration.agent, row.configuration.agentVersion].filter((word) => word).join(' ') || 'unknown',
    ),
    String(row.trials),
    String(row.tasks),
  ])
  return table(['Configuration', 'Model', 'Agent', 'Trials', 'Tasks'], rows)
}

function taskTable(input: ReportInput): string {
  const rows = input.tasks.map(({ view: { row } }) => [
    codeSpan(taskAddress(row)),
    String(row.rate.n),
    String(row.rate.passes),
    rateWords(row.rate),
    lastOfCurve(row),
    String(row.severeTrials),
    dollars(row.costMean),
    prose(leadWords(row.lead), 300),
    row.annotated === 0 ? '' : `${row.annotated} of ${row.failing}`,
  ])
  const header = [
    'Task',
    'n',
    'passes',
    'rate (Wilson 95 %)',
    'pass^n',
    'severe',
    'mean cost',
    'parts at',
    'annotated',
  ]
  return table(header, rows)
}

function findingsSection(input: ReportInput): string[] {
  const { findings, annotations } = contents(input)
  const told = input.tasks.filter((task) => task.view.analysis?.lead != null || task.annotations.length > 0)
  const rest = input.tasks.filter((task) => !told.includes(task))
  const blocks = [
    '## Findings',
    `${plural(findings, 'task')} with a lead, ${plural(annotations, 'annotation')}. A lead is the earliest difference that goes with failing. A lead, not proof.`,
    ...told.flatMap((task, index) => findingSection(task, index + 1, input)),
  ]
  if (rest.length > 0) {
    blocks.push(
      '### Tasks without a lead',
      table(
        ['Task', 'passes', 'state'],
        rest.map(({ view: { row } }) => [
          codeSpan(taskAddress(row)),
          `${row.rate.passes} of ${row.rate.n}`,
          leadWords(row.lead) + (row.lead.tooFew ? ', too few' : ''),
        ]),
      ),
    )
  }
  return blocks
}

function footer(input: ReportInput): string {
  const { coreVersion, algorithm, schemaVersion } = input.workspace
  return `Faultline ${coreVersion} · analysis ${algorithm} · workspace schema ${schemaVersion} · report format 1`
}
