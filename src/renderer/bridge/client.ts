// The window's way to the core: typed questions over window.faultline, with cancel and progress. Everything else in
// the window asks through here (or bridge/queries.ts above it). Files are named by grants, never by paths.
// Counts what is in flight, so that tests and people can see when the window is at rest.

import { Fault } from '../../base/fault.ts'
import type { Input, Method, Output, ProgressOf } from '../../contract/contract.ts'
import type { FaultlineBridge } from '../../contract/desktop.ts'
import type { WindowEvent } from '../../contract/events.ts'

// Only an interface can be added to the page's own Window.
declare global {
  interface Window {
    readonly faultline: FaultlineBridge
  }
}

/**
 * A contract input as the window writes it: `{grant}` stands wherever the core reads a file, `{path}`. What has other
 * fields beside a path is no file (a rule's condition).
 */
export type WithGrants<T> = T extends { readonly path: string }
  ? [keyof T] extends ['path']
    ? { readonly grant: string }
    : T
  : T extends readonly (infer E)[]
    ? readonly WithGrants<E>[]
    : T extends object
      ? { [K in keyof T]: WithGrants<T[K]> }
      : T

/** What the window passes to a method. */
export type Ask<M extends Method> = WithGrants<Input<M>>

/** Beside the input: an abort cancels the work in the core; progress comes from jobs only. */
export type AskOptions<M extends Method> = {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ProgressOf<M>) => void
  readonly id?: string
}

const progressListeners = new Map<string, (progress: unknown) => void>()
const eventListeners = new Set<(event: WindowEvent) => void>()
let isSubscribed = false
let lastId = 0

/** The bridge that the preload put into the page. */
export function bridge(): FaultlineBridge {
  return window.faultline
}

function subscribeOnce(): void {
  if (isSubscribed) return
  isSubscribed = true
  bridge().subscribe((event) => {
    if (event.type === 'progress') progressListeners.get(event.id)?.(event.progress)
    for (const listener of eventListeners) listener(event)
  })
}

/** Hears every event that reaches the window unasked; answers the unsubscribe. */
export function onWindowEvent(listener: (event: WindowEvent) => void): () => void {
  eventListeners.add(listener)
  subscribeOnce()
  return () => void eventListeners.delete(listener)
}

/** A fresh id for a request; unique in this window. */
export function newRequestId(): string {
  lastId += 1
  return `w${lastId}-${Math.floor(performance.now())}`
}

/**
 * Asks the core. Gives the answer or rejects with a Fault (CANCELLED when the signal was aborted). While the core
 * restarts, main holds the question until it is back.
 */
export async function ask<M extends Method>(
  method: M,
  input: Ask<M>,
  { signal, onProgress, id = newRequestId() }: AskOptions<M> = {},
): Promise<Output<M>> {
  if (signal?.aborted === true) throw new Fault('CANCELLED', 'Cancelled.')
  subscribeOnce()
  if (onProgress !== undefined) progressListeners.set(id, (progress) => onProgress(progress as ProgressOf<M>))
  const abort = (): void => bridge().cancel(id)
  signal?.addEventListener('abort', abort, { once: true })
  const finished = beginWork()
  try {
    const answer = await bridge().request(id, method, input)
    if (!answer.ok) throw Fault.from(answer.error)
    return answer.value as Output<M>
  } finally {
    signal?.removeEventListener('abort', abort)
    progressListeners.delete(id)
    finished()
  }
}

let inFlight = 0
let restTimer: ReturnType<typeof setTimeout> | undefined

/**
 * Marks that something is in flight, until the function it answers is called. When nothing is, and the window has
 * had time to draw it, `data-idle="true"` stands on the document element.
 */
export function beginWork(): () => void {
  inFlight += 1
  clearTimeout(restTimer)
  document.documentElement.dataset['idle'] = 'false'
  let isOpen = true
  return () => {
    if (!isOpen) return
    isOpen = false
    inFlight -= 1
    if (inFlight > 0) return
    clearTimeout(restTimer)
    // The element of now: a page that is torn down meanwhile has no document.
    const { dataset } = document.documentElement
    restTimer = setTimeout(() => {
      if (inFlight === 0) dataset['idle'] = 'true'
    }, 50)
  }
}
