// `faultline doctor` and `faultline formats`: what this program is made of and what it can read.

import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import { printableJson } from '../../base/json.ts'
import type { Json, JsonObject } from '../../base/json.ts'
import { csvText } from '../../core/reports/csvtext.ts'
import { safe, textTable } from '../layout.ts'
import type { Run, Work } from '../run.ts'
import { dataFolder, withScratch, withSession, workspacePath, type Session } from '../session.ts'
import { EXIT } from '../usage.ts'

/** Adds both commands. */
export function addAbout(program: Command, run: Run): void {
  program
    .command('doctor')
    .summary('versions of everything, and whether the workspace is sound')
    .description(
      'Prints versions of Faultline, Node, SQLite, the workspace schema, the analysis and the importers.',
    )
    .addHelpText('after', '\nExample:\n  faultline doctor --json')
    .action(() =>
      run(async (work) => {
        const path = workspacePath(work.globals)
        const exists = existsSync(path)
        const report = await inSession(work, exists, async (session) => {
          const formats = await session.ask('imports.formats', {})
          const core = await session.ask('core.doctor', {})
          return {
            ...core,
            ...(exists ? {} : { workspace: null, workspaceBytes: null, integrity: null }),
            workspacePath: path,
            workspaceExists: exists,
            dataFolder: dataFolder(),
            importers: Object.fromEntries(formats.map((item) => [item.format, item.version])),
          } satisfies JsonObject
        })
        printFacts(report, work)
        return EXIT.fine
      }),
    )
  program
    .command('formats')
    .summary('formats that can be imported')
    .description(
      'Lists the formats that import recognises by their content. The id goes to import --format. Files of outcomes alone are attached to trials (faultline outcomes), or are trials without steps when nothing else is imported with them.',
    )
    .addHelpText('after', '\nExample:\n  faultline formats')
    .action(() =>
      run(async (work) => {
        const { formats, recognised } = await inSession(work, false, async (session) => ({
          formats: await session.ask('imports.formats', {}),
          recognised: await session.ask('imports.recognised', {}),
        }))
        if (work.globals.json === true) work.terminal.out(printableJson(formats))
        else if (work.globals.csv === true)
          work.terminal.out(
            csvText(
              ['format', 'title', 'version', 'status', 'holds'],
              formats.map((f) => [f.format, f.title, f.version, f.status, holds(f)]),
            ),
          )
        else
          work.terminal.out(
            textTable(
              [
                { title: 'format' },
                { title: 'title' },
                { title: 'version', align: 'right' },
                { title: 'status' },
                { title: 'holds' },
              ],
              formats.map((f) => [f.format, f.title, String(f.version), f.status, holds(f)]),
            ) + `\n\nRecognised, and not yet read: ${recognised.join('; ')}.`,
          )
        return EXIT.fine
      }),
    )
}

/** What the files of a format hold. */
function holds(format: { readonly isOutcomes: boolean }): string {
  return format.isOutcomes ? 'outcomes' : 'trials'
}

/** On the workspace when it exists; these commands make none. */
function inSession<T>(work: Work, exists: boolean, ask: (session: Session) => Promise<T>): Promise<T> {
  const { globals, terminal, signal } = work
  return exists
    ? withSession({ ...globals, config: [] }, { terminal, create: false, signal }, ask)
    : withScratch(globals, { terminal, signal }, ask)
}

function printFacts(facts: JsonObject, { globals, terminal }: Work): void {
  if (globals.json === true) {
    terminal.out(printableJson(facts))
    return
  }
  const rows = Object.entries(facts).map(([name, value]) => [name, factText(value)] as const)
  if (globals.csv === true) terminal.out(csvText(['name', 'value'], rows))
  else
    terminal.out(
      textTable(
        [{ title: '' }, { title: '' }],
        rows.map(([name, value]) => [name, safe(value, 400)]),
      ).replace(/^\n/, ''),
    )
}

function factText(value: Json | undefined): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value)) return value.map((item: Json) => factText(item)).join(', ')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, item]) => `${name} ${factText(item as Json)}`)
      .join(', ')
  return String(value)
}
