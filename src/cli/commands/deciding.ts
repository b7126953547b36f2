// What decides in the suites of an import: the choice of `import --scorer`, and what is said of suites where there is one.

import { Fault } from '../../base/fault.ts'
import { plural } from '../../base/text.ts'
import type { ScorerChoice } from '../../contract/rulerows.ts'
import type { ImportRow } from '../../contract/rows.ts'
import { openChoice } from '../../core/services/scorers.ts'
import { safe } from '../layout.ts'
import type { Session } from '../session.ts'
import type { Terminal } from '../terminal.ts'

/** Options of `import` that choose what decides. */
export type DecideOptions = {
  readonly outcomes?: readonly string[]
  readonly scorer?: string
  readonly threshold?: number
}

/**
 * Which score decides in each suite of what was imported, where there is a choice; with `--scorer` or `--threshold`, and
 * without outcomes to be attached, after it was made.
 */
export async function decideIn(
  session: Session,
  row: ImportRow,
  options: DecideOptions,
  terminal: Terminal,
): Promise<readonly ScorerChoice[]> {
  const { outcomes = [], scorer, threshold } = options
  const of = { importId: row.importId }
  const choices = await session.ask('rules.scorers', of)
  if (outcomes.length > 0 || (scorer === undefined && threshold === undefined)) return choices
  const meant = choices.flatMap((choice) => {
    const name = scorer ?? choice.decides
    return name !== null && choice.fields.some((field) => field.name === name) ? [{ ...choice, name }] : []
  })
  if (meant.length === 0) {
    const names = [...new Set(choices.flatMap(({ fields }) => fields.map(({ name }) => safe(name, 40))))]
    throw new Fault(
      'INVALID_INPUT',
      `No suite of this import can be decided by ${scorer === undefined ? 'a threshold' : `“${safe(scorer, 40)}”`}.`,
      {
        where: scorer === undefined ? '--threshold' : '--scorer',
        hint:
          names.length === 0
            ? 'Its trials have one score at most, and that one decides.'
            : `Its trials have: ${names.join(', ')}. They were imported.`,
      },
    )
  }
  for (const { suite, name } of meant)
    await session.ask('rules.decide', { suite, scorer: name, threshold: threshold ?? null })
  try {
    await session.ask('rules.apply', {}, ({ done, total }) =>
      terminal.progress(`Judging ${done} of ${plural(total, 'trial')}`),
    )
  } finally {
    terminal.progress(null)
  }
  return await session.ask('rules.scorers', of)
}

/** What decides, a line per suite. */
export function scorersText(choices: readonly ScorerChoice[]): string {
  const lines = choices.flatMap((choice) => {
    const open = openChoice(choice)
    if (open !== null) return [`${safe(open, 400)} (--scorer, --threshold)`]
    return choice.isChosen
      ? [
          `In ${safe(choice.suite, 40)} “${safe(choice.decides ?? '', 40)}” decides from ${choice.threshold} on, as chosen.`,
        ]
      : []
  })
  return lines.length === 0 ? '' : `\n${lines.join('\n')}`
}
