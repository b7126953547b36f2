// The rows of a comparison of two values or texts: what both step pair views (split, unified) draw, and the
// limits under which one is made at all. Rows are plain data; folding of equal rows stands here too.

/** A piece of one line. `isChanged`: it has no counterpart on the other side. */
export type Segment = { readonly text: string; readonly isChanged: boolean }

/**
 * One side of a row. `key` is the object key before the value, null for array items, brackets and text lines.
 * `isContinued`: goes on from this side's row before (a long string with line breaks spans several rows).
 */
export type RowSide = {
  readonly key: string | null
  readonly segments: readonly Segment[]
  readonly isContinued?: boolean
}

/**
 * One row, the same on both sides. `left` only (removed), `right` only (added), `changed` (both, unlike) or
 * `equal`. Depth is the nesting of JSON, 0 for text.
 */
export type DiffRow = {
  readonly kind: 'equal' | 'changed' | 'left' | 'right'
  readonly depth: number
  readonly left: RowSide | null
  readonly right: RowSide | null
}

/** A comparison, or why there is none: then both are shown as they are. */
export type Comparison =
  | { readonly ok: true; readonly rows: readonly DiffRow[]; readonly differences: number }
  | { readonly ok: false; readonly reason: 'too large' | 'too different' | 'too deep' }

/** How two texts are compared. `ignoreSpace`: runs of white space count as one space. */
export type DiffOptions = { readonly ignoreSpace?: boolean }

/** Limits of a comparison: beyond them it is not attempted or given up, so that no input can stall the window. */
export const DIFF_LIMITS = {
  /** Characters of one side. */
  chars: 200_000,
  /** Nesting levels of JSON. */
  depth: 300,
  /** Insertions and deletions of lines or array items. */
  edits: 1_000,
  /** Milliseconds of one alignment of lines or items: a net under `edits`. */
  timeoutMs: 120,
  /** Words of one line compared word by word. */
  lineWords: 2_000,
  /** Words compared word by word in the whole comparison; later lines are marked whole. */
  totalWords: 40_000,
} as const

/** A side made of one unchanged or wholly changed piece. */
export function side(key: string | null, text: string, isChanged = false, isContinued = false): RowSide {
  return { key, segments: [{ text, isChanged }], isContinued }
}

/** The text of one side of a row without its key. */
export function sideText(of: RowSide): string {
  return of.segments.map((segment) => segment.text).join('')
}

/** How many separate places differ: runs of rows that are not equal. */
export function countDifferences(rows: readonly DiffRow[]): number {
  let count = 0
  rows.forEach((row, i) => {
    if (row.kind !== 'equal' && (i === 0 || rows[i - 1]?.kind === 'equal')) count += 1
  })
  return count
}

/** A stretch of rows that is drawn, or a stretch of equal rows that is folded. `from` inclusive, `to` exclusive. */
export type Stretch = { readonly from: number; readonly to: number; readonly isFolded: boolean }

/**
 * Folds runs of equal rows that stand farther than `context` rows from a difference. Runs that would save fewer
 * than three rows stay. Without any difference everything is one fold.
 */
export function foldEqual(rows: readonly DiffRow[], context = 3): Stretch[] {
  const stretches: Stretch[] = []
  let from = 0
  const push = (to: number, isFolded: boolean): void => {
    if (to <= from) return
    const last = stretches.at(-1)
    if (last !== undefined && last.isFolded === isFolded) {
      stretches[stretches.length - 1] = { ...last, to }
    } else stretches.push({ from, to, isFolded })
    from = to
  }
  let i = 0
  while (i < rows.length) {
    if (rows[i]?.kind !== 'equal') {
      i += 1
      continue
    }
    let end = i
    while (end < rows.length && rows[end]?.kind === 'equal') end += 1
    const foldFrom = i === 0 ? 0 : i + context
    const foldTo = end === rows.length ? end : end - context
    if (foldTo - foldFrom >= 3) {
      push(foldFrom, false)
      push(foldTo, true)
    }
    i = end
  }
  push(rows.length, false)
  return stretches
}
