// One search over the steps of trials: the index chooses trials, each of them is read, what stands there is told. Bounded
// in time; looks up between trials, so that a thread that runs it hears a cancel. Reads only.

import { setImmediate } from 'node:timers/promises'
import { findInTrial, snippetOf, type Found } from '../../analysis/search/find.ts'
import { fold } from '../../analysis/search/fold.ts'
import { phraseOf, type Phrase } from '../../analysis/search/query.ts'
import { Fault } from '../../base/fault.ts'
import type { SearchAnswer, SearchRow, SearchStep } from '../../contract/searchrows.ts'
import type { Step, TrialError } from '../../model/trial.ts'
import { unpack, type Packed } from '../store/blobs.ts'
import { allConfigurations } from '../store/configurations.ts'
import type { ReadableDb } from '../store/connection.ts'
import {
  chosenByWords,
  indexedTrials,
  searchableTrials,
  vocabulary,
  type SearchableTrial,
  type Vocabulary,
} from '../store/searchindex.ts'
import { allTasks, taskById } from '../store/tasks.ts'
import { loadTrial } from '../store/trials.ts'
import { configurationLabels } from './labels.ts'
import { readingList } from './steps.ts'
import { compareTasks } from './taskorder.ts'

/** What is asked; the contract's input with its defaults. */
export type SearchAsk = {
  readonly text: string
  readonly configurations: readonly string[] | null
  readonly taskId: string | null
  readonly suite: string | null
  readonly cursor: string | null
  readonly limit: number
  readonly stepsPerTrial: number
  readonly waitMs: number
}

/** What one search may leave for the next one. */
export type SearchMemory = { vocabulary: Vocabulary | null }

/** Others get a turn after this long. */
const TURN_MS = 12

/** A place in the order of the search: a trial, or the instruction of a task before its first trial (`trial` null). */
type Item = { readonly taskId: string; readonly trial: SearchableTrial | null; readonly isChosen: boolean }

/** The phrase that a text is; throws INVALID_INPUT when there is nothing to look for. */
export function searchedPhrase(text: string): Phrase {
  const phrase = phraseOf(text)
  if (phrase !== null) return phrase
  throw new Fault('INVALID_INPUT', 'There is nothing to search for: the text is blank.', {
    where: 'text',
    hint: 'Write a word, a tool’s name or a piece of a message.',
  })
}

/** The two characters beyond ASCII that fold to a letter of it: İ and the Kelvin sign. */
const NEARLY_ASCII = ['\u0130', '\u212a'].map((sign) => Buffer.from(sign))

/** A trial's JSON folded, for `mayStandIn`: of a phrase in ASCII its ASCII is enough, which takes a tenth of the time. */
export function foldedFor(phrase: Phrase, json: Buffer): string {
  if (!phrase.isAscii || NEARLY_ASCII.some((sign) => json.includes(sign))) return fold(json.toString('utf8'))
  return json.toString('latin1').toLowerCase()
}

/** Searches from the cursor on until `limit` rows are there and everything is counted, or the time is over. */
export async function searchSteps(
  db: ReadableDb,
  ask: SearchAsk,
  signal: AbortSignal,
  memory: SearchMemory,
): Promise<SearchAnswer> {
  const started = performance.now()
  const phrase = searchedPhrase(ask.text)
  const { items, total } = db.read(() => itemsOf(db, ask, phrase, memory))
  const teller = makeTeller(db, phrase, ask.stepsPerTrial)
  const first = startOf(ask.cursor, items)
  const rows: SearchRow[] = []
  const found = { steps: 0, trials: 0, passing: 0, instructions: 0, tasks: 0 }
  let unreadable = 0
  let lastTask: string | null = null
  let full: string | null = null
  let turned = started
  let at = first
  for (; at < items.length; at += 1) {
    const now = performance.now()
    // One at least: whoever goes on gets on.
    if (now - started >= ask.waitMs && at > first) break
    if (now - turned >= TURN_MS) {
      await setImmediate()
      if (signal.aborted) throw new Fault('CANCELLED', 'Cancelled.')
      turned = performance.now()
    }
    const item = items[at]
    if (item === undefined || !item.isChosen) continue
    const isShown = rows.length < ask.limit
    const told = teller.tell(item, isShown)
    if (told === 'damaged') unreadable += 1
    if (told === null || told === 'damaged') continue
    if (isShown && told.row !== null) rows.push(told.row)
    else full ??= cursorOf(items, at - 1)
    if (item.trial === null) found.instructions += 1
    else {
      found.steps += told.steps
      found.trials += 1
      if (item.trial.outcome === 'pass') found.passing += 1
    }
    found.tasks += item.taskId === lastTask ? 0 : 1
    lastTask = item.taskId
  }
  const isWhole = at >= items.length
  const searched = items.slice(0, at).filter(({ trial }) => trial !== null).length
  return {
    rows,
    next: full ?? (isWhole ? null : cursorOf(items, at - 1)),
    found,
    isWhole,
    searched,
    total,
    unreadable,
  }
}

function itemsOf(
  db: ReadableDb,
  ask: SearchAsk,
  phrase: Phrase,
  memory: SearchMemory,
): { readonly items: readonly Item[]; readonly total: number } {
  const trials = searchableTrials(db, ask)
  memory.vocabulary = vocabulary(db, memory.vocabulary)
  const chosen = chosenByWords(db, phrase.words, memory.vocabulary)
  const indexed = chosen === null ? null : indexedTrials(db)
  const byTask = Map.groupBy(trials, ({ taskId }) => taskId)
  const tasks = allTasks(db)
    .map(({ id, suite, task }) => ({ taskId: id, suite, task }))
    .filter(({ taskId }) => byTask.has(taskId))
    .toSorted(compareTasks)
  const items = tasks.flatMap(({ taskId }): Item[] => [
    { taskId, trial: null, isChosen: true },
    ...(byTask.get(taskId) ?? []).map((trial) => {
      const isChosen = chosen === null || chosen.has(trial.seq) || indexed?.has(trial.seq) !== true
      return { taskId, trial, isChosen }
    }),
  ])
  return { items, total: trials.length }
}

/** Names the item after which to go on: by what it is, and by its position should it be gone. */
function cursorOf(items: readonly Item[], at: number): string {
  const item = items[at]
  return JSON.stringify([item?.taskId ?? '', item?.trial?.trialId ?? null, at])
}

function startOf(cursor: string | null, items: readonly Item[]): number {
  if (cursor === null) return 0
  let words: unknown = null
  try {
    words = JSON.parse(cursor)
  } catch {
    // No cursor of ours: told below.
  }
  if (!Array.isArray(words) || typeof words[2] !== 'number')
    throw new Fault('INVALID_INPUT', 'This is not where a search stopped.', {
      where: 'cursor',
      hint: 'Search again from the beginning.',
    })
  const [taskId, trialId, position] = words as [unknown, unknown, number]
  const isIt = (item: Item | undefined): boolean =>
    item?.taskId === taskId && (item?.trial?.trialId ?? null) === trialId
  const found = isIt(items[position]) ? position : items.findIndex(isIt)
  return (found < 0 ? position : found) + 1
}

type Told = { readonly row: SearchRow | null; readonly steps: number }

/** Tells what stands in an item: null for nothing. */
function makeTeller(
  db: ReadableDb,
  phrase: Phrase,
  stepsPerTrial: number,
): { tell(item: Item, isShown: boolean): Told | 'damaged' | null } {
  const tasks = new Map(allTasks(db).map((task) => [task.id, task]))
  const labels = configurationLabels(allConfigurations(db))
  const rowOf = (taskId: string, more: Pick<SearchRow, 'trial' | 'steps' | 'stepsTotal'>): SearchRow => {
    const task = tasks.get(taskId)
    return { taskId, suite: task?.suite ?? '', task: task?.task ?? '', ...more }
  }

  const instruction = (taskId: string, isShown: boolean): Told | null => {
    const input = taskById(db, taskId)?.input ?? null
    const match = input === null ? null : phrase.find(fold(input))
    if (input === null || match === null) return null
    const step: SearchStep = { ...NOWHERE, part: 'instruction', snippet: snippetOf(input, match) }
    const row = isShown ? rowOf(taskId, { trial: null, steps: [step], stepsTotal: 1 }) : null
    return { row, steps: 1 }
  }

  const trial = (of: SearchableTrial, isShown: boolean): Told | 'damaged' | null => {
    const stored = db.get<Packed & { readonly error: string | null }>(
      'SELECT bytes, body, error FROM trial_blobs JOIN trials ON seq = trial_seq WHERE trial_seq = ?',
      of.seq,
    )
    // Erased since the items were listed.
    if (stored === undefined) return null
    let hits: ReturnType<typeof findInTrial>
    try {
      const json = unpack(stored)
      const error = stored.error === null ? null : (JSON.parse(stored.error) as TrialError)
      const mayStand = phrase.mayStandIn(foldedFor(phrase, json))
      if (!mayStand && error === null) return null
      const { steps } = mayStand
        ? (JSON.parse(json.toString('utf8')) as { readonly steps: readonly Step[] })
        : { steps: [] }
      hits = findInTrial(phrase, steps, error, isShown ? stepsPerTrial : 0)
    } catch {
      return 'damaged'
    }
    if (hits.total === 0) return null
    if (!isShown) return { row: null, steps: hits.total }
    const { trialId, configurationId, number, outcome } = of
    const configuration = labels.get(configurationId) ?? configurationId
    const row = rowOf(of.taskId, {
      trial: { trialId, configurationId, configuration, number, outcome },
      steps: stepsOf(db, trialId, hits.found),
      stepsTotal: hits.total,
    })
    return { row, steps: hits.total }
  }

  return {
    tell: (item, isShown) =>
      item.trial === null ? instruction(item.taskId, isShown) : trial(item.trial, isShown),
  }
}

const NOWHERE = { step: null, readAt: null, role: null, kind: null, tool: null } as const

/** The steps as they are told, each with the place where it is read. */
function stepsOf(db: ReadableDb, trialId: string, found: readonly Found[]): readonly SearchStep[] {
  const isAnswer = ({ step }: Found): boolean => step?.role === 'tool' || step?.kind === 'tool_result'
  const readAt = new Map<number, { readonly at: number; readonly tool: string | null }>()
  if (found.some(isAnswer))
    for (const { step, call, result } of readingList(loadTrial(db, trialId)))
      if (result !== null)
        readAt.set(result.index, {
          at: step.index,
          tool: call === null ? null : (step.calls?.[call]?.name ?? null),
        })
  return found.map(({ step, part, call, snippet }) => {
    if (step === null) return { ...NOWHERE, part, snippet }
    const place = readAt.get(step.index)
    const called = call === null ? null : (step.calls?.[call]?.name ?? null)
    return {
      step: step.index,
      readAt: place?.at ?? step.index,
      role: step.role,
      kind: step.kind,
      tool: called ?? step.toolName ?? place?.tool ?? null,
      part,
      snippet,
    }
  })
}
