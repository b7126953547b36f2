// The core's side of the import thread: starts it, hands its news over one by one, tells it when a batch is written
// and when to stop. Holds no database and no rule of importing.

import { Fault } from '../base/fault.ts'
import type { ImportNews, ImportOrder, ImportTold } from './importnews.ts'
import { startThread } from './thread.ts'

/** How long a cancelled thread may take to come to its next pause, in milliseconds. */
const PATIENCE_MS = 2000

/**
 * Runs an order in a thread of its own. `onNews` is called in order; a thrown error ends the thread and rejects.
 * An abort asks the thread to stop at its next record; it resolves then, with everything read so far handed over.
 * Rejects with the thread's fault, or TOO_LARGE when it ran out of memory.
 */
export function runImportThread(
  order: ImportOrder,
  signal: AbortSignal,
  onNews: (news: ImportNews) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = startThread(order)
    let isOver = false
    let patience: NodeJS.Timeout | undefined
    const tell = (told: ImportTold): void => worker.postMessage(told)
    const finish = (end: () => void): void => {
      if (isOver) return
      isOver = true
      clearTimeout(patience)
      signal.removeEventListener('abort', cancel)
      void worker.terminate().then(end, end)
    }
    const cancel = (): void => {
      tell('cancel')
      // A huge record is parsed in one go: what was handed over before it is kept either way.
      patience = setTimeout(() => finish(resolve), PATIENCE_MS)
    }
    worker.on('message', (news: ImportNews) => {
      if (isOver) return
      if (news.kind === 'end') return finish(resolve)
      if (news.kind === 'failed') return finish(() => reject(Fault.from(news.fault)))
      try {
        onNews(news)
      } catch (error) {
        return finish(() => reject(error))
      }
      if (news.kind === 'batch') tell('written')
    })
    worker.on('error', (error) => finish(() => reject(threadFault(error))))
    worker.on('exit', (code) => {
      finish(() => reject(new Error(`The import thread ended by itself with code ${code}`)))
    })
    if (signal.aborted) cancel()
    else signal.addEventListener('abort', cancel, { once: true })
  })
}

function threadFault(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  return new Fault('TOO_LARGE', 'A record of this file is too large for the memory.', {
    cause: error,
    hint: 'Split the file, or import it on a machine with more memory.',
  })
}
