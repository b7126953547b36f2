// What the app asks for: one task, one suite, under each policy, with every figure that cannot be had saying why.

import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY, policyWords, type Outcome, type OutcomePolicy } from '../../../src/model/outcome.ts'
import { reasonWords } from '../../../src/analysis/reliability/estimate.ts'
import { countOutcomes, otherPolicies } from '../../../src/analysis/reliability/outcomes.ts'
import { suiteReliability, taskReliability } from '../../../src/analysis/reliability/summary.ts'
import { AIRLINE, limits, near, trialsOf, valueOf } from './figures.ts'

const OTHER: OutcomePolicy = { error: 'exclude', unknown: 'fail' }

function outcomesOf(text: string): Outcome[] {
  const marks: Record<string, Outcome> = { p: 'pass', f: 'fail', e: 'error', u: 'unknown' }
  return [...text].map((mark) => marks[mark]!)
}

describe('outcome policy', () => {
  it('counts an error as a failure and leaves out the unknown, unless told otherwise', () => {
    const outcomes = outcomesOf('ppfeu')
    expect(countOutcomes(outcomes, DEFAULT_POLICY)).toEqual({
      n: 4,
      c: 2,
      excluded: 1,
      errors: 1,
      unknown: 1,
    })
    expect(countOutcomes(outcomes, OTHER)).toEqual({ n: 4, c: 2, excluded: 1, errors: 1, unknown: 1 })
    expect(countOutcomes(outcomes, { error: 'exclude', unknown: 'exclude' }).n).toBe(3)
    expect(countOutcomes(outcomes, { error: 'fail', unknown: 'fail' })).toMatchObject({ n: 5, excluded: 0 })
    expect(countOutcomes([], DEFAULT_POLICY)).toEqual({ n: 0, c: 0, excluded: 0, errors: 0, unknown: 0 })
  })

  it('says itself in words', () => {
    expect(policyWords(DEFAULT_POLICY)).toBe('errors count as failures, unknown excluded')
    expect(policyWords(OTHER)).toBe('errors excluded, unknown counts as failure')
    expect(otherPolicies(DEFAULT_POLICY)).toEqual([
      { error: 'exclude', unknown: 'exclude' },
      { error: 'fail', unknown: 'fail' },
    ])
  })
})

describe('one task', () => {
  it('gives counts, curves, interval and verdict', () => {
    const found = taskReliability(outcomesOf('ppppppppff'), DEFAULT_POLICY)
    expect([found.n, found.c, found.rate, found.isFew]).toEqual([10, 8, { ok: true, value: 0.8 }, false])
    expect([found.passHat.length, found.passAt.length]).toEqual([10, 10])
    near(found.passHat[1]!, 28 / 45, 1e-15)
    near(found.passAt[1]!, 44 / 45, 1e-15)
    limits(found.wilson, 0.490162, 0.943318, 5.1e-7)
    expect(found.verdict.verdict).toBe('flaky')
    expect(found.policyWords).toBe(policyWords(DEFAULT_POLICY))
  })

  it('is not estimable when nothing counts', () => {
    const found = taskReliability(outcomesOf('uu'), DEFAULT_POLICY)
    expect([found.n, found.rate, found.wilson, found.passHat]).toEqual([
      0,
      { ok: false, reason: 'no-trials' },
      { ok: false, reason: 'no-trials' },
      [],
    ])
    expect(found.verdict.verdict).toBe('undecided')
    expect([found.excluded, found.unknown, found.isFew]).toEqual([2, 2, true])
    expect(reasonWords('k-exceeds-n')).toBe('not estimable (needs n ≥ k)')
  })

  it('asks only the trials that failed under the policy how they ended', () => {
    const outcomes = outcomesOf('fffffeu')
    const ends = ['x', 'x', 'x', 'x', 'x', null, 'y']
    expect(taskReliability(outcomes, DEFAULT_POLICY, { ends }).verdict.agreement.ok).toBe(false)
    const excluded = taskReliability(outcomes, { error: 'exclude', unknown: 'exclude' }, { ends })
    expect(excluded.verdict.verdict).toBe('consistently-wrong')
    expect(() => taskReliability(outcomes, DEFAULT_POLICY, { ends: ['x'] })).toThrow(RangeError)
  })
})

describe('a suite', () => {
  const airline = AIRLINE.map((text, i) => ({
    taskId: `t${i}`,
    outcomes: trialsOf(text).map((passed): Outcome => (passed ? 'pass' : 'fail')),
  }))

  it('gives the airline figures', () => {
    const found = suiteReliability(airline, DEFAULT_POLICY)
    expect([found.tasks, found.trials, found.passes, found.mixedTasks, found.excluded]).toEqual([
      50, 200, 84, 26, 0,
    ])
    const hat = [0.42, 0.273333333333, 0.22, 0.2]
    const at = [0.42, 0.566666666667, 0.66, 0.72]
    for (const [i, point] of found.passHat.entries()) near(valueOf(point.headline), hat[i]!, 1e-11)
    for (const [i, point] of found.passAt.entries()) near(valueOf(point.headline), at[i]!, 1e-11)
    limits(found.pooled.wilson, 0.353736, 0.489279, 5.1e-7)
    expect(found.pooled.label).toContain('pooled')
    expect(found.headlineKs).toEqual([1, 2])
    expect(found.histogram.map(({ tasks }) => tasks)).toEqual([14, 12, 10, 4, 10])
    near(found.effective!.icc, 0.404584369)
    near(found.effective!.trials, 200 / (1 + 3 * 0.404584369), 1e-6)
    expect(found.otherReadings).toEqual([])
  })

  it('shows the other reading when it differs in the second decimal', () => {
    const tasks = [
      { taskId: 'a', outcomes: outcomesOf('ppe') },
      { taskId: 'b', outcomes: outcomesOf('pffu') },
    ]
    const found = suiteReliability(tasks, DEFAULT_POLICY, { exposure: 3 })
    expect([found.trials, found.excluded, found.errors, found.unknown]).toEqual([6, 1, 1, 1])
    expect(found.otherReadings.map(({ policy, mean }) => [policy, mean.ok && mean.value.toFixed(3)])).toEqual(
      [
        [{ error: 'exclude', unknown: 'exclude' }, '0.667'],
        [{ error: 'fail', unknown: 'fail' }, '0.458'],
      ],
    )
    expect(found.headlineKs).toEqual([1, 2, 3])
  })

  it('keeps tasks without a counting trial in the total', () => {
    const found = suiteReliability(
      [
        { taskId: 'a', outcomes: outcomesOf('pp') },
        { taskId: 'b', outcomes: outcomesOf('u') },
      ],
      DEFAULT_POLICY,
    )
    const [first] = found.passHat
    expect([first!.defined, first!.total, first!.isPartial, first!.bounds]).toEqual([
      1,
      2,
      true,
      { lower: 0.5, upper: 1 },
    ])
    expect(found.variance).toEqual({ ok: false, reason: 'single-task' })
  })

  it('is empty for an empty suite, and JSON-plain always', () => {
    const empty = suiteReliability([], DEFAULT_POLICY)
    expect([empty.passHat, empty.headlineKs, empty.pooled.rate, empty.effective]).toEqual([
      [],
      [],
      { ok: false, reason: 'no-trials' },
      null,
    ])
    for (const found of [
      empty,
      suiteReliability(airline, DEFAULT_POLICY),
      taskReliability(outcomesOf('pf'), OTHER),
    ]) {
      expect(JSON.parse(JSON.stringify(found))).toEqual(found)
      expect(JSON.stringify(found)).not.toMatch(/NaN|Infinity|:null\.?[^,}\]]/)
    }
  })
})
