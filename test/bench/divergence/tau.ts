// Real trials with labels from outside: tau-bench rows whose expected actions are known. The label of a failing trial is
// its first state-changing call that worked and is not expected, else the first expected one that it never makes; else none.

import type { Json } from '../../../src/base/json.ts'
import type { Divergence } from '../../../src/model/analysis.ts'
import type { Trial } from '../../../src/model/trial.ts'
import { OpenAnalysis } from '../../../src/analysis/divergence/analyse.ts'
import { canonLeaf } from '../../../src/analysis/divergence/leaf.ts'
import { poolNoise } from '../../../src/analysis/divergence/novelty.ts'
import { classOfName } from '../../../src/analysis/divergence/words.ts'
import { byTask } from './read.ts'

type TauLabel =
  | { readonly kind: 'unexpected'; readonly step: number }
  | { readonly kind: 'missing'; readonly tool: string }
  | null

type Action = { readonly name: string; readonly kwargs: Json }

/** True for tools that change the benchmark's database; handing over to a person does not. */
function changesState(tool: string): boolean {
  return classOfName(tool).isWrite && !tool.startsWith('transfer_to_human')
}

/** The label of a failing trial. */
export function labelOf(trial: Trial): TauLabel {
  const open = ((trial.extra.expectedActions ?? []) as readonly Action[]).filter((action) =>
    changesState(action.name),
  )
  const failed = new Set(trial.steps.flatMap((step) => (step.isError === true ? (step.callId ?? []) : [])))
  for (const step of trial.steps) {
    for (const call of step.calls ?? []) {
      if (!changesState(call.name) || failed.has(call.id ?? '')) continue
      const at = open.findIndex((action) => action.name === call.name && covers(call.args, action.kwargs))
      if (at < 0) return { kind: 'unexpected', step: step.index }
      open.splice(at, 1)
    }
  }
  const missing = open[0]
  return missing === undefined ? null : { kind: 'missing', tool: missing.name }
}

/** True when a value has everything that is expected; the benchmark's tools ignore what is given beyond that. */
function covers(actual: Json, expected: Json): boolean {
  if (expected === null || typeof expected !== 'object') return canonLeafOf(actual) === canonLeafOf(expected)
  if (actual === null || typeof actual !== 'object') return false
  if (Array.isArray(expected) !== Array.isArray(actual)) return false
  const given = actual as { readonly [key: string]: Json }
  const wanted = expected as { readonly [key: string]: Json }
  if (Array.isArray(expected) && Object.keys(given).length !== Object.keys(wanted).length) return false
  return Object.keys(wanted).every((key) => Object.hasOwn(given, key) && covers(given[key]!, wanted[key]!))
}

function canonLeafOf(value: Json): string {
  return value !== null && typeof value === 'object' ? 'object' : canonLeaf(value)
}

function isHit(divergence: Divergence, label: NonNullable<TauLabel>): boolean {
  if (label.kind === 'unexpected') return divergence.step === label.step
  // A trial that stops before the missing write says it as well as naming the write.
  if (divergence.kind === 'termination') return true
  return (divergence.step === null || divergence.kind === 'tool') && divergence.columnTool === label.tool
}

/** What came out of the labelled trials. */
export type TauFigures = {
  readonly failing: number
  readonly labelled: number
  readonly unexpected: number
  readonly missing: number
  readonly top1: number
  readonly top3: number
  /** The rule "last write, else end of trial". */
  readonly lastWrite: number
  readonly ranks: readonly { readonly task: string; readonly trial: string; readonly rank: number }[]
}

/** Ranks in all tasks with passing and failing trials. */
export function tauFigures(trials: readonly Trial[], isPooled: boolean): TauFigures {
  const all = byTask(trials).map(({ task, inputs }) => ({
    task,
    group: inputs,
    analysis: new OpenAnalysis(inputs),
  }))
  if (isPooled) {
    const pooled = poolNoise(all.map(({ analysis }) => analysis.noise()))
    for (const { analysis } of all) analysis.pool(pooled)
  }
  const open = all.filter(({ group }) => {
    const passing = group.filter(({ trial }) => trial.outcome === 'pass').length
    return passing > 0 && passing < group.length
  })
  const ranks: { task: string; trial: string; rank: number }[] = []
  const counts = { failing: 0, unexpected: 0, missing: 0, lastWrite: 0 }
  for (const { task, group, analysis } of open) {
    for (const { id, trial } of group) {
      if (trial.outcome === 'pass') continue
      counts.failing++
      const label = labelOf(trial)
      if (label === null) continue
      counts[label.kind]++
      if (lastWriteHits(trial, label)) counts.lastWrite++
      ranks.push({ task, trial: id, rank: rankOf(analysis.finding(id)?.ranked ?? [], label) })
    }
  }
  return {
    ...counts,
    labelled: ranks.length,
    top1: ranks.filter(({ rank }) => rank === 1).length,
    top3: ranks.filter(({ rank }) => rank >= 1 && rank <= 3).length,
    ranks,
  }
}

function rankOf(ranked: readonly Divergence[], label: NonNullable<TauLabel>): number {
  const seen = new Set<string>()
  for (const divergence of ranked) {
    const key = divergence.step === null ? `c${divergence.column}` : `s${divergence.step}`
    if (seen.has(key)) continue
    seen.add(key)
    if (isHit(divergence, label)) return seen.size
  }
  return 0
}

function lastWriteHits(trial: Trial, label: NonNullable<TauLabel>): boolean {
  const last = trial.steps.findLast((step) => (step.calls ?? []).some((call) => changesState(call.name)))
  if (last === undefined) return label.kind === 'missing'
  return label.kind === 'unexpected' && label.step === last.index
}
