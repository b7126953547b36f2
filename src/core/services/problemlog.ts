// Problems of one file on their way to the store: the first hundred of a code one by one, the rest counted, so that
// a broken file of a million lines makes a short list. No database.

import type { Problem } from '../importers/importer.ts'
import type { ProblemRecord } from '../store/problems.ts'

/** A problem of an importer, or one that only the store can see (a conflict). */
export type LoggedProblem = Omit<Problem, 'code'> & { readonly code: string }

/** Problems of one code that are kept apart. */
const APART = 100

/** A new row, or more of what the row with this `code` beyond the hundredth stands for. */
export type ProblemPiece =
  | { readonly kind: 'row'; readonly problem: ProblemRecord; readonly isRest: boolean }
  | { readonly kind: 'more'; readonly code: string; readonly count: number }

/** Collects problems; `take` gives what is new since the last take. */
export type ProblemLog = {
  add(problem: LoggedProblem): void
  take(): readonly ProblemPiece[]
  /** The first error, else the first warning, else the first note. */
  worst(): LoggedProblem | null
}

const RANK = { error: 0, warning: 1, info: 2 } as const

/** A log for one file. */
export function problemLog(): ProblemLog {
  const seen = new Map<string, number>()
  const more = new Map<string, number>()
  let rows: ProblemPiece[] = []
  let worst: LoggedProblem | null = null
  return {
    add(problem) {
      if (worst === null || RANK[problem.severity] < RANK[worst.severity]) worst = problem
      const count = (seen.get(problem.code) ?? 0) + 1
      seen.set(problem.code, count)
      if (count <= APART + 1) {
        rows.push({ kind: 'row', problem: recordOf(problem), isRest: count === APART + 1 })
      } else more.set(problem.code, (more.get(problem.code) ?? 0) + 1)
    },
    take() {
      const pieces: ProblemPiece[] = [...rows]
      for (const [code, count] of more) pieces.push({ kind: 'more', code, count })
      rows = []
      more.clear()
      return pieces
    },
    worst: () => worst,
  }
}

function recordOf(problem: LoggedProblem): ProblemRecord {
  return {
    severity: problem.severity,
    code: problem.code,
    message: problem.message,
    hint: problem.hint ?? null,
    line: problem.line ?? null,
    byte: problem.byte ?? null,
    record: problem.record ?? null,
    count: 1,
  }
}
