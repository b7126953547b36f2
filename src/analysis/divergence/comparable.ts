// Can a failing trial be compared with the passing ones at all? When hardly any of its actions stands beside a passing
// trial's call of the same tool, every difference is an accident of the alignment and nothing is ranked. The threshold
// was fitted: within a task the share was never below .46, across systems with other tools never above .20.

import { CONFIG, FINAL } from './constants.ts'
import type { Scene } from './variants.ts'

/**
 * How much of trial `row` can be compared: the greater one of two shares, of its actions and of the columns that half of
 * the passing trials fill, that stand beside a passing trial's call at a cost below CONFIG.comparableCost. Null when
 * either side has fewer than CONFIG.comparableLeast of them: a short trial is a stop, not another system.
 */
export function comparableShare(scene: Scene, row: number): number | null {
  const { columns, passing } = scene
  let actions = 0
  let alike = 0
  let required = 0
  let met = 0
  columns.forEach((column, c) => {
    if (column.cls === FINAL) return
    const isRequired = column.pass * 2 >= passing.length && column.pass > 0
    if (isRequired) required++
    if (scene.alignment.cells[row]![c]! < 0) return
    actions++
    if (!isAlike(scene, row, c)) return
    alike++
    if (isRequired) met++
  })
  if (Math.min(actions, required) < CONFIG.comparableLeast) return null
  return Math.max(alike / actions, met / required)
}

/** True when a passing trial has a call of the same tool (or the same values) in the column. */
function isAlike(scene: Scene, row: number, c: number): boolean {
  const { alignment, columns } = scene
  const token = alignment.steps[row]![alignment.cells[row]![c]!]!
  for (const variant of columns[c]!.variants.values()) {
    if (variant.pass > 0 && alignment.cost(variant.token, token) < CONFIG.comparableCost) return true
  }
  return false
}

/** True unless the trial is too unlike every passing trial for its differences to mean anything. */
export function isComparable(scene: Scene, row: number): boolean {
  const share = comparableShare(scene, row)
  return share === null || share >= CONFIG.comparableShare
}
