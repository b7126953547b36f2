// Imports: the job that brings files into the workspace, the list of runs and their problems, undo and redo. What a
// run reads comes from the import thread; importrun.ts writes it. Everything is in the store as it happens, so that
// a crash leaves the truth behind.

import { Fault } from '../../base/fault.ts'
import type { ImportProgress, ImportRow } from '../../contract/rows.ts'
import { checkpointMeanwhile } from '../checkpointworker.ts'
import type { Context, Slice } from '../context.ts'
import { runImportThread } from '../importthread.ts'
import type { ImportOrder, Sample } from '../importnews.ts'
import { RECOGNISED } from '../importers/detect.ts'
import { importerById, IMPORTERS } from '../importers/registry.ts'
import { allRuns, runById } from '../store/imports.ts'
import { problemsOf } from '../store/problems.ts'
import { redoRun, undoRun } from '../store/removal.ts'
import { adoptRuns } from './adopt.ts'
import { beginRun } from './importrun.ts'
import { previewImport } from './importpreview.ts'
import { renumberTasks } from './renumber.ts'

/** Progress is told this often while an import runs. */
const PROGRESS_MS = 100

/** One import, as `imports.run` and the sample workspace ask for it. */
export type ImportRequest = {
  readonly paths: readonly string[]
  readonly format: string | null
  readonly suite: string | null
  /** Formats of single files by name; `skip` leaves a file out. */
  readonly formats?: Readonly<Record<string, string>>
  /** A label for the configurations. */
  readonly label?: string | null
}

/**
 * Imports files and folders into the open workspace. An abort ends it with state `cancelled`, keeping what was
 * written; the answer says what that is. Rejects only when the workspace cannot be written or the thread breaks; then
 * too, what was written is kept and the run says `failed`.
 */
export async function importFiles(
  context: Context,
  request: ImportRequest,
  signal: AbortSignal,
  progress: (value: ImportProgress) => void,
): Promise<ImportRow> {
  refuseUnknownFormats(request)
  // A run that failed on a full disk may not have been able to say so.
  adoptRuns(context)
  const run = beginRun(context, request)
  const stopCheckpoints = checkpointMeanwhile(context.db(), context.appVersion)
  const timer = setInterval(() => progress(run.progress()), PROGRESS_MS)
  try {
    await runImportThread(orderOf(request, null), signal, run.take)
    run.end(signal.aborted ? 'cancelled' : 'kept')
  } catch (error) {
    run.fail(error)
    throw error
  } finally {
    clearInterval(timer)
    try {
      await renumberTasks(context, run.changedTasks())
      await stopCheckpoints()
      if (run.changedTasks().size > 0) await context.rules().settle(signal)
    } finally {
      run.leave()
    }
  }
  progress(run.progress())
  context.scheduleAnalysis([...run.changedTasks()])
  return must(context, run.importId)
}

/** A request as the import thread takes it; `sample` null: everything is read. */
export function orderOf(request: ImportRequest, sample: Sample | null): ImportOrder {
  const { paths, format, suite, formats = {}, label = null } = request
  return { kind: 'import', paths, format, suite, formats, label, sample }
}

/** Throws INVALID_INPUT for a format that there is not. */
export function refuseUnknownFormats(request: ImportRequest): void {
  const named = [request.format, ...Object.values(request.formats ?? {})]
  const unknown = named.find((id) => id !== null && id !== 'skip' && importerById(id) === null)
  if (unknown === undefined || unknown === null) return
  throw new Fault('INVALID_INPUT', `There is no format named “${unknown}”.`, {
    where: 'format',
    hint: `Known formats: ${IMPORTERS.map((importer) => importer.id).join(', ')}.`,
  })
}

/** imports.* */
export function importsService(
  context: Context,
): Slice<
  | 'imports.run'
  | 'imports.preview'
  | 'imports.list'
  | 'imports.problems'
  | 'imports.undo'
  | 'imports.redo'
  | 'imports.formats'
  | 'imports.recognised'
> {
  return {
    'imports.run': ({ files, ...choices }, { signal, progress }) =>
      importFiles(context, { paths: files.map((file) => file.path), ...choices }, signal, progress),
    'imports.preview': ({ files, ...choices }, { signal, progress }) => {
      const request = { paths: files.map((file) => file.path), ...choices }
      refuseUnknownFormats(request)
      return previewImport(context, request, signal, progress)
    },
    'imports.list': () => allRuns(context.db()),
    'imports.problems': ({ importId, fileId, offset, limit }) => {
      must(context, importId)
      return problemsOf(context.db(), { importId, fileId }, { offset, limit })
    },
    'imports.undo': async ({ importId }) => {
      refuseRunning(context, importId)
      const { taskIds } = undoRun(context.db(), importId, context.now())
      await renumberTasks(context, taskIds)
      context.scheduleAnalysis(taskIds)
      return must(context, importId)
    },
    'imports.redo': async ({ importId }) => {
      refuseRunning(context, importId)
      const { taskIds } = redoRun(context.db(), importId)
      await renumberTasks(context, taskIds)
      context.scheduleAnalysis(taskIds)
      return must(context, importId)
    },
    'imports.formats': () =>
      IMPORTERS.map(({ id, title, version, status, isOutcomes = false }) => ({
        format: id,
        title,
        version,
        status,
        isOutcomes,
      })),
    'imports.recognised': () => RECOGNISED,
  }
}

function must(context: Context, importId: string): ImportRow {
  const run = runById(context.db(), importId)
  if (run === null) {
    throw new Fault('NOT_FOUND', 'This import is not in the workspace.', {
      where: importId,
      hint: 'It may have been deleted, or another workspace is open.',
    })
  }
  return run
}

function refuseRunning(context: Context, importId: string): void {
  adoptRuns(context)
  if (must(context, importId).state !== 'running') return
  throw new Fault('DB_LOCKED', 'This import is still running.', {
    hint: 'Cancel it, or wait until it has finished.',
  })
}
