// Taxonomy: the root causes that a person can choose from. Data, two levels, editable; the default stands in
// resources/taxonomy.json.

import * as v from 'valibot'

/** One root cause: an id that never changes, a name, what it means and an example. */
export const taxonomyTermSchema = v.object({
  id: v.pipe(
    v.string(),
    v.regex(/^[a-z0-9-]+(\/[a-z0-9-]+)?$/, 'an id is lower-case words, at most two levels'),
  ),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(80)),
  definition: v.string(),
  example: v.string(),
})

/** A taxonomy file: a version and its terms; a term's id is `group/term` or a bare `group`. */
export const taxonomySchema = v.object({
  format: v.literal('faultline-taxonomy'),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  title: v.string(),
  terms: v.array(taxonomyTermSchema),
})

/** One root cause. */
export type TaxonomyTerm = v.InferOutput<typeof taxonomyTermSchema>

/** A versioned list of root causes. */
export type Taxonomy = v.InferOutput<typeof taxonomySchema>
