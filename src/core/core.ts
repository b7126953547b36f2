// The core: one open workspace and everything that may be asked of it. No process, no argv: process.ts serves it
// to a window, the CLI and the tests open it in their own process. Services hold the work; this file joins them.

import type { Handler } from '../base/rpc.ts'
import { Fault } from '../base/fault.ts'
import { contract, type Input, type Method, type Output, type ProgressOf } from '../contract/contract.ts'
import { TOPICS, type Topic } from '../contract/define.ts'
import type { CoreEvent } from '../contract/events.ts'
import type { AnalysisHook, Context, RequestContext, RulesHook, SearchHook } from './context.ts'
import { asFault, changesWorkspace, methodNamed, opensAnother, parsed, readOnly } from './door.ts'
import { eraseInThread } from './eraseworker.ts'
import { allHandlers } from './handlers.ts'
import { NO_ANALYSIS, NO_RULES, NO_SEARCH } from './hooks.ts'
import { restoreInThread } from './restoreworker.ts'
import { makeRewriting } from './rewriting.ts'
import { adoptRuns } from './services/adopt.ts'
import type { WritableDb } from './store/connection.ts'
import { eraseAndCompact } from './store/files.ts'
import { SCHEMA_VERSION } from './store/migrate.ts'
import { openWorkspace } from './store/reading.ts'
import { hasDeleted, type Everything } from './store/removal.ts'

/** How a core is opened. */
export type CoreOptions = {
  /** The workspace file; made when absent. */
  readonly path: string
  /** Where taxonomy.json and sample/ lie. */
  readonly resourcesDir: string
  /** Where default.fault and sample.fault lie. */
  readonly userDataDir: string
  readonly appVersion: string
  emit(event: CoreEvent): void
  /** Erase what was deleted when the core closes. The app does; a command line must not end the app's undo. */
  readonly eraseOnClose?: boolean
  /** How often another process's writes are looked for, in milliseconds; 0: never. Default 1000. */
  readonly watchMs?: number
}

/** What a caller may pass beside the input. */
export type RequestOptions<M extends Method> = {
  readonly id?: string
  readonly signal?: AbortSignal
  progress?(value: ProgressOf<M>): void
}

/** An open core. */
export type Core = {
  /** Asks one entry of the contract. Rejects with a Fault, never with another error. */
  request<M extends Method>(method: M, input: Input<M>, options?: RequestOptions<M>): Promise<Output<M>>
  /** The same for `serve()` of base/rpc. */
  readonly handler: Handler
  /** The open workspace's path and schema version, for the `ready` event. */
  info(): { readonly path: string; readonly schemaVersion: number }
  /** Cancels jobs, waits for what is being written (at most three seconds), erases if asked to, closes the file. */
  close(): Promise<void>
}

/** Longest wait for work in flight when the core closes, in milliseconds. */
const CLOSE_MS = 3000

const EVERYTHING = TOPICS.filter(
  (topic) => topic !== 'settings' && topic !== 'taxonomy' && topic !== 'search',
)

/** Opens a core on a workspace file. Throws the faults of openWriter: DB_NEWER, DB_LOCKED, DB_CORRUPT, … */
export function openCore(options: CoreOptions): Core {
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  const busy = new Set<string>()
  let open = openWorkspace(options.path, { appVersion: options.appVersion })
  let db: WritableDb = open.db
  let revision = 0
  let analysis: AnalysisHook = NO_ANALYSIS
  let rules: RulesHook = NO_RULES
  let search: SearchHook = NO_SEARCH
  let version = 0
  const rewriting = makeRewriting((work) => {
    running.add(work)
    void work.then(() => running.delete(work))
  })
  const eraseAside = (path: string): Promise<Everything> =>
    rewriting.run(path, () => eraseInThread({ path, appVersion: options.appVersion }))

  /** Has the open file rewritten. What is being compared or judged would be written meanwhile: it is begun again afterwards. */
  const rewriteOpen = async <T>(rewrite: () => Promise<T>): Promise<T> => {
    analysis.workspaceChanged()
    rules.workspaceChanged()
    search.workspaceChanged()
    try {
      return await rewrite()
    } finally {
      if (db.isOpen()) {
        version = db.dataVersion()
        schedule('all')
      }
    }
  }

  const context: Context = {
    db: () => db,
    path: () => open.path,
    isReadOnly: () => open.isReadOnly,
    resourcesDir: options.resourcesDir,
    userDataDir: options.userDataDir,
    appVersion: options.appVersion,
    now: () => new Date().toISOString(),
    emit: (event) => {
      if (!closing.signal.aborted) options.emit(event)
    },
    changed: (topics) => {
      if (topics.length === 0) return
      revision += 1
      context.emit({ type: 'changed', topics: [...new Set<Topic>(topics)], revision })
    },
    // Also while closing: what cannot be erased must be told.
    log: (level, message) => options.emit({ type: 'log', level, message }),
    scheduleAnalysis: (taskIds) => schedule(taskIds),
    analysis: () => analysis,
    useAnalysis: (hook) => {
      analysis = hook
    },
    rules: () => rules,
    useRules: (hook) => {
      rules = hook
    },
    search: () => search,
    useSearch: (hook) => {
      search = hook
    },
    swap: (path, create) => {
      if (busy.size > 0) {
        throw new Fault('DB_LOCKED', 'An import is running in this workspace.', {
          hint: 'Wait until it has finished or cancel it, then open the other workspace.',
        })
      }
      const next = openWorkspace(path, { appVersion: options.appVersion, create })
      const left = open.path
      const isToErase = options.eraseOnClose === true && !open.isReadOnly && hasDeleted(db)
      open.close()
      open = next
      db = open.db
      // Not here: nobody is to wait for the old workspace while looking at the new one.
      if (isToErase) eraseAside(left).catch((error: unknown) => sayNotErased(error, left))
      version = db.dataVersion()
      adoptRuns(context)
      analysis.workspaceChanged()
      rules.workspaceChanged()
      search.workspaceChanged()
      schedule('all')
      return db
    },
    erase: async () => {
      if (!hasDeleted(db)) return { trials: 0, rules: 0 }
      return rewriteOpen(() => eraseAside(db.path))
    },
    restore: (name) => {
      const { path } = db
      const order = { path, name, appVersion: options.appVersion }
      return rewriteOpen(async () => {
        const restored = await rewriting.run(path, () => restoreInThread(order))
        if (db.isOpen()) adoptRuns(context)
        return restored
      })
    },
    busy,
    closing: closing.signal,
  }

  /** Whatever changed trials: rules judge them first, then they are compared. */
  const schedule = (taskIds: readonly string[] | 'all'): void => {
    rules.schedule()
    analysis.schedule(taskIds)
    scheduleIndex()
  }

  /** Trials may have come. Not while the file is being rewritten: its end schedules everything. */
  const scheduleIndex = (): void => {
    if (rewriting.path() !== db.path) search.schedule()
  }

  /** Ends the work with the open file: undo lasts until here. */
  const leave = (): void => {
    try {
      if (options.eraseOnClose === true && !open.isReadOnly) eraseAndCompact(db)
    } catch (error) {
      sayNotErased(error, open.path)
    }
    open.close()
  }

  // Another process holds the file: what is marked stays marked, and is erased the next time.
  const sayNotErased = (error: unknown, path: string): void =>
    context.log('warn', `Deleted data could not be erased: ${asFault(error, path).code}`)

  const handlers = allHandlers(context)

  const call = async (method: Method, input: unknown, request: RequestContext): Promise<unknown> => {
    if (closing.signal.aborted) throw new Fault('CORE_GONE', 'The workspace is being closed.')
    const entry = contract[method]
    const handler = handlers[method] as (input: unknown, request: RequestContext) => unknown
    const value = parsed(method, input)
    const isOpening = opensAnother(method)
    if (open.isReadOnly && changesWorkspace(method)) throw readOnly(open.path)
    // Another one than the open workspace is being erased after it was left: only opening it again has to wait.
    const waitsFor = (): Promise<void> | null =>
      entry.kind === 'query' ? null : rewriting.waitsFor((path) => isOpening || path === db.path)
    for (let ended = waitsFor(); ended !== null; ended = waitsFor()) await ended
    try {
      return await handler(value, request)
    } finally {
      // Also after a failure: a cancelled import has kept something.
      if (entry.kind !== 'query') {
        context.changed(entry.topics)
        scheduleIndex()
      }
    }
  }

  const guardedCall = (method: Method, input: unknown, request: RequestContext): Promise<unknown> => {
    const { path } = open
    const promise = call(method, input, request).catch((error: unknown) => {
      throw asFault(error, path)
    })
    const settled = promise.then(
      () => {},
      () => {},
    )
    running.add(settled)
    void settled.then(() => running.delete(settled))
    return promise
  }

  version = db.dataVersion()
  adoptRuns(context)
  const watch = watchWrites(options.watchMs ?? 1000, () => {
    if (!db.isOpen()) return
    const now = db.dataVersion()
    if (now === version) return
    version = now
    context.changed(EVERYTHING)
    schedule('all')
  })
  schedule('all')

  return {
    request: <M extends Method>(method: M, input: Input<M>, more: RequestOptions<M> = {}) =>
      guardedCall(method, input, {
        id: more.id ?? crypto.randomUUID(),
        signal: withClosing(more.signal, closing.signal),
        progress: (value) => more.progress?.(value as ProgressOf<M>),
      }) as Promise<Output<M>>,
    handler: (name, input, request) =>
      guardedCall(methodNamed(name), input, {
        ...request,
        signal: withClosing(request.signal, closing.signal),
      }),
    info: () => ({ path: open.path, schemaVersion: SCHEMA_VERSION }),
    close: async () => {
      if (closing.signal.aborted) return
      clearInterval(watch)
      closing.abort(new Fault('CANCELLED', 'Faultline is closing.'))
      await inTime(
        Promise.all([search.close(), ...running]).then(() => analysis.close()),
        CLOSE_MS,
      )
      leave()
    },
  }
}

/** Waits for work, but not longer than `ms`. The timer keeps the process alive: the work may be in idle threads. */
async function inTime(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}

function withClosing(signal: AbortSignal | undefined, closing: AbortSignal): AbortSignal {
  return signal === undefined ? closing : AbortSignal.any([signal, closing])
}

/** Looks again and again, without keeping the process alive. */
function watchWrites(everyMs: number, look: () => void): NodeJS.Timeout | undefined {
  if (everyMs === 0) return undefined
  return setInterval(() => {
    try {
      look()
    } catch {
      // The file is locked for a moment: the next look tells.
    }
  }, everyMs).unref()
}
