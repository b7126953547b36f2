// Order and filter of the task table. Pure: rows in, rows out; ties are broken by suite and task, so that the same
// workspace always gives the same table.

import type { Parsed } from '../../contract/contract.ts'
import type { TaskRow } from '../../contract/rows.ts'

type Filter = Parsed<'tasks.list'>['filter']
type Sort = Parsed<'tasks.list'>['sort']

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The order of tasks by suite and name, numbers in it by their value. */
export function compareTasks(
  a: Pick<TaskRow, 'suite' | 'task' | 'taskId'>,
  b: Pick<TaskRow, 'suite' | 'task' | 'taskId'>,
): number {
  return (
    collator.compare(a.suite, b.suite) || collator.compare(a.task, b.task) || (a.taskId < b.taskId ? -1 : 1)
  )
}

/** Rows that meet every condition of the filter. Text is looked for in task id, suite and title, case folded. */
export function filterTasks(rows: readonly TaskRow[], filter: Filter): readonly TaskRow[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter((row) => {
    const { n, passes } = row.rate
    if (filter.outcome === 'not estimable' && n > 0) return false
    if (filter.outcome === 'always' && !(n > 0 && passes === n)) return false
    if (filter.outcome === 'never' && !(n > 0 && passes === 0)) return false
    if (filter.outcome === 'sometimes' && !(passes > 0 && passes < n)) return false
    if (filter.lead !== 'any' && (row.lead.state === 'lead') !== (filter.lead === 'with')) return false
    if (filter.annotated !== 'any' && row.annotated > 0 !== (filter.annotated === 'yes')) return false
    if (filter.severe && row.severeTrials === 0) return false
    if (filter.suite !== null && row.suite !== filter.suite) return false
    if (words.length === 0) return true
    const text = `${row.suite} ${row.task} ${row.title ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** What each order compares: the natural direction of a reader who looks for trouble. Smaller comes first. */
const KEYS: Readonly<Record<Exclude<Sort, 'task'>, (row: TaskRow) => readonly number[]>> = {
  severe: (row) => [-row.severeTrials, row.rate.wilson?.[0] ?? 2],
  lowest: (row) => [row.rate.wilson?.[0] ?? 2],
  n: (row) => [-row.rate.n],
  rate: (row) => [row.rate.rate.ok ? row.rate.rate.value : 2, row.rate.wilson?.[0] ?? 2],
  cost: (row) => [-(row.costWorst ?? -1)],
  lead: (row) => [row.lead.state === 'lead' ? 0 : 1, -(row.lead.probability ?? 0)],
}

/** The rows in order. `descending` turns the order's own direction round; ties keep suite and task order. */
export function sortTasks(rows: readonly TaskRow[], sort: Sort, descending: boolean): readonly TaskRow[] {
  const sign = descending ? -1 : 1
  if (sort === 'task') return rows.toSorted((a, b) => sign * compareTasks(a, b))
  const keyed = rows.map((row) => ({ row, key: KEYS[sort](row) }))
  keyed.sort((a, b) => {
    for (const [i, value] of a.key.entries()) {
      const difference = value - (b.key[i] ?? 0)
      if (difference !== 0) return sign * difference
    }
    return compareTasks(a.row, b.row)
  })
  return keyed.map(({ row }) => row)
}
