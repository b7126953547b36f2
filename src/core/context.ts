// What a service is given and what it gives: the Context of one open core, and slices of the contract's handlers.
// A service is a function (context) => Slice<'noun.verb' | …>; core.ts puts the slices together.

import type { Method, Output, Parsed, ProgressOf } from '../contract/contract.ts'
import type { CoreEvent } from '../contract/events.ts'
import type { Topic } from '../contract/define.ts'
import type { Pool } from './pool.ts'
import type { Restored } from './restoreworker.ts'
import type { WritableDb } from './store/connection.ts'
import type { Everything } from './store/removal.ts'

/** What stands beside the input of one request. */
export type RequestContext<Progress = unknown> = {
  readonly id: string
  readonly signal: AbortSignal
  progress(value: Progress): void
}

/** One handler for every entry of the contract. Inputs have passed the door: nothing is checked again. */
export type Handlers = {
  readonly [M in Method]: (
    input: Parsed<M>,
    request: RequestContext<ProgressOf<M>>,
  ) => Output<M> | Promise<Output<M>>
}

/** The handlers of some methods. */
export type Slice<M extends Method> = Pick<Handlers, M>

/** The scheduler of analyses, as the rest of the core sees it. Set by services/analysis. */
export type AnalysisHook = {
  /** Trials of these tasks changed: look whether their analyses are stale, and compute them in the background. */
  schedule(taskIds: readonly string[] | 'all'): void
  /** Tasks whose analysis is still being computed. */
  pending(): number
  /** The algorithm's name and version, as stored with every analysis. */
  readonly algorithm: string
  /** The worker threads, for other work on trials. */
  readonly run: Pool['run']
  /** Another workspace was opened in place of this one: forget everything about the old one. */
  workspaceChanged(): void
  /** Stops its workers; nothing is written afterwards. */
  close(): Promise<void>
}

/** The judging of trials by outcome and severity rules, as the rest of the core sees it. Set by services/rules. */
export type RulesHook = {
  /** Trials or rules changed: judge what waits for it, in the background. */
  schedule(): void
  /** The same, done when it resolves; used before an import says that it has ended. */
  settle(signal: AbortSignal): Promise<void>
  /** Another workspace was opened in place of this one. */
  workspaceChanged(): void
}

/** The search index and the thread that searches, as the rest of the core sees them. Set by services/search. */
export type SearchHook = {
  /** Trials may have come: put those into the index that are not there, in the background. */
  schedule(): void
  /** Trials that are not in the index. */
  pending(): number
  /** Another workspace was opened in place of this one, or its file is being rewritten: let go of it. */
  workspaceChanged(): void
  /** Ends the thread; nothing is written afterwards. */
  close(): Promise<void>
}

/** One open core, as its services see it. */
export type Context = {
  /** The open workspace. Ask each time: another one may be opened in its place. Never keep it over an await. */
  db(): WritableDb
  /** The workspace's file as the person knows it; `db().path` is a private copy when it can only be read. */
  path(): string
  /** The file or its folder cannot be written: commands that change something are refused before they get here. */
  isReadOnly(): boolean
  readonly resourcesDir: string
  readonly userDataDir: string
  readonly appVersion: string
  /** The time as an ISO string. */
  now(): string
  emit(event: CoreEvent): void
  /** Says that answers which depend on these topics are old. The door says it after every command by itself. */
  changed(topics: readonly Topic[]): void
  /** Never trace text, never a path from inside the data. */
  log(level: 'info' | 'warn' | 'error', message: string): void
  scheduleAnalysis(taskIds: readonly string[] | 'all'): void
  readonly analysis: () => AnalysisHook
  /** Registers the scheduler; once, by services/analysis. */
  useAnalysis(hook: AnalysisHook): void
  readonly rules: () => RulesHook
  /** Registers the judging; once, by services/rules. */
  useRules(hook: RulesHook): void
  readonly search: () => SearchHook
  /** Registers the search; once, by services/search. */
  useSearch(hook: SearchHook): void
  /** Opens another workspace in place of this one. Throws DB_LOCKED while an import is running. */
  swap(path: string, create: boolean): WritableDb
  /** Erases what is marked, in a thread; commands wait until it is done. Throws DB_LOCKED while an import is running. */
  erase(): Promise<Everything>
  /** Restores a safety copy, in a thread; commands wait until it is done. */
  restore(name: string): Promise<Restored>
  /** Long work that holds on to the workspace (import runs): the workspace is not swapped while it goes on. */
  readonly busy: Set<string>
  /** Aborted when the core closes. */
  readonly closing: AbortSignal
}
