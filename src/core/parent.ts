// The core side of the two real transports: a channel to the process that forked this one, over Electron's
// parent port or over process.send. Chosen by looking, not by configuration. Used by process.ts and by the
// echo entry; knows no message but its own goodbye, and no Electron module (process.parentPort is a global).

import type { Channel } from '../base/channel.ts'

/** Electron's process.parentPort, as much of it as is used. */
type ParentPort = {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(message: unknown): void
}

/** What the host posts to ask this process to finish: a parent port has no close of its own. */
const goodbye = 'faultline:close'

/**
 * The channel to the parent, or null when this process was not forked by one.
 * Its onClose fires when the host closes the channel or dies: close the files and end the process then.
 */
export function parentChannel(): Channel | null {
  const port = (process as { readonly parentPort?: ParentPort }).parentPort
  if (port !== undefined) {
    return fromTransport({
      post: (message) => port.postMessage(message),
      listen: (deliver) => port.on('message', (event) => deliver(event.data)),
      onGone: () => {},
      leave: () => {},
    })
  }
  if (process.send === undefined) return null
  return fromTransport({
    post: (message) => {
      // A parent that is going away makes the write fail; 'disconnect' tells of it.
      if (process.connected) process.send?.(message, undefined, undefined, () => {})
    },
    listen: (deliver) => process.on('message', deliver),
    onGone: (closed) => process.once('disconnect', closed),
    leave: () => {
      if (process.connected) process.disconnect()
    },
  })
}

type Transport = {
  post(message: unknown): void
  listen(deliver: (message: unknown) => void): void
  onGone(closed: () => void): void
  leave(): void
}

/** Adds what both transports share: an order of closing, and messages kept until the first listener. */
function fromTransport(transport: Transport): Channel {
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
    if (message === goodbye) closed()
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
      closed()
      transport.leave()
    },
  }
}
