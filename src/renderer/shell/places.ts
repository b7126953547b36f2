// Places: where a person can be, as one union, and its text in the URL hash. Pure: parse never throws, an unknown
// or damaged hash leads to the tasks. The hash is the only home of screen, task, filter, sort and scope, so that Back
// works and a place can be cited.

import { decodeWord, placeWords } from '../../base/link.ts'

/** Which tasks are listed. The same words as the contract's filter. */
export type TaskFilter = {
  readonly text: string
  readonly outcome: 'any' | 'always' | 'never' | 'sometimes' | 'not estimable'
  readonly lead: 'any' | 'with' | 'without'
  readonly annotated: 'any' | 'yes' | 'no'
  readonly severe: boolean
  readonly suite: string | null
}

/** How the tasks are ordered. The same words as the contract's TASK_SORTS. */
export type TaskSort = 'severe' | 'lowest' | 'task' | 'n' | 'rate' | 'cost' | 'lead'

/** Lenses on a task. */
export type Lens = 'lanes' | 'steps' | 'stats'

/** A place in the window. */
export type Place =
  | { readonly at: 'imports'; readonly importId: string | null }
  | {
      readonly at: 'tasks'
      readonly filter: TaskFilter
      readonly sort: TaskSort
      readonly descending: boolean
    }
  | {
      readonly at: 'task'
      readonly taskId: string
      readonly lens: Lens
      /** The trial that is read or that the step pair shows on the right. */
      readonly trial: string | null
      /** The trial pinned as reference; null: the consensus of the passing trials. */
      readonly reference: string | null
      /** The column whose step pair is open; null: none. */
      readonly column: number | null
      /** The step that is read in the steps lens. */
      readonly step: number | null
      readonly isAnnotating: boolean
    }
  /** `text` empty: nothing is searched for yet. */
  | { readonly at: 'search'; readonly text: string }
  | { readonly at: 'report'; readonly taskId: string | null; readonly isFiltered: boolean }
  /** `suite`: whose tools are shown; null: the first. */
  | { readonly at: 'rules'; readonly suite: string | null }
  | { readonly at: 'settings' }

/** A place and the scope it is looked at in: configuration ids, null for all. */
export type Address = { readonly place: Place; readonly scope: readonly string[] | null }

/** No filter. */
export const NO_FILTER: TaskFilter = {
  text: '',
  outcome: 'any',
  lead: 'any',
  annotated: 'any',
  severe: false,
  suite: null,
}

/** The tasks, unfiltered, in the default order. */
export const TASKS: Extract<Place, { at: 'tasks' }> = {
  at: 'tasks',
  filter: NO_FILTER,
  sort: 'severe',
  descending: false,
}

/** The place of one task, its lanes first; give what differs. */
export function taskPlace(
  taskId: string,
  more: Partial<Omit<Extract<Place, { at: 'task' }>, 'at' | 'taskId'>> = {},
): Extract<Place, { at: 'task' }> {
  return {
    at: 'task',
    taskId,
    lens: 'lanes',
    trial: null,
    reference: null,
    column: null,
    step: null,
    isAnnotating: false,
    ...more,
  }
}

/** Characters of a searched text that a place keeps. */
export const MOST_TEXT = 1000

type Params = { readonly [name: string]: string | null | undefined | false }

/**
 * The hash of an address, without `#`: `/tasks;outcome=sometimes;sort=lowest`. Parameters stand behind semicolons,
 * not behind `?`, because the router would move a query out of the hash. Defaults are left out.
 */
export function formatPlace({ place, scope }: Address): string {
  const inScope = { scope: scope === null ? null : scope.map(encode).join(',') }
  switch (place.at) {
    case 'imports':
      return write(['imports'], { run: encodeMaybe(place.importId), ...inScope })
    case 'tasks': {
      const { filter } = place
      return write(['tasks'], {
        text: filter.text === '' ? null : encode(filter.text),
        outcome: filter.outcome === 'any' ? null : encode(filter.outcome),
        lead: filter.lead === 'any' ? null : filter.lead,
        annotated: filter.annotated === 'any' ? null : filter.annotated,
        severe: filter.severe ? 'yes' : null,
        suite: encodeMaybe(filter.suite),
        sort: place.sort === 'severe' ? null : place.sort,
        desc: place.descending ? 'yes' : null,
        ...inScope,
      })
    }
    case 'task':
      return write(['task', place.taskId], {
        lens: place.lens === 'lanes' ? null : place.lens,
        trial: encodeMaybe(place.trial),
        reference: encodeMaybe(place.reference),
        column: place.column === null ? null : String(place.column),
        step: place.step === null ? null : String(place.step),
        annotate: place.isAnnotating ? 'yes' : null,
        ...inScope,
      })
    case 'search':
      return write(['search'], { text: place.text === '' ? null : encode(place.text), ...inScope })
    case 'report':
      return write(['report'], {
        task: encodeMaybe(place.taskId),
        filtered: place.isFiltered ? 'yes' : null,
        ...inScope,
      })
    case 'rules':
      return write(['rules'], { suite: encodeMaybe(place.suite), ...inScope })
    case 'settings':
      return write(['settings'], inScope)
  }
}

/** The address that a hash names; the tasks when it names none. Never throws. */
export function parsePlace(hash: string): Address {
  const { segments, params } = placeWords(hash)
  const [screen = '', ...names] = segments
  // Its commas separate, so it is read before it is decoded.
  const scopeText = /;scope=([^;]*)/.exec(hash)?.[1]
  const scope =
    scopeText === undefined
      ? null
      : scopeText
          .split(',')
          .filter((id) => id !== '')
          .map(decodeWord)
  return { place: parseScreen(screen, names, params), scope }
}

function parseScreen(
  screen: string,
  segments: readonly string[],
  params: ReadonlyMap<string, string>,
): Place {
  const text = (name: string): string | null => params.get(name) ?? null
  const isYes = (name: string): boolean => params.get(name) === 'yes'
  switch (screen) {
    case 'imports':
      return { at: 'imports', importId: text('run') }
    case 'task': {
      const taskId = segments[0]
      // No id is as long: such a hash was not made here.
      if (taskId === undefined || taskId === '' || taskId.length > 200) return TASKS
      return taskPlace(taskId, {
        lens: oneOf(params.get('lens'), ['lanes', 'steps', 'stats'], 'lanes'),
        trial: text('trial'),
        reference: text('reference'),
        column: integer(params.get('column')),
        step: integer(params.get('step')),
        isAnnotating: isYes('annotate'),
      })
    }
    case 'search':
      return { at: 'search', text: params.get('text')?.slice(0, MOST_TEXT) ?? '' }
    case 'report':
      return { at: 'report', taskId: text('task'), isFiltered: isYes('filtered') }
    case 'rules':
      return { at: 'rules', suite: text('suite') }
    case 'settings':
      return { at: 'settings' }
    default:
      return {
        at: 'tasks',
        filter: {
          text: params.get('text')?.slice(0, MOST_TEXT) ?? '',
          outcome: oneOf(
            params.get('outcome'),
            ['any', 'always', 'never', 'sometimes', 'not estimable'],
            'any',
          ),
          lead: oneOf(params.get('lead'), ['any', 'with', 'without'], 'any'),
          annotated: oneOf(params.get('annotated'), ['any', 'yes', 'no'], 'any'),
          severe: isYes('severe'),
          suite: text('suite'),
        },
        sort: oneOf(params.get('sort'), ['severe', 'lowest', 'task', 'n', 'rate', 'cost', 'lead'], 'severe'),
        descending: isYes('desc'),
      }
  }
}

function write(segments: readonly string[], params: Params): string {
  const parts = Object.entries(params).flatMap(([name, value]) =>
    typeof value === 'string' ? [`;${name}=${value}`] : [],
  )
  return `/${segments.map(encode).join('/')}${parts.join('')}`
}

/** Percent-encoding that also covers what this format uses itself; a lone surrogate becomes U+FFFD. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  )
}

function encodeMaybe(text: string | null): string | null {
  return text === null ? null : encode(text)
}

function oneOf<const T extends string>(value: string | undefined, allowed: readonly T[], otherwise: T): T {
  return allowed.find((word) => word === value) ?? otherwise
}

function integer(value: string | undefined): number | null {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : null
}
