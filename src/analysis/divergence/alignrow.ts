// One trial against the columns: anchors (tokens that are unique on both sides, in increasing order), equal ends of
// the segments between them, and affine-gap alignment (Gotoh 1982) of what is left. Buffers are reused between calls.

import { CONFIG, COST } from './constants.ts'
import type { PairCost } from './cost.ts'

/** A column while it is built: its variants (token → trials), the dominant one, and how many trials it holds. */
export type DraftColumn = {
  readonly variants: Map<number, number>
  dominant: number
  weight: number
  /** Of final answers: a trial that ends without one is not aligned worse for it. */
  readonly isFinal: boolean
  /** Distinct trial (by number) → position of its step; set when the columns are rebuilt. */
  readonly cells: Map<number, number>
}

let costs = new Float32Array(4096)
let gapsAbove = new Float32Array(4096)
let trace = new Uint8Array(65536)
/** Per position of the steps: the column (plus one) of which it is a known variant, while that column is filled. */
let known = new Int32Array(4096)
const NEVER = 1e9

/** The columns of one round, with what is asked of them for every trial. */
export type ColumnSet = {
  readonly columns: readonly DraftColumn[]
  /** Token → columns of which it is a variant, ascending. */
  readonly columnsWith: ReadonlyMap<number, readonly number[]>
  /** 1 for columns with variants of several tools. */
  readonly isMixed: Uint8Array
  /** Trials that a column's weight is compared with. */
  readonly total: number
}

/** Fills `row` (column → position in `steps`, -1 for none) with the best alignment. */
export function alignRow(set: ColumnSet, steps: Int32Array, row: Int32Array, cost: PairCost): void {
  const { columns } = set
  const segment = (c0: number, c1: number, i0: number, i1: number): void => {
    while (c0 < c1 && i0 < i1 && columns[c0]!.variants.has(steps[i0]!)) row[c0++] = i0++
    while (c0 < c1 && i0 < i1 && columns[c1 - 1]!.variants.has(steps[i1 - 1]!)) row[--c1] = --i1
    if (c0 < c1 && i0 < i1) gotoh(set, steps, row, { c0, n: c1 - c0, i0, k: i1 - i0 }, cost)
  }
  let column = 0
  let position = 0
  for (const [i, c] of anchors(set, steps)) {
    segment(column, c, position, i)
    row[c] = i
    column = c + 1
    position = i + 1
  }
  segment(column, columns.length, position, steps.length)
}

/** Pairs (position, column) that surely belong together, ascending in both. */
function anchors(set: ColumnSet, steps: Int32Array): [number, number][] {
  const uses = new Map<number, number>()
  for (const token of steps) uses.set(token, (uses.get(token) ?? 0) + 1)
  const positions: number[] = []
  const columns: number[] = []
  steps.forEach((token, i) => {
    const places = set.columnsWith.get(token)
    if (places?.length === 1 && uses.get(token) === 1) {
      positions.push(i)
      columns.push(places[0]!)
    }
  })
  const chain = longestIncreasing(columns).map((k): [number, number] => [positions[k]!, columns[k]!])
  // A lone anchor with very unequal gaps on both sides is a moved step: it would tear the region apart.
  return chain.filter(([i, c], k) => {
    const [i0, c0] = chain[k - 1] ?? [-1, -1]
    const [i1, c1] = chain[k + 1] ?? [steps.length, set.columns.length]
    const touches = (c - c0 === 1 && i - i0 === 1) || (c1 - c === 1 && i1 - i === 1)
    return touches || Math.abs(c - c0 - (i - i0)) < 2 || Math.abs(c1 - c - (i1 - i)) < 2
  })
}

/** Positions of a longest strictly increasing subsequence (patience sorting). */
export function longestIncreasing(values: readonly number[]): number[] {
  const tails: number[] = []
  const previous = new Int32Array(values.length)
  values.forEach((value, i) => {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (values[tails[middle]!]! < value) low = middle + 1
      else high = middle
    }
    previous[i] = low > 0 ? tails[low - 1]! : -1
    tails[low] = i
  })
  const chain: number[] = []
  for (let k = tails.at(-1) ?? -1; k >= 0; k = previous[k]!) chain.push(k)
  return chain.reverse()
}

/** A part of the columns and of the steps between two anchors. */
type Segment = { readonly c0: number; readonly n: number; readonly i0: number; readonly k: number }

/** Global affine-gap alignment of a segment; optional columns are cheap to skip. */
function gotoh(set: ColumnSet, steps: Int32Array, row: Int32Array, segment: Segment, cost: PairCost): void {
  const { c0, n, i0, k } = segment
  const band = bandOf(n, k)
  reserve(k + 1, (n + 1) * band.width)
  const variants = variantsInside(set, steps, segment)
  const open = CONFIG.gapOpen
  const extend = CONFIG.gapExt
  const H = costs
  const E = gapsAbove
  H[0] = 0
  E[0] = NEVER
  known[0] = 0
  for (let j = 1; j <= k; j++) {
    H[j] = (j === 1 ? open : H[j - 1]!) + extend
    E[j] = NEVER
    known[j] = 0
  }
  let reached = k
  for (let i = 1; i <= n; i++) {
    const column = set.columns[c0 + i - 1]!
    const skip = column.isFinal ? 0 : 0.25 + 0.75 * Math.min(1, column.weight / set.total)
    const skipExtend = extend * skip
    const skipOpen = open * skip + skipExtend
    const low = bandStart(band, i)
    const from = Math.max(1, low)
    const to = Math.min(k, low + band.width - 1)
    for (const j of variants.get(i - 1) ?? []) known[j] = i
    for (let j = reached + 1; j <= to; j++) H[j] = E[j] = NEVER
    reached = to
    const base = i * band.width - low
    const isMixed = set.isMixed[c0 + i - 1] === 1
    const { dominant } = column
    let diagonal = H[from - 1]!
    let F = NEVER
    H[from - 1] = low > 0 ? NEVER : (i === 1 ? open * skip : H[0]!) + skipExtend
    for (let j = from; j <= to; j++) {
      const above = H[j]!
      const e1 = above + skipOpen
      const e2 = E[j]! + skipExtend
      const e = e1 <= e2 ? e1 : e2
      const f1 = H[j - 1]! + open + extend
      const f2 = F + extend
      const f = f1 <= f2 ? f1 : f2
      F = Math.fround(f)
      let best = diagonal
      if (known[j] !== i) {
        const token = steps[i0 + j - 1]!
        const substitution = cost(dominant, token)
        best += isMixed && substitution === COST.forbidden ? cheapest(column, token, cost) : substitution
      }
      let move = 0
      if (e < best) {
        best = e
        move = 1
      }
      if (f < best) {
        best = f
        move = 2
      }
      E[j] = e
      H[j] = best
      diagonal = above
      trace[base + j] = move | (e2 < e1 ? 4 : 0) | (f2 < f1 ? 8 : 0)
    }
  }
  walkBack(row, segment, band)
}

/** Per column of the segment (from 0), the positions (from 1) of steps that are known variants of it. */
function variantsInside(
  set: ColumnSet,
  steps: Int32Array,
  { c0, n, i0, k }: Segment,
): ReadonlyMap<number, readonly number[]> {
  const inside = new Map<number, number[]>()
  for (let j = 1; j <= k; j++) {
    for (const c of set.columnsWith.get(steps[i0 + j - 1]!) ?? []) {
      if (c < c0 || c >= c0 + n) continue
      const list = inside.get(c - c0)
      if (list === undefined) inside.set(c - c0, [j])
      else list.push(j)
    }
  }
  return inside
}

/** The least cost of a step against any variant of a column. */
function cheapest(column: DraftColumn, token: number, cost: PairCost): number {
  let best: number = COST.forbidden
  for (const variant of column.variants.keys()) best = Math.min(best, cost(variant, token))
  return best
}

/** Which part of each row is filled: all of it, or for very large segments a band around the diagonal. */
type Band = { readonly width: number; readonly half: number; readonly slope: number; readonly last: number }

function bandOf(n: number, k: number): Band {
  const half = (n + 1) * (k + 1) > CONFIG.maxCells ? Math.abs(n - k) + 64 : k
  const width = Math.min(k + 1, 2 * half + 1)
  return { width, half, slope: k / n, last: k + 1 - width }
}

/** First position of a row's band; 0 is the border. */
function bandStart(band: Band, i: number): number {
  return Math.max(0, Math.min(band.last, Math.round(i * band.slope) - band.half))
}

function walkBack(row: Int32Array, { c0, n, i0, k }: Segment, band: Band): void {
  let i = n
  let j = k
  let state = -1
  while (i > 0 || j > 0) {
    const from = i === 0 || j === 0 ? 0 : trace[i * band.width + j - bandStart(band, i)]!
    if (state < 0) state = from & 3
    if (i === 0) state = 2
    else if (j === 0) state = 1
    if (state === 0) {
      row[c0 + i - 1] = i0 + j - 1
      i--
      j--
      state = -1
    } else if (state === 1) {
      state = (from & 4) !== 0 ? 1 : -1
      i--
    } else {
      state = (from & 8) !== 0 ? 2 : -1
      j--
    }
  }
}

function reserve(width: number, cells: number): void {
  if (costs.length < width) {
    costs = new Float32Array(width * 2)
    gapsAbove = new Float32Array(width * 2)
    known = new Int32Array(width * 2)
  }
  if (trace.length < cells) trace = new Uint8Array(cells)
}
