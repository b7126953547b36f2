// Statistics of the aligned columns: variants with passing and failing trials, dominant variant, coherence, and the
// values of every facet. Fills the novelty counts on the way. Read by the differences of every failing trial.

import type { Alignment } from './align.ts'
import { CLASS_NAMES } from './constants.ts'
import type { ClassCode, FacetType } from './constants.ts'
import type { Novelty } from './novelty.ts'
import type { Prepared } from './prepare.ts'

/** A variant of a column: its token, and how many passing and failing trials show it. */
export type Variant = { readonly token: number; pass: number; fail: number }

/** One facet in one column: trials that have it, and trials per value. */
export type FacetColumn = {
  readonly type: FacetType
  pass: number
  fail: number
  readonly values: Map<number, [pass: number, fail: number]>
}

/** What is known of one column. */
export type ColumnStats = {
  readonly variants: ReadonlyMap<number, Variant>
  readonly pass: number
  readonly fail: number
  readonly dominant: number
  readonly cls: ClassCode
  readonly tool: string
  /** How much passing trials agree on the call here: 1, .6 for a single one, .15. */
  readonly coherence: number
  /** Null when all trials show one variant: then no facet differs. */
  readonly facets: ReadonlyMap<number, FacetColumn> | null
}

/** The statistics of all columns; adds what passing trials vary in to `novelty`. */
export function columnStats(prepared: Prepared, alignment: Alignment, novelty: Novelty): ColumnStats[] {
  const passCount = prepared.isPass.filter(Boolean).length
  const columns: ColumnStats[] = []
  for (let c = 0; c < alignment.columnCount; c++) {
    const column = statsOf(prepared, alignment, c)
    columns.push(column)
    if (passCount > 1) notePresence(column, passCount, novelty)
    if (column.facets === null) {
      if (column.pass > 1) {
        const { facets } = prepared.vocabulary.tokens[column.dominant]!
        for (let i = 0; i < facets.length; i += 3) {
          novelty.noteFacet(facets[i]!, facets[i + 2] as FacetType, 0, column.pass)
        }
      }
      continue
    }
    for (const [facet, stats] of column.facets) {
      if (stats.pass < 2) continue
      let novel = 0
      for (const [pass] of stats.values.values()) if (pass === 1) novel++
      novelty.noteFacet(facet, stats.type, novel, stats.pass)
    }
  }
  return columns
}

function statsOf(prepared: Prepared, alignment: Alignment, c: number): ColumnStats {
  const { tokens } = prepared.vocabulary
  const variants = new Map<number, Variant>()
  let pass = 0
  let fail = 0
  for (let r = 0; r < alignment.cells.length; r++) {
    const i = alignment.cells[r]![c]!
    if (i < 0) continue
    const token = alignment.steps[r]![i]!
    let variant = variants.get(token)
    if (variant === undefined) variants.set(token, (variant = { token, pass: 0, fail: 0 }))
    if (prepared.isPass[r] === true) {
      variant.pass++
      pass++
    } else {
      variant.fail++
      fail++
    }
  }
  let dominant: Variant | null = null
  for (const variant of variants.values()) {
    if (dominant === null || variant.pass * 1000 + variant.fail > dominant.pass * 1000 + dominant.fail) {
      dominant = variant
    }
  }
  const token = dominant === null ? -1 : dominant.token
  const { cls, toolName } = tokens[token]!
  return {
    variants,
    pass,
    fail,
    dominant: token,
    cls,
    tool: toolName,
    coherence: coherenceOf(prepared, variants, pass),
    facets: variants.size === 1 ? null : facetsOf(prepared, variants),
  }
}

function coherenceOf(prepared: Prepared, variants: ReadonlyMap<number, Variant>, pass: number): number {
  if (pass <= 1) return 0.6
  const calls = new Map<number, number>()
  let most = 0
  for (const variant of variants.values()) {
    if (variant.pass === 0) continue
    const { call } = prepared.vocabulary.tokens[variant.token]!
    const count = (calls.get(call) ?? 0) + variant.pass
    calls.set(call, count)
    if (count > most) most = count
  }
  return most / pass >= 0.5 ? 1 : 0.15
}

function facetsOf(prepared: Prepared, variants: ReadonlyMap<number, Variant>): Map<number, FacetColumn> {
  const found = new Map<number, FacetColumn>()
  for (const variant of variants.values()) {
    const { facets } = prepared.vocabulary.tokens[variant.token]!
    for (let i = 0; i < facets.length; i += 3) {
      const facet = facets[i]!
      let stats = found.get(facet)
      if (stats === undefined) {
        found.set(facet, (stats = { type: facets[i + 2] as FacetType, pass: 0, fail: 0, values: new Map() }))
      }
      stats.pass += variant.pass
      stats.fail += variant.fail
      const value = stats.values.get(facets[i + 1]!)
      if (value === undefined) stats.values.set(facets[i + 1]!, [variant.pass, variant.fail])
      else {
        value[0] += variant.pass
        value[1] += variant.fail
      }
    }
  }
  return found
}

/** Absences in columns that at least half of the passing trials fill, and cells that only one of them has. */
function notePresence(column: ColumnStats, passCount: number, novelty: Novelty): void {
  const cls = CLASS_NAMES[column.cls]
  if (column.pass * 2 >= passCount) {
    novelty.notePresence('missing', cls, null, passCount - column.pass, passCount)
    novelty.notePresence('missing', cls, column.tool, passCount - column.pass, passCount)
  }
  if (column.pass === 0) return
  novelty.notePresence('extra', cls, null, column.pass === 1 ? 1 : 0, column.pass)
  const isRare = (column.pass - 1) * 2 < passCount - 1
  novelty.notePresence('extra', cls, column.tool, isRare ? column.pass : 0, column.pass)
}
