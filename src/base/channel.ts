// Channel: the one shape of a two-way message pipe. Makers for each transport live where the transport lives
// (core/process.ts, main/corehost.ts); here are the type and the in-memory pair. Knows no message.

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
