// Pieces of inputs that many entries share: ids, counts, pages, and what is looked at.

import * as v from 'valibot'

/** The input of an entry that is asked without one. */
export const none = v.object({})

/** An id of anything. */
export const id = v.pipe(v.string(), v.minLength(1), v.maxLength(200))

/** A whole number from 0. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** A page of a list, at most 1000 rows. */
export const page = { offset: v.optional(count, 0), limit: v.optional(v.pipe(count, v.maxValue(1000)), 200) }

/** What counts in a rate. */
export const policySchema = v.object({
  error: v.picklist(['fail', 'exclude']),
  unknown: v.picklist(['exclude', 'fail']),
})

/** What is looked at: the configurations in scope (null: all) and the outcome policy (null: the workspace's). */
export const viewSchema = v.object({
  configurations: v.optional(v.nullable(v.array(id)), null),
  policy: v.optional(v.nullable(policySchema), null),
})

/** What is looked at. */
export type View = v.InferOutput<typeof viewSchema>
