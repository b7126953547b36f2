// Baselines that any method must beat: first textual difference, three Myers-style diffs to the nearest passing trial,
// spectrum-based ranks (Ochiai, Tarantula), and "blame the first or last write". Each gives ranked places.

import type { Json } from '../../../src/base/json.ts'
import { flatten } from '../../../src/analysis/divergence/leaf.ts'
import { classOfName } from '../../../src/analysis/divergence/words.ts'
import type { CompactStep } from './convert.ts'

/** A trial as baselines see it. */
export type PlainTrial = { readonly pass: boolean; readonly steps: readonly CompactStep[] }

/** A predicted place: a step of the failing trial, or of another trial when the failing one lacks it. */
export type Place = { readonly trial: number; readonly step: number }

/** Ranks places for failing trial `f`. */
export type Baseline = (trials: readonly PlainTrial[], f: number) => Place[]

type Key = (step: CompactStep) => string

const rawKey: Key = (step) =>
  `${step.kind}|${step.tool ?? ''}|${step.args === undefined ? step.text : JSON.stringify(step.args)}|${JSON.stringify(step.obs ?? null)}`

const callKey: Key = (step) =>
  step.kind === 'tool' ? `${step.tool}(${leafText(step.args ?? null, () => true)})` : step.kind

const nameKey: Key = (step) => (step.kind === 'tool' ? (step.tool ?? '') : step.kind)

function leafText(value: Json, keeps: (path: string) => boolean): string {
  return flatten(value)
    .filter(([path]) => keeps(path))
    .map((leaf) => leaf.join('='))
    .sort()
    .join('&')
}

type Edit = readonly ['=' | '-' | '+', number, number]

/** Longest common subsequence and the edits from a to b, deletions before insertions. */
function lcs(
  a: readonly string[],
  b: readonly string[],
): { readonly length: number; readonly edits: Edit[] } {
  const width = b.length + 1
  const table = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] =
        a[i] === b[j]
          ? table[(i + 1) * width + j + 1]! + 1
          : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!)
    }
  }
  const edits: Edit[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) edits.push(['=', i++, j++])
    else if (j >= b.length || (i < a.length && table[(i + 1) * width + j]! >= table[i * width + j + 1]!)) {
      edits.push(['-', i++, j])
    } else edits.push(['+', i, j++])
  }
  return { length: table[0]!, edits }
}

/** The passing trial with the fewest edits to trial `f`, and the edits. */
function nearest(
  sequences: readonly (readonly string[])[],
  trials: readonly PlainTrial[],
  f: number,
): { readonly trial: number; readonly edits: Edit[] } | null {
  let best: { trial: number; edits: Edit[]; distance: number } | null = null
  trials.forEach((trial, p) => {
    if (!trial.pass) return
    const { length, edits } = lcs(sequences[p]!, sequences[f]!)
    const distance = sequences[p]!.length + sequences[f]!.length - 2 * length
    if (best === null || distance < best.distance) best = { trial: p, edits, distance }
  })
  return best
}

const firstTextual: Baseline = (trials, f) => {
  const near = nearest(
    trials.map((trial) => trial.steps.map(nameKey)),
    trials,
    f,
  )
  if (near === null) return []
  const a = trials[near.trial]!.steps
  const b = trials[f]!.steps
  const places: Place[] = []
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const left = a[i]
    const right = b[i]
    if (left !== undefined && right !== undefined && rawKey(left) === rawKey(right)) continue
    places.push(right === undefined ? { trial: near.trial, step: i } : { trial: f, step: i })
  }
  return places
}

function myers(key: Key, isToolOnly = false): Baseline {
  return (trials, f) => {
    const kept = trials.map((trial) =>
      trial.steps.flatMap((step, i) => (isToolOnly && step.kind !== 'tool' ? [] : [{ key: key(step), i }])),
    )
    const near = nearest(
      kept.map((row) => row.map((item) => item.key)),
      trials,
      f,
    )
    if (near === null) return []
    return near.edits.flatMap(([edit, i, j]): Place[] => {
      if (edit === '=') return []
      return [
        edit === '+'
          ? { trial: f, step: kept[f]![j]!.i }
          : { trial: near.trial, step: kept[near.trial]![i]!.i },
      ]
    })
  }
}

const isNoise = (path: string): boolean => /(request_id|ts|latency_ms)$/.test(path)

const maskedKey: Key = (step) => `${callKey(step)}→${leafText(step.obs ?? null, (path) => !isNoise(path))}`

/** Calls and calls-with-results as program spectrum; absences count as well. Ties: earliest. */
function spectrum(formula: (ef: number, ep: number, F: number, P: number) => number): Baseline {
  return (trials, f) => {
    const seen = trials.map((trial) => {
      const first = new Map<string, number>()
      trial.steps.forEach((step, i) => {
        if (step.kind !== 'tool') return
        const call = callKey(step)
        const result = leafText(step.obs ?? null, (path) => !/(request_id|ts|latency_ms|_id$)/.test(path))
        for (const key of [call, `${call}→${result}`]) if (!first.has(key)) first.set(key, i)
      })
      return first
    })
    const F = trials.filter((trial) => !trial.pass).length
    const P = trials.length - F
    const scored: { place: Place; score: number; order: number }[] = []
    for (const key of new Set(seen.flatMap((first) => [...first.keys()]))) {
      let ef = 0
      let ep = 0
      seen.forEach((first, r) => {
        if (!first.has(key)) return
        if (trials[r]!.pass) ep++
        else ef++
      })
      const here = seen[f]!.get(key)
      if (here !== undefined) {
        scored.push({ place: { trial: f, step: here }, score: formula(ef, ep, F, P), order: here })
        continue
      }
      const other = trials.findIndex((trial, r) => trial.pass && seen[r]!.has(key))
      if (other < 0) continue
      const step = seen[other]!.get(key)!
      scored.push({ place: { trial: other, step }, score: formula(F - ef, P - ep, F, P), order: step })
    }
    return scored.sort((x, y) => y.score - x.score || x.order - y.order).map((item) => item.place)
  }
}

const ochiai = spectrum((ef, ep, F) => ef / Math.sqrt(Math.max(1e-9, F * (ef + ep))))
const tarantula = spectrum((ef, ep, F, P) => ef / F / Math.max(1e-9, ef / F + (P > 0 ? ep / P : 0)))

/** The first or last state-changing call by name, else the end of the trial. */
function blameWrite(which: 'first' | 'last'): Baseline {
  return (trials, f) => {
    const { steps } = trials[f]!
    const isWrite = (step: CompactStep): boolean =>
      step.kind === 'tool' && classOfName(step.tool ?? '').isWrite
    const at = which === 'first' ? steps.findIndex(isWrite) : steps.findLastIndex(isWrite)
    return [{ trial: f, step: at >= 0 ? at : steps.length - 1 }]
  }
}

/** All baselines by name. */
export const BASELINES: Readonly<Record<string, Baseline>> = {
  'first textual difference': firstTextual,
  'Myers, raw steps': myers(rawKey),
  'Myers, calls': myers(callKey),
  'Myers, tools with masked results': myers(maskedKey, true),
  Ochiai: ochiai,
  Tarantula: tarantula,
  'last write, else end': blameWrite('last'),
  'first write, else end': blameWrite('first'),
}
