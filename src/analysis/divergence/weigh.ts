// Weighs the differences of one failing trial against each other: what follows from what (cascade), which earlier one
// explains a later one (promotion), and each one's probability, "none of them" included.

import { CAP, CONFIG, FINAL, PRIOR } from './constants.ts'
import type { DataFlow } from './dataflow.ts'
import { isWriteType, markConsequences, reviveInert } from './dataflow.ts'
import type { Difference } from './differences.ts'
import type { Incidence } from './incidence.ts'
import { isSubset } from './incidence.ts'
import type { Scene } from './variants.ts'

/** The differences of one trial, best first, and the probability that none of them matters. */
export type Weighed = { readonly row: number; readonly ranked: readonly Difference[]; readonly pNone: number }

/** Scores and ranks the differences (in order of place) of trial `row`; changes them. */
export function weigh(
  scene: Scene,
  flow: DataFlow,
  incidence: Incidence,
  row: number,
  differences: readonly Difference[],
): Weighed {
  markConsequences(differences)
  const upstream = flow.upstream(row, differences)
  reviveInert(differences, upstream)
  for (const difference of differences) {
    if (difference.at >= 0) continue
    const { columns, isUsed } = flow.fedBy(row, difference.place)
    difference.feeds = columns
    if (difference.scoringKind === 'read.missing' && isUsed && columns.size === 0) {
      difference.own -= CONFIG.inertMissing
      difference.isInert = true
    }
  }
  const isLinked = (earlier: Difference, later: Difference): boolean => {
    if (earlier.at < 0) return earlier.feeds?.has(later.place) === true
    return later.at >= 0 && upstream.get(later.at)?.has(earlier.at) === true
  }
  cascade(scene, row, differences, isLinked)
  promote(differences, incidence, isLinked)
  return { row, ...probabilities(differences) }
}

type IsLinked = (earlier: Difference, later: Difference) => boolean

function cascade(scene: Scene, row: number, differences: readonly Difference[], isLinked: IsLinked): void {
  const after = agreementAfter(scene, row, differences)
  differences.forEach((difference, i) => {
    let sum = after[Math.min(scene.columns.length, Math.floor(difference.place) + 1)]!
    for (const later of differences.slice(i + 1)) {
      sum += later.evidence > 0 ? weightOf(difference, later, isLinked) * later.evidence : later.evidence
    }
    difference.cascade = sum
    const bounded = Math.max(-30, Math.min(30, sum))
    difference.score = difference.own + Math.log(1 - CONFIG.kappa + CONFIG.kappa * Math.exp(bounded))
  })
}

function weightOf(difference: Difference, later: Difference, isLinked: IsLinked): number {
  if (isLinked(difference, later)) return 1
  return isWriteType(difference.scoringKind) && isWriteType(later.scoringKind)
    ? CONFIG.lambdaW
    : CONFIG.lambda0
}

/** From each column on: what actions that agree with the passing trials say against an earlier difference. */
function agreementAfter(scene: Scene, row: number, differences: readonly Difference[]): Float64Array {
  const places = new Set(differences.map((difference) => difference.place))
  const cells = scene.alignment.cells[row]!
  const after = new Float64Array(scene.columns.length + 2)
  for (let c = scene.columns.length - 1; c >= 0; c--) {
    const agrees = cells[c]! >= 0 && !places.has(c) && scene.columns[c]!.cls !== FINAL
    after[c] = after[c + 1]! + (agrees ? CONFIG.freePen : 0)
  }
  return after
}

/** From last to first: an earlier difference that explains a later one is placed before it. */
function promote(differences: readonly Difference[], incidence: Incidence, isLinked: IsLinked): void {
  for (let j = differences.length - 1; j > 0; j--) {
    const later = differences[j]!
    if (CAP[later.scoringKind] === undefined) continue
    for (let i = j - 1; i >= 0; i--) {
      const earlier = differences[i]!
      if (!mayExplain(earlier) || !explains(earlier, later, incidence, isLinked)) continue
      earlier.explains.push(later.place)
      earlier.score = Math.max(earlier.score, later.score + CONFIG.promotion)
    }
  }
}

function mayExplain(difference: Difference): boolean {
  if (difference.isInert) return false
  if (difference.kind === 'message') return true
  return CAP[difference.scoringKind] !== undefined && difference.own >= CONFIG.minOwnLinked
}

function explains(earlier: Difference, later: Difference, incidence: Incidence, isLinked: IsLinked): boolean {
  const isEnd = later.scoringKind === 'term' || later.scoringKind === 'write.missing'
  if (isEnd && isNovelWrite(earlier)) return true
  const linked = isLinked(earlier, later)
  if (!linked && !(earlier.own >= CONFIG.minOwn && (PRIOR[earlier.scoringKind] ?? 0) >= 0.08)) return false
  const those = incidence.of(later)
  const these = incidence.of(earlier)
  if (!linked && (those.count < 3 || these.count !== those.count)) return false
  return earlier.kind === 'message' || isSubset(those, these)
}

/** A write-type difference that no passing trial shows. */
function isNovelWrite(difference: Difference): boolean {
  const { scoringKind } = difference
  return (
    difference.b === 0 &&
    isWriteType(scoringKind) &&
    scoringKind !== 'write.missing' &&
    scoringKind !== 'term' &&
    difference.own >= CONFIG.wpMin
  )
}

function probabilities(differences: readonly Difference[]): { ranked: Difference[]; pNone: number } {
  let total = Math.exp(CONFIG.none)
  for (const difference of differences) total += Math.exp(difference.score)
  for (const difference of differences) difference.probability = Math.exp(difference.score) / total
  const ranked = differences.toSorted((x, y) => y.score - x.score || x.place - y.place)
  return { ranked, pNone: Math.exp(CONFIG.none) / total }
}
