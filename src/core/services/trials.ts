// Trials: their steps as a person reads them, two steps side by side, the original record, deleting and restoring.
// Reads single trials from the store and sends pages of bounded size, never a whole trajectory.

import { Fault } from '../../base/fault.ts'
import type { StepRef, StepView } from '../../contract/rows.ts'
import type { Trial } from '../../model/trial.ts'
import type { Context, Slice } from '../context.ts'
import { allConfigurations } from '../store/configurations.ts'
import { deleteTrials, restoreTrials, type Changed } from '../store/removal.ts'
import { isTaskMixed, loadTrial, rawRecord, trialHead, trialWeight } from '../store/trials.ts'
import { configurationLabels } from './labels.ts'
import { mediumIn } from './media.ts'
import { renumberTasks } from './renumber.ts'
import { readingList, stepView, type Place } from './steps.ts'

/** Characters of one text in a list of steps; `trials.pair` gives the whole. */
const LIST_CHARS = 10_000
/** Trials kept parsed, for paging; larger ones are read again. */
const KEPT_TRIALS = 4
const KEPT_BYTES = 8 * 1024 * 1024

/** A trial open for reading. */
type Opened = { readonly trial: Trial; readonly places: readonly Place[]; readonly label: string }

/** More of an image is not sent to the window. */
const MEDIUM_MAX_CHARACTERS = 64 * 1024 * 1024

/** trials.* */
export function trialsService(
  context: Context,
): Slice<
  'trials.steps' | 'trials.pair' | 'trials.raw' | 'trials.medium' | 'trials.delete' | 'trials.restore'
> {
  const kept = new Map<string, Pick<Opened, 'trial' | 'places'>>()

  const open = (trialId: string): Opened => {
    const db = context.db()
    const key = `${db.path} ${trialId}`
    let opened = kept.get(key)
    if (opened === undefined) {
      const trial = loadTrial(db, trialId)
      opened = { trial, places: readingList(trial) }
      if (trialWeight(db, trialId) <= KEPT_BYTES) kept.set(key, opened)
      const oldest = kept.keys().next().value
      if (kept.size > KEPT_TRIALS && oldest !== undefined) kept.delete(oldest)
    }
    // The label holds the number, which an import may change: it is asked for each time.
    return { ...opened, label: labelOf(context, trialId) }
  }

  const one = (ref: StepRef | null, limit: number): StepView | null => {
    if (ref === null) return null
    const { trial, places, label } = open(ref.trialId)
    const place = places.find((at) => at.step.index === ref.step && at.call === ref.call)
    if (place === undefined) {
      throw new Fault('NOT_FOUND', `This trial has no step ${ref.step}.`, { where: ref.trialId })
    }
    return stepView(ref.trialId, trial, label, place, limit, true)
  }

  const changed = async ({ trials, taskIds }: Changed): Promise<{ readonly trials: number }> => {
    kept.clear()
    await renumberTasks(context, taskIds)
    context.scheduleAnalysis(taskIds)
    return { trials }
  }

  return {
    'trials.steps': ({ trialId, offset, limit }) => {
      const { trial, places, label } = open(trialId)
      const page = places.slice(offset, offset + limit)
      return {
        trialId,
        total: places.length,
        steps: page.map((place) => stepView(trialId, trial, label, place, LIST_CHARS, false)),
      }
    },
    'trials.pair': ({ left, right, limitChars }) => ({
      left: one(left, limitChars),
      right: one(right, limitChars),
    }),
    'trials.raw': ({ trialId, offset, limit }) => {
      const { record, fileName, recordIndex } = rawRecord(context.db(), trialId)
      const text = record.toString('utf8')
      return {
        text: text.slice(offset, offset + limit),
        offset,
        totalChars: text.length,
        fileName,
        record: recordIndex,
      }
    },
    'trials.medium': ({ trialId, hash }) => {
      const medium = mediumIn(rawRecord(context.db(), trialId).record, hash)
      if (medium === null)
        throw new Fault('NOT_FOUND', 'These bytes are not in the original record as one text.', {
          where: `${trialId}, sha256 ${hash}`,
          hint: 'Look at the raw record of the trial: they may be written with line breaks.',
        })
      if (medium.base64.length > MEDIUM_MAX_CHARACTERS)
        throw new Fault(
          'TOO_LARGE',
          `This is ${medium.bytes.toLocaleString('en-US')} bytes, more than can be shown.`,
          {
            where: `${trialId}, sha256 ${hash}`,
            hint: 'Its text stands in the raw record of the trial.',
          },
        )
      return medium
    },
    'trials.delete': ({ trialIds }) => changed(deleteTrials(context.db(), trialIds, context.now())),
    'trials.restore': ({ trialIds }) => changed(restoreTrials(context.db(), trialIds)),
  }
}

/** `trial 3`, with the configuration before it where the task has several. */
function labelOf(context: Context, trialId: string): string {
  const db = context.db()
  const head = trialHead(db, trialId)
  if (!isTaskMixed(db, head.taskId)) return `trial ${head.number}`
  const labels = configurationLabels(allConfigurations(db))
  return `${labels.get(head.configurationId) ?? head.configurationId} · trial ${head.number}`
}
