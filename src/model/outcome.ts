// Outcome: how a trial ended, and the policy that turns outcomes into a denominator.

/** How a trial ended. `error`: the trial broke (infrastructure, timeout); `unknown`: nothing says how it ended. */
export type Outcome = 'pass' | 'fail' | 'error' | 'unknown'

/** All outcomes, in display order. */
export const OUTCOMES: readonly Outcome[] = ['pass', 'fail', 'error', 'unknown']

/**
 * What counts in a rate. Default (methods.md A0): an error counts as a failure, unknown is excluded. The policy
 * is stored with every report and printed beside every rate.
 */
export type OutcomePolicy = {
  readonly error: 'fail' | 'exclude'
  readonly unknown: 'exclude' | 'fail'
}

/** The default policy: error counts as failure, unknown is excluded. */
export const DEFAULT_POLICY: OutcomePolicy = { error: 'fail', unknown: 'exclude' }

/** The policy in words: stands wherever a rate stands, in the window, on the command line and in reports. */
export function policyWords(policy: OutcomePolicy): string {
  const errors = policy.error === 'fail' ? 'errors count as failures' : 'errors excluded'
  const unknown = policy.unknown === 'exclude' ? 'unknown excluded' : 'unknown counts as failure'
  return `${errors}, ${unknown}`
}
