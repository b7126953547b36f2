// The picture without any judgement: columns, and one lane per trial laid into them. Folded errors and repeats stay
// out of the lanes; a cell says when a failed try of its tool was folded into it.

import type { Cell, Column, Lane, StepClass } from '../../model/analysis.ts'
import type { Outcome } from '../../model/outcome.ts'
import { CLASS_NAMES } from './constants.ts'
import type { Node } from './node.ts'
import type { Scene } from './variants.ts'

/** What is said of a trial in its lane. */
export type LaneTrial = { readonly id: string; readonly outcome: Outcome; readonly stepCount: number }

/** The columns as results show them. */
export function outlineColumns(scene: Scene): Column[] {
  return scene.columns.map((column, index) => ({
    index,
    stage: scene.prepared.vocabulary.tokens[column.dominant]!.stage,
    tool: column.tool,
    stepClass: CLASS_NAMES[column.cls] satisfies StepClass,
    passPresent: column.pass,
    failPresent: column.fail,
  }))
}

/** One lane per trial; lanes that are alike in every column share a number. */
export function outlineLanes(
  scene: Scene,
  rows: readonly (readonly Node[])[],
  trials: readonly LaneTrial[],
): Lane[] {
  const variants = scene.columns.map(variantNumbers)
  const alike = new Map<string, number>()
  return trials.map((trial, r) => {
    const { lane, key } = layOut(scene, rows[r]!, r, variants)
    const number = alike.get(key) ?? alike.size
    alike.set(key, number)
    return {
      trial: trial.id,
      outcome: trial.outcome,
      isPass: scene.prepared.isPass[r] === true,
      cells: lane,
      alike: number,
      stepCount: trial.stepCount,
    }
  })
}

/** Variant numbers of a column: 0 is what most passing trials do. */
function variantNumbers(column: Scene['columns'][number]): ReadonlyMap<number, number> {
  const order = [...column.variants.values()].sort((a, b) => b.pass - a.pass || b.fail - a.fail)
  const first = order.findIndex((variant) => variant.token === column.dominant)
  const dominant = order.splice(first, 1)
  return new Map([...dominant, ...order].map((variant, number) => [variant.token, number]))
}

function layOut(
  scene: Scene,
  nodes: readonly Node[],
  r: number,
  variants: readonly ReadonlyMap<number, number>[],
): { lane: Cell[]; key: string } {
  const { alignment, passing, prepared } = scene
  const isPass = prepared.isPass[r] === true
  const others = passing.length - (isPass ? 1 : 0)
  const columnOf = new Int32Array(nodes.length).fill(-1)
  let key = ''
  alignment.cells[r]!.forEach((i, c) => {
    if (i < 0) return
    columnOf[i] = c
    key += `${c}:${alignment.steps[r]![i]},`
  })
  const lane: Cell[] = []
  nodes.forEach((node, i) => {
    const column = columnOf[i]!
    if (column < 0) return
    const alikePassing = scene.columns[column]!.variants.get(node.token)!.pass - (isPass ? 1 : 0)
    lane.push({
      column,
      step: node.act.step,
      call: node.act.call,
      resultStep: node.act.resultStep,
      tool: node.tool,
      variant: variants[column]!.get(node.token)!,
      differs: others > 0 && alikePassing === 0,
      isError: node.act.isError,
      recovered: node.isRecovered,
    })
  })
  return { lane, key }
}
