// Work that a thread of the core does once and answers once: copying, erasing, restoring a whole workspace file.

import { parentPort } from 'node:worker_threads'
import { Fault, toFaultData, type FaultData } from '../base/fault.ts'
import { storeFault } from './store/faults.ts'
import { startThread, type ThreadOrder } from './thread.ts'

type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: FaultData }

/** Inside the thread: does the work and answers; what SQLite and the file system throw is a fault of `path`. */
export async function answerOnce<T>(path: string, work: () => T | Promise<T>): Promise<void> {
  let answer: Answer<T>
  try {
    answer = { ok: true, value: await work() }
  } catch (error) {
    answer = { ok: false, fault: toFaultData(storeFault(error, path) ?? error) }
  }
  parentPort?.postMessage(answer)
}

/** Starts a thread on an order and waits for its one answer. Rejects with the fault of the work. */
export function askOnce<T>(order: ThreadOrder): Promise<T> {
  return new Promise((resolve, reject) => {
    const worker = startThread(order)
    worker.once('message', (answer: Answer<T>) => {
      if (answer.ok) resolve(answer.value)
      else reject(Fault.from(answer.fault))
    })
    worker.once('error', reject)
    worker.once('exit', (code) =>
      reject(new Error(`The thread for “${order.kind}” ended by itself with code ${code}`)),
    )
  })
}
