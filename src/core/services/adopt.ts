// What is put right when a workspace is opened: import runs whose reader is gone are told as interrupted, and the
// trials that they kept are numbered. Runs before the first query is answered.

import { hostname } from 'node:os'
import type { Context } from '../context.ts'
import { isOurRun } from './importrun.ts'
import { storeFault } from '../store/faults.ts'
import { markInterrupted } from '../store/imports.ts'
import { renumber } from '../store/ingest.ts'
import { allTasks } from '../store/tasks.ts'

/** Tasks that are numbered in one write. */
const AT_ONCE = 200

/**
 * Finishes what a crash of an earlier process left open. Where that cannot be written (a full disk, another writer)
 * the workspace opens all the same: reading it matters more, and the next opening tries again.
 */
export function adoptRuns(context: Context): void {
  const db = context.db()
  try {
    const reader = { host: hostname(), pid: process.pid, nowMs: Date.now() }
    const runs = markInterrupted(db, reader, isAlive, context.now())
    if (runs.length === 0) return
    const tasks = allTasks(db).map((task) => task.id)
    for (let at = 0; at < tasks.length; at += AT_ONCE) renumber(db, tasks.slice(at, at + AT_ONCE))
    context.log('warn', `${runs.length} import runs had been interrupted`)
  } catch (error) {
    const fault = storeFault(error, db.path)
    if (fault === null) throw error
    context.log('warn', `Interrupted import runs could not be told: ${fault.code}`)
  }
}

/** Whether a reader on this machine lives. One that may not be signalled lives, too. */
function isAlive({ id, pid }: { readonly id: string; readonly pid: number }): boolean {
  // A process id is used again: one that equals ours is alive only when we are its reader.
  if (pid === process.pid) return isOurRun(id)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
