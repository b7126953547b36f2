// How a variant of a column differs from what passing trials do there: different values, dropped arguments, another
// tool. Computed once per variant, whatever number of failing trials show it.

import type { Alignment } from './align.ts'
import type { ColumnStats, FacetColumn } from './columns.ts'
import {
  ARGUMENT,
  CLASS_NAMES,
  CONFIG,
  COST,
  ERROR,
  ETA,
  FACET_NAMES,
  OBSERVATION,
  READ,
  WRITE,
} from './constants.ts'
import type { FacetType } from './constants.ts'
import { sharedValues } from './cost.ts'
import type { Token } from './node.ts'
import type { Novelty } from './novelty.ts'
import type { Own, OwnScores } from './own.ts'
import type { Prepared } from './prepare.ts'

/** One thing in which a variant differs. */
export type VariantDifference = Own & {
  readonly kind: 'arguments' | 'observation' | 'error' | 'tool'
  readonly scoringKind: string
  /** The facet, or -1 for another tool; its value, or the tool's number; -1 for a dropped argument. */
  readonly facet: number
  readonly value: number
  readonly b: number
  readonly N: number
  readonly a: number
  readonly isInert: boolean
}

/** All of a variant's differences, and which of its leaves a later step may have taken them from. */
export type VariantDifferences = {
  readonly list: readonly VariantDifference[]
  readonly leaves: ReadonlySet<string>
  /** Another tool or an error: everything it gave is different. */
  readonly isWhole: boolean
}

/** What the scores of a whole task stand on. */
export type Scene = {
  readonly prepared: Prepared
  readonly alignment: Alignment
  readonly columns: readonly ColumnStats[]
  readonly novelty: Novelty
  readonly scores: OwnScores
  readonly passing: readonly number[]
  readonly failing: readonly number[]
}

/** The differences of variants, kept per column and token. */
export class Variants {
  readonly #scene: Scene
  readonly #known = new Map<number, VariantDifferences>()

  constructor(scene: Scene) {
    this.#scene = scene
  }

  /** The differences of the variant `token` in column `c`. */
  of(c: number, token: number): VariantDifferences {
    const key = c * this.#scene.prepared.vocabulary.tokens.length + token
    let known = this.#known.get(key)
    if (known === undefined) {
      known = this.#compare(this.#scene.columns[c]!, token)
      this.#known.set(key, known)
    }
    return known
  }

  #compare(column: ColumnStats, number: number): VariantDifferences {
    const token = this.#scene.prepared.vocabulary.tokens[number]!
    const list: VariantDifference[] = []
    if (column.facets !== null) {
      this.#facets(column.facets, token, list)
      this.#dropped(column, column.facets, number, list)
    }
    if (column.pass > 0) this.#tool(column, token, list)
    const leaves = new Set<string>()
    let hasObservation = false
    const { facets } = this.#scene.prepared.vocabulary
    for (const difference of list) {
      if (difference.kind === 'observation') {
        hasObservation = true
        leaves.add(facets[difference.facet]!.path)
      } else if (difference.kind === 'arguments' && difference.value >= 0) {
        leaves.add(`arg:${facets[difference.facet]!.path}`)
      }
    }
    const isWhole = list.some((difference) => difference.kind === 'tool' || difference.kind === 'error')
    // A read acts only through what it returned: other arguments with the same result change nothing.
    const isInert = token.cls === READ && !isWhole && !hasObservation
    return { list: isInert ? list.map(inert) : list, leaves, isWhole }
  }

  #facets(columns: ReadonlyMap<number, FacetColumn>, token: Token, list: VariantDifference[]): void {
    const { novelty, scores, failing, passing } = this.#scene
    for (let i = 0; i < token.facets.length; i += 3) {
      const facet = token.facets[i]!
      const value = token.facets[i + 1]!
      const type = token.facets[i + 2] as FacetType
      const stats = columns.get(facet)!
      const [pass, fail] = stats.values.get(value)!
      if (stats.pass === 0 || pass === stats.pass) continue
      if (type === ERROR && value === 0) continue
      const rate = novelty.facetRate(facet, type)
      const eta = stats.pass * 2 < passing.length ? Math.max(0.25, rate) : rate
      const scoringKind = `${CLASS_NAMES[token.cls]}.${FACET_NAMES[type]}`
      const own = scores.of(scoringKind, pass, stats.pass, eta, Math.max(0, fail - 1), failing.length - 1)
      const kind = type === ARGUMENT ? 'arguments' : type === OBSERVATION ? 'observation' : 'error'
      list.push({ ...own, kind, scoringKind, facet, value, b: pass, N: stats.pass, a: fail, isInert: false })
    }
  }

  /** Arguments that all passing trials give here and this variant does not. */
  #dropped(
    column: ColumnStats,
    columns: ReadonlyMap<number, FacetColumn>,
    number: number,
    list: VariantDifference[],
  ): void {
    const { tokens } = this.#scene.prepared.vocabulary
    const token = tokens[number]!
    const usual = tokens[column.dominant]!
    if (column.dominant === number || usual.tool !== token.tool || column.pass === 0) return
    const has = new Set<number>()
    for (let i = 0; i < token.facets.length; i += 3) has.add(token.facets[i]!)
    const scoringKind = `${CLASS_NAMES[token.cls]}.arg`
    for (let i = 0; i < usual.facets.length; i += 3) {
      const facet = usual.facets[i]!
      const stats = columns.get(facet)!
      if (usual.facets[i + 2] !== ARGUMENT || has.has(facet) || stats.pass !== column.pass) continue
      const a = column.fail - stats.fail
      const own = this.#scene.scores.of(
        scoringKind,
        0,
        column.pass,
        this.#scene.novelty.facetRate(facet, ARGUMENT),
        Math.max(0, a - 1),
        this.#scene.failing.length - 1,
      )
      list.push({
        ...own,
        kind: 'arguments',
        scoringKind,
        facet,
        value: -1,
        b: 0,
        N: column.pass,
        a,
        isInert: false,
      })
    }
  }

  /** A tool that no passing trial uses here; reads that gave the same values are let pass. */
  #tool(column: ColumnStats, token: Token, list: VariantDifference[]): void {
    const { tokens } = this.#scene.prepared.vocabulary
    let fail = 0
    let isEquivalent = false
    for (const variant of column.variants.values()) {
      const other = tokens[variant.token]!
      if (other.tool === token.tool) {
        if (variant.pass > 0) return
        fail += variant.fail
      } else if (variant.pass > 0 && sharedValues(token, other) >= COST.otherReadShare) isEquivalent = true
    }
    if (isEquivalent && token.cls !== WRITE) return
    const scoringKind = `${CLASS_NAMES[token.cls]}.tool`
    const eta = Math.max(CONFIG.floor, ETA.tool)
    const own = this.#scene.scores.of(
      scoringKind,
      0,
      column.pass,
      eta,
      fail - 1,
      this.#scene.failing.length - 1,
    )
    list.push({
      ...own,
      kind: 'tool',
      scoringKind,
      facet: -1,
      value: token.tool,
      b: 0,
      N: column.pass,
      a: fail,
      isInert: false,
    })
  }
}

function inert(difference: VariantDifference): VariantDifference {
  if (difference.kind !== 'arguments') return difference
  return { ...difference, own: difference.own - CONFIG.inert, isInert: true }
}
