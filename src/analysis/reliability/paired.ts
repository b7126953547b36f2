// Two systems on the same tasks (methods.md A5.6): the mean difference of their task values, its bootstrap interval,
// and the sign-flip permutation test of "no difference". Only tasks present and estimable in both are compared; the
// others are named. Interval and test are both printed: at the edge, with few tasks, they may disagree.

import { taskBootstrap, type BootstrapOptions, type TaskBootstrap } from './bootstrap.ts'
import type { Estimate, Resampling } from './estimate.ts'
import { DEFAULT_SEED, resampling, Rng } from './random.ts'
import { sum } from './sums.ts'

/** One task's value under A and under B (for instance pass^2 of each). */
export type PairedTask = { readonly taskId: string; readonly a: Estimate; readonly b: Estimate }

/** A two-sided permutation p-value; `resampling` is null when all sign patterns were counted. */
export type SignFlip = {
  readonly p: number
  /** The smallest p this many non-zero differences could give. */
  readonly floor: number
  readonly nonZero: number
  readonly isExact: boolean
  readonly resampling: Resampling | null
}

/** B compared with A. `leftOut`: tasks without a value on one side, in the order given. */
export type PairedComparison = {
  readonly difference: TaskBootstrap
  readonly signFlip: SignFlip
  readonly compared: number
  readonly leftOut: readonly string[]
}

/** Compares B with A over the tasks that both have (differences are b − a; stream "paired-bootstrap"). */
export function comparePaired(
  tasks: readonly PairedTask[],
  options: Pick<BootstrapOptions, 'seed' | 'resamples' | 'confidence'> = {},
): PairedComparison {
  const differences: number[] = []
  const leftOut: string[] = []
  for (const { taskId, a, b } of tasks) {
    if (a.ok && b.ok) differences.push(b.value - a.value)
    else leftOut.push(taskId)
  }
  return {
    difference: taskBootstrap(differences, { ...options, stream: 'paired-bootstrap', range: [-1, 1] }),
    signFlip: signFlip(differences, options.seed),
    compared: differences.length,
    leftOut,
  }
}

const EXACT_DIFFERENCES = 20
const RANDOM_FLIPS = 100_000

/**
 * Sign-flip test on task differences: how often random signs give a sum at least as far from 0. Exact over all
 * 2^m sign patterns for m ≤ 20 non-zero differences, else 100,000 random ones with p = (hits + 1)/(B + 1).
 * p = 1 when all differences are 0.
 */
export function signFlip(differences: readonly number[], seed = DEFAULT_SEED): SignFlip {
  const nonZero = differences.filter((difference) => difference !== 0)
  const m = nonZero.length
  if (m === 0) return { p: 1, floor: 1, nonZero: 0, isExact: true, resampling: null }
  // Sums that are equal in exact arithmetic must count as equal.
  const observed = Math.abs(sum(nonZero)) - 1e-12 * Math.max(1, sum(nonZero.map(Math.abs)))
  if (m <= EXACT_DIFFERENCES) {
    return {
      p: exactFlips(nonZero, observed),
      floor: 2 ** (1 - m),
      nonZero: m,
      isExact: true,
      resampling: null,
    }
  }
  return {
    p: (randomFlips(nonZero, observed, seed) + 1) / (RANDOM_FLIPS + 1),
    floor: 1 / (RANDOM_FLIPS + 1),
    nonZero: m,
    isExact: false,
    resampling: resampling(seed, 'signflip', RANDOM_FLIPS),
  }
}

/** Share of sign patterns at least as extreme; the first sign is held, since the mirror pattern is as extreme. */
function exactFlips(differences: readonly number[], observed: number): number {
  const sums = new Float64Array(2 ** (differences.length - 1))
  sums[0] = differences[0]!
  for (let i = 1, filled = 1; i < differences.length; i++, filled *= 2) {
    const difference = differences[i]!
    for (let at = 0; at < filled; at++) {
      sums[filled + at] = sums[at]! - difference
      sums[at] = sums[at]! + difference
    }
  }
  let extreme = 0
  for (const total of sums) if (Math.abs(total) >= observed) extreme++
  return extreme / sums.length
}

/** Random sign patterns at least as extreme, 32 signs from each draw. */
function randomFlips(differences: readonly number[], observed: number, seed: number): number {
  const values = Float64Array.from(differences)
  const rng = new Rng(seed, 'signflip')
  let extreme = 0
  for (let b = 0; b < RANDOM_FLIPS; b++) {
    let total = 0
    let bits = 0
    for (let i = 0; i < values.length; i++) {
      if ((i & 31) === 0) bits = rng.u32()
      total += bits & 1 ? values[i]! : -values[i]!
      bits >>>= 1
    }
    if (Math.abs(total) >= observed) extreme++
  }
  return extreme
}
