// `faultline outcomes`: joins outcomes that came separately to the trials that are here, shows first what would change,
// lists what was attached and takes it back.

import { InvalidArgumentError, type Command } from 'commander'
import { resolve } from 'node:path'
import { printableJson } from '../../base/json.ts'
import { plural } from '../../base/text.ts'
import type { Input, Output } from '../../contract/contract.ts'
import type { AttachmentRow } from '../../contract/outcomerows.ts'
import { csvText } from '../../core/reports/csvtext.ts'
import { safe, textTable } from '../layout.ts'
import { attachedText, previewText } from '../outcometext.ts'
import type { Run, Work } from '../run.ts'
import { withSession, type Session } from '../session.ts'
import type { Terminal } from '../terminal.ts'
import { EXIT, UsageError } from '../usage.ts'

/** Options of attaching, the same for `outcomes attach` and `import --outcomes`. */
export type AttachOptions = {
  readonly suite?: string
  readonly scorer?: string
  readonly threshold?: number
  readonly replace?: boolean
  readonly byOrder?: boolean
}

/** A number such as a threshold. */
export function numberOption(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Write a number.')
  return value
}

/** Adds the commands. */
export function addOutcomes(program: Command, run: Run): void {
  const outcomes = program
    .command('outcomes')
    .summary('attach outcomes that came separately to trials that are here')
    .description(
      'Most exports hold trajectories or outcomes, not both. This joins a table, map or report of outcomes to the trials of the workspace by equal names: the trial’s own id, task and trial, task, file name, folder. Nothing is joined on a part of a name.',
    )
  outcomes
    .command('attach')
    .summary('join a file of outcomes to trials')
    .argument('<path...>', 'CSV, JSON map or rows, SWE-bench report, folder with reward.txt or sidecars')
    .option('--dry-run', 'say what would change and what matches nothing, and change nothing')
    .option('--suite <name>', 'the suite of rows that name none')
    .option('--scorer <field>', 'the field that says the outcome (remembered for files of this kind)')
    .option('--threshold <number>', 'the number from which it is a pass (remembered, too)', numberOption)
    .option('--replace', 'also where another outcome is known (the imported one is kept beside)')
    .option(
      '--by-order',
      'trials without a number of their source: in the order in which they are numbered here',
    )
    .addHelpText(
      'after',
      `
Examples:
  faultline outcomes attach results.csv --dry-run
  faultline outcomes attach eval_results.json --suite airline
  faultline outcomes attach scores.csv --scorer reward --threshold 0.8
  faultline import sessions/ --outcomes results.csv     both at once

Exit code 1 when no row could be joined.`,
    )
    .action((paths: readonly string[], options: AttachOptions & { readonly dryRun?: boolean }) =>
      run((work) =>
        inSession(work, async (session) => {
          const input = attachInput(session, paths, options)
          if (options.dryRun === true) return await showPreview(session, input, work)
          const done = await withProgress(session, work.terminal, 'outcomes.attach', input)
          print(work, done, () => attachedText(done))
          return done.preview.matched === 0 ? EXIT.fault : EXIT.fine
        }),
      ),
    )
  outcomes
    .command('list', { isDefault: true })
    .summary('what was attached')
    .addHelpText('after', '\nExample:\n  faultline outcomes list')
    .action(() =>
      run((work) =>
        inSession(work, async (session) => {
          const rows = await session.ask('outcomes.list', {})
          print(work, rows, () => listText(rows), listCsv(rows))
          return EXIT.fine
        }),
      ),
    )
  for (const [name, method, summary] of [
    ['undo', 'outcomes.undo', 'take outcomes back; what was imported is in force again'],
    ['redo', 'outcomes.redo', 'attach them again'],
  ] as const) {
    outcomes
      .command(name)
      .summary(summary)
      .argument('<id>', 'its id, or an unmistakable beginning of it')
      .addHelpText('after', `\nExample:\n  faultline outcomes ${name} o3f2a`)
      .action((id: string) =>
        run((work) =>
          inSession(work, async (session) => {
            const attachmentId = named(id, await session.ask('outcomes.list', {}))
            const row = await session.ask(method, { attachmentId })
            print(work, row, () => listText([row]), listCsv([row]))
            return EXIT.fine
          }),
        ),
      )
  }
}

function inSession(work: Work, does: (session: Session) => Promise<number>): Promise<number> {
  return withSession(work.globals, { ...work, create: false }, does)
}

/** What is asked of the core, from the options. */
export function attachInput(
  session: Session,
  paths: readonly string[],
  options: AttachOptions,
): Input<'outcomes.attach'> {
  const { suite, scorer, threshold } = options
  return {
    files: paths.map((path) => ({ path: resolve(path) })),
    configurations: session.view.configurations === null ? null : [...(session.view.configurations ?? [])],
    suite: suite ?? null,
    choice:
      scorer === undefined && threshold === undefined
        ? null
        : { scorer: scorer ?? null, threshold: threshold ?? null },
    replace: options.replace === true,
    byOrder: options.byOrder === true,
  }
}

/** Asks with progress on the terminal. */
export async function withProgress<M extends 'outcomes.attach' | 'outcomes.preview'>(
  session: Session,
  terminal: Terminal,
  method: M,
  input: Input<M>,
): Promise<Output<M>> {
  try {
    return await session.ask(method, input, (progress) =>
      terminal.progress(`Reading outcomes ${safe(progress.fileName, 40)}: ${plural(progress.rows, 'row')}`),
    )
  } finally {
    terminal.progress(null)
  }
}

async function showPreview(session: Session, input: Input<'outcomes.preview'>, work: Work): Promise<number> {
  const preview = await withProgress(session, work.terminal, 'outcomes.preview', input)
  print(work, preview, () => previewText(preview))
  return preview.matched === 0 ? EXIT.fault : EXIT.fine
}

function print(work: Work, value: unknown, text: () => string, csv: string | null = null): void {
  if (work.globals.csv === true && csv === null)
    throw new UsageError('This answer is no table: use --json for programs.')
  if (work.globals.json === true) work.terminal.out(printableJson(value))
  else work.terminal.out(work.globals.csv === true && csv !== null ? csv : text())
}

function named(id: string, rows: readonly AttachmentRow[]): string {
  const found = rows.filter(
    (row) => row.attachmentId === id || (id.length >= 4 && row.attachmentId.startsWith(id)),
  )
  const [row] = found
  if (row !== undefined && found.length === 1) return row.attachmentId
  throw new UsageError(
    `${found.length > 1 ? 'Several attachings begin' : 'No attaching begins'} with ${safe(id)}: faultline outcomes list shows them.`,
  )
}

function listText(rows: readonly AttachmentRow[]): string {
  if (rows.length === 0) return 'No outcomes were attached in this workspace.'
  return textTable(
    [
      { title: 'id' },
      { title: 'attached' },
      { title: 'from' },
      { title: 'trials', align: 'right' },
      { title: 'decided by' },
      { title: '' },
    ],
    rows.map((row) => [
      row.attachmentId,
      row.attachedAt.slice(0, 16).replace('T', ' '),
      safe(row.source, 50),
      String(row.trials),
      `${safe(row.scorer ?? '', 20)}${row.threshold === null ? '' : ` ≥ ${row.threshold}`}`,
      row.isUndone ? 'undone' : '',
    ]),
  )
}

function listCsv(rows: readonly AttachmentRow[]): string {
  return csvText(
    'attachment_id attached_at undone source format scorer threshold rows trials'.split(' '),
    rows.map((row) => [
      row.attachmentId,
      row.attachedAt,
      row.isUndone ? 1 : 0,
      row.source,
      row.format,
      row.scorer,
      row.threshold,
      row.rows,
      row.trials,
    ]),
  )
}
