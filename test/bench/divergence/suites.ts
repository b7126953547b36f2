// The suites beside the main one: numbers of trials (grid), no cause at all (null), harmless differences only (benign),
// consistent renaming, and changes that must not matter (metamorphic).

import type { TaskAnalysis } from '../../../src/model/analysis.ts'
import { makeCase, makeNullCase } from './cases.ts'
import type { Family } from './cases.ts'
import { analyseCase, line } from './families.ts'
import type { Case } from './generate.ts'
import { figuresOf, rowsOf } from './metrics.ts'
import type { Figures, Row } from './metrics.ts'
import { renamed, VARIATIONS } from './variations.ts'

const GRID = [
  [1, 1],
  [2, 1],
  [3, 2],
  [5, 3],
  [8, 2],
  [2, 8],
  [5, 5],
  [10, 10],
  [20, 20],
] as const

const NULL_CELLS = [
  [3, 2],
  [5, 3],
  [8, 2],
  [5, 5],
  [10, 10],
] as const

const FAMILIES = ['lab', 'abstract'] as const

/** Top-1 and top-3 by numbers of passing and failing trials, `count` cases per cell and family. */
export function gridSuite(from: number, count: number): Record<string, Figures> {
  const result: Record<string, Figures> = {}
  for (const [passing, failing] of GRID) {
    const rows: Row[] = []
    for (const family of FAMILIES) {
      for (let seed = from; seed < from + count; seed++) {
        const made = makeCase(seed, { family, passing, failing })
        rows.push(...rowsOf(made, analyseCase(made)))
      }
    }
    const figures = figuresOf(rows, 0)
    result[`(${passing},${failing})`] = figures
    line(
      `  (${passing},${failing})  ${figures.top1.toFixed(3)} / ${figures.top3.toFixed(3)}  n=${figures.rows}`,
    )
  }
  return result
}

/** What a suite without a cause gives, per cell. */
export type NullFigures = {
  readonly tasks: number
  /** Share of failing trials, and of tasks by their lead, with a top probability over .8. */
  readonly sureTrials: number
  readonly sureTasks: number
  readonly p05: number
  readonly p10: number
  readonly none: number
}

/** How often something is found where there is nothing, `count` tasks per cell, families in turn. */
export function nullSuite(from: number, count: number): Record<string, NullFigures> {
  const result: Record<string, NullFigures> = {}
  const every: TaskAnalysis[] = []
  for (const [passing, failing] of NULL_CELLS) {
    const analyses = nullAnalyses(from, count, passing, failing)
    every.push(...analyses)
    result[`(${passing},${failing})`] = nullFigures(`(${passing},${failing})`, analyses)
  }
  result.all = nullFigures('all', every)
  return result
}

function nullAnalyses(from: number, count: number, passing: number, failing: number): TaskAnalysis[] {
  return Array.from({ length: count }, (_, i) =>
    analyseCase(makeNullCase(from + i, { family: FAMILIES[i % 2]!, passing, failing })),
  )
}

function nullFigures(name: string, analyses: readonly TaskAnalysis[]): NullFigures {
  const tops = analyses.map((analysis) =>
    analysis.findings.map((finding) => finding.ranked[0]?.probability ?? 0),
  )
  const findings = analyses.flatMap((analysis) => analysis.findings)
  const figures: NullFigures = {
    tasks: analyses.length,
    sureTrials: share(tops.flat(), (top) => top > 0.8),
    sureTasks: share(analyses, (analysis) => (analysis.lead?.probability ?? 0) > 0.8),
    p05: share(analyses, (analysis) => (analysis.permutation.p ?? 1) <= 0.05),
    p10: share(analyses, (analysis) => (analysis.permutation.p ?? 1) <= 0.1),
    none: share(findings, (finding) => finding.pNone >= 0.5),
  }
  line(
    `  ${name.padEnd(8)} top > .8: ${figures.sureTrials.toFixed(3)} of trials, ${figures.sureTasks.toFixed(3)} of tasks; p ≤ .05: ${figures.p05.toFixed(3)}, ≤ .10: ${figures.p10.toFixed(3)}; none: ${figures.none.toFixed(3)}  n=${figures.tasks}`,
  )
  return figures
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.filter(test).length / Math.max(1, items.length)
}

/** Harmless differences only: aliases, order of reads, repeats, retries, formats, ids. */
export function benignSuite(from: number, count: number): NullFigures {
  const analyses = Array.from({ length: count }, (_, i) => {
    const seed = from + i
    const passing = [2, 3, 4, 5, 8][seed % 5]!
    const failing = [1, 2, 3, 5][(seed >> 3) % 4]!
    return analyseCase(makeNullCase(seed, { family: FAMILIES[i % 2]!, passing, failing, isBenign: true }))
  })
  return nullFigures('benign', analyses)
}

/** How many findings stay the same. */
export type Sameness = { readonly rows: number; readonly sameTop: number; readonly sameProbability: number }

/** The same cases under other names, families in turn. */
export function renamingSuite(from: number, count: number): Sameness {
  const pairs = Array.from({ length: count }, (_, i): [Case, Case] => {
    const made = makeCase(from + i, { family: FAMILIES[i % 2]! })
    return [made, renamed(made)]
  })
  return samenessOf('renaming', pairs)
}

/** Every variation of every case. */
export function metamorphicSuite(family: Family, from: number, count: number): Record<string, Sameness> {
  const result: Record<string, Sameness> = {}
  const cases = Array.from({ length: count }, (_, i) => makeCase(from + i, { family }))
  for (const { name, apply } of VARIATIONS) {
    result[name] = samenessOf(
      name,
      cases.map((made) => [made, apply(made)]),
    )
  }
  return result
}

/** Compares the top divergences of pairs of cases, trial by trial. */
export function samenessOf(name: string, pairs: readonly (readonly [Case, Case])[]): Sameness {
  let rows = 0
  let sameTop = 0
  let sameProbability = 0
  for (const [left, right] of pairs) {
    const a = topsOf(analyseCase(left))
    const b = topsOf(analyseCase(right))
    for (const [trial, top] of a) {
      const other = b.get(trial)
      rows++
      if (other?.key === top.key) sameTop++
      if (other !== undefined && Math.abs(other.probability - top.probability) <= 1e-6) sameProbability++
    }
  }
  line(`  ${name.padEnd(32)} same top ${sameTop}/${rows}, same probability ${sameProbability}/${rows}`)
  return { rows, sameTop, sameProbability }
}

type Top = { readonly key: string; readonly probability: number }

/** The top divergence per failing trial: its step or, when it is absent, what stands there in other trials. */
function topsOf(analysis: TaskAnalysis): Map<string, Top> {
  return new Map(
    analysis.findings.map((finding) => {
      const top = finding.ranked[0]
      if (top === undefined) return [finding.trial, { key: 'none', probability: 0 }]
      const place = top.step ?? top.siblings.map(({ trial, step }) => `${trial}.${step}`).sort()[0]
      return [finding.trial, { key: `${top.kind}@${place}`, probability: top.probability }]
    }),
  )
}
