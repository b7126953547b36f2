// What trials cost (methods.md A10): mean, median, worst and whose it was, cost per success, money conceded beyond a
// policy, and what "try again until it passes" would cost. Units are those of the input (USD in the app).
// Trials without a cost are left out and counted, never taken as free.

import { taskBootstrap, type BootstrapOptions, type TaskBootstrap } from './bootstrap.ts'
import { estimable, notEstimable, requireInteger, type Estimate, type Estimated } from './estimate.ts'
import { mean, median, sampleDeviation, sum } from './sums.ts'

/** A trial's cost; null when unknown. `passed` is null when the trial counts neither way. */
export type CostTrial = {
  readonly trialId: string
  readonly taskId: string
  readonly cost: number | null
  readonly passed: boolean | null
}

/** Costs over the trials that have one. */
export type CostSummary = {
  readonly trials: number
  readonly withoutCost: number
  readonly total: number
  readonly mean: Estimate
  readonly median: Estimate
  readonly deviation: Estimate
  readonly worst: Estimated<{ readonly trialId: string; readonly cost: number }>
  /** Total cost over passes, among trials with a cost. */
  readonly perSuccess: Estimate
}

function requireCost(cost: number): void {
  if (!Number.isFinite(cost)) throw new RangeError(`A cost must be finite, got ${cost}`)
}

/** Summarises costs. The worst trial is the dearest, the first of equals. */
export function costSummary(trials: readonly CostTrial[]): CostSummary {
  const costs: number[] = []
  let successes = 0
  let worst: { trialId: string; cost: number } | null = null
  for (const { trialId, cost, passed } of trials) {
    if (cost === null) continue
    requireCost(cost)
    costs.push(cost)
    if (passed === true) successes++
    if (!worst || cost > worst.cost) worst = { trialId, cost }
  }
  const total = sum(costs)
  const none = notEstimable('no-costs')
  return {
    trials: costs.length,
    withoutCost: trials.length - costs.length,
    total,
    mean: costs.length > 0 ? estimable(mean(costs)) : none,
    median: costs.length > 0 ? estimable(median(costs)) : none,
    deviation: costs.length > 1 ? estimable(sampleDeviation(costs)) : none,
    worst: worst ? estimable(worst) : none,
    perSuccess:
      costs.length === 0 ? none : successes > 0 ? estimable(total / successes) : notEstimable('no-passes'),
  }
}

/** The mean cost of a task, averaged over tasks, with the task bootstrap of task means (stream "cost-bootstrap"). */
export function costBootstrap(
  trials: readonly CostTrial[],
  options: Pick<BootstrapOptions, 'seed' | 'resamples' | 'confidence'> = {},
): TaskBootstrap {
  const tasks = new Map<string, number[]>()
  for (const { taskId, cost } of trials) {
    if (cost === null) continue
    requireCost(cost)
    const costs = tasks.get(taskId) ?? []
    costs.push(cost)
    tasks.set(taskId, costs)
  }
  return taskBootstrap([...tasks.values()].map(mean), { ...options, stream: 'cost-bootstrap', range: null })
}

/** Money conceded beyond policy: what was paid above what was allowed, at least 0. */
export function concededBeyondPolicy(paid: number, allowed: number): number {
  requireCost(paid)
  requireCost(allowed)
  return Math.max(0, paid - allowed)
}

/** What trying a task again until it passes, at most k times, costs and brings on average. */
export type RetryCost = {
  readonly k: number
  readonly cost: number
  readonly attempts: number
  readonly passAtK: number
}

/**
 * Expected cost of "try until success, at most k times" for one task, over all orders of its recorded trials drawn
 * without replacement: exact, not simulated. pass@k alone cannot give it, since failing and passing trials cost
 * differently. `trials`: those of one task with a cost and a verdict. Not estimable when k exceeds their number.
 */
export function retryCost(
  trials: readonly { readonly cost: number; readonly passed: boolean }[],
  k: number,
): Estimated<RetryCost> {
  requireInteger('k', k, 1)
  const n = trials.length
  if (n === 0) return notEstimable('no-trials')
  if (k > n) return notEstimable('k-exceeds-n')
  for (const { cost } of trials) requireCost(cost)
  const failing = trials.filter(({ passed }) => !passed)
  const passCosts = sum(trials.filter(({ passed }) => passed).map(({ cost }) => cost))
  const failCost = failing.length > 0 ? mean(failing.map(({ cost }) => cost)) : 0
  let noneYet = 1
  let cost = 0
  let attempts = 0
  for (let tried = 0; tried < k; tried++) {
    // `tried` failing trials are gone; the next is any of the rest, each as likely.
    const failsLeft = failing.length - tried
    const left = n - tried
    attempts += noneYet
    cost += (noneYet * (passCosts + Math.max(0, failsLeft) * failCost)) / left
    noneYet *= Math.max(0, failsLeft) / left
  }
  return estimable({ k, cost, attempts, passAtK: 1 - noneYet })
}
