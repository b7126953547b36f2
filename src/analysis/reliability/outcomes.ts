// From the outcomes of a task's trials to its counts, under a stated policy (methods.md A0.3).
// First step of every rate: all other files here see only n and c. The policy is the person's choice, stored and
// printed beside every rate; this file only applies and words it.

import type { Outcome, OutcomePolicy } from '../../model/outcome.ts'

/** Counts of one task: `c` of `n` trials passed; the rest says what n is made of. */
export type OutcomeCounts = {
  readonly n: number
  readonly c: number
  /** Trials that count neither way. */
  readonly excluded: number
  /** Errors and unknowns seen, whether they count or not. */
  readonly errors: number
  readonly unknown: number
}

/** What an outcome means under the policy: true passed, false failed, null does not count. */
export function countsAs(outcome: Outcome, policy: OutcomePolicy): boolean | null {
  if (outcome === 'pass') return true
  if (outcome === 'fail') return false
  return policy[outcome] === 'fail' ? false : null
}

/** Counts the outcomes of one task's trials under the policy. */
export function countOutcomes(outcomes: readonly Outcome[], policy: OutcomePolicy): OutcomeCounts {
  let n = 0
  let c = 0
  let errors = 0
  let unknown = 0
  for (const outcome of outcomes) {
    if (outcome === 'error') errors++
    if (outcome === 'unknown') unknown++
    const counted = countsAs(outcome, policy)
    if (counted === null) continue
    n++
    if (counted) c++
  }
  return { n, c, excluded: outcomes.length - n, errors, unknown }
}

/** The policies that differ from this one in a single switch: the other readings of the same trials. */
export function otherPolicies(policy: OutcomePolicy): readonly OutcomePolicy[] {
  return [
    { ...policy, error: policy.error === 'fail' ? 'exclude' : 'fail' },
    { ...policy, unknown: policy.unknown === 'fail' ? 'exclude' : 'fail' },
  ]
}
