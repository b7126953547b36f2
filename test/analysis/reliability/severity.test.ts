// Severe errors and cost: counts, bounds, and what must not be averaged away.

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/model/outcome.ts'
import {
  concededBeyondPolicy,
  costBootstrap,
  costSummary,
  retryCost,
  type CostTrial,
} from '../../../src/analysis/reliability/cost.ts'
import {
  poissonRateUpper,
  poissonUpper,
  severitySummary,
  type SevereTrial,
} from '../../../src/analysis/reliability/severity.ts'
import { near, valueOf } from './figures.ts'

function severeTrials(count: number, severe: number): SevereTrial[] {
  return Array.from({ length: count }, (_, i) => ({
    trialId: `r${i}`,
    taskId: `t${Math.floor(i / 8)}`,
    outcome: 'fail' as Outcome,
    events: i < severe ? 1 : 0,
  }))
}

describe('severe errors', () => {
  it.each([
    [26, 80, 0.415632, 0.421324],
    [4, 80, 0.106799, 0.110772],
    [0, 80, 0.032713, 0.036754],
  ])('%i of %i', (severe, count, wilson, exact) => {
    const found = severitySummary(severeTrials(count, severe))
    expect([found.severeTrials, found.trials, found.events]).toEqual([severe, count, severe])
    near(valueOf(found.upperWilson).upper, wilson, 5.1e-7)
    near(valueOf(found.upperExact).upper, exact, 5.1e-7)
  })

  it('gives passed-but-harmful its own row, and names the worst task', () => {
    const trials: SevereTrial[] = [
      { trialId: '1', taskId: 'a', outcome: 'pass', events: 2 },
      { trialId: '2', taskId: 'a', outcome: 'fail', events: 0 },
      { trialId: '3', taskId: 'b', outcome: 'fail', events: 1 },
      { trialId: '4', taskId: 'b', outcome: 'unknown', events: 1 },
    ]
    const found = severitySummary(trials)
    expect(found.passedButHarmful).toEqual({ trials: 1, events: 2 })
    expect(found.worstTask).toEqual({ taskId: 'b', severeTrials: 2, events: 2, trials: 2 })
    expect([found.severeTrials, found.events]).toEqual([3, 4])
    near(valueOf(found.eventsPerTrialUpper).upper, poissonUpper(4) / 4)
  })

  it('has no bound without trials, and no worst task without events', () => {
    const none = severitySummary([])
    expect([none.upperWilson, none.upperExact, none.worstTask]).toEqual([
      { ok: false, reason: 'no-trials' },
      { ok: false, reason: 'no-trials' },
      null,
    ])
    expect(severitySummary(severeTrials(5, 0)).worstTask).toBeNull()
    expect(() => severitySummary([{ trialId: '1', taskId: 'a', outcome: 'pass', events: -1 }])).toThrow(
      RangeError,
    )
  })

  it('bounds event counts by Poisson', () => {
    near(poissonUpper(0), 2.995732, 5.1e-7)
    near(poissonUpper(2), 6.295794, 5.1e-7)
    near(poissonUpper(5), 10.513034908741535, 1e-10)
    near(poissonUpper(200), 224.87435104933058, 1e-9)
    near(valueOf(poissonRateUpper(2, 40)).upper, 6.295794 / 40, 2e-8)
    expect(poissonRateUpper(0, 0)).toEqual({ ok: false, reason: 'no-trials' })
    expect(() => poissonRateUpper(0, -1)).toThrow(RangeError)
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.constantFrom(0.5, 0.9, 0.95, 0.999),
        (events, confidence) => {
          const upper = poissonUpper(events, confidence)
          let term = Math.exp(-upper)
          let total = term
          for (let i = 1; i <= events; i++) total += term *= upper / i
          near(total, 1 - confidence, 1e-11)
        },
      ),
    )
  })
})

describe('cost', () => {
  const costs = [0, 0, 0, 25, 0, 0, 40, 0, 0, 0]
  const trials: CostTrial[] = costs.map((cost, i) => ({
    trialId: `r${i}`,
    taskId: `t${i % 3}`,
    cost,
    passed: i < 4,
  }))

  it('keeps the worst beside the mean', () => {
    const found = costSummary(trials)
    near(valueOf(found.mean), 6.5)
    near(valueOf(found.deviation), 14.151953, 5.1e-7)
    expect(found.worst).toEqual({ ok: true, value: { trialId: 'r6', cost: 40 } })
    expect(found.median).toEqual({ ok: true, value: 0 })
    near(valueOf(found.perSuccess), 65 / 4)
  })

  it('never takes an unknown cost as free', () => {
    const found = costSummary([...trials, { trialId: 'x', taskId: 't0', cost: null, passed: true }])
    expect([found.trials, found.withoutCost]).toEqual([10, 1])
    near(valueOf(found.mean), 6.5)
    const none = costSummary([{ trialId: 'x', taskId: 't0', cost: null, passed: true }])
    expect([none.mean, none.worst, none.perSuccess]).toEqual(
      Array.from({ length: 3 }, () => ({ ok: false, reason: 'no-costs' })),
    )
    expect(costSummary([{ trialId: 'x', taskId: 't', cost: 1, passed: false }]).perSuccess).toEqual({
      ok: false,
      reason: 'no-passes',
    })
    expect(() => costSummary([{ trialId: 'x', taskId: 't', cost: Number.NaN, passed: null }])).toThrow(
      RangeError,
    )
  })

  it('bootstraps task means in their own units', () => {
    const found = costBootstrap(trials, { resamples: 200 })
    expect(found.tasks).toBe(3)
    near(valueOf(found.estimate), (65 / 4 + 0 + 0) / 3)
    expect(valueOf(found.student).lower).toBeLessThan(0)
    expect(found.resampling.stream).toBe('cost-bootstrap')
  })

  it('concedes only what lies beyond the policy', () => {
    expect([concededBeyondPolicy(100, 60), concededBeyondPolicy(40, 60)]).toEqual([40, 0])
    expect(() => concededBeyondPolicy(Number.NaN, 0)).toThrow(RangeError)
  })

  it('knows what retrying costs: the mean over all orders', () => {
    const trial = fc.record({ cost: fc.integer({ min: 0, max: 50 }), passed: fc.boolean() })
    fc.assert(
      fc.property(
        fc.array(trial, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 5 }),
        (list, k) => {
          const found = retryCost(list, k)
          if (k > list.length) {
            expect(found).toEqual({ ok: false, reason: 'k-exceeds-n' })
            return
          }
          const orders = permutations(list)
          let cost = 0
          let attempts = 0
          let successes = 0
          for (const order of orders) {
            for (const { cost: one, passed } of order.slice(0, k)) {
              cost += one
              attempts++
              if (!passed) continue
              successes++
              break
            }
          }
          near(valueOf(found).cost, cost / orders.length, 1e-9)
          near(valueOf(found).attempts, attempts / orders.length, 1e-9)
          near(valueOf(found).passAtK, successes / orders.length, 1e-9)
        },
      ),
    )
    expect(retryCost([], 1)).toEqual({ ok: false, reason: 'no-trials' })
  })
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, i) =>
    permutations(items.filter((_, j) => j !== i)).map((rest) => [item, ...rest]),
  )
}
