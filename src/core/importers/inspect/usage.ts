// Tokens and costs as Inspect counts them, and its times. Shared by samples and by single model calls.

import type { Json } from '../../../base/json.ts'
import type { Usage } from '../../../model/trial.ts'
import { asNumber, asObject, member } from '../fields.ts'
import { sumUsages } from '../usage.ts'

/**
 * One `ModelUsage`. Some providers count cached input inside `input_tokens` and some beside it: the total tells
 * which. In Faultline cached input is part of input.
 */
export function readUsage(value: Json | undefined): Usage | null {
  const usage = asObject(value)
  if (usage === null) return null
  const input = asNumber(usage['input_tokens'])
  const output = asNumber(usage['output_tokens'])
  const read = asNumber(usage['input_tokens_cache_read'])
  const written = asNumber(usage['input_tokens_cache_write'])
  const total = asNumber(usage['total_tokens'])
  if (input === null && output === null) return null
  const cached = (read ?? 0) + (written ?? 0)
  const isBeside = cached > 0 && input !== null && total !== null && total >= input + (output ?? 0) + cached
  return {
    inputTokens: isBeside ? (input ?? 0) + cached : input,
    outputTokens: output,
    cachedInputTokens: read,
  }
}

/** The sum of a `model_usage`, model by model; null when nothing was counted. */
export function sumUsage(value: Json | undefined): Usage | null {
  const parts = Object.values(asObject(value) ?? {})
    .map(readUsage)
    .filter((usage) => usage !== null)
  return sumUsages(parts)
}

/** The cost of a `model_usage` in US dollars; null unless every model in it has one. */
export function sumCost(value: Json | undefined): number | null {
  const costs = Object.values(asObject(value) ?? {}).map((usage) => asNumber(member(usage, 'total_cost')))
  if (costs.length === 0 || costs.includes(null)) return null
  return costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0)
}

/** A time as written; null when it is none. */
export function readTime(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
