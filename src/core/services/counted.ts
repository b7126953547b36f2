// The counted trials of a view, by task, with the rows made of them and their leads laid over. What the task table, the
// task screen, a comparison and the statistics start from; kept in memory until the workspace changes.

import type { LeadRow, TaskRow } from '../../contract/rows.ts'
import type { Context } from '../context.ts'
import { analysisHeads, taskInputs } from '../store/analyses.ts'
import { annotationStates } from '../store/annotations.ts'
import type { ReadableDb } from '../store/connection.ts'
import { allTasks } from '../store/tasks.ts'
import { trialsOfFiles } from '../store/trialfacts.ts'
import { trialsForTaskTable } from '../store/trials.ts'
import type { Analyser, ResolvedView } from './analysis.ts'
import { taskRow, type TaskLine, type TrialLine } from './taskrows.ts'

/** A lead that nothing was computed for. */
export const NO_LEAD: LeadRow = {
  state: 'pending',
  tooFew: false,
  stage: null,
  tool: null,
  kind: null,
  level: null,
  probability: null,
  a: 0,
  F: 0,
  b: 0,
  P: 0,
}

/** The counted trials of a view, by task, with the rows made of them; kept until the workspace changes. */
export type Counted = {
  readonly view: ResolvedView
  readonly lines: ReadonlyMap<string, readonly TrialLine[]>
  readonly rows: readonly TaskRow[]
  readonly inputs: ReadonlyMap<string, string>
  readonly configurations: { readonly inScope: number; readonly total: number }
}

/** Views whose rows are kept in memory. */
const KEPT_VIEWS = 4

/** Gives the counted trials of views, the same object until something is written. */
export type Counter = {
  count(view: ResolvedView): Counted
  /** Another workspace was opened. */
  clear(): void
}

/** Makes a counter over the open workspace. */
export function makeCounter(context: Context): Counter {
  const kept = new Map<string, { token: string; counted: Counted }>()
  return {
    count(view) {
      const db = context.db()
      const token = `${db.path} ${changeToken(db)}`
      const known = kept.get(view.hash)
      if (known !== undefined && known.token === token) return known.counted
      const counted = count(db, view)
      kept.delete(view.hash)
      kept.set(view.hash, { token, counted })
      for (const hash of [...kept.keys()].slice(0, -KEPT_VIEWS)) kept.delete(hash)
      return counted
    },
    clear: () => kept.clear(),
  }
}

/**
 * Changes when any trial, annotation or task row is written, by this process or another. total_changes counts rows
 * changed by this connection, data_version commits of others.
 */
function changeToken(db: ReadableDb): string {
  return `${db.dataVersion()} ${db.value<number>('SELECT total_changes()')}`
}

function count(db: ReadableDb, view: ResolvedView): Counted {
  const scope = view.configurations === null ? null : new Set(view.configurations)
  const ofFiles = view.files === null ? null : trialsOfFiles(db, view.files)
  const all = trialsForTaskTable(db)
  const lines = new Map<string, TrialLine[]>()
  const total = new Set<string>()
  const inScope = new Set<string>()
  for (const [taskId, configurationId, , trialId, outcome, severeEvents, costUsd] of all) {
    total.add(configurationId)
    if (scope !== null && !scope.has(configurationId)) continue
    if (ofFiles !== null && !ofFiles.has(trialId)) continue
    inScope.add(configurationId)
    const line: TrialLine = { taskId, configurationId, trialId, outcome, severeEvents, costUsd }
    const list = lines.get(taskId)
    if (list === undefined) lines.set(taskId, [line])
    else list.push(line)
  }
  const annotated = new Map<string, number>()
  const scoped = new Set([...lines.values()].flat().map((line) => line.trialId))
  for (const { taskId, trialId } of annotationStates(db)) {
    if (scoped.has(trialId)) annotated.set(taskId, (annotated.get(taskId) ?? 0) + 1)
  }
  const rows: TaskRow[] = []
  for (const { id, suite, task, title } of allTasks(db)) {
    const mine = lines.get(id)
    if (mine === undefined) continue
    const line: TaskLine = { taskId: id, suite, task, title }
    rows.push(taskRow(line, mine, view.policy, NO_LEAD, annotated.get(id) ?? 0))
  }
  return {
    view,
    lines,
    rows,
    inputs: taskInputs(db, view.configurations, undefined, view.files),
    configurations: { inScope: inScope.size, total: total.size },
  }
}

/** The lead of a task that needs no analysis to be told: all its trials passed, or none did. */
export function plainLead(row: TaskRow): LeadRow | null {
  const counts = { F: row.failing, P: row.rate.passes }
  if (row.rate.passes === 0) return { ...NO_LEAD, ...counts, state: 'no passing run' }
  if (row.failing === 0) return { ...NO_LEAD, ...counts, state: 'no failing run' }
  return null
}

/** The rows with their leads; asks for the analyses that are missing or stale. */
export function withLeads(db: ReadableDb, counted: Counted, analyser: Analyser): readonly TaskRow[] {
  const heads = analysisHeads(db, counted.view.hash)
  const missing: { taskId: string; inputsHash: string }[] = []
  const rows = counted.rows.map((row) => {
    const plain = plainLead(row)
    if (plain !== null) return { ...row, lead: plain }
    const inputsHash = counted.inputs.get(row.taskId) ?? ''
    const head = heads.get(row.taskId)
    if (head === undefined || head.inputsHash !== inputsHash || head.algorithm !== analyser.algorithm) {
      missing.push({ taskId: row.taskId, inputsHash })
      return row
    }
    if (head.lead === null) return { ...row, lead: { ...NO_LEAD, state: 'failed' as const } }
    return { ...row, lead: head.lead }
  })
  if (missing.length > 0) analyser.want(counted.view, missing)
  return rows
}
