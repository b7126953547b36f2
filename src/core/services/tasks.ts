// Tasks: the table and the task screen, and what else is asked of counted trials (comparison, statistics). Gathers rows
// (counted.ts), lays the stored analyses over them and asks the scheduler for what is missing. Computes no statistic
// and no alignment itself.

import type { Parsed } from '../../contract/contract.ts'
import type { View } from '../../contract/inputs.ts'
import type { TaskList, TaskRow } from '../../contract/rows.ts'
import type { Context, Slice } from '../context.ts'
import { loadPolicy } from '../store/settings.ts'
import { makeAnalyser, resolveView, type Analyser, type ResolvedView } from './analysis.ts'
import { compareService } from './compare.ts'
import { makeCounter, plainLead, withLeads, type Counted } from './counted.ts'
import { noTask } from './notask.ts'
import { makeResample } from './resampled.ts'
import { statisticsService } from './statistics.ts'
import { filterTasks, sortTasks } from './taskorder.ts'
import { suiteSummary } from './taskrows.ts'
import { taskView } from './taskview.ts'

/** The tasks service: the table and the task screen. Registers the analysis scheduler. */
export function tasksService(
  context: Context,
): Slice<'tasks.list' | 'tasks.get' | 'tasks.statistics' | 'compare.versions' | 'plan.trials'> {
  const counter = makeCounter(context)
  const analyser: Analyser = makeAnalyser(context, (view) => {
    const mixed = counter.count(view).rows.filter((row) => row.rate.passes > 0 && row.failing > 0)
    return new Set(mixed.map((row) => row.taskId))
  })
  context.useAnalysis({
    ...analyser,
    workspaceChanged: () => (counter.clear(), analyser.workspaceChanged()),
  })
  const resample = makeResample(analyser.run)
  const resolved = (view: View): ResolvedView => resolveView(view, loadPolicy(context.db()))

  return {
    ...compareService(context, counter, analyser, resample),
    ...statisticsService(context, counter, analyser, resample),
    'tasks.list': (input) => {
      const db = context.db()
      const view = resolved(input.view)
      const counted = counter.count(view)
      const rows = withLeads(db, counted, analyser)
      return page(rows, counted, input)
    },
    'tasks.get': async (input) => {
      const view = resolved(input.view)
      const counted = counter.count(view)
      const row = counted.rows.find((candidate) => candidate.taskId === input.taskId)
      if (row === undefined) throw noTask(context.db(), input.taskId)
      const inputsHash = counted.inputs.get(row.taskId) ?? ''
      const asked = { view, taskId: row.taskId, inputsHash }
      await analyser.soon(asked, input.first, FIRST_WAIT_MS)
      return taskView(context.db(), {
        view,
        row: { ...row, lead: plainLead(row) ?? row.lead },
        lines: counted.lines.get(row.taskId) ?? [],
        inputsHash,
        algorithm: analyser.algorithm,
        partial: analyser.partial(asked),
      })
    },
  }
}

/** How long the task screen waits for its analysis before it is drawn without. */
const FIRST_WAIT_MS = 400

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
