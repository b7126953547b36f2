// Which differences a difference feeds: by the sources of argument values inside the failing trial, and for steps that
// are absent by what passing trials take from them.

import { CHECK, CONFIG, WRITE } from './constants.ts'
import type { Difference } from './differences.ts'
import type { Node } from './node.ts'
import type { Scene, Variants } from './variants.ts'

/** At most this many passing trials are read to learn what a step feeds. */
const CONSUMER_TRIALS = 20

/** Everything of an act is different, or only these leaves. */
type Divergent = 'all' | ReadonlySet<string>

/** An argument of a later column that passing trials take from an earlier one. */
type Consumer = { readonly column: number; readonly path: string }

/** The data flow between differences of the failing trials of one task. */
export class DataFlow {
  readonly #scene: Scene
  readonly #variants: Variants
  readonly #rows: readonly (readonly Node[])[]
  #consumers: readonly ReadonlyMap<string, Consumer>[] | null = null

  constructor(scene: Scene, variants: Variants, rows: readonly (readonly Node[])[]) {
    this.#scene = scene
    this.#variants = variants
    this.#rows = rows
  }

  /** For each act (by `at`) the divergent acts that its arguments come from, through any number of steps. */
  upstream(row: number, differences: readonly Difference[]): Map<number, ReadonlySet<number>> {
    const divergent = this.#divergentLeaves(row, differences)
    const upstream = new Map<number, ReadonlySet<number>>()
    if (divergent.size === 0) return upstream
    for (const node of this.#rows[row]!) {
      if (node.act.kind !== 'tool') continue
      let from: Set<number> | null = null
      for (const source of node.sources) {
        const leaves = divergent.get(source.from)
        if (leaves === undefined || (leaves !== 'all' && !leaves.has(source.leaf))) continue
        from ??= new Set()
        from.add(source.from)
        for (const above of upstream.get(source.from) ?? []) from.add(above)
      }
      if (from !== null) upstream.set(node.at, from)
    }
    return upstream
  }

  #divergentLeaves(row: number, differences: readonly Difference[]): Map<number, Divergent> {
    const { alignment, columns } = this.#scene
    const divergent = new Map<number, Divergent>()
    for (const { at, kind } of differences) {
      const isWhole =
        kind === 'message' || kind === 'extra' || kind === 'duplicate' || kind === 'tool' || kind === 'error'
      if (at >= 0 && isWhole) divergent.set(at, 'all')
    }
    for (const { at, place } of differences) {
      if (at < 0 || !Number.isInteger(place) || place >= columns.length) continue
      const i = alignment.cells[row]![place]!
      if (i < 0 || columns[place]!.pass === 0) continue
      const variant = this.#variants.of(place, alignment.steps[row]![i]!)
      if (variant.isWhole) divergent.set(at, 'all')
      else if (variant.leaves.size > 0 && divergent.get(at) !== 'all') divergent.set(at, variant.leaves)
    }
    return divergent
  }

  /**
   * Columns that take a value from column `c` in passing trials and differ in trial `row`: a value no passing trial has,
   * or an absent write or check. `isUsed` tells whether anything takes a value from it at all.
   */
  fedBy(row: number, c: number): { readonly columns: ReadonlySet<number>; readonly isUsed: boolean } {
    const { alignment, columns, prepared } = this.#scene
    const { tokens } = prepared.vocabulary
    const consumers = this.#consumersOf(c)
    const fed = new Set<number>()
    for (const consumer of consumers.values()) {
      const column = columns[consumer.column]!
      const i = alignment.cells[row]![consumer.column]!
      if (i < 0) {
        if (column.cls === WRITE || column.cls === CHECK) fed.add(consumer.column)
        continue
      }
      if (column.facets === null) continue
      const token = tokens[alignment.steps[row]![i]!]!
      const facet = prepared.vocabulary.argumentFacet(token.toolName, consumer.path)
      const value = facetValue(token.facets, facet)
      const trials = column.facets.get(facet)?.values.get(value)
      if (trials === undefined || trials[0] === 0) fed.add(consumer.column)
    }
    return { columns: fed, isUsed: consumers.size > 0 }
  }

  #consumersOf(c: number): ReadonlyMap<string, Consumer> {
    this.#consumers ??= this.#learnConsumers()
    return this.#consumers[c]!
  }

  #learnConsumers(): Map<string, Consumer>[] {
    const { alignment, columns, passing } = this.#scene
    const consumers = columns.map(() => new Map<string, Consumer>())
    for (const r of passing.slice(0, CONSUMER_TRIALS)) {
      const columnOf = new Map<number, number>()
      alignment.cells[r]!.forEach((i, c) => {
        if (i >= 0) columnOf.set(this.#rows[r]![i]!.at, c)
      })
      alignment.cells[r]!.forEach((i, c) => {
        if (i < 0) return
        for (const source of this.#rows[r]![i]!.sources) {
          const from = columnOf.get(source.from)
          if (from !== undefined)
            consumers[from]!.set(`${c}|${source.path}`, { column: c, path: source.path })
        }
      })
    }
    return consumers
  }
}

/** The value of a facet among a token's triples, or -1. */
export function facetValue(facets: readonly number[], facet: number): number {
  let value = -1
  for (let i = 0; i < facets.length; i += 3) if (facets[i] === facet) value = facets[i + 1]!
  return value
}

/** True for differences that change the world or end the work. */
export function isWriteType(scoringKind: string): boolean {
  if (scoringKind === 'term') return true
  return scoringKind.startsWith('write.') && scoringKind !== 'write.obs' && scoringKind !== 'write.order'
}

/** Lowers observations that follow a divergent write of the same trial: they are likely its consequence. */
export function markConsequences(differences: readonly Difference[]): void {
  let afterWrite = false
  for (const difference of differences) {
    if (difference.kind === 'observation' && afterWrite && difference.at >= 0) {
      difference.own -= CONFIG.conseq
      difference.isConsequence = true
    }
    if (isWriteType(difference.scoringKind) && difference.own > CONFIG.conseqMin) afterWrite = true
  }
}

/** Gives read arguments without effect their weight back when a later divergent act takes a value from them. */
export function reviveInert(
  differences: readonly Difference[],
  upstream: ReadonlyMap<number, ReadonlySet<number>>,
): void {
  const reused = new Set<number>()
  for (const { at } of differences) for (const above of upstream.get(at) ?? []) reused.add(above)
  for (const difference of differences) {
    if (!difference.isInert || difference.at < 0 || !reused.has(difference.at)) continue
    difference.own += CONFIG.inert
    difference.isInert = false
  }
}
