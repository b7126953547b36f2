// Moves the write-ahead log into the workspace file while much is written (an import, the search index), in a thread of its
// own: that is where the disk is waited for (fsync), and the core's loop must not wait. Run by process.ts inside the
// thread; started by checkpointMeanwhile.

import { parentPort } from 'node:worker_threads'
import type { WritableDb } from './store/connection.ts'
import { openWriter } from './store/open.ts'
import { startThread } from './thread.ts'

/** What the thread is started with. */
export type CheckpointOrder = {
  readonly kind: 'checkpoint'
  readonly path: string
  readonly appVersion: string
}

/** The log is moved this often; about 10 MB gather meanwhile. */
const EVERY_MS = 250
/** How many have taken the moving of the log off a connection: the last one gives it back. */
const takers = new WeakMap<WritableDb, number>()
/** Pages after which a connection moves the log by itself: SQLite's own default. */
const PAGES = 1000

/** Inside the thread: moves the log until told to stop, once more then, and ends. */
export function runCheckpointThread(order: CheckpointOrder): void {
  const db = openWriter(order.path, { appVersion: order.appVersion, create: false })
  const move = (): void => {
    try {
      // PASSIVE waits for nobody and makes nobody wait.
      db.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } catch {
      // The disk is full or the file is held: the log keeps what it has, the next turn tries again.
    }
  }
  const timer = setInterval(move, EVERY_MS)
  parentPort?.once('message', () => {
    clearInterval(timer)
    move()
    db.close()
  })
}

/**
 * Takes the moving of the log off this connection until the function that it gives is called; that one resolves when
 * the thread has ended. Should the thread fail, the connection moves the log by itself again.
 */
export function checkpointMeanwhile(db: WritableDb, appVersion: string): () => Promise<void> {
  if (db.path === ':memory:') return () => Promise.resolve()
  const byItself = (pages: number): void => {
    if (db.isOpen()) db.exec(`PRAGMA wal_autocheckpoint = ${pages}`)
  }
  byItself(0)
  takers.set(db, (takers.get(db) ?? 0) + 1)
  const worker = startThread({ kind: 'checkpoint', path: db.path, appVersion })
  const ended = new Promise<void>((resolve) => {
    worker.once('error', () => resolve())
    worker.once('exit', () => resolve())
  }).then(() => {
    const left = (takers.get(db) ?? 1) - 1
    takers.set(db, left)
    if (left === 0) byItself(PAGES)
  })
  return () => {
    worker.postMessage('stop')
    return ended
  }
}
