// Erases deleted data in a thread of its own: giving the space back rewrites the whole file, about a second per 50 MB,
// and questions are to be answered meanwhile. Run by process.ts inside the thread; started by eraseInThread.

import { parentPort } from 'node:worker_threads'
import { Fault, toFaultData, type FaultData } from '../base/fault.ts'
import { eraseAndCompact } from './store/files.ts'
import { openWriter } from './store/open.ts'
import type { Everything } from './store/removal.ts'
import { storeFault } from './store/faults.ts'
import { startThread } from './thread.ts'

/** What the thread is started with. */
export type EraseOrder = { readonly kind: 'erase'; readonly path: string; readonly appVersion: string }

type EraseAnswer =
  { readonly ok: true; readonly erased: Everything } | { readonly ok: false; readonly fault: FaultData }

/** Inside the thread: erases and answers once. */
export function runEraseThread(order: EraseOrder): void {
  let answer: EraseAnswer
  try {
    const db = openWriter(order.path, { appVersion: order.appVersion, create: false })
    try {
      answer = { ok: true, erased: eraseAndCompact(db) }
    } finally {
      db.close()
    }
  } catch (error) {
    answer = { ok: false, fault: toFaultData(storeFault(error, order.path) ?? error) }
  }
  parentPort?.postMessage(answer)
}

/** Erases what is marked in a workspace file. Rejects with the faults of openWriter and eraseAndCompact. */
export function eraseInThread(order: Omit<EraseOrder, 'kind'>): Promise<Everything> {
  return new Promise((resolve, reject) => {
    const worker = startThread({ kind: 'erase', ...order })
    worker.once('message', (answer: EraseAnswer) => {
      if (answer.ok) resolve(answer.erased)
      else reject(Fault.from(answer.fault))
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The erasing thread ended by itself with code ${code}`)))
  })
}
