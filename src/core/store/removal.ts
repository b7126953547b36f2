// Deleting, in two steps: a mark that can be taken back until the app closes, then erasing. A trial is marked by a
// person, by the undo of its import run, or by "delete everything", which takes the rest, too (taken.ts); the same marks
// are taken back by their opposite.
// Every function that marks is one durable transaction and gives the tasks whose trials changed.

import type { ReadableDb, WritableDb } from './connection.ts'
import { settleConflict } from './conflicts.ts'
import { dropForgottenWords } from './searchindex.ts'
import { countRules } from './rules.ts'
import { eraseTaken, giveBack, hasTaken, take, TAKEN_RULES } from './taken.ts'

/** What a mark changed. */
export type Changed = { readonly trials: number; readonly taskIds: readonly string[] }

/** How much was deleted, brought back or erased with everything. */
export type Everything = { readonly trials: number; readonly rules: number }

/** An origin in a run that is neither undone nor deleted. */
const LIVING_ORIGIN = `EXISTS (
  SELECT 1 FROM origins JOIN import_files ON import_files.id = file_id
    JOIN import_runs ON import_runs.id = import_files.import_id
  WHERE origins.trial_seq = trials.seq AND undone_at IS NULL AND import_runs.deleted_at IS NULL)`

const OF_RUN = `seq IN (SELECT trial_seq FROM origins JOIN import_files ON import_files.id = file_id
  WHERE import_files.import_id = ?)`

/** Finds the trials of a condition, changes them, and looks at the conflicts that this makes or ends. */
function mark(
  db: WritableDb,
  where: string,
  bound: readonly string[],
  set: string,
  setBound: readonly string[],
): Changed {
  const found = db.rows<[number, string, string | null]>(
    `SELECT seq, task_id, source_key FROM trials WHERE ${where}`,
    ...bound,
  )
  db.run(
    `UPDATE trials SET ${set} WHERE seq IN (SELECT value FROM json_each(?))`,
    ...setBound,
    JSON.stringify(found.map(([seq]) => seq)),
  )
  for (const key of new Set(found.map(([, , key]) => key))) if (key !== null) settleConflict(db, key)
  return { trials: found.length, taskIds: [...new Set(found.map(([, taskId]) => taskId))] }
}

const DELETE = (by: 'person' | 'import' | 'all'): string => `deleted_at = ?, deleted_by = '${by}'`
const RESTORE = 'deleted_at = NULL, deleted_by = NULL'

/** Marks single trials. Ids that are not there, or already marked, are passed over. */
export function deleteTrials(db: WritableDb, trialIds: readonly string[], now: string): Changed {
  const where = 'deleted_at IS NULL AND id IN (SELECT value FROM json_each(?))'
  return db.durable(() => mark(db, where, [JSON.stringify(trialIds)], DELETE('person'), [now]))
}

/** Takes the mark back from single trials, however they came by it. */
export function restoreTrials(db: WritableDb, trialIds: readonly string[]): Changed {
  const where = 'deleted_at IS NOT NULL AND id IN (SELECT value FROM json_each(?))'
  return db.durable(() => mark(db, where, [JSON.stringify(trialIds)], RESTORE, []))
}

/** Undoes an import run: marks its trials, except those that a living run brought, too. */
export function undoRun(db: WritableDb, importId: string, now: string): Changed {
  return db.durable(() => {
    db.run('UPDATE import_runs SET undone_at = ? WHERE id = ? AND undone_at IS NULL', now, importId)
    const where = `deleted_at IS NULL AND ${OF_RUN} AND NOT ${LIVING_ORIGIN}`
    return mark(db, where, [importId], DELETE('import'), [now])
  })
}

/** Redoes an undone import run: its trials come back, except those that a person deleted one by one. */
export function redoRun(db: WritableDb, importId: string): Changed {
  return db.durable(() => {
    db.run('UPDATE import_runs SET undone_at = NULL WHERE id = ?', importId)
    return mark(db, `deleted_by = 'import' AND ${OF_RUN}`, [importId], RESTORE, [])
  })
}

/** Marks every trial with what hangs on it, every import run, every rule and what was chosen for the data. */
export function deleteAll(db: WritableDb, now: string): Everything {
  return db.durable(() => {
    const rules = countRules(db)
    take(db)
    db.run('UPDATE import_runs SET deleted_at = ? WHERE deleted_at IS NULL', now)
    const { trials } = mark(db, 'deleted_at IS NULL', [], DELETE('all'), [now])
    return { trials, rules }
  })
}

/** Takes all marks back: of trials, of undone runs, of deleted runs, and of what went with everything. */
export function restoreAll(db: WritableDb): Everything {
  return db.durable(() => {
    const rules = giveBack(db)
    db.run('UPDATE import_runs SET deleted_at = NULL, undone_at = NULL')
    const { trials } = mark(db, 'deleted_at IS NOT NULL', [], RESTORE, [])
    return { trials, rules }
  })
}

/** True when there is nothing that "delete everything" would take. */
export function isEmpty(db: ReadableDb): boolean {
  return (
    db.value<number>(
      `SELECT EXISTS (SELECT 1 FROM trials WHERE deleted_at IS NULL)
         OR EXISTS (SELECT 1 FROM import_runs WHERE deleted_at IS NULL)
         OR EXISTS (SELECT 1 FROM rules WHERE id NOT IN ${TAKEN_RULES})`,
    ) === 0
  )
}

/** True when something is marked. */
export function hasDeleted(db: ReadableDb): boolean {
  return (
    hasTaken(db) ||
    db.value<number>(
      `SELECT EXISTS (SELECT 1 FROM trials WHERE deleted_at IS NOT NULL)
         OR EXISTS (SELECT 1 FROM import_runs WHERE deleted_at IS NOT NULL OR undone_at IS NOT NULL)`,
    ) === 1
  )
}

/**
 * Removes the rows of everything that is marked, with its texts, annotations and analyses, of rules their history. The pages are overwritten
 * (secure_delete) but the file keeps its size and the log its content: follow with compact() of files.ts.
 */
export function eraseDeleted(db: WritableDb): Everything {
  return db.durable(() => {
    const rules = eraseTaken(db)
    // An analysis quotes step texts: those of every task that loses a trial go, too.
    db.run('DELETE FROM analyses WHERE task_id IN (SELECT task_id FROM trials WHERE deleted_at IS NOT NULL)')
    const trials = db.run('DELETE FROM trials WHERE deleted_at IS NOT NULL')
    if (trials > 0) dropForgottenWords(db)
    // A run whose trials live on through another run hands them over before it goes.
    db.run(
      `UPDATE trials SET import_id = (
         SELECT import_files.import_id FROM origins JOIN import_files ON import_files.id = file_id
           JOIN import_runs ON import_runs.id = import_files.import_id
         WHERE origins.trial_seq = trials.seq AND undone_at IS NULL AND import_runs.deleted_at IS NULL LIMIT 1)
       WHERE import_id IN (SELECT id FROM import_runs WHERE undone_at IS NOT NULL OR deleted_at IS NOT NULL)
         AND ${LIVING_ORIGIN}`,
    )
    db.run(
      `DELETE FROM import_runs WHERE (undone_at IS NOT NULL OR deleted_at IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM trials WHERE trials.import_id = import_runs.id)`,
    )
    db.run('DELETE FROM tasks WHERE NOT EXISTS (SELECT 1 FROM trials WHERE task_id = tasks.id)')
    db.run(
      'DELETE FROM configurations WHERE NOT EXISTS (SELECT 1 FROM trials WHERE configuration_id = configurations.id)',
    )
    db.run('DELETE FROM attachments WHERE id NOT IN (SELECT attachment_id FROM attached_outcomes)')
    db.run(
      'DELETE FROM conflict_choices WHERE source_key NOT IN (SELECT source_key FROM trials WHERE source_key IS NOT NULL)',
    )
    return { trials, rules }
  })
}
