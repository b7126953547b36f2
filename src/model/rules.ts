// Rules: what a person declares about a suite, as data. Outcome rules say what a pass is, severity rules what is
// harmful, the others correct what the analysis has learned of tools. What they are made of is ruleparts.ts.

import * as v from 'valibot'
import {
  allowed,
  callPath,
  common,
  conditions,
  fields,
  glob,
  harm,
  name,
  scalar,
  trialPath,
} from './ruleparts.ts'

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
