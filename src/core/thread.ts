// Worker threads of the core that are started by role: importing, reading outcomes, copying, erasing, restoring, moving the log, searching.
// Each is this program again, finding itself in a worker (process.ts). The analysis threads are pool.ts's.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { CheckpointOrder } from './checkpointworker.ts'
import type { CopyOrder } from './copyworker.ts'
import type { EraseOrder } from './eraseworker.ts'
import type { ImportOrder } from './importnews.ts'
import type { OutcomeOrder } from './outcomeworker.ts'
import type { RestoreOrder } from './restoreworker.ts'
import type { SearchOrder } from './searchworker.ts'

/** What a thread can be started for. */
export type ThreadOrder =
  ImportOrder | OutcomeOrder | CopyOrder | EraseOrder | RestoreOrder | CheckpointOrder | SearchOrder

/** The program that finds itself in a worker thread: process.ts as source, core.js as built, beside this file. */
function threadFile(): URL {
  const places = ['./process.ts', './core.js'].map((place) => new URL(place, import.meta.url))
  const found = places.find((place) => existsSync(fileURLToPath(place)))
  if (found === undefined) throw new Error(`The thread's program is missing; looked at ${places.join(', ')}`)
  return found
}

/** Starts a thread on an order. */
export function startThread(order: ThreadOrder): Worker {
  return new Worker(threadFile(), { workerData: order, name: order.kind })
}
