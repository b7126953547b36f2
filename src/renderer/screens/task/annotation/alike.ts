// "Apply to alike": the same annotation for the trials that are alike in every column. What somebody wrote about
// one of them is kept, never overwritten. One undo takes all of it back.

import { Fault } from '../../../../base/fault.ts'
import type { AnnotationDraft } from '../../../../model/annotation.ts'
import type { TaskAnalysis } from '../../../../model/analysis.ts'
import { ask } from '../../../bridge/client.ts'
import { remember } from '../../../shell/undo.ts'
import { copyOf, restoreAnnotation, type Seen } from './savers.ts'

/** The other trials that are alike with this one and ended alike. */
export function alikeTrials(analysis: TaskAnalysis | null, trialId: string): string[] {
  const own = analysis?.lanes.find((lane) => lane.trial === trialId)
  if (analysis === null || own === undefined) return []
  return analysis.lanes
    .filter((lane) => lane.trial !== trialId && lane.alike === own.alike && lane.isPass === own.isPass)
    .map((lane) => lane.trial)
}

/** Writes the draft, without its evidence (steps of this one trial), to trials that have no annotation yet. */
export async function applyToAlike(
  taskId: string,
  trials: readonly string[],
  draft: AnnotationDraft,
  seen: Seen,
): Promise<{ readonly applied: number; readonly kept: number }> {
  const copied: AnnotationDraft = { ...copyOf(draft), evidence: [] }
  const annotated = new Set((await ask('annotations.list', { taskId })).map((one) => one.trialId))
  const done: string[] = []
  for (const trialId of trials) {
    if (annotated.has(trialId)) continue
    try {
      await ask('annotations.save', { trialId, revision: 0, draft: copyOf(copied), ...seen })
      done.push(trialId)
    } catch (error) {
      // Somebody annotated it in this moment: theirs stays.
      if (!(error instanceof Fault) || error.code !== 'CONFLICT') throw error
    }
  }
  if (done.length > 0) {
    const all = async (state: AnnotationDraft | null): Promise<void> => {
      for (const trialId of done) await restoreAnnotation(trialId, taskId, state, seen)
    }
    remember({
      title: `Annotation of ${done.length} alike`,
      undo: () => all(null),
      redo: () => all(copied),
    })
  }
  return { applied: done.length, kept: trials.length - done.length }
}
