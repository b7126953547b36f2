// What statistics need of trials beyond the task table: seeds and start times, and which trials came from which files.
// Reading only.

import type { ReadableDb } from './connection.ts'

/** A counted trial's place in time and seed; null where the import says nothing. */
export type TrialFacts = { readonly seed: string | null; readonly startMs: number | null }

/** The facts of the counted trials: of one task, or of all (`taskId` null). Trial id → facts. */
export function trialFacts(db: ReadableDb, taskId: string | null): ReadonlyMap<string, TrialFacts> {
  const rows = db.rows<[string, string | null, number | null]>(
    `SELECT id, seed, started_ms FROM trials
     WHERE (?1 IS NULL OR task_id = ?1) AND deleted_at IS NULL AND is_conflict = 0`,
    taskId,
  )
  return new Map(rows.map(([id, seed, startMs]) => [id, { seed, startMs }]))
}

/** The trials that stand in any of these files of import runs that are not undone. */
export function trialsOfFiles(db: ReadableDb, fileIds: readonly string[]): ReadonlySet<string> {
  const rows = db.rows<[string]>(
    `SELECT DISTINCT trials.id FROM origins
       JOIN trials ON trials.seq = origins.trial_seq
       JOIN import_files ON import_files.id = origins.file_id
       JOIN import_runs ON import_runs.id = import_files.import_id
     WHERE origins.file_id IN (SELECT value FROM json_each(?))
       AND import_runs.undone_at IS NULL AND import_runs.deleted_at IS NULL`,
    JSON.stringify(fileIds),
  )
  return new Set(rows.map(([id]) => id))
}
