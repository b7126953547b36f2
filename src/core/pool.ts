// A small pool of worker threads: jobs go in with a priority, results come out. A thread that dies takes its job
// with it as a fault and is replaced. Knows nothing of databases or of what the jobs mean.

import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { Fault, type FaultData } from '../base/fault.ts'
import type { PartialAnalysis, WorkerJob, WorkerResult } from './worker.ts'

type Reply = { readonly id: number } & (
  | { readonly ok: true; readonly value: WorkerResult<WorkerJob> }
  | { readonly ok: false; readonly error: FaultData }
  | { readonly partial: PartialAnalysis }
)

type Waiting = {
  readonly priority: number
  readonly order: number
  make(): WorkerJob | null
  partial(value: PartialAnalysis): void
  resolve(result: WorkerResult<WorkerJob> | null): void
  reject(error: unknown): void
}

type Thread = { worker: Worker; current: Waiting | null; id: number }

/** The pool, as its owner sees it. */
export type Pool = {
  /**
   * Queues a job; `make` is called when a thread is free, so that waiting jobs hold no data. It may give null:
   * the job is no longer wanted, and the promise gives null. Lower priority numbers go first. `partial` hears what
   * an analysis has so far, at most once, before the promise resolves.
   */
  run<Job extends WorkerJob>(
    priority: number,
    make: () => Job | null,
    partial?: (value: PartialAnalysis) => void,
  ): Promise<WorkerResult<Job> | null>
  /** Jobs waiting or at work. */
  pending(): number
  /** Ends all threads; waiting and running jobs are rejected with CANCELLED. */
  close(): Promise<void>
}

/** Where the worker's code stands: beside this file as source, or beside the built entries. */
function workerFile(): string {
  const places = ['./worker.ts', './worker.js', '../worker.js'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  )
  const found = places.find((place) => existsSync(place))
  if (found === undefined) throw new Error(`The analysis worker is missing; looked at ${places.join(', ')}`)
  return found
}

/**
 * Threads by default: one core is left to the core's own loop and the window, at most four are taken. With two cores both
 * are taken: the loop sleeps most of the time, and the system lets it in when it wakes.
 */
export function threadsByDefault(): number {
  const cores = availableParallelism()
  return cores <= 2 ? cores : Math.min(4, cores - 1)
}

/** Makes a pool; threads are started when the first job needs them. */
export function makePool(threads = threadsByDefault()): Pool {
  const queue: Waiting[] = []
  const pool: Thread[] = []
  let isClosed = false
  let order = 0
  let nextId = 0

  const start = (): Thread => {
    const worker = new Worker(workerFile())
    const thread: Thread = { worker, current: null, id: -1 }
    // The pool must not keep a process alive that has nothing else to do.
    worker.unref()
    worker.on('message', (reply: Reply) => {
      const waiting = thread.current
      if (waiting === null || reply.id !== thread.id) return
      if ('partial' in reply) return waiting.partial(reply.partial)
      thread.current = null
      worker.unref()
      if (reply.ok) waiting.resolve(reply.value)
      else waiting.reject(Fault.from(reply.error))
      next()
    })
    worker.on('error', (error) => fail(thread, error))
    worker.on('exit', (code) => fail(thread, new Error(`The analysis worker ended with code ${code}.`)))
    pool.push(thread)
    return thread
  }

  const fail = (thread: Thread, error: unknown): void => {
    const at = pool.indexOf(thread)
    if (at < 0) return
    pool.splice(at, 1)
    const waiting = thread.current
    thread.current = null
    void thread.worker.terminate()
    waiting?.reject(error)
    if (!isClosed) next()
  }

  const next = (): void => {
    while (queue.length > 0 && !isClosed) {
      const thread =
        pool.find((candidate) => candidate.current === null) ?? (pool.length < threads ? start() : null)
      if (thread === null) return
      queue.sort((a, b) => a.priority - b.priority || a.order - b.order)
      const waiting = queue.shift()
      if (waiting === undefined) return
      let job: WorkerJob | null
      try {
        job = waiting.make()
      } catch (error) {
        waiting.reject(error)
        continue
      }
      if (job === null) {
        waiting.resolve(null)
        continue
      }
      thread.current = waiting
      thread.id = nextId++
      thread.worker.ref()
      thread.worker.postMessage({ id: thread.id, job })
    }
  }

  return {
    run<Job extends WorkerJob>(
      priority: number,
      make: () => Job | null,
      partial: (value: PartialAnalysis) => void = () => {},
    ) {
      if (isClosed) return Promise.reject(new Fault('CANCELLED', 'The core is closing.'))
      return new Promise<WorkerResult<Job> | null>((resolve, reject) => {
        // The worker answers a job with the result of its kind.
        const settle = resolve as Waiting['resolve']
        queue.push({ priority, order: order++, make, partial, resolve: settle, reject })
        next()
      })
    },
    pending: () => queue.length + pool.filter((thread) => thread.current !== null).length,
    async close() {
      isClosed = true
      const cancelled = new Fault('CANCELLED', 'The core is closing.')
      for (const waiting of queue.splice(0)) waiting.reject(cancelled)
      const ending = pool.splice(0)
      for (const thread of ending) thread.current?.reject(cancelled)
      await Promise.all(ending.map((thread) => thread.worker.terminate()))
    },
  }
}
