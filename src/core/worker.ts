// The worker thread of the core: normalisation and analysis happen here, so that queries are answered meanwhile.
// It holds no database: it is handed packed trials and gives a packed analysis. Talks to pool.ts only.

import { parentPort } from 'node:worker_threads'
import { analyseTask } from '../analysis/divergence/analyse.ts'
import type { AnalysisOptions } from '../analysis/divergence/options.ts'
import { toFaultData } from '../base/fault.ts'
import type { LeadRow } from '../contract/rows.ts'
import type { TaskAnalysis } from '../model/analysis.ts'
import type { Trial } from '../model/trial.ts'
import { packJson, unpackJson, type Packed } from './store/blobs.ts'
import type { PackedTrial } from './store/packed.ts'

/** What the worker can be asked. */
export type WorkerJob = {
  readonly kind: 'analyse'
  readonly trials: readonly PackedTrial[]
  readonly options: AnalysisOptions
}

/** What the worker answers: the analysis packed, and the line that the task table shows. */
export type WorkerResult = { readonly analysis: Packed; readonly lead: LeadRow }

/** The line of an analysis that lists show. */
export function leadRowOf(analysis: TaskAnalysis): LeadRow {
  const { lead } = analysis
  const passes = analysis.lanes.filter((lane) => lane.isPass).length
  return {
    state: analysis.state,
    tooFew: analysis.tooFew,
    stage: lead?.stage ?? null,
    tool: lead?.tool ?? null,
    kind: lead?.kind ?? null,
    level: lead?.level ?? null,
    probability: lead?.probability ?? null,
    a: lead?.counts.a ?? 0,
    F: lead?.counts.F ?? analysis.lanes.length - passes,
    b: lead?.counts.b ?? 0,
    P: lead?.counts.P ?? passes,
  }
}

function run(job: WorkerJob): WorkerResult {
  const trials = job.trials.map(({ id, head, body }) => {
    const rest = unpackJson<Pick<Trial, 'steps' | 'extra'>>(body)
    return { id, trial: { ...head, steps: rest.steps, extra: rest.extra } }
  })
  const analysis = analyseTask(trials, job.options)
  return { analysis: packJson(analysis), lead: leadRowOf(analysis) }
}

parentPort?.on('message', (message: { readonly id: number; readonly job: WorkerJob }) => {
  try {
    parentPort?.postMessage({ id: message.id, ok: true, value: run(message.job) })
  } catch (error) {
    parentPort?.postMessage({ id: message.id, ok: false, error: toFaultData(error) })
  }
})
