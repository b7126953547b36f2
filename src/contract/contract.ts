// The contract: everything that may be asked of the core, in one object. The window, the CLI and the tests ask
// the same entries. Inputs are schemas checked once at the core's door; outputs are types.

import * as v from 'valibot'
import type { JsonObject } from '../base/json.ts'
import { annotationDraftSchema, type Annotation } from '../model/annotation.ts'
import type { Taxonomy } from '../model/taxonomy.ts'
import {
  compareSchema,
  confidence,
  exposure,
  planSchema,
  type CompareView,
  type PlanView,
} from './comparerows.ts'
import { command, query, type Entry } from './define.ts'
import { importEntries } from './imports.ts'
import { count, id, none, page, policySchema, viewSchema } from './inputs.ts'
import { fileSchema } from './outcomerows.ts'
import { outcomeEntries } from './outcomes.ts'
import { ruleEntries } from './rules.ts'
import type { StepView, TaskList, TaskView } from './rows.ts'
import { searchSchema, type SearchAnswer } from './searchrows.ts'
import type { StatisticsView } from './statisticsrows.ts'
import type { Medium, RawPiece, ReportText, StepList } from './textrows.ts'
import { workspaceEntries } from './workspace.ts'

const view = v.optional(viewSchema, {})

/** Columns that the task table can be sorted by. */
export const TASK_SORTS = ['severe', 'lowest', 'task', 'n', 'rate', 'cost', 'lead'] as const

const taskFilter = v.object({
  text: v.optional(v.pipe(v.string(), v.maxLength(1000)), ''),
  outcome: v.optional(v.picklist(['any', 'always', 'never', 'sometimes', 'not estimable']), 'any'),
  lead: v.optional(v.picklist(['any', 'with', 'without']), 'any'),
  annotated: v.optional(v.picklist(['any', 'yes', 'no']), 'any'),
  severe: v.optional(v.boolean(), false),
  suite: v.optional(v.nullable(v.string()), null),
})

const stepRef = v.object({
  trialId: id,
  step: v.number(),
  call: v.nullable(v.number()),
  resultStep: v.nullable(v.number()),
})

/** What goes into a report. */
export const reportSchema = v.object({
  view,
  taskIds: v.optional(v.nullable(v.array(id)), null),
  trialIds: v.optional(v.nullable(v.array(id)), null),
  format: v.optional(v.picklist(['markdown', 'json', 'csv']), 'markdown'),
  include: v.optional(
    v.object({
      summary: v.optional(v.boolean(), true),
      findings: v.optional(v.boolean(), true),
      method: v.optional(v.boolean(), true),
      stepTexts: v.optional(v.boolean(), false),
    }),
    {},
  ),
  redact: v.optional(v.boolean(), true),
})

/** Everything that may be asked. */
export const contract = {
  ...workspaceEntries,
  ...importEntries,
  ...outcomeEntries,

  'tasks.list': query<TaskList>()(
    v.object({
      view,
      filter: v.optional(taskFilter, {}),
      sort: v.optional(v.picklist(TASK_SORTS), 'severe'),
      descending: v.optional(v.boolean(), false),
      ...page,
    }),
    ['trials', 'analysis', 'annotations', 'settings'],
  ),
  /** `first`: the failing trial whose finding is wanted before the others, while the task is being compared. */
  'tasks.get': query<TaskView>()(v.object({ taskId: id, view, first: v.optional(v.nullable(id), null) }), [
    'trials',
    'analysis',
    'annotations',
    'settings',
  ]),

  /** B against A, paired by task; leads that are not computed yet say "pending" and come with a `changed` event. */
  'compare.versions': query<CompareView>()(
    v.object({ ...compareSchema, policy: v.optional(v.nullable(policySchema), null) }),
    ['trials', 'analysis', 'imports', 'settings'],
  ),
  /** How many trials show a failure rate below the one given. */
  'plan.trials': query<PlanView>()(planSchema, []),

  /** Intervals, verdicts and tests: of one task, or of all in scope (`taskId` null). `k`: one more than the usual ones. */
  'tasks.statistics': query<StatisticsView>()(
    v.object({ taskId: v.nullable(id), view, k: exposure, confidence }),
    ['trials', 'analysis', 'settings'],
  ),

  /** Where a text stands in the steps of counted trials in scope. Bounded in time: `next` says where to go on. */
  'search.steps': query<SearchAnswer>()(v.object({ view, ...searchSchema }), ['trials']),

  'trials.steps': query<StepList>()(v.object({ trialId: id, ...page }), ['trials']),
  'trials.pair': query<{ readonly left: StepView | null; readonly right: StepView | null }>()(
    v.object({
      left: v.nullable(stepRef),
      right: v.nullable(stepRef),
      limitChars: v.optional(v.pipe(count, v.maxValue(4_000_000)), 200_000),
    }),
    ['trials'],
  ),
  'trials.raw': query<RawPiece>()(
    v.object({
      trialId: id,
      offset: v.optional(count, 0),
      limit: v.optional(v.pipe(count, v.maxValue(1_000_000)), 100_000),
    }),
    ['trials'],
  ),
  /** The bytes behind a placeholder of a trial's steps, by the eight digits of its hash. */
  'trials.medium': query<Medium>()(
    v.object({ trialId: id, hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/)) }),
    ['trials'],
  ),
  'trials.delete': command<{ readonly trials: number }>()(v.object({ trialIds: v.array(id) }), [
    'trials',
    'analysis',
    'annotations',
  ]),
  'trials.restore': command<{ readonly trials: number }>()(v.object({ trialIds: v.array(id) }), [
    'trials',
    'analysis',
    'annotations',
  ]),

  'annotations.list': query<readonly Annotation[]>()(v.object({ taskId: v.optional(v.nullable(id), null) }), [
    'annotations',
    'trials',
  ]),
  /** Durable when it returns. `revision` is the one that the person saw (0: none yet); an old one answers CONFLICT. */
  'annotations.save': command<Annotation>()(
    v.object({
      trialId: id,
      revision: count,
      draft: annotationDraftSchema,
      leadShown: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(4000))), null),
      algorithm: v.optional(v.nullable(v.string()), null),
    }),
    ['annotations'],
  ),
  'annotations.delete': command<{ readonly revision: number }>()(v.object({ trialId: id, revision: count }), [
    'annotations',
  ]),
  /** Earlier states of one annotation, newest first: undo is saving one of them again. */
  'annotations.history': query<readonly Annotation[]>()(v.object({ trialId: id }), ['annotations']),
  'taxonomy.get': query<Taxonomy>()(none, ['taxonomy']),

  ...ruleEntries,

  'report.preview': query<ReportText>()(reportSchema, [
    'trials',
    'analysis',
    'annotations',
    'settings',
    'taxonomy',
    'rules',
  ]),
  'report.save': command<{
    readonly path: string
    readonly bytes: number
    readonly report: Omit<ReportText, 'text'>
  }>()(v.object({ file: fileSchema, report: reportSchema }), []),

  /** Versions of everything, for `doctor` and the About sheet. */
  'core.doctor': query<JsonObject>()(none, ['workspace']),
} as const satisfies Record<string, Entry>

/** The whole contract as a type. */
export type Contract = typeof contract

/** A method's name. */
export type Method = keyof Contract

/** What a caller passes. */
export type Input<M extends Method> = v.InferInput<Contract[M]['input']>

/** What the core's handler receives, defaults filled in. */
export type Parsed<M extends Method> = v.InferOutput<Contract[M]['input']>

/** What a method answers. */
export type Output<M extends Method> = NonNullable<Contract[M]['out']>

/** What a job reports while it works. */
export type ProgressOf<M extends Method> = NonNullable<Contract[M]['progress']>

/** True when the name is in the contract. */
export function isMethod(name: string): name is Method {
  return Object.hasOwn(contract, name)
}
