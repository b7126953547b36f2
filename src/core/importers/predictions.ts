// Predictions of coding benchmarks: the patches that a run hands in for grading (all_preds.jsonl, preds.json, .patch).
// They hold neither steps nor an outcome, so that detection names them instead of asking whose they are. Pure.

import type { Json } from '../../base/json.ts'
import { asObject } from './fields.ts'
import type { SourceHead } from './importer.ts'

const PATCH = /^\s{0,100}(?:diff --git a\/\S|Index: \S|--- \S[^\n]{0,1000}\n\+\+\+ \S)/
const MAX_LOOKED_AT = 20

/** What the source holds when it is predictions or a patch, in words; null when it is neither. */
export function predictionsIn(head: SourceHead): string | null {
  if (head.shape === 'text') return PATCH.test(head.text.slice(0, 4096)) ? 'a patch' : null
  const values = head.records.map(({ value }) => value)
  if (values.length > 0 && values.every(isPrediction)) return 'predictions (patches to be graded)'
  const members = Object.values(asObject(values[0]) ?? {}).slice(0, MAX_LOOKED_AT)
  return values.length === 1 && members.length > 0 && members.every(isPrediction)
    ? 'predictions (patches to be graded)'
    : null
}

/** An instance with its patch, and nothing that happened. */
function isPrediction(value: Json): boolean {
  const fields = asObject(value)
  if (fields === null || !['model_patch', 'patch', 'prediction'].some((key) => Object.hasOwn(fields, key)))
    return false
  const isNamed = Object.hasOwn(fields, 'model_name_or_path') || Object.hasOwn(fields, 'instance_id')
  return (
    isNamed && !['resolved', 'history', 'messages', 'trajectory'].some((key) => Object.hasOwn(fields, key))
  )
}
