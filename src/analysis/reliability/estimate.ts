// Estimates and intervals: the shapes in which every statistic of this folder leaves it.
// A figure that cannot be had is a value of its own with a reason, never 0, 1 or NaN, so that no screen or
// report can print it as if it were a measurement. JSON-plain. Computes nothing itself.

/** Why a figure is not estimable. Codes, not sentences: `reasonWords` gives the words. */
export type Reason =
  | 'no-trials'
  | 'no-tasks'
  | 'k-exceeds-n'
  | 'coverage-below-half'
  | 'needs-2k-trials'
  | 'too-few-tasks'
  | 'single-task'
  | 'single-trials'
  | 'no-variation'
  | 'one-sided-replicates'
  | 'no-mixed-tasks'
  | 'no-passes'
  | 'no-failures'
  | 'no-costs'
  | 'no-weight'
  | 'tie'
  | 'no-shared-seeds'
  | 'order-unknown'
  | 'missing-signatures'

/** A value, or the reason why there is none. */
export type Estimated<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: Reason }

/** A number, or the reason why there is none. */
export type Estimate = Estimated<number>

/** What makes a resampled figure repeatable: stored with every interval that came from resampling. */
export type Resampling = {
  readonly generator: string
  readonly seed: number
  readonly stream: string
  readonly B: number
}

/** How an interval was made. */
export type IntervalMethod =
  | 'wilson'
  | 'clopper-pearson'
  | 'jeffreys'
  | 'newcombe'
  | 'percentile'
  | 'bca'
  | 'student-t'
  | 'fixed-tasks-z'
  | 'fixed-tasks-recentred'
  | 'tasks-and-trials'

/** A two-sided interval in the units of its estimate. `resampling` is null for closed forms. */
export type Interval = {
  readonly lower: number
  readonly upper: number
  readonly confidence: number
  readonly method: IntervalMethod
  readonly resampling: Resampling | null
}

/** A one-sided upper bound: with this confidence the true value is not above it. */
export type UpperBound = {
  readonly upper: number
  readonly confidence: number
  readonly method: 'wilson' | 'clopper-pearson' | 'poisson'
}

/** A figure that could be had. */
export function estimable<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

/** A figure that could not be had, and why. */
export function notEstimable(reason: Reason): { readonly ok: false; readonly reason: Reason } {
  return { ok: false, reason }
}

const WORDS: Readonly<Record<Reason, string>> = {
  'no-trials': 'no trial counts',
  'no-tasks': 'no task',
  'k-exceeds-n': 'needs n ≥ k',
  'coverage-below-half': 'fewer than half of the tasks have n ≥ k',
  'needs-2k-trials': 'needs n ≥ 2k',
  'too-few-tasks': 'needs at least 3 tasks',
  'single-task': 'needs at least 2 tasks',
  'single-trials': 'no task has 2 trials',
  'no-variation': 'all values are equal',
  'one-sided-replicates': 'all resampled values lie on one side',
  'no-mixed-tasks': 'no task has both outcomes',
  'no-passes': 'no trial passed',
  'no-failures': 'no trial failed',
  'no-costs': 'no trial has a cost',
  'no-weight': 'the declared weights leave nothing to average',
  tie: 'as many passes as failures',
  'no-shared-seeds': 'trials have no shared seeds',
  'order-unknown': 'order of trials unknown',
  'missing-signatures': 'not every failing trial has an end state to compare',
}

/** The words for a missing figure, for instance "not estimable (needs n ≥ k)". */
export function reasonWords(reason: Reason): string {
  return `not estimable (${WORDS[reason]})`
}

/** Throws RangeError unless `confidence` lies strictly between 0 and 1. */
export function requireConfidence(confidence: number): void {
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`Confidence must lie between 0 and 1, got ${confidence}`)
  }
}

/** Throws RangeError unless `value` is an integer in [least, most]; `name` stands in the message. */
export function requireInteger(
  name: string,
  value: number,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${name} must be an integer from ${least} to ${most}, got ${value}`)
  }
}
