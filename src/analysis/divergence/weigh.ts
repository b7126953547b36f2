// Weighs the differences of one failing trial against each other: what follows from what (cascade), which earlier one
// explains a later one (promotion), and each one's probability, "none of them" included. Links are sparse: nothing here
// compares every difference with every other one.

import { CAP, CONFIG, FINAL, PRIOR } from './constants.ts'
import type { DataFlow } from './dataflow.ts'
import { isWriteType, markConsequences, reviveInert } from './dataflow.ts'
import type { Difference } from './differences.ts'
import type { Incidence, TrialSet } from './incidence.ts'
import { isSubset } from './incidence.ts'
import type { Scene } from './variants.ts'

/** The differences of one trial, best first, and the probability that none of them matters. */
export type Weighed = { readonly row: number; readonly ranked: readonly Difference[]; readonly pNone: number }

/** Per difference (by position), the positions of earlier ones that feed it, descending. */
type Links = readonly (readonly number[])[]

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
  const feeds = feedsOfAbsent(flow, row, differences)
  const links = linksOf(differences, upstream, feeds)
  cascade(scene, row, differences, links)
  promote(differences, incidence, links)
  return { row, ...probabilities(differences) }
}

/** For every absent step the columns it feeds; an omitted read that feeds nothing new is inert. */
function feedsOfAbsent(
  flow: DataFlow,
  row: number,
  differences: readonly Difference[],
): ReadonlyMap<number, ReadonlySet<number>> {
  const feeds = new Map<number, ReadonlySet<number>>()
  differences.forEach((difference, i) => {
    if (difference.at >= 0) return
    const { columns, isUsed } = flow.fedBy(row, difference.place)
    feeds.set(i, columns)
    if (difference.scoringKind !== 'read.missing' || !isUsed || columns.size > 0) return
    difference.own -= CONFIG.inertMissing
    difference.isInert = true
  })
  return feeds
}

function linksOf(
  differences: readonly Difference[],
  upstream: ReadonlyMap<number, ReadonlySet<number>>,
  feeds: ReadonlyMap<number, ReadonlySet<number>>,
): Links {
  const byAct = positions(differences, (difference) => (difference.at >= 0 ? difference.at : null))
  const byPlace = positions(differences, (difference) => difference.place)
  const links = differences.map((): number[] => [])
  differences.forEach((later, j) => {
    if (later.at < 0) return
    for (const act of upstream.get(later.at) ?? []) {
      for (const i of byAct.get(act) ?? []) if (i < j) links[j]!.push(i)
    }
  })
  for (const [i, places] of feeds) {
    for (const place of places) for (const j of byPlace.get(place) ?? []) if (j > i) links[j]!.push(i)
  }
  for (const list of links) list.sort((a, b) => b - a)
  return links
}

function positions(
  differences: readonly Difference[],
  key: (difference: Difference) => number | null,
): Map<number, number[]> {
  const found = new Map<number, number[]>()
  differences.forEach((difference, i) => {
    const name = key(difference)
    if (name === null) return
    const list = found.get(name)
    if (list === undefined) found.set(name, [i])
    else list.push(i)
  })
  return found
}

/**
 * Cascade and score of each difference. What later ones say counts .1 of their evidence, .6 between write types, all of
 * it when linked; what speaks against counts in full. Sums over "all later" are suffix sums.
 */
function cascade(scene: Scene, row: number, differences: readonly Difference[], links: Links): void {
  const after = agreementAfter(scene, row, differences)
  const isWrite = differences.map((difference) => isWriteType(difference.scoringKind))
  const linked = new Float64Array(differences.length)
  differences.forEach((later, j) => {
    if (later.evidence <= 0) return
    for (const i of links[j]!) {
      const base = isWrite[i] === true && isWrite[j] === true ? CONFIG.lambdaW : CONFIG.lambda0
      linked[i]! += (1 - base) * later.evidence
    }
  })
  let all = 0
  let writes = 0
  for (let i = differences.length - 1; i >= 0; i--) {
    const difference = differences[i]!
    const agreement = after[Math.min(scene.columns.length, Math.floor(difference.place) + 1)]!
    const sum = agreement + all + (isWrite[i] === true ? writes : 0) + linked[i]!
    difference.cascade = sum
    const bounded = Math.max(-30, Math.min(30, sum))
    difference.score = difference.own + Math.log(1 - CONFIG.kappa + CONFIG.kappa * Math.exp(bounded))
    if (difference.evidence <= 0) all += difference.evidence
    else {
      all += CONFIG.lambda0 * difference.evidence
      if (isWrite[i] === true) writes += (CONFIG.lambdaW - CONFIG.lambda0) * difference.evidence
    }
  }
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
function promote(differences: readonly Difference[], incidence: Incidence, links: Links): void {
  const novelWrites = differences.flatMap((difference, i) =>
    mayExplain(difference) && isNovelWrite(difference) ? [i] : [],
  )
  // Asked for by pairs: looking each one up anew would cost a key per pair.
  const sets: TrialSet[] = []
  const setOf = (i: number): TrialSet => (sets[i] ??= incidence.of(differences[i]!))
  const twins = sameTrials(differences, setOf)
  // The last later difference for which each one was taken.
  const marks = new Int32Array(differences.length).fill(-1)
  for (let j = differences.length - 1; j > 0; j--) {
    const later = differences[j]!
    if (CAP[later.scoringKind] === undefined) continue
    const isEnd = later.scoringKind === 'term' || later.scoringKind === 'write.missing'
    const explaining: number[] = []
    const add = (i: number): void => {
      if (marks[i] === j) return
      marks[i] = j
      explaining.push(i)
    }
    if (isEnd) for (const i of novelWrites) if (i < j) add(i)
    for (const i of links[j]!) {
      const earlier = differences[i]!
      if (marks[i] === j || !mayExplain(earlier)) continue
      if (earlier.kind === 'message' || isSubset(setOf(j), setOf(i))) add(i)
    }
    for (const i of twins[j] ?? []) if (i < j) add(i)
    for (const i of explaining) {
      const earlier = differences[i]!
      // Differences come by place: one place once is enough.
      if (earlier.explains.at(-1) !== later.place) earlier.explains.push(later.place)
      earlier.score = Math.max(earlier.score, later.score + CONFIG.promotion)
    }
  }
}

/** For each difference, those of weight that occur in exactly the same three or more trials. */
function sameTrials(
  differences: readonly Difference[],
  setOf: (index: number) => TrialSet,
): readonly (readonly number[] | undefined)[] {
  const mayLead = differences.map(
    (difference) =>
      mayExplain(difference) &&
      difference.own >= CONFIG.minOwn &&
      (PRIOR[difference.scoringKind] ?? 0) >= CONFIG.minPrior,
  )
  if (!mayLead.includes(true)) return []
  const groups = new Map<string, number[]>()
  const keys = differences.map((_, i) => {
    const set = setOf(i)
    if (set.count < 3) return null
    const key = set.bits.join()
    if (mayLead[i] === true) {
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [i])
      else group.push(i)
    }
    return key
  })
  return keys.map((key) => (key === null ? undefined : groups.get(key)))
}

function mayExplain(difference: Difference): boolean {
  if (difference.isInert) return false
  if (difference.kind === 'message') return true
  return CAP[difference.scoringKind] !== undefined && difference.own >= CONFIG.minOwnLinked
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
