// Doubts about the steps of one trial, told to the sink: one problem per kind, with the first and a count, so that a
// trial of a thousand odd messages does not fill a report. Used by format files; knows no format.

import { oneLine } from '../../base/text.ts'
import type { Problem, Sink } from './importer.ts'
import type { StepDoubt } from './messages.ts'

/** Longest name of a member that a message repeats. */
const NAME_CHARACTERS = 120

/** Tells of doubts. `name` is the member that the trial stands in, where line and byte do not say it. */
export function tellDoubts(
  doubts: readonly StepDoubt[],
  place: Pick<Problem, 'line' | 'byte' | 'record'>,
  name: string | null,
  sink: Sink,
): void {
  for (const code of new Set(doubts.map((doubt) => doubt.code))) {
    const same = doubts.filter((doubt) => doubt.code === code)
    const more = same.length > 1 ? ` And ${same.length - 1} more in this trial.` : ''
    sink.problem({
      severity: code === 'FORMAT_BETA' ? 'info' : 'warning',
      code,
      message: `${inside(name)}${same[0]?.message}${more}`,
      ...place,
    })
  }
}

/** `name: `, or nothing. */
export function inside(name: string | null): string {
  return name === null ? '' : `${oneLine(name, NAME_CHARACTERS)}: `
}
