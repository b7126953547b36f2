// Queries about trials: the columns that lists need, and whole trials rebuilt from their blocks. "Counted" are the
// trials that are neither deleted nor in conflict. Reading only; writing is ingest.ts and removal.ts.

import type { Json } from '../../base/json.ts'
import { Fault } from '../../base/fault.ts'
import type { Outcome } from '../../model/outcome.ts'
import type { Configuration, SevereEvent, Trial, TrialError } from '../../model/trial.ts'
import { unpack, unpackJson, type Packed } from './blobs.ts'
import type { ReadableDb } from './connection.ts'
import { OUTCOME, SEVERE } from './judgements.ts'
import { needsBody, unpackBeside } from './rawblocks.ts'

/** A counted trial as the task table sums it up: an array, because there are tens of thousands. */
export type CountedTrial = readonly [
  taskId: string,
  configurationId: string,
  number: number,
  trialId: string,
  outcome: Outcome,
  /** Severe events; the trial has one when it is above 0. */
  severeCount: number,
  costUsd: number | null,
]

/** Every counted trial, ordered by task, configuration and number: about 10 ms for 10,000. */
export function trialsForTaskTable(db: ReadableDb): readonly CountedTrial[] {
  return db.rows<CountedTrial>(
    `SELECT task_id, configuration_id, number, id, ${OUTCOME}, ${SEVERE}, cost_usd
     FROM trials INDEXED BY trials_counted
     WHERE deleted_at IS NULL AND is_conflict = 0
     ORDER BY task_id, configuration_id, number`,
  )
}

/** What a list of trials shows: everything but the steps. */
export type TrialHead = {
  readonly trialId: string
  readonly taskId: string
  readonly configurationId: string
  readonly number: number
  readonly outcome: Outcome
  readonly score: number | null
  readonly scorer: string | null
  readonly termination: string | null
  readonly error: TrialError | null
  readonly severeEvents: readonly SevereEvent[]
  readonly severeCount: number
  readonly stepCount: number
  readonly callCount: number
  readonly toolErrors: number
  /** Tool names in order of first use. */
  readonly tools: readonly string[]
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly cachedTokens: number | null
  readonly costUsd: number | null
  readonly durationMs: number | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly timeNaive: boolean
  readonly sourceId: string | null
  readonly sourceTrial: string | null
  readonly seed: string | null
  readonly contentHash: string
  readonly isConflict: boolean
  /** For an earlier attempt: the id of the trial that it stands under. */
  readonly attemptOf: string | null
}

type HeadRow = Omit<TrialHead, 'error' | 'severeEvents' | 'tools' | 'isConflict' | 'timeNaive'> & {
  readonly error: string | null
  readonly severeEvents: string
  readonly tools: string
  readonly isConflict: number
  readonly timeNaive: number
}

const HEAD = `trials.id AS trialId, task_id AS taskId, configuration_id AS configurationId, number, ${OUTCOME} AS outcome, score,
  scorer, termination, error, severe_events AS severeEvents, ${SEVERE} AS severeCount,
  step_count AS stepCount, call_count AS callCount, tool_errors AS toolErrors, tools,
  input_tokens AS inputTokens, output_tokens AS outputTokens, cached_tokens AS cachedTokens,
  cost_usd AS costUsd, duration_ms AS durationMs, started_at AS startedAt, ended_at AS endedAt,
  time_naive AS timeNaive, source_id AS sourceId, source_trial AS sourceTrial, seed,
  content_hash AS contentHash, is_conflict AS isConflict,
  (SELECT final.id FROM trials AS final WHERE final.seq = trials.attempt_of) AS attemptOf`

const headOf = (row: HeadRow): TrialHead => ({
  ...row,
  error: row.error === null ? null : (JSON.parse(row.error) as TrialError),
  severeEvents: JSON.parse(row.severeEvents) as SevereEvent[],
  tools: JSON.parse(row.tools) as string[],
  isConflict: row.isConflict === 1,
  timeNaive: row.timeNaive === 1,
})

/** The trials of a task that are not deleted, those in conflict included, by configuration and number. */
export function trialHeads(db: ReadableDb, taskId: string): readonly TrialHead[] {
  return db
    .all<HeadRow>(
      `SELECT ${HEAD} FROM trials JOIN configurations ON configurations.id = configuration_id
       WHERE task_id = ? AND deleted_at IS NULL ORDER BY configurations.seq, number`,
      taskId,
    )
    .map(headOf)
}

/** One trial's columns, deleted or not; NOT_FOUND when it never was or is erased. */
export function trialHead(db: ReadableDb, trialId: string): TrialHead {
  const row = db.get<HeadRow>(`SELECT ${HEAD} FROM trials WHERE id = ?`, trialId)
  if (row === undefined) throw noTrial(trialId)
  return headOf(row)
}

type WholeRow = HeadRow & {
  readonly suite: string
  readonly task: string
  readonly title: string | null
  readonly input: string | null
  readonly configuration: string
  readonly scoreRaw: string
  readonly scores: string
  readonly bytes: number
  readonly body: Uint8Array
}

/** A trial as the importer read it, rebuilt; NOT_FOUND when it is not there. Unpacks and parses its steps. */
export function loadTrial(db: ReadableDb, trialId: string): Trial {
  const row = db.get<WholeRow>(
    `SELECT ${HEAD}, tasks.suite AS suite, tasks.task AS task, tasks.title AS title, tasks.input AS input,
       configurations.content AS configuration, score_raw AS scoreRaw, scores,
       trial_blobs.bytes AS bytes, trial_blobs.body AS body
     FROM trials JOIN tasks ON tasks.id = task_id JOIN configurations ON configurations.id = configuration_id
       JOIN trial_blobs ON trial_seq = trials.seq
     WHERE trials.id = ?`,
    trialId,
  )
  if (row === undefined) throw noTrial(trialId)
  const head = headOf(row)
  const { inputTokens, outputTokens, cachedTokens } = head
  const hasUsage = inputTokens !== null || outputTokens !== null || cachedTokens !== null
  return {
    sourceId: head.sourceId,
    suite: row.suite,
    task: row.task,
    taskTitle: row.title,
    taskInput: row.input,
    configuration: JSON.parse(row.configuration) as Configuration,
    sourceTrial: head.sourceTrial,
    seed: head.seed,
    outcome: head.outcome,
    score: head.score,
    scoreRaw: JSON.parse(row.scoreRaw) as Json,
    scores: JSON.parse(row.scores) as Trial['scores'],
    scorer: head.scorer,
    termination: head.termination,
    error: head.error,
    severeErrors: head.severeEvents,
    usage: hasUsage ? { inputTokens, outputTokens, cachedInputTokens: cachedTokens } : null,
    costUsd: head.costUsd,
    startedAt: head.startedAt,
    endedAt: head.endedAt,
    timeNaive: head.timeNaive,
    ...unpackJson<Pick<Trial, 'steps' | 'extra'>>(row),
  }
}

/** Bytes of a trial's unpacked steps. */
export function trialWeight(db: ReadableDb, trialId: string): number {
  return db.value<number>(
    'SELECT bytes FROM trial_blobs JOIN trials ON trials.seq = trial_seq WHERE trials.id = ?',
    trialId,
  )
}

/** True when the trials of a task that are not deleted have several configurations. */
export function isTaskMixed(db: ReadableDb, taskId: string): boolean {
  return (
    db.value<number>(
      'SELECT count(DISTINCT configuration_id) FROM trials WHERE task_id = ? AND deleted_at IS NULL',
      taskId,
    ) > 1
  )
}

/** One place in a file that a trial came from. */
export type TrialSource = {
  readonly fileName: string
  readonly record: number
  readonly line: number | null
}

/** Where the trials of a task came from: trial id → its distinct places in files of runs that are not undone. */
export function sourcesOfTask(db: ReadableDb, taskId: string): ReadonlyMap<string, readonly TrialSource[]> {
  const found = new Map<string, TrialSource[]>()
  const rows = db.rows<[string, string, number, number | null]>(
    `SELECT DISTINCT trials.id, import_files.name, origins.record, origins.line
     FROM trials JOIN origins ON origins.trial_seq = trials.seq
       JOIN import_files ON import_files.id = origins.file_id
       JOIN import_runs ON import_runs.id = import_files.import_id
     WHERE trials.task_id = ? AND trials.deleted_at IS NULL
       AND import_runs.undone_at IS NULL AND import_runs.deleted_at IS NULL
     ORDER BY import_runs.seq, import_files.position, origins.record`,
    taskId,
  )
  for (const [trialId, fileName, record, line] of rows) {
    const sources = found.get(trialId) ?? []
    sources.push({ fileName, record, line })
    found.set(trialId, sources)
  }
  return found
}

/** The original record of a trial as bytes, with its first origin; NOT_FOUND when the trial is not there. */
export function rawRecord(
  db: ReadableDb,
  trialId: string,
): { readonly record: Buffer; readonly fileName: string; readonly recordIndex: number } {
  const row = db.get<{
    seq: number
    bytes: number
    body: Uint8Array
    name: string | null
    record: number | null
  }>(
    `SELECT trials.seq AS seq, raw_blobs.bytes AS bytes, raw_blobs.body AS body, import_files.name AS name, origins.record AS record
     FROM trials JOIN raw_blobs ON raw_blobs.trial_seq = trials.seq
       LEFT JOIN origins ON origins.trial_seq = trials.seq
       LEFT JOIN import_files ON import_files.id = origins.file_id
       LEFT JOIN import_runs ON import_runs.id = import_files.import_id
     WHERE trials.id = ? ORDER BY import_runs.seq, import_files.position, origins.record LIMIT 1`,
    trialId,
  )
  if (row === undefined) throw noTrial(trialId)
  const record = needsBody(row) ? unpackBeside(row, bodyOf(db, row.seq)) : unpack(row)
  return { record, fileName: row.name ?? '', recordIndex: row.record ?? 0 }
}

/** How many trials are not deleted, and how many are deleted and not yet erased. */
export function countTrials(db: ReadableDb): { readonly live: number; readonly deleted: number } {
  const deleted = db.value<number>('SELECT count(*) FROM trials WHERE deleted_at IS NOT NULL')
  return { live: db.value<number>('SELECT count(*) FROM trials') - deleted, deleted }
}

function bodyOf(db: ReadableDb, seq: number): Buffer {
  const body = db.get<Packed>('SELECT bytes, body FROM trial_blobs WHERE trial_seq = ?', seq)
  if (body === undefined) throw new Error('A trial has a record and no body')
  return unpack(body)
}

function noTrial(trialId: string): Fault {
  return new Fault('NOT_FOUND', 'This trial is not in the workspace.', {
    where: trialId,
    hint: 'It may have been deleted, or another workspace is open.',
  })
}
