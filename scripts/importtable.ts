/**
 * What files and folders hold, as an import sees them: `node scripts/importtable.ts PATH…` prints a row per file with
 * its format, tasks, trials, outcomes and problems. Looks with a real core at a workspace in a temporary folder that is
 * gone afterwards; writes nothing beside it. For maintainers who add a format, and for the tests of whole sets.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { PreviewFile } from '../src/contract/outcomerows.ts'
import { openCore, type Core } from '../src/core/core.ts'

/** One file. `problems` is per code how often it was met; `why` is said of a file that is not read. */
export type ImportTableRow = {
  readonly file: string
  readonly format: string | null
  readonly state: PreviewFile['state'] | 'unchanged'
  readonly tasks: number
  readonly trials: number
  readonly pass: number
  readonly fail: number
  readonly error: number
  readonly unknown: number
  readonly problems: Readonly<Record<string, number>>
  readonly why: string | null
}

const PAGE = 500

/** The rows of everything below a path, in the order of its import. Imports it into the open workspace. */
export async function importTable(core: Core, path: string): Promise<ImportTableRow[]> {
  const files = [{ path: resolve(path) }]
  const choices = { format: null, suite: null, label: null }
  const preview = await core.request('imports.preview', { files, ...choices })
  const run = await core.request('imports.run', { files, ...choices })
  const met = new Map<string, Record<string, number>>()
  for (let offset = 0; ; offset += PAGE) {
    const { rows } = await core.request('imports.problems', {
      importId: run.importId,
      fileId: null,
      offset,
      limit: PAGE,
    })
    for (const { fileName, code, count } of rows) {
      const codes = met.get(fileName) ?? {}
      codes[code] = (codes[code] ?? 0) + count
      met.set(fileName, codes)
    }
    if (rows.length < PAGE) break
  }
  return preview.files.map((file) => ({
    file: file.name,
    format: file.format,
    state: file.state,
    tasks: file.tasks,
    trials: file.trials,
    ...file.outcomes,
    problems: met.get(file.name) ?? {},
    why: file.fault?.message ?? null,
  }))
}

const COLUMNS = ['file', 'format', 'tasks', 'trials', 'pass', 'fail', 'error', 'unknown', 'problems'] as const

/** The rows as a Markdown table; a file that is not read says why in place of its figures. */
export function importTableText(rows: readonly ImportTableRow[]): string {
  const cells = rows.map((row) => {
    const problems = Object.entries(row.problems).map(([code, count]) => `${count} ${code}`)
    return row.format === null
      ? [row.file, `not read: ${row.why ?? row.state}`, ...Array<string>(COLUMNS.length - 2).fill('')]
      : COLUMNS.map((column) => (column === 'problems' ? problems.join(', ') : String(row[column])))
  })
  const line = (parts: readonly string[]): string => `| ${parts.join(' | ')} |`
  return [line(COLUMNS), line(COLUMNS.map(() => '---')), ...cells.map(line)].join('\n')
}

if (import.meta.main) {
  const paths = process.argv.slice(2)
  if (paths.length === 0) {
    process.stderr.write('usage: node scripts/importtable.ts PATH…\n')
    process.exit(2)
  }
  const folder = mkdtempSync(join(tmpdir(), 'faultline-importtable-'))
  const core = openCore({
    path: join(folder, 'table.fault'),
    resourcesDir: join(import.meta.dirname, '../resources'),
    userDataDir: folder,
    appVersion: 'importtable',
    emit: () => {},
    watchMs: 0,
  })
  try {
    for (const path of paths) process.stdout.write(`${importTableText(await importTable(core, path))}\n`)
  } finally {
    await core.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
