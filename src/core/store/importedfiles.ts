// The files whose trials are in the workspace, by name: for choosing one side of a comparison. Reading only.

import type { ReadableDb } from './connection.ts'

/** One file of a run that is not undone. Names are those under which files were imported. */
export type ImportedFile = { readonly fileId: string; readonly name: string; readonly trials: number }

/** Files that brought or repeated a trial, in the order of arrival. */
export function importedFiles(db: ReadableDb): readonly ImportedFile[] {
  return db
    .rows<[string, string, number]>(
      `SELECT import_files.id, import_files.name, count(DISTINCT origins.trial_seq)
       FROM import_files JOIN import_runs ON import_runs.id = import_files.import_id
         JOIN origins ON origins.file_id = import_files.id
       WHERE import_runs.undone_at IS NULL AND import_runs.deleted_at IS NULL
       GROUP BY import_files.id ORDER BY import_runs.seq, import_files.position`,
    )
    .map(([fileId, name, trials]) => ({ fileId, name, trials }))
}
