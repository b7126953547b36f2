// Trials as they travel to the analysis worker: their heads, and their steps still compressed. Reading only.

import type { Configuration } from '../../model/trial.ts'
import { UNKNOWN_CONFIGURATION, type Trial } from '../../model/trial.ts'
import type { Outcome } from '../../model/outcome.ts'
import type { ReadableDb } from './connection.ts'
import { OUTCOME } from './judgements.ts'
import type { Packed } from './blobs.ts'

/** A trial's head, and `{steps, extra}` packed. What the analysis does not read is left at null. */
export type PackedTrial = {
  readonly id: string
  readonly head: Omit<Trial, 'steps' | 'extra'>
  readonly body: Packed
}

type Row = {
  readonly id: string
  readonly outcome: Outcome
  readonly termination: string | null
  readonly error: string | null
  readonly suite: string
  readonly task: string
  readonly configuration: string
  readonly startedAt: string | null
  readonly bytes: number
  readonly body: Uint8Array<ArrayBuffer>
}

/** The counted trials of a task in scope (`configurations` null: all), in the order of configuration and number. */
export function packedTrials(
  db: ReadableDb,
  taskId: string,
  configurations: readonly string[] | null,
): readonly PackedTrial[] {
  const rows = db.all<Row>(
    `SELECT trials.id AS id, ${OUTCOME} AS outcome, termination, error, suite, task, configurations.content AS configuration,
       started_at AS startedAt, trial_blobs.bytes AS bytes, trial_blobs.body AS body
     FROM trials JOIN tasks ON tasks.id = task_id JOIN configurations ON configurations.id = configuration_id
       JOIN trial_blobs ON trial_seq = trials.seq
     WHERE task_id = ? AND deleted_at IS NULL AND is_conflict = 0
       AND (? IS NULL OR configuration_id IN (SELECT value FROM json_each(?)))
     ORDER BY configurations.seq, number`,
    taskId,
    configurations === null ? null : 1,
    JSON.stringify(configurations ?? []),
  )
  return rows.map((row) => ({
    id: row.id,
    head: {
      sourceId: null,
      suite: row.suite,
      task: row.task,
      taskTitle: null,
      taskInput: null,
      configuration: { ...UNKNOWN_CONFIGURATION, ...(JSON.parse(row.configuration) as Configuration) },
      sourceTrial: null,
      seed: null,
      outcome: row.outcome,
      score: null,
      scoreRaw: null,
      scores: {},
      scorer: null,
      termination: row.termination,
      error: row.error === null ? null : (JSON.parse(row.error) as Trial['error']),
      severeErrors: [],
      usage: null,
      costUsd: null,
      startedAt: row.startedAt,
      endedAt: null,
      timeNaive: false,
    },
    body: { bytes: row.bytes, body: row.body },
  }))
}
