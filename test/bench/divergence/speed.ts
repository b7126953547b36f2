// Times of the analysis on one core: many small tasks, one large task, two very long trials, and how they grow. Prints
// milliseconds, and ratios to a floor in the same run (a plain pass over the same JSON), because machines differ.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Rng } from '../../../src/analysis/reliability/random.ts'
import { align } from '../../../src/analysis/divergence/align.ts'
import { OpenAnalysis } from '../../../src/analysis/divergence/analyse.ts'
import { arrange } from '../../../src/analysis/divergence/arrange.ts'
import { normaliseTrial } from '../../../src/analysis/divergence/input.ts'
import type { NormalTrial } from '../../../src/analysis/divergence/input.ts'
import { permutationTest } from '../../../src/analysis/divergence/permutation.ts'
import { prepare } from '../../../src/analysis/divergence/prepare.ts'
import { Scoring } from '../../../src/analysis/divergence/score.ts'
import type { Trial } from '../../../src/model/trial.ts'
import { toTrial } from './convert.ts'
import type { CompactStep } from './convert.ts'
import { line } from './families.ts'
import { chance, hash, noiseFields } from './generate.ts'

/** A task of a given size: half of the trials fail by one wrong argument; `stray` is the rate of stray reads. */
export function largeTask(seed: number, trials: number, steps: number, stray: number): Trial[] {
  const rng = new Rng(seed, 'speed')
  const wrongAt = Math.floor(steps * 0.4)
  return Array.from({ length: trials }, (_, r) => {
    const isPass = r % 2 === 0
    const list: CompactStep[] = [{ kind: 'user', text: 'Please do it.' }]
    let value = `v${seed}`
    for (let i = 0; i < steps; i++) {
      if (chance(rng, stray))
        list.push(call('lookup_extra', { q: `probe-${rng.below(100000)}` }, { hits: 1 }, rng))
      const isWrite = i % 7 === 6
      const tool = isWrite ? `update_item${i % 5}` : `get_item${i % 11}`
      const wrong = !isPass && i === wrongAt
      const args = { id: `item-${i}`, from: wrong ? `${value}x` : value }
      const out = { value: `v${hash(`${seed}${i}${args.from}`) % 1000000}`, state: 'ok', rank: i }
      if (i % 3 === 0) value = out.value
      // An optional read that is left out; what it would have told goes on being used.
      if (stray > 0 && !isWrite && chance(rng, 0.02)) continue
      list.push(call(tool, args, out, rng))
    }
    list.push({ kind: 'final', text: `Done: ${value}` })
    return toTrial(list, isPass ? 'pass' : 'fail')
  })
}

function call(
  tool: string,
  args: { [key: string]: string },
  out: { [key: string]: string | number },
  rng: Rng,
): CompactStep {
  return { kind: 'tool', tool, args, obs: { ...out, ...noiseFields(rng) }, error: null }
}

/** Milliseconds of the parts of one analysis. */
export type Parts = {
  normalise: number
  prepare: number
  arrange: number
  align: number
  columns: number
  first: number
  all: number
  permutation: number
  steps: number
  columnCount: number
}

/** Times the parts of the analysis of one task. */
export function timeParts(trials: readonly Trial[]): Parts {
  const isPass = trials.map((trial) => trial.outcome === 'pass')
  const clock = new Clock()
  const normal = trials.map(normaliseTrial)
  const normalise = clock.lap()
  const prepared = prepare(normal, isPass)
  const prepareMs = clock.lap()
  const rows = prepared.rows.map(arrange)
  const arrangeMs = clock.lap()
  const alignment = align(prepared, rows)
  const alignMs = clock.lap()
  const scoring = new Scoring(prepared, rows, alignment, undefined)
  const columns = clock.lap()
  const { failing } = scoring.scene
  if (failing[0] !== undefined) scoring.of(failing[0])
  const first = clock.lap()
  for (const row of failing) scoring.of(row)
  const all = clock.lap()
  permutationTest(prepared, alignment)
  return {
    normalise,
    prepare: prepareMs,
    arrange: arrangeMs,
    align: alignMs,
    columns,
    first,
    all,
    permutation: clock.lap(),
    steps: trials.reduce((sum, trial) => sum + trial.steps.length, 0),
    columnCount: alignment.columnCount,
  }
}

/** Processor time of this process: on a shared machine the wall clock measures the neighbours. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** A stopwatch of processor time, in milliseconds. */
export class Clock {
  #from = cpuMs()

  /** Milliseconds since the last lap. */
  lap(): number {
    const now = cpuMs()
    const passed = now - this.#from
    this.#from = now
    return passed
  }
}

function median(parts: readonly Parts[]): Parts {
  const middle = (key: keyof Parts): number =>
    parts.map((part) => part[key]).sort((a, b) => a - b)[parts.length >> 1]!
  const keys = Object.keys(parts[0]!) as (keyof Parts)[]
  return Object.fromEntries(keys.map((key) => [key, middle(key)])) as Parts
}

/** Processor milliseconds of every part; `growth` are exponents, `memoryMb` what two long trials take. */
export type SpeedReport = {
  readonly large: { readonly [noise: string]: Parts & { readonly floor: number } }
  readonly manyTasks: ReturnType<typeof manyTasks>
  readonly growth: ReturnType<typeof growth>
  readonly long: ReturnType<typeof longTrials>
}

/** The whole suite; `repeats` runs of each case, medians. */
export function speedSuite(repeats = 5): SpeedReport {
  const large: { [noise: string]: Parts & { floor: number } } = {}
  for (const [name, stray] of [
    ['low noise', 0],
    ['moderate noise', 0.02],
    ['heavy noise', 0.08],
  ] as const) {
    const trials = largeTask(1, 200, 400, stray)
    timeParts(trials)
    const parts = median(Array.from({ length: repeats }, () => timeParts(trials)))
    const shown = parts.arrange + parts.align + parts.columns + parts.first
    line(
      `200 trials × 400 steps, ${name} (${parts.columnCount} columns): columns and one failing trial ${ms(shown)}, all ${ms(shown + parts.all)}, permutation ${ms(parts.permutation)}`,
    )
    line(partsLine(parts))
    large[name] = { ...parts, floor: roundTrip(trials) }
  }
  return { large, manyTasks: manyTasks(), growth: growth(), long: longTrials() }
}

function partsLine(parts: Parts): string {
  const perStep = (1000 * (parts.normalise + parts.prepare)) / (parts.steps / 2)
  return `  normalise ${ms(parts.normalise)} + prepare ${ms(parts.prepare)} (${perStep.toFixed(1)} µs a call) · arrange ${ms(parts.arrange)} · align ${ms(parts.align)} · columns ${ms(parts.columns)} · first ${ms(parts.first)} · rest ${ms(parts.all)}`
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`
}

/** 1,000 tasks of 10 trials and 50 steps: without normalisation, and a floor: one JSON pass over the same trials. */
function manyTasks(): {
  normalised: number
  prepared: number
  analysed: number
  permuted: number
  floor: number
} {
  let normalised = 0
  let prepared = 0
  let analysed = 0
  let permuted = 0
  let floor = 0
  for (let task = 0; task < 1000; task++) {
    const trials = largeTask(task, 10, 50, 0.02)
    const clock = new Clock()
    JSON.stringify(JSON.parse(JSON.stringify(trials)))
    floor += clock.lap()
    const parts = timeParts(trials)
    normalised += parts.normalise
    prepared += parts.prepare
    analysed += parts.arrange + parts.align + parts.columns + parts.first + parts.all
    permuted += parts.permutation
  }
  line(
    `1,000 tasks × 10 × 50: without normalisation ${ms(analysed)} (${(analysed / floor).toFixed(2)} × a JSON round trip), permutation ${ms(permuted)}, normalise ${ms(normalised)}, prepare ${ms(prepared)}`,
  )
  return { normalised, prepared, analysed, permuted, floor }
}

/** Exponents of growth with tasks, with the trials of a task, and with steps per trial, from a fourfold size. */
function growth(): { tasks: number; trials: number; steps: number } {
  const shown = (parts: Parts): number =>
    parts.arrange + parts.align + parts.columns + parts.first + parts.all
  const time = (trials: number, steps: number): number => {
    const task = largeTask(7, trials, steps, 0.02)
    timeParts(task)
    return shown(median([timeParts(task), timeParts(task), timeParts(task)]))
  }
  const many = (tasks: number): number => {
    let total = 0
    for (let seed = 0; seed < tasks; seed++) total += shown(timeParts(largeTask(seed, 10, 50, 0.02)))
    return total
  }
  many(20)
  const tasks = Math.log2(many(400) / many(100)) / 2
  const trials = Math.log2(time(160, 100) / time(40, 100)) / 2
  const steps = Math.log2(time(20, 800) / time(20, 200)) / 2
  line(`growth: tasks^${tasks.toFixed(2)}, trials^${trials.toFixed(2)}, steps^${steps.toFixed(2)}`)
  return { tasks, trials, steps }
}

/** Two trials of 2,000 steps that have next to nothing in common but their tools. */
function longTrials(): { aligned: number; finished: number; floor: number; memoryMb: number } {
  const trials = [
    ...largeTask(1, 1, 2000, 0).map((trial) => ({ ...trial, outcome: 'pass' as const })),
    ...largeTask(2, 1, 2000, 0).map((trial) => ({ ...trial, outcome: 'fail' as const })),
  ]
  const normal: NormalTrial[] = trials.map(normaliseTrial)
  const inputs = trials.map((trial, i) => ({ id: `t${i}`, trial, normal: normal[i]! }))
  const clock = new Clock()
  const analysis = new OpenAnalysis(inputs)
  const aligned = clock.lap()
  analysis.finish()
  const finished = clock.lap()
  const memoryMb = peakMemory(inputs)
  line(
    `2 trials × 2,000 steps: aligned in ${ms(aligned)}, finished in ${ms(finished)} more, ${memoryMb.toFixed(0)} MB more at the peak`,
  )
  return { aligned, finished, floor: roundTrip(trials), memoryMb }
}

/**
 * What a process of its own takes for an analysis beyond what it had before, at the peak, in megabytes. Its nursery is
 * kept at 8 MB: else most of what is measured is garbage that nobody needed to collect yet.
 */
function peakMemory(inputs: readonly object[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-bench-'))
  try {
    const path = join(folder, 'inputs.json')
    writeFileSync(path, JSON.stringify(inputs))
    const child = join(import.meta.dirname, 'peak.ts')
    const out = execFileSync(
      process.execPath,
      ['--no-warnings', '--expose-gc', '--max-semi-space-size=8', child, path],
      {
        encoding: 'utf8',
      },
    )
    return (JSON.parse(out) as { readonly mb: number }).mb
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The floor: one JSON round trip of the same trials. */
function roundTrip(trials: readonly Trial[]): number {
  const clock = new Clock()
  JSON.stringify(JSON.parse(JSON.stringify(trials)))
  return clock.lap()
}
