// Rows and summaries from trial lines: the published fixtures of issue-level figures, denominators and order.

import { describe, expect, it } from 'vitest'
import {
  curveOf,
  rateOf,
  suiteCurve,
  suiteSummary,
  taskRow,
  type TrialLine,
} from '../../../src/core/services/taskrows.ts'
import { filterTasks, sortTasks } from '../../../src/core/services/taskorder.ts'
import { NO_LEAD } from '../../../src/core/services/counted.ts'
import { configurationLabels } from '../../../src/core/services/labels.ts'
import { DEFAULT_POLICY, type Outcome } from '../../../src/model/outcome.ts'
import { UNKNOWN_CONFIGURATION } from '../../../src/model/trial.ts'
import type { TaskRow } from '../../../src/contract/rows.ts'

function lines(taskId: string, outcomes: readonly Outcome[], severe: readonly number[] = []): TrialLine[] {
  return outcomes.map((outcome, i) => ({
    trialId: `${taskId}-${i}`,
    taskId,
    configurationId: 'c',
    outcome,
    severeEvents: severe[i] ?? 0,
    costUsd: null,
  }))
}

function outcomes(pass: number, fail: number, error = 0, unknown = 0): Outcome[] {
  return [
    ...Array<Outcome>(pass).fill('pass'),
    ...Array<Outcome>(fail).fill('fail'),
    ...Array<Outcome>(error).fill('error'),
    ...Array<Outcome>(unknown).fill('unknown'),
  ]
}

function row(task: string, list: readonly TrialLine[], policy = DEFAULT_POLICY): TaskRow {
  return taskRow({ taskId: task, suite: 's', task, title: null }, list, policy, NO_LEAD, 0)
}

const NO_FILTER = {
  text: '',
  outcome: 'any',
  lead: 'any',
  annotated: 'any',
  severe: false,
  suite: null,
} as const

describe('a task', () => {
  it('counts errors as failures and leaves unknown out, unless the policy says otherwise', () => {
    const list = outcomes(3, 1, 2, 4)
    expect(rateOf(list, DEFAULT_POLICY)).toMatchObject({
      n: 6,
      passes: 3,
      errors: 2,
      unknown: 4,
      excluded: 4,
    })
    expect(rateOf(list, { error: 'exclude', unknown: 'fail' })).toMatchObject({
      n: 8,
      passes: 3,
      excluded: 2,
    })
  })

  it('with no trial that counts has no rate, no interval and an empty curve', () => {
    const empty = row('t', lines('t', outcomes(0, 0, 0, 3)))
    expect(empty.rate).toMatchObject({ n: 0, wilson: null })
    expect(empty.rate.rate.ok).toBe(false)
    expect(empty.curve).toEqual([])
    expect(empty.severeUpper).not.toBeNull()
  })

  it('shows exact rationals: 8 of 10 at k = 2', () => {
    const point = curveOf(10, 8)[1]
    expect(point).toMatchObject({ k: 2, exactHat: '28/45', exactAt: '44/45' })
  })

  it('tells trials that passed and were harmful', () => {
    const harmful = row('t', lines('t', outcomes(2, 2), [1, 0, 2, 0]))
    expect(harmful).toMatchObject({ severeTrials: 2, severeEvents: 3, passedButHarmful: 1 })
  })

  it('thins a long curve and keeps its last value', () => {
    const long = row('t', lines('t', outcomes(900, 100)))
    expect(long.curve.length).toBeLessThanOrEqual(101)
    expect(long.curve[0]).toBe(0.9)
    expect(long.curve.at(-1)).toBe(0)
  })
})

describe('a suite', () => {
  it('gives the published figures of the uniform and the split set', () => {
    const uniform = [6, 10, 7, 8, 7, 10, 6, 9, 8, 5, 8, 9, 6, 8, 6, 9, 7, 7, 10, 7]
    const split = [...Array<number>(10).fill(10), 5, 5, 7, 4, 5, 5, 5, 6, 3, 7]
    const at = (counts: readonly number[], k: number): string => {
      const point = suiteCurve(counts.map((c, i) => ({ taskId: `${i}`, n: 10, c })))[k - 1]
      return point?.passHatK.ok === true ? point.passHatK.value.toFixed(3) : 'none'
    }
    expect([1, 2, 5].map((k) => at(uniform, k))).toEqual(['0.765', '0.589', '0.295'])
    expect([1, 2, 5].map((k) => at(split, k))).toEqual(['0.760', '0.629', '0.511'])
  })

  it('gives mean .550, any .675 and all .425 for 5 4 2 0 of 5 at k = 2', () => {
    const curve = suiteCurve([5, 4, 2, 0].map((c, i) => ({ taskId: `${i}`, n: 5, c })))
    expect(curve[0]?.passHatK).toEqual({ ok: true, value: expect.closeTo(0.55, 12) })
    expect(curve[1]?.passAtK).toEqual({ ok: true, value: expect.closeTo(0.675, 12) })
    expect(curve[1]?.passHatK).toEqual({ ok: true, value: expect.closeTo(0.425, 12) })
  })

  it('never hides k for all tasks behind one short task, and says the coverage', () => {
    const list = [...lines('a', outcomes(4, 0)), ...lines('b', outcomes(2, 0))]
    const rows = [row('a', list.slice(0, 4)), row('b', list.slice(4))]
    const summary = suiteSummary(rows, list, DEFAULT_POLICY, { inScope: 1, total: 1 })
    expect(summary.curve).toHaveLength(4)
    expect(summary.curve[1]).toMatchObject({
      tasksDefined: 2,
      passHatK: { ok: true, value: 1 },
      bounds: null,
    })
    expect(summary.curve[3]).toMatchObject({ tasksDefined: 1, tasks: 2, bounds: [0.5, 1] })
  })

  it('says the other reading when it differs in the second decimal', () => {
    const list = lines('a', outcomes(238, 167, 40))
    const summary = suiteSummary([row('a', list)], list, DEFAULT_POLICY, { inScope: 1, total: 1 })
    expect(summary.pooled.n).toBe(445)
    expect(summary.otherReading?.policy.error).toBe('exclude')
    expect(summary.otherReading?.rate).toBeCloseTo(238 / 405, 12)
  })
})

describe('order and filter', () => {
  const rows = [
    row('t10', lines('t10', outcomes(1, 3))),
    row('t2', lines('t2', outcomes(3, 1))),
    row('t1', lines('t1', outcomes(4, 0), [1])),
    row('t0', lines('t0', outcomes(0, 0, 0, 2))),
  ]
  const names = (list: readonly TaskRow[]): string[] => list.map((item) => item.task)

  it('puts severe tasks first, then the lowest Wilson bound, what is not estimable last', () => {
    expect(names(sortTasks(rows, 'severe', false))).toEqual(['t1', 't10', 't2', 't0'])
  })

  it('orders names as people count', () => {
    expect(names(sortTasks(rows, 'task', false))).toEqual(['t0', 't1', 't2', 't10'])
    expect(names(sortTasks(rows, 'task', true))).toEqual(['t10', 't2', 't1', 't0'])
  })

  it('filters by outcome, severity and words', () => {
    expect(names(filterTasks(rows, { ...NO_FILTER, outcome: 'sometimes' }))).toEqual(['t10', 't2'])
    expect(names(filterTasks(rows, { ...NO_FILTER, outcome: 'not estimable' }))).toEqual(['t0'])
    expect(names(filterTasks(rows, { ...NO_FILTER, severe: true }))).toEqual(['t1'])
    expect(names(filterTasks(rows, { ...NO_FILTER, text: 'S T1' }))).toEqual(['t10', 't1'])
  })
})

describe('configuration labels', () => {
  it('tell configurations apart by what differs', () => {
    const labels = configurationLabels([
      { id: 'a', configuration: { ...UNKNOWN_CONFIGURATION, model: 'm', promptVersion: 'v1' } },
      { id: 'b', configuration: { ...UNKNOWN_CONFIGURATION, model: 'm', promptVersion: 'v2' } },
      { id: 'c', configuration: UNKNOWN_CONFIGURATION },
      { id: 'd', configuration: UNKNOWN_CONFIGURATION },
    ])
    expect([...labels.values()]).toEqual([
      'm · v1',
      'm · v2',
      'configuration unknown',
      'configuration unknown (2)',
    ])
  })
})
