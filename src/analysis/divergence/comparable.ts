// Can a failing trial be compared with the passing ones at all? When almost none of its actions stands in a column
// with a like action of a passing trial, every difference is an accident of the alignment and nothing is ranked.

import { CONFIG, FINAL } from './constants.ts'
import type { Scene } from './variants.ts'

/** Share of the actions of trial `row` that stand in a column with a passing trial's action at small cost; null without actions. */
export function comparableShare(scene: Scene, row: number): number | null {
  const { alignment, columns, prepared } = scene
  const { tokens } = prepared.vocabulary
  let actions = 0
  let comparable = 0
  columns.forEach((column, c) => {
    const i = alignment.cells[row]![c]!
    if (i < 0) return
    const token = alignment.steps[row]![i]!
    if (tokens[token]!.cls === FINAL) return
    actions++
    for (const variant of column.variants.values()) {
      if (variant.pass === 0 || alignment.cost(variant.token, token) > CONFIG.comparableCost) continue
      comparable++
      break
    }
  })
  return actions === 0 ? null : comparable / actions
}

/** True when the trial is too unlike every passing trial for its differences to mean anything. */
export function isComparable(scene: Scene, row: number): boolean {
  const share = comparableShare(scene, row)
  return share === null || share >= CONFIG.comparableShare
}
