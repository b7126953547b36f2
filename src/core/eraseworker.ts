// Erases deleted data in a thread of its own: giving the space back rewrites the whole file, about a second per 50 MB,
// and questions are to be answered meanwhile. Run by process.ts inside the thread; started by eraseInThread.

import { answerOnce, askOnce } from './once.ts'
import { eraseAndCompact } from './store/files.ts'
import { openWriter } from './store/open.ts'
import type { Everything } from './store/removal.ts'

/** What the thread is started with. */
export type EraseOrder = { readonly kind: 'erase'; readonly path: string; readonly appVersion: string }

/** Inside the thread: erases and answers once. */
export function runEraseThread({ path, appVersion }: EraseOrder): Promise<void> {
  return answerOnce(path, () => {
    const db = openWriter(path, { appVersion, create: false })
    try {
      return eraseAndCompact(db)
    } finally {
      db.close()
    }
  })
}

/** Erases what is marked in a workspace file. Rejects with the faults of openWriter and eraseAndCompact. */
export function eraseInThread(order: Omit<EraseOrder, 'kind'>): Promise<Everything> {
  return askOnce({ kind: 'erase', ...order })
}
