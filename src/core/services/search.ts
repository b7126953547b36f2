// Search over steps: asks the thread that searches, and keeps the index that it chooses by filled.

import type { Context, SearchHook, Slice } from '../context.ts'
import { searchThread, type SearchThread } from '../searchworker.ts'
import { searchedPhrase, searchSteps } from './searching.ts'
import { makeIndexing } from './searchindexing.ts'

/** search.* */
export function searchService(context: Context): Slice<'search.steps'> {
  const indexing = makeIndexing(context)
  let thread: { readonly path: string; readonly searches: SearchThread } | null = null

  const threadOf = (path: string): SearchThread => {
    if (thread?.path === path) return thread.searches
    const searches = searchThread({ path, appVersion: context.appVersion }, () => {
      if (thread?.searches === searches) thread = null
    })
    thread = { path, searches }
    return searches
  }
  const end = async (): Promise<void> => {
    const ending = thread?.searches
    thread = null
    await ending?.close()
  }

  const hook: SearchHook = {
    schedule: indexing.schedule,
    pending: indexing.pending,
    workspaceChanged: () => {
      indexing.workspaceChanged()
      void end()
    },
    close: async () => {
      await Promise.all([indexing.close(), end()])
    },
  }
  context.useSearch(hook)

  return {
    'search.steps': ({ view, ...input }, { signal }) => {
      // Before a thread is asked: what was typed is wrong, not the search.
      searchedPhrase(input.text)
      const ask = { ...input, configurations: view.configurations }
      const db = context.db()
      // A workspace in memory is this connection's own.
      if (db.path === ':memory:') return searchSteps(db, ask, signal, { vocabulary: null })
      return threadOf(db.path).ask(ask, signal)
    },
  }
}
