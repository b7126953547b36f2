// One task's finding in Markdown: the sentence, its figures, the failing trials, the two steps in question, and what
// a person wrote about them. Part of markdown.ts. All trace text goes through inert.ts.

import { plural } from '../../base/text.ts'
import type { StepView, TaskView, TrialRow } from '../../contract/rows.ts'
import type { Annotation, Evidence } from '../../model/annotation.ts'
import type { Divergence } from '../../model/analysis.ts'
import type { Taxonomy } from '../../model/taxonomy.ts'
import {
  causeName,
  countWords,
  effectWords,
  exclusionWords,
  permutationWords,
  probability,
  rateWords,
  taskAddress,
  verdictWords,
} from './figures.ts'
import { codeSpan, fenced, prose, table } from './inert.ts'
import type { ReportInput, ReportTask } from './input.ts'

/** The blocks of one task, under a heading with its number in this report. */
export function findingSection(task: ReportTask, number: number, input: ReportInput): string[] {
  const { view } = task
  const { row, analysis, lead } = view
  const blocks = [`### ${number}. ${codeSpan(taskAddress(row))}`]
  if (row.title !== null && row.title !== '') blocks.push(prose(row.title, 400))
  blocks.push(
    `${row.rate.passes} of ${row.rate.n} passed, rate ${rateWords(row.rate)}; ${plural(row.severeTrials, 'severe trial')}; ${exclusionWords(row.rate, view.policy)}.`,
  )
  if (lead !== null) {
    blocks.push(`**${prose(lead.headline)}**`, prose(lead.sentence))
    if (!/a lead, not proof/i.test(lead.sentence)) blocks.push('A lead, not proof.')
  }
  if (analysis?.lead != null) blocks.push(figures(analysis.lead, view))
  if (lead?.intervention != null && !lead.sentence.includes(lead.intervention))
    blocks.push(`To test it: ${prose(lead.intervention)}`)
  blocks.push(...trialFindings(view, input.trialIds))
  if (input.include.stepTexts && task.pair !== null) blocks.push(...stepPair(task.pair))
  if (task.annotations.length > 0) {
    blocks.push('#### Annotations')
    for (const annotation of task.annotations)
      blocks.push(...annotationBlocks(annotation, view, input.taxonomy))
  }
  return blocks
}

function figures(divergence: Divergence, view: TaskView): string {
  const analysis = view.analysis
  const lines = [
    `- Seen in ${countWords(divergence.counts)}`,
    `- Effect: ${effectWords(divergence)}`,
    `- Weight among this trial's differences: ${probability(divergence.probability)} (${divergence.level})`,
  ]
  if (analysis !== null) {
    lines.push(
      `- Chance of something this clear if outcomes were random: ${permutationWords(analysis.permutation)}`,
    )
    if (analysis.tooFew)
      lines.push('- too few: with these trials no difference can be told from chance at 10 %')
  }
  if (divergence.facet !== null) {
    const side = (value: string | null): string => (value === null ? 'absent' : codeSpan(value))
    lines.push(
      `- Where: ${codeSpan(divergence.facet)}; failing ${side(divergence.valueFail)}${divergence.isUngrounded ? ' (has no source in that trial)' : ''}, passing ${side(divergence.valuePass)}`,
    )
  }
  if (divergence.explains.length > 0)
    lines.push(
      `- Explains the later differences in columns ${divergence.explains.map((c) => c + 1).join(', ')}`,
    )
  return lines.join('\n')
}

/** The failing trials that are asked for, grouped by what parts them, in the order of the trials. */
function trialFindings(view: TaskView, trialIds: readonly string[] | null): string[] {
  const groups = new Map<string, string[]>()
  for (const finding of view.findings) {
    if (trialIds !== null && !trialIds.includes(finding.trialId)) continue
    const name = trialName(view.trials.find((trial) => trial.trialId === finding.trialId))
    groups.set(finding.headline, [...(groups.get(finding.headline) ?? []), name])
  }
  if (groups.size === 0) return []
  const rows = [...groups].map(([headline, names]) => [
    prose(headline, 300),
    String(names.length),
    names.join(', '),
  ])
  return [
    '#### Failing trials',
    table(['earliest difference that goes with failing', 'trials', 'which'], rows),
  ]
}

function trialName(trial: TrialRow | undefined): string {
  return trial === undefined ? 'a trial out of scope' : codeSpan(trial.label)
}

function stepPair(pair: NonNullable<ReportTask['pair']>): string[] {
  return ['#### The two steps', ...stepBlocks('Failing', pair.left), ...stepBlocks('Passing', pair.right)]
}

function stepBlocks(side: string, step: StepView | null): string[] {
  if (step === null) return [`**${side}:** this step is absent.`]
  const blocks = [
    `**${side}:** trial ${codeSpan(step.trialLabel)}, step ${step.step}, ${codeSpan(step.tool ?? step.role)}${step.isError ? ' (error)' : ''}`,
  ]
  if (step.said !== null && step.said !== '') blocks.push('Said:', fenced(step.said))
  if (step.args !== null) blocks.push('Arguments:', fenced(JSON.stringify(step.args, null, 2), 'json'))
  else if (step.argsRaw !== null) blocks.push('Arguments as written (not JSON):', fenced(step.argsRaw))
  if (step.observation !== null)
    blocks.push('Observation:', fenced(JSON.stringify(step.observation, null, 2), 'json'))
  else if (step.observationText !== null) blocks.push('Observation:', fenced(step.observationText))
  if (step.error !== null) blocks.push('Error:', fenced(step.error))
  if (step.cutFromChars !== null)
    blocks.push(`Cut here; ${step.cutFromChars.toLocaleString('en-US')} characters in all.`)
  return blocks
}

function annotationBlocks(annotation: Annotation, view: TaskView, taxonomy: Taxonomy): string[] {
  const trial = view.trials.find((t) => t.trialId === annotation.trialId)
  const names = annotation.causes.map((id) => prose(causeName(id, taxonomy), 100))
  const facts = [
    `- Trial: ${trialName(trial)}${trial ? ` (${trial.outcome})` : ''}`,
    `- Root cause: ${names[0] ?? 'not chosen'}${names.length > 1 ? `; also ${names.slice(1).join(', ')}` : ''}`,
    `- Severity: ${annotation.severity}`,
  ]
  const verdict = verdictWords(annotation)
  if (verdict !== null) facts.push(`- Verdict: ${verdict}`)
  if (annotation.confidence !== null)
    facts.push(`- Confidence of the annotator: ${annotation.confidence.toFixed(2)}`)
  for (const evidence of annotation.evidence) facts.push(`- Evidence: ${evidenceWords(evidence, view)}`)
  const blocks = [facts.join('\n')]
  if (annotation.leadShown !== null && annotation.leadShown !== view.lead?.sentence)
    blocks.push(`Written beside this lead: ${prose(annotation.leadShown)}`)
  if (annotation.note !== '') blocks.push('Note:', fenced(annotation.note))
  return blocks
}

function evidenceWords(evidence: Evidence, view: TaskView): string {
  const trial = view.trials.find((t) => t.trialId === evidence.trialId)
  const step = evidence.step === null ? '' : `, step ${evidence.step}`
  const part = evidence.part === 'step' ? '' : `, ${evidence.part}`
  const quote = evidence.quote === null || evidence.quote === '' ? '' : `: ${codeSpan(evidence.quote, 2000)}`
  return `trial ${trialName(trial)}${step}${part}${quote}`
}
