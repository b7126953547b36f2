// Figures by resampling, asked of the worker threads: computed once per input, then kept in memory for the next asker
// (a comparison is asked again whenever one of its leads arrives). Knows nothing of what the figures mean.

import { createHash } from 'node:crypto'
import { reasonWords, type Reason } from '../../analysis/reliability/estimate.ts'
import { Fault } from '../../base/fault.ts'
import type { Pool } from '../pool.ts'
import type { FiguresJob, VersionsJob, WorkerResult } from '../worker.ts'

/** A person waits for these, but not as for the task that is open. */
const PRIORITY = 1
/** Results kept; the largest holds some hundred kilobytes. */
const KEPT = 8

/** Asks for a job's result; cancelled by the signal while it waits for a thread. */
export type Resample = <Job extends VersionsJob | FiguresJob>(
  job: Job,
  signal: AbortSignal,
) => Promise<WorkerResult<Job>>

/** Makes the asker over a pool. */
export function makeResample(run: Pool['run']): Resample {
  const kept = new Map<string, Promise<unknown>>()
  return async <Job extends VersionsJob | FiguresJob>(job: Job, signal: AbortSignal) => {
    const key = createHash('sha256').update(JSON.stringify(job)).digest('hex')
    for (;;) {
      const known = kept.get(key) as Promise<WorkerResult<Job> | null> | undefined
      const work = known ?? run<Job>(PRIORITY, () => (signal.aborted ? null : job))
      kept.delete(key)
      kept.set(key, work)
      for (const old of [...kept.keys()].slice(0, -KEPT)) kept.delete(old)
      try {
        const result = await raced(work, signal)
        if (result !== null) return result
      } catch (error) {
        if (!signal.aborted) kept.delete(key)
        throw error
      }
      // The asker that had queued it went away before its turn came: queue it again for this one.
      kept.delete(key)
      if (signal.aborted) throw cancelled()
    }
  }
}

function cancelled(): Fault {
  return new Fault('CANCELLED', 'Cancelled.')
}

function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(cancelled())
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** The same value with the codes of missing figures in words. */
export type Worded<T> = T extends { readonly ok: false; readonly reason: Reason }
  ? { readonly ok: false; readonly reason: string }
  : T extends readonly (infer Item)[]
    ? readonly Worded<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Worded<T[Key]> }
      : T

/** Puts words in place of the codes that say why a figure is missing, however deep they stand. */
export function worded<T>(value: T): Worded<T> {
  return words(value) as Worded<T>
}

function words(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(words)
  if (typeof value !== 'object' || value === null) return value
  if ('ok' in value && value.ok === false && 'reason' in value)
    return { ok: false, reason: reasonWords(value.reason as Reason) }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, words(item)]))
}
