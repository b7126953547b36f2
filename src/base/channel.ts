// Channel: the one shape of a two-way message pipe. Makers for each transport live where the transport lives
// (core/parent.ts, main/hostchannel.ts); here are the type, what both ends of a transport share, and the in-memory pair. Knows
// no message but a goodbye.

/** A two-way pipe of JSON-plain messages, in order. After close nothing is delivered. */
export type Channel = {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onClose(listener: () => void): void
  close(): void
}

type Side = { listeners: ((m: unknown) => void)[]; closers: (() => void)[]; waiting: unknown[] }

/**
 * Two connected channels in one process (CLI, tests). Messages are cloned and delivered asynchronously, as a
 * real transport does; messages posted before the first listener wait for it.
 */
export function memoryPair(): readonly [Channel, Channel] {
  let open = true
  const a: Side = { listeners: [], closers: [], waiting: [] }
  const b: Side = { listeners: [], closers: [], waiting: [] }
  const deliver = (side: Side, message: unknown): void => {
    queueMicrotask(() => {
      if (!open) return
      if (side.listeners.length === 0) side.waiting.push(message)
      for (const listener of side.listeners) listener(message)
    })
  }
  const make = (mine: Side, theirs: Side): Channel => ({
    post(message) {
      if (open) deliver(theirs, structuredClone(message))
    },
    onMessage(listener) {
      mine.listeners.push(listener)
      const waiting = mine.waiting.splice(0)
      for (const message of waiting) deliver(mine, message)
    },
    onClose(listener) {
      mine.closers.push(listener)
    },
    close() {
      if (!open) return
      open = false
      for (const side of [a, b]) for (const closer of side.closers) closer()
    },
  })
  return [make(a, b), make(b, a)]
}

/** What one end posts to say that it closes, where a transport has no close of its own. */
export const GOODBYE = 'faultline:close'

/** A transport between two processes, as one end sees it. */
export type Transport = {
  /** Never throws: an end that is going away is told by `onGone`. */
  post(message: unknown): void
  listen(deliver: (message: unknown) => void): void
  /** The other end is gone. */
  onGone(gone: () => void): void
  /** Tells the other end that this one closes; called once, when it is closed from here. */
  leave(): void
}

/**
 * A channel over a transport: closes once, whoever closes it first. Messages that come before the first listener are kept
 * for it.
 */
export function channelOver(transport: Transport): Channel {
  const listeners: ((message: unknown) => void)[] = []
  const closers: (() => void)[] = []
  const waiting: unknown[] = []
  let isOpen = true
  const closed = (): void => {
    if (!isOpen) return
    isOpen = false
    for (const closer of closers) closer()
  }
  transport.listen((message) => {
    if (!isOpen) return
    if (message === GOODBYE) closed()
    else if (listeners.length === 0) waiting.push(message)
    else for (const listener of listeners) listener(message)
  })
  transport.onGone(closed)
  return {
    post(message) {
      if (isOpen) transport.post(message)
    },
    onMessage(listener) {
      listeners.push(listener)
      for (const message of waiting.splice(0)) listener(message)
    },
    onClose(listener) {
      closers.push(listener)
    },
    close() {
      if (!isOpen) return
      closed()
      transport.leave()
    },
  }
}
