// Puts the words of trials into the index that search chooses by: in the background, when no import runs, the newest
// trials first, after the comparisons. Worker threads find the words, the core writes them in short transactions. A trial
// is in the index or it is not: what was not finished is found again, and searched by reading until then.

import { setImmediate } from 'node:timers/promises'
import { toFaultData } from '../../base/fault.ts'
import { checkpointMeanwhile } from '../checkpointworker.ts'
import type { Context, SearchHook } from '../context.ts'
import type { WritableDb } from '../store/connection.ts'
import { storeFault } from '../store/faults.ts'
import {
  indexState,
  keepWords,
  mergeWords,
  trialsToIndex,
  waitingForIndex,
  type WordsOfTrial,
} from '../store/searchindex.ts'

/** Behind everything else that the worker threads do. */
const PRIORITY = 7
/** Trials and unpacked bytes per job, and jobs on their way: the bound of memory. */
const TRIALS_PER_JOB = 16
const JOB_BYTES = 4 * 1024 * 1024
const JOBS_AHEAD = 2
/** Bytes of words in one transaction: about ten milliseconds. */
const WRITE_BYTES = 128 * 1024
/** Joins of the index after each of them, at most. */
const JOINS = 12
/** Trials from which on the log is moved by a thread: the core's loop must not wait for the disk. */
const MANY = 100
/** What is scheduled waits for what is more urgent, and for more of its kind. */
const DELAY_MS = 250
/** How long an index that cannot be written is left alone. */
const REFUSED_MS = 30_000
const CHANGED_MS = 1000

/** Makes the filling of the index. */
export function makeIndexing(context: Context): SearchHook {
  /** Trials that could not be read. */
  const damaged = new Set<number>()
  let epoch = 0
  let isRunning = false
  /** Scheduled while it ran: what has come since is looked for afterwards. */
  let isWantedAgain = false
  let timer: ReturnType<typeof setTimeout> | null = null
  let refusedAt = -REFUSED_MS
  let refusedFor: string | null = null
  /** Ends the thread that moves the log meanwhile. */
  let stopCheckpoints: (() => Promise<void>) | null = null

  const endCheckpoints = async (): Promise<void> => {
    const stop = stopCheckpoints
    stopCheckpoints = null
    await stop?.()
  }

  const isOver = (db: WritableDb, born: number): boolean =>
    born !== epoch || context.closing.aborted || context.busy.size > 0 || !db.isOpen() || context.db() !== db

  const write = async (db: WritableDb, born: number, found: readonly WordsOfTrial[]): Promise<void> => {
    for (let at = 0; at < found.length && !isOver(db, born);) {
      const some: WordsOfTrial[] = []
      for (let bytes = 0; at < found.length && bytes < WRITE_BYTES; at += 1) {
        const one = found[at]
        if (one === undefined) break
        some.push(one)
        bytes += one.words.byteLength
      }
      keepWords(db, some, Date.now())
      await setImmediate()
      await join(db, born, JOINS)
    }
  }

  /** Joins pieces of the index, with a turn of the loop after each. */
  const join = async (db: WritableDb, born: number, most: number): Promise<void> => {
    for (let i = 0; i < most && !isOver(db, born); i += 1) {
      if (!mergeWords(db)) return
      await setImmediate()
    }
  }

  const work = async (db: WritableDb, born: number): Promise<void> => {
    const waiting = waitingForIndex(db).filter((seq) => !damaged.has(seq))
    if (waiting.length === 0) return
    const started = performance.now()
    if (waiting.length > MANY) stopCheckpoints = checkpointMeanwhile(db, context.appVersion)
    let saidAt = started
    let done = 0
    let at = 0
    const lane = async (): Promise<void> => {
      while (at < waiting.length && !isOver(db, born)) {
        const words = await context.analysis().run(PRIORITY, () => {
          if (at >= waiting.length || isOver(db, born)) return null
          const asked = waiting.slice(at, at + TRIALS_PER_JOB)
          const { trials, taken } = trialsToIndex(db, asked, JOB_BYTES)
          at += taken
          return { kind: 'words' as const, trials }
        })
        if (words === null || isOver(db, born)) return
        for (const one of words) if (one.words === null) damaged.add(one.seq)
        await write(
          db,
          born,
          words.flatMap(({ seq, words }) => (words === null ? [] : [{ seq, words }])),
        )
        done += words.length
        if (performance.now() - saidAt < CHANGED_MS || isOver(db, born)) continue
        saidAt = performance.now()
        context.changed(['search'])
      }
    }
    await Promise.all(Array.from({ length: JOBS_AHEAD }, lane))
    await join(db, born, Number.POSITIVE_INFINITY)
    if (born !== epoch || context.closing.aborted) return
    context.changed(['search'])
    const ms = Math.round(performance.now() - started)
    context.log('info', `Search index: ${done} of ${waiting.length} trials in ${ms} ms`)
    if (damaged.size > 0) context.log('warn', `Search index: ${damaged.size} trials are damaged`)
  }

  const start = async (): Promise<void> => {
    const born = epoch
    const db = context.db()
    isRunning = true
    try {
      await work(db, born)
      refusedFor = null
    } catch (error) {
      const { code } = toFaultData(storeFault(error, db.path) ?? error)
      if (code === 'CANCELLED' || born !== epoch) return
      refusedAt = performance.now()
      // Said once, not every half minute.
      if (code !== refusedFor)
        context.log('warn', `The search index could not be written (${code}): search reads every trial.`)
      refusedFor = code
    } finally {
      if (born === epoch) {
        await endCheckpoints()
        isRunning = false
        if (isWantedAgain) schedule()
      }
    }
  }

  const schedule = (): void => {
    if (isRunning) isWantedAgain = true
    if (timer !== null || isRunning || context.closing.aborted) return
    isWantedAgain = false
    timer = setTimeout(() => {
      timer = null
      if (isRunning || isOver(context.db(), epoch)) return
      if (performance.now() - refusedAt >= REFUSED_MS) void start()
    }, DELAY_MS)
    timer.unref()
  }

  return {
    schedule,
    pending: () => Math.max(0, indexState(context.db()).waiting - damaged.size),
    workspaceChanged() {
      epoch++
      isRunning = false
      damaged.clear()
      refusedAt = -REFUSED_MS
      refusedFor = null
      if (timer !== null) clearTimeout(timer)
      timer = null
      void endCheckpoints()
    },
    async close() {
      epoch++
      if (timer !== null) clearTimeout(timer)
      await endCheckpoints()
    },
  }
}
