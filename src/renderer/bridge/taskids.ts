// The ids of all tasks that a filter leaves, in their order: what a report of "the filtered tasks" needs. Asked in
// pages of a thousand; old as soon as the task table is.

import { useQuery } from '@tanstack/react-query'
import type { Fault } from '../../base/fault.ts'
import { ask, type Ask } from './client.ts'

/** The filter and order of a task table, without its page. */
export type TaskQuestion = Omit<Ask<'tasks.list'>, 'offset' | 'limit'>

const PAGE = 1000

/** All ids; undefined while they are being gathered or when `input` is null. */
export function useTaskIds(input: TaskQuestion | null): {
  readonly ids: readonly string[] | undefined
  readonly fault: Fault | null
} {
  const { data, error } = useQuery<readonly string[], Fault>({
    // The method comes first, as in every key: `changed` events then reach this answer, too.
    queryKey: ['tasks.list', { ids: input }],
    enabled: input !== null,
    queryFn: async ({ signal }) => {
      const ids: string[] = []
      for (;;) {
        const { rows, total } = await ask(
          'tasks.list',
          { ...input, offset: ids.length, limit: PAGE },
          { signal },
        )
        for (const row of rows) ids.push(row.taskId)
        if (rows.length === 0 || ids.length >= total) return ids
      }
    },
  })
  return { ids: data, fault: error }
}
