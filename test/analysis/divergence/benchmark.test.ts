// A small slice of every benchmark suite, so that a change of the engine shows here before the full benchmark is run.
// Gates lie two standard errors of such a slice below what whole families reach.

import { describe, expect, test, vi } from 'vitest'
import { analyseTask } from '../../../src/analysis/divergence/analyse.ts'
import { makeCase } from '../../bench/divergence/cases.ts'
import { BASELINES } from '../../bench/divergence/baselines.ts'
import { analyseCase, familySuite, inputsOf } from '../../bench/divergence/families.ts'
import { baselineRows, figuresOf } from '../../bench/divergence/metrics.ts'
import { benignSuite, metamorphicSuite, nullSuite, renamingSuite } from '../../bench/divergence/suites.ts'

vi.spyOn(process.stdout, 'write').mockImplementation(() => true)

describe.each([
  ['lab', 0.83, 0.93],
  ['abstract', 0.87, 0.9],
] as const)('family %s', (family, top1, top3) => {
  const report = familySuite({ family, from: 301, count: 80, isPooled: false, withBaselines: false })

  test('ranks the planted step', () => {
    expect(report.figures.rows).toBeGreaterThan(100)
    expect(report.figures.top1).toBeGreaterThanOrEqual(top1)
    expect(report.figures.top3).toBeGreaterThanOrEqual(top3)
  })

  test('pooled noise rates do no harm', () => {
    const pooled = familySuite({ family, from: 301, count: 80, isPooled: true, withBaselines: false })
    expect(pooled.figures.top1).toBeGreaterThanOrEqual(report.figures.top1 - 0.01)
  })

  test('is far above every baseline', () => {
    const cases = Array.from({ length: 12 }, (_, i) => makeCase(301 + i, { family }))
    const ours = figuresOf(report.rows.filter((row) => row.seed < 313)).top1
    for (const baseline of Object.values(BASELINES)) {
      const theirs = figuresOf(cases.flatMap((made) => baselineRows(made, baseline))).top1
      expect(ours - theirs).toBeGreaterThan(0.2)
    }
  })

  test('says the same whatever the order of trials and keys, ids, clocks, white space and date formats', () => {
    const sameness = metamorphicSuite(family, 501, 12)
    for (const [name, { rows, sameTop, sameProbability }] of Object.entries(sameness)) {
      expect([name, sameTop]).toEqual([name, rows])
      expect(sameProbability / rows).toBeGreaterThanOrEqual(name === 'trial order' ? 0.95 : 1)
    }
  })
})

test('finds seldom anything where there is nothing', () => {
  const { all } = nullSuite(701, 12)
  expect(all!.sureTrials).toBeLessThanOrEqual(0.12)
  expect(all!.p05).toBeLessThanOrEqual(0.07)
})

test('harmless differences are none', () => {
  expect(benignSuite(701, 40).none).toBeGreaterThanOrEqual(0.95)
})

test('other names, same finding', () => {
  const { rows, sameTop } = renamingSuite(701, 16)
  expect(sameTop / rows).toBeGreaterThanOrEqual(0.97)
})

test('the same input gives the same output', () => {
  const made = makeCase(42, { family: 'abstract' })
  expect(analyseTask(inputsOf(made))).toEqual(analyseCase(made))
})
