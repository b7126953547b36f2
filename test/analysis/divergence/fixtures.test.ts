// The worked fixtures of docs/method-divergence.md: every failing trial's top divergence, probabilities and the task's
// permutation p, to 1e-3.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Divergence, TaskAnalysis } from '../../../src/model/analysis.ts'
import { analyseTask } from '../../../src/analysis/divergence/analyse.ts'
import { compactIndex, toTrial } from '../../bench/divergence/convert.ts'
import type { CompactStep } from '../../bench/divergence/convert.ts'

type Expected = {
  readonly row: number
  readonly type?: string
  readonly column: string | null
  readonly step?: number
  readonly post: number | null
  readonly none: number
  readonly permP: number
}
type Fixture = {
  readonly trials: readonly { readonly pass: boolean; readonly steps: readonly CompactStep[] }[]
  readonly expected: readonly Expected[]
}

const fixtures = JSON.parse(readFileSync(new URL('fixtures.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Fixture>
>

function analysisOf(fixture: Fixture): TaskAnalysis {
  return analyseTask(
    fixture.trials.map(({ pass, steps }, i) => ({
      id: `t${i}`,
      trial: toTrial(steps, pass ? 'pass' : 'fail'),
    })),
  )
}

function named(prefix: string): TaskAnalysis {
  const name = Object.keys(fixtures).find((key) => key.startsWith(prefix))
  if (name === undefined) throw new Error(`no fixture ${prefix}`)
  return analysisOf(fixtures[name]!)
}

function topOf(analysis: TaskAnalysis, row: number): Divergence | undefined {
  return analysis.findings.find((finding) => finding.trial === `t${row}`)?.ranked[0]
}

describe.each(Object.entries(fixtures))('%s', (_, fixture) => {
  const analysis = analysisOf(fixture)

  test.each(fixture.expected.map((expected) => [expected.row, expected] as const))(
    'trial %i',
    (row, expected) => {
      const finding = analysis.findings.find((candidate) => candidate.trial === `t${row}`)
      expect(finding).toBeDefined()
      expect(Math.abs(finding!.pNone - expected.none)).toBeLessThanOrEqual(1e-3)
      expect(Math.abs(analysis.permutation.p! - expected.permP)).toBeLessThanOrEqual(1e-3)
      const top = finding!.ranked[0]
      if (expected.column === null) {
        expect(top).toBeUndefined()
        expect(finding!.state).toBe('none')
        return
      }
      expect(top?.kind).toBe(expected.type)
      expect(`${top?.column}:${analysis.columns[top!.column]?.tool}`).toBe(expected.column)
      expect(top?.step === null ? -1 : compactIndex(top!.step!)).toBe(expected.step)
      expect(Math.abs(top!.probability - expected.post!)).toBeLessThanOrEqual(1e-3)
    },
  )

  test('every failing trial has one finding, every trial one lane', () => {
    const failing = fixture.trials.filter((trial) => !trial.pass).length
    expect(analysis.findings).toHaveLength(failing)
    expect(analysis.lanes).toHaveLength(fixture.trials.length)
  })
})

describe('what the fixtures say beyond the ranking', () => {
  test('F1: the sum can be redone by hand', () => {
    const top = topOf(named('F1'), 3)!
    expect(top.how.surprise).toBeCloseTo(-Math.log(0.015), 6)
    expect(top.how.own).toBeCloseTo(5.224551, 5)
    expect(top.how.cascade).toBeCloseTo(-0.06, 9)
    expect(top.how.score).toBeCloseTo(5.1893, 3)
    expect(top.counts).toEqual({ a: 2, F: 2, b: 0, P: 3 })
  })

  test('F2: the date explains the later differences', () => {
    const analysis = named('F2')
    const top = topOf(analysis, 3)!
    const explained = top.explains.map((c) => analysis.columns[c]?.tool)
    expect(explained).toContain('compute_refund')
    expect(explained).toContain('create_refund')
    expect(top.facet).toBe('days')
  })

  test('F3: it stopped after an error', () => {
    const [first, second] = named('F3').findings[0]!.ranked
    expect(first?.afterError).toBe(true)
    expect(second?.kind).toBe('error')
    expect(second?.probability).toBeCloseTo(0.098, 3)
  })

  test('F4: the alias is learned and said', () => {
    const alias = named('F4').tools.find((tool) => tool.name === 'search_customer')
    expect(alias?.canonical).toBe('find_user_by_email')
    expect(alias?.reason).toContain('same results as find_user_by_email')
  })

  test('F6: two failure modes', () => {
    const { modes } = named('F6')
    expect(modes.map((mode) => mode.kind).sort()).toEqual(['missing', 'observation'])
  })

  test('F7: the survivor is counted, and none is likelier', () => {
    const analysis = named('F7')
    expect(topOf(analysis, 4)!.counts).toEqual({ a: 3, F: 3, b: 1, P: 4 })
    expect(analysis.findings[0]!.state).toBe('none')
    expect(analysis.state).toBe('none')
    expect(analysis.permutation.floor).toBeCloseTo(0.028571, 6)
  })
})
