// Signs, without statistics, that trials were not independent or that the number of trials depended on their outcomes
// (methods.md A2, A12): environments that did not start alike, ran at the same time or leaked values, and tasks whose
// trials stop at a failure or a success. They stand beside the figures as warnings; they change none.

/** What is known of a trial's surroundings; null where the import says nothing. */
export type TrialSurroundings = {
  readonly trialId: string
  readonly initialStateHash: string | null
  readonly environmentId: string | null
  readonly startMs: number | null
  readonly endMs: number | null
  /** Trials in whose writes a value was first seen that this trial read. */
  readonly readsFrom: readonly string[]
}

/** A sign of contamination among the trials of one task, with the trials concerned. */
export type ContaminationFlag = {
  readonly kind:
    'initial-state-missing' | 'initial-state-differs' | 'environment-overlap' | 'reads-other-trial'
  readonly trials: readonly string[]
}

/** The signs among the trials of one task, in a fixed order of kinds; none for a single trial. */
export function contaminationFlags(trials: readonly TrialSurroundings[]): readonly ContaminationFlag[] {
  if (trials.length < 2) return []
  const flags: ContaminationFlag[] = []
  const hashed = trials.filter(({ initialStateHash }) => initialStateHash !== null)
  // Where no trial has a hash the source does not record them: nothing can be told from that.
  if (hashed.length > 0 && hashed.length < trials.length) {
    const missing = trials.filter(({ initialStateHash }) => initialStateHash === null)
    flags.push({ kind: 'initial-state-missing', trials: missing.map(({ trialId }) => trialId) })
  }
  if (new Set(hashed.map(({ initialStateHash }) => initialStateHash)).size > 1) {
    flags.push({ kind: 'initial-state-differs', trials: hashed.map(({ trialId }) => trialId) })
  }
  const overlapping = overlaps(trials)
  if (overlapping.length > 0) flags.push({ kind: 'environment-overlap', trials: overlapping })
  const leaking = trials.filter(({ trialId, readsFrom }) => readsFrom.some((other) => other !== trialId))
  if (leaking.length > 0)
    flags.push({ kind: 'reads-other-trial', trials: leaking.map(({ trialId }) => trialId) })
  return flags
}

/** Trials that ran at the same time as another one in the same environment, in the order given. */
function overlaps(trials: readonly TrialSurroundings[]): readonly string[] {
  const found = new Set<string>()
  const environments = new Map<string, { trialId: string; start: number; end: number }[]>()
  for (const { trialId, environmentId, startMs, endMs } of trials) {
    if (environmentId === null || startMs === null || endMs === null) continue
    const spans = environments.get(environmentId) ?? []
    spans.push({ trialId, start: startMs, end: endMs })
    environments.set(environmentId, spans)
  }
  for (const spans of environments.values()) {
    spans.sort((a, b) => a.start - b.start)
    let latest = spans[0]!
    for (const span of spans.slice(1)) {
      if (span.start < latest.end) found.add(span.trialId).add(latest.trialId)
      if (span.end > latest.end) latest = span
    }
  }
  return trials.filter(({ trialId }) => found.has(trialId)).map(({ trialId }) => trialId)
}

/** The number of trials seems to depend on their outcomes: then pass^k and pass@k are biased. */
export type StoppingRule = {
  readonly kind: 'stops-at-failure' | 'stops-at-success'
  /** Tasks with fewer trials than the longest, all of which fit the pattern. */
  readonly tasks: number
}

/**
 * Looks for a stopping rule in the tasks' outcomes in execution order (true = passed): at least two tasks are shorter
 * than the longest, and every one of them ends in a failure (or every one in its only success). Null when not so.
 */
export function stoppingRule(sequences: readonly (readonly boolean[])[]): StoppingRule | null {
  const longest = sequences.reduce((most, trials) => Math.max(most, trials.length), 0)
  const short = sequences.filter((trials) => trials.length > 0 && trials.length < longest)
  if (short.length < 2) return null
  if (short.every((trials) => trials.at(-1) === false))
    return { kind: 'stops-at-failure', tasks: short.length }
  const isRetried = short.every((trials) => trials.indexOf(true) === trials.length - 1)
  return isRetried ? { kind: 'stops-at-success', tasks: short.length } : null
}
