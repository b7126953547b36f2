// Rows of the search over steps: in which trials and steps a text stands. JSON-plain and bounded.

import * as v from 'valibot'
import { plural } from '../base/text.ts'
import type { Outcome } from '../model/outcome.ts'
import type { StepKind, StepRole } from '../model/trial.ts'
import { count, id } from './inputs.ts'

/** What is searched for, and how much of it is wanted now; without the view. */
export const searchSchema = {
  /** One phrase, as written; case and the width of blanks do not matter. */
  text: v.pipe(v.string(), v.maxLength(4_000_000)),
  /** Only this task; null: all. */
  taskId: v.optional(v.nullable(id), null),
  /** Only tasks of this suite; null: of every suite. */
  suite: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1000))), null),
  /** `next` of the answer before; null: from the beginning. */
  cursor: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1000))), null),
  /** Rows at most. */
  limit: v.optional(v.pipe(count, v.minValue(1), v.maxValue(500)), 50),
  /** Steps that are shown of one trial. */
  stepsPerTrial: v.optional(v.pipe(count, v.minValue(1), v.maxValue(200)), 5),
  /** It answers with what there is after this time, in milliseconds. */
  waitMs: v.optional(v.pipe(count, v.maxValue(30_000)), 1000),
}

/** A piece of a text on one line, safe to show; the match is `start` to `end` of it, in characters. */
export type Snippet = { readonly text: string; readonly start: number; readonly end: number }

/** What the text is in its step; `instruction`: what the task asks for. */
export type SearchPart = 'text' | 'content' | 'tool' | 'arguments' | 'error' | 'state' | 'instruction'

/** A step that holds the text. Its first place counts. */
export type SearchStep = {
  /** Index of the step; null: what broke the trial, or the task's instruction. */
  readonly step: number | null
  /** Index of the step under which it is read: a result is read with its call. */
  readonly readAt: number | null
  readonly role: StepRole | null
  readonly kind: StepKind | null
  /** Name of the tool that is called or that answers. */
  readonly tool: string | null
  readonly part: SearchPart
  readonly snippet: Snippet
}

/** A trial in which the text stands; `trial` null: the instruction of the task. */
export type SearchRow = {
  readonly taskId: string
  readonly suite: string
  readonly task: string
  readonly trial: {
    readonly trialId: string
    readonly configurationId: string
    /** The configuration's label. */
    readonly configuration: string
    readonly number: number
    readonly outcome: Outcome
  } | null
  /** The first ones. */
  readonly steps: readonly SearchStep[]
  /** All steps of the trial that hold the text. */
  readonly stepsTotal: number
}

/** What a search has found so far, by suite, task, configuration and number. */
export type SearchAnswer = {
  readonly rows: readonly SearchRow[]
  /** Where to go on; null: everything was searched and every row is here. */
  readonly next: string | null
  /** Found since the cursor, rows beyond the limit included. At least as many when `isWhole` is false. */
  readonly found: {
    /** Steps of trials, and what broke a trial. */
    readonly steps: number
    readonly trials: number
    /** Trials among them that passed. */
    readonly passing: number
    /** Tasks whose instruction holds the text. */
    readonly instructions: number
    /** Tasks among which the trials and instructions are. */
    readonly tasks: number
  }
  /** Everything from the cursor on was searched. */
  readonly isWhole: boolean
  /** Trials in scope that are done with, those before the cursor included. */
  readonly searched: number
  /** Trials in scope. */
  readonly total: number
  /** Trials whose stored steps are damaged: they could not be searched. */
  readonly unreadable: number
}

/**
 * What the answers to one question found together, each but the first asked from the `next` of the one before. The last
 * one counts what lies behind its rows; of the others the rows are all there is.
 */
export function foundTogether(answers: readonly SearchAnswer[]): SearchAnswer['found'] {
  const sum = { steps: 0, trials: 0, passing: 0, instructions: 0, tasks: 0 }
  let lastTask: string | null = null
  for (const [i, { rows, found }] of answers.entries()) {
    const own = i === answers.length - 1 ? found : foundInRows(rows)
    sum.steps += own.steps
    sum.trials += own.trials
    sum.passing += own.passing
    sum.instructions += own.instructions
    // The answers follow each other in the order of tasks.
    sum.tasks += own.tasks - (rows[0] !== undefined && rows[0].taskId === lastTask ? 1 : 0)
    lastTask = rows.at(-1)?.taskId ?? lastTask
  }
  return sum
}

function foundInRows(rows: readonly SearchRow[]): SearchAnswer['found'] {
  const inTrials = rows.filter(({ trial }) => trial !== null)
  return {
    steps: inTrials.reduce((sum, { stepsTotal }) => sum + stepsTotal, 0),
    trials: inTrials.length,
    passing: inTrials.filter(({ trial }) => trial?.outcome === 'pass').length,
    instructions: rows.length - inTrials.length,
    tasks: new Set(rows.map(({ taskId }) => taskId)).size,
  }
}

/** How much was found, in words: `37 steps in 12 trials of 5 tasks; 3 of the trials passed`. */
export function foundWords(found: SearchAnswer['found'], isWhole: boolean): string {
  const { steps, trials, passing, instructions, tasks } = found
  if (trials + instructions === 0) return isWhole ? 'Nothing found' : 'Nothing found yet'
  const inSteps =
    trials === 0 ? [] : [`${plural(steps, 'step')} in ${plural(trials, 'trial')} of ${plural(tasks, 'task')}`]
  const asked = instructions === 0 ? [] : [`the instruction of ${plural(instructions, 'task')}`]
  const passed = trials === 0 ? '' : `; ${passing.toLocaleString('en-US')} of the trials passed`
  return `${isWhole ? '' : 'At least '}${[...inSteps, ...asked].join(' and ')}${passed}`
}

/** What a step is, in words: `assistant`, `get_order call`, `get_order result`. */
export function stepWords({ step, role, kind, tool, part }: SearchStep): string {
  if (step === null) return part === 'instruction' ? 'instruction' : 'error of the trial'
  const what =
    kind === 'tool_result' || role === 'tool'
      ? `${tool ?? 'tool'} result`
      : part === 'arguments' || part === 'tool'
        ? `${tool ?? 'tool'} call`
        : (role ?? '')
  return part === 'error' ? `${what} error` : what
}
