// All trials of a task into common columns: a progressive profile alignment on a linear order of columns. The backbone
// is the most typical passing trial; in two rounds every distinct trial is aligned, and insertions become columns.

import { alignRow } from './alignrow.ts'
import type { ColumnSet, DraftColumn } from './alignrow.ts'
import { CONFIG, COST, FINAL } from './constants.ts'
import { pairCost } from './cost.ts'
import type { PairCost } from './cost.ts'
import type { Node } from './node.ts'
import type { Prepared } from './prepare.ts'
import { rescue } from './rescue.ts'

/** The alignment: for each trial its tokens in order and, per column, the position of its step (-1 for none). */
export type Alignment = {
  readonly columnCount: number
  readonly steps: readonly Int32Array[]
  readonly cells: readonly Int32Array[]
  readonly cost: PairCost
}

/** Trials with the same tokens in the same order are aligned once. */
type Distinct = {
  readonly trials: readonly number[]
  readonly steps: Int32Array
  readonly nodes: readonly Node[]
  readonly hasPass: boolean
  typicality: number
  row: Int32Array
  used: Uint8Array
}

/** Aligns the arranged actions of the trials of a prepared task; at least one trial must have an action. */
export function align(prepared: Prepared, rows: readonly (readonly Node[])[]): Alignment {
  const steps = rows.map((row) => Int32Array.from(row, (node) => node.token))
  const cost = pairCost(prepared, steps)
  const distinct = distinctRows(steps, rows, prepared.isPass)
  // Passing trials first, then the most typical: later ones join columns that earlier ones made.
  const order = distinct.toSorted(
    (a, b) => Number(b.hasPass) - Number(a.hasPass) || b.typicality - a.typicality,
  )
  let columns = Array.from(order[0]?.steps ?? [], (token) => newColumn(prepared, token, 1))
  for (let round = 0; round < CONFIG.rounds; round++) {
    const isLast = round === CONFIG.rounds - 1
    const set = columnSet(prepared, columns, round === 0 ? 1 : rows.length)
    for (const trial of order) {
      trial.row = new Int32Array(columns.length).fill(-1)
      trial.used = new Uint8Array(trial.steps.length)
      alignRow(set, trial.steps, trial.row, cost)
      for (const i of trial.row) if (i >= 0) trial.used[i] = 1
      rescue(columns, trial.nodes, trial.steps, trial.row, trial.used, cost, prepared.vocabulary.tokens)
    }
    const least = isLast ? 0 : Math.max(2, 0.04 * rows.length)
    columns = rebuild(prepared, columns, distinct, order, cost, least)
  }
  const cells = rows.map(() => new Int32Array(columns.length).fill(-1))
  columns.forEach((column, c) => {
    for (const [d, i] of column.cells) for (const r of distinct[d]!.trials) cells[r]![c] = i
  })
  return { columnCount: columns.length, steps, cells, cost }
}

function distinctRows(
  steps: readonly Int32Array[],
  rows: readonly (readonly Node[])[],
  isPass: readonly boolean[],
): Distinct[] {
  const groups = new Map<string, number[]>()
  steps.forEach((row, r) => {
    const key = row.join()
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [r])
    else group.push(r)
  })
  const spread = new Map<number, number>()
  const list = [...groups.values()]
  for (const trials of list) {
    for (const token of new Set(steps[trials[0]!]!))
      spread.set(token, (spread.get(token) ?? 0) + trials.length)
  }
  return list.map((trials) => {
    const first = trials[0]!
    const row = steps[first]!
    let sum = 0
    for (const token of row) sum += spread.get(token)! / steps.length
    return {
      trials,
      steps: row,
      nodes: rows[first]!,
      hasPass: trials.some((r) => isPass[r] === true),
      typicality: sum / Math.sqrt(Math.max(1, row.length)),
      row: new Int32Array(0),
      used: new Uint8Array(0),
    }
  })
}

/** A column for a token; the first columns are the steps of the first trial, with that trial's weight. */
function newColumn(prepared: Prepared, token: number, weight: number): DraftColumn {
  const isFinal = prepared.vocabulary.tokens[token]!.cls === FINAL
  const variants = new Map(weight > 0 ? [[token, weight]] : [])
  return { variants, dominant: token, weight, isFinal, cells: new Map() }
}

function columnSet(prepared: Prepared, columns: readonly DraftColumn[], total: number): ColumnSet {
  const { tokens } = prepared.vocabulary
  const columnsWith = new Map<number, number[]>()
  const isMixed = new Uint8Array(columns.length)
  columns.forEach((column, c) => {
    const { tool } = tokens[column.dominant]!
    for (const token of column.variants.keys()) {
      if (tokens[token]!.tool !== tool) isMixed[c] = 1
      const places = columnsWith.get(token)
      if (places === undefined) columnsWith.set(token, [c])
      else places.push(c)
    }
  })
  return { columns, columnsWith, isMixed, total }
}

/** New columns from matches and from insertions with at least `least` trials. */
function rebuild(
  prepared: Prepared,
  columns: readonly DraftColumn[],
  distinct: readonly Distinct[],
  order: readonly Distinct[],
  cost: PairCost,
  least: number,
): DraftColumn[] {
  const numberOf = new Map(distinct.map((trial, d) => [trial, d]))
  const gaps: DraftColumn[][] = Array.from({ length: columns.length + 1 }, () => [])
  for (const trial of order) insertIntoGaps(prepared, gaps, trial, numberOf.get(trial)!, cost)
  const rebuilt: DraftColumn[] = []
  for (let c = 0; c <= columns.length; c++) {
    for (const inserted of gaps[c]!) if (inserted.weight >= least) rebuilt.push(inserted)
    const old = columns[c]
    if (old === undefined) break
    const column = newColumn(prepared, old.dominant, 0)
    distinct.forEach((trial, d) => {
      const i = trial.row[c]!
      if (i >= 0) addCell(column, trial, d, i)
    })
    if (column.weight > 0) rebuilt.push(column)
  }
  for (const column of rebuilt) column.dominant = dominantOf(column, distinct, prepared.isPass)
  return rebuilt
}

function addCell(column: DraftColumn, trial: Distinct, d: number, i: number): void {
  const token = trial.steps[i]!
  column.variants.set(token, (column.variants.get(token) ?? 0) + trial.trials.length)
  column.weight += trial.trials.length
  column.cells.set(d, i)
}

/** Puts the steps without a column into the gaps, left to right, merged by equal call, else by similar ones. */
function insertIntoGaps(
  prepared: Prepared,
  gaps: readonly DraftColumn[][],
  trial: Distinct,
  d: number,
  cost: PairCost,
): void {
  const { tokens } = prepared.vocabulary
  const columnOf = new Int32Array(trial.steps.length).fill(-1)
  trial.row.forEach((i, c) => {
    if (i >= 0) columnOf[i] = c
  })
  const lastAt = new Int32Array(gaps.length).fill(-1)
  let gap = 0
  trial.steps.forEach((token, i) => {
    if (trial.used[i] === 1) {
      gap = Math.max(gap, columnOf[i]! + 1)
      return
    }
    const list = gaps[gap]!
    const from = lastAt[gap]! + 1
    let at = findFrom(list, from, (column) => tokens[column.dominant]!.call === tokens[token]!.call)
    if (at < 0) {
      at = findFrom(
        list,
        from,
        (column) =>
          tokens[column.dominant]!.tool === tokens[token]!.tool &&
          cost(column.dominant, token) < COST.mergeBelow,
      )
    }
    if (at < 0) {
      at = list.length
      list.push(newColumn(prepared, token, 0))
    }
    addCell(list[at]!, trial, d, i)
    lastAt[gap] = at
  })
}

function findFrom(
  list: readonly DraftColumn[],
  from: number,
  test: (column: DraftColumn) => boolean,
): number {
  for (let k = from; k < list.length; k++) if (test(list[k]!)) return k
  return -1
}

/** The commonest variant among passing trials, else among all; the first in order when equal. */
function dominantOf(column: DraftColumn, distinct: readonly Distinct[], isPass: readonly boolean[]): number {
  const weights = new Map<number, number>()
  for (const [d, i] of column.cells) {
    const trial = distinct[d]!
    const token = trial.steps[i]!
    let weight = weights.get(token) ?? 0
    for (const r of trial.trials) weight += isPass[r] === true ? 1000 : 1
    weights.set(token, weight)
  }
  let best = -1
  let most = -1
  for (const [token, weight] of weights) {
    if (weight > most) {
      most = weight
      best = token
    }
  }
  return best
}
