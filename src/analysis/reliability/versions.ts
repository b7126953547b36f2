// Two versions of a system over the same tasks, whole (methods.md A5.6, A8, A9): per task the difference of rates with
// its interval, over tasks the paired bootstrap and the sign-flip test, McNemar under a stated rule, and which tasks
// got worse after a correction for all of them. Joins paired.ts and regression.ts; runs in a worker (it resamples).

import type { OutcomePolicy } from '../../model/outcome.ts'
import { headlineKs, macroAtK, taskValues, type AggregateAtK, type TaskCounts } from './aggregate.ts'
import type { Estimated } from './estimate.ts'
import { DEFAULT_SEED } from './random.ts'
import { comparePaired, type PairedComparison } from './paired.ts'
import {
  taskMcNemar,
  taskRegressions,
  trialMcNemar,
  type Regressions,
  type SeededTrial,
  type TaskMcNemar,
  type TaskPair,
  type TaskRule,
  type TrialMcNemar,
} from './regression.ts'
import { rateDifference, type RateDifference } from './significance.ts'

/** What is compared: tasks that both versions list, and the trials of both sides in them. */
export type VersionsInput = {
  readonly pairs: readonly TaskPair[]
  readonly trialsA: readonly SeededTrial[]
  readonly trialsB: readonly SeededTrial[]
  readonly policy: OutcomePolicy
  readonly rule: TaskRule
  readonly correction: Regressions['correction']
  /** A k that a person chose, besides the usual ones; null for none. */
  readonly exposure: number | null
  readonly confidence: number
  readonly seed?: number
  readonly resamples?: number
}

/** The mean pass^k of both sides over the compared tasks, and their paired difference (B − A). */
export type VersionsAtK = {
  readonly k: number
  readonly a: AggregateAtK
  readonly b: AggregateAtK
  readonly paired: PairedComparison
}

/** One task: B − A with Newcombe's interval. It is certain when the interval does not hold 0. */
export type VersionTask = {
  readonly taskId: string
  readonly difference: Estimated<RateDifference & { readonly isCertain: boolean }>
}

/** Everything that can be said of B against A. `seed` is that of every figure by resampling. */
export type Versions = {
  readonly tasks: readonly VersionTask[]
  readonly atK: readonly VersionsAtK[]
  readonly mcnemar: TaskMcNemar
  readonly trials: Estimated<TrialMcNemar>
  readonly regressions: Regressions
  /** What `--fail-on regression` asks: tasks that got worse after the correction, and the mean by the sign-flip test. */
  readonly worse: { readonly taskIds: readonly string[]; readonly overall: boolean }
}

/** Below this an adjusted p, or the sign-flip p of the mean pass^1, is called a regression. */
export const REGRESSION_P = 0.05

/** Compares B with A. RangeError for impossible counts, k < 1 or a confidence outside of (0, 1). */
export function compareVersions(input: VersionsInput): Versions {
  const { pairs, confidence } = input
  const side = (of: 'a' | 'b'): readonly TaskCounts[] =>
    pairs.map((pair) => ({ taskId: pair.taskId, n: pair[of].n, c: pair[of].c }))
  const a = side('a')
  const b = side('b')
  const options = {
    seed: input.seed ?? DEFAULT_SEED,
    confidence,
    ...(input.resamples === undefined ? {} : { resamples: input.resamples }),
  }
  const atK = sharedKs(a, b, input.exposure).map((k): VersionsAtK => {
    const valuesA = taskValues(a, k, 'pass-hat')
    const valuesB = taskValues(b, k, 'pass-hat')
    const tasks = pairs.map(({ taskId }, i) => ({ taskId, a: valuesA[i]!, b: valuesB[i]! }))
    return {
      k,
      a: macroAtK(a, k, 'pass-hat'),
      b: macroAtK(b, k, 'pass-hat'),
      paired: comparePaired(tasks, options),
    }
  })
  const regressions = taskRegressions(pairs, input.correction)
  return {
    tasks: pairs.map((pair) => ({ taskId: pair.taskId, difference: differenceOf(pair, confidence) })),
    atK,
    mcnemar: taskMcNemar(pairs, input.rule),
    trials: trialMcNemar(input.trialsA, input.trialsB, input.policy),
    regressions,
    worse: {
      taskIds: regressions.tasks
        .filter(({ adjusted, difference }) => adjusted < REGRESSION_P && difference < 0)
        .map(({ taskId }) => taskId),
      overall: isWorse(atK[0]),
    },
  }
}

/** k = 1, and those of the usual ones that at least half of the tasks have on both sides, in rising order. */
function sharedKs(
  a: readonly TaskCounts[],
  b: readonly TaskCounts[],
  exposure: number | null,
): readonly number[] {
  const both = new Set(headlineKs(b, exposure))
  const ks = new Set([1, ...headlineKs(a, exposure).filter((k) => both.has(k))])
  // What a person asked for is answered, if only by the reason why it cannot be had.
  if (exposure !== null) ks.add(exposure)
  return [...ks].sort((x, y) => x - y)
}

function differenceOf({ a, b }: TaskPair, confidence: number): VersionTask['difference'] {
  const found = rateDifference(b.c, b.n, a.c, a.n, confidence)
  if (!found.ok) return found
  const { lower, upper } = found.value.interval
  return { ok: true, value: { ...found.value, isCertain: lower > 0 || upper < 0 } }
}

function isWorse(at: VersionsAtK | undefined): boolean {
  const estimate = at?.paired.difference.estimate
  return (
    at !== undefined && estimate?.ok === true && estimate.value < 0 && at.paired.signFlip.p < REGRESSION_P
  )
}
