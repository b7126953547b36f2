// Judges trials by outcome and severity rules: finds those that were judged by other rules than the present ones, has
// the worker threads judge them, writes what comes back in short transactions. One at a time, however many ask; what
// was not finished is found again by the hash that each judgement carries.

import { setImmediate } from 'node:timers/promises'
import { Fault, toFaultData } from '../../base/fault.ts'
import { makeRuleSet, type RuleSet } from '../../analysis/rules/judge.ts'
import type { RuleProgress } from '../../contract/rulerows.ts'
import type { Rule } from '../../model/rules.ts'
import type { Context, RulesHook } from '../context.ts'
import type { WritableDb } from '../store/connection.ts'
import {
  suitesOf,
  trialRules,
  trialRulesHash,
  trialsToJudge,
  waitingTrials,
  writeJudgements,
  type JudgementToWrite,
  type PackedForJudging,
  type Waiting,
} from '../store/judgements.ts'
import { allRules } from '../store/rules.ts'
import type { Judged } from '../worker.ts'

/** Trials per job, and jobs on their way: the bound of memory. */
export const TRIALS_PER_JOB = 64
const JOBS_AHEAD = 3
/** Behind what a person waits for, before analyses in the background. */
export const JUDGE_PRIORITY = 2
/** Trials whose judgements are taken back in one write. */
const CLEARED_AT_ONCE = 500
/** Answers are refreshed at most this often meanwhile. */
const CHANGED_MS = 500

const NOTHING = { outcome: null, events: [], severe: 0 } as const

/** The judging, as the rules service sees it. */
export type Judging = RulesHook & {
  /** Judges everything that waits, or what is left when another call is at it. Rejects with CANCELLED on abort. */
  apply(signal: AbortSignal, progress: (value: RuleProgress) => void): Promise<{ readonly judged: number }>
  /** Rules changed: what is being judged by the old ones is left. */
  rulesChanged(): void
  /** Trials that wait, and trials that could not be judged. */
  state(): { readonly waiting: number; readonly failed: number }
}

type Run = {
  readonly done: Promise<void>
  readonly listeners: Set<(value: RuleProgress) => void>
  progress: RuleProgress
  isStopped: boolean
}

/** Makes the judging of a core. */
export function makeJudging(context: Context): Judging {
  /** Trials that could not be read, with the hash of the rules that were tried. */
  const failed = new Map<number, string>()
  let run: Run | null = null
  let epoch = 0

  const waitingIn = (db: WritableDb, rules: readonly Rule[]): readonly (Waiting & { hash: string })[] => {
    const hashes = hashesOf(db, rules)
    return waitingTrials(db, hashes)
      .map((trial) => ({ ...trial, hash: hashes.get(trial.suite) ?? '' }))
      .filter((trial) => failed.get(trial.seq) !== trial.hash)
  }

  const start = (): Run => {
    const own: Run = {
      done: Promise.resolve(),
      listeners: new Set(),
      progress: { done: 0, total: 0 },
      isStopped: false,
    }
    const done = work(own).finally(() => {
      if (run === own) run = null
    })
    run = Object.assign(own, { done })
    return run
  }

  const work = async (own: Run): Promise<void> => {
    const db = context.db()
    const changed = new Set<string>()
    let saidAt = performance.now()
    const isOver = (): boolean =>
      own.isStopped || context.closing.aborted || !db.isOpen() || context.db() !== db
    const say = (): void => {
      saidAt = performance.now()
      context.changed(['trials', 'rules'])
    }
    const wrote = (count: number, taskIds: readonly string[]): void => {
      for (const taskId of taskIds) changed.add(taskId)
      own.progress = { done: own.progress.done + count, total: own.progress.total }
      for (const listener of own.listeners) listener(own.progress)
      if (performance.now() - saidAt >= CHANGED_MS) say()
    }
    try {
      while (!isOver()) {
        const rules = allRules(db)
        const waiting = waitingIn(db, rules)
        if (waiting.length === 0) break
        own.progress = { done: own.progress.done, total: own.progress.done + waiting.length }
        const born = epoch
        const isOld = (): boolean => isOver() || born !== epoch
        const without = waiting.filter((trial) => trial.hash === '')
        for (let at = 0; at < without.length && !isOld(); at += CLEARED_AT_ONCE) {
          const some = without.slice(at, at + CLEARED_AT_ONCE)
          const cleared = some.map(({ seq }) => ({ seq, rulesHash: '', judgement: NOTHING }))
          wrote(some.length, writeJudgements(db, cleared).taskIds)
          await setImmediate()
        }
        const hashBySeq = new Map(waiting.map(({ seq, hash }) => [seq, hash]))
        await judgeAll(
          context,
          { db, rules, before: null, isOver: isOld },
          waiting.flatMap(({ seq, hash }) => (hash === '' ? [] : [seq])),
          (judged) => {
            if (isOld()) return
            const written = judged.flatMap(({ seq, judgement }): JudgementToWrite[] => {
              const rulesHash = hashBySeq.get(seq) ?? ''
              if (judgement !== null) return [{ seq, rulesHash, judgement }]
              failed.set(seq, rulesHash)
              context.log('warn', 'A trial could not be judged by the rules: its record is damaged.')
              return []
            })
            wrote(judged.length, writeJudgements(db, written).taskIds)
          },
        )
      }
    } finally {
      if (own.progress.done > 0 && !context.closing.aborted && context.db() === db) {
        say()
        context.analysis().schedule([...changed])
      }
    }
  }

  const apply: Judging['apply'] = async (signal, progress) => {
    signal.throwIfAborted()
    const own = run ?? start()
    const stop = (): void => {
      own.isStopped = true
    }
    own.listeners.add(progress)
    signal.addEventListener('abort', stop, { once: true })
    try {
      await own.done
    } finally {
      own.listeners.delete(progress)
      signal.removeEventListener('abort', stop)
    }
    signal.throwIfAborted()
    // Another caller's cancel stopped the run: this one still wants it.
    if (own.isStopped) return await apply(signal, progress)
    return { judged: own.progress.done }
  }

  return {
    apply,
    schedule() {
      if (run !== null || context.closing.aborted) return
      const rules = allRules(context.db())
      if (waitingIn(context.db(), rules).length === 0) return
      start().done.catch((error: unknown) => {
        const fault = toFaultData(error)
        if (fault.code !== 'CANCELLED') context.log('error', `Rules could not be applied: ${fault.code}`)
      })
    },
    async settle(signal) {
      try {
        if (waitingIn(context.db(), allRules(context.db())).length > 0) await apply(signal, () => {})
      } catch (error) {
        // What is left is judged later; an import that was read must not fail over it.
        if (toFaultData(error).code !== 'CANCELLED' && !signal.aborted) throw error
      }
    },
    rulesChanged() {
      epoch++
    },
    workspaceChanged() {
      epoch++
      if (run !== null) run.isStopped = true
      run = null
      failed.clear()
    },
    state() {
      const db = context.db()
      const rules = allRules(db)
      const hashes = hashesOf(db, rules)
      const waiting = waitingTrials(db, hashes)
      const lost = waiting.filter(({ seq, suite }) => failed.get(seq) === hashes.get(suite)).length
      return { waiting: waiting.length - lost, failed: lost }
    },
  }
}

function hashesOf(db: WritableDb, rules: readonly Rule[]): ReadonlyMap<string, string> {
  return new Map(suitesOf(db).map((suite) => [suite, trialRulesHash(trialRules(rules, suite))]))
}

/** What trials are judged by. */
export type JudgeBy = {
  readonly db: WritableDb
  readonly rules: readonly Rule[]
  /** Rules to judge by beside them, to be compared; null: none. */
  readonly before: readonly Rule[] | null
  /** True: nobody waits for the rest. */
  isOver(): boolean
}

/** Judges trials in the worker threads, some jobs at a time; `take` gets each job's results with their heads. */
export async function judgeAll(
  context: Context,
  by: JudgeBy,
  seqs: readonly number[],
  take: (judged: readonly Judged[], trials: readonly PackedForJudging[]) => void,
): Promise<void> {
  const needsBody = bodyNeeds([by.rules, ...(by.before === null ? [] : [by.before])])
  let at = 0
  const lane = async (): Promise<void> => {
    while (at < seqs.length && !by.isOver()) {
      const some = seqs.slice(at, at + TRIALS_PER_JOB)
      at += TRIALS_PER_JOB
      let trials: readonly PackedForJudging[] = []
      const judged = await context.analysis().run(JUDGE_PRIORITY, () => {
        if (by.isOver()) return null
        trials = trialsToJudge(by.db, some, needsBody)
        return { kind: 'judge' as const, trials, rules: by.rules, before: by.before }
      })
      if (judged === null) {
        if (!by.isOver()) throw new Fault('INTERNAL', 'The worker threads did not answer.')
        return
      }
      take(judged, trials)
    }
  }
  await Promise.all(Array.from({ length: JOBS_AHEAD }, lane))
}

function bodyNeeds(
  lists: readonly (readonly Rule[])[],
): (suite: string, tools: readonly string[]) => boolean {
  const known = new Map<string, readonly RuleSet[]>()
  return (suite, tools) => {
    let sets = known.get(suite)
    if (sets === undefined)
      known.set(suite, (sets = lists.map((rules) => makeRuleSet(trialRules(rules, suite)))))
    return sets.some((set) => set.needsBody(tools))
  }
}
