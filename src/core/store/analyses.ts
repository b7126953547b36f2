// Stored analyses of tasks: derived, so never the truth. Each says of which inputs and by which algorithm it was
// made; a stale one is computed again and never shown as if it were current.

import { createHash } from 'node:crypto'
import type { FaultData } from '../../base/fault.ts'
import type { LeadRow } from '../../contract/rows.ts'
import type { TaskAnalysis } from '../../model/analysis.ts'
import { unpackJson, type Packed } from './blobs.ts'
import type { ReadableDb, WritableDb } from './connection.ts'
import { OUTCOME } from './judgements.ts'
import { rulesForTasks, type RulesForTask } from './tasktools.ts'
import { trialsOfFiles } from './trialfacts.ts'

/** What an analysis is of: a task under a view (configurations in scope, policy), hashed by the caller. */
export type AnalysisKey = { readonly taskId: string; readonly viewHash: string }

/** The line of a stored analysis that the task table shows. */
export type AnalysisHead = {
  readonly inputsHash: string
  readonly algorithm: string
  readonly state: 'ready' | 'failed'
  readonly lead: LeadRow | null
  readonly fault: FaultData | null
}

type HeadRow = {
  readonly taskId: string
  readonly inputsHash: string
  readonly algorithm: string
  readonly state: 'ready' | 'failed'
  readonly lead: string | null
  readonly fault: string | null
}

const HEAD = `task_id AS taskId, inputs_hash AS inputsHash, algorithm, state, lead, fault`

const headOf = (row: HeadRow): AnalysisHead => ({
  inputsHash: row.inputsHash,
  algorithm: row.algorithm,
  state: row.state,
  lead: row.lead === null ? null : (JSON.parse(row.lead) as LeadRow),
  fault: row.fault === null ? null : (JSON.parse(row.fault) as FaultData),
})

/**
 * Stores an analysis in place of the one before. `result` comes packed (packJson) from the thread that computed
 * it; null when it failed, then `fault` says why. Not durable: it can be computed again.
 */
export function saveAnalysis(
  db: WritableDb,
  key: AnalysisKey,
  analysis: Omit<AnalysisHead, 'state'> & { readonly result: Packed | null; readonly computedAt: string },
): void {
  db.write(() =>
    // A task may have been erased while it was analysed.
    db.run(
      `INSERT OR REPLACE INTO analyses
         (task_id, view_hash, inputs_hash, algorithm, computed_at, state, fault, lead, bytes, result)
       SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM tasks WHERE id = ?)`,
      key.taskId,
      key.viewHash,
      analysis.inputsHash,
      analysis.algorithm,
      analysis.computedAt,
      analysis.result === null ? 'failed' : 'ready',
      analysis.fault === null ? null : JSON.stringify(analysis.fault),
      analysis.lead === null ? null : JSON.stringify(analysis.lead),
      analysis.result?.bytes ?? 0,
      analysis.result?.body ?? null,
      key.taskId,
    ),
  )
}

/** A stored analysis, stale or not: compare inputsHash and algorithm before showing it. Null when none is stored. */
export function loadAnalysis(
  db: ReadableDb,
  key: AnalysisKey,
): (AnalysisHead & { readonly analysis: TaskAnalysis | null }) | null {
  const row = db.get<HeadRow & { bytes: number; body: Uint8Array | null }>(
    `SELECT ${HEAD}, bytes, result AS body FROM analyses WHERE task_id = ? AND view_hash = ?`,
    key.taskId,
    key.viewHash,
  )
  if (row === undefined) return null
  const { bytes, body } = row
  return { ...headOf(row), analysis: body === null ? null : unpackJson<TaskAnalysis>({ bytes, body }) }
}

/** The stored lines of all tasks under one view: task id → line. */
export function analysisHeads(db: ReadableDb, viewHash: string): ReadonlyMap<string, AnalysisHead> {
  const rows = db.all<HeadRow>(`SELECT ${HEAD} FROM analyses WHERE view_hash = ?`, viewHash)
  return new Map(rows.map((row) => [row.taskId, headOf(row)]))
}

/**
 * What the analysis of each task depends on, hashed: ids, outcomes and configurations of its counted trials in scope
 * (`configurations` and `files` null: all), and the rules that bear on it. Ids are made from content, so equal hash means equal trials. Tasks without a trial in
 * scope are not in the map. About 25 ms for 10,000 trials.
 */
export function taskInputs(
  db: ReadableDb,
  configurations: readonly string[] | null,
  rulesFor: RulesForTask = rulesForTasks(db),
  files: readonly string[] | null = null,
): ReadonlyMap<string, string> {
  const scope = configurations === null ? null : new Set(configurations)
  const ofFiles = files === null ? null : trialsOfFiles(db, files)
  const hashes = new Map<string, string>()
  let current: string | null = null
  let parts: string[] = []
  const close = (): void => {
    if (current !== null && parts.length > 0) {
      const { key } = rulesFor(current)
      if (key !== '') parts.push(key)
      hashes.set(current, createHash('sha256').update(parts.sort().join('\n')).digest('hex').slice(0, 32))
    }
    parts = []
  }
  const rows = db.rows<[string, string, string, string]>(
    `SELECT task_id, id, ${OUTCOME}, configuration_id FROM trials INDEXED BY trials_counted
     WHERE deleted_at IS NULL AND is_conflict = 0 ORDER BY task_id`,
  )
  for (const [taskId, trialId, outcome, configurationId] of rows) {
    if (taskId !== current) {
      close()
      current = taskId
    }
    if (ofFiles !== null && !ofFiles.has(trialId)) continue
    if (scope === null || scope.has(configurationId)) parts.push(`${trialId} ${outcome} ${configurationId}`)
  }
  close()
  return hashes
}

/**
 * Removes analyses of other views than these, and of other algorithms: `limit` of them at most, in one transaction, so
 * that nobody waits for it. Gives how many were removed.
 */
export function pruneAnalyses(
  db: WritableDb,
  keep: { readonly views: readonly string[]; readonly algorithm: string; readonly limit: number },
): number {
  const found = db.rows<[number]>(
    `SELECT rowid FROM analyses WHERE view_hash NOT IN (SELECT value FROM json_each(?)) OR algorithm <> ? LIMIT ?`,
    JSON.stringify(keep.views),
    keep.algorithm,
    keep.limit,
  )
  if (found.length === 0) return 0
  return db.write(() =>
    db.run(
      'DELETE FROM analyses WHERE rowid IN (SELECT value FROM json_each(?))',
      JSON.stringify(found.map(([rowid]) => rowid)),
    ),
  )
}

/** True when the stored analysis is of these inputs and by this algorithm. Reads no result. */
export function isAnalysisCurrent(
  db: ReadableDb,
  key: AnalysisKey,
  inputsHash: string,
  algorithm: string,
): boolean {
  const row = db.get<{ inputsHash: string; algorithm: string }>(
    'SELECT inputs_hash AS inputsHash, algorithm FROM analyses WHERE task_id = ? AND view_hash = ?',
    key.taskId,
    key.viewHash,
  )
  return row !== undefined && row.inputsHash === inputsHash && row.algorithm === algorithm
}
