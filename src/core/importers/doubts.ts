// Doubts about the steps of one trial, told to the sink: one problem per kind, with the first and a count, so that a
// trial of a thousand odd messages does not fill a report. Used by format files; knows no format.

import { oneLine, plural } from '../../base/text.ts'
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

/** Why a format's trials have no outcome, and what would give them one. */
const NO_OUTCOME = {
  session: ['Sessions do not say whether they succeeded', 'Attach outcomes from a file that has them.'],
  patch: ['Nothing in them says whether the patch is right', "Attach outcomes from the benchmark's report."],
} as const

/** Tells once of all trials whose outcome is unknown, where the format never has one. Nothing when there are none. */
export function tellNoOutcome(trials: number, kind: keyof typeof NO_OUTCOME, sink: Sink): void {
  const [why, hint] = NO_OUTCOME[kind]
  if (trials > 0)
    sink.problem({
      severity: 'info',
      code: 'OUTCOME_MISSING',
      message: `${why}: ${plural(trials, 'trial')} with unknown outcome.`,
      hint,
    })
}

/** `name: `, or nothing. */
export function inside(name: string | null): string {
  return name === null ? '' : `${oneLine(name, NAME_CHARACTERS)}: `
}
