// A search over steps as React state: answers that follow each other, each asked for where the one before stopped. A search
// that takes longer goes on by itself until its first rows are there, and stops when a person says so.

import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { toFaultData, type Fault, type FaultData } from '../../base/fault.ts'
import type { View } from '../../contract/inputs.ts'
import { foundTogether, type SearchAnswer, type SearchRow } from '../../contract/searchrows.ts'
import { ask } from './client.ts'

/** Rows of one answer, and steps that are listed of one trial. */
const ROWS = 100
const STEPS = 20
/** An answer comes after this long with what there is, in milliseconds. */
const WAIT_MS = 700

/** What a search has so far. */
export type Searched = {
  readonly rows: readonly SearchRow[]
  readonly found: SearchAnswer['found']
  /** What is found is all there is. */
  readonly isWhole: boolean
  /** Trials that were looked at, of how many. */
  readonly searched: number
  readonly total: number
  readonly unreadable: number
}

/** A search. `data` undefined: no answer yet. */
export type Search = {
  readonly data: Searched | undefined
  readonly fault: FaultData | null
  readonly isBusy: boolean
  /** `data` is of the search before: the answer to this one is on its way. */
  readonly isOld: boolean
  /** There is more, and nothing asks for it by itself. */
  readonly canGoOn: boolean
  /** A person has stopped it. */
  readonly isStopped: boolean
  readonly goOn: () => void
  readonly stop: () => void
  readonly again: () => void
}

/** Searches for a text in a view; a blank text asks nothing. */
export function useSearch(view: View, text: string): Search {
  const client = useQueryClient()
  const isOn = text.trim() !== ''
  const key = ['search.steps', { view, text }] as const
  const [stopped, setStopped] = useState<string | null>(null)
  const result = useInfiniteQuery<SearchAnswer, Fault, { pages: SearchAnswer[] }, typeof key, string | null>({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      ask(
        'search.steps',
        { view, text, cursor: pageParam, limit: ROWS, stepsPerTrial: STEPS, waitMs: WAIT_MS },
        { signal },
      ),
    initialPageParam: null,
    getNextPageParam: (last) => last.next,
    enabled: isOn,
    placeholderData: keepPreviousData,
  })
  const { hasNextPage, isFetching, isPlaceholderData: isOld, fetchNextPage } = result
  const pages = isOn ? (result.data?.pages ?? []) : []
  const last = pages.at(-1)
  // A page that is not full was cut by the clock.
  const isCut = last !== undefined && !isOld && last.next !== null && last.rows.length < ROWS
  const isStopped = stopped === text
  const goesOn = isOn && isCut && !isStopped && hasNextPage && !isFetching && result.error === null
  useEffect(() => {
    if (goesOn) void fetchNextPage()
  }, [goesOn, fetchNextPage])
  const goOn = useCallback(() => {
    setStopped(null)
    void fetchNextPage()
  }, [fetchNextPage])
  const data =
    last === undefined
      ? undefined
      : {
          rows: pages.flatMap(({ rows }) => rows),
          found: foundTogether(pages),
          isWhole: last.isWhole,
          searched: last.searched,
          total: last.total,
          unreadable: pages.reduce((sum, page) => sum + page.unreadable, 0),
        }
  return {
    data,
    fault: isOn && result.error !== null ? toFaultData(result.error) : null,
    isBusy: isOn && (isFetching || goesOn),
    isOld: isOn && isOld,
    canGoOn: isOn && !isOld && hasNextPage && !isFetching && !goesOn,
    isStopped,
    goOn,
    stop: () => {
      setStopped(text)
      void client.cancelQueries({ queryKey: key })
    },
    again: () => {
      setStopped(null)
      void result.refetch()
    },
  }
}
