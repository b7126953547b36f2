// What `faultline search` prints: the places by task, as text or as CSV.

import { plural } from '../base/text.ts'
import { stepWords, type SearchRow, type SearchStep } from '../contract/searchrows.ts'
import { csvText } from '../core/reports/csvtext.ts'
import { taskAddress } from '../core/reports/figures.ts'
import { outcomeMark } from './lanes.ts'
import { displayWidth, safe } from './layout.ts'
import type { Style } from './terminal.ts'

/** The rows by task: a line for each step, with the match set apart. */
export function searchText(rows: readonly SearchRow[], style: Style, width: number): string {
  const blocks: string[] = []
  let taskId: string | null = null
  for (const row of rows) {
    if (row.taskId !== taskId)
      blocks.push(`${blocks.length > 0 ? '\n' : ''}${style.bold(safe(taskAddress(row)))}`)
    taskId = row.taskId
    const { trial } = row
    blocks.push(
      trial === null
        ? '  the task’s instruction'
        : `  ${outcomeMark(trial, style)} ${safe(trial.configuration, 40)} · trial ${trial.number}  ${style.faint(trial.trialId)}`,
    )
    for (const step of row.steps) blocks.push(stepLine(step, style, width))
    const more = row.stepsTotal - row.steps.length
    if (more > 0) blocks.push(style.faint(`      … ${plural(more, 'more step')} of this trial`))
  }
  return blocks.join('\n')
}

function stepLine(step: SearchStep, style: Style, width: number): string {
  const { text, start, end } = step.snippet
  const name = `      ${safe(step.step === null ? stepWords(step) : `step ${step.step} ${stepWords(step)}`, 40)}  `
  const room = Math.max(20, width - displayWidth(name))
  // Few words before the match, so that it stands on the line.
  const before = safe(text.slice(0, start), 400)
  const lead = text.slice(0, start).endsWith(' ') ? ' ' : ''
  const kept = displayWidth(before) + lead.length > 24 ? `…${[...before].slice(-20).join('')}` : before
  const match = safe(text.slice(start, end), room)
  const used = displayWidth(kept + lead + match)
  const behindText = text.slice(end)
  const gap = behindText.startsWith(' ') ? ' ' : ''
  const behind = used + gap.length + 4 > room ? '' : gap + safe(behindText, room - used - gap.length)
  return `${style.faint(name)}${kept}${lead}${style.bold(match)}${behind}`.trimEnd()
}

/** One line per step. */
export function searchCsv(rows: readonly SearchRow[]): string {
  return csvText(
    'suite task task_id trial_id configuration trial outcome step role kind tool part text steps_in_trial'.split(
      ' ',
    ),
    rows.flatMap((row) =>
      row.steps.map((step) => [
        row.suite,
        row.task,
        row.taskId,
        row.trial?.trialId ?? null,
        row.trial?.configuration ?? null,
        row.trial?.number ?? null,
        row.trial?.outcome ?? null,
        step.step,
        step.role,
        step.kind,
        step.tool,
        step.part,
        step.snippet.text,
        row.stepsTotal,
      ]),
    ),
  )
}
