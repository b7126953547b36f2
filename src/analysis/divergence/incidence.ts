// Which trials show a difference, as bitsets: to ask whether one difference always comes with another, and as the
// events of the permutation test. Kept per column and value, because failing trials share them.

import type { Alignment } from './align.ts'
import { facetValue } from './dataflow.ts'
import type { Difference } from './differences.ts'
import type { Prepared } from './prepare.ts'

/** A set of trials. */
export type TrialSet = { readonly bits: Uint32Array; readonly count: number }

/** True when every trial of `inner` is in `outer`. */
export function isSubset(inner: TrialSet, outer: TrialSet): boolean {
  return inner.bits.every((word, i) => (word & ~outer.bits[i]!) === 0)
}

/** The set of the trials (of `count`) for which `test` holds. */
export function trialSet(count: number, test: (trial: number) => boolean): TrialSet {
  const bits = new Uint32Array((count + 31) >> 5)
  let size = 0
  for (let r = 0; r < count; r++) {
    if (!test(r)) continue
    bits[r >> 5]! |= 1 << (r & 31)
    size++
  }
  return { bits, count: size }
}

/** The incidence of differences over the trials of one task. */
export class Incidence {
  readonly #prepared: Prepared
  readonly #alignment: Alignment
  readonly #known = new Map<string, TrialSet>()

  constructor(prepared: Prepared, alignment: Alignment) {
    this.#prepared = prepared
    this.#alignment = alignment
  }

  /** The trials that show a difference; a message or final answer counts for its own trial only. */
  of(difference: Difference): TrialSet {
    const { kind, place, at, row } = difference
    if (!Number.isInteger(place) || place >= this.#alignment.columnCount) {
      return trialSet(this.#alignment.cells.length, (r) => r === row)
    }
    const isAbsence = kind === 'missing' || kind === 'termination' || (kind === 'order' && at < 0)
    if (isAbsence) return this.#set(`${place}A`, place, (token) => token < 0)
    if (kind === 'extra' || kind === 'duplicate' || kind === 'order') {
      return this.#set(`${place}P`, place, (token) => token >= 0)
    }
    const { tokens } = this.#prepared.vocabulary
    const { facet, value } = difference
    if (kind === 'tool') {
      return this.#set(`${place}T${value}`, place, (token) => token >= 0 && tokens[token]!.tool === value)
    }
    return this.#set(
      `${place}F${facet}=${value}`,
      place,
      (token) => token >= 0 && facetValue(tokens[token]!.facets, facet) === value,
    )
  }

  #set(key: string, c: number, test: (token: number) => boolean): TrialSet {
    let set = this.#known.get(key)
    if (set === undefined) {
      const { cells, steps } = this.#alignment
      set = trialSet(cells.length, (r) => {
        const i = cells[r]![c]!
        return test(i < 0 ? -1 : steps[r]![i]!)
      })
      this.#known.set(key, set)
    }
    return set
  }
}
