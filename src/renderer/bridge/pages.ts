// Long answers in pages: a list of any length of which only the pages in sight are asked for. The core filters and
// sorts; the window keeps no list of its own.

import { useQueries } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { Method, Output } from '../../contract/contract.ts'
import type { Ask } from './client.ts'
import { question, useAsk, type Answered } from './queries.ts'

/** Rows per page. A window shows fewer than 60, so that scrolling meets a new page every third screenful. */
export const PAGE_SIZE = 200

/** A paged answer. */
export type Paged<M extends Method, R> = {
  /** The first page: it carries the total and whatever else the answer says. */
  readonly first: Answered<M>
  readonly total: number
  /** The row, or undefined while its page is on its way. */
  readonly rowAt: (index: number) => R | undefined
  /** The index of the first loaded row that matches; null when none of those loaded does. */
  readonly indexOf: (matches: (row: R) => boolean) => number | null
  /** Tell it which rows are in sight. */
  readonly onRange: (first: number, last: number) => void
}

/**
 * Asks for the pages in sight. `inputOf` must be stable (useCallback): when it changes, the list begins anew while
 * the old first page stays on screen.
 */
export function usePages<M extends Method, R>(
  method: M,
  inputOf: (offset: number, limit: number) => Ask<M>,
  pick: (answer: Output<M>) => { readonly rows: readonly R[]; readonly total: number },
): Paged<M, R> {
  const [pages, setPages] = useState<{ readonly from: number; readonly to: number }>({ from: 0, to: 0 })
  const first = useAsk(method, inputOf(0, PAGE_SIZE), { keep: true })
  const start = first.data === undefined ? null : pick(first.data)
  const total = start?.total ?? 0
  const lastPage = Math.max(0, Math.ceil(total / PAGE_SIZE) - 1)
  const from = Math.min(pages.from, lastPage)
  const to = Math.min(pages.to, lastPage)
  const wanted = useMemo(() => {
    const list: number[] = []
    for (let page = Math.max(1, from); page <= to; page += 1) list.push(page)
    return list
  }, [from, to])
  const others = useQueries({
    queries: first.isPlaceholderData
      ? []
      : wanted.map((page) => question(method, inputOf(page * PAGE_SIZE, PAGE_SIZE))),
    combine: (results): ReadonlyMap<number, readonly R[]> =>
      new Map(
        results.flatMap(({ data }, index) => {
          const page = wanted[index]
          return data === undefined || page === undefined ? [] : [[page, pick(data as Output<M>).rows]]
        }),
      ),
  })
  const rowAt = (index: number): R | undefined => {
    const page = Math.floor(index / PAGE_SIZE)
    return (page === 0 ? start?.rows : others.get(page))?.[index - page * PAGE_SIZE]
  }
  const indexOf = (matches: (row: R) => boolean): number | null => {
    for (const [page, rows] of [[0, start?.rows ?? []] as const, ...others]) {
      const at = rows.findIndex(matches)
      if (at >= 0) return page * PAGE_SIZE + at
    }
    return null
  }
  const onRange = useCallback((firstRow: number, lastRow: number) => {
    // One page further in both directions: the next rows are there before they are scrolled to.
    const next = {
      from: Math.max(0, Math.floor((firstRow - PAGE_SIZE / 4) / PAGE_SIZE)),
      to: Math.floor((lastRow + PAGE_SIZE / 4) / PAGE_SIZE),
    }
    setPages((now) => (now.from === next.from && now.to === next.to ? now : next))
  }, [])
  return { first, total, rowAt, indexOf, onRange }
}
