// Questions as React state: every answer from the core that a screen shows comes from here. Keys are the contract's
// method and input; a `changed` event makes the answers old whose entry reads one of its topics, and nothing else
// does. No screen keeps a copy of an answer.

import {
  QueryClient,
  keepPreviousData,
  queryOptions,
  skipToken,
  useQuery,
  useQueryClient,
  type SkipToken,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Fault, toFaultData, type FaultData } from '../../base/fault.ts'
import { contract, isMethod, type Method, type Output, type ProgressOf } from '../../contract/contract.ts'
import type { Topic } from '../../contract/define.ts'
import { ask, onWindowEvent, type Ask } from './client.ts'

/** The window's cache of answers. One per window; tests make their own. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        gcTime: 5 * 60_000,
        networkMode: 'always',
        refetchOnWindowFocus: false,
        // The core died under the question: main holds the next one until it is back.
        retry: (count, error) => count < 3 && error instanceof Fault && error.code === 'CORE_GONE',
        retryDelay: 300,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

/** The cache key of a question. */
export function questionKey<M extends Method>(method: M, input: Ask<M> | SkipToken): readonly unknown[] {
  return [method, input === skipToken ? null : input]
}

/** A question as options for TanStack Query, for prefetching and for useQueries. */
export function question<M extends Method>(method: M, input: Ask<M> | SkipToken) {
  return queryOptions<Output<M>, Fault>({
    queryKey: questionKey(method, input),
    queryFn: input === skipToken ? skipToken : ({ signal }) => ask(method, input, { signal }),
  })
}

/** What a question gives: `data`, `fault` (null when fine), and whether an old answer is shown meanwhile. */
export type Answered<M extends Method> = Omit<UseQueryResult<Output<M>, Fault>, 'error'> & {
  readonly fault: FaultData | null
}

/**
 * Asks and keeps asking when its topics change. `skipToken` asks nothing. With `keep`, the last answer stays on
 * screen while the next one (another page, another filter) is on its way.
 */
export function useAsk<M extends Method>(
  method: M,
  input: Ask<M> | SkipToken,
  options: { readonly keep?: boolean } = {},
): Answered<M> {
  const result = useQuery<Output<M>, Fault>({
    ...question(method, input),
    ...(options.keep === true ? { placeholderData: keepPreviousData } : {}),
  })
  const { error, ...rest } = result
  return { ...rest, fault: error === null ? null : toFaultData(error) } as Answered<M>
}

/** Cancels what is being asked of a method, in the core too; its answers stay as they were. */
export function useCancel(method: Method): () => void {
  const client = useQueryClient()
  return () => void client.cancelQueries({ queryKey: [method] })
}

export { skipToken }

/** Makes every cached answer old that reads one of the topics. */
export function invalidateTopics(client: QueryClient, topics: ReadonlySet<Topic>): void {
  void client.invalidateQueries({
    predicate: ({ queryKey: [method] }) =>
      typeof method === 'string' &&
      isMethod(method) &&
      contract[method].topics.some((topic) => topics.has(topic)),
  })
}

/** Changes of one import come in bursts: they are gathered for this long before anything is asked again. */
const GATHER_MS = 250

/** Listens for changes and for a core that came back; answers the unsubscribe. Call once per window. */
export function followChanges(client: QueryClient): () => void {
  const gathered = new Set<Topic>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    timer = undefined
    const topics = new Set(gathered)
    gathered.clear()
    invalidateTopics(client, topics)
  }
  const stop = onWindowEvent((event) => {
    if (event.type === 'changed') {
      for (const topic of event.topics) gathered.add(topic)
      timer ??= setTimeout(flush, gathered.has('annotations') ? 0 : GATHER_MS)
    } else if (event.type === 'ready' || event.type === 'workspace') {
      void client.invalidateQueries({
        predicate: ({ queryKey: [method] }) => typeof method === 'string' && isMethod(method),
      })
    }
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}

/** A command: `run` writes and gives the answer, or rejects with a Fault, which `fault` also shows. */
export type Command<M extends Method> = {
  readonly run: (input: Ask<M>) => Promise<Output<M>>
  readonly isRunning: boolean
  readonly fault: FaultData | null
  readonly clear: () => void
}

/** A command of the contract as state. The core's `changed` event refreshes what depends on it. */
export function useCommand<M extends Method>(method: M): Command<M> {
  const [state, setState] = useState<{ running: number; fault: FaultData | null }>({
    running: 0,
    fault: null,
  })
  const run = useCallback(
    async (input: Ask<M>) => {
      setState((now) => ({ running: now.running + 1, fault: null }))
      try {
        const value = await ask(method, input)
        setState((now) => ({ ...now, running: now.running - 1 }))
        return value
      } catch (error) {
        setState((now) => ({ running: now.running - 1, fault: toFaultData(error) }))
        throw error
      }
    },
    [method],
  )
  const clear = useCallback(() => setState((now) => ({ ...now, fault: null })), [])
  return { run, isRunning: state.running > 0, fault: state.fault, clear }
}

/** A job as state. */
export type Job<M extends Method> = {
  readonly start: (input: Ask<M>) => Promise<Output<M>>
  readonly cancel: () => void
  readonly isRunning: boolean
  readonly progress: ProgressOf<M> | null
  readonly fault: FaultData | null
}

/** Nobody waits for it any more: another start took its place, or its screen was left. */
const left = (): Fault => new Fault('CANCELLED', 'Cancelled.')

/**
 * A job of one component: progress, cancel, one at a time. A later start takes the place of an earlier one, which rejects
 * with CANCELLED whatever the core still answers. When the component goes, a job that writes nothing is cancelled; one that
 * writes goes on, and its answer is given. A cancel is no fault. Imports use bridge/work.ts, which outlives a screen.
 */
export function useJob<M extends Method>(method: M): Job<M> {
  const [state, setState] = useState<{
    isRunning: boolean
    progress: ProgressOf<M> | null
    fault: FaultData | null
  }>({ isRunning: false, progress: null, fault: null })
  const controller = useRef<AbortController | null>(null)
  const isHere = useRef(true)
  const writes = contract[method].topics.length > 0
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
      if (!writes) controller.current?.abort()
    }
  }, [writes])
  const start = useCallback(
    async (input: Ask<M>) => {
      if (!isHere.current && !writes) throw left()
      controller.current?.abort()
      const mine = new AbortController()
      controller.current = mine
      const isMine = (): boolean => controller.current === mine
      const end = (fault: FaultData | null): void => {
        if (isMine()) setState({ isRunning: false, progress: null, fault })
      }
      setState({ isRunning: true, progress: null, fault: null })
      try {
        const value = await ask(method, input, {
          signal: mine.signal,
          onProgress: (progress) => {
            if (isMine()) setState((now) => ({ ...now, progress }))
          },
        })
        if (!isMine()) throw left()
        end(null)
        return value
      } catch (error) {
        const fault = toFaultData(error)
        end(fault.code === 'CANCELLED' ? null : fault)
        throw isMine() ? error : left()
      }
    },
    [method, writes],
  )
  const cancel = useCallback(() => controller.current?.abort(), [])
  return { start, cancel, ...state }
}
