// After a trial is aligned: a read or check that found no good place moves to an empty column whose usual call it is,
// when reads of its block commute so far. Keeps harmless reordering from looking like a missing and an extra step.

import type { DraftColumn } from './alignrow.ts'
import { COST } from './constants.ts'
import type { PairCost } from './cost.ts'
import { isLook } from './cost.ts'
import type { Node, Token } from './node.ts'

/** Moves steps of one trial in `row` (column → position); `used` marks positions that have a column. */
export function rescue(
  columns: readonly DraftColumn[],
  nodes: readonly Node[],
  steps: Int32Array,
  row: Int32Array,
  used: Uint8Array,
  cost: PairCost,
  tokens: readonly Token[],
): void {
  const wanted = new Map<number, number>()
  columns.forEach((column, c) => {
    const token = tokens[column.dominant]!
    if (row[c]! < 0 && isLook(token) && !wanted.has(token.call)) wanted.set(token.call, c)
  })
  if (wanted.size === 0) return
  const columnOf = new Int32Array(steps.length).fill(-1)
  row.forEach((i, c) => {
    if (i >= 0) columnOf[i] = c
  })
  for (let i = 0; i < steps.length; i++) {
    const token = tokens[steps[i]!]!
    if (!isLook(token)) continue
    const here = columnOf[i]!
    if (here >= 0 && cost(columns[here]!.dominant, steps[i]!) <= COST.sameCall) continue
    const target = wanted.get(token.call)
    if (target === undefined || !mayMove(row, nodes, i, target)) continue
    if (here >= 0) row[here] = -1
    row[target] = i
    used[i] = 1
    columnOf[i] = target
    wanted.delete(token.call)
  }
}

/** True when the neighbours of the target column are in order with the step or in its block. */
function mayMove(row: Int32Array, nodes: readonly Node[], i: number, target: number): boolean {
  const block = nodes[i]!.block
  for (let c = target - 1; c >= 0; c--) {
    const left = row[c]!
    if (left < 0 || left === i) continue
    if (left > i && nodes[left]!.block !== block) return false
    break
  }
  for (let c = target + 1; c < row.length; c++) {
    const right = row[c]!
    if (right < 0 || right === i) continue
    if (right < i && nodes[right]!.block !== block) return false
    break
  }
  return true
}
