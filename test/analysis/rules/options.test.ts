// Rules as options of the analysis: what bears on which task, which of two contradicting rules holds, and that the
// engine does what they say, the taking back of learned merges and masks included.

import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { normaliseTrial } from '../../../src/analysis/divergence/input.ts'
import { addLearned, learnTask } from '../../../src/analysis/rules/learned.ts'
import { analysisOptions } from '../../../src/analysis/rules/options.ts'
import type { Trial } from '../../../src/model/trial.ts'
import { ruleDraftSchema, type RuleInput } from '../../../src/model/rules.ts'
import { stepsOf, type Made } from './steps.ts'

const draft = (input: RuleInput) => v.parse(ruleDraftSchema, input)
const rules = [
  draft({ kind: 'tool-class', tool: 'look', class: 'read' }),
  draft({ kind: 'tool-class', tool: 'look', class: 'check', suite: 'desk' }),
  draft({ kind: 'equivalence', alias: 'fetch', tool: 'get', args: { key: 'id' } }),
  draft({ kind: 'ignored-path', tool: 'get', path: 'seen_at' }),
  draft({ kind: 'stage', tool: 'look*', stage: 'inspect' }),
  draft({ kind: 'must-not', event: 'x', tool: 'look' }),
  draft({ kind: 'apart', tool: 'get', enabled: false }),
]

describe('what bears on a task', () => {
  test('the suite’s own class holds; rules of tools that it does not call are left out', () => {
    expect(analysisOptions(rules, 'desk', ['look'])).toEqual({
      toolClasses: { look: 'check' },
      stages: [{ tool: 'look*', stage: 'inspect' }],
    })
    expect(analysisOptions(rules, 'other', ['look'])?.toolClasses).toEqual({ look: 'read' })
    expect(analysisOptions(rules, 'desk', ['pay'])).toBeUndefined()
  })

  test('a path of the canonical tool bears on a task that calls only the alias', () => {
    expect(analysisOptions(rules, 'desk', ['fetch'])).toEqual({
      equivalences: { fetch: { tool: 'get', args: { key: 'id' } } },
      ignoredPaths: [{ tool: 'get', path: 'seen_at' }],
    })
  })

  test('without a list of tools every rule of the suite is there', () => {
    expect(Object.keys(analysisOptions(rules, 'desk', null) ?? {}).sort()).toEqual([
      'equivalences',
      'ignoredPaths',
      'stages',
      'toolClasses',
    ])
  })
})

describe('what was learned', () => {
  const trial = (calls: readonly Made[]) => normaliseTrial({ steps: stepsOf(calls) } as unknown as Trial)
  const result = { name: 'Ann', city: 'Bern', total: 120 }
  const trials = [1, 2, 3].map((i) =>
    trial([
      {
        tool: 'get_user',
        args: { id: 'u1' },
        result: { ...result, serial: `s-${i}-${i * 7}`, request_id: `${i}` },
      },
      { tool: i === 3 ? 'load_user' : 'get_user', args: i === 3 ? { key: 'u2' } : { id: 'u2' }, result },
      { tool: 'pay', args: { amount: i } },
    ]),
  )
  const learned = (options = {}) => learnTask(trials, [true, true, false], ['a', 'b', 'c'], options)

  test('tools with class, stage and reason', () => {
    expect(learned().tools).toEqual([
      {
        tool: 'get_user',
        canonical: 'get_user',
        stepClass: 'read',
        stage: 'gather',
        reason: 'name begins with “get”',
        calls: 5,
        failedCalls: 0,
        tasks: 1,
      },
      expect.objectContaining({ tool: 'pay', stepClass: 'write', stage: 'act' }),
      expect.objectContaining({ tool: 'load_user', canonical: 'get_user', calls: 1 }),
    ])
  })

  test('a merge with the two calls that show it, and taken back by a rule', () => {
    expect(learned().merges).toEqual([
      {
        alias: 'load_user',
        tool: 'get_user',
        args: { key: 'id' },
        tasks: 1,
        evidence: { trial: 'c', step: 2, otherTrial: 'a', otherStep: 2, values: 3 },
      },
    ])
    expect(learned({ apart: ['load_user'] }).merges).toEqual([])
  })

  test('masks with their reason and examples, and taken back by a rule', () => {
    expect(learned().masks).toEqual([
      expect.objectContaining({
        tool: 'get_user',
        path: 'request_id',
        reason: 'name',
        seen: 3,
        different: 3,
      }),
      expect.objectContaining({
        tool: 'get_user',
        path: 'serial',
        reason: 'never the same twice',
        examples: ['s-1-7', 's-2-14', 's-3-21'],
      }),
    ])
    const kept = learned({ comparedPaths: [{ tool: 'get_*', path: 'ser*' }] }).masks
    expect(kept.map(({ path }) => path)).toEqual(['request_id'])
  })

  test('adding tasks up adds counts', () => {
    const sum = addLearned([learned(), learned()])
    expect(sum.tools.find(({ tool }) => tool === 'get_user')).toMatchObject({ calls: 10, tasks: 2 })
    expect(sum.merges).toMatchObject([{ alias: 'load_user', tasks: 2 }])
    expect(sum.masks).toMatchObject([
      { path: 'request_id', tasks: 2, seen: 6 },
      { path: 'serial', tasks: 2 },
    ])
  })
})
