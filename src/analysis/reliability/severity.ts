// Severe errors (methods.md A10): how many trials had one, how often that could truly be, and how many of those
// trials were graded as passes. Counts stand next to pass^k on every row and are never averaged into it.
// Which events are severe is declared elsewhere (imported marks and severity rules); here they are only counted.

import type { Outcome } from '../../model/outcome.ts'
import {
  notEstimable,
  requireConfidence,
  requireInteger,
  type Estimated,
  type UpperBound,
} from './estimate.ts'
import { exactUpper, wilsonUpper } from './intervals.ts'
import { logFactorial } from './special.ts'

/** A trial and the number of severe events in it. */
export type SevereTrial = {
  readonly trialId: string
  readonly taskId: string
  readonly outcome: Outcome
  readonly events: number
}

/** Severe errors of a task or a suite. Upper bounds are one-sided, for the rate of trials with an event. */
export type SeveritySummary = {
  readonly trials: number
  readonly severeTrials: number
  readonly events: number
  readonly upperWilson: Estimated<UpperBound>
  readonly upperExact: Estimated<UpperBound>
  /** Upper bound for the events of one trial, where a trial may have several. */
  readonly eventsPerTrialUpper: Estimated<UpperBound>
  /** Trials graded pass that had a severe event: passed but harmful. */
  readonly passedButHarmful: { readonly trials: number; readonly events: number }
  /** The task with most severe trials, then events, then first in order; null when there is none. */
  readonly worstTask: {
    readonly taskId: string
    readonly severeTrials: number
    readonly events: number
    readonly trials: number
  } | null
}

/** Counts severe errors over all given trials: an event counts whatever the trial's outcome is. */
export function severitySummary(trials: readonly SevereTrial[], confidence = 0.95): SeveritySummary {
  requireConfidence(confidence)
  let events = 0
  let severeTrials = 0
  const harmful = { trials: 0, events: 0 }
  const tasks = new Map<string, { taskId: string; severeTrials: number; events: number; trials: number }>()
  for (const trial of trials) {
    requireInteger('events', trial.events, 0)
    const task = tasks.get(trial.taskId) ?? { taskId: trial.taskId, severeTrials: 0, events: 0, trials: 0 }
    tasks.set(trial.taskId, task)
    task.trials++
    if (trial.events === 0) continue
    events += trial.events
    severeTrials++
    task.events += trial.events
    task.severeTrials++
    if (trial.outcome !== 'pass') continue
    harmful.trials++
    harmful.events += trial.events
  }
  const [worst] = [...tasks.values()].sort((a, b) => b.severeTrials - a.severeTrials || b.events - a.events)
  return {
    trials: trials.length,
    severeTrials,
    events,
    upperWilson: wilsonUpper(severeTrials, trials.length, confidence),
    upperExact: exactUpper(severeTrials, trials.length, confidence),
    eventsPerTrialUpper: poissonRateUpper(events, trials.length, confidence),
    passedButHarmful: harmful,
    worstTask: worst && worst.severeTrials > 0 ? worst : null,
  }
}

/** ln P(N ≤ x) for a Poisson N with this mean. */
function logPoissonCdf(x: number, mean: number): number {
  let relative = 1
  let total = 1
  // Downward from the term at x; above the mean of a tail these shrink fast.
  for (let i = x; i > 0 && relative > 1e-18 * total; i--) {
    relative *= i / mean
    total += relative
  }
  return x * Math.log(mean) - mean - logFactorial(x) + Math.log(total)
}

/**
 * One-sided upper bound for a Poisson mean after seeing `events`: half the χ² quantile at 2(x + 1) degrees, which is
 * the mean under which so few events have probability 1 − confidence. 2.995732 for none at 95 %.
 */
export function poissonUpper(events: number, confidence = 0.95): number {
  requireInteger('events', events, 0)
  requireConfidence(confidence)
  const target = Math.log1p(-confidence)
  if (events === 0) return -target
  let low = events * 1e-9
  let high = events + 1
  while (logPoissonCdf(events, high) > target) high *= 2
  while (high - low > 1e-14 * high) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) break
    if (logPoissonCdf(events, middle) > target) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Upper bound for the rate of events per unit of `exposure` (for instance trials). Not estimable without exposure. */
export function poissonRateUpper(events: number, exposure: number, confidence = 0.95): Estimated<UpperBound> {
  if (!(exposure >= 0 && exposure < Infinity))
    throw new RangeError(`Exposure must be at least 0, got ${exposure}`)
  const upper = poissonUpper(events, confidence)
  if (exposure === 0) return notEstimable('no-trials')
  return { ok: true, value: { upper: upper / exposure, confidence, method: 'poisson' } }
}
