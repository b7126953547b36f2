// Searches in a thread of its own, on a connection that only reads: reading thousands of trials takes seconds, and neither
// the core's loop nor a comparison is to wait for it. Run by process.ts inside the thread; started by searchThread, which
// keeps it while there is something to search.

import { parentPort } from 'node:worker_threads'
import { Fault, toFaultData, type FaultData } from '../base/fault.ts'
import type { SearchAnswer } from '../contract/searchrows.ts'
import { searchSteps, type SearchAsk, type SearchMemory } from './services/searching.ts'
import type { ReadableDb } from './store/connection.ts'
import { storeFault } from './store/faults.ts'
import { openReader } from './store/open.ts'
import { startThread } from './thread.ts'

/** What the thread is started with. */
export type SearchOrder = { readonly kind: 'search'; readonly path: string; readonly appVersion: string }

type Message = { readonly id: number; readonly ask: SearchAsk } | { readonly id: number; readonly ask: null }

type Reply = { readonly id: number } & (
  { readonly ok: true; readonly answer: SearchAnswer } | { readonly ok: false; readonly fault: FaultData }
)

/** Inside the thread: answers until it is ended from outside. A message without a question cancels the one of its id. */
export function runSearchThread(order: SearchOrder): void {
  let db: ReadableDb | null = null
  const memory: SearchMemory = { vocabulary: null }
  const running = new Map<number, AbortController>()
  const reply = (message: Reply): void => parentPort?.postMessage(message)
  parentPort?.on('message', ({ id, ask }: Message) => {
    if (ask === null) return running.get(id)?.abort()
    const controller = new AbortController()
    running.set(id, controller)
    const search = async (): Promise<SearchAnswer> => {
      // Here, so that a file that cannot be read is the answer to a question.
      db ??= openReader(order.path, order.appVersion)
      return await searchSteps(db, ask, controller.signal, memory)
    }
    search()
      .then(
        (answer) => reply({ id, ok: true, answer }),
        (error: unknown) =>
          reply({ id, ok: false, fault: toFaultData(storeFault(error, order.path) ?? error) }),
      )
      .finally(() => running.delete(id))
  })
}

/** A thread that searches one workspace file. */
export type SearchThread = {
  /** Asks; rejects with CANCELLED on abort and when the thread is closed. */
  ask(ask: SearchAsk, signal: AbortSignal): Promise<SearchAnswer>
  /** Ends it; resolves when it has let go of the file. */
  close(): Promise<void>
}

/** Without a question for this long the thread ends. */
const IDLE_MS = 60_000

/** Starts a thread for a workspace. `ended` hears, perhaps twice, that it takes no more questions. */
export function searchThread(order: Omit<SearchOrder, 'kind'>, ended: () => void): SearchThread {
  const worker = startThread({ kind: 'search', ...order })
  const waiting = new Map<number, { resolve(answer: SearchAnswer): void; reject(error: unknown): void }>()
  let lastId = 0
  let idle: ReturnType<typeof setTimeout> | undefined
  const rest = (): void => {
    // Nobody's process lives for the sake of a search that may come.
    worker.unref()
    clearTimeout(idle)
    idle = setTimeout(() => {
      // Told before it ends: a question that comes meanwhile is another thread's.
      ended()
      void worker.terminate()
    }, IDLE_MS)
    idle.unref()
  }
  const end = (error: unknown): void => {
    clearTimeout(idle)
    for (const one of waiting.values()) one.reject(error)
    waiting.clear()
    ended()
  }
  worker.on('message', (reply: Reply) => {
    const one = waiting.get(reply.id)
    waiting.delete(reply.id)
    if (waiting.size === 0) rest()
    if (reply.ok) one?.resolve(reply.answer)
    else one?.reject(Fault.from(reply.fault))
  })
  worker.on('error', end)
  worker.on('exit', () => end(new Fault('CANCELLED', 'The search was ended.')))
  return {
    ask: (ask, signal) => {
      const id = (lastId += 1)
      clearTimeout(idle)
      worker.ref()
      worker.postMessage({ id, ask } satisfies Message)
      const cancel = (): void => worker.postMessage({ id, ask: null } satisfies Message)
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel, { once: true })
      return new Promise<SearchAnswer>((resolve, reject) => waiting.set(id, { resolve, reject })).finally(
        () => signal.removeEventListener('abort', cancel),
      )
    },
    close: async () => {
      await worker.terminate()
    },
  }
}
