// Rules: what a person declares about a suite, as data. Outcome rules say what a pass is, severity rules what is
// harmful, the others correct what the analysis has learned of tools. Checked here once, at every door (window,
// command line, file); an error names the field. There are no regular expressions: patterns are globs.

import * as v from 'valibot'
import { parseArithmetic, pathsOf } from './arithmetic.ts'
import { parsePath } from './valuepath.ts'

const name = v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(200))
/** `*` stands for any text; nothing else is special. Many stars in one glob are slow, and nobody needs them. */
const glob = v.pipe(
  name,
  v.check((text) => text.split('*').length <= 6, 'has at most five *'),
)
/** An object without other fields; a missing and an unknown field are said in words. */
function fields<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.strictObject(entries, (issue) =>
    issue.expected === 'never'
      ? 'is not a field of this kind of rule'
      : issue.received === 'undefined'
        ? 'is missing'
        : `must be an object, not ${issue.received}`,
  )
}

const scalar = v.union(
  [v.pipe(v.string(), v.maxLength(2000)), v.pipe(v.number(), v.finite()), v.boolean(), v.null()],
  'must be a text, a number, true, false or null',
)

/** Where a path of a call may begin. */
const CALL_ROOTS: readonly unknown[] = ['arguments', 'result', 'isError']

function pathIn(roots: readonly unknown[], words: string) {
  return v.pipe(
    v.string(),
    v.minLength(1, 'must not be empty'),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const path = parsePath(dataset.value)
      if (!path.ok) addIssue({ message: path.error })
      else if (!roots.includes(path.value[0])) addIssue({ message: `must begin with ${words}` })
    }),
  )
}

const callPath = pathIn(CALL_ROOTS, 'arguments, result or isError')
const trialPath = pathIn(
  ['score', 'scores', 'scoreRaw', 'scorer', 'termination', 'extra', 'error'],
  'score, scores, scoreRaw, scorer, termination, error or extra',
)

const comparisons = {
  equality: fields({ path: callPath, test: v.picklist(['equals', 'not-equals']), value: scalar }),
  order: fields({
    path: callPath,
    test: v.picklist(['>', '>=', '<', '<=']),
    value: v.union([v.pipe(v.number(), v.finite()), name], 'must be a number or a date'),
  }),
  text: fields({ path: callPath, test: v.literal('contains'), value: name }),
  glob: fields({ path: callPath, test: v.literal('glob'), value: glob }),
  list: fields({
    path: callPath,
    test: v.literal('in'),
    value: v.pipe(v.array(scalar), v.minLength(1, 'must not be empty'), v.maxLength(1000)),
  }),
  presence: fields({ path: callPath, test: v.picklist(['exists', 'missing']) }),
}

/** One condition on a call: a path of it, a comparison and a value. */
export const conditionSchema = v.variant('test', [
  comparisons.equality,
  comparisons.order,
  comparisons.text,
  comparisons.glob,
  comparisons.list,
  comparisons.presence,
])

/** One condition on a call. */
export type Condition = v.InferOutput<typeof conditionSchema>

const conditions = v.optional(v.pipe(v.array(conditionSchema), v.maxLength(20)), [])

const common = {
  /** The suite that the rule is for; null: every suite. */
  suite: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200))), null),
  enabled: v.optional(v.boolean(), true),
  note: v.optional(v.pipe(v.string(), v.maxLength(2000)), ''),
}

const cost = v.optional(
  v.nullable(
    v.pipe(
      v.string(),
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return
        const tree = parseArithmetic(dataset.value)
        if (!tree.ok) addIssue({ message: tree.error })
        else
          for (const path of pathsOf(tree.value)) {
            const isKnown = CALL_ROOTS.includes(path[0]) || path[0] === 'paid' || path[0] === 'allowed'
            if (!isKnown)
              addIssue({
                message: `“${String(path[0])}” is not known: paths begin with arguments or result; paid and allowed are those of the amount`,
              })
          }
      }),
    ),
  ),
  null,
)

const harm = {
  /** What the event is called, for instance `refund_beyond_policy`. */
  event: v.pipe(name, v.maxLength(80)),
  severity: v.optional(v.picklist(['minor', 'major', 'severe']), 'severe'),
  /** Dollars that one event costs, as an expression; null: not known. */
  cost,
  /** Calls that failed count, too. Without it only calls that did something do. */
  failedCalls: v.optional(v.boolean(), false),
}

const allowed = v.union(
  [
    v.pipe(v.number(), v.finite()),
    fields({
      path: callPath,
      /** The latest earlier call of a tool of this name; null: the call itself. */
      tool: v.optional(v.nullable(glob), null),
    }),
  ],
  'must be a number or {path, tool}',
)

const schemas = {
  outcome: v.pipe(
    fields({
      kind: v.literal('outcome'),
      ...common,
      /** A scorer by name, or a field of the trial: exactly one of them. */
      scorer: v.optional(v.nullable(name), null),
      field: v.optional(v.nullable(trialPath), null),
      test: v.optional(
        v.picklist(['>=', '>', '<=', '<', 'equals', 'not-equals', 'contains', 'in', 'exists']),
        '>=',
      ),
      value: v.optional(v.union([scalar, v.pipe(v.array(scalar), v.minLength(1), v.maxLength(1000))]), null),
      /** What a trial that ended by an error is: kept as it is, judged like any other, a failure, or unknown. */
      error: v.optional(v.picklist(['keep', 'judge', 'fail', 'unknown']), 'keep'),
      /** What a trial without the value is: kept as it was imported, unknown, an error, or a failure. */
      unknown: v.optional(v.picklist(['keep', 'unknown', 'error', 'fail']), 'keep'),
    }),
    v.forward(
      v.check(({ scorer, field }) => (scorer === null) !== (field === null), 'give a scorer or a field'),
      ['scorer'],
    ),
    v.forward(
      v.check(({ test, value }) => {
        if (test === 'exists') return value === null
        if (test === 'in') return Array.isArray(value)
        if (test === 'contains') return typeof value === 'string' && value !== ''
        if (test === 'equals' || test === 'not-equals') return !Array.isArray(value)
        return typeof value === 'number' || (typeof value === 'string' && value !== '')
      }, 'does not fit the test: a list for in, a text for contains, a number or date for an order, none for exists'),
      ['value'],
    ),
  ),
  mustNot: v.pipe(
    fields({
      kind: v.literal('must-not'),
      ...common,
      ...harm,
      tool: glob,
      /** All must hold. */
      where: conditions,
      /** So many calls are allowed in one trial; every further one is an event. */
      moreThan: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)), 0),
      /** Only calls with a number here above what is allowed. */
      amount: v.optional(v.nullable(fields({ path: callPath, allowed })), null),
    }),
    v.forward(
      v.check(
        ({ cost, amount }) => cost === null || amount !== null || !/\b(paid|allowed)\b/.test(cost),
        'paid and allowed need an amount',
      ),
      ['cost'],
    ),
  ),
  mustHappenBefore: fields({
    kind: v.literal('must-happen-before'),
    ...common,
    ...harm,
    /** The call that must have succeeded earlier in the trial, before the write. */
    check: glob,
    write: glob,
    checkWhere: conditions,
    writeWhere: conditions,
    /** Values that must be the same in both. A write without the value is compared by the others. */
    match: v.optional(v.pipe(v.array(fields({ check: callPath, write: callPath })), v.maxLength(8)), []),
  }),
  duplicate: fields({
    kind: v.literal('duplicate'),
    ...common,
    ...harm,
    tool: glob,
    /** Paths that make two calls the same; null: all arguments. */
    keys: v.optional(v.nullable(v.pipe(v.array(callPath), v.minLength(1), v.maxLength(8))), null),
  }),
  toolClass: fields({
    kind: v.literal('tool-class'),
    ...common,
    tool: name,
    class: v.picklist(['read', 'check', 'write']),
  }),
  equivalence: v.pipe(
    fields({
      kind: v.literal('equivalence'),
      ...common,
      alias: name,
      tool: name,
      /** Arguments of the alias under their names in the other tool. */
      args: v.optional(
        v.pipe(
          v.record(name, name),
          v.check((map) => Object.keys(map).length <= 100, 'has at most 100 names'),
        ),
        {},
      ),
    }),
    v.forward(
      v.check(
        ({ alias, tool, args }) => alias !== tool || Object.keys(args).length > 0,
        'must differ from the tool, or rename arguments',
      ),
      ['alias'],
    ),
  ),
  /** A tool that is never merged with another one by itself: takes a learned equivalence back. */
  apart: fields({ kind: v.literal('apart'), ...common, tool: name }),
  stage: fields({
    kind: v.literal('stage'),
    ...common,
    tool: glob,
    stage: v.pipe(name, v.maxLength(40)),
  }),
  ignoredPath: fields({
    kind: v.literal('ignored-path'),
    ...common,
    tool: v.optional(glob, '*'),
    path: glob,
    where: v.optional(v.nullable(v.picklist(['arguments', 'result'])), null),
  }),
  /** A path of results that is compared whatever was learned: takes a learned mask back. */
  comparedPath: fields({
    kind: v.literal('compared-path'),
    ...common,
    tool: v.optional(glob, '*'),
    path: glob,
  }),
}

/** What a person writes: everything of a rule but its id and revision. */
export const ruleDraftSchema = v.variant('kind', [
  schemas.outcome,
  schemas.mustNot,
  schemas.mustHappenBefore,
  schemas.duplicate,
  schemas.toolClass,
  schemas.equivalence,
  schemas.apart,
  schemas.stage,
  schemas.ignoredPath,
  schemas.comparedPath,
])

/** What a person writes, defaults filled in. */
export type RuleDraft = v.InferOutput<typeof ruleDraftSchema>

/** What a person may leave out. */
export type RuleInput = v.InferInput<typeof ruleDraftSchema>

/** A rule as stored. `revision` rises by one with every save, removal and undo. */
export type Rule = RuleDraft & {
  readonly id: string
  readonly revision: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** The kinds of rules. */
export type RuleKind = RuleDraft['kind']

/** A rule of some kinds. */
export type RuleOf<K extends RuleKind> = Extract<RuleDraft, { readonly kind: K }>

/** A rule that finds events in trials. */
export type SeverityRule = RuleOf<'must-not' | 'must-happen-before' | 'duplicate'>

/** All kinds, in the order in which they are listed. */
export const RULE_KINDS: readonly RuleKind[] = [
  'outcome',
  'must-not',
  'must-happen-before',
  'duplicate',
  'tool-class',
  'equivalence',
  'apart',
  'stage',
  'ignored-path',
  'compared-path',
]

/** True when the rule judges single trials (outcome and severity); the others change how trials are compared. */
export function judgesTrials(rule: RuleDraft): boolean {
  return rule.kind === 'outcome' || isSeverityRule(rule)
}

/** True when the rule finds events. */
export function isSeverityRule<R extends RuleDraft>(rule: R): rule is Extract<R, SeverityRule> {
  return rule.kind === 'must-not' || rule.kind === 'must-happen-before' || rule.kind === 'duplicate'
}

/** The part of a rule that a person writes. */
export function draftOf(rule: Rule): RuleDraft {
  const { id: _id, revision: _revision, createdAt: _createdAt, updatedAt: _updatedAt, ...draft } = rule
  return draft
}

/** The rules that are on for a suite, its own first, each group in the given order. */
export function rulesOfSuite<R extends RuleDraft>(rules: readonly R[], suite: string): readonly R[] {
  const on = rules.filter((rule) => rule.enabled)
  return [...on.filter((rule) => rule.suite === suite), ...on.filter((rule) => rule.suite === null)]
}
