// How often passing trials themselves show something new: the noise that a difference must stand out from. Counted
// leave-one-out per kind, class, tool and facet, shrunk towards broader rates, and optionally pooled over the tasks
// of one import.

import { CLASS_NAMES, CONFIG, ETA, FACET_NAMES } from './constants.ts'
import type { FacetType } from './constants.ts'
import type { Facet } from './node.ts'

/** Novel and all observations by name of what was observed; JSON-plain, so that tasks can be pooled. */
export type NoiseCounts = { readonly [name: string]: readonly [novel: number, all: number] }

/** What presence can do wrong. */
export type PresenceKind = 'missing' | 'extra'

/** The noise rates of one task. */
export class Novelty {
  readonly #facets: readonly Facet[]
  readonly #pooled: NoiseCounts | undefined
  readonly #counts = new Map<string, [number, number]>()
  readonly #facetNovel: Float64Array
  readonly #facetAll: Float64Array
  readonly #facetRates: Float64Array
  readonly #presenceRates = new Map<string, number>()

  constructor(facets: readonly Facet[], pooled: NoiseCounts | undefined) {
    this.#facets = facets
    this.#pooled = pooled
    this.#facetNovel = new Float64Array(facets.length)
    this.#facetAll = new Float64Array(facets.length)
    this.#facetRates = new Float64Array(facets.length).fill(-1)
  }

  /** Notes a facet of one column: of `all` passing trials, `novel` had a value that no other one had. */
  noteFacet(facet: number, type: FacetType, novel: number, all: number): void {
    this.#note(FACET_NAMES[type], novel, all)
    this.#facetNovel[facet]! += novel
    this.#facetAll[facet]! += all
  }

  /** Notes presence in one column, for its class, or for its class and tool. */
  notePresence(kind: PresenceKind, cls: string, tool: string | null, novel: number, all: number): void {
    this.#note(tool === null ? `${kind}|${cls}` : `${kind}|${cls}|${tool}`, novel, all)
  }

  #note(name: string, novel: number, all: number): void {
    const count = this.#counts.get(name)
    if (count === undefined) this.#counts.set(name, [novel, all])
    else {
      count[0] += novel
      count[1] += all
    }
  }

  /** The novelty rate of a facet: its own counts shrunk towards its type's. */
  facetRate(facet: number, type: FacetType): number {
    const known = this.#facetRates[facet]!
    if (known >= 0) return known
    const name = FACET_NAMES[type]
    const [h1, n1] = this.#get(name, this.#counts.get(name))
    const broad = (h1 + 8 * ETA[name]) / (n1 + 8)
    const [h2, n2] = this.#get(facetKey(this.#facets[facet]!), [
      this.#facetNovel[facet]!,
      this.#facetAll[facet]!,
    ])
    const rate = Math.max(CONFIG.floor, (h2 + 3 * broad) / (n2 + 3))
    this.#facetRates[facet] = rate
    return rate
  }

  /** The rate at which passing trials miss, or add, a step of this class and tool. */
  presenceRate(kind: PresenceKind, cls: string, tool: string): number {
    const key = `${kind}|${cls}|${tool}`
    const known = this.#presenceRates.get(key)
    if (known !== undefined) return known
    const base = cls === CLASS_NAMES[3] ? ETA.writePresence : ETA[kind]
    const [h1, n1] = this.#get(`${kind}|${cls}`, this.#counts.get(`${kind}|${cls}`))
    const broad = (h1 + 4 * base) / (n1 + 4)
    const [h2, n2] = this.#get(key, this.#counts.get(key))
    const rate = Math.max(CONFIG.floor, (h2 + 3 * broad) / (n2 + 3))
    this.#presenceRates.set(key, rate)
    return rate
  }

  /** A task's own counts plus pooled ones, which bring at most CONFIG.globalCap observations. */
  #get(name: string, own: readonly [number, number] = [0, 0]): readonly [number, number] {
    const pooled = this.#pooled
    if (pooled === undefined || !Object.hasOwn(pooled, name)) return own
    const [novel, all] = pooled[name]!
    const weight = Math.min(1, CONFIG.globalCap / Math.max(1, all))
    return [own[0] + weight * novel, own[1] + weight * all]
  }

  /** The counts of this task, to be pooled with other tasks'. */
  counts(): NoiseCounts {
    const counts: Record<string, [number, number]> = {}
    for (const [name, [novel, all]] of this.#counts) counts[name] = [novel, all]
    this.#facets.forEach((facet, i) => {
      const all = this.#facetAll[i]!
      if (all === 0) return
      const count = (counts[facetKey(facet)] ??= [0, 0])
      count[0] += this.#facetNovel[i]!
      count[1] += all
    })
    return counts
  }
}

/** A facet's name among noise counts: entity versions share it. */
function facetKey(facet: Facet): string {
  return `facet|${facet.name}`
}

/** The noise counts of several tasks together. */
export function poolNoise(tasks: Iterable<NoiseCounts>): NoiseCounts {
  const sum: Record<string, [number, number]> = {}
  for (const counts of tasks) {
    for (const [name, [novel, all]] of Object.entries(counts)) {
      const count = Object.hasOwn(sum, name) ? sum[name]! : (sum[name] = [0, 0])
      count[0] += novel
      count[1] += all
    }
  }
  return sum
}
