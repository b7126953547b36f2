// Line difference of two texts as rows that are the same on both sides. Lines are aligned first, words inside a
// changed pair of lines second. Bounded by DIFF_LIMITS; gives up with a reason, never with a wrong alignment.

import { align } from './align.ts'
import {
  DIFF_LIMITS,
  countDifferences,
  side,
  type Comparison,
  type DiffOptions,
  type DiffRow,
} from './rows.ts'
import { isSameBesidesSpace, wordBudget, wordSegments, type WordBudget } from './words.ts'

/** Rows of a text that stands on one side only. */
export function oneSideRows(text: string, of: 'left' | 'right'): DiffRow[] {
  return text.split('\n').map((line) => lone(of, line))
}

function lone(of: 'left' | 'right', line: string): DiffRow {
  const only = side(null, line, true)
  return {
    kind: of,
    depth: 0,
    left: of === 'left' ? only : null,
    right: of === 'right' ? only : null,
  }
}

/** A run of removed lines beside a run of added ones: paired from the top, the rest stands alone. */
function pairRows(
  removed: readonly string[],
  added: readonly string[],
  budget: WordBudget,
  options: DiffOptions,
): DiffRow[] {
  const rows: DiffRow[] = []
  for (let i = 0; i < Math.max(removed.length, added.length); i += 1) {
    const a = removed[i]
    const b = added[i]
    if (a !== undefined && b !== undefined) {
      const words = wordSegments(a, b, budget, options)
      rows.push({
        kind: 'changed',
        depth: 0,
        left: { key: null, segments: words.left },
        right: { key: null, segments: words.right },
      })
    } else if (a !== undefined) rows.push(lone('left', a))
    else if (b !== undefined) rows.push(lone('right', b))
  }
  return rows
}

/**
 * Compares two texts line by line (`\n`; a carriage return stays part of its line). The left sides joined with
 * `\n` are the left text, the right sides the right text.
 */
export function textRows(left: string, right: string, options: DiffOptions = {}): Comparison {
  if (left.length > DIFF_LIMITS.chars || right.length > DIFF_LIMITS.chars)
    return { ok: false, reason: 'too large' }
  const a = left.split('\n')
  const b = right.split('\n')
  const stretches = align(a, b, options.ignoreSpace ? isSameBesidesSpace : undefined)
  if (stretches === null) return { ok: false, reason: 'too different' }

  const budget = wordBudget()
  const rows: DiffRow[] = []
  for (const { isEqual, aFrom, aTo, bFrom, bTo } of stretches) {
    const inLeft = a.slice(aFrom, aTo)
    const inRight = b.slice(bFrom, bTo)
    if (!isEqual) {
      rows.push(...pairRows(inLeft, inRight, budget, options))
      continue
    }
    inRight.forEach((line, i) => {
      const sides = { left: side(null, inLeft[i] ?? line), right: side(null, line) }
      rows.push({ kind: 'equal', depth: 0, ...sides })
    })
  }
  return { ok: true, rows, differences: countDifferences(rows) }
}
