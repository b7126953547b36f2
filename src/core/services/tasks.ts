// Tasks: the table and the task screen. Gathers rows from the store, counts them (taskrows.ts), lays the stored
// analyses over them and asks the scheduler for what is missing. Computes no statistic and no alignment itself.

import { Fault } from '../../base/fault.ts'
import type { Parsed, View } from '../../contract/contract.ts'
import type { LeadRow, TaskList, TaskRow } from '../../contract/rows.ts'
import type { Context, Slice } from '../context.ts'
import { analysisHeads, taskInputs } from '../store/analyses.ts'
import { annotationStates } from '../store/annotations.ts'
import type { ReadableDb } from '../store/connection.ts'
import { loadPolicy } from '../store/settings.ts'
import { allTasks } from '../store/tasks.ts'
import { trialsForTaskTable } from '../store/trials.ts'
import { makeAnalyser, resolveView, type Analyser, type ResolvedView } from './analysis.ts'
import { filterTasks, sortTasks } from './taskorder.ts'
import { suiteSummary, taskRow, type TaskLine, type TrialLine } from './taskrows.ts'
import { taskView } from './taskview.ts'

/** A lead that nothing was computed for. */
const NO_LEAD: LeadRow = {
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

/** The tasks service: the table and the task screen. Registers the analysis scheduler. */
export function tasksService(context: Context): Slice<'tasks.list' | 'tasks.get'> {
  const kept = new Map<string, { token: string; counted: Counted }>()
  const analyser: Analyser = makeAnalyser(context, (view) => {
    const mixed = countView(view).rows.filter((row) => row.rate.passes > 0 && row.failing > 0)
    return new Set(mixed.map((row) => row.taskId))
  })
  context.useAnalysis({ ...analyser, workspaceChanged: () => (kept.clear(), analyser.workspaceChanged()) })

  const resolved = (view: View): ResolvedView => resolveView(view, loadPolicy(context.db()))

  const countView = (view: ResolvedView): Counted => {
    const db = context.db()
    const token = `${db.path} ${changeToken(db)}`
    const known = kept.get(view.hash)
    if (known !== undefined && known.token === token) return known.counted
    const counted = count(db, view)
    kept.delete(view.hash)
    kept.set(view.hash, { token, counted })
    for (const hash of [...kept.keys()].slice(0, -KEPT_VIEWS)) kept.delete(hash)
    return counted
  }

  return {
    'tasks.list': (input) => {
      const db = context.db()
      const view = resolved(input.view)
      const counted = countView(view)
      const rows = withLeads(db, counted, analyser)
      return page(rows, counted, input)
    },
    'tasks.get': async (input) => {
      const view = resolved(input.view)
      const counted = countView(view)
      const row = counted.rows.find((candidate) => candidate.taskId === input.taskId)
      if (row === undefined) throw noTask(context.db(), input.taskId)
      const inputsHash = counted.inputs.get(row.taskId) ?? ''
      await analyser.soon(view, row.taskId, inputsHash, FIRST_WAIT_MS)
      return taskView(context.db(), {
        view,
        row: { ...row, lead: plainLead(row) ?? row.lead },
        lines: counted.lines.get(row.taskId) ?? [],
        inputsHash,
        algorithm: analyser.algorithm,
      })
    },
  }
}

/** How long the task screen waits for its analysis before it is drawn without. */
const FIRST_WAIT_MS = 400

/**
 * Changes when any trial, annotation or task row is written, by this process or another. total_changes counts rows
 * changed by this connection, data_version commits of others.
 */
function changeToken(db: ReadableDb): string {
  return `${db.dataVersion()} ${db.value<number>('SELECT total_changes()')}`
}

function count(db: ReadableDb, view: ResolvedView): Counted {
  const scope = view.configurations === null ? null : new Set(view.configurations)
  const all = trialsForTaskTable(db)
  const lines = new Map<string, TrialLine[]>()
  const total = new Set<string>()
  const inScope = new Set<string>()
  for (const [taskId, configurationId, , trialId, outcome, severeEvents, costUsd] of all) {
    total.add(configurationId)
    if (scope !== null && !scope.has(configurationId)) continue
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
    inputs: taskInputs(db, view.configurations),
    configurations: { inScope: inScope.size, total: total.size },
  }
}

/** The lead of a task that needs no analysis to be told: all its trials passed, or none did. */
function plainLead(row: TaskRow): LeadRow | null {
  const counts = { F: row.failing, P: row.rate.passes }
  if (row.rate.passes === 0) return { ...NO_LEAD, ...counts, state: 'no passing run' }
  if (row.failing === 0) return { ...NO_LEAD, ...counts, state: 'no failing run' }
  return null
}

/** The rows with their leads; asks for the analyses that are missing or stale. */
function withLeads(db: ReadableDb, counted: Counted, analyser: Analyser): readonly TaskRow[] {
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

function page(rows: readonly TaskRow[], counted: Counted, input: Parsed<'tasks.list'>): TaskList {
  const found = sortTasks(filterTasks(rows, input.filter), input.sort, input.descending)
  const lines = [...counted.lines.values()].flat()
  return {
    rows: found.slice(input.offset, input.offset + input.limit),
    total: found.length,
    totalInScope: rows.length,
    summary: suiteSummary(rows, lines, counted.view.policy, counted.configurations),
  }
}

function noTask(db: ReadableDb, taskId: string): Fault {
  const exists = allTasks(db).some((task) => task.id === taskId)
  return exists
    ? new Fault('NOT_FOUND', 'No trial of this task is in scope.', {
        hint: 'Widen the scope to more configurations.',
      })
    : new Fault('NOT_FOUND', 'This task is not in the workspace.', {
        where: taskId,
        hint: 'Its trials may have been deleted, or another workspace is open.',
      })
}
