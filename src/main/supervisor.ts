// Keeps a core process alive: forks it, says how it is, restarts it when it dies unasked (at most three times in
// a minute), holds requests while it starts, and ends it in order. Knows how a core is forked only as a
// function that it is given, so that it is tested with plain Node. Never restarts a core that said why it failed.

import { Fault } from '../base/fault.ts'
import { connect, type Answer, type RpcClient, type WireEvent } from '../base/rpc.ts'
import type { CoreState } from '../contract/events.ts'
import type { CoreChild } from './hostchannel.ts'

/** What the supervisor is given. Times are in milliseconds. */
export type SupervisorOptions = {
  /** Forks a core on a workspace file; null: the default one. */
  readonly fork: (workspacePath: string | null) => CoreChild
  readonly onState: (state: CoreState) => void
  readonly onEvent: (event: WireEvent) => void
  readonly logPath: string | null
  readonly maxRestarts?: number
  readonly restartWindowMs?: number
  readonly drainMs?: number
  readonly closeMs?: number
}

/** A supervised core. */
export type Supervisor = {
  state(): CoreState
  /** Process id of the core that runs now. */
  pid(): number | undefined
  request(id: string, method: string, input: unknown): Promise<Answer>
  cancel(id: string): void
  /** Ends the core that runs and forks another one, on `workspacePath` when given, else on the last one. */
  restart(workspacePath?: string): void
  /** Takes no more requests, waits for those in flight, lets the core close its files, then ends it. */
  shutdown(): Promise<void>
}

type Running = { readonly child: CoreChild; readonly client: RpcClient; isExpected: boolean }

const closing = new Fault('CORE_GONE', 'Faultline is closing.').toData()
const cancelled = new Fault('CANCELLED', 'Cancelled.').toData()

/** Forks the first core at once and keeps it alive until `shutdown`. */
export function supervise(options: SupervisorOptions, workspacePath: string | null): Supervisor {
  const { maxRestarts = 3, restartWindowMs = 60_000, drainMs = 3_000, closeMs = 10_000 } = options
  let state: CoreState = { state: 'starting' }
  let running: Running | null = null
  let lastPath = workspacePath
  let restarts: number[] = []
  let isClosing = false
  /** Requests that wait for a core that is starting; `isWanted` false: cancelled before a core heard of it. */
  let waiting: { readonly id: string; readonly go: (isWanted: boolean) => void }[] = []
  let inFlight = 0
  let drained: (() => void) | null = null

  const enter = (next: CoreState): void => {
    state = next
    options.onState(next)
    if (next.state === 'ready' || next.state === 'failed') goOn()
  }

  const goOn = (): void => {
    for (const { go } of waiting.splice(0)) go(true)
  }

  const start = (): void => {
    let child: CoreChild
    try {
      child = options.fork(lastPath)
    } catch (error) {
      enter(failed(new Fault('INTERNAL', `The analysis core could not be started: ${String(error)}`)))
      return
    }
    const current: Running = { child, client: connect(child.channel), isExpected: false }
    running = current
    current.client.onEvent((event) => {
      if (running === current) onEvent(current, event)
    })
    child.onExit((code) => onExit(current, code))
  }

  const failed = (fault: Fault): CoreState => ({
    state: 'failed',
    fault: fault.toData(),
    logPath: options.logPath,
  })

  const onEvent = (current: Running, event: WireEvent): void => {
    if (event.type === 'ready' || event.type === 'workspace') {
      if (typeof event['path'] === 'string' && event['path'] !== '') lastPath = event['path']
      if (state.state !== 'ready') enter({ state: 'ready' })
    }
    if (event.type === 'failed') {
      // It has said why (a newer file, a damaged file): starting it again would say the same.
      current.isExpected = true
      enter(failed(Fault.from(event['fault'] as Parameters<typeof Fault.from>[0])))
    }
    options.onEvent(event)
  }

  const onExit = (current: Running, code: number | null): void => {
    if (running !== current) return
    running = null
    if (isClosing || current.isExpected) return
    const reason = code === null ? 'It was ended by a signal.' : `It ended with code ${code}.`
    enter({ state: 'gone', reason })
    const now = Date.now()
    restarts = restarts.filter((at) => now - at < restartWindowMs)
    if (restarts.length >= maxRestarts) {
      const seconds = Math.round(restartWindowMs / 1000)
      enter(
        failed(
          new Fault(
            'CORE_GONE',
            `The analysis core stopped ${restarts.length + 1} times within ${seconds} s.`,
            {
              hint: `${reason} The log says more.`,
            },
          ),
        ),
      )
      return
    }
    restarts.push(now)
    enter({ state: 'restarting', attempt: restarts.length, of: maxRestarts, reason })
    start()
  }

  const canAsk = (): boolean => state.state === 'ready' || state.state === 'failed'

  const ask = async (id: string, method: string, input: unknown): Promise<Answer> => {
    if (!canAsk()) {
      const isWanted = await new Promise<boolean>((go) => waiting.push({ id, go }))
      if (!isWanted) return { ok: false, error: cancelled }
    }
    if (running === null) {
      const fault = state.state === 'failed' ? state.fault : closing
      return { ok: false, error: fault }
    }
    return running.client.request(id, method, input)
  }

  start()
  return {
    state: () => state,
    pid: () => running?.child.pid(),
    async request(id, method, input) {
      if (isClosing) return { ok: false, error: closing }
      inFlight += 1
      try {
        return await ask(id, method, input)
      } finally {
        inFlight -= 1
        if (inFlight === 0) drained?.()
      }
    },
    cancel(id) {
      const held = waiting.filter((request) => request.id === id)
      waiting = waiting.filter((request) => request.id !== id)
      for (const { go } of held) go(false)
      if (held.length === 0) running?.client.cancel(id)
    },
    restart(path) {
      if (isClosing) return
      if (path !== undefined) lastPath = path
      const old = running
      running = null
      old?.child.channel.close()
      old?.child.kill()
      restarts = []
      enter({ state: 'starting' })
      start()
    },
    async shutdown() {
      isClosing = true
      goOn()
      const child = running?.child
      if (child === undefined) return
      if (inFlight > 0) await Promise.race([new Promise<void>((done) => (drained = done)), delay(drainMs)])
      const ended = new Promise<void>((done) => child.onExit(() => done()))
      child.channel.close()
      await Promise.race([ended, delay(closeMs)])
      child.kill()
    },
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms))
}
