// The figures with doubt of one task or of all tasks in scope: gathers the trials, has the figures computed in a worker.
// How a failing trial ended is read from the stored analysis: the state-changing calls of its lane.

import type { FigureTrial } from '../../analysis/reliability/figures.ts'
import type { TaskAnalysis } from '../../model/analysis.ts'
import type { Context, Slice } from '../context.ts'
import { loadAnalysis } from '../store/analyses.ts'
import { loadPolicy } from '../store/settings.ts'
import { trialFacts } from '../store/trialfacts.ts'
import { resolveView, type Analyser } from './analysis.ts'
import type { Counter } from './counted.ts'
import { worded, type Resample } from './resampled.ts'
import { noTask } from './notask.ts'

/** tasks.statistics */
export function statisticsService(
  context: Context,
  counter: Counter,
  analyser: Analyser,
  resample: Resample,
): Slice<'tasks.statistics'> {
  return {
    'tasks.statistics': async ({ view: asked, taskId, k, confidence }, { signal }) => {
      const db = context.db()
      const view = resolveView(asked, loadPolicy(db))
      const counted = counter.count(view)
      const lines = taskId === null ? [...counted.lines.values()].flat() : (counted.lines.get(taskId) ?? [])
      if (taskId !== null && lines.length === 0) throw noTask(db, taskId)
      const facts = trialFacts(db, taskId)
      const stored = taskId === null ? null : loadAnalysis(db, { taskId, viewHash: view.hash })
      const isCurrent =
        taskId !== null &&
        stored?.inputsHash === counted.inputs.get(taskId) &&
        stored?.algorithm === analyser.algorithm
      const ends = isCurrent && stored?.analysis ? endsOf(stored.analysis) : new Map<string, string>()
      const trials = lines.map((line): FigureTrial => ({
        trialId: line.trialId,
        taskId: line.taskId,
        configurationId: line.configurationId,
        outcome: line.outcome,
        startMs: facts.get(line.trialId)?.startMs ?? null,
        severeEvents: line.severeEvents,
        costUsd: line.costUsd,
        end: ends.get(line.trialId) ?? null,
      }))
      const input = {
        of: taskId === null ? ('suite' as const) : ('task' as const),
        trials,
        policy: view.policy,
        exposure: k,
        confidence,
      }
      const figures = await resample({ kind: 'figures', input }, signal)
      return { ...worded(figures), policy: view.policy, confidence }
    },
  }
}

/**
 * What tells how each trial ended: its state-changing calls in the order of the columns, with what they did and saw. A
 * trial without any is not in the map: that nothing was written does not say that two trials ended alike.
 */
export function endsOf(analysis: TaskAnalysis): Map<string, string> {
  const ends = new Map<string, string>()
  for (const lane of analysis.lanes) {
    const writes = lane.cells
      .filter((cell) => analysis.columns[cell.column]?.stepClass === 'write' && !cell.isError)
      .map((cell) => `${cell.column}:${cell.variant}`)
    if (writes.length > 0) ends.set(lane.trial, writes.join(' '))
  }
  return ends
}
