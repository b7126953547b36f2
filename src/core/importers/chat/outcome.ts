// How a conversation ended, by what stands beside its messages. Pure. A status that says only that it ended is no
// outcome, and what cannot be read is said, never guessed.

import type { Json, JsonObject } from '../../../base/json.ts'
import { oneLine } from '../../../base/text.ts'
import type { Outcome } from '../../../model/outcome.ts'
import { readOutcome } from '../faultline-fields.ts'
import { asNumber, asObject, isBare } from '../fields.ts'
import type { StepDoubt } from '../messages.ts'
import { readValue } from '../outcomes/values.ts'

/** Members that say how a conversation ended, the one that decides first. */
export const OUTCOMES = [
  'outcome',
  'passed',
  'pass',
  'success',
  'resolved',
  'solved',
  'is_correct',
  'correct',
  'result',
]
/** Of these, what may as well hold the agent's answer: what it says is taken when it is plain, and not asked for. */
const ANSWERS = new Set(['result'])
/** Members with a number that it was worth. */
export const SCORES = ['score', 'reward']
/** How far a score may be from the mark and still reach it. */
const TOLERANCE = 1e-6

/** What a row says of its outcome, and by which member. */
export type Scored = {
  readonly outcome: Outcome
  readonly score: number | null
  readonly raw: Json
  readonly scores: { readonly [name: string]: number | null }
  readonly scorer: string | null
}

/** What decides by a field's own value; null when that is no known word. A single letter may be an answer: `C`, `n`. */
function wordOf(value: Json | undefined): Outcome | null {
  const known = readOutcome(value)
  if (known !== null || typeof value !== 'string' || value.trim().length < 2) return known
  const read = readValue(value, null)
  return read.kind === 'read' && asNumber(value) === null ? read.outcome : null
}

/**
 * A word, boolean or 0/1 decides; else a score that reaches the mark (1 unless the row gives one; a score outside of 0
 * to 1 says nothing without a mark). Words and scores that cannot be read are doubts.
 */
export function outcomeOf(row: JsonObject, doubts: StepDoubt[]): Scored {
  const scores: Record<string, number | null> = {}
  for (const [name, value] of Object.entries(asObject(row['scores']) ?? {})) {
    const number = asNumber(value)
    if (number !== null) scores[name] = number
  }
  const scoreKey = SCORES.find((key) => asNumber(row[key]) !== null)
  const score = scoreKey === undefined ? null : asNumber(row[scoreKey])
  if (scoreKey !== undefined) scores[scoreKey] = score
  const raw: Json = scoreKey === undefined ? null : (row[scoreKey] ?? null)
  const key = OUTCOMES.find((one) => wordOf(row[one]) !== null && row[one] !== '')
  const word = key === undefined ? null : wordOf(row[key])
  if (key !== undefined && word !== null)
    return { outcome: word, score, raw: raw ?? row[key] ?? null, scores, scorer: key }
  const strange = OUTCOMES.find((one) => !ANSWERS.has(one) && !isBare(row[one]) && row[one] !== '')
  if (strange !== undefined && score === null)
    doubts.push({
      code: 'OUTCOME_MISSING',
      message: `“${strange}” is ${oneLine(JSON.stringify(row[strange]), 60)}, which is no known outcome: kept with unknown outcome.`,
    })
  if (score === null) return { outcome: 'unknown', score, raw, scores, scorer: null }
  const given = asNumber(row['score_threshold'])
  if (given === null && (score < -TOLERANCE || score > 1 + TOLERANCE)) {
    doubts.push({
      code: 'OUTCOME_MISSING',
      message: `“${scoreKey}” is ${score}, which is no number between 0 and 1, and no score_threshold stands beside it: kept with unknown outcome.`,
    })
    return { outcome: 'unknown', score, raw, scores, scorer: scoreKey ?? null }
  }
  const mark = given ?? 1
  return {
    outcome: score >= mark - TOLERANCE ? 'pass' : 'fail',
    score,
    raw,
    scores,
    scorer: scoreKey ?? null,
  }
}
