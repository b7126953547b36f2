// `faultline diagnose`: everything at once, without touching any workspace: import into a scratch one (or take the
// sample), print the task table and the top finding, and leave a report behind. `npm start` runs it where there is
// no screen.

import type { Command } from 'commander'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { printableJson } from '../../base/json.ts'
import { plural } from '../../base/text.ts'
import type { TaskRow } from '../../contract/rows.ts'
import { taskAddress } from '../../core/reports/figures.ts'
import { findingText } from '../finding.ts'
import { safe } from '../layout.ts'
import type { Run } from '../run.ts'
import { analysedTasks, withScratch, type Session } from '../session.ts'
import { taskListText } from '../tasktable.ts'
import type { Terminal } from '../terminal.ts'
import { EXIT } from '../usage.ts'
import { analysedTask } from './task.ts'
import { importCode, importPaths } from './import.ts'

type DiagnoseOptions = { readonly out?: string }

/** Adds the command. */
export function addDiagnose(program: Command, run: Run): void {
  program
    .command('diagnose')
    .summary('look at files, or at the sample, without keeping anything')
    .description(
      'Imports into a workspace that is thrown away afterwards, prints the task table and the top finding, and writes a report. Without a path it looks at the sample workspace.',
    )
    .argument('[path...]', 'files or folders; none: the sample workspace')
    .option('--out <file>', 'where the Markdown report goes (default: a new folder for temporary files)')
    .addHelpText('after', '\nExamples:\n  faultline diagnose\n  faultline diagnose results/ --out report.md')
    .action((paths: readonly string[], options: DiagnoseOptions) =>
      run(async ({ globals, terminal, signal }) =>
        withScratch(globals, { terminal, signal }, async (session) => {
          if (paths.length > 0) {
            const row = await importPaths(session, paths, {}, terminal)
            const code = importCode(row)
            terminal.note(`${plural(row.trialsNew, 'trial')} read, ${plural(row.problems, 'problem')}.`)
            for (const file of row.files)
              if (file.fault !== null) terminal.warn(`${safe(file.name)}: ${safe(file.fault.message, 400)}`)
            if (code !== EXIT.fine) return code
          } else {
            await session.ask('workspace.openSample', {}, (progress) =>
              terminal.progress(`Opening the sample workspace: ${plural(progress.trials, 'trial')}`),
            )
            terminal.progress(null)
          }
          await show(session, options, terminal, globals.json === true)
          return EXIT.fine
        }),
      ),
    )
}

async function show(
  session: Session,
  options: DiagnoseOptions,
  terminal: Terminal,
  asJson: boolean,
): Promise<void> {
  const list = await analysedTasks(session, {}, terminal)
  const top = list.rows.find((row) => row.lead.state === 'lead')
  const path = resolve(options.out ?? join(mkdtempSync(join(tmpdir(), 'faultline-report-')), 'report.md'))
  const report = { view: session.view, format: 'markdown' } as const
  const saved = await session.ask('report.save', { file: { path }, report })
  if (asJson) {
    terminal.out(printableJson({ tasks: list, top: top?.taskId ?? null, report: saved.path }))
    return
  }
  const width = terminal.columns ?? 120
  terminal.out(taskListText(list, terminal.style, terminal.columns))
  terminal.out('')
  terminal.out(await topFinding(session, top, terminal, width))
  terminal.out(`\nReport: ${saved.path}`)
}

/** The first task with a lead, in the order of the table: severe first. */
async function topFinding(
  session: Session,
  top: TaskRow | undefined,
  terminal: Terminal,
  width: number,
): Promise<string> {
  if (top === undefined) return 'No task has a lead: no difference separates failing from passing trials.'
  const view = await analysedTask(session, top.taskId, terminal)
  const { style } = terminal
  return `${style.bold(`Top finding: ${safe(taskAddress(top), 80)}`)}\n${findingText(view, null, style, width)}`
}
