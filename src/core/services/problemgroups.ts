// Problems by file and code, for a preview: the first of each, and how many. Pure.

import type { PreviewProblem } from '../../contract/outcomerows.ts'
import type { Problem } from '../importers/importer.ts'

/** Groups that a preview lists. */
const LISTED = 200
const RANK = { error: 0, warning: 1, info: 2 } as const

/** Problems of equal file, severity and code as one line, gravest first. */
export function groupProblems(
  problems: readonly (Omit<Problem, 'code'> & {
    readonly fileName: string
    readonly code: string
    readonly count?: number
  })[],
): readonly PreviewProblem[] {
  const groups = Map.groupBy(problems, ({ fileName, severity, code }) => `${severity} ${code} ${fileName}`)
  return [...groups.values()]
    .flatMap((group): PreviewProblem[] => {
      const [first] = group
      if (first === undefined) return []
      const { fileName, severity, code, message, hint, line } = first
      const count = group.reduce((sum, one) => sum + (one.count ?? 1), 0)
      return [{ fileName, severity, code, count, message, hint: hint ?? null, line: line ?? null }]
    })
    .toSorted((a, b) => RANK[a.severity] - RANK[b.severity])
    .slice(0, LISTED)
}
