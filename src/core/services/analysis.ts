// When the analysis of a task is computed: in the background after imports, at once for the task that is open.
// Stored with the hash of its inputs and its algorithm; a stale one is computed again, never shown as current.
// The computing itself is in worker threads (pool.ts, worker.ts); here is only the order of it.

import { createHash } from 'node:crypto'
import { VERSION } from '../../analysis/divergence/analyse.ts'
import { toFaultData } from '../../base/fault.ts'
import { canonicalJson } from '../../base/json.ts'
import type { OutcomePolicy } from '../../model/outcome.ts'
import type { AnalysisHook, Context } from '../context.ts'
import { makePool } from '../pool.ts'
import type { PartialAnalysis } from '../worker.ts'
import { storeFault } from '../store/faults.ts'
import { isAnalysisCurrent, saveAnalysis, taskInputs } from '../store/analyses.ts'
import { packedTrials, saveNormals } from '../store/packed.ts'
import { loadPolicy } from '../store/settings.ts'
import { rulesForTasks, type RulesForTask } from '../store/tasktools.ts'
import { comparedLog } from './comparedlog.ts'
import { makePruning } from './pruning.ts'

/** A view with its choices made: configurations and files in scope (null: all, else sorted) and the policy. */
export type ResolvedView = {
  readonly configurations: readonly string[] | null
  /** Only trials that stand in these files; a comparison of files asks for that, the window never does. */
  readonly files: readonly string[] | null
  readonly policy: OutcomePolicy
  readonly hash: string
}

/** The scheduler, as the tasks service sees it. */
export type Analyser = AnalysisHook & {
  /** The given tasks of a view, background priority; older views' waiting work is dropped. */
  want(view: ResolvedView, tasks: readonly { readonly taskId: string; readonly inputsHash: string }[]): void
  /**
   * One task now: resolves when its analysis is stored, after `waitMs`, or sooner with what there is of it. `first`: the
   * failing trial to be compared before the others (null: the first).
   */
  soon(task: TaskAsked, first: string | null, waitMs: number): Promise<void>
  /** What there is of an analysis that is being computed; null when there is nothing, or the whole is stored. */
  partial(task: TaskAsked): PartialAnalysis | null
}

/** A task under a view, with the hash of what its analysis depends on. */
export type TaskAsked = {
  readonly view: ResolvedView
  readonly taskId: string
  readonly inputsHash: string
}

/** A partial answer is given when the whole has taken this long: sooner it would only be drawn twice. */
const PARTIAL_MS = 150

/** The view with the workspace's policy put in, and its hash. */
export function resolveView(
  view: {
    readonly configurations: readonly string[] | null
    readonly files?: readonly string[] | null
    readonly policy: OutcomePolicy | null
  },
  policy: OutcomePolicy,
): ResolvedView {
  const configurations = view.configurations === null ? null : [...new Set(view.configurations)].sort()
  const files = view.files == null ? null : [...new Set(view.files)].sort()
  const chosen = view.policy ?? policy
  const text = canonicalJson({ configurations, policy: chosen, ...(files === null ? {} : { files }) })
  return {
    configurations,
    files,
    policy: chosen,
    hash: createHash('sha256').update(text).digest('hex').slice(0, 32),
  }
}

/** Views whose background work is kept: the one on screen, the two of a comparison and the workspace's own. */
const LIVE_VIEWS = 4
/** Answers that depend on analyses are refreshed at most this often while many are computed. */
const CHANGED_EVERY_MS = 250
/** How long an analysis that could not be stored is left alone, unless a person opens its task. */
const REFUSED_MS = 30_000

const NOW = 0
const BACKGROUND = 5

function keyOf({ view, taskId, inputsHash }: TaskAsked): string {
  return `${view.hash} ${taskId} ${inputsHash}`
}

/** Waits for work at most `ms`; true when it was done. */
async function isDone(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Makes the scheduler. `mixedTasks` gives the tasks of a view that have passing and failing trials. */
export function makeAnalyser(
  context: Context,
  mixedTasks: (view: ResolvedView) => ReadonlySet<string>,
): Analyser {
  const pool = makePool()
  const algorithm = VERSION
  const running = new Set<string>()
  const waiting = new Map<string, Promise<void>>()
  const partials = new Map<string, PartialAnalysis>()
  /** Tasks that were opened while they were being compared. */
  const asked = new Set<string>()
  /** Those whose partial answer somebody has. */
  const told = new Set<string>()
  /** Called when a partial answer arrives. */
  const watchers = new Map<string, Set<() => void>>()
  let live: string[] = []
  let epoch = 0
  let timer: ReturnType<typeof setTimeout> | null = null
  /** Why the last one could not be stored; said once, not for each of a thousand tasks. */
  let unsaved: string | null = null
  /** What could not be stored, and when: in the background it is not tried again at once, over and over. */
  const refused = new Map<string, number>()

  const compared = comparedLog((level, message) => context.log(level, message))
  const pruning = makePruning(context, algorithm, () => waiting.size === 0 && context.busy.size === 0)

  const touch = (view: ResolvedView): void => {
    live = [view.hash, ...live.filter((hash) => hash !== view.hash)].slice(0, LIVE_VIEWS)
    pruning.used(view.hash)
  }
  const say = (): void => {
    if (timer !== null) return
    timer = setTimeout(() => {
      timer = null
      if (!context.closing.aborted) context.changed(['analysis'])
    }, CHANGED_EVERY_MS)
    timer.unref()
  }
  const isCurrent = (view: ResolvedView, taskId: string, inputsHash: string): boolean =>
    isAnalysisCurrent(context.db(), { taskId, viewHash: view.hash }, inputsHash, algorithm)

  const enqueue = (
    view: ResolvedView,
    taskId: string,
    inputsHash: string,
    priority: number,
    rules: RulesForTask = rulesForTasks(context.db()),
    first: string | null = null,
  ): Promise<void> => {
    const key = keyOf({ view, taskId, inputsHash })
    const known = waiting.get(key)
    // A task that waits in the background is asked for again in front; whoever comes first does it.
    if (known !== undefined && (priority !== NOW || running.has(key))) return known
    if (priority !== NOW && performance.now() - (refused.get(key) ?? -REFUSED_MS) < REFUSED_MS)
      return Promise.resolve()
    const born = epoch
    // With the hash of the same moment: what is stored under it was made with these rules.
    const { options } = rules(taskId)
    let isNews = false
    const partial = (value: PartialAnalysis): void => {
      if (born !== epoch) return
      partials.set(key, value)
      for (const watcher of watchers.get(key) ?? []) watcher()
      // Whoever was answered without it asks again: at once, the whole may follow soon.
      if (asked.has(key)) context.changed(['analysis'])
    }
    const work = pool
      .run(
        priority,
        () => {
          const isWanted = priority === NOW || live.includes(view.hash)
          if (born !== epoch || !isWanted || running.has(key) || isCurrent(view, taskId, inputsHash))
            return null
          running.add(key)
          return {
            kind: 'analyse',
            trials: packedTrials(context.db(), taskId, view.configurations, 'normal', view.files),
            options: { policy: view.policy, ...options },
            // A task that is being compared in the background may be opened meanwhile.
            first,
          }
        },
        partial,
      )
      .then(
        (result) => {
          if (result === null || born !== epoch) return
          keepNormals(result.normals)
          save(view, taskId, { inputsHash, lead: result.lead, fault: null, result: result.analysis })
          compared.add(result.normalMs)
          isNews = true
        },
        (error: unknown) => {
          const fault = toFaultData(error)
          if (born !== epoch || fault.code === 'CANCELLED') return
          context.log('error', `The analysis of a task failed: ${fault.code}`)
          save(view, taskId, { inputsHash, lead: null, fault, result: null })
          isNews = true
        },
      )
      .finally(() => {
        running.delete(key)
        partials.delete(key)
        asked.delete(key)
        told.delete(key)
        if (waiting.get(key) === work) waiting.delete(key)
        if (waiting.size === 0) compared.end()
        // Asking for an analysis that is there already is no news: saying so would make the asker ask again.
        if (isNews || (priority !== NOW && waiting.size === 0)) say()
      })
    if (waiting.size === 0) compared.begin()
    waiting.set(key, work)
    // Who waits for it is told by the promise itself. In the background nobody does, and a workspace that cannot be
    // written (a full disk, another writer) must not end the core: questions are still answered.
    work.then(
      () => {
        unsaved = null
        refused.delete(key)
      },
      (error: unknown) => {
        const { code } = toFaultData(storeFault(error, context.db().path) ?? error)
        if (code !== unsaved) context.log('error', `An analysis could not be stored: ${code}`)
        unsaved = code
        refused.set(key, performance.now())
      },
    )
    return work
  }

  /** They can be made again: that there is no room for them must not cost the analysis. */
  const keepNormals = (normals: Parameters<typeof saveNormals>[1]): void => {
    if (context.closing.aborted) return
    try {
      saveNormals(context.db(), normals)
    } catch (error) {
      if (storeFault(error, context.db().path) === null) throw error
    }
  }

  const save = (
    view: ResolvedView,
    taskId: string,
    analysis: Pick<Parameters<typeof saveAnalysis>[2], 'inputsHash' | 'lead' | 'fault' | 'result'>,
  ): void => {
    if (context.closing.aborted) return
    saveAnalysis(
      context.db(),
      { taskId, viewHash: view.hash },
      { ...analysis, algorithm, computedAt: context.now() },
    )
  }

  return {
    algorithm,
    want(view, tasks) {
      touch(view)
      // What is compared while trials arrive is stale at once, and takes the processor from reading them: the end of
      // the import schedules it. A task that a person opens is compared all the same.
      if (context.busy.size > 0) return
      const rules = rulesForTasks(context.db())
      for (const { taskId, inputsHash } of tasks) void enqueue(view, taskId, inputsHash, BACKGROUND, rules)
    },
    async soon(task, first, waitMs) {
      const { view, taskId, inputsHash } = task
      touch(view)
      const work = enqueue(view, taskId, inputsHash, NOW, undefined, first)
      const key = keyOf(task)
      // The first asker is told at once. Who asks again waits for the whole: the same would help nobody.
      if (partials.has(key)) {
        const isToldBefore = told.has(key)
        told.add(key)
        if (isToldBefore) await isDone(work, waitMs)
        return
      }
      if (await isDone(work, Math.min(PARTIAL_MS, waitMs))) return
      if (partials.has(key)) {
        told.add(key)
        return
      }
      asked.add(key)
      const mine = watchers.get(key) ?? new Set()
      watchers.set(key, mine)
      const { promise, resolve } = Promise.withResolvers<void>()
      mine.add(resolve)
      try {
        await isDone(Promise.race([work, promise]), Math.max(0, waitMs - PARTIAL_MS))
      } finally {
        mine.delete(resolve)
        if (mine.size === 0) watchers.delete(key)
      }
    },
    partial: (task) => partials.get(keyOf(task)) ?? null,
    schedule(taskIds) {
      const view = resolveView({ configurations: null, policy: null }, loadPolicy(context.db()))
      touch(view)
      const mixed = mixedTasks(view)
      const wanted = taskIds === 'all' ? null : new Set(taskIds)
      const rules = rulesForTasks(context.db())
      for (const [taskId, inputsHash] of taskInputs(context.db(), null, rules)) {
        if (!mixed.has(taskId) || (wanted !== null && !wanted.has(taskId))) continue
        if (!isCurrent(view, taskId, inputsHash)) void enqueue(view, taskId, inputsHash, BACKGROUND, rules)
      }
      pruning.soon()
    },
    pending: () => waiting.size,
    run: pool.run,
    workspaceChanged() {
      epoch++
      live = []
      running.clear()
      waiting.clear()
      partials.clear()
      asked.clear()
      told.clear()
      pruning.workspaceChanged()
    },
    async close() {
      epoch++
      pruning.close()
      if (timer !== null) clearTimeout(timer)
      await pool.close()
    },
  }
}
