// Tasks: the overview. Which tasks are flaky, how sure that is, where their failing trials part. A virtual grid over
// pages from the core; filter, order and scope stand in the URL hash.

import { useCallback, useRef, useState, type ReactElement } from 'react'
import type { TaskRow } from '../../../contract/rows.ts'
import { useSettings } from '../../bridge/desktop.ts'
import { usePages } from '../../bridge/pages.ts'
import { useCancel } from '../../bridge/queries.ts'
import { Button } from '../../kit/Button.tsx'
import { EmptyIcon, ImportIcon, NoMatchIcon } from '../../kit/icons.ts'
import { Grid, type GridHandle } from '../../kit/Grid.tsx'
import { Splitter } from '../../kit/Splitter.tsx'
import { EmptyState, ErrorState, Loading } from '../../kit/States.tsx'
import { chooseAndImport } from '../../shell/actions.ts'
import { useLastPlaces } from '../../shell/lastplaces.ts'
import { NO_FILTER, taskPlace, type Place, type TaskFilter, type TaskSort } from '../../shell/places.ts'
import { Region } from '../../shell/Region.tsx'
import { ROW_HEIGHTS, useNarrow } from '../../shell/theme.ts'
import { useCommands } from '../../shell/usecommands.ts'
import { usePlace, useView } from '../../shell/useplace.ts'
import { FilterChips, FilterRow } from './Filters.tsx'
import { Peek } from './Peek.tsx'
import { Phrases, SuiteLine } from './Summary.tsx'
import { taskColumns } from './taskcolumns.tsx'
import { NATURAL, nextSort, rowLabel, setFilters } from './taskwords.ts'
import styles from './Tasks.module.css'

/** The Tasks screen. */
export function TasksScreen({ place }: { readonly place: Extract<Place, { at: 'tasks' }> }): ReactElement {
  const { filter, sort, descending } = place
  const { go, scope, setScope } = usePlace()
  const view = useView()
  const settings = useSettings()
  const density = settings?.density ?? 'normal'
  const searchRef = useRef<HTMLInputElement>(null)
  const grid = useRef<GridHandle>(null)
  const isNarrow = useNarrow()
  const [isPeeking, setPeeking] = useState(false)
  const selectedId = useLastPlaces((state) => state.taskId)

  const inputOf = useCallback(
    (offset: number, limit: number) => ({ view, filter, sort, descending, offset, limit }),
    [view, filter, sort, descending],
  )
  const { first, total, rowAt, indexOf, onRange } = usePages('tasks.list', inputOf, (answer) => answer)
  const summary = first.data?.summary
  const cancel = useCancel('tasks.list')

  const setFilter = (change: Partial<TaskFilter>): void =>
    go({ ...place, filter: { ...filter, ...change } }, { replace: true })
  const setSort = (next: TaskSort, turned = false): void =>
    go({ ...place, sort: next, descending: turned }, { replace: true })
  const sortFromHead = (next: TaskSort): void => setSort(next, next === sort ? !descending : false)

  useCommands({
    'tasks.search': () => searchRef.current?.focus(),
    'edit.find': () => searchRef.current?.focus(),
    'tasks.cycleSort': () => setSort(nextSort(sort)),
  })

  const natural = NATURAL[sort]
  const turned = natural === 'ascending' ? 'descending' : 'ascending'
  const hasCosts = summary?.costTotal !== null && summary?.costTotal !== undefined
  const columns = taskColumns({
    sort,
    direction: descending ? turned : natural,
    onSort: sortFromHead,
    hasSuites: (summary?.suites.length ?? 0) > 1,
    hasCosts,
    isComfortable: density === 'comfortable',
  })

  // The selection is a task, not a position: it survives another order and a refresh.
  const selected = selectedId === null ? null : indexOf((row) => row.taskId === selectedId)
  const peeked = isPeeking && selected !== null ? rowAt(selected) : undefined
  const select = (row: TaskRow | undefined): void => {
    if (row !== undefined) useLastPlaces.setState({ taskId: row.taskId })
  }
  const open = (row: TaskRow): void => {
    select(row)
    go(taskPlace(row.taskId))
  }

  const isEmpty = summary !== undefined && summary.tasks === 0
  const table =
    total === 0 ? (
      <EmptyState
        icon={NoMatchIcon}
        title={
          <>
            No task matches{' '}
            <em>
              {setFilters(filter)
                .map(({ words }) => words)
                .join(', ')}
            </em>
          </>
        }
        actions={<Button onPress={() => setFilter(NO_FILTER)}>Clear filters</Button>}
      />
    ) : (
      <Grid
        label="Tasks"
        handle={grid}
        columns={columns}
        count={total}
        rowAt={rowAt}
        rowKey={(row) => row.taskId}
        rowHeight={ROW_HEIGHTS[density]}
        rowLabel={rowLabel}
        selected={selected}
        onSelect={(index) => select(rowAt(index))}
        onOpen={open}
        onPeek={(row) => {
          setPeeking((now) => !(now && selectedId === row.taskId))
          select(row)
        }}
        onRange={onRange}
        minWidth={hasCosts ? 984 : 844}
      />
    )

  return (
    <Region label="Tasks" context="tasks" className={styles.screen}>
      {isEmpty ? (
        <>
          <div className={styles.top}>
            <h1>Tasks</h1>
          </div>
          {scope !== null && summary.configurationsTotal > 0 ? (
            <EmptyState
              icon={NoMatchIcon}
              title="No trial in this scope"
              actions={<Button onPress={() => setScope(null)}>All configurations</Button>}
            >
              The chosen configurations have no trials here any more.
            </EmptyState>
          ) : (
            <EmptyState
              icon={EmptyIcon}
              title="No trials yet"
              actions={
                <Button variant="primary" icon={ImportIcon} onPress={() => void chooseAndImport(false, go)}>
                  Import…
                </Button>
              }
            >
              Import files to begin.
            </EmptyState>
          )}
        </>
      ) : (
        <>
          <div className={styles.top}>
            <div className={styles.titleRow}>
              <h1>Tasks</h1>
              {summary === undefined ? null : (
                <Phrases summary={summary} filter={filter} onFilter={setFilter} />
              )}
            </div>
            {summary === undefined ? null : <SuiteLine summary={summary} />}
            <FilterRow
              filter={filter}
              sort={sort}
              suites={summary?.suites ?? []}
              searchRef={searchRef}
              onFilter={setFilter}
              onSort={setSort}
            />
            <FilterChips filter={filter} total={total} ofTasks={summary?.tasks ?? 0} onFilter={setFilter} />
          </div>
          <div className={styles.refresh} data-on={first.isFetching && first.data !== undefined} />
          {first.fault !== null && first.data === undefined ? (
            <ErrorState
              fault={first.fault}
              title="The tasks cannot be listed"
              actions={<Button onPress={() => void first.refetch()}>Try again</Button>}
            />
          ) : first.data === undefined && first.fetchStatus === 'idle' ? (
            <EmptyState
              icon={EmptyIcon}
              title="Counting was cancelled"
              actions={<Button onPress={() => void first.refetch()}>Count again</Button>}
            />
          ) : first.data === undefined ? (
            <Loading what="Counting the trials…" rows={14} onCancel={cancel} />
          ) : (
            <Splitter
              label="Size of the table"
              direction={isNarrow ? 'vertical' : 'horizontal'}
              first={{ id: 'table', content: <div className={styles.table}>{table}</div>, min: 40 }}
              second={
                peeked === undefined
                  ? null
                  : {
                      id: 'peek',
                      content: <Peek row={peeked} onClose={() => setPeeking(false)} />,
                      size: isNarrow ? 45 : 28,
                      min: 20,
                    }
              }
            />
          )}
        </>
      )}
    </Region>
  )
}
