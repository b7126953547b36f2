// Outcome rules: what a trial's outcome becomes, by scorer and field, and what happens to errors and missing values.

import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { makeRuleSet } from '../../../src/analysis/rules/judge.ts'
import { ruleDraftSchema, type Rule, type RuleInput } from '../../../src/model/rules.ts'
import { trialOf } from './steps.ts'

type OutcomeInput = Omit<Extract<RuleInput, { kind: 'outcome' }>, 'kind'>

const rule = (input: OutcomeInput, id = 'r1'): Rule => ({
  ...v.parse(ruleDraftSchema, { kind: 'outcome', ...input }),
  id,
  revision: 1,
  createdAt: '',
  updatedAt: '',
})
const outcome = (input: OutcomeInput, more: Parameters<typeof trialOf>[1]) =>
  makeRuleSet([rule(input)]).judge(trialOf([], more)).outcome?.outcome ?? null

describe('what is compared', () => {
  test('a scorer by its name, or the score when the source says who gave it', () => {
    expect(outcome({ scorer: 'reward', value: 0.5 }, { scores: { reward: 0.5 } })).toBe('pass')
    expect(outcome({ scorer: 'reward', value: 0.5 }, { scores: { reward: 0.4 } })).toBe('fail')
    expect(outcome({ scorer: 'reward', value: 0.5 }, { score: 1, scorer: 'reward' })).toBe('pass')
    expect(outcome({ scorer: 'reward', value: 0.5 }, { score: 1, scorer: 'other' })).toBe(null)
    expect(outcome({ scorer: '__proto__', value: 0.5 }, { scores: {} })).toBe(null)
  })

  test('a field of the trial', () => {
    const extra = { check: { db: true, notes: 'all good' } }
    expect(outcome({ field: 'extra.check.db', test: 'equals', value: true }, { extra })).toBe('pass')
    expect(outcome({ field: 'extra.check.notes', test: 'contains', value: 'bad' }, { extra })).toBe('fail')
    expect(outcome({ field: 'termination', test: 'in', value: ['done', 'ok'] }, { termination: 'ok' })).toBe(
      'pass',
    )
    expect(outcome({ field: 'extra.nothing', test: 'exists' }, { extra })).toBe('fail')
    expect(
      outcome({ field: 'scoreRaw.parts[].ok', test: '<', value: 1 }, { scoreRaw: { parts: [{ ok: 0 }] } }),
    ).toBe('pass')
  })
})

describe('errors and missing values', () => {
  const scored = { scores: { reward: 1 }, outcome: 'error' } as const
  test.each([
    ['keep', null],
    ['judge', 'pass'],
    ['fail', 'fail'],
    ['unknown', 'unknown'],
  ] as const)('an error: %s', (error, expected) =>
    expect(outcome({ scorer: 'reward', value: 1, error }, scored)).toBe(expected),
  )
  test.each([
    ['keep', null],
    ['unknown', 'unknown'],
    ['error', 'error'],
    ['fail', 'fail'],
  ] as const)('no value: %s', (unknown, expected) =>
    expect(outcome({ scorer: 'reward', value: 1, unknown }, { scores: { reward: null } })).toBe(expected),
  )
})

test('the first rule that says something holds, and says why without quoting texts', () => {
  const set = makeRuleSet([
    rule({ scorer: 'a', value: 1 }, 'ra'),
    rule({ field: 'termination', test: 'equals', value: 'x' }, 'rb'),
  ])
  expect(set.judge(trialOf([], { scores: { a: 0.2 } })).outcome).toEqual({
    outcome: 'fail',
    why: 'the value is 0.2; rule: a trial passes when scorer a ≥ 1',
    ruleId: 'ra',
  })
  expect(set.judge(trialOf([], { termination: 'secret words' })).outcome).toEqual({
    outcome: 'fail',
    why: 'the value was compared; rule: a trial passes when termination is “x”',
    ruleId: 'rb',
  })
  expect(set.judge(trialOf([])).outcome).toBe(null)
  expect(set.needsBody(['anything'])).toBe(false)
  expect(makeRuleSet([rule({ field: 'extra.x', test: 'exists' })]).needsBody([])).toBe(true)
})
