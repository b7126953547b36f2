// Attached outcomes and import previews as text for a terminal. Pure; names from traces are made safe.

import { plural } from '../base/text.ts'
import type { Attached, AttachPreview, ImportPreview, PreviewProblem } from '../contract/outcomerows.ts'
import { safe, textTable } from './layout.ts'
import { faultText } from './run.ts'

/** Lines of a list that are printed; the rest is counted. */
const SHOWN = 10

const RULES: Readonly<Record<string, string>> = {
  id: 'by the trial’s own id',
  'task and trial': 'by task and trial',
  task: 'by task',
  'task number': 'by the number of the task',
  'file name': 'by the name of the file',
  folder: 'by the folder',
  order: 'in order',
}

/** What attaching would do. */
export function previewText(preview: AttachPreview): string {
  const { matched, rows, trials, changed, same, silent, contradicted, unmatchedRows, unmatchedTrials } =
    preview
  const parts = [filesText(preview)]
  const by = preview.byRule.map(({ rule, count }) => `${count} ${RULES[rule] ?? rule}`).join(', ')
  parts.push(
    [
      `${matched} of ${plural(rows, 'row')} joined${by === '' ? '' : ` (${by})`}; ${plural(trials, 'trial')} looked at.`,
      `${plural(changed, 'outcome')} would change${preview.changes.length === 0 ? '' : `: ${preview.changes.map(({ from, to, count }) => `${count} ${from} → ${to}`).join(', ')}`}.`,
      ...(same > 0 ? [`${plural(same, 'trial')} ${same === 1 ? 'has' : 'have'} this outcome already.`] : []),
      ...(silent > 0 ? [`${plural(silent, 'row')} ${silent === 1 ? 'says' : 'say'} no outcome.`] : []),
      ...(contradicted > 0
        ? [
            `${plural(contradicted, 'known outcome')} ${contradicted === 1 ? 'is' : 'are'} contradicted (kept without --replace).`,
          ]
        : []),
    ].join('\n'),
  )
  if (preview.fields.length > 0) parts.push(choiceText(preview))
  if (preview.suites.length > 0)
    parts.push(`Name the suite with --suite: ${preview.suites.map((suite) => safe(suite, 40)).join(', ')}.`)
  if (preview.joinableByOrder > 0)
    parts.push(`${plural(preview.joinableByOrder, 'row')} could be joined in order: --by-order.`)
  if (unmatchedRows.count > 0)
    parts.push(
      list(
        `${plural(unmatchedRows.count, 'row')} joined to nothing:`,
        unmatchedRows.count,
        unmatchedRows.lines.map(
          ({ task, trial, sourceId, file, line, reason }) =>
            `${safe(task ?? sourceId ?? file, 50)}${trial === null ? '' : `, trial ${safe(trial, 20)}`}${line === null ? '' : ` (line ${line})`}: ${reason}`,
        ),
      ),
    )
  if (unmatchedTrials.count > 0)
    parts.push(
      list(
        `${plural(unmatchedTrials.count, 'trial')} that no row names:`,
        unmatchedTrials.count,
        unmatchedTrials.lines.map(
          ({ suite, task, number, outcome }) =>
            `${safe(suite, 30)}/${safe(task, 50)}, trial ${number} (${outcome})`,
        ),
      ),
    )
  if (preview.problems.length > 0) parts.push(problemsText(preview.problems))
  return parts.join('\n\n')
}

/** What attaching did. */
export function attachedText({ attachment, preview }: Attached): string {
  if (attachment === null) return `${previewText(preview)}\n\nNothing was attached.`
  const said = previewText(preview).replace(/ would change/, ' changed')
  return `${said}\n\nAttached to ${plural(attachment.trials, 'trial')}. To take it back: faultline outcomes undo ${attachment.attachmentId}`
}

function filesText(preview: AttachPreview): string {
  return preview.files
    .map(({ name, formatTitle, rows, fault }) =>
      fault === null
        ? `${safe(name, 60)}: ${safe(formatTitle ?? 'unknown', 40)}, ${plural(rows, 'row')}`
        : `${safe(name, 60)}: ${faultText(fault).replace(/^faultline: /, '')}`,
    )
    .slice(0, SHOWN)
    .concat(
      preview.files.length > SHOWN ? [`… and ${plural(preview.files.length - SHOWN, 'more file')}`] : [],
    )
    .join('\n')
}

function choiceText({ fields, choice, isRemembered, asks }: AttachPreview): string {
  const names = fields.map(({ name, lowest, highest, isScale }) =>
    isScale && lowest !== null && highest !== null
      ? `${safe(name, 30)} (${lowest} to ${highest})`
      : safe(name, 30),
  )
  const from = choice.threshold === null ? '' : ` from ${choice.threshold} on`
  return [
    choice.scorer === null
      ? 'No field decides yet.'
      : `“${safe(choice.scorer, 30)}” decides${from}${isRemembered ? ', as chosen before' : ''}.`,
    ...(asks.includes('scorer')
      ? [
          `${choice.scorer === null ? 'Say which one does' : 'It could be another field'}: ${names.join(', ')} (--scorer).`,
        ]
      : []),
    ...(asks.includes('threshold')
      ? ['It has numbers other than 0 and 1: say from where it is a pass (--threshold).']
      : []),
  ].join(' ')
}

function list(title: string, count: number, lines: readonly string[]): string {
  const shown = lines.slice(0, SHOWN)
  const more = count - shown.length
  return [
    title,
    ...shown.map((line) => `  ${line}`),
    ...(more > 0 ? [`  … and ${more.toLocaleString('en-US')} more`] : []),
  ].join('\n')
}

/** Problems grouped by code. */
export function problemsText(problems: readonly PreviewProblem[]): string {
  return list(
    'Problems:',
    problems.length,
    problems.map(
      ({ severity, code, fileName, line, message, count }) =>
        `${severity} ${code}: ${safe(fileName, 40)}${line === null ? '' : `, line ${line}`}: ${safe(message, 200)}${count > 1 ? ` (${count} alike)` : ''}`,
    ),
  )
}

/** What an import would bring. */
export function importPreviewText(preview: ImportPreview): string {
  const { outcomes, without, trials } = preview
  const least = preview.isPartial ? 'at least ' : ''
  const files = textTable(
    [
      { title: 'file' },
      { title: 'format' },
      { title: '' },
      { title: 'trials', align: 'right' },
      { title: 'tasks', align: 'right' },
      { title: 'already here', align: 'right' },
    ],
    preview.files
      .filter(({ state }) => state !== 'skipped')
      .map((file) => [
        safe(file.name, 60),
        `${safe(file.formatTitle ?? 'unknown', 32)}${file.isBeta ? ' (beta)' : ''}`,
        file.state,
        `${file.isPartial ? '≥ ' : ''}${file.trials}`,
        String(file.tasks),
        file.alreadyHere === 0 ? '' : String(file.alreadyHere),
      ]),
  )
  const faults = preview.files.flatMap(({ name, fault }) =>
    fault === null ? [] : [`${safe(name, 60)}: ${faultText(fault).replace(/^faultline: /, '')}`],
  )
  const skipped = preview.files.filter(({ state }) => state === 'skipped').length
  const counts = [
    `${least}${plural(trials, 'trial')} of ${plural(preview.tasks, 'task')}: ${outcomes.pass} pass, ${outcomes.fail} fail, ${outcomes.error} error, ${outcomes.unknown} unknown.`,
    `Suites: ${preview.suites.map((suite) => safe(suite, 30)).join(', ') || 'none'}. Configurations: ${preview.configurations.map((label) => safe(label, 40)).join(', ') || 'none'}.`,
    `Without steps: ${without.steps}. Without times: ${without.times}. Without cost: ${without.cost}.`,
    ...(skipped > 0 ? [`${plural(skipped, 'file')} left out: no exports.`] : []),
    ...preview.attention,
  ]
  return [
    files,
    ...(faults.length > 0 ? [faults.join('\n')] : []),
    counts.join('\n'),
    ...(preview.problems.length > 0 ? [problemsText(preview.problems)] : []),
    'Nothing was written.',
  ].join('\n\n')
}
