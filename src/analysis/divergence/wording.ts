// The words for a finding: what differs, how sure it is, what would test it. One wording for window, CLI and exports.
// A finding is a lead, never a proof: nothing here says what brought a failure about.

import type { Divergence, LeadState, TaskAnalysis } from '../../model/analysis.ts'
import { oneLine, plural } from '../../base/text.ts'

/** The sentence that stands where a trial has no lead. */
export const STATE_SENTENCES: Readonly<Record<Exclude<LeadState, 'lead'>, string>> = {
  'no passing run':
    'No trial of this task passed, so there is nothing to compare with. Run until one passes, or import a reference trial.',
  'no failing run': 'No trial of this task failed: there is nothing to explain.',
  'not comparable':
    'This failing trial shares almost no step with any passing trial, so no difference is ranked. Check that they are trials of the same task, and that tool names agree.',
  none: 'No difference separates this failing trial from the passing trials. More trials, recorded results or recorded states would say more.',
}

/** Longest value quoted in a sentence. */
const QUOTE = 60

function quote(value: string | null): string {
  return value === null ? 'nothing' : `“${oneLine(value, QUOTE)}”`
}

/** What differs, as the middle of a sentence. */
export function whatDiffers(divergence: Divergence): string {
  const { kind, tool, columnTool, facet } = divergence
  switch (kind) {
    case 'missing':
      return `${columnTool} is missing`
    case 'extra':
      return `${tool} is called in addition`
    case 'duplicate':
      return `${tool} is called again`
    case 'tool':
      return `${tool} is called where passing trials call ${columnTool}`
    case 'arguments': {
      const source = divergence.isUngrounded ? ', a value that comes from nowhere in the trial' : ''
      if (divergence.valueFail === null) return `${tool} is called without ${oneLine(facet ?? '', QUOTE)}`
      return `${tool} is called with ${oneLine(facet ?? '', QUOTE)} ${quote(divergence.valueFail)}${source} (passing trials: ${quote(divergence.valuePass)})`
    }
    case 'observation':
      return `${tool} gives back ${oneLine(facet ?? '', QUOTE)} ${quote(divergence.valueFail)} (passing trials: ${quote(divergence.valuePass)})`
    case 'error':
      return `${tool} fails`
    case 'order':
      return divergence.step === null ? `${columnTool} is called at another place` : `${tool} is called here`
    case 'termination':
      return divergence.afterError
        ? `the trial stops after an error before ${columnTool}`
        : `the trial stops before ${columnTool}`
    case 'message':
      return `a message states a value (${quote(divergence.valueFail)}) that no passing trial states here`
    case 'final':
      return `the final answer states a value (${quote(divergence.valueFail)}) that no passing trial states`
  }
}

/** The one intervention that would test a divergence of this kind: freeze one thing, rerun, compare. */
export function intervention(divergence: Divergence): string {
  const { kind, scoringKind, columnTool, tool } = divergence
  const isWrite = scoringKind.startsWith('write.')
  switch (kind) {
    case 'missing':
      return `force ${columnTool} (a rule in the prompt, or a gate before the next write) and rerun; or leave it out in a passing trial`
    case 'arguments':
      if (divergence.isUngrounded) return `require the value to come from a tool result, and rerun`
      return isWrite
        ? `replay from just before ${tool} with the argument of a passing trial`
        : `freeze the result of ${tool}, or give it its input in one fixed form, and rerun`
    case 'observation':
      return `replay with the recorded response of a passing trial, and check that the environment was reset (state hash)`
    case 'error':
      return `inject the same error with and without a retry, and compare`
    case 'termination':
      return divergence.afterError
        ? `inject the same error with and without a retry rule, and compare`
        : `continue from the stopping point with a message that the work is not finished; raise the step or time limit`
    case 'extra':
    case 'duplicate':
      return isWrite
        ? `block this call (or give it an idempotency key) and rerun`
        : `rerun with this call blocked`
    case 'order':
      return `allow the write only after the check, and rerun`
    case 'tool':
      return `hide ${tool} and rerun; or declare it the same as ${columnTool} when it is`
    case 'message':
      return `rerun with a fixed script of the user's turns`
    case 'final':
      return `rerun only the last answer from the same recorded results`
  }
}

/** A weight with two decimals; never rounded to a certainty: `>0.99`, `<0.01`. */
export function weightText(weight: number): string {
  if (weight >= 0.995 && weight < 1) return '>0.99'
  if (weight > 0 && weight < 0.005) return '<0.01'
  return weight.toFixed(2)
}

function percent(value: number): string {
  if (value > 0 && value < 0.001) return 'under 0.1%'
  const digits = value >= 0.1 ? 0 : 1
  return `${(100 * value).toFixed(digits).replace(/\.0$/, '')}%`
}

/** The finding of a divergence in full sentences. */
export function findingSentence(analysis: TaskAnalysis, divergence: Divergence): string {
  const { counts } = divergence
  const { p, floor } = analysis.permutation
  const chance =
    p === null || floor === null
      ? 'chance not estimable'
      : `chance of something this clear if outcomes were random: ${percent(p)}; smallest possible with these trials: ${percent(floor)}`
  return [
    `In ${counts.a} of ${counts.F} failing and ${counts.b} of ${counts.P} passing trials, ${whatDiffers(divergence)} (${divergence.stage}).`,
    `Earliest difference that goes with failing (weight ${weightText(divergence.probability)}; ${chance}).`,
    ...tooFewSentence(analysis, counts.F, counts.P),
    'A lead, not proof.',
    `To test it: ${intervention(divergence)}.`,
  ].join(' ')
}

/** Says how many more trials could reach 5 %, when these cannot. */
function tooFewSentence(analysis: TaskAnalysis, failing: number, passing: number): string[] {
  const { floor } = analysis.permutation
  if (floor === null || floor <= 0.05) return []
  const more = moreTrials(failing, passing)
  return [
    `${plural(failing + passing, 'trial')} cannot show less than ${percent(floor)}; ${more} more could.`,
  ]
}

/** The fewest further trials after which the smallest reachable p is at most 5 %. */
export function moreTrials(failing: number, passing: number): number {
  for (let more = 1; ; more++) {
    for (let extra = 0; extra <= more; extra++) {
      if (1 / choose(failing + passing + more, failing + extra) <= 0.05) return more
    }
  }
}

function choose(n: number, k: number): number {
  let value = 1
  for (let i = 1; i <= Math.min(k, n - k); i++) value = (value * (n - i + 1)) / i
  return value
}

/** How the weight of a divergence came about, one line per term; a reader can redo the sum by hand. */
export function howComputed(divergence: Divergence): { readonly label: string; readonly value: string }[] {
  const { how, counts } = divergence
  const adjust = how.own - (Math.log(how.prior) + how.surprise + how.sharing)
  return [
    {
      label: `how much a difference of the kind ${how.priorName} matters: ln ${how.prior}`,
      value: signed(Math.log(how.prior)),
    },
    {
      label: `how rare it is among passing trials (${counts.b} of ${counts.P}, noise rate ${how.novelty.toFixed(3)})`,
      value: signed(how.surprise),
    },
    {
      label: `how much the other failing trials share it (${counts.a} of ${counts.F})`,
      value: signed(how.sharing),
    },
    ...(Math.abs(adjust) > 1e-9 ? [{ label: adjustLabel(divergence), value: signed(adjust) }] : []),
    { label: 'own score', value: signed(how.own) },
    { label: 'what follows it in the trial', value: signed(how.score - how.own) },
    ...(divergence.explains.length > 0
      ? [
          {
            label: `placed before the ${plural(divergence.explains.length, 'later difference')} that it explains`,
            value: 'included',
          },
        ]
      : []),
    { label: 'score', value: signed(how.score) },
    {
      label: 'weight among all differences of the trial and “none of them”',
      value: divergence.probability.toFixed(3),
    },
  ]
}

function adjustLabel(divergence: Divergence): string {
  if (divergence.isConsequence) return 'comes after a divergent write of the same trial'
  if (divergence.isInert) return 'has no effect on what followed'
  return 'passing trials do not agree on the call here'
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`
}
