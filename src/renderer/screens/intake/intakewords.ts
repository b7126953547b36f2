// Words of the import sheets: counts, rules of joining, what is missing. Pure.

import { plural } from '../../../base/text.ts'
import type {
  AttachPreview,
  ImportPreview,
  JoinRule,
  PreviewFile,
  PreviewProblem,
} from '../../../contract/outcomerows.ts'
import type { Outcome } from '../../../model/outcome.ts'

/** By what a row was joined, in words. */
export const RULE_WORDS: { readonly [rule in JoinRule]: string } = {
  id: 'the trial’s own id',
  'task and trial': 'task and trial',
  task: 'task',
  'task number': 'the number of the task',
  'file name': 'file name',
  folder: 'folder',
  order: 'order',
}

/** `3 pass, 2 fail`; outcomes without a trial are left out. */
export function outcomesText(outcomes: { readonly [outcome in Outcome]: number }): string {
  const parts = (['pass', 'fail', 'error', 'unknown'] as const)
    .filter((outcome) => outcomes[outcome] > 0)
    .map((outcome) => `${outcomes[outcome].toLocaleString('en-US')} ${outcome}`)
  return parts.length === 0 ? 'none' : parts.join(', ')
}

/** What trials lack: `outcome of 3, steps of 2`; `nothing` when they lack nothing. */
export function missingText(preview: Pick<ImportPreview, 'outcomes' | 'without'>): string {
  const parts = [
    ['outcome', preview.outcomes.unknown],
    ['steps', preview.without.steps],
    ['times', preview.without.times],
    ['cost', preview.without.cost],
  ] as const
  const said = parts
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${what} of ${count.toLocaleString('en-US')}`)
  return said.length === 0 ? 'nothing' : said.join(', ')
}

/** How a file of a preview stands. */
export function previewStateText(file: PreviewFile): string {
  if (file.state === 'outcomes') return 'outcomes, to be attached'
  if (file.state === 'needs format') return 'needs a format'
  if (file.state === 'unreadable') return 'cannot be read'
  if (file.state === 'skipped') return 'left out'
  if (file.trials > 0 && file.alreadyHere === file.trials) return 'already here'
  return file.alreadyHere > 0 ? `${plural(file.alreadyHere, 'trial')} already here` : 'new'
}

/** `2 of 3 rows joined: 1 by task, 1 by file name`. */
export function joinedText(preview: AttachPreview): string {
  const by = preview.byRule.map(
    ({ rule, count }) => `${count.toLocaleString('en-US')} by ${RULE_WORDS[rule]}`,
  )
  return `${preview.matched.toLocaleString('en-US')} of ${plural(preview.rows, 'row')} joined${by.length === 0 ? '' : `: ${by.join(', ')}`}`
}

/** A problem group as a line of plain text, for copying. */
export function problemGroupText(problem: PreviewProblem): string {
  const { severity, code, fileName, line, message, hint, count } = problem
  return [
    severity,
    code,
    fileName,
    line === null ? '' : `line ${line}`,
    message,
    hint ?? '',
    count > 1 ? `(${count} alike)` : '',
  ]
    .filter((part) => part !== '')
    .join('\t')
}
