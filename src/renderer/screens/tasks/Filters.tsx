// The filters of the task table: selects and a search field, and a chip for each that is set.

import type { ReactElement, Ref } from 'react'
import { oneLine } from '../../../base/text.ts'
import { Button } from '../../kit/Button.tsx'
import { Chip } from '../../kit/Chip.tsx'
import { SearchField } from '../../kit/Field.tsx'
import { Select } from '../../kit/Select.tsx'
import { NO_FILTER, type TaskFilter, type TaskSort } from '../../shell/places.ts'
import { setFilters, SORT_TITLES } from './taskwords.ts'
import styles from './Tasks.module.css'

const ANY_SUITE = ''

/** The row of controls. */
export function FilterRow({
  filter,
  sort,
  suites,
  searchRef,
  onFilter,
  onSort,
}: {
  readonly filter: TaskFilter
  readonly sort: TaskSort
  readonly suites: readonly string[]
  readonly searchRef: Ref<HTMLInputElement>
  readonly onFilter: (change: Partial<TaskFilter>) => void
  readonly onSort: (sort: TaskSort) => void
}): ReactElement {
  return (
    <div className={styles.controls}>
      {suites.length > 1 ? (
        <Select
          label="Suite"
          value={filter.suite ?? ANY_SUITE}
          onChange={(suite) => onFilter({ suite: suite === ANY_SUITE ? null : suite })}
          options={[
            { id: ANY_SUITE, title: 'any' },
            ...suites.map((suite) => ({ id: suite, title: oneLine(suite, 40) })),
          ]}
        />
      ) : null}
      <Select
        label="Lead"
        value={filter.lead}
        onChange={(lead) => onFilter({ lead })}
        options={[
          { id: 'any', title: 'any' },
          { id: 'with', title: 'with a lead' },
          { id: 'without', title: 'without a lead' },
        ]}
      />
      <Select
        label="Annotated"
        value={filter.annotated}
        onChange={(annotated) => onFilter({ annotated })}
        options={[
          { id: 'any', title: 'any' },
          { id: 'yes', title: 'yes' },
          { id: 'no', title: 'not yet' },
        ]}
      />
      <Select
        label="Order"
        value={sort}
        onChange={onSort}
        options={(Object.keys(SORT_TITLES) as TaskSort[]).map((id) => ({ id, title: SORT_TITLES[id] }))}
      />
      <SearchField
        label="Filter tasks by text"
        placeholder="Filter by text  /"
        value={filter.text}
        inputRef={searchRef}
        onChange={(text) => onFilter({ text: text.slice(0, 1000) })}
      />
    </div>
  )
}

/** What is set, removable one by one; nothing when nothing is set. */
export function FilterChips({
  filter,
  total,
  ofTasks,
  onFilter,
}: {
  readonly filter: TaskFilter
  readonly total: number
  readonly ofTasks: number
  readonly onFilter: (change: Partial<TaskFilter>) => void
}): ReactElement | null {
  const set = setFilters(filter)
  if (set.length === 0) return null
  return (
    <div className={styles.chips} role="group" aria-label="Filters that are set">
      <span className="muted">
        {total.toLocaleString('en-US')} of {ofTasks.toLocaleString('en-US')}
      </span>
      {set.map((one) => (
        <Chip key={one.id} name={`filter ${one.words}`} onRemove={() => onFilter(one.without)}>
          {one.words}
        </Chip>
      ))}
      <Button variant="quiet" size="small" onPress={() => onFilter(NO_FILTER)}>
        Clear filters
      </Button>
    </div>
  )
}
