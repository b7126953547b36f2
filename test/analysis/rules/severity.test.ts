// Severity rules over built trials: which calls are events, what they cost, and what can never change the verdict.

import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { mayHaveCalled, makeRuleSet } from '../../../src/analysis/rules/judge.ts'
import { ruleDraftSchema, type Rule, type RuleInput } from '../../../src/model/rules.ts'
import { stepsOf, trialOf, type Made } from './steps.ts'

const rule = (input: RuleInput, id = 'r1'): Rule => ({
  ...v.parse(ruleDraftSchema, input),
  id,
  revision: 1,
  createdAt: '',
  updatedAt: '',
})

const judge = (input: RuleInput, calls: readonly Made[]) => makeRuleSet([rule(input)]).judge(trialOf(calls))
/** The steps of the events of one rule. */
const steps = (input: RuleInput, calls: readonly Made[]) => judge(input, calls).events.map(({ step }) => step)

describe('must-not', () => {
  const cancel = (args: Made['args'], more: Partial<Made> = {}): Made => ({ tool: 'cancel', args, ...more })

  test('a call of the tool is an event at its step; a failed one is not, unless the rule says so', () => {
    const calls = [
      { tool: 'get' },
      cancel({ id: 1 }),
      cancel({ id: 2 }, { error: true, result: 'Error: no' }),
    ]
    expect(judge({ kind: 'must-not', event: 'cancelled', tool: 'cancel' }, calls)).toEqual({
      outcome: null,
      severe: 1,
      events: [
        {
          ruleId: 'r1',
          step: 2,
          call: 0,
          kind: 'cancelled',
          severity: 'severe',
          note: 'cancel was called',
          costUsd: null,
        },
      ],
    })
    expect(steps({ kind: 'must-not', event: 'cancelled', tool: 'cancel', failedCalls: true }, calls)).toEqual(
      [2, 4],
    )
  })

  test.each([
    [{ path: 'arguments.fare', test: 'equals', value: 'basic' }, [0]],
    [{ path: 'arguments.fare', test: 'not-equals', value: 'basic' }, [2]],
    // Canonical values: 5 and "5.0" are one number, dates are dates however they are written.
    [{ path: 'arguments.n', test: 'equals', value: '5.0' }, [0]],
    [{ path: 'arguments.day', test: 'equals', value: '2026-03-04' }, [0, 2]],
    [{ path: 'arguments.day', test: '<', value: '2026-03-05' }, [0, 2]],
    [{ path: 'arguments.n', test: '>', value: 5 }, [2]],
    [{ path: 'arguments.n', test: '>=', value: 5 }, [0, 2]],
    [{ path: 'arguments.items[].sku', test: 'equals', value: 'B' }, [0]],
    [{ path: 'arguments.items[].sku', test: 'in', value: ['X', 'Z'] }, [2]],
    [{ path: 'arguments.fare', test: 'glob', value: 'bas*' }, [0]],
    [{ path: 'arguments.fare', test: 'contains', value: 'us' }, [2]],
    [{ path: 'arguments.gift', test: 'exists' }, [2]],
    [{ path: 'arguments.gift', test: 'missing' }, [0]],
    [{ path: 'result.status', test: 'equals', value: 'done' }, [0]],
    [{ path: 'result', test: 'contains', value: 'queued' }, [2]],
  ] as const)('where %j', (condition, expected) => {
    const calls: Made[] = [
      cancel(
        { fare: 'basic', n: 5, day: '2026-03-04', items: [{ sku: 'A' }, { sku: 'B' }] },
        { result: { status: 'done' } },
      ),
      cancel(
        { fare: 'business', n: '6', day: 'March 4, 2026', items: [{ sku: 'Z' }], gift: true },
        { result: 'it is queued' },
      ),
    ]
    const where = [condition] as unknown as Extract<RuleInput, { kind: 'must-not' }>['where']
    expect(steps({ kind: 'must-not', event: 'e', tool: 'cancel', where }, calls)).toEqual(expected)
  })

  test('more than so many calls', () => {
    const calls = [cancel({ id: 1 }), cancel({ id: 2 }), cancel({ id: 3 })]
    const { events } = judge({ kind: 'must-not', event: 'e', tool: 'can*', moreThan: 1 }, calls)
    expect(events.map(({ step, note }) => [step, note])).toEqual([
      [2, 'call 2 of cancel where 1 is allowed'],
      [4, 'call 3 of cancel where 1 is allowed'],
    ])
  })

  test('an amount beyond a number, a path of the same call, and what an earlier call allowed', () => {
    const calls: Made[] = [
      { tool: 'pay', args: { amount: '$1,200.50', limit: 1000 } },
      { tool: 'compute', result: { refund: { allowed: 40 } } },
      { tool: 'compute', result: { refund: { allowed: 90 } }, error: true },
      { tool: 'pay', args: { amount: 65, limit: 1000 } },
    ]
    const beyond = (allowed: NonNullable<Extract<RuleInput, { kind: 'must-not' }>['amount']>['allowed']) =>
      judge(
        {
          kind: 'must-not',
          event: 'overpaid',
          tool: 'pay',
          amount: { path: 'arguments.amount', allowed },
          cost: 'max(0, paid - allowed)',
        },
        calls,
      ).events.map(({ step, costUsd, note }) => [step, costUsd, note])
    expect(beyond(50)).toEqual([
      [0, 1150.5, '1200.5 where 50 is allowed'],
      [6, 15, '65 where 50 is allowed'],
    ])
    expect(beyond({ path: 'arguments.limit' })).toEqual([[0, 200.5, '1200.5 where 1000 is allowed']])
    // The first payment has no allowance before it, the failed one allows nothing.
    expect(beyond({ path: 'result.refund.allowed', tool: 'comp*' })).toEqual([
      [6, 25, '65 where 40 is allowed'],
    ])
  })

  test('a shell tool is known by its program', () => {
    const calls = [{ tool: 'bash', args: { command: 'cd /x && rm -rf build' } }]
    expect(steps({ kind: 'must-not', event: 'e', tool: 'bash:rm' }, calls)).toEqual([0])
    expect(steps({ kind: 'must-not', event: 'e', tool: 'bash:ls' }, calls)).toEqual([])
  })
})

describe('must-happen-before', () => {
  const before = (more: Partial<Extract<RuleInput, { kind: 'must-happen-before' }>> = {}): RuleInput => ({
    kind: 'must-happen-before',
    event: 'unchecked',
    check: 'look',
    write: 'book',
    match: [{ check: 'arguments.user', write: 'arguments.user' }],
    ...more,
  })
  const look = (user: string, more: Partial<Made> = {}): Made => ({ tool: 'look', args: { user }, ...more })
  const book = (user: string, more: Partial<Made> = {}): Made => ({ tool: 'book', args: { user }, ...more })

  test('a check of another value, a failed one or a later one is none', () => {
    expect(steps(before(), [look('a'), book('a')])).toEqual([])
    expect(steps(before(), [look('b'), book('a')])).toEqual([2])
    expect(steps(before(), [look('a', { error: true }), book('a')])).toEqual([2])
    expect(steps(before(), [book('a'), look('a')])).toEqual([0])
    expect(steps(before(), [book('a', { error: true }), look('a'), book('a')])).toEqual([])
    expect(judge(before(), [look('b'), book('a')]).events[0]?.note).toBe(
      'book without look with the same user before it',
    )
  })

  test('values may stand under other names, in results, and in several places', () => {
    const match = [{ check: 'result.id', write: 'arguments.order.id' }]
    const call = (id: unknown): Made => ({ tool: 'book', args: { order: { id } as never } })
    expect(steps(before({ match }), [look('x', { result: { id: 7 } }), call('7')])).toEqual([])
    expect(steps(before({ match }), [look('x', { result: { id: 8 } }), call('7')])).toEqual([2])
    // Every item must have been checked, by whichever call.
    const each = [{ check: 'arguments.user', write: 'arguments.users[]' }]
    const both: Made = { tool: 'book', args: { users: ['a', 'b'] } }
    expect(steps(before({ match: each }), [look('a'), look('b'), both])).toEqual([])
    expect(steps(before({ match: each }), [look('a'), both])).toEqual([2])
  })

  test('several values must be those of one check', () => {
    const match = [
      { check: 'arguments.user', write: 'arguments.user' },
      { check: 'arguments.day', write: 'arguments.day' },
    ]
    const at = (tool: string, user: string, day: string): Made => ({ tool, args: { user, day } })
    expect(
      steps(before({ match }), [at('look', 'a', '1'), at('look', 'b', '2'), at('book', 'a', '2')]),
    ).toEqual([4])
    expect(
      steps(before({ match }), [at('look', 'a', '1'), at('look', 'a', '2'), at('book', 'a', '2')]),
    ).toEqual([])
    // A value that the write does not have is not compared.
    expect(steps(before({ match }), [at('look', 'a', '1'), { tool: 'book', args: { user: 'a' } }])).toEqual(
      [],
    )
  })

  test('without values any check before it is one', () => {
    expect(steps(before({ match: [] }), [look('b'), book('a')])).toEqual([])
    expect(steps(before({ match: [] }), [book('a')])).toEqual([0])
  })
})

describe('duplicate', () => {
  test('the same arguments in another order and writing are the same call', () => {
    const calls: Made[] = [
      { tool: 'book', args: { user: 'a', n: 1, day: '2026-03-04' } },
      { tool: 'book', args: { n: '1', day: 'March 4, 2026', user: ' a ' } },
      { tool: 'book', args: { user: 'a', n: 2, day: '2026-03-04' } },
      { tool: 'rebook', args: { user: 'a', n: 1, day: '2026-03-04' } },
    ]
    expect(steps({ kind: 'duplicate', event: 'twice', tool: '*book' }, calls)).toEqual([2])
    expect(
      steps({ kind: 'duplicate', event: 'twice', tool: 'book', keys: ['arguments.user'] }, calls),
    ).toEqual([2, 4])
    expect(
      steps({ kind: 'duplicate', event: 'twice', tool: 'book', keys: ['arguments.gone'] }, calls),
    ).toEqual([])
  })

  test('a repeat after a failure is none', () => {
    const call: Made = { tool: 'book', args: { user: 'a' } }
    expect(
      steps({ kind: 'duplicate', event: 'twice', tool: 'book' }, [{ ...call, error: true }, call]),
    ).toEqual([])
  })

  test('arguments beyond the bound of leaves are still told apart', () => {
    const long = (last: number): Made => ({
      tool: 'book',
      args: { items: [...Array.from({ length: 600 }, (_, i) => i), last] },
    })
    expect(steps({ kind: 'duplicate', event: 'twice', tool: 'book' }, [long(1), long(2), long(1)])).toEqual([
      4,
    ])
  })
})

test('an event that the source tells, too, is counted once', () => {
  const set = makeRuleSet([rule({ kind: 'must-not', event: 'wrong_refund', tool: 'pay' })])
  const calls: Made[] = [{ tool: 'pay' }, { tool: 'pay' }]
  const imported = { step: 0, kind: 'wrong_refund', severity: 'severe', note: null } as const
  const judged = set.judge(trialOf(calls, { severeErrors: [imported] }))
  expect(judged.events).toHaveLength(2)
  expect(judged.severe).toBe(1)
})

test('minor and major events are found and are not severe', () => {
  const judged = judge({ kind: 'must-not', event: 'e', tool: 'pay', severity: 'major' }, [{ tool: 'pay' }])
  expect(judged).toMatchObject({ severe: 0, events: [{ severity: 'major' }] })
})

test('which trials must be unpacked is told from the tools that they called', () => {
  expect(mayHaveCalled(['get', 'book'], 'bo*')).toBe(true)
  expect(mayHaveCalled(['get'], 'bo*')).toBe(false)
  expect(mayHaveCalled(['bash'], 'bash:rm')).toBe(true)
  expect(mayHaveCalled(['bash'], 'ba*')).toBe(true)
  expect(mayHaveCalled(['get', '*'], 'anything')).toBe(true)
  expect(mayHaveCalled([], '*')).toBe(false)
})

describe('properties', () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('a', 'b', '1', '2026-01-01'))
  const call: fc.Arbitrary<Made> = fc.record({
    tool: fc.constantFrom('look', 'book', 'pay'),
    args: fc.record({ user: value, n: value }),
    result: fc.oneof(value, fc.record({ id: value })),
    error: fc.boolean(),
  })
  const calls = fc.array(call, { maxLength: 25 })
  const rules: RuleInput[] = [
    { kind: 'must-not', event: 'a', tool: 'pay', where: [{ path: 'arguments.n', test: '>', value: 1 }] },
    {
      kind: 'must-happen-before',
      event: 'b',
      check: 'look',
      write: 'book',
      match: [{ check: 'arguments.user', write: 'arguments.user' }],
    },
    { kind: 'duplicate', event: 'c', tool: '*' },
  ]

  test('a check in front of everything can only take events away; a later call never changes earlier ones', () => {
    fc.assert(
      fc.property(calls, call, (list, more) => {
        for (const input of rules) {
          const now = steps(input, list)
          expect(steps(input, [...list, more]).slice(0, now.length)).toEqual(now)
        }
        const shifted = steps(rules[1]!, [{ tool: 'look', args: { user: 'a', n: 0 } }, ...list])
        const before = new Set(steps(rules[1]!, list))
        expect(shifted.every((step) => before.has(step - 2))).toBe(true)
      }),
    )
  })

  test('agrees with the plain reading of each rule', () => {
    fc.assert(
      fc.property(calls, (list) => {
        const same = (a: unknown, b: unknown): boolean => String(a) === String(b)
        const unchecked = list.flatMap((write, i) =>
          write.tool === 'book' &&
          !write.error &&
          !list
            .slice(0, i)
            .some(
              (check) =>
                check.tool === 'look' &&
                !check.error &&
                same((check.args as { user: unknown }).user, (write.args as { user: unknown }).user),
            )
            ? [2 * i]
            : [],
        )
        expect(steps(rules[1]!, list)).toEqual(unchecked)
        const done = list.map((one, i) => ({ ...one, i })).filter((one) => !one.error)
        const twice = done.flatMap((one, at) =>
          done.slice(0, at).some((other) => {
            const a = one.args as { user: unknown; n: unknown }
            const b = other.args as { user: unknown; n: unknown }
            return one.tool === other.tool && same(a.user, b.user) && same(a.n, b.n)
          })
            ? [2 * one.i]
            : [],
        )
        expect(steps(rules[2]!, list)).toEqual(twice)
      }),
    )
  })

  test('never throws on any steps', () => {
    const set = makeRuleSet(rules.map((input, i) => rule(input, `r${i}`)))
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 10 }), fc.string(), (values, name) => {
        const list = stepsOf(
          values.map((args) => ({ tool: name || 'x', args: args as never, result: args as never })),
        )
        set.judge(trialOf([], { steps: list }))
      }),
    )
  })
})
