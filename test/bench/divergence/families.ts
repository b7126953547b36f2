// The main suite: ranks of the planted step in generated cases of one family, with baselines on request, as figures and
// as printed tables.

import type { Trial } from '../../../src/model/trial.ts'
import type { TaskAnalysis } from '../../../src/model/analysis.ts'
import { analyseTask, OpenAnalysis } from '../../../src/analysis/divergence/analyse.ts'
import { poolNoise } from '../../../src/analysis/divergence/novelty.ts'
import type { AnalysisOptions, TrialInput } from '../../../src/analysis/divergence/options.ts'
import { BASELINES } from './baselines.ts'
import { makeCase } from './cases.ts'
import type { Family } from './cases.ts'
import { toTrial } from './convert.ts'
import type { Case } from './generate.ts'
import { baselineRows, calibrationOf, figuresBy, figuresOf, rowsOf } from './metrics.ts'
import type { Bin, Figures, Row } from './metrics.ts'

/** What to run. */
export type FamilyRun = {
  readonly family: Family
  readonly from: number
  readonly count: number
  readonly isPooled: boolean
  readonly withBaselines: boolean
}

/** What came out. */
export type FamilyReport = {
  readonly figures: Figures
  readonly perCause: Record<string, Figures>
  readonly perCounts: Record<string, Figures>
  readonly calibration: readonly Bin[]
  readonly baselines: Record<string, Figures>
  readonly rows: readonly Row[]
}

/** The trials of a case as the analysis takes them: no slots, no labels. */
export function inputsOf(made: Case): TrialInput<Trial>[] {
  return made.trials.map((trial) => ({
    id: trial.id,
    trial: toTrial(trial.steps, trial.pass ? 'pass' : 'fail', `${made.family}-${made.seed}`),
  }))
}

/** The analysis of a case. */
export function analyseCase(made: Case, options: AnalysisOptions = {}): TaskAnalysis {
  return analyseTask(inputsOf(made), options)
}

/** Runs the cases `from` … `from + count - 1` and prints the figures. */
export function familySuite(run: FamilyRun): FamilyReport {
  const seeds = Array.from({ length: run.count }, (_, i) => run.from + i)
  const make = (seed: number): Case => makeCase(seed, { family: run.family })
  const options: AnalysisOptions = run.isPooled
    ? { pooled: poolNoise(seeds.map((seed) => new OpenAnalysis(inputsOf(make(seed))).noise())) }
    : {}
  const rows: Row[] = []
  const inOrder: Row[] = []
  const baseline: Record<string, Row[]> = {}
  for (const seed of seeds) {
    const made = make(seed)
    const analysis = analyseCase(made, options)
    rows.push(...rowsOf(made, analysis))
    inOrder.push(...rowsOf(made, analysis, true))
    if (!run.withBaselines) continue
    for (const [name, rank] of Object.entries(BASELINES))
      (baseline[name] ??= []).push(...baselineRows(made, rank))
  }
  const baselines: Record<string, Figures> = { 'first normalised divergence': figuresOf(inOrder) }
  for (const [name, ranked] of Object.entries(baseline)) baselines[name] = figuresOf(ranked)
  const report: FamilyReport = {
    figures: figuresOf(rows),
    perCause: figuresBy(rows, (row) => row.cause),
    perCounts: figuresBy(rows, (row) => `(${row.passing},${row.failing})`),
    calibration: calibrationOf(rows),
    baselines,
    rows,
  }
  print(run, report)
  return report
}

function print(run: FamilyRun, report: FamilyReport): void {
  const pooled = run.isPooled ? ', pooled noise rates' : ''
  line(`${run.family}, seeds ${run.from}–${run.from + run.count - 1}${pooled}`)
  line(figuresLine('Faultline', report.figures))
  for (const [name, figures] of Object.entries(report.baselines)) line(figuresLine(name, figures))
  line('per cause')
  for (const [name, figures] of Object.entries(report.perCause)) line(figuresLine(name, figures))
  line('stated probability → observed')
  for (const bin of report.calibration) {
    line(`  ≥ ${bin.from.toFixed(2)}  ${bin.stated.toFixed(3)} → ${bin.observed.toFixed(3)}  (${bin.rows})`)
  }
}

function figuresLine(name: string, figures: Figures): string {
  const range =
    figures.top1High < 1 ? `  [${figures.top1Low.toFixed(3)}, ${figures.top1High.toFixed(3)}]` : ''
  return `  ${name.padEnd(34)} ${figures.top1.toFixed(3)} / ${figures.top3.toFixed(3)}  mrr ${figures.mrr.toFixed(3)}${range}  n=${figures.rows}`
}

/** Prints one line. */
export function line(text: string): void {
  process.stdout.write(`${text}\n`)
}
