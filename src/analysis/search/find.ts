// Finds a phrase in the steps of one trial and cuts what is shown of each place. Pure.

import { visibleText } from '../../base/text.ts'
import type { Step, TrialError } from '../../model/trial.ts'
import { fold } from './fold.ts'
import type { Match, Phrase } from './query.ts'
import { textsOfError, textsOfStep, type TextPart } from './steptexts.ts'

/** A piece of a text around a match, on one line, safe to show; the match is `start` to `end` of it. */
export type Snippet = { readonly text: string; readonly start: number; readonly end: number }

/** A step that holds the phrase; `step` null: what is told of the trial as a whole. The first place counts. */
export type Found = {
  readonly step: Step | null
  readonly part: TextPart
  readonly call: number | null
  readonly snippet: Snippet
}

const BEFORE = 48
const MATCH = 160
const BEHIND = 120

/**
 * The steps of a trial that hold the phrase, at most `most` of them, and how many there are in all. What broke the trial is
 * the last place.
 */
export function findInTrial(
  phrase: Phrase,
  steps: readonly Step[],
  error: TrialError | null,
  most: number,
): { readonly found: readonly Found[]; readonly total: number } {
  const found: Found[] = []
  let total = 0
  const take = (step: Step | null, part: TextPart, call: number | null, text: string): boolean => {
    const match = phrase.find(fold(text))
    if (match === null) return false
    total += 1
    if (found.length < most) found.push({ step, part, call, snippet: snippetOf(text, match) })
    return true
  }
  for (const step of steps)
    for (const { text, part, call } of textsOfStep(step)) if (take(step, part, call, text)) break
  if (error !== null) for (const text of textsOfError(error)) if (take(null, 'error', null, text)) break
  return { found, total }
}

/** What is shown of a match: some words before it, the match, some behind. */
export function snippetOf(text: string, { start, end }: Match): Snippet {
  const from = wholeCharacter(text, Math.max(0, start - BEFORE))
  const cut = wholeCharacter(text, Math.min(end, start + MATCH))
  const to = wholeCharacter(text, Math.min(text.length, cut + BEHIND))
  const before = (from > 0 ? '…' : '') + oneLined(text.slice(from, start)).trimStart()
  const match = oneLined(text.slice(start, cut)) + (cut < end ? '…' : '')
  const behind = cut < end ? '' : oneLined(text.slice(cut, to)).trimEnd() + (to < text.length ? '…' : '')
  return { text: before + match + behind, start: before.length, end: before.length + match.length }
}

function oneLined(text: string): string {
  return visibleText(text).replace(/\s+/g, ' ')
}

/** The place itself, or the one before when it lies between the halves of one character. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff && at > 0 ? at - 1 : at
}
