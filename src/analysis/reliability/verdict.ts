// Is one task reliable, flaky, or failing for good (methods.md A11)? From the Jeffreys posterior Beta(c + ½, n − c + ½)
// of its pass rate, so that few trials end in "undecided" and not in a guess. "Consistently wrong" needs more than
// failing always: the failing trials must end alike (their final state or canonical writes are equal).

import { estimable, notEstimable, requireInteger, type Estimate } from './estimate.ts'
import { betaCdf } from './special.ts'

/** What can be said of one task. */
export type Verdict = 'reliable' | 'flaky' | 'consistently-failing' | 'consistently-wrong' | 'undecided'

/** A verdict with what it rests on. */
export type TaskVerdict = {
  readonly verdict: Verdict
  /** Posterior probabilities that the task's pass rate is below .1, from .1 to .9, and above .9. */
  readonly below: number
  readonly between: number
  readonly above: number
  /** Share of failing trials that end in the commonest way. */
  readonly agreement: Estimate
  /** Fewer than half of the failing trials end alike. */
  readonly failsInDifferentWays: boolean
  /** For `undecided`: trials to add until the posterior decides if the rate seen holds; null when 1,000 would not. */
  readonly moreTrials: number | null
}

const LOW = 0.1
const HIGH = 0.9
const SURE = 0.8
const WRONG_TRIALS = 5
const WRONG_AGREEMENT = 0.8
const MOST_MORE_TRIALS = 1000

function posterior(n: number, c: number): { below: number; between: number; above: number } {
  const below = betaCdf(c + 0.5, n - c + 0.5, LOW)
  // P(p > .9) as the lower tail of the mirrored beta: no digits are lost near 0.
  const above = betaCdf(n - c + 0.5, c + 0.5, 1 - HIGH)
  return { below, between: Math.max(0, 1 - below - above), above }
}

function decide(n: number, c: number): Verdict {
  const { below, between, above } = posterior(n, c)
  if (above >= SURE) return 'reliable'
  if (below >= SURE) return 'consistently-failing'
  return between >= SURE ? 'flaky' : 'undecided'
}

/**
 * The verdict on a task with `c` passes in `n` trials. `failureEnds`: one entry per failing trial, what tells its end
 * (hash of the final state or of its writes), null where nothing does. RangeError when there are more ends than
 * failing trials.
 */
export function taskVerdict(n: number, c: number, failureEnds: readonly (string | null)[] = []): TaskVerdict {
  requireInteger('n', n, 0)
  requireInteger('c', c, 0, n)
  if (failureEnds.length > n - c) throw new RangeError('More ends than failing trials')
  const agreement = endAgreement(n - c, failureEnds)
  const isAlike = agreement.ok && agreement.value >= WRONG_AGREEMENT
  const verdict = c === 0 && n >= WRONG_TRIALS && isAlike ? 'consistently-wrong' : decide(n, c)
  return {
    verdict,
    ...posterior(n, c),
    agreement,
    failsInDifferentWays: n - c > 1 && agreement.ok && agreement.value < 0.5,
    moreTrials: verdict === 'undecided' ? trialsUntilDecided(n, c) : null,
  }
}

/** The share of failing trials with the modal end; not estimable unless every one of them has an end. */
function endAgreement(failures: number, ends: readonly (string | null)[]): Estimate {
  if (failures === 0) return notEstimable('no-failures')
  if (ends.length < failures || ends.includes(null)) return notEstimable('missing-signatures')
  const counts = new Map<string | null, number>()
  let most = 0
  for (const end of ends) {
    const count = (counts.get(end) ?? 0) + 1
    counts.set(end, count)
    most = Math.max(most, count)
  }
  return estimable(most / failures)
}

/** The fewest further trials after which the rate seen so far, kept up, would be decided. */
function trialsUntilDecided(n: number, c: number): number | null {
  // Without any trial the nearest decision is an unbroken row.
  const rate = n === 0 ? 1 : c / n
  for (let more = 1; more <= MOST_MORE_TRIALS; more++) {
    if (decide(n + more, c + Math.round(rate * more)) !== 'undecided') return more
  }
  return null
}
