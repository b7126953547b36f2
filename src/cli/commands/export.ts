// `faultline export`: a report of tasks and findings, to a file or to standard output.

import { Option, type Command } from 'commander'
import { extname, resolve } from 'node:path'
import { plural } from '../../base/text.ts'
import type { Input } from '../../contract/contract.ts'
import type { Run } from '../run.ts'
import { analysedTasks, taskNamed, withSession } from '../session.ts'
import { collect, EXIT, UsageError, type GlobalOptions } from '../usage.ts'

type Format = 'markdown' | 'json' | 'csv'

type ExportOptions = {
  readonly task?: readonly string[]
  readonly out?: string
  readonly format?: Format
  readonly summary: boolean
  readonly findings: boolean
  readonly method: boolean
  readonly stepTexts?: boolean
  readonly redact: boolean
}

/** Adds the command. */
export function addExport(program: Command, run: Run): void {
  program
    .command('export')
    .summary('write a report: Markdown, JSON or CSV')
    .description(
      'Writes a report of the tasks in scope with their findings and annotations. The same workspace gives the same bytes. E-mail addresses, phone numbers, keys, ids, card and social security numbers are replaced by counted stubs unless --no-redact.',
    )
    .option('--task <task>', 'only this task: id or suite/task (repeatable)', collect)
    .option('--out <file>', 'write to this file instead of standard output')
    .addOption(
      new Option('--format <format>', 'default: by the ending of --out, else markdown').choices([
        'markdown',
        'json',
        'csv',
      ]),
    )
    .option('--step-texts', 'with the two steps in question, in full')
    .option('--no-summary', 'without the summary')
    .option('--no-findings', 'without findings and annotations')
    .option('--no-method', 'without the method section')
    .option('--no-redact', 'leave everything as it is')
    .addHelpText(
      'after',
      `
Examples:
  faultline export --out report.md
  faultline export --task airline/7 --step-texts
  faultline export --format json --policy error=exclude | jq '.summary.pooled'
  faultline export --out findings.csv

The JSON follows docs/report.schema.json. --json and --csv are short for --format.
Names of people are not recognised by the redaction: read a report before you pass it on.`,
    )
    .action((options: ExportOptions) =>
      run(async ({ globals, terminal, signal }) => {
        const format = formatOf(options, globals)
        return await withSession(globals, { terminal, create: false, signal }, async (session) => {
          await analysedTasks(session, {}, terminal)
          const taskIds: string[] = []
          for (const address of options.task ?? []) taskIds.push((await taskNamed(session, address)).taskId)
          const report: Input<'report.preview'> = {
            view: session.view,
            taskIds: taskIds.length === 0 ? null : taskIds,
            trialIds: null,
            format,
            include: {
              summary: options.summary,
              findings: options.findings,
              method: options.method,
              stepTexts: options.stepTexts === true,
            },
            redact: options.redact,
          }
          if (options.out === undefined) {
            terminal.out((await session.ask('report.preview', report)).text)
            return EXIT.fine
          }
          const saved = await session.ask('report.save', { file: { path: resolve(options.out) }, report })
          const counts = saved.report
          terminal.note(
            `Saved ${saved.path}: ${plural(counts.tasks, 'task')}, ${plural(counts.findings, 'finding')}, ${plural(counts.annotations, 'annotation')}, ${options.redact ? plural(counts.redactions, 'redaction') : 'not redacted'}, ${plural(saved.bytes, 'byte')}.`,
          )
          return EXIT.fine
        })
      }),
    )
}

function formatOf(options: ExportOptions, globals: GlobalOptions): Format {
  const short = globals.json === true ? 'json' : globals.csv === true ? 'csv' : undefined
  if (short !== undefined && options.format !== undefined && short !== options.format)
    throw new UsageError(`--${short} and --format ${options.format} contradict each other.`)
  const byEnding: Readonly<Record<string, Format>> = { '.json': 'json', '.csv': 'csv', '.md': 'markdown' }
  return short ?? options.format ?? byEnding[extname(options.out ?? '').toLowerCase()] ?? 'markdown'
}
