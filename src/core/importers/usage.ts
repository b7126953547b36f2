// Token counts as formats share them: sums that keep apart what nobody counted, and totals whose zeros say nothing.
// Pure; the forms that are a format's own stand with that format.

import type { Json } from '../../base/json.ts'
import type { Usage } from '../../model/trial.ts'
import { asNumber, asObject } from './fields.ts'

/** The sum of token counts, each kind over those that counted it; null when there are none. */
export function sumUsages(usages: readonly Usage[]): Usage | null {
  if (usages.length === 0) return null
  const sum = (key: keyof Usage): number | null => {
    const known = usages.flatMap((usage) => usage[key] ?? [])
    return known.length === 0 ? null : known.reduce((a, b) => a + b, 0)
  }
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cachedInputTokens: sum('cachedInputTokens'),
  }
}

/** Totals by the names that a writer gives them. Zeros for both are its way to say that it did not count: null. */
export function totalUsage(
  value: Json | undefined,
  input: string,
  output: string,
  cached: string,
): Usage | null {
  const totals = asObject(value)
  const read = asNumber(totals?.[input])
  const written = asNumber(totals?.[output])
  if ((read ?? 0) === 0 && (written ?? 0) === 0) return null
  return { inputTokens: read, outputTokens: written, cachedInputTokens: asNumber(totals?.[cached]) }
}
