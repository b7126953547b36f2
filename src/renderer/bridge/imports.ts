// Starting imports from the window: dialog, drop, and again with a format chosen by hand. Keeps the grants of this
// session's files, because a grant is the only name that the window has for a file. The work itself is a job.

import type { FaultData } from '../../base/fault.ts'
import { oneLine, plural } from '../../base/text.ts'
import type { Granted } from '../../contract/events.ts'
import type { ImportPreview } from '../../contract/outcomerows.ts'
import type { ImportFileRow, ImportRow } from '../../contract/rows.ts'
import { desktop } from './desktop.ts'
import { startWork } from './work.ts'

const granted: Granted[] = []

/** The end of an import run in one line, from its counts. */
export function importSummary(run: ImportRow): string {
  const files = run.filesTotal
  const first = run.files[0]
  const name = files === 1 && first !== undefined ? oneLine(first.name, 60) : plural(files, 'file')
  if (run.state === 'cancelled')
    return run.trialsNew > 0
      ? `Import cancelled: ${plural(run.trialsNew, 'trial')} of ${name} kept`
      : `Import cancelled: nothing kept of ${name}`
  if (run.trialsNew > 0) {
    const same = run.trialsSame > 0 ? `, ${plural(run.trialsSame, 'trial')} already here` : ''
    return `${plural(run.trialsNew, 'trial')} kept from ${name}${same}`
  }
  if (run.trialsSame > 0) return `Already here, nothing changed: ${name}`
  const waiting = run.files.filter((file) => file.state === 'needs format').length
  if (waiting > 0) return `${name}: the format is not known`
  return `Nothing could be imported from ${name}`
}

/** What a person decided about an import beside its files. */
export type ImportChoices = {
  readonly format?: string | null
  /** Formats of single files by name; `skip` leaves a file out. */
  readonly formats?: Readonly<Record<string, string>>
  readonly suite?: string | null
  /** A label for the configurations. */
  readonly label?: string | null
}

const titleOf = (files: readonly Granted[]): string => {
  const [first] = files
  return files.length === 1 && first !== undefined ? oneLine(first.name, 60) : plural(files.length, 'file')
}

/** Looks at granted files without keeping anything. Null when that failed or was cancelled. */
export function previewFiles(
  files: readonly Granted[],
  onFault: (fault: FaultData) => void,
): Promise<ImportPreview | null> {
  return startWork(
    'imports.preview',
    { files: files.map(({ grant }) => ({ grant })) },
    {
      title: `Looking at ${titleOf(files)}`,
      summarise: () => ({ summary: `Looked at ${titleOf(files)}`, importId: null }),
      onFault,
    },
  )
}

/** Imports granted files in the background. Gives the run, or null when it failed or was cancelled. */
export async function importFiles(
  files: readonly Granted[],
  choices: ImportChoices,
  onFault: (fault: FaultData) => void,
): Promise<ImportRow | null> {
  if (files.length === 0) return null
  granted.push(...files)
  const { format = null, formats = {}, suite = null, label = null } = choices
  return startWork(
    'imports.run',
    { files: files.map(({ grant }) => ({ grant })), format, formats: { ...formats }, suite, label },
    {
      title: `Importing ${titleOf(files)}`,
      summarise: (run) => ({ summary: importSummary(run), importId: run.importId }),
      onFault,
    },
  )
}

/** Asks for files or folders; empty when the person cancelled. */
export function chooseFiles(folders: boolean): Promise<readonly Granted[]> {
  return desktop('files.choose', { folders })
}

/**
 * The grant of a file that an import run lists, newest first; null when it was not chosen by itself since the app started
 * (it came in a folder, or before the last start).
 */
export function grantOf(file: Pick<ImportFileRow, 'name'>): Granted | null {
  return granted.findLast((one) => !one.isFolder && one.name === file.name) ?? null
}

/** The grant of the folder or zip that a listed file came in, when that was chosen since the app started. */
export function folderOf(file: Pick<ImportFileRow, 'name'>): Granted | null {
  const [top, ...rest] = file.name.split('/')
  if (rest.length === 0) return null
  return granted.findLast((one) => one.name === top) ?? null
}
