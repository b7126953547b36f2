// Joins outcome rows to trials by equal names: the trial's own id, task and trial, task, file name, folder. Never by a
// part of a name, never across suites by a bare id, never to one of several, unless only one of them lies in the row's
// own folder. Pure: no database, no file.

import type { JoinRule } from '../../contract/outcomerows.ts'
import type { OutcomeRow } from '../importers/outcomes/row.ts'
import { folderOfPath, stemOfPath, trialOfPath } from '../importers/outcomes/names.ts'
import type { JoinableTrial } from '../store/attachments.ts'

/** How rows are joined beyond what the names say. */
export type JoinOptions = {
  /** The suite of rows that name none. */
  readonly suite: string | null
  /** Trials without a number of their source: in Faultline's order. */
  readonly byOrder: boolean
  /** What a configuration is called: its label and model, for rows that name one. */
  namesOf(configurationId: string): readonly (string | null)[]
}

/** A row and its trial. */
export type Joined = { readonly row: OutcomeRow; readonly trial: JoinableTrial; readonly rule: JoinRule }

/** A row without a trial, and why. */
export type Unjoined = { readonly row: OutcomeRow; readonly reason: string }

/** What came of it. */
export type Join = {
  readonly joined: readonly Joined[]
  readonly unjoined: readonly Unjoined[]
  /** Trials that no row names. */
  readonly trialsLeft: readonly JoinableTrial[]
  /** Suites between which rows could not choose. */
  readonly suites: readonly string[]
  /** Rows that `byOrder` would join. */
  readonly joinableByOrder: number
}

const TASK_WORD = /^(?:task|case|instance|issue|problem|question|scenario|sample|q)[-_. ]?(?=\d)/i

/** A task's number where its name is a word and a number: `task_18` and `18` are one. */
const numberOfTask = (task: string): string => task.replace(TASK_WORD, '')
/** The trial number of a trial's source: its own, else the one that its file's folder names (`run_2/task_7.jsonl`). */
function sourceNumber(trial: JoinableTrial): string | null {
  if (trial.sourceTrial !== null) return trial.sourceTrial
  const named = new Set(trial.files.map(trialOfPath))
  return named.size === 1 ? ([...named][0] ?? null) : null
}

/** Trial labels as compared: `03` is `3`. */
const trialKey = (trial: string): string => (/^\d+$/.test(trial) ? String(Number(trial)) : trial)

type Found = { readonly trials: readonly JoinableTrial[]; readonly rule: JoinRule }
type Answer =
  | { readonly is: 'joined'; readonly trial: JoinableTrial; readonly rule: JoinRule }
  | {
      readonly is: 'left'
      readonly reason: string
      readonly isOrder?: boolean
      /** Suites between which it could not choose. */
      readonly suites?: ReadonlySet<string>
    }

const left = (reason: string): Answer => ({ is: 'left', reason })

/** Joins all rows. */
export function joinRows(
  rows: readonly OutcomeRow[],
  trials: readonly JoinableTrial[],
  options: JoinOptions,
): Join {
  const finder = new Finder(trials, rows, options)
  const unjoined: Unjoined[] = []
  const byTrial = new Map<number, Joined[]>()
  let joinableByOrder = 0
  for (const row of rows) {
    const answer = finder.answer(row)
    if (answer.is === 'left') {
      unjoined.push({ row, reason: answer.reason })
      if (answer.isOrder === true) joinableByOrder += 1
      continue
    }
    const of = byTrial.get(answer.trial.seq) ?? []
    of.push({ row, trial: answer.trial, rule: answer.rule })
    byTrial.set(answer.trial.seq, of)
  }
  const joined: Joined[] = []
  for (const of of byTrial.values()) {
    const [first] = of
    if (first !== undefined && of.every(({ row }) => row.outcome === first.row.outcome)) joined.push(first)
    else
      for (const { row } of of) unjoined.push({ row, reason: 'rows contradict each other about one trial' })
  }
  return {
    joined,
    unjoined,
    trialsLeft: trials.filter(({ seq }) => !byTrial.has(seq)),
    suites: [...finder.suites].sort(),
    joinableByOrder,
  }
}

/** The trials by every name that a row may use. */
class Finder {
  readonly suites = new Set<string>()
  readonly #options: JoinOptions
  readonly #byId: Map<string, JoinableTrial[]>
  readonly #byTask: Map<string, JoinableTrial[]>
  readonly #byNumber: Map<string, JoinableTrial[]>
  readonly #byStem = new Map<string, JoinableTrial[]>()
  readonly #byFolder = new Map<string, JoinableTrial[]>()
  /** Trials that the rows of one file name for a task. */
  readonly #rowTrials = new Map<string, string[]>()

  constructor(trials: readonly JoinableTrial[], rows: readonly OutcomeRow[], options: JoinOptions) {
    this.#options = options
    const withId = trials.filter(({ sourceId }) => sourceId !== null)
    this.#byId = Map.groupBy(withId, ({ sourceId }) => sourceId as string)
    this.#byTask = Map.groupBy(trials, ({ task }) => task)
    this.#byNumber = Map.groupBy(trials, ({ task }) => numberOfTask(task))
    for (const trial of trials) {
      const folders = new Set<string>()
      const stems = new Set<string>()
      for (const file of trial.files) {
        stems.add(stemOfPath(file))
        for (let folder = folderOfPath(file); folder !== ''; folder = folderOfPath(folder))
          folders.add(folder)
      }
      for (const stem of stems) push(this.#byStem, stem, trial)
      for (const folder of folders) push(this.#byFolder, folder, trial)
    }
    for (const row of rows)
      if (row.task !== null && row.trial !== null) push(this.#rowTrials, rowKey(row), trialKey(row.trial))
  }

  answer(row: OutcomeRow): Answer {
    const found = this.#candidates(row)
    if (found === null) return left(this.#whyNothing(row))
    const suite = row.suite ?? this.#options.suite
    const trials = suite === null ? found.trials : found.trials.filter((trial) => trial.suite === suite)
    if (trials.length === 0) return left('its task is here only in another suite')
    const answer = this.#among(row, { trials, rule: found.rule })
    if (answer.is === 'joined') return answer
    // A report lies beside the trials that it speaks of: where others answer to its names too, those in its folder are meant.
    const near = trials.filter((trial) => isBeside(row.place.file, trial))
    if (near.length > 0 && near.length < trials.length) {
      const closer = this.#among(row, { trials: near, rule: found.rule })
      if (closer.is === 'joined') return { ...closer, rule: 'folder' }
    }
    if (answer.suites !== undefined) for (const one of answer.suites) this.suites.add(one)
    return answer
  }

  #among(row: OutcomeRow, found: Found): Answer {
    const suites = new Set(found.trials.map((trial) => trial.suite))
    if (suites.size > 1)
      return { is: 'left', reason: 'its task is in several suites: name the suite', suites }
    const trials = this.#ofConfiguration(row, found.trials)
    if (found.rule === 'id' || found.rule === 'folder') return only(trials, found.rule)
    return this.#byTrial(row, { trials, rule: found.rule })
  }

  #candidates(row: OutcomeRow): Found | null {
    const looks: readonly (readonly [JoinRule, readonly JoinableTrial[] | undefined])[] = [
      ['id', row.sourceId === null ? undefined : this.#byId.get(row.sourceId)],
      ['task', row.task === null ? undefined : this.#byTask.get(row.task)],
      ['task number', row.task === null ? undefined : this.#byNumber.get(numberOfTask(row.task))],
      ['file name', row.fileStem === null ? undefined : this.#byStem.get(row.fileStem)],
      ['file name', row.task === null ? undefined : this.#byStem.get(row.task)],
      ['folder', row.folder === null ? undefined : this.#byFolder.get(row.folder)],
    ]
    for (const [rule, trials] of looks) if (trials !== undefined) return { trials, rule }
    return null
  }

  #whyNothing(row: OutcomeRow): string {
    if (row.folder !== null) return 'no trial came from its folder'
    if (row.task !== null) return 'no trial of its task is here'
    return row.sourceId !== null ? 'no trial has its id' : 'no trial came from a file of its name'
  }

  /** Only trials of the configuration that the row names, when one of them is called so. */
  #ofConfiguration(row: OutcomeRow, trials: readonly JoinableTrial[]): readonly JoinableTrial[] {
    if (new Set(trials.map((trial) => trial.configurationId)).size < 2) return trials
    const { model, label } = row.configuration
    const named = trials.filter((trial) => {
      const names = this.#options.namesOf(trial.configurationId)
      return (model !== null && names.includes(model)) || (label !== null && names.includes(label))
    })
    return named.length > 0 ? named : trials
  }

  /** One of the trials of a task, by the row's trial. */
  #byTrial(row: OutcomeRow, found: Found): Answer {
    const { trials, rule } = found
    if (new Set(trials.map((trial) => trial.configurationId)).size > 1)
      return left('its task has trials of several configurations: choose one')
    if (row.trial === null) return only(trials, rule)
    const wanted = this.#rowTrials.get(rowKey(row)) ?? [trialKey(row.trial)]
    const numbered = trials.flatMap((trial) => {
      const number = sourceNumber(trial)
      return number === null ? [] : [{ trial, number: trialKey(number) }]
    })
    if (numbered.length === trials.length && !this.#isShifted(wanted, numbered)) {
      const match = numbered
        .filter(({ number }) => number === trialKey(row.trial as string))
        .map(({ trial }) => trial)
      if (match.length > 0) return only(match, rule === 'task' ? 'task and trial' : rule)
      return left('its task has no trial of this number')
    }
    // One trial, one row: there is nothing to confuse.
    if (trials.length === 1 && wanted.length === 1 && numbered.length === 0) return only(trials, rule)
    const order = [...new Set(wanted)].toSorted((a, b) => Number(a) - Number(b))
    const canOrder = order.length === trials.length && order.every((trial) => /^\d+$/.test(trial))
    if (!canOrder) return left('the trials of its task carry no such number')
    if (!this.#options.byOrder)
      return {
        is: 'left',
        reason: 'the trials of its task are numbered otherwise: join them in order if that is right',
        isOrder: true,
      }
    const place = order.indexOf(trialKey(row.trial))
    const trial = trials.toSorted(inOrder)[place]
    return trial === undefined
      ? left('its task has no trial of this number')
      : { is: 'joined', trial, rule: 'order' }
  }

  /** Numbers from 1 on one side and from 0 on the other: equal numbers are then not equal trials. */
  #isShifted(wanted: readonly string[], trials: readonly { readonly number: string }[]): boolean {
    const rows = new Set(wanted)
    const here = new Set(trials.map(({ number }) => number))
    return here.has('0') !== rows.has('0') && (rows.has(String(here.size)) || here.has(String(rows.size)))
  }
}

function only(trials: readonly JoinableTrial[], rule: JoinRule): Answer {
  const [trial] = trials
  if (trial !== undefined && trials.length === 1) return { is: 'joined', trial, rule }
  return left(
    rule === 'id'
      ? 'several trials have its id'
      : rule === 'folder'
        ? 'several trials came from its folder'
        : rule === 'file name'
          ? 'several trials came from files of its name'
          : 'its task has several trials, and it does not say which',
  )
}

/** Whether a trial came from the folder that a file lies in, or from one below it. Files at the top are beside nothing. */
function isBeside(file: string, trial: JoinableTrial): boolean {
  const folder = folderOfPath(file)
  return folder !== '' && trial.files.some((name) => name.startsWith(`${folder}/`))
}

const rowKey = (row: OutcomeRow): string => JSON.stringify([row.suite, row.task, row.configuration])

const inOrder = (a: JoinableTrial, b: JoinableTrial): number =>
  a.sourceTrial !== null &&
  b.sourceTrial !== null &&
  /^\d+$/.test(a.sourceTrial) &&
  /^\d+$/.test(b.sourceTrial)
    ? Number(a.sourceTrial) - Number(b.sourceTrial)
    : a.number - b.number

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [value])
  else known.push(value)
}
