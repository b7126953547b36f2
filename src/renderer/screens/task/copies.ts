// What the task screen puts on the clipboard: findings as Markdown, steps as JSON. Pure text; data is made visible
// (no hidden characters) and never becomes markup that a viewer would run.

import { oneLine, visibleText } from '../../../base/text.ts'
import type { FindingText, StepView, TaskView } from '../../../contract/rows.ts'
import type { Divergence } from '../../../model/analysis.ts'
import { countsWords, divergenceWords, figure } from './words.ts'

/**
 * A text in Markdown, inert: the signs that make links, images, HTML or emphasis are escaped, and bare addresses,
 * which some viewers turn into links.
 */
export function plainMarkdown(text: string): string {
  return visibleText(text).replace(/[\\`*_[\]<>#|!@]|:(?=\/\/)|(?<=www)\./gi, (sign) => `\\${sign}`)
}

/** A block of text as a Markdown code block whose fence is longer than any in the text. */
export function codeBlock(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${visibleText(text)}\n${fence}`
}

/** A finding as Markdown: task, rate, sentence, figures, and what to try. */
export function findingMarkdown(view: TaskView, finding: FindingText, divergence: Divergence | null): string {
  const { row, analysis } = view
  const { rate } = row
  const name = row.suite === '' ? row.task : `${row.suite} / ${row.task}`
  const interval =
    rate.wilson === null ? '' : `, 95 % interval ${rate.wilson[0].toFixed(2)} to ${rate.wilson[1].toFixed(2)}`
  const trial = view.trials.find((one) => one.trialId === finding.trialId)
  const lines = [
    `**${plainMarkdown(oneLine(name, 200))}** · ${rate.passes} of ${rate.n} passed${interval}`,
    '',
    `**${plainMarkdown(finding.headline)}**`,
    '',
    plainMarkdown(finding.sentence),
  ]
  if (divergence !== null) {
    lines.push(
      '',
      `${divergence.level}: ${plainMarkdown(divergenceWords(divergence))} (${countsWords(divergence)}; weight ${figure(divergence.probability)}; permutation p ${figure(analysis?.permutation.p ?? null)}, smallest possible ${figure(analysis?.permutation.floor ?? null)})`,
    )
  }
  if (finding.intervention !== null) lines.push('', `To test it: ${plainMarkdown(finding.intervention)}`)
  lines.push(
    '',
    `${trial === undefined ? '' : `${plainMarkdown(trial.label)} · `}${analysis?.version ?? 'no analysis'}`,
  )
  return `${lines.join('\n')}\n`
}

/** Two steps as JSON, keys as in the contract. */
export function pairJson(left: StepView | null, right: StepView | null): string {
  return JSON.stringify({ reference: left, trial: right }, null, 2)
}

/** Two steps as Markdown: what each did, in code blocks. */
export function pairMarkdown(title: string, left: StepView | null, right: StepView | null): string {
  const part = (name: string, step: StepView | null): string[] => {
    if (step === null) return [`**${name}**: no step here`, '']
    const body = {
      tool: step.tool,
      arguments: step.argsRaw ?? step.args,
      observation: step.observation,
      said: step.said,
      error: step.error,
    }
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    return [
      `**${name}**: ${plainMarkdown(oneLine(step.trialLabel, 100))}, step ${step.step}`,
      '',
      codeBlock(JSON.stringify(given, null, 2), 'json'),
      '',
    ]
  }
  return [
    `**${plainMarkdown(oneLine(title, 200))}**`,
    '',
    ...part('reference', left),
    ...part('trial', right),
  ].join('\n')
}
