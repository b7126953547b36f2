// Which scores the trials of each suite have, and which one decided where they were imported. Reading only.

import type { ReadableDb } from './connection.ts'

/** A score of a suite: how many trials have it, and between which numbers it lies. */
export type ScoreField = {
  readonly suite: string
  readonly name: string
  readonly trials: number
  readonly lowest: number
  readonly highest: number
}

/** The scores of the trials that are here (of one import run, or with null of all), by suite and name. */
export function scoreFields(db: ReadableDb, importId: string | null): readonly ScoreField[] {
  return db.all<ScoreField>(
    `SELECT suite, key AS name, count(*) AS trials, min(value) AS lowest, max(value) AS highest
     FROM trials JOIN tasks ON tasks.id = task_id, json_each(trials.scores)
     WHERE deleted_at IS NULL AND value IS NOT NULL AND ${OF_RUN}
     GROUP BY suite, key ORDER BY suite, key`,
    importId,
  )
}

/** Which scorer decided how many of these trials; null: the source says the outcome, and not what decided. */
export function decidingScorers(
  db: ReadableDb,
  importId: string | null,
): readonly { readonly suite: string; readonly scorer: string | null; readonly trials: number }[] {
  return db.all(
    `SELECT suite, scorer, count(*) AS trials FROM trials JOIN tasks ON tasks.id = task_id
     WHERE deleted_at IS NULL AND (scorer IS NOT NULL OR outcome IN ('pass', 'fail')) AND ${OF_RUN}
     GROUP BY suite, scorer ORDER BY suite, trials DESC, scorer`,
    importId,
  )
}

const OF_RUN = `(?1 IS NULL OR trials.seq IN (
  SELECT trial_seq FROM origins JOIN import_files ON import_files.id = file_id WHERE import_files.import_id = ?1))`
