// Writes trials as they are read: one batch, one short transaction. Here stand the rules of identity: an equal
// content hash is the same trial with one more origin; an equal source key with other content is a conflict, and
// then neither counts until a person has decided. Expects trials prepared by services/intake (hashed, compressed).

import type { Outcome } from '../../model/outcome.ts'
import type { Packed } from './blobs.ts'
import type { WritableDb } from './connection.ts'
import { settleConflict } from './conflicts.ts'
import { twinOf } from './twins.ts'

/** A trial ready to be written: columns, and both blocks compressed. Plain data that can cross threads. */
export type PreparedTrial = {
  readonly trialId: string
  readonly contentHash: string
  readonly sourceKey: string | null
  readonly taskId: string
  readonly suite: string
  readonly task: string
  readonly title: string | null
  readonly input: string | null
  readonly configurationId: string
  readonly configuration: string
  readonly configurationLabel: string | null
  readonly model: string | null
  readonly outcome: Outcome
  readonly score: number | null
  readonly scoreRaw: string
  readonly scores: string
  readonly scorer: string | null
  readonly termination: string | null
  readonly error: string | null
  readonly severeEvents: string
  readonly severeCount: number
  readonly stepCount: number
  readonly callCount: number
  readonly toolErrors: number
  readonly tools: string
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly cachedTokens: number | null
  readonly costUsd: number | null
  readonly durationMs: number | null
  readonly startedMs: number | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly timeNaive: boolean
  readonly sourceId: string | null
  readonly sourceTrial: string | null
  readonly seed: string | null
  readonly body: Packed
  /** Of the body before it was packed: equal hash, equal content. */
  readonly bodyHash: string
  readonly raw: Packed
  readonly record: number
  readonly line: number | null
  readonly byteOffset: number | null
}

/**
 * What became of one trial of a batch. `same`: it was here. `repeated`: it was met before in the same file.
 * `conflict`: kept, flagged, and so is the other one. `attempt`: kept; it or the other is an earlier attempt.
 */
export type Kept = {
  readonly trial: PreparedTrial
  readonly fate: 'new' | 'same' | 'repeated' | 'conflict' | 'attempt'
}

/** Writes trials of one file. Only inside `db.write`, together with the file's counters and problems. */
export function keepTrials(
  db: WritableDb,
  origin: { readonly importId: string; readonly fileId: string },
  trials: readonly PreparedTrial[],
): readonly Kept[] {
  // For one transaction only: what is known here may be deleted or rolled back after it.
  const seen: Seen = { tasks: new Map(), configurations: new Set() }
  return trials.map((trial) => ({ trial, fate: keepTrial(db, origin, trial, seen) }))
}

/** What this transaction has written already: tasks with what they lack and the tools told of them, configurations. */
type Seen = {
  readonly tasks: Map<string, { hasTitle: boolean; hasInput: boolean; readonly tools: Set<string> }>
  readonly configurations: Set<string>
}

function keepTrial(
  db: WritableDb,
  origin: { readonly importId: string; readonly fileId: string },
  trial: PreparedTrial,
  seen: Seen,
): Kept['fate'] {
  // A new id meets nobody: the questions about twins and conflicts need not be asked.
  const hasNamesake =
    trial.sourceKey !== null &&
    db.get('SELECT 1 FROM trials WHERE source_key = ? LIMIT 1', trial.sourceKey) !== undefined
  const known = knownTrial(db, trial, hasNamesake)
  let seq: number
  if (known === null) {
    keepTask(db, trial, seen)
    keepConfiguration(db, trial, seen)
    seq = insert(db, origin.importId, trial)
  } else {
    seq = known.seq
    // Importing it again is asking for it again.
    if (known.deleted === 1)
      db.run('UPDATE trials SET deleted_at = NULL, deleted_by = NULL WHERE seq = ?', seq)
  }
  const isRepeated =
    known !== null &&
    db.get('SELECT 1 FROM origins WHERE trial_seq = ? AND file_id = ? LIMIT 1', seq, origin.fileId) !==
      undefined
  db.run(
    'INSERT OR IGNORE INTO origins (trial_seq, file_id, record, line, byte) VALUES (?, ?, ?, ?, ?)',
    seq,
    origin.fileId,
    trial.record,
    trial.line,
    trial.byteOffset,
  )
  if (known?.deleted === 0) return isRepeated ? 'repeated' : 'same'
  const standing = trial.sourceKey === null || !hasNamesake ? 'single' : settleConflict(db, trial.sourceKey)
  return standing === 'conflict' ? 'conflict' : standing === 'attempts' ? 'attempt' : 'new'
}

/** The trial that a record is: the same bytes, or the same content under the same id. Null for a new one. */
function knownTrial(
  db: WritableDb,
  trial: PreparedTrial,
  hasNamesake: boolean,
): { readonly seq: number; readonly deleted: number } | null {
  const known = db.get<{ seq: number; deleted: number }>(
    `SELECT seq, deleted_at IS NOT NULL AS deleted FROM trials WHERE content_hash = ?1
       OR seq = (SELECT trial_seq FROM twins WHERE content_hash = ?1)`,
    trial.contentHash,
  )
  if (known !== undefined) return known
  const twin = hasNamesake ? twinOf(db, trial) : null
  if (twin !== null) db.run('INSERT OR IGNORE INTO twins VALUES (?, ?)', trial.contentHash, twin.seq)
  return twin
}

function keepTask(db: WritableDb, trial: PreparedTrial, seen: Seen): void {
  let known = seen.tasks.get(trial.taskId)
  const isNews =
    known === undefined ||
    (!known.hasTitle && trial.title !== null) ||
    (!known.hasInput && trial.input !== null)
  if (isNews)
    // The first title and instruction stay: later files may lack them.
    db.run(
      `INSERT INTO tasks (id, suite, task, title, input) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET title = coalesce(title, excluded.title), input = coalesce(input, excluded.input)
       WHERE (title IS NULL AND excluded.title IS NOT NULL) OR (input IS NULL AND excluded.input IS NOT NULL)`,
      trial.taskId,
      trial.suite,
      trial.task,
      trial.title,
      trial.input,
    )
  known ??= { hasTitle: false, hasInput: false, tools: new Set() }
  known.hasTitle ||= trial.title !== null
  known.hasInput ||= trial.input !== null
  seen.tasks.set(trial.taskId, known)
  if (trial.tools === '[]' || known.tools.has(trial.tools)) return
  known.tools.add(trial.tools)
  db.run(
    `INSERT OR IGNORE INTO task_tools SELECT ?1, value FROM json_each(?2)
     UNION ALL SELECT ?1, '*' WHERE json_array_length(?2) >= 100`,
    trial.taskId,
    trial.tools,
  )
}

function keepConfiguration(db: WritableDb, trial: PreparedTrial, seen: Seen): void {
  if (seen.configurations.has(trial.configurationId)) return
  seen.configurations.add(trial.configurationId)
  db.run(
    `INSERT OR IGNORE INTO configurations (id, seq, label, model, content)
     SELECT ?, coalesce(max(seq), 0) + 1, ?, ?, ? FROM configurations`,
    trial.configurationId,
    trial.configurationLabel,
    trial.model,
    trial.configuration,
  )
}

/** Writes a new trial with its blocks; gives its seq. */
function insert(db: WritableDb, importId: string, trial: PreparedTrial): number {
  // The number is provisional: renumber() orders by start time once the run has ended.
  const seq = db.insert(
    `INSERT INTO trials (id, task_id, configuration_id, number, outcome, score, severe_count, step_count,
       call_count, tool_errors, input_tokens, output_tokens, cached_tokens, cost_usd, duration_ms, started_ms,
       import_id, content_hash, source_key, source_id, source_trial, seed, scorer, termination, started_at,
       ended_at, time_naive, score_raw, scores, error, severe_events, tools, body_hash)
     VALUES (?, ?, ?,
       (SELECT coalesce(max(number), 0) + 1 FROM trials WHERE task_id = ? AND configuration_id = ?),
       ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    trial.trialId,
    trial.taskId,
    trial.configurationId,
    trial.taskId,
    trial.configurationId,
    trial.outcome,
    trial.score,
    trial.severeCount,
    trial.stepCount,
    trial.callCount,
    trial.toolErrors,
    trial.inputTokens,
    trial.outputTokens,
    trial.cachedTokens,
    trial.costUsd,
    trial.durationMs,
    trial.startedMs,
    importId,
    trial.contentHash,
    trial.sourceKey,
    trial.sourceId,
    trial.sourceTrial,
    trial.seed,
    trial.scorer,
    trial.termination,
    trial.startedAt,
    trial.endedAt,
    trial.timeNaive ? 1 : 0,
    trial.scoreRaw,
    trial.scores,
    trial.error,
    trial.severeEvents,
    trial.tools,
    trial.bodyHash,
  )
  db.run(
    'INSERT INTO trial_blobs (trial_seq, bytes, body) VALUES (?, ?, ?)',
    seq,
    trial.body.bytes,
    trial.body.body,
  )
  db.run(
    'INSERT INTO raw_blobs (trial_seq, bytes, body) VALUES (?, ?, ?)',
    seq,
    trial.raw.bytes,
    trial.raw.body,
  )
  return seq
}

/**
 * Numbers the living trials of these tasks from 1 within (task, configuration), by start time, then by order of
 * arrival; an earlier attempt has the number of the trial that it stands under. A write of its own; pass at most a few
 * hundred tasks at once, so that it stays short.
 */
export function renumber(db: WritableDb, taskIds: readonly string[]): void {
  const tasks = JSON.stringify(taskIds)
  db.write(() => {
    db.run(
      `UPDATE trials SET number = ordered.number FROM (
         SELECT seq, row_number() OVER (
           PARTITION BY task_id, configuration_id ORDER BY started_ms IS NULL, started_ms, seq
         ) AS number
         FROM trials
         WHERE deleted_at IS NULL AND attempt_of IS NULL AND task_id IN (SELECT value FROM json_each(?))
       ) AS ordered WHERE trials.seq = ordered.seq AND trials.number <> ordered.number`,
      tasks,
    )
    db.run(
      `UPDATE trials SET number = final.number FROM trials AS final
       WHERE final.seq = trials.attempt_of AND trials.attempt_of IS NOT NULL AND trials.number <> final.number
         AND trials.task_id IN (SELECT value FROM json_each(?))`,
      tasks,
    )
  })
}
