// Values that say an outcome: truth values, numbers and the words that harnesses write. Reads them without guessing:
// what is no known word is `strange`, what is on an unknown scale is not called a pass. Pure.

import type { Json } from '../../../base/json.ts'
import type { Outcome } from '../../../model/outcome.ts'
import { asNumber } from '../fields.ts'

/** How far a reward may be below its threshold and still reach it. */
const TOLERANCE = 1e-6

const WORDS: Readonly<Record<Outcome, readonly string[]>> = {
  pass: 'true pass passed success succeeded successful resolved solved correct completed_correctly c yes y ok ✓ ✔ ✅'.split(
    ' ',
  ),
  fail: 'false fail failed failure unsuccessful unresolved unsolved incorrect wrong i n no p partial ✗ ✘ ✕ ❌ x'.split(
    ' ',
  ),
  error: 'error errored crash crashed exception timeout timed_out infra_error'.split(' '),
  unknown: 'unknown n/a na - – — none null nan nil missing pending skipped'.split(' '),
}
const OUTCOME_OF = new Map(
  (Object.entries(WORDS) as [Outcome, readonly string[]][]).flatMap(([outcome, words]) =>
    words.map((word) => [word, outcome] as const),
  ),
)
/** Inspect writes P for a half right answer: a failure with half a score. */
const HALF = new Set(['p', 'partial'])

/** What a value says. `missing`: nothing; `scale`: a number that needs a threshold; `strange`: no known word. */
export type ReadValue =
  | { readonly kind: 'read'; readonly outcome: Outcome; readonly score: number | null }
  | { readonly kind: 'missing' }
  | { readonly kind: 'scale'; readonly score: number }
  | { readonly kind: 'strange' }

/**
 * The outcome that a value says. A number is a pass from `threshold` on (null: from 1 on, and a number outside 0 to 1
 * is then on a scale that only a person knows).
 */
export function readValue(value: Json | undefined, threshold: number | null): ReadValue {
  if (value === undefined || value === null) return { kind: 'missing' }
  if (typeof value === 'boolean')
    return { kind: 'read', outcome: value ? 'pass' : 'fail', score: value ? 1 : 0 }
  if (typeof value === 'object') return { kind: 'strange' }
  const number = asNumber(value)
  if (number !== null) return readNumber(number, threshold)
  const word = String(value).trim().toLowerCase().replace(/\s+/g, '_')
  if (word === '') return { kind: 'missing' }
  const outcome = OUTCOME_OF.get(word)
  if (outcome === undefined) return { kind: 'strange' }
  if (outcome === 'unknown') return { kind: 'missing' }
  const score = outcome === 'pass' ? 1 : outcome === 'error' ? null : HALF.has(word) ? 0.5 : 0
  return { kind: 'read', outcome, score }
}

function readNumber(number: number, threshold: number | null): ReadValue {
  if (threshold === null && (number < -TOLERANCE || number > 1 + TOLERANCE))
    return { kind: 'scale', score: number }
  const isPass = number >= (threshold ?? 1) - TOLERANCE
  return { kind: 'read', outcome: isPass ? 'pass' : 'fail', score: number }
}

/** True when the value is one that an outcome is written as: used to recognise files. */
export function saysOutcome(value: Json | undefined): boolean {
  if (typeof value === 'number') return value === 0 || value === 1
  const read = readValue(value, null)
  return read.kind === 'read' && typeof value !== 'number'
}
