// The host side of the two real transports: a child process of the core as a Channel with an exit. The shipped
// app forks an Electron utility process; the test runtime forks Node (see corehost.ts). The twin of
// core/parent.ts. Imports no Electron module at run time, so that both makers can be tested in plain Node.

import type { ChildProcess } from 'node:child_process'
import type { UtilityProcess } from 'electron'
import { channelOver, GOODBYE, type Channel } from '../base/channel.ts'

/** A forked core: its channel, and how its process ends. */
export type CoreChild = {
  readonly channel: Channel
  readonly pid: () => number | undefined
  /** Called once when the process has ended; `code` is null when a signal ended it. */
  onExit(listener: (code: number | null) => void): void
  /** Ends the process at once. `channel.close()` asks it to finish by itself. */
  kill(): void
}

type Host = {
  post(message: unknown): void
  listen(deliver: (message: unknown) => void): void
  exit(ended: (code: number | null) => void): void
}

/** The channel over a host, and how its process ended; the end of the process closes the channel first. */
function hostChannel(host: Host): { channel: Channel; onExit: CoreChild['onExit'] } {
  const exits: ((code: number | null) => void)[] = []
  let gone = (): void => {}
  let ended: { readonly code: number | null } | null = null
  const channel = channelOver({
    post: (message) => host.post(message),
    listen: (deliver) => host.listen(deliver),
    onGone: (closed) => {
      gone = closed
    },
    // A child process has no close of its own: it is asked to finish.
    leave: () => host.post(GOODBYE),
  })
  host.exit((code) => {
    if (ended !== null) return
    ended = { code }
    gone()
    for (const exit of exits) exit(code)
  })
  return {
    channel,
    onExit(listener) {
      if (ended !== null) listener(ended.code)
      else exits.push(listener)
    },
  }
}

/** A Node process forked with `serialization: 'advanced'`. */
export function nodeCoreChild(child: ChildProcess): CoreChild {
  const { channel, onExit } = hostChannel({
    post: (message) => {
      // A child that is going away makes the write fail; its 'exit' tells of it.
      if (child.connected) child.send(message as object, () => {})
    },
    listen: (deliver) => child.on('message', deliver),
    exit: (ended) => {
      child.once('exit', (code) => ended(code))
      // No process at all (the file is missing): there will be no 'exit'.
      child.once('error', () => ended(null))
    },
  })
  return { channel, onExit, pid: () => child.pid, kill: () => void child.kill('SIGKILL') }
}

/** An Electron utility process. Fork it only after app.whenReady(): before, Electron 33 crashes. */
export function utilityCoreChild(child: UtilityProcess): CoreChild {
  const { channel, onExit } = hostChannel({
    post: (message) => child.postMessage(message),
    listen: (deliver) => child.on('message', deliver),
    exit: (ended) => child.once('exit', (code) => ended(code)),
  })
  return { channel, onExit, pid: () => child.pid, kill: () => void child.kill() }
}
