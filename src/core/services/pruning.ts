// Stored analyses that nobody asks for any more: of scopes that were looked at once, of files that were compared, of
// earlier versions of the method. They are removed in the background, some at a time, after an import or a change and
// when a new scope was looked at; the scopes used last are kept, also those of earlier sessions.

import { toFaultData } from '../../base/fault.ts'
import type { Context } from '../context.ts'
import { pruneAnalyses } from '../store/analyses.ts'
import { loadRecentViews, saveRecentViews } from '../store/settings.ts'

/** Scopes whose analyses are kept. One is the workspace's own; a comparison asks for two. */
const KEPT_VIEWS = 8
/** How long the core is at rest before it looks, in milliseconds. */
const REST_MS = 2000
/** Analyses removed in one transaction: some milliseconds, their pages are overwritten. */
const AT_ONCE = 100

/** The pruning of one core. */
export type Pruning = {
  /** A scope is being used, by the hash of its view. */
  used(viewHash: string): void
  /** Something changed: look when the core is at rest. */
  soon(): void
  /** Another workspace was opened in place of this one. */
  workspaceChanged(): void
  close(): void
}

/** Makes the pruning. `isAtRest`: nothing is being compared or imported. */
export function makePruning(context: Context, algorithm: string, isAtRest: () => boolean): Pruning {
  /** Used since the core was started, the latest first. */
  let views: readonly string[] = []
  /**
   * One of them was not written yet. Their order alone is not written: two programs with one file open would answer each
   * other's write for ever.
   */
  let isNews = false
  let timer: ReturnType<typeof setTimeout> | null = null

  const arm = (afterMs: number): void => {
    if (timer !== null || context.closing.aborted) return
    timer = setTimeout(() => {
      timer = null
      look()
    }, afterMs)
    timer.unref()
  }
  const look = (): void => {
    if (context.closing.aborted || views.length === 0) return
    if (!isAtRest()) return arm(REST_MS)
    try {
      const db = context.db()
      const known = loadRecentViews(db)
      const keep = [...new Set([...views, ...known])].slice(0, KEPT_VIEWS)
      if (isNews) saveRecentViews(db, keep)
      isNews = false
      if (pruneAnalyses(db, { views: keep, algorithm, limit: AT_ONCE }) === AT_ONCE) arm(0)
    } catch (error) {
      // Another program is writing, or the file cannot be written: the next change looks again.
      context.log('info', `Old analyses were not removed: ${toFaultData(error).code}`)
    }
  }

  return {
    used(viewHash) {
      if (views[0] === viewHash) return
      const isKnown = views.includes(viewHash)
      views = [viewHash, ...views.filter((hash) => hash !== viewHash)].slice(0, KEPT_VIEWS)
      if (isKnown) return
      isNews = true
      arm(REST_MS)
    },
    soon: () => arm(REST_MS),
    workspaceChanged() {
      views = []
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
    close() {
      if (timer !== null) clearTimeout(timer)
    },
  }
}
