// What the frame can do with workspaces and files: open, make, copy, delete, import. Each asks the desktop for a file,
// the core for the work, and says how it ended. Called by commands, menus and buttons alike.

import { plural, visibleText } from '../../base/text.ts'
import { ask } from '../bridge/client.ts'
import { desktop } from '../bridge/desktop.ts'
import {
  chooseFiles,
  importFiles,
  importSummary,
  previewFiles,
  type ImportChoices,
} from '../bridge/imports.ts'
import { forgetEndedWork, startWork } from '../bridge/work.ts'
import type { Granted } from '../../contract/events.ts'
import type { ImportRow } from '../../contract/rows.ts'
import { afterSavingDrafts } from '../screens/task/annotation/savers.ts'
import { TASKS, type Place } from './places.ts'
import { needsLook, openIntake, useIntake } from './intakes.ts'
import { say, showFault } from './notices.ts'
import { forgetUndo, remember } from './undo.ts'

/** The way to another place; the frame's own `go`. */
export type Go = (place: Place) => void

/** Opens a granted workspace file; with `create`, makes it. Everything on screen is asked anew. */
export async function openWorkspace(
  file: { readonly grant: string },
  create: boolean,
  go: Go,
): Promise<void> {
  try {
    const info = await afterSavingDrafts(() => ask('workspace.open', { file: { grant: file.grant }, create }))
    forgetUndo()
    forgetEndedWork()
    say(`Opened ${info.name}`)
    go(TASKS)
  } catch (error) {
    showFault('The workspace was not opened', error)
  }
}

/** Asks where a new workspace shall lie and opens it. */
export async function newWorkspace(go: Go): Promise<void> {
  const file = await desktop('files.chooseSave', { suggestedName: 'evaluation.fault', kind: 'workspace' })
  if (file !== null) await openWorkspace(file, true, go)
}

/** Asks for a workspace file and opens it. */
export async function chooseWorkspace(go: Go): Promise<void> {
  const file = await desktop('files.chooseWorkspace', {})
  if (file !== null) await openWorkspace(file, false, go)
}

/** Opens the sample workspace, making it when it is absent. */
export async function openSample(go: Go): Promise<void> {
  const info = await afterSavingDrafts(() =>
    startWork(
      'workspace.openSample',
      {},
      {
        title: 'Opening the sample workspace',
        summarise: (answer) => ({
          summary: `Opened the sample workspace: ${plural(answer.trials, 'trial')} of ${plural(answer.tasks, 'task')}`,
          importId: null,
        }),
        onFault: (fault) => showFault('The sample workspace was not opened', fault),
      },
    ),
  )
  if (info === null) return
  forgetUndo()
  go(TASKS)
}

/** Asks where to and writes a copy of the open workspace there. */
export async function saveCopy(name: string): Promise<void> {
  try {
    const base = name.replace(/\.fault$/, '')
    const file = await desktop('files.chooseSave', { suggestedName: `${base} copy.fault`, kind: 'workspace' })
    if (file === null) return
    const { bytes } = await ask('workspace.saveCopy', { file: { grant: file.grant } })
    say(`Saved a copy as ${file.name} (${bytesText(bytes)})`)
  } catch (error) {
    showFault('The copy was not saved', error)
  }
}

/** Puts a safety copy into the open workspace, by its name; what the workspace held is a copy of its own then. */
export async function restoreCopy(name: string): Promise<void> {
  try {
    const { savedAs } = await afterSavingDrafts(() => ask('workspace.restoreBackup', { name }))
    forgetUndo()
    forgetEndedWork()
    say(`Restored ${visibleText(name)}; what was here before is ${visibleText(savedAs)}`)
  } catch (error) {
    showFault('The copy was not restored', error)
  }
}

/** How much is deleted, restored or erased: `7 trials and 2 rules`. */
export function everythingText({
  trials,
  rules,
}: {
  readonly trials: number
  readonly rules: number
}): string {
  return rules === 0 ? plural(trials, 'trial') : `${plural(trials, 'trial')} and ${plural(rules, 'rule')}`
}

/** Marks everything for deletion; can be undone until the app closes. */
export async function deleteEverything(): Promise<void> {
  try {
    const deleted = await ask('workspace.deleteAll', {})
    remember({
      title: 'delete everything',
      undo: () => ask('workspace.restoreAll', {}),
      redo: () => ask('workspace.deleteAll', {}),
    })
    say(`${everythingText(deleted)} deleted; erased for good when Faultline closes`, {
      title: 'Undo',
      run: () => void restoreEverything(),
    })
  } catch (error) {
    showFault('Nothing was deleted', error)
  }
}

/** Brings back everything that was deleted and is not yet erased. */
export async function restoreEverything(): Promise<void> {
  try {
    say(`${everythingText(await ask('workspace.restoreAll', {}))} restored`)
  } catch (error) {
    showFault('Nothing was restored', error)
  }
}

/**
 * Imports files that were granted and shows the run; a workspace among them is opened instead. A file by itself is kept
 * at once; a folder or several files are looked at first, and shown when something about them needs a person.
 */
export async function takeFiles(
  files: readonly Granted[],
  go: Go,
  format: string | null = null,
): Promise<void> {
  const workspace = files.find((file) => !file.isFolder && file.name.toLowerCase().endsWith('.fault'))
  if (workspace !== undefined) {
    await openWorkspace(workspace, false, go)
    return
  }
  if (files.length === 0) return
  go({ at: 'imports', importId: null })
  const { looksFirst } = useIntake.getState()
  if (format === null && (looksFirst || files.length > 1 || files.some(({ isFolder }) => isFolder))) {
    const preview = await previewFiles(files, (fault) => showFault('The files were not looked at', fault))
    if (preview === null) return
    if (looksFirst || needsLook(preview)) {
      openIntake({ kind: 'look', files, preview })
      return
    }
  }
  await keepFiles(files, go, { format })
}

/** Imports files that were granted, as decided, and shows the run. Null when it did not end well. */
export async function keepFiles(
  files: readonly Granted[],
  go: Go,
  choices: ImportChoices,
): Promise<ImportRow | null> {
  go({ at: 'imports', importId: null })
  const run = await importFiles(files, choices, (fault) => showFault('The import did not finish', fault))
  if (run !== null && run.trialsNew > 0) rememberImport(run.importId, importSummary(run))
  return run
}

/** Asks for files of outcomes and opens the sheet that attaches them. */
export async function chooseAndAttach(): Promise<void> {
  try {
    const files = await chooseFiles(false)
    if (files.length > 0) openIntake({ kind: 'attach', wish: { files, only: null, importId: null } })
  } catch (error) {
    showFault('No outcomes were attached', error)
  }
}

/** Puts an import run on the undo stack. */
export function rememberImport(importId: string, title: string): void {
  remember({
    title,
    undo: () => ask('imports.undo', { importId }),
    redo: () => ask('imports.redo', { importId }),
  })
}

/** Asks for files (or folders) and imports them. */
export async function chooseAndImport(folders: boolean, go: Go): Promise<void> {
  try {
    await takeFiles(await chooseFiles(folders), go)
  } catch (error) {
    showFault('Nothing was imported', error)
  }
}

/** Bytes as a person reads them: `640 B`, `12.4 kB`, `1.2 GB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}
