// The fault of a task that cannot be shown: not in scope, or not there.

import { Fault } from '../../base/fault.ts'
import type { ReadableDb } from '../store/connection.ts'
import { allTasks } from '../store/tasks.ts'

/** Says whether the task is out of scope or not in the workspace. */
export function noTask(db: ReadableDb, taskId: string): Fault {
  const exists = allTasks(db).some((task) => task.id === taskId)
  return exists
    ? new Fault('NOT_FOUND', 'No trial of this task is in scope.', {
        hint: 'Widen the scope to more configurations.',
      })
    : new Fault('NOT_FOUND', 'This task is not in the workspace.', {
        where: taskId,
        hint: 'Its trials may have been deleted, or another workspace is open.',
      })
}
