// Numbers the trials of many tasks without holding up other answers: some tens of tasks per write, with a pause
// for whatever else was asked.

import { setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { renumber } from '../store/ingest.ts'

/** Tasks that are numbered in one write. */
const AT_ONCE = 50

/** Numbers the living trials of these tasks. Stops when the core closes: numbers are provisional until then. */
export async function renumberTasks(context: Context, taskIds: Iterable<string>): Promise<void> {
  const tasks = [...taskIds]
  const db = context.db()
  for (let at = 0; at < tasks.length; at += AT_ONCE) {
    // Another workspace may have been opened in the pause.
    if (!db.isOpen()) return
    renumber(db, tasks.slice(at, at + AT_ONCE))
    await setImmediate()
  }
}
