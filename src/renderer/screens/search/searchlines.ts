// The lines of the search screen: a line for each step found, and where it leads. Pure.

import { oneLine, plural } from '../../../base/text.ts'
import { stepWords, type SearchRow, type SearchStep } from '../../../contract/searchrows.ts'
import { VERDICTS } from '../../../marks/VerdictGlyph.tsx'
import { taskPlace, type Place } from '../../shell/places.ts'

/** A line: a step of a row, or (`step` null) how many more the trial has. */
export type SearchLine = {
  readonly key: string
  readonly row: SearchRow
  readonly step: SearchStep | null
  readonly more: number
  readonly isFirstOfTask: boolean
  readonly isFirstOfTrial: boolean
}

/** The lines of rows, in their order. */
export function linesOf(rows: readonly SearchRow[]): readonly SearchLine[] {
  const lines: SearchLine[] = []
  rows.forEach((row, at) => {
    const isNewTask = rows[at - 1]?.taskId !== row.taskId
    const whose = `${row.taskId} ${row.trial?.trialId ?? ''}`
    row.steps.forEach((step, i) =>
      lines.push({
        key: `${whose} ${step.step ?? step.part}`,
        row,
        step,
        more: 0,
        isFirstOfTask: isNewTask && i === 0,
        isFirstOfTrial: i === 0,
      }),
    )
    const more = row.stepsTotal - row.steps.length
    if (more > 0)
      lines.push({ key: `${whose} more`, row, step: null, more, isFirstOfTask: false, isFirstOfTrial: false })
  })
  return lines
}

/** Where a line leads: the trial at the step, read under its call; the task for its instruction. */
export function placeOfLine({ row, step }: SearchLine): Extract<Place, { at: 'task' }> {
  if (row.trial === null) return taskPlace(row.taskId)
  const last = row.steps.at(-1)
  const at = step === null ? (last?.readAt ?? null) : step.readAt
  return taskPlace(row.taskId, { lens: 'steps', trial: row.trial.trialId, step: at })
}

/** A task's name with its suite. */
export function taskName({ suite, task }: Pick<SearchRow, 'suite' | 'task'>): string {
  return suite === '' ? task : `${suite}/${task}`
}

/** What a line says to a screen reader. */
export function lineLabel({ row, step, more }: SearchLine): string {
  const { trial } = row
  const who =
    trial === null
      ? 'instruction of the task'
      : `${oneLine(trial.configuration, 60)}, trial ${trial.number}, ${VERDICTS[trial.outcome].word}`
  const where =
    step === null
      ? plural(more, 'more step')
      : step.step === null
        ? stepWords(step)
        : `step ${step.step}, ${oneLine(stepWords(step), 60)}`
  return `${oneLine(taskName(row), 80)}, ${who}, ${where}${step === null ? '' : `: ${step.snippet.text}`}`
}
