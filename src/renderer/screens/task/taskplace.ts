// The task screen's own place: the part of the window's place that it reads and changes.

import type { Place } from '../../shell/places.ts'

/** A task's place: lens, trial, reference, column, step, annotation panel. */
export type TaskPlace = Extract<Place, { at: 'task' }>

/** Goes elsewhere within the task. `replace` keeps Back from stopping at it. */
export type GoInTask = (change: Partial<TaskPlace>, options?: { readonly replace?: boolean }) => void
