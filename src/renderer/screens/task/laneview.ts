// How a person has arranged the lanes of each task: order, folded gaps, opened folds and stages. Kept per task for
// as long as the window lives, so that Back finds the table as it was left. The place itself lives in the hash.

import { create } from 'zustand'
import type { TaskAnalysis } from '../../../model/analysis.ts'
import { MANY_COLUMNS } from './laneColumns.ts'

/** The arrangement of one task. `isGapsHidden` null: by the number of columns. */
export type LaneView = {
  readonly order: 'divergence' | 'number'
  readonly isGapsHidden: boolean | null
  readonly openColumns: ReadonlySet<number>
  readonly foldedStages: ReadonlySet<number>
  readonly openFolds: ReadonlySet<string>
}

const FRESH: LaneView = {
  order: 'divergence',
  isGapsHidden: null,
  openColumns: new Set(),
  foldedStages: new Set(),
  openFolds: new Set(),
}

/** How many tasks are remembered. */
const KEPT = 50

type LaneViews = { readonly views: ReadonlyMap<string, LaneView> }
const useLaneViews = create<LaneViews>()(() => ({ views: new Map() }))

/** The arrangement of a task and a way to change parts of it. */
export function useLaneView(taskId: string): readonly [LaneView, (change: Partial<LaneView>) => void] {
  const view = useLaneViews((state) => state.views.get(taskId)) ?? FRESH
  const set = (change: Partial<LaneView>): void =>
    useLaneViews.setState(({ views }) => {
      const next = new Map([...views].slice(-KEPT))
      next.set(taskId, { ...(views.get(taskId) ?? FRESH), ...change })
      return { views: next }
    })
  return [view, set]
}

/** Whether gaps are folded: as chosen, else when there are many columns. */
export function isGapsHidden(view: LaneView, analysis: TaskAnalysis): boolean {
  return view.isGapsHidden ?? analysis.columns.length > MANY_COLUMNS
}

/** The set with the item put in or taken out. */
export function toggled<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const next = new Set(set)
  if (!next.delete(item)) next.add(item)
  return next
}
