// Two questions about the shape of a failing trial: which of its steps stand elsewhere than in passing trials, and
// did it stop before the work was done. Both need the whole trial; the differences of single columns build on them.

import { FINAL, READ } from './constants.ts'
import type { Node } from './node.ts'
import type { Scene } from './variants.ts'

/** Where a trial stopped early: the column named, and the first column that is counted as part of the stop. */
export type Stop = { readonly column: number; readonly from: number; readonly afterError: boolean }

/**
 * Pairs of columns between which a call of the trial moved: where passing trials have it and where only this trial has
 * it, each pointing to the other.
 */
export function orderPairs(scene: Scene, row: number): Map<number, number> {
  const { alignment, columns, prepared } = scene
  const { tokens } = prepared.vocabulary
  const cells = alignment.cells[row]!
  const steps = alignment.steps[row]!
  const absent = new Map<number, number>()
  columns.forEach((column, c) => {
    if (cells[c]! >= 0 || column.pass === 0) return
    const { call } = tokens[column.dominant]!
    if (!absent.has(call)) absent.set(call, c)
  })
  const moved = new Map<number, number>()
  columns.forEach((column, c) => {
    const i = cells[c]!
    if (i < 0 || column.pass > 0 || column.cls === FINAL) return
    const from = absent.get(tokens[steps[i]!]!.call)
    if (from === undefined) return
    moved.set(c, from)
    moved.set(from, c)
  })
  return moved
}

/**
 * The early end of a trial, or null: after its last action a write or check that most passing trials do is missing, and
 * the last action failed, or there is no declared final answer, or at least max(2, 12 %) of the required columns are missing.
 */
export function stopOf(
  scene: Scene,
  nodes: readonly Node[],
  row: number,
  last: number,
  moved: ReadonlyMap<number, number>,
): Stop | null {
  const { alignment, columns, passing, prepared } = scene
  const cells = alignment.cells[row]!
  const P = passing.length
  const isAction = (c: number): boolean => columns[c]!.cls !== FINAL
  let required = 0
  let first = -1
  let missing = 0
  let grave = 0
  for (let c = 0; c < columns.length; c++) {
    if (!isAction(c) || columns[c]!.pass * 2 <= P) continue
    required++
    if (c <= last || cells[c]! >= 0 || moved.has(c)) continue
    if (first < 0) first = c
    missing++
    if (columns[c]!.cls !== READ) grave++
  }
  if (first < 0) return null
  const afterError = last >= 0 && prepared.vocabulary.tokens[alignment.steps[row]![cells[last]!]!]!.isError
  // Any conversation ends with somebody speaking: only a final answer that is called one says that work was done.
  const hasFinal = nodes.some((node) => node.cls === FINAL && !node.act.isImplied)
  const isEnough = missing >= Math.max(2, 0.12 * required)
  if (!afterError && (grave === 0 || (hasFinal && !isEnough))) return null
  for (let c = first; c < columns.length; c++) {
    if (isAction(c) && cells[c]! < 0 && columns[c]!.pass >= 0.9 * P) {
      first = c
      break
    }
  }
  return { column: first, from: startOfTail(scene, nodes, row, last, first), afterError }
}

/** Missing cells of the trial's last block belong to the stop, not to the work before it. */
function startOfTail(scene: Scene, nodes: readonly Node[], row: number, last: number, first: number): number {
  const cells = scene.alignment.cells[row]!
  const lastBlock = last >= 0 ? nodes[cells[last]!]!.block : -1
  let from = first
  for (let c = last; c >= 0; c--) {
    const i = cells[c]!
    if (i >= 0) {
      if (nodes[i]!.block < 0 || nodes[i]!.block !== lastBlock) break
    } else if (scene.columns[c]!.cls !== FINAL) from = Math.min(from, c)
  }
  for (let c = last + 1; c < first; c++) if (cells[c]! < 0) from = Math.min(from, c)
  return from
}
