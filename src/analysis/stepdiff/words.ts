// Word difference inside one line or value: which words have no counterpart. Reconstructs both sides exactly.
// Bounded: a line with too many words, or a pair too unlike, is marked whole.

import { align } from './align.ts'
import { DIFF_LIMITS, type DiffOptions, type Segment } from './rows.ts'

/** Words left to compare in this comparison; shared by its lines so that a long text stays fast. */
export type WordBudget = { words: number }

/** A fresh budget for one comparison. */
export function wordBudget(): WordBudget {
  return { words: DIFF_LIMITS.totalWords }
}

// Dates, times and amounts are one word each: half a date underlined says nothing.
// Escapes of JSON strings are words of their own, so that `\\nfoo` is not read as the word `nfoo`.
const WORDS =
  /\\u[0-9a-f]{4}|\\[nrtbf\x22\\]|\d[\p{L}\p{N}_]*(?:[-:.,/]\d[\p{L}\p{N}_]*)+|\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu

/** The text as words, runs of white space and single signs; joined they are the text again. */
export function splitWords(text: string): string[] {
  const found = text.match(WORDS) ?? []
  // Lone surrogates match none of the classes under the u flag; then the text stays whole.
  return found.join('') === text ? found : [text]
}

/** Two texts equal when runs of white space count as one. */
export function isSameBesidesSpace(a: string, b: string): boolean {
  return a.replace(/\s+/g, ' ').trim() === b.replace(/\s+/g, ' ').trim()
}

function isSpaceEqual(a: string, b: string): boolean {
  return a === b || (a.trim() === '' && b.trim() === '')
}

function whole(text: string): Segment[] {
  return text === '' ? [] : [{ text, isChanged: true }]
}

/** Adds a piece, joined to the one before when both are alike. */
function add(to: Segment[], text: string, isChanged: boolean): void {
  if (text === '') return
  const last = to.at(-1)
  if (last !== undefined && last.isChanged === isChanged) {
    to[to.length - 1] = { text: last.text + text, isChanged }
  } else to.push({ text, isChanged })
}

/**
 * The words of both sides, marked where they have no counterpart. Joined segments give the texts back. When less
 * than a fifth of the longer text is shared, both are marked whole: scattered equal words would only mislead.
 */
export function wordSegments(
  left: string,
  right: string,
  budget: WordBudget = wordBudget(),
  options: DiffOptions = {},
): { left: readonly Segment[]; right: readonly Segment[] } {
  if (left === right) {
    const same: Segment[] = left === '' ? [] : [{ text: left, isChanged: false }]
    return { left: same, right: same }
  }
  const a = splitWords(left)
  const b = splitWords(right)
  const words = a.length + b.length
  const refused = { left: whole(left), right: whole(right) }
  if (words > DIFF_LIMITS.lineWords || words > budget.words) return refused
  budget.words -= words
  const stretches = align(a, b, options.ignoreSpace ? isSpaceEqual : undefined)
  if (stretches === null) return refused

  const outLeft: Segment[] = []
  const outRight: Segment[] = []
  let shared = 0
  stretches.forEach(({ isEqual, aFrom, aTo, bFrom, bTo }, i) => {
    const inLeft = a.slice(aFrom, aTo).join('')
    const inRight = b.slice(bFrom, bTo).join('')
    // A lone space or sign between two changed words reads as part of the change.
    const isBridge =
      isEqual && i > 0 && i < stretches.length - 1 && bTo - bFrom === 1 && !/[\p{L}\p{N}]/u.test(inRight)
    if (isEqual && !isBridge) shared += inRight.length
    add(outLeft, inLeft, !isEqual || isBridge)
    add(outRight, inRight, !isEqual || isBridge)
  })
  if (shared * 5 < Math.max(left.length, right.length)) return refused
  return { left: outLeft, right: outRight }
}
