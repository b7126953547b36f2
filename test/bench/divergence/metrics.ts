// From an analysis or a baseline to ranks of the planted step, and from ranks to the figures of a report: top-1, top-3,
// mean reciprocal rank with intervals over cases, per cause and per number of trials, and calibration.

import { Rng } from '../../../src/analysis/reliability/random.ts'
import type { Divergence, TaskAnalysis } from '../../../src/model/analysis.ts'
import type { Baseline, Place } from './baselines.ts'
import { compactIndex } from './convert.ts'
import type { Case, Label } from './generate.ts'

/** One failing trial of one case: where the planted step was ranked (0 = nowhere). */
export type Row = {
  readonly seed: number
  readonly trial: string
  readonly cause: string
  readonly passing: number
  readonly failing: number
  readonly rank: number
  readonly probability: number
  readonly pNone: number
}

/** A prediction: slots that would all be named by it, the first one being its own. */
type Prediction = readonly (string | null)[]

function isHit(prediction: Prediction, label: Label, isStop: boolean): boolean {
  const targets = [label.slot, label.alt, `stop:${label.slot}`]
  const fits = (slot: string | null): boolean =>
    slot !== null && (targets.includes(slot) || targets.includes(slot.replace(/\.(err|dup)$/, '')))
  return prediction.some(fits) || (isStop && /stop|premature/.test(label.kind ?? ''))
}

/** Rank of the first hit among distinct predictions; 0 when there is none. */
function rankOf(
  predictions: readonly { readonly slots: Prediction; readonly isStop: boolean }[],
  label: Label,
): number {
  const seen = new Set<string | null>()
  for (const { slots, isStop } of predictions) {
    const own = slots[0] ?? null
    if (seen.has(own)) continue
    seen.add(own)
    if (isHit(slots, label, isStop)) return seen.size
  }
  return 0
}

/** The hidden slots of a case, by trial id and compact step. */
function slotsOf(made: Case): ReadonlyMap<string, readonly string[]> {
  return new Map(made.trials.map((trial) => [trial.id, trial.steps.map((step) => step.slot)]))
}

function dominant(slots: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const slot of slots) counts.set(slot, (counts.get(slot) ?? 0) + 1)
  let best: string | null = null
  for (const [slot, count] of counts) if (best === null || count > counts.get(best)!) best = slot
  return best
}

function predictionOf(divergence: Divergence, slots: ReadonlyMap<string, readonly string[]>): Prediction {
  const others = dominant(
    divergence.siblings.flatMap(({ trial, step }) => slots.get(trial)?.[compactIndex(step)] ?? []),
  )
  if (divergence.step === null) return [others]
  const own = slots.get(divergence.trial)?.[compactIndex(divergence.step)] ?? null
  return divergence.kind === 'tool' ? [own, others] : [own]
}

/** The rows of a case: one per failing trial with a planted cause. */
export function rowsOf(made: Case, analysis: TaskAnalysis, inOrder = false): Row[] {
  const slots = slotsOf(made)
  return labelled(made).map(({ id, label, counts }) => {
    const finding = analysis.findings.find((candidate) => candidate.trial === id)
    const ranked = finding?.ranked ?? []
    const sorted = inOrder ? ranked.toSorted((x, y) => x.column - y.column) : ranked
    const predictions = sorted.map((divergence) => ({
      slots: predictionOf(divergence, slots),
      isStop: divergence.kind === 'termination',
    }))
    return {
      seed: made.seed,
      trial: id,
      cause: label.kind ?? '',
      ...counts,
      rank: rankOf(predictions, label),
      probability: ranked[0]?.probability ?? 0,
      pNone: finding?.pNone ?? 1,
    }
  })
}

/** The same rows for a baseline. */
export function baselineRows(made: Case, baseline: Baseline): Row[] {
  const slotAt = ({ trial, step }: Place): string | null => made.trials[trial]?.steps[step]?.slot ?? null
  return labelled(made).map(({ id, label, counts, position }) => ({
    seed: made.seed,
    trial: id,
    cause: label.kind ?? '',
    ...counts,
    rank: rankOf(
      baseline(made.trials, position).map((place) => ({ slots: [slotAt(place)], isStop: false })),
      label,
    ),
    probability: 0,
    pNone: 0,
  }))
}

function labelled(made: Case): {
  id: string
  label: Label
  position: number
  counts: { passing: number; failing: number }
}[] {
  const passing = made.trials.filter((trial) => trial.pass).length
  const counts = { passing, failing: made.trials.length - passing }
  return made.trials.flatMap((trial, position) =>
    trial.pass || trial.label === null || trial.label.slot === null || trial.label.kind === 'none'
      ? []
      : [{ id: trial.id, label: trial.label, position, counts }],
  )
}

/** Figures over rows; the interval of top-1 is a percentile bootstrap over cases. */
export type Figures = {
  readonly rows: number
  readonly top1: number
  readonly top3: number
  readonly mrr: number
  readonly top1Low: number
  readonly top1High: number
}

/** Top-1, top-3 and mean reciprocal rank of rows. */
export function figuresOf(rows: readonly Row[], resamples = 1000): Figures {
  const share = (test: (row: Row) => boolean): number => rows.filter(test).length / Math.max(1, rows.length)
  const [top1Low, top1High] = resamples > 0 ? interval(rows, resamples) : [0, 1]
  return {
    rows: rows.length,
    top1: share((row) => row.rank === 1),
    top3: share((row) => row.rank >= 1 && row.rank <= 3),
    mrr: rows.reduce((sum, row) => sum + (row.rank > 0 ? 1 / row.rank : 0), 0) / Math.max(1, rows.length),
    top1Low,
    top1High,
  }
}

function interval(rows: readonly Row[], resamples: number): [number, number] {
  const cases = [...Map.groupBy(rows, (row) => row.seed).values()].map((group) => ({
    hits: group.filter((row) => row.rank === 1).length,
    all: group.length,
  }))
  if (cases.length === 0) return [0, 1]
  const rng = new Rng(2026, 'bench')
  const means: number[] = []
  for (let b = 0; b < resamples; b++) {
    let hits = 0
    let all = 0
    for (let i = 0; i < cases.length; i++) {
      const drawn = cases[rng.below(cases.length)]!
      hits += drawn.hits
      all += drawn.all
    }
    means.push(hits / all)
  }
  means.sort((x, y) => x - y)
  return [means[Math.floor(0.025 * resamples)]!, means[Math.ceil(0.975 * resamples) - 1]!]
}

/** Figures per value of a key, in order of the key. */
export function figuresBy(rows: readonly Row[], key: (row: Row) => string): Record<string, Figures> {
  const groups = [...Map.groupBy(rows, key)].sort((a, b) => (a[0] < b[0] ? -1 : 1))
  return Object.fromEntries(groups.map(([name, group]) => [name, figuresOf(group, 0)]))
}

/** One bin of stated probabilities: how often the planted step was first. */
export type Bin = {
  readonly from: number
  readonly rows: number
  readonly stated: number
  readonly observed: number
}

/** Calibration of the top probability, in bins that begin at `edges`. */
export function calibrationOf(
  rows: readonly Row[],
  edges: readonly number[] = [0, 0.5, 0.7, 0.8, 0.9, 0.95],
): Bin[] {
  return edges.map((from, i) => {
    const bin = rows.filter((row) => row.probability >= from && row.probability < (edges[i + 1] ?? 2))
    return {
      from,
      rows: bin.length,
      stated: bin.reduce((sum, row) => sum + row.probability, 0) / Math.max(1, bin.length),
      observed: bin.filter((row) => row.rank === 1).length / Math.max(1, bin.length),
    }
  })
}
