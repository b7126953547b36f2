// `faultline import`: brings files and folders into the workspace, says what was kept and what was not.

import type { Command } from 'commander'
import { resolve } from 'node:path'
import { printableJson } from '../../base/json.ts'
import { plural } from '../../base/text.ts'
import type { Attached } from '../../contract/outcomerows.ts'
import type { ImportFileRow, ImportProgress, ImportRow, ProblemRow } from '../../contract/rows.ts'
import { csvText } from '../../core/reports/csvtext.ts'
import { safe, textTable, type Column } from '../layout.ts'
import { attachedText, importPreviewText } from '../outcometext.ts'
import { faultText, type Run, type Work } from '../run.ts'
import { withSession, workspacePath, type Session } from '../session.ts'
import type { Terminal } from '../terminal.ts'
import { collect, EXIT, UsageError } from '../usage.ts'
import { decideIn, scorersText } from './deciding.ts'
import { attachInput, numberOption, withProgress } from './outcomes.ts'

type ImportOptions = {
  readonly format?: string
  readonly suite?: string
  readonly label?: string
  readonly outcomes?: readonly string[]
  readonly scorer?: string
  readonly threshold?: number
  readonly byOrder?: boolean
  readonly dryRun?: boolean
}

/** Problems that are looked at per import, and shown of one kind; the rest is counted. */
const SHOWN_PROBLEMS = 1000
const SHOWN_ALIKE = 5
/** Files that are explained one by one; a folder may hold thousands that are no export. */
const SHOWN_FAULTS = 20
/** Of these, the first ones with all that was tried. */
const EXPLAINED_FAULTS = 3

/** Adds the command. */
export function addImport(program: Command, run: Run): void {
  program
    .command('import')
    .summary('bring trial exports into the workspace')
    .description(
      'Reads files and folders, finds out their format from what is in them, and keeps their trials. The same file again changes nothing. One bad record does not spoil the rest: it is listed with its place.',
    )
    .argument('<path...>', 'files or folders')
    .option('--format <id>', 'read as this format instead of finding out (see faultline formats)')
    .option('--suite <name>', 'the suite of these trials, in place of their own')
    .option('--label <name>', 'a label for their configurations, such as a version')
    .option('--outcomes <path>', 'attach these outcomes to what was imported (repeatable)', collect)
    .option('--scorer <name>', 'the score that decides; with --outcomes: the field that says the outcome')
    .option('--threshold <number>', 'the number from which it is a pass', numberOption)
    .option('--by-order', 'with --outcomes: trials without a number, in order')
    .option('--dry-run', 'say what would be imported and what is missing, and write nothing')
    .addHelpText(
      'after',
      `
Examples:
  faultline import results/gpt-4o-airline.json
  faultline import runs/ --suite airline
  faultline import trials.jsonl.gz --workspace ./check.fault
  faultline import sessions/ --outcomes results.csv
  faultline import logs/ --scorer judge --threshold 0.8
  faultline import runs/ --dry-run
  faultline import runs/ && faultline tasks --fail-on severe

A choice of --scorer is remembered for the suite, as an outcome rule (faultline rules list).

Ctrl+C stops after the current batch: what was kept stays, and is said. Exit code 1 when nothing could be read.`,
    )
    .action((paths: readonly string[], options: ImportOptions) =>
      run(async ({ globals, terminal, signal }) => {
        return await withSession(
          { ...globals, config: [] },
          { terminal, create: true, signal },
          async (session) => {
            if (options.dryRun === true) return await lookAt(session, paths, options, { globals, terminal })
            const row = await importPaths(session, paths, options, terminal)
            const attached = await attachTo(session, row, options, terminal)
            const scorers = await decideIn(session, row, options, terminal)
            if (globals.json === true)
              terminal.out(
                printableJson({ ...row, scorers, ...(attached === null ? {} : { outcomes: attached }) }),
              )
            else if (globals.csv === true) terminal.out(filesCsv(row))
            else {
              terminal.out(await importText(row, session, workspacePath(globals)))
              if (scorers.length > 0) terminal.out(scorersText(scorers))
              if (attached !== null) terminal.out(`\n${attachedText(attached)}`)
            }
            return attached !== null && attached.preview.matched === 0 ? EXIT.fault : importCode(row)
          },
        )
      }),
    )
}

/** Runs one import and gives its report, also when it was cancelled. */
export async function importPaths(
  session: Session,
  paths: readonly string[],
  options: ImportOptions,
  terminal: Terminal,
): Promise<ImportRow> {
  let importId: string | null = null
  try {
    return await session.ask(
      'imports.run',
      {
        files: paths.map((path) => ({ path: resolve(path) })),
        format: options.format ?? null,
        suite: options.suite ?? null,
        label: options.label ?? null,
      },
      (progress) => {
        importId = progress.importId
        terminal.progress(progressLine(progress))
      },
    )
  } catch (error) {
    if (!session.signal.aborted || importId === null) throw error
    // Cancelled: what was kept stands in the list.
    const row = await latest(session, importId)
    if (row === null) throw error
    return row
  } finally {
    terminal.progress(null)
  }
}

/** Attaches the outcomes that were named beside the import, to its trials only; null without any. */
async function attachTo(
  session: Session,
  row: ImportRow,
  options: ImportOptions,
  terminal: Terminal,
): Promise<Attached | null> {
  const { outcomes = [] } = options
  if (outcomes.length === 0 || row.state !== 'kept' || row.trialsNew + row.trialsSame === 0) return null
  const input = { ...attachInput(session, outcomes, options), importId: row.importId }
  return await withProgress(session, terminal, 'outcomes.attach', input)
}

/** What the import would bring, without writing. */
async function lookAt(
  session: Session,
  paths: readonly string[],
  options: ImportOptions,
  { globals, terminal }: Pick<Work, 'globals' | 'terminal'>,
): Promise<number> {
  const preview = await session.ask('imports.preview', {
    files: paths.map((path) => ({ path: resolve(path) })),
    format: options.format ?? null,
    suite: options.suite ?? null,
    label: options.label ?? null,
  })
  if (globals.csv === true) throw new UsageError('A preview is no table: use --json for programs.')
  terminal.out(globals.json === true ? printableJson(preview) : importPreviewText(preview))
  return preview.files.some(({ state }) => state === 'trials') ? EXIT.fine : EXIT.fault
}

async function latest(session: Session, importId: string): Promise<ImportRow | null> {
  const rows = await session.ask('imports.list', {})
  return rows.find((row) => row.importId === importId) ?? null
}

function progressLine(progress: ImportProgress): string {
  const share =
    progress.bytesTotal > 0 ? `${Math.floor((100 * progress.bytesDone) / progress.bytesTotal)} %` : '…'
  const file =
    progress.filesTotal > 1
      ? ` file ${Math.min(progress.filesDone + 1, progress.filesTotal)} of ${progress.filesTotal}`
      : ''
  const problems = progress.problems > 0 ? `, ${plural(progress.problems, 'problem')}` : ''
  return `Importing ${share}${file} ${safe(progress.fileName, 40)}: ${plural(progress.trials, 'trial')}${problems}`
}

/** What became of every file, then the problems with their places. */
async function importText(row: ImportRow, session: Session, path: string): Promise<string> {
  const header: Column[] = [
    { title: 'file' },
    { title: 'format' },
    { title: 'state' },
    { title: 'new', align: 'right' },
    { title: 'already here', align: 'right' },
    { title: 'problems', align: 'right' },
  ]
  const parts = [
    textTable(
      header,
      row.files.map((file) => [
        safe(file.name, 60),
        safe(file.formatTitle ?? file.format ?? 'unknown', 32),
        isAside(file) ? 'outcomes' : file.state,
        String(file.trialsNew),
        String(file.trialsSame),
        file.problems === 0 ? '' : String(file.problems),
      ]),
    ),
  ]
  if (row.filesTotal === 0) parts[0] = 'There is no file in what was named: nothing to import.'
  const unlisted = row.filesTotal - row.files.length
  if (unlisted > 0) parts.push(`… and ${plural(unlisted, 'more file')}, skipped or of no known format.`)
  const faulty = row.files.filter((file) => file.fault !== null)
  if (faulty.length > 0) {
    const more = faulty.length - SHOWN_FAULTS
    const lines = faulty.slice(0, SHOWN_FAULTS).map((file, at) => fileFault(file, at < EXPLAINED_FAULTS))
    parts.push([...lines, ...(more > 0 ? [`… and ${plural(more, 'more file')} like these`] : [])].join('\n'))
  }
  const aside = row.files.filter(isAside)
  const left = row.files.filter((file) => file.state === 'skipped' && file.fault === null && !isAside(file))
  if (left.length > 0) parts.push(leftText(left))
  if (row.problems > 0) parts.push(await problemsText(row, session))
  if (aside.length > 0)
    parts.push(
      `${plural(aside.length, 'file')} of outcomes set aside, to be attached: faultline outcomes attach PATH (first with --dry-run).`,
    )
  parts.push(outcomeText(row, path))
  return parts.join('\n\n')
}

/** A file of outcomes that was set aside, because it speaks of trials that lie in other files. */
function isAside(file: ImportFileRow): boolean {
  return file.state === 'skipped' && file.format !== null
}

/** What was left aside without being looked into (links, housekeeping, unsafe names of a zip), and why. */
function leftText(files: readonly ImportFileRow[]): string {
  const more = files.length - SHOWN_FAULTS
  const lines = files
    .slice(0, SHOWN_FAULTS)
    .map(({ name, reason }) => `  ${safe(name, 60)}: ${safe(reason, 200)}`)
  return ['Left aside:', ...lines, ...(more > 0 ? [`  … and ${plural(more, 'more file')}`] : [])].join('\n')
}

function fileFault(file: ImportFileRow, isExplained: boolean): string {
  const full = file.fault === null ? '' : faultText(file.fault).replace(/^faultline: /, '')
  const text = isExplained || file.state !== 'needs format' ? full : (full.split('\n')[0] ?? '')
  // What is certainly not meant helps nobody to choose.
  const likely = file.candidates.filter(({ confidence }) => confidence > 0)
  const guesses =
    file.state === 'needs format' && likely.length > 0
      ? `\n  --format may be: ${likely.map((c) => `${c.format} (${safe(c.reason, 80)})`).join('; ')}`
      : ''
  return `${safe(file.name, 60)}: ${text}${guesses}`
}

/** Problems by code, the gravest first: the first few of each with their places, the rest counted. */
async function problemsText(row: ImportRow, session: Session): Promise<string> {
  const { rows, total } = await session.ask('imports.problems', {
    importId: row.importId,
    limit: SHOWN_PROBLEMS,
  })
  const groups = [...Map.groupBy(rows, ({ severity, code }) => `${severity} ${code}`)]
  const lines = groups.flatMap(([name, alike]) => {
    const more = alike.length - SHOWN_ALIKE
    return [
      `  ${name}`,
      ...alike.slice(0, SHOWN_ALIKE).map((problem) => `    ${problemLine(problem)}`),
      ...(more > 0 ? [`    … and ${more.toLocaleString('en-US')} more of these`] : []),
    ]
  })
  const more = total - rows.length
  return [
    'Problems:',
    ...lines,
    ...(more > 0 ? [`  … and ${plural(more, 'more problem')}: the Imports screen of the app has all`] : []),
  ].join('\n')
}

function problemLine(problem: ProblemRow): string {
  const place = [
    problem.line === null ? null : `line ${problem.line}`,
    problem.line !== null || problem.byte === null ? null : `byte ${problem.byte}`,
    problem.record === null ? null : `record ${problem.record}`,
  ].filter((part) => part !== null)
  const count = problem.count > 1 ? ` (${problem.count} alike)` : ''
  return `${safe(problem.fileName, 40)}${place.length > 0 ? `, ${place.join(', ')}` : ''}: ${safe(problem.message, 300)}${count}`
}

function outcomeText(row: ImportRow, path: string): string {
  const kept = `${plural(row.trialsNew, 'new trial')} kept, ${row.trialsSame} already here`
  const where = `Workspace: ${path}`
  if (row.state === 'cancelled')
    return `Cancelled: ${kept}. What was kept is complete; import again for the rest.\n${where}`
  if (row.state === 'failed') return `Failed: ${kept}.\n${where}`
  if (row.trialsNew === 0 && row.trialsSame > 0)
    return `Nothing changed: all ${plural(row.trialsSame, 'trial')} are already here.\n${where}`
  return `${kept}.\n${where}`
}

/** 1 when the run was cancelled, failed, or nothing in any file could be read. */
export function importCode(row: ImportRow): number {
  if (row.state === 'cancelled' || row.state === 'failed') return EXIT.fault
  return row.files.some((file) => file.state === 'kept' || file.state === 'unchanged')
    ? EXIT.fine
    : EXIT.fault
}

function filesCsv(row: ImportRow): string {
  return csvText(
    'import_id file bytes format state trials_new trials_same conflicts tasks problems fault message'.split(
      ' ',
    ),
    row.files.map((file) => [
      row.importId,
      file.name,
      file.bytes,
      file.format,
      file.state,
      file.trialsNew,
      file.trialsSame,
      file.conflicts,
      file.tasks,
      file.problems,
      file.fault?.code ?? null,
      file.fault?.message ?? null,
    ]),
  )
}
