// Where a person was last on each screen, so that its link in the header leads back to the same filter and order,
// and the task table and the search to the same row. Lives as long as the window.

import { create } from 'zustand'
import { TASKS, type Place } from './places.ts'

type LastPlaces = {
  readonly tasks: Extract<Place, { at: 'tasks' }>
  /** The selected task in the table. */
  readonly taskId: string | null
  readonly search: Extract<Place, { at: 'search' }>
  /** The selected line of the search, by its key. */
  readonly hit: string | null
}

/** The last places. */
export const useLastPlaces = create<LastPlaces>()(() => ({
  tasks: TASKS,
  taskId: null,
  search: { at: 'search', text: '' },
  hit: null,
}))
