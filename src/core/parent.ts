// The core side of the two real transports: a channel to the process that forked this one, over Electron's
// parent port or over process.send. Chosen by looking, not by configuration. Used by process.ts and by the
// echo entry; knows no message, and no Electron module (process.parentPort is a global).

import { channelOver, type Channel } from '../base/channel.ts'

/** Electron's process.parentPort, as much of it as is used. */
type ParentPort = {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(message: unknown): void
}

/**
 * The channel to the parent, or null when this process was not forked by one.
 * Its onClose fires when the host closes the channel or dies: close the files and end the process then.
 */
export function parentChannel(): Channel | null {
  const port = (process as { readonly parentPort?: ParentPort }).parentPort
  if (port !== undefined) {
    return channelOver({
      post: (message) => port.postMessage(message),
      listen: (deliver) => port.on('message', (event) => deliver(event.data)),
      onGone: () => {},
      leave: () => {},
    })
  }
  if (process.send === undefined) return null
  return channelOver({
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
