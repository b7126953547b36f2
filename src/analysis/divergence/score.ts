// From aligned trials to the ranked differences of every failing trial: the one place that puts the parts of scoring
// together. Columns first, then one failing trial at a time, so that a window can show the first before the last.

import type { Alignment } from './align.ts'
import { columnStats } from './columns.ts'
import { DataFlow } from './dataflow.ts'
import { Differences } from './differences.ts'
import { Incidence } from './incidence.ts'
import type { Node } from './node.ts'
import { Novelty } from './novelty.ts'
import type { NoiseCounts } from './novelty.ts'
import { OwnScores } from './own.ts'
import type { Prepared } from './prepare.ts'
import { Variants } from './variants.ts'
import type { Scene } from './variants.ts'
import { weigh } from './weigh.ts'
import type { Weighed } from './weigh.ts'

/** The scoring of one aligned task. */
export class Scoring {
  readonly scene: Scene
  readonly #differences: Differences
  readonly #flow: DataFlow
  readonly #incidence: Incidence
  readonly #weighed = new Map<number, Weighed>()

  constructor(
    prepared: Prepared,
    rows: readonly (readonly Node[])[],
    alignment: Alignment,
    pooled: NoiseCounts | undefined,
  ) {
    const novelty = new Novelty(prepared.vocabulary.facets, pooled)
    const numbers = prepared.isPass.map((_, r) => r)
    this.scene = {
      prepared,
      alignment,
      novelty,
      columns: columnStats(prepared, alignment, novelty),
      scores: new OwnScores(),
      passing: numbers.filter((r) => prepared.isPass[r] === true),
      failing: numbers.filter((r) => prepared.isPass[r] !== true),
    }
    const variants = new Variants(this.scene)
    this.#differences = new Differences(this.scene, variants, rows)
    this.#flow = new DataFlow(this.scene, variants, rows)
    this.#incidence = new Incidence(prepared, alignment)
  }

  /** The ranked differences of a failing trial (by position); computed once. */
  of(row: number): Weighed {
    let weighed = this.#weighed.get(row)
    if (weighed === undefined) {
      weighed = weigh(this.scene, this.#flow, this.#incidence, row, this.#differences.of(row))
      this.#weighed.set(row, weighed)
    }
    return weighed
  }
}
