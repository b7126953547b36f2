// RPC over a Channel: requests with typed answers, cancel and progress, and events back. birpc carries the
// envelope; this layer adds what it does not: answers that never throw across the wire, cancel by id, close.
// It knows no method: the contract names them, the core validates them.

import { createBirpc } from 'birpc'
import type { Channel } from './channel.ts'
import { Fault, toFaultData, type FaultData } from './fault.ts'

/** What every request is answered with. */
export type Answer =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: FaultData }

/** An event from the server side to the client side; `type` is named by the contract. */
export type WireEvent = { readonly type: string; readonly [key: string]: unknown }

type ServerFunctions = {
  request(id: string, method: string, input: unknown): Promise<Answer>
  cancel(id: string): void
}
type ClientFunctions = { event(event: WireEvent): void }

/** What the server does with one request. It may throw: a Fault keeps its code, all else becomes INTERNAL. */
export type Handler = (
  method: string,
  input: unknown,
  context: { readonly id: string; readonly signal: AbortSignal; progress(value: unknown): void },
) => Promise<unknown> | unknown

/** The server side: answers requests until the channel closes. `inFlight` counts requests not yet answered. */
export type RpcServer = { emit(event: WireEvent): void; inFlight(): number }

/** Serves `handler` on a channel. A cancel aborts the request's signal; closing aborts all of them. */
export function serve(channel: Channel, handler: Handler): RpcServer {
  const running = new Map<string, AbortController>()
  const rpc = createBirpc<ClientFunctions, ServerFunctions>(
    {
      async request(id, method, input) {
        const controller = new AbortController()
        running.set(id, controller)
        try {
          const value = await handler(method, input, {
            id,
            signal: controller.signal,
            progress: (progress) => emit({ type: 'progress', id, progress }),
          })
          return { ok: true, value: value ?? null }
        } catch (error) {
          return { ok: false, error: toFaultData(error) }
        } finally {
          running.delete(id)
        }
      },
      cancel(id) {
        running.get(id)?.abort()
      },
    },
    {
      post: (message) => channel.post(message),
      on: (listener) => channel.onMessage(listener),
      timeout: -1,
      eventNames: ['event'],
    },
  )
  const emit = (event: WireEvent): void => {
    void rpc.event.asEvent(event)
  }
  channel.onClose(() => {
    for (const controller of running.values()) controller.abort()
  })
  return { emit, inFlight: () => running.size }
}

/** The client side of a channel. */
export type RpcClient = {
  /** Asks; the promise always resolves, with CORE_GONE when the channel closed first. `id` names it for cancel. */
  request(id: string, method: string, input: unknown): Promise<Answer>
  cancel(id: string): void
  onEvent(listener: (event: WireEvent) => void): void
}

const GONE: Answer = {
  ok: false,
  error: new Fault('CORE_GONE', 'The analysis core stopped before it answered.', {
    hint: 'It is restarted by itself. Try again.',
  }).toData(),
}

/** A client on a channel. Every pending request is answered with CORE_GONE when the channel closes. */
export function connect(channel: Channel): RpcClient {
  const listeners: ((event: WireEvent) => void)[] = []
  const pending = new Set<(answer: Answer) => void>()
  let closed = false
  const rpc = createBirpc<ServerFunctions, ClientFunctions>(
    {
      event(event) {
        for (const listener of listeners) listener(event)
      },
    },
    {
      post: (message) => channel.post(message),
      on: (listener) => channel.onMessage(listener),
      timeout: -1,
      eventNames: ['cancel'],
    },
  )
  channel.onClose(() => {
    closed = true
    for (const settle of pending) settle(GONE)
    pending.clear()
  })
  return {
    request(id, method, input) {
      if (closed) return Promise.resolve(GONE)
      return new Promise((resolve) => {
        const settle = (answer: Answer): void => {
          if (pending.delete(settle)) resolve(answer)
        }
        pending.add(settle)
        rpc
          .request(id, method, input)
          .then(settle, (error: unknown) => settle({ ok: false, error: toFaultData(error) }))
      })
    },
    cancel(id) {
      if (!closed) void rpc.cancel.asEvent(id)
    },
    onEvent(listener) {
      listeners.push(listener)
    },
  }
}
