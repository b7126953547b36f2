// Copies a workspace in a thread of its own: copying takes as long as the file is large, and only reads, so nobody
// has to wait for it. Run by process.ts inside the thread; started by copyInThread.

import { answerOnce, askOnce } from './once.ts'
import { copyWorkspace } from './store/files.ts'
import { openWriter } from './store/open.ts'

/** What the thread is started with. */
export type CopyOrder = {
  readonly kind: 'copy'
  readonly source: string
  readonly target: string
  readonly appVersion: string
}

/** Inside the thread: makes the copy and answers once. */
export function runCopyThread({ source: path, target, appVersion }: CopyOrder): Promise<void> {
  return answerOnce(path, () => {
    const source = openWriter(path, { appVersion, create: false })
    try {
      return copyWorkspace(source, target, appVersion)
    } finally {
      source.close()
    }
  })
}

/** Copies a workspace file without what is marked as deleted. Rejects with the faults of copyWorkspace. */
export function copyInThread(order: Omit<CopyOrder, 'kind'>): Promise<{ readonly bytes: number }> {
  return askOnce({ kind: 'copy', ...order })
}
