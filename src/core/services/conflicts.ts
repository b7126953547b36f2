// Conflicts: records of one source id with different content, both sides of each, and what a person decides.

import { isDeepStrictEqual } from 'node:util'
import { Fault } from '../../base/fault.ts'
import type { ConflictRow } from '../../contract/outcomerows.ts'
import type { Trial } from '../../model/trial.ts'
import type { Context, Slice } from '../context.ts'
import { renumberTasks } from './renumber.ts'
import { allConflicts, chooseConflict, type ConflictRecord } from '../store/conflicts.ts'
import type { ReadableDb } from '../store/connection.ts'
import { taskById } from '../store/tasks.ts'
import { loadTrial, sourcesOfTask, trialHead } from '../store/trials.ts'

/** Conflicts that are listed; each is read from the store. */
const LISTED = 500
/** Conflicts whose bodies are compared, to say in what they differ. */
const COMPARED = 50

/** conflicts.* */
export function conflictsService(context: Context): Slice<'conflicts.list' | 'conflicts.resolve'> {
  return {
    'conflicts.list': () => {
      const db = context.db()
      return allConflicts(db)
        .slice(0, LISTED)
        .map((record, at) => rowOf(db, record, at < COMPARED))
    },
    'conflicts.resolve': async ({ conflictId, keep }) => {
      const db = context.db()
      const before = allConflicts(db).find(({ sourceKey }) => sourceKey === conflictId)
      if (before === undefined || !chooseConflict(db, conflictId, keep, context.now())) {
        throw new Fault('NOT_FOUND', 'There is no such conflict, or the trial is not in it.', {
          where: conflictId,
          hint: 'It may have been decided or deleted meanwhile; list the conflicts again.',
        })
      }
      await renumberTasks(context, [before.taskId])
      await context.rules().settle(context.closing)
      context.scheduleAnalysis([before.taskId])
      const now = context.db()
      const after = allConflicts(now).find(({ sourceKey }) => sourceKey === conflictId)
      return rowOf(now, after ?? { ...before, keep }, true)
    },
  }
}

function rowOf(db: ReadableDb, record: ConflictRecord, isCompared: boolean): ConflictRow {
  const heads = record.trialIds.map((trialId) => trialHead(db, trialId))
  const sources = sourcesOfTask(db, record.taskId)
  const task = taskById(db, record.taskId)
  return {
    conflictId: record.sourceKey,
    taskId: record.taskId,
    suite: task?.suite ?? '',
    task: task?.task ?? '',
    sourceId: heads[0]?.sourceId ?? null,
    keep: record.keep,
    sides: heads.map((head) => ({
      trialId: head.trialId,
      number: head.number,
      outcome: head.outcome,
      score: head.score,
      steps: head.stepCount,
      termination: head.termination,
      startedAt: head.startedAt,
      sources: sources.get(head.trialId) ?? [],
    })),
    differs: isCompared ? differences(db, record) : [],
  }
}

/** In what the records differ. Looks at the whole trials: only for a few. */
function differences(db: ReadableDb, record: ConflictRecord): readonly string[] {
  const [first, ...others] = record.trialIds.map((trialId) => loadTrial(db, trialId))
  if (first === undefined) return []
  const differs = (part: (trial: Trial) => unknown): boolean =>
    others.some((other) => !isDeepStrictEqual(part(first), part(other)))
  const known: readonly (readonly [string, boolean])[] = [
    ['outcome', differs((trial) => [trial.outcome, trial.error])],
    ['score', differs((trial) => [trial.score, trial.scores])],
    ['steps', differs((trial) => trial.steps)],
    ['times', differs((trial) => [trial.startedAt, trial.endedAt])],
  ]
  const found = known.filter(([, is]) => is).map(([what]) => what)
  return found.length > 0 ? found : ['other details']
}
