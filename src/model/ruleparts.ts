// The pieces that rules are made of: names and globs, paths into calls and trials, conditions, costs. Checked once, at
// every door; an error names the field. There are no regular expressions: patterns are globs.

import * as v from 'valibot'
import { parseArithmetic, pathsOf } from './arithmetic.ts'
import { parsePath } from './valuepath.ts'

/** A name of something: not empty. */
export const name = v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(200))
/** `*` stands for any text; nothing else is special. Many stars in one glob are slow, and nobody needs them. */
export const glob = v.pipe(
  name,
  v.check((text) => text.split('*').length <= 6, 'has at most five *'),
)
/** An object without other fields; a missing and an unknown field are said in words. */
export function fields<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.strictObject(entries, (issue) =>
    issue.expected === 'never'
      ? 'is not a field of this kind of rule'
      : issue.received === 'undefined'
        ? 'is missing'
        : `must be an object, not ${issue.received}`,
  )
}

/** A value that another one is compared with. */
export const scalar = v.union(
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

/** A path into a call and its result. */
export const callPath = pathIn(CALL_ROOTS, 'arguments, result or isError')
/** A path into what was recorded of a trial. */
export const trialPath = pathIn(
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

/** Conditions that must all hold; none by default. */
export const conditions = v.optional(v.pipe(v.array(conditionSchema), v.maxLength(20)), [])

/** What every rule has. */
export const common = {
  /** The suite that the rule is for; null: every suite. */
  suite: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200))), null),
  enabled: v.optional(v.boolean(), true),
  note: v.optional(v.pipe(v.string(), v.maxLength(2000)), ''),
}

/** What an event costs in dollars, as an expression over the call; null: not known. */
export const cost = v.optional(
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

/** What every rule has that finds harmful events. */
export const harm = {
  /** What the event is called, for instance `refund_beyond_policy`. */
  event: v.pipe(name, v.maxLength(80)),
  severity: v.optional(v.picklist(['minor', 'major', 'severe']), 'severe'),
  /** Dollars that one event costs, as an expression; null: not known. */
  cost,
  /** Calls that failed count, too. Without it only calls that did something do. */
  failedCalls: v.optional(v.boolean(), false),
}

/** What an amount may be: a number, or where it stands in a call. */
export const allowed = v.union(
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
