// Did version B get worse than A (methods.md A8, A9)? Per task by Fisher with a correction for the number of tasks;
// over tasks by McNemar under a stated pass rule; over trials by McNemar only where both sides ran the same seeds.
// Without shared seeds "trial j with trial j" is an accident of file order: that pairing cannot be asked for here.

import type { Outcome, OutcomePolicy } from '../../model/outcome.ts'
import type { TaskCounts } from './aggregate.ts'
import { estimable, notEstimable, requireInteger, type Estimated } from './estimate.ts'
import { benjaminiHochberg, holm } from './multiple.ts'
import { countsAs } from './outcomes.ts'
import { passHatEstimate } from './passk.ts'
import { fisher, fisherFloor, mcnemar, type McNemar } from './significance.ts'

/** When a task counts as passed: c > n/2 (a tie is not estimable), c = n, or pass^k at least `threshold`. */
export type TaskRule =
  | { readonly kind: 'majority' }
  | { readonly kind: 'all' }
  | { readonly kind: 'pass-hat'; readonly k: number; readonly threshold: number }

/** Whether a task with these counts passes under the rule, or why that cannot be said. */
export function taskPasses(
  { n, c }: { readonly n: number; readonly c: number },
  rule: TaskRule,
): Estimated<boolean> {
  requireInteger('n', n, 0)
  requireInteger('c', c, 0, n)
  if (n === 0) return notEstimable('no-trials')
  if (rule.kind === 'all') return estimable(c === n)
  if (rule.kind === 'majority') return 2 * c === n ? notEstimable('tie') : estimable(2 * c > n)
  const value = passHatEstimate(n, c, rule.k)
  return value.ok ? estimable(value.value >= rule.threshold) : value
}

/** One task before (A) and after (B). */
export type TaskPair = {
  readonly taskId: string
  readonly a: Pick<TaskCounts, 'n' | 'c'>
  readonly b: Pick<TaskCounts, 'n' | 'c'>
}

/** McNemar over tasks. `leftOut`: tasks whose verdict is not estimable on one side. */
export type TaskMcNemar = {
  readonly test: McNemar
  readonly rule: TaskRule
  readonly compared: number
  readonly leftOut: readonly string[]
}

/** McNemar over the tasks whose verdict under `rule` is estimable on both sides. */
export function taskMcNemar(pairs: readonly TaskPair[], rule: TaskRule): TaskMcNemar {
  let lost = 0
  let gained = 0
  const leftOut: string[] = []
  for (const pair of pairs) {
    const before = taskPasses(pair.a, rule)
    const after = taskPasses(pair.b, rule)
    if (!before.ok || !after.ok) leftOut.push(pair.taskId)
    else if (before.value && !after.value) lost++
    else if (!before.value && after.value) gained++
  }
  return { test: mcnemar(lost, gained), rule, compared: pairs.length - leftOut.length, leftOut }
}

/** A trial with the seed it ran under; null when nothing is known of it. */
export type SeededTrial = { readonly taskId: string; readonly seed: string | null; readonly outcome: Outcome }

/** McNemar over trials paired by task and seed. */
export type TrialMcNemar = {
  readonly test: McNemar
  readonly pairs: number
  /** Trials without a counterpart, or that count neither way under the policy. */
  readonly leftOut: number
  /** Several pairs of one task: the test treats them as independent; show the task-level sign-flip test beside it. */
  readonly treatsTrialsAsIndependent: boolean
}

/**
 * McNemar over trials of A and B that share task and seed. Refused ('no-shared-seeds') when a trial has no seed, when
 * a seed stands twice in one task of one side (which one would be its partner?), or when no seed is shared.
 */
export function trialMcNemar(
  a: readonly SeededTrial[],
  b: readonly SeededTrial[],
  policy: OutcomePolicy,
): Estimated<TrialMcNemar> {
  const before = bySeed(a)
  const after = bySeed(b)
  if (!before || !after) return notEstimable('no-shared-seeds')
  let lost = 0
  let gained = 0
  let pairs = 0
  let shared = 0
  const tasks = new Set<string>()
  for (const [key, { taskId, outcome }] of before) {
    const partner = after.get(key)
    if (!partner) continue
    shared++
    const passedBefore = countsAs(outcome, policy)
    const passesNow = countsAs(partner.outcome, policy)
    if (passedBefore === null || passesNow === null) continue
    pairs++
    tasks.add(taskId)
    if (passedBefore && !passesNow) lost++
    if (!passedBefore && passesNow) gained++
  }
  if (shared === 0) return notEstimable('no-shared-seeds')
  return estimable({
    test: mcnemar(lost, gained),
    pairs,
    leftOut: a.length + b.length - 2 * pairs,
    treatsTrialsAsIndependent: pairs > tasks.size,
  })
}

function bySeed(trials: readonly SeededTrial[]): Map<string, SeededTrial> | null {
  const found = new Map<string, SeededTrial>()
  for (const trial of trials) {
    const key = JSON.stringify([trial.taskId, trial.seed])
    if (trial.seed === null || found.has(key)) return null
    found.set(key, trial)
  }
  return found
}

/** One task's regression test: `p` is one Fisher test, two-sided; `adjusted` accounts for all m tasks. */
export type TaskRegression = {
  readonly taskId: string
  readonly difference: number
  readonly p: number
  readonly adjusted: number
  /** The smallest p these numbers of trials can give. */
  readonly floor: number
}

/** Regression tests of all tasks, worst first. */
export type Regressions = {
  readonly correction: 'holm' | 'benjamini-hochberg'
  /** Number of tests. */
  readonly m: number
  readonly tasks: readonly TaskRegression[]
  readonly leftOut: readonly string[]
  /** The smallest adjusted p that any task could reach here; above 0.05 an empty table says nothing. */
  readonly adjustedFloor: number
}

/** Fisher's test per task with a correction for all of them: Holm for a release gate, BH for exploring. */
export function taskRegressions(
  pairs: readonly TaskPair[],
  correction: Regressions['correction'] = 'holm',
): Regressions {
  const tested = pairs.filter(({ a, b }) => a.n > 0 && b.n > 0)
  const tests = tested.map(({ a, b }) => fisher(a.c, a.n - a.c, b.c, b.n - b.c).twoSided)
  const adjust = correction === 'holm' ? holm : benjaminiHochberg
  const adjusted = adjust(tests)
  const floors = tested.map(({ a, b }) => fisherFloor(a.n, b.n))
  const tasks = tested
    .map(({ taskId, a, b }, i): TaskRegression => {
      const difference = b.c / b.n - a.c / a.n
      return { taskId, difference, p: tests[i]!, adjusted: adjusted[i]!, floor: floors[i]! }
    })
    .sort((one, other) => one.adjusted - other.adjusted || one.difference - other.difference)
  return {
    correction,
    m: tested.length,
    tasks,
    leftOut: pairs.filter(({ a, b }) => a.n === 0 || b.n === 0).map(({ taskId }) => taskId),
    // The best case: every task at its own floor.
    adjustedFloor: adjust(floors).reduce((least, value) => Math.min(least, value), 1),
  }
}
