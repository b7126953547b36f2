// Whether a record with a known id is the trial that is here already, only written otherwise: another container, another
// order of keys, another form of numbers. Compares the normal form, which the import thread has made. Reading only.

import { canonicalJson, type Json } from '../../base/json.ts'
import { unpackJson, type Packed } from './blobs.ts'
import type { ReadableDb } from './connection.ts'
import type { PreparedTrial } from './ingest.ts'

type StoredRow = {
  readonly seq: number
  readonly deleted: number
  readonly bodyHash: string | null
  readonly facts: string
  readonly scoreRaw: string
  readonly scores: string
  readonly bytes: number
}

// The imported outcome: an attached one is not what the record says. `json_array` gives the columns one text.
const CANDIDATES = `SELECT trials.seq AS seq, deleted_at IS NOT NULL AS deleted, body_hash AS bodyHash,
    json_array(task_id, coalesce(imported.outcome, trials.outcome),
      CASE WHEN imported.outcome IS NULL THEN trials.score ELSE imported.score END,
      CASE WHEN imported.outcome IS NULL THEN trials.scorer ELSE imported.scorer END,
      termination, error, severe_events, cost_usd, input_tokens, output_tokens, cached_tokens,
      started_at, ended_at, source_trial, seed) AS facts,
    coalesce(imported.score_raw, trials.score_raw) AS scoreRaw, coalesce(imported.scores, trials.scores) AS scores,
    trial_blobs.bytes AS bytes
  FROM trials JOIN trial_blobs ON trial_blobs.trial_seq = trials.seq
    LEFT JOIN imported_outcomes AS imported ON imported.trial_seq = trials.seq
  WHERE source_key = ?`

/** The trial that a record with another hash is, or null when its content is another one. */
export function twinOf(
  db: ReadableDb,
  trial: PreparedTrial,
): { readonly seq: number; readonly deleted: number } | null {
  if (trial.sourceKey === null) return null
  let own: string | null = null
  for (const row of db.all<StoredRow>(CANDIDATES, trial.sourceKey)) {
    // What is equal but for the order of keys has equal length: others are not unpacked.
    if (row.bodyHash !== trial.bodyHash && row.bytes !== trial.body.bytes) continue
    own ??= factsOf(db, trial)
    if (row.facts !== own || !isSame(row.scores, trial.scores) || !isSame(row.scoreRaw, trial.scoreRaw))
      continue
    if (
      row.bodyHash === trial.bodyHash ||
      canonicalBody(storedBody(db, row.seq)) === canonicalBody(trial.body)
    )
      return { seq: row.seq, deleted: row.deleted }
  }
  return null
}

/** The same columns of a record, written by the same function, so that numbers are written alike. */
function factsOf(db: ReadableDb, trial: PreparedTrial): string {
  return db.value<string>(
    'SELECT json_array(?, ?, CAST(? AS REAL), ?, ?, ?, ?, CAST(? AS REAL), ?, ?, ?, ?, ?, ?, ?)',
    trial.taskId,
    trial.outcome,
    trial.score,
    trial.scorer,
    trial.termination,
    trial.error,
    trial.severeEvents,
    trial.costUsd,
    trial.inputTokens === null ? null : BigInt(trial.inputTokens),
    trial.outputTokens === null ? null : BigInt(trial.outputTokens),
    trial.cachedTokens === null ? null : BigInt(trial.cachedTokens),
    trial.startedAt,
    trial.endedAt,
    trial.sourceTrial,
    trial.seed,
  )
}

const canonical = (text: string): string => canonicalJson(JSON.parse(text) as Json)

function isSame(a: string, b: string): boolean {
  return a === b || canonical(a) === canonical(b)
}

function storedBody(db: ReadableDb, seq: number): Packed {
  return db.get<Packed>('SELECT bytes, body FROM trial_blobs WHERE trial_seq = ?', seq) as Packed
}

function canonicalBody(packed: { readonly bytes: number; readonly body: Uint8Array }): string {
  return canonicalJson(unpackJson<Json>(packed))
}
