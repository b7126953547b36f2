// Annotation: what a person found about one trial. Written by people, so never lost: every save is durable and
// carries a revision.

import * as v from 'valibot'

/** A step that supports the annotation: a trial, a step and which part of it. */
export const evidenceSchema = v.object({
  trialId: v.string(),
  step: v.nullable(v.number()),
  part: v.picklist(['step', 'arguments', 'observation', 'said']),
  quote: v.nullable(v.pipe(v.string(), v.maxLength(2000))),
})

/** What a person writes in the annotation panel. */
export const annotationDraftSchema = v.object({
  /** Taxonomy term ids; the first is the root cause. */
  causes: v.pipe(v.array(v.string()), v.maxLength(12)),
  severity: v.picklist(['none', 'minor', 'major', 'severe']),
  /** Is the computed divergence right? `earlier` and `later` may name the column meant. */
  verdict: v.nullable(v.picklist(['right', 'earlier', 'later', 'wrong'])),
  verdictColumn: v.nullable(v.number()),
  evidence: v.pipe(v.array(evidenceSchema), v.maxLength(100)),
  note: v.pipe(v.string(), v.maxLength(100_000)),
  confidence: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
})

/** A pointer to evidence. */
export type Evidence = v.InferOutput<typeof evidenceSchema>

/** The part of an annotation that a person writes. */
export type AnnotationDraft = v.InferOutput<typeof annotationDraftSchema>

/** An annotation as stored. One per trial. `revision` rises by one with every save. */
export type Annotation = AnnotationDraft & {
  readonly id: string
  readonly trialId: string
  readonly revision: number
  readonly createdAt: string
  readonly updatedAt: string
  /** The lead that was shown when it was written, as text, and the algorithm that computed it. */
  readonly leadShown: string | null
  readonly algorithm: string | null
}

/** A draft with nothing in it. */
export const EMPTY_DRAFT: AnnotationDraft = {
  causes: [],
  severity: 'none',
  verdict: null,
  verdictColumn: null,
  evidence: [],
  note: '',
  confidence: null,
}
