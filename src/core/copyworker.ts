// Copies a workspace in a thread of its own: copying takes as long as the file is large, and only reads, so nobody
// has to wait for it. Run by process.ts inside the thread; started by copyInThread.

import { parentPort } from 'node:worker_threads'
import { Fault, toFaultData, type FaultData } from '../base/fault.ts'
import { copyWorkspace } from './store/files.ts'
import { openWriter } from './store/open.ts'
import { startThread } from './thread.ts'

/** What the thread is started with. */
export type CopyOrder = {
  readonly kind: 'copy'
  readonly source: string
  readonly target: string
  readonly appVersion: string
}

type CopyAnswer =
  { readonly ok: true; readonly bytes: number } | { readonly ok: false; readonly fault: FaultData }

/** Inside the thread: makes the copy and answers once. */
export function runCopyThread(order: CopyOrder): void {
  let answer: CopyAnswer
  try {
    const source = openWriter(order.source, { appVersion: order.appVersion, create: false })
    try {
      answer = { ok: true, ...copyWorkspace(source, order.target, order.appVersion) }
    } finally {
      source.close()
    }
  } catch (error) {
    answer = { ok: false, fault: toFaultData(error) }
  }
  parentPort?.postMessage(answer)
}

/** Copies a workspace file without what is marked as deleted. Rejects with the faults of copyWorkspace. */
export function copyInThread(order: Omit<CopyOrder, 'kind'>): Promise<{ readonly bytes: number }> {
  return new Promise((resolve, reject) => {
    const worker = startThread({ kind: 'copy', ...order })
    worker.once('message', (answer: CopyAnswer) => {
      if (answer.ok) resolve({ bytes: answer.bytes })
      else reject(Fault.from(answer.fault))
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The copying thread ended by itself with code ${code}`)))
  })
}
