// Scores of Inspect samples as numbers and outcomes. The first scorer of the log decides; all are kept, so that a
// person can let another one decide. What cannot be read as a number is unknown here, never a failure.

import type { Json, JsonObject } from '../../../base/json.ts'
import type { Outcome } from '../../../model/outcome.ts'
import { asNumber, asObject, asText, member } from '../fields.ts'
import type { ParseNote } from '../importer.ts'

/** How far below 1 a score may be and still be a success: floating-point dust. */
const SCORE_TOLERANCE = 1e-6

/** What the values of Inspect's built-in scorers mean; words in any case, letters as they are. */
const LETTERS: ReadonlyMap<string, number> = new Map([
  ['C', 1],
  ['P', 0.5],
  ['I', 0],
  ['N', 0],
])
const WORDS: ReadonlyMap<string, number> = new Map([
  ['yes', 1],
  ['true', 1],
  ['no', 0],
  ['false', 0],
])

/** A score's value as a number; null for lists, objects, other words and nothing (which is how NaN arrives). */
export function valueToNumber(value: Json | undefined): number | null {
  if (typeof value !== 'string') return asNumber(value)
  return LETTERS.get(value) ?? WORDS.get(value.toLowerCase()) ?? asNumber(value)
}

/** The scores of a sample: what decides, and everything else. */
export type Scores = {
  readonly scorer: string | null
  readonly score: number | null
  readonly raw: Json
  readonly all: { readonly [name: string]: number | null }
  /** Why there is no outcome; null when there is one. */
  readonly doubt: string | null
}

/** `name` without the package that stands before it. */
const bare = (name: string): string => name.split('/').at(-1) ?? name

/**
 * The deciding scorer of a sample: the first of the log's own list. When that one did not score this sample, nobody
 * decides. Without a list, or when its names are others, the first of the sample.
 */
function decidingScorer(scored: readonly string[], listed: readonly string[]): string | null {
  const named = (name: string): string | undefined =>
    scored.find((one) => one === name) ?? scored.find((one) => bare(one) === bare(name))
  const first = listed[0] === undefined ? undefined : named(listed[0])
  if (first !== undefined) return first
  if (listed.some((name) => named(name) !== undefined)) return null
  return scored[0] ?? null
}

/** The scores of a sample. `listed` are the log's scorers in their order; `notes` tell a written NaN from null. */
export function readScores(
  sample: JsonObject,
  listed: readonly string[],
  notes: readonly ParseNote[],
): Scores {
  const scores = scoresOf(sample, listed)
  const all: [string, number | null][] = []
  for (const [name, score] of Object.entries(scores)) {
    const value = valueOf(score)
    const parts = asObject(value)
    if (parts === null) all.push([name, valueToNumber(value)])
    else for (const [part, one] of Object.entries(parts)) all.push([`${name}/${part}`, valueToNumber(one)])
  }
  const scorer = decidingScorer(Object.keys(scores), listed)
  const found = { scorer, all: Object.fromEntries(all) }
  if (scorer === null)
    return {
      ...found,
      score: null,
      raw: null,
      doubt:
        Object.keys(scores).length === 0 ? 'has no score' : `has no score of ${listed[0] ?? 'the scorer'}`,
    }
  const written = valueOf(scores[scorer])
  const word = notes.find(
    (note) =>
      note.kind === 'not-a-number' && note.path.endsWith('/value') && note.path.includes(pointer(scorer)),
  )?.token
  const score = valueToNumber(written)
  const shown = JSON.stringify(written ?? null).slice(0, 60)
  return {
    ...found,
    score,
    raw: word ?? written ?? null,
    doubt:
      score !== null
        ? isOffScale(score)
          ? `has ${score} of ${scorer}, which is no number between 0 and 1: from where it is a pass is for a person to say`
          : null
        : word !== undefined || written === null || written === undefined
          ? `was not scored by ${scorer} (${word ?? 'no value'})`
          : `has a score of ${scorer} that is no number (${shown})`,
  }
}

const pointer = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}/`

/** `scores`, or the single `score` of old logs under its scorer's name. */
function scoresOf(sample: JsonObject, listed: readonly string[]): JsonObject {
  const scores = asObject(sample['scores'])
  if (scores !== null) return scores
  const single = sample['score']
  return single === undefined || single === null ? {} : { [listed[0] ?? 'score']: single }
}

function valueOf(score: Json | undefined): Json | undefined {
  return asObject(score) === null ? score : member(score, 'value')
}

/** A grade of 7 says nothing of passing before a person says what the scale is. */
function isOffScale(score: number): boolean {
  return score < -SCORE_TOLERANCE || score > 1 + SCORE_TOLERANCE
}

/**
 * The outcome: an error is one whatever was scored; a score of 1 passes; less fails; no score, and one outside of 0 to
 * 1, is unknown.
 */
export function outcomeOf(isError: boolean, scores: Scores): Outcome {
  if (isError) return 'error'
  if (scores.score === null || isOffScale(scores.score)) return 'unknown'
  return scores.score >= 1 - SCORE_TOLERANCE ? 'pass' : 'fail'
}

/** The names of a log's scorers in order: as it was asked for them, else as it reports results. */
export function listedScorers(evaluation: JsonObject | null, results: JsonObject | null): string[] {
  const names = (list: Json | undefined): string[] =>
    Array.isArray(list)
      ? (list as readonly Json[]).map((item) => asText(member(item, 'name'))).filter((name) => name !== null)
      : []
  const asked = names(evaluation?.['scorers'])
  if (asked.length > 0) return asked
  const reported = names(results?.['scores'])
  if (reported.length > 0) return reported
  const single = asText(member(results?.['scorer'], 'name'))
  return single === null ? names(results?.['scorers']) : [single]
}
