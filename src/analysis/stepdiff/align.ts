// Alignment of two lists of texts (lines, words, array items) into stretches of equal and unequal items, by
// index. The one place of this folder that calls the `diff` package; always with its limits.

import { diffArrays } from 'diff'
import { DIFF_LIMITS } from './rows.ts'

/** Items `aFrom..aTo` beside `bFrom..bTo` (ends exclusive). Equal stretches have equal lengths. */
export type Aligned = {
  readonly isEqual: boolean
  readonly aFrom: number
  readonly aTo: number
  readonly bFrom: number
  readonly bTo: number
}

/** Equal and unequal stretches in turn, covering both lists; null when the edit or time limit is passed. */
export function align(
  a: readonly string[],
  b: readonly string[],
  comparator?: (x: string, y: string) => boolean,
): Aligned[] | null {
  const changes = diffArrays([...a], [...b], {
    maxEditLength: DIFF_LIMITS.edits,
    timeout: DIFF_LIMITS.timeoutMs,
    ...(comparator ? { comparator } : {}),
  })
  if (changes === undefined) return null
  const stretches: Aligned[] = []
  let i = 0
  let j = 0
  for (const { added, removed, count } of changes) {
    const isEqual = !added && !removed
    const aTo = added ? i : i + count
    const bTo = removed ? j : j + count
    const last = stretches.at(-1)
    if (last !== undefined && last.isEqual === isEqual) {
      stretches[stretches.length - 1] = { ...last, aTo, bTo }
    } else stretches.push({ isEqual, aFrom: i, aTo, bFrom: j, bTo })
    i = aTo
    j = bTo
  }
  return stretches
}
