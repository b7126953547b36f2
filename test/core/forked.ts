// The real core in a process of its own, as main forks it: for the tests that kill it, and those with two on a file.

import { fork } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { connect, type RpcClient, type WireEvent } from '../../src/base/rpc.ts'
import { Fault } from '../../src/base/fault.ts'
import type { Input, Method, Output } from '../../src/contract/contract.ts'
import { nodeCoreChild, type CoreChild } from '../../src/main/hostchannel.ts'
import { repo } from './opened.ts'

/** A forked core. */
export type Forked = {
  readonly child: CoreChild
  readonly client: RpcClient
  readonly events: WireEvent[]
  /** The exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>
  ask<M extends Method>(method: M, input: Input<M>, id?: string): Promise<Output<M>>
  event(type: string): Promise<WireEvent>
}

let nextId = 0

/** Forks src/core/process.ts on a workspace; it is killed when the test has ended. */
export function forked(folder: string, path: string): Forked {
  const process = fork(
    join(repo, 'src/core/process.ts'),
    [`--workspace=${path}`, `--data=${folder}`, `--resources=${join(folder, 'resources')}`],
    { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] },
  )
  const child = nodeCoreChild(process)
  onTestFinished(() => child.kill())
  const client = connect(child.channel)
  const events: WireEvent[] = []
  const waiting: { type: string; resolve(event: WireEvent): void }[] = []
  client.onEvent((event) => {
    events.push(event)
    for (const wait of waiting) if (wait.type === event.type) wait.resolve(event)
  })
  return {
    child,
    client,
    events,
    ended: new Promise((resolve) => child.onExit(resolve)),
    ask: async <M extends Method>(method: M, input: Input<M>, id = `q${nextId++}`) => {
      const answer = await client.request(id, method, input)
      if (!answer.ok) throw Fault.from(answer.error)
      return answer.value as Output<M>
    },
    event: (type) =>
      new Promise((resolve) => {
        const known = events.find((event) => event.type === type)
        if (known !== undefined) resolve(known)
        else waiting.push({ type, resolve })
      }),
  }
}
