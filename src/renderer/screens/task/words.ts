// The words of the task screen: states of the analysis (methods.md B10, in exactly these words), kinds of
// divergence, names of places. Pure; the core's own finding texts are never rewritten here.

import { plural } from '../../../base/text.ts'
import type { Divergence, DivergenceKind, LeadState, TaskAnalysis } from '../../../model/analysis.ts'
import type { TrialRow } from '../../../contract/rows.ts'

/** What each kind of divergence is called. */
export const KIND_WORDS: { readonly [kind in DivergenceKind]: string } = {
  missing: 'missing step',
  extra: 'extra step',
  duplicate: 'done twice',
  tool: 'different tool',
  arguments: 'different arguments',
  observation: 'same call, different result',
  error: 'tool error',
  order: 'different order',
  termination: 'stopped early',
  message: 'says something else',
  final: 'different final answer',
}

/** A state that is no lead: the exact words, and what they mean here. */
export function stateWords(
  state: Exclude<LeadState, 'lead'>,
  passing: number,
  failing: number,
): { readonly state: string; readonly meaning: string } {
  switch (state) {
    case 'no passing run':
      return {
        state,
        meaning: `${all(failing)} failed: there is no reference to part from. Add trials until one passes, or pin a lane to compare with.`,
      }
    case 'no failing run':
      return { state, meaning: `${all(passing)} passed: there is nothing to part from.` }
    case 'not comparable':
      return {
        state,
        meaning:
          'The failing trials share too few steps with the passing ones for a comparison. Check that they come from the same task and tools.',
      }
    case 'none':
      return {
        state,
        meaning: `No difference separates the failing trials from the passing ones (${failing} and ${passing}). Add trials, or read the steps: the cause may lie in what was said.`,
      }
  }
}

function all(count: number): string {
  return count === 1 ? 'The only trial' : `All ${count} trials`
}

/** `too few`: said beside the ranking, not instead of it. */
export function tooFewWords(analysis: TaskAnalysis): string {
  const { floor } = analysis.permutation
  const passing = analysis.lanes.filter((lane) => lane.isPass).length
  const failing = analysis.lanes.length - passing
  return `too few: with ${passing} passing and ${failing} failing the smallest possible p is ${floor === null ? 'not estimable' : figure(floor)}`
}

/** A probability or p for reading: three significant digits at most, never a rounded 0 or 1. */
export function figure(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return 'not estimable'
  if (value > 0 && value < 0.001) return '<0.001'
  if (value < 1 && value > 0.999) return '>0.999'
  return String(Number(value.toPrecision(value < 0.1 ? 2 : 3)))
}

/** A divergence in a few words: kind, tool, counts. `tool` is data: show it through Text. */
export function divergenceWords(d: Divergence): string {
  const what = d.afterError ? 'recoverable error, then stopped' : KIND_WORDS[d.kind]
  const where = d.facet === null ? d.tool : `${d.tool} · ${d.facet}`
  return `${what}: ${where}`
}

/** How many trials of each side show it. */
export function countsWords(d: Divergence): string {
  return `${d.counts.a} of ${plural(d.counts.F, 'failing trial')}, ${d.counts.b} of ${plural(d.counts.P, 'passing trial')}`
}

/** A trial's short name: its label, or its number when the label is unknown. */
export function trialName(trial: TrialRow | undefined, trialId: string): string {
  return trial?.label ?? trialId
}

/** Milliseconds as `340 ms`, `2.4 s`, `3 min 05 s`. */
export function durationText(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`
  const seconds = Math.round(durationMs / 1000)
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}

/** Dollars: `$0.0123` below ten cents, else two decimals. */
export function costText(costUsd: number): string {
  return `$${costUsd.toFixed(costUsd > 0 && costUsd < 0.1 ? 4 : 2)}`
}
