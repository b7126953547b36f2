// Queries about tasks. A task is there as long as a trial of it counts or is in conflict; a task whose trials are
// all deleted is not listed.

import type { ReadableDb } from './connection.ts'

/** One task. */
export type TaskRecord = {
  readonly id: string
  readonly suite: string
  readonly task: string
  readonly title: string | null
}

/** Tasks with at least one trial that is not deleted, ordered by suite and task. */
export function allTasks(db: ReadableDb): readonly TaskRecord[] {
  return db.all<TaskRecord>(
    `SELECT id, suite, task, title FROM tasks
     WHERE EXISTS (SELECT 1 FROM trials WHERE task_id = tasks.id AND deleted_at IS NULL)
     ORDER BY suite, task`,
  )
}

/** One task with its instruction; null when there is none, or all its trials are deleted. */
export function taskById(
  db: ReadableDb,
  taskId: string,
): (TaskRecord & { readonly input: string | null }) | null {
  return (
    db.get<TaskRecord & { input: string | null }>(
      `SELECT id, suite, task, title, input FROM tasks
       WHERE id = ? AND EXISTS (SELECT 1 FROM trials WHERE task_id = tasks.id AND deleted_at IS NULL)`,
      taskId,
    ) ?? null
  )
}

/** How many tasks have a trial that is not deleted. */
export function countTasks(db: ReadableDb): number {
  return db.value<number>('SELECT count(DISTINCT task_id) FROM trials WHERE deleted_at IS NULL')
}
