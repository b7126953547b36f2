// Trials as they travel to the analysis worker: their heads, and their steps or their normal forms still compressed.

import type { Configuration } from '../../model/trial.ts'
import { UNKNOWN_CONFIGURATION, type Trial } from '../../model/trial.ts'
import type { Outcome } from '../../model/outcome.ts'
import { NORMAL_VERSION } from '../../analysis/divergence/input.ts'
import type { ReadableDb, WritableDb } from './connection.ts'
import { OUTCOME } from './judgements.ts'
import type { Packed } from './blobs.ts'
import { trialsOfFiles } from './trialfacts.ts'

/**
 * A trial's head, and `{steps, extra}` packed; or, where one is kept, its normal form packed and no body. What the
 * analysis does not read is left at null.
 */
export type PackedTrial = {
  readonly id: string
  readonly head: Omit<Trial, 'steps' | 'extra'>
  readonly stepCount: number
  readonly body: Packed | null
  readonly normal: Packed | null
}

/** A normal form on its way into the store. */
export type PackedNormal = { readonly id: string; readonly variant: string; readonly form: Packed }

/** Names a kind of normal form: its version, and whether the outcome says that there is no final answer. */
export function normalVariant(outcome: Outcome): string {
  return `${NORMAL_VERSION}${outcome === 'error' ? ' error' : ''}`
}

/** Keeps normal forms in place of those before. Trials that are gone meanwhile are left out. */
export function saveNormals(db: WritableDb, normals: readonly PackedNormal[]): void {
  if (normals.length === 0) return
  db.write(() => {
    for (const { id, variant, form } of normals) {
      db.run(
        `INSERT OR REPLACE INTO normal_forms (trial_seq, variant, bytes, body)
         SELECT seq, ?, ?, ? FROM trials WHERE id = ?`,
        variant,
        form.bytes,
        form.body,
        id,
      )
    }
  })
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
  readonly stepCount: number
  readonly bytes: number
  readonly body: Uint8Array<ArrayBuffer> | null
  readonly normalBytes: number | null
  readonly normal: Uint8Array<ArrayBuffer> | null
}

/** The counted trials of a task in scope (`configurations` and `files` null: all), in the order of configuration and number. */
export function packedTrials(
  db: ReadableDb,
  taskId: string,
  configurations: readonly string[] | null,
  want: 'steps' | 'normal' = 'normal',
  files: readonly string[] | null = null,
): readonly PackedTrial[] {
  const isKept =
    want === 'normal'
      ? `normal_forms.variant = '${normalVariant('pass')}' || iif(${OUTCOME} = 'error', ' error', '')`
      : '0'
  const rows = db.all<Row>(
    `SELECT trials.id AS id, ${OUTCOME} AS outcome, termination, error, suite, task,
       configurations.content AS configuration, started_at AS startedAt, step_count AS stepCount,
       trial_blobs.bytes AS bytes, iif(${isKept}, NULL, trial_blobs.body) AS body,
       normal_forms.bytes AS normalBytes, iif(${isKept}, normal_forms.body, NULL) AS normal
     FROM trials JOIN tasks ON tasks.id = task_id JOIN configurations ON configurations.id = configuration_id
       JOIN trial_blobs ON trial_blobs.trial_seq = trials.seq
       LEFT JOIN normal_forms ON normal_forms.trial_seq = trials.seq
     WHERE task_id = ? AND deleted_at IS NULL AND is_conflict = 0
       AND (? IS NULL OR configuration_id IN (SELECT value FROM json_each(?)))
     ORDER BY configurations.seq, number`,
    taskId,
    configurations === null ? null : 1,
    JSON.stringify(configurations ?? []),
  )
  const ofFiles = files === null ? null : trialsOfFiles(db, files)
  const inScope = ofFiles === null ? rows : rows.filter((row) => ofFiles.has(row.id))
  return inScope.map((row) => ({
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
    stepCount: row.stepCount,
    body: row.body === null ? null : { bytes: row.bytes, body: row.body },
    normal:
      row.normal === null || row.normalBytes === null ? null : { bytes: row.normalBytes, body: row.normal },
  }))
}
