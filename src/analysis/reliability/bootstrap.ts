// The task bootstrap (methods.md A5.2, A5.3): how far a suite's mean would move with other tasks of the same kind.
// Tasks are drawn with replacement; percentile and BCa intervals come from the same replicates, a Student interval
// from the task values. All columns of one call (for instance ten values of k) share the draws, and tasks that are
// alike in every column are counted together, so that cost does not grow with columns times tasks.
// Sources: Efron (1987) for BCa. Bounds below 3 tasks are refused: the bootstrap cannot see what it has not drawn.

import {
  estimable,
  notEstimable,
  requireConfidence,
  type Estimate,
  type Estimated,
  type Interval,
  type Resampling,
} from './estimate.ts'
import { normalCdf, normalQuantile, studentQuantile } from './normal.ts'
import { DEFAULT_RESAMPLES, DEFAULT_SEED, resampling, Rng } from './random.ts'
import { mean, sampleDeviation, sum } from './sums.ts'

/** `few-tasks`: below 20. `all-tasks-equal`: the interval is a point because resampling saw no difference; show the
 * tasks' own intervals for p^k. `bca-unavailable`: all replicates on one side, the percentile interval stands in. */
export type BootstrapNote = 'few-tasks' | 'all-tasks-equal' | 'bca-unavailable'

/** The bootstrap of one mean over tasks. `headline` is the interval to show; the others stand in "how computed". */
export type TaskBootstrap = {
  readonly estimate: Estimate
  readonly tasks: number
  readonly headline: Estimated<Interval>
  readonly percentile: Estimated<Interval>
  readonly bca: Estimated<Interval>
  readonly student: Estimated<Interval>
  /** Bias correction and acceleration of BCa, and the deviation of the replicates. */
  readonly z0: Estimate
  readonly acceleration: Estimate
  readonly standardError: Estimate
  readonly notes: readonly BootstrapNote[]
  readonly resampling: Resampling
}

/** `range` clips the Student interval to what the figure can be; null leaves it. Weights: one per task, ≥ 0. */
export type BootstrapOptions = {
  readonly seed?: number
  readonly stream?: string
  readonly resamples?: number
  readonly confidence?: number
  readonly weights?: readonly number[]
  readonly range?: readonly [number, number] | null
}

const LEAST_TASKS = 3
const BCA_TASKS = 10
const FEW_TASKS = 20
/** Replicates this close to the estimate are ties (pass^k has many: they come from equal tasks, not from rounding). */
const TIE = 1e-12

/** The bootstrap of the mean of one value per task. RangeError for values or weights that are not finite. */
export function taskBootstrap(values: readonly number[], options: BootstrapOptions = {}): TaskBootstrap {
  return taskBootstrapColumns([values], options)[0]!
}

/**
 * The bootstrap of several means over the same tasks, from the same draws: `columns[j][i]` is the value of task i in
 * column j; all columns have the same length.
 */
export function taskBootstrapColumns(
  columns: readonly (readonly number[])[],
  options: BootstrapOptions = {},
): readonly TaskBootstrap[] {
  const {
    seed = DEFAULT_SEED,
    stream = 'task-bootstrap',
    resamples = DEFAULT_RESAMPLES,
    confidence = 0.95,
  } = options
  requireConfidence(confidence)
  const stamp = resampling(seed, stream, resamples)
  const range = options.range === undefined ? ([0, 1] as const) : options.range
  const groups = groupTasks(columns, options.weights)
  if (groups.tasks < LEAST_TASKS) return columns.map((_, j) => tooFew(groups, j, stamp))
  const replicates = drawReplicates(groups, columns.length, new Rng(seed, stream), resamples)
  return replicates.map((drawn, j) => summarise(groups, j, drawn, confidence, range, stamp))
}

/** Tasks that are alike in weight and in every column, as one group. `values[j][g]`: the value of group g. */
type Groups = {
  readonly tasks: number
  readonly groupOf: Int32Array
  readonly sizes: readonly number[]
  readonly weights: readonly number[]
  readonly values: readonly (readonly number[])[]
}

function groupTasks(columns: readonly (readonly number[])[], weights: readonly number[] | undefined): Groups {
  const length = columns[0]?.length ?? 0
  if (columns.some((column) => column.length !== length) || (weights && weights.length !== length)) {
    throw new RangeError('Every column and the weights need one entry per task')
  }
  const numbers = new Map<string, number>()
  const groupOf: number[] = []
  const sizes: number[] = []
  const groupWeights: number[] = []
  const values: number[][] = columns.map(() => [])
  for (let i = 0; i < length; i++) {
    const weight = weights?.[i] ?? 1
    const row = columns.map((column) => column[i]!)
    if (!(weight >= 0 && weight < Infinity) || !row.every(Number.isFinite)) {
      throw new RangeError('Task values must be finite and weights at least 0')
    }
    // A task without weight cannot move a weighted mean: it is not among the tasks drawn.
    if (weight === 0) continue
    const key = `${weight} ${row.join(' ')}`
    let group = numbers.get(key)
    if (group === undefined) {
      group = sizes.length
      numbers.set(key, group)
      sizes.push(0)
      groupWeights.push(weight)
      for (const [j, value] of row.entries()) values[j]!.push(value)
    }
    sizes[group]!++
    groupOf.push(group)
  }
  return { tasks: groupOf.length, groupOf: Int32Array.from(groupOf), sizes, weights: groupWeights, values }
}

/** Draws T task indices `resamples` times, in order, and takes the (weighted) mean of every column each time. */
function drawReplicates(groups: Groups, columns: number, rng: Rng, resamples: number): Float64Array[] {
  const { tasks, groupOf, sizes, weights, values } = groups
  const groupCount = sizes.length
  const out = Array.from({ length: columns }, () => new Float64Array(resamples))
  const products = Float64Array.from(
    { length: columns * groupCount },
    (_, at) => weights[at % groupCount]! * values[Math.floor(at / groupCount)]![at % groupCount]!,
  )
  const draw = new Int32Array(tasks)
  const counts = new Int32Array(groupCount)
  for (let b = 0; b < resamples; b++) {
    rng.fillBelow(draw, tasks)
    counts.fill(0)
    for (let i = 0; i < tasks; i++) counts[groupOf[draw[i]!]!]!++
    let weight = 0
    for (let g = 0; g < groupCount; g++) weight += counts[g]! * weights[g]!
    for (let j = 0; j < columns; j++) {
      let total = 0
      for (let g = 0, at = j * groupCount; g < groupCount; g++, at++) total += counts[g]! * products[at]!
      out[j]![b] = total / weight
    }
  }
  return out
}

function groupMean(groups: Groups, j: number): number {
  const weights = groups.sizes.map((size, g) => size * groups.weights[g]!)
  return sum(weights.map((weight, g) => weight * groups.values[j]![g]!)) / sum(weights)
}

function tooFew(groups: Groups, j: number, stamp: Resampling): TaskBootstrap {
  const none = notEstimable(groups.tasks === 0 ? 'no-tasks' : 'too-few-tasks')
  return {
    estimate: groups.tasks === 0 ? none : estimable(groupMean(groups, j)),
    tasks: groups.tasks,
    headline: none,
    percentile: none,
    bca: none,
    student: none,
    z0: none,
    acceleration: none,
    standardError: none,
    notes: ['few-tasks'],
    resampling: stamp,
  }
}

function summarise(
  groups: Groups,
  j: number,
  drawn: Float64Array,
  confidence: number,
  range: readonly [number, number] | null,
  stamp: Resampling,
): TaskBootstrap {
  const alpha = 1 - confidence
  const estimate = groupMean(groups, j)
  const isConstant = groups.values[j]!.every((value) => value === groups.values[j]![0])
  // Equal tasks: every replicate is that value, up to the rounding of count times value.
  if (isConstant) drawn.fill(estimate)
  const standardError = sampleDeviation(drawn)
  const sorted = drawn.sort()
  const interval = (limits: readonly [number, number], method: Interval['method']): Estimated<Interval> =>
    estimable({
      lower: limits[0],
      upper: limits[1],
      confidence,
      method,
      resampling: method === 'student-t' ? null : stamp,
    })
  const percentile = interval(orderLimits(sorted, alpha / 2, 1 - alpha / 2), 'percentile')
  const student = interval(studentLimits(groups, j, estimate, confidence, range), 'student-t')
  const levels = bcaLevels(groups, j, sorted, estimate, alpha)
  const bca = levels
    ? interval(orderLimits(sorted, levels.low, levels.high), 'bca')
    : notEstimable('one-sided-replicates')
  const notes: BootstrapNote[] = []
  if (groups.tasks < FEW_TASKS) notes.push('few-tasks')
  if (isConstant) notes.push('all-tasks-equal')
  if (!levels) notes.push('bca-unavailable')
  return {
    estimate: estimable(estimate),
    tasks: groups.tasks,
    headline: groups.tasks < BCA_TASKS ? student : bca.ok ? bca : percentile,
    percentile,
    bca,
    student,
    z0: levels ? estimable(levels.z0) : notEstimable('one-sided-replicates'),
    acceleration: levels ? estimable(levels.acceleration) : notEstimable('one-sided-replicates'),
    standardError: estimable(standardError),
    notes,
    resampling: stamp,
  }
}

/** The order statistics at levels `low` and `high`: sorted[⌊B·low⌋] and sorted[⌈B·high⌉ − 1]. */
export function orderLimits(sorted: Float64Array, low: number, high: number): readonly [number, number] {
  const last = sorted.length - 1
  const at = (index: number): number => sorted[Math.min(last, Math.max(0, index))]!
  return [at(Math.floor(sorted.length * low + 1e-9)), at(Math.ceil(sorted.length * high - 1e-9) - 1)]
}

function studentLimits(
  groups: Groups,
  j: number,
  estimate: number,
  confidence: number,
  range: readonly [number, number] | null,
): readonly [number, number] {
  const { tasks, sizes, weights, values } = groups
  // With equal weights this is s/√T; with others the usual linearised error of a weighted mean.
  const squares = sum(values[j]!.map((value, g) => sizes[g]! * (weights[g]! * (value - estimate)) ** 2))
  const weight = sum(sizes.map((size, g) => size * weights[g]!))
  const error = (Math.sqrt(squares) / weight) * Math.sqrt(tasks / (tasks - 1))
  const half = studentQuantile(1 - (1 - confidence) / 2, tasks - 1) * error
  const [least, most] = range ?? [-Infinity, Infinity]
  return [Math.max(least, estimate - half), Math.min(most, estimate + half)]
}

/** The levels at which BCa reads the replicates; null when all of them lie on one side of the estimate. */
function bcaLevels(
  groups: Groups,
  j: number,
  sorted: Float64Array,
  estimate: number,
  alpha: number,
): { low: number; high: number; z0: number; acceleration: number } | null {
  const tolerance = TIE * Math.max(1, Math.abs(estimate))
  let below = 0
  let ties = 0
  for (const value of sorted) {
    if (value < estimate - tolerance) below++
    else if (value <= estimate + tolerance) ties++
    else break
  }
  const share = (below + 0.5 * ties) / sorted.length
  if (share <= 0 || share >= 1) return null
  const z0 = normalQuantile(share)
  const acceleration = jackknifeAcceleration(groups, j)
  const level = (q: number): number => {
    const z = z0 + normalQuantile(q)
    const scale = 1 - acceleration * z
    // Past the pole the correction has no meaning; NaN is caught below and ends in the percentile interval.
    return scale > 0 ? normalCdf(z0 + z / scale) : Number.NaN
  }
  const low = level(alpha / 2)
  const high = level(1 - alpha / 2)
  return Number.isNaN(low) || Number.isNaN(high) ? null : { low, high, z0, acceleration }
}

/** Σd³/(6(Σd²)^1.5) over the means without one task; 0 when all of those are equal. */
function jackknifeAcceleration(groups: Groups, j: number): number {
  const { tasks, sizes, weights } = groups
  const values = groups.values[j]!
  const products = sum(values.map((value, g) => sizes[g]! * weights[g]! * value))
  const weight = sum(weights.map((w, g) => sizes[g]! * w))
  const without = values.map((value, g) => (products - weights[g]! * value) / (weight - weights[g]!))
  const centre = sum(without.map((value, g) => sizes[g]! * value)) / tasks
  const squares = sum(without.map((value, g) => sizes[g]! * (centre - value) ** 2))
  const cubes = sum(without.map((value, g) => sizes[g]! * (centre - value) ** 3))
  // Equal tasks leave only rounding, whose skewness means nothing.
  const isFlat = squares <= (1e-14 * Math.max(1, Math.abs(mean(without)))) ** 2 * tasks
  return isFlat ? 0 : cubes / (6 * squares ** 1.5)
}
