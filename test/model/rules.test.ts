// Rules as data: paths, arithmetic, schemas that name the wrong field, words, and the file format.

import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { evaluate, parseArithmetic } from '../../src/model/arithmetic.ts'
import { readRulesFile, rulesFileText } from '../../src/model/rulefile.ts'
import { ruleDraftSchema, rulesOfSuite, type Rule, type RuleInput } from '../../src/model/rules.ts'
import { ruleWords } from '../../src/model/rulewords.ts'
import { parsePath, valuesAt } from '../../src/model/valuepath.ts'

const draft = (input: RuleInput) => v.parse(ruleDraftSchema, input)
const rule = (id: string, input: RuleInput): Rule => ({
  ...draft(input),
  id,
  revision: 1,
  createdAt: '',
  updatedAt: '',
})

/** `field: message` of the first issue, null when the draft is right. */
function wrong(input: unknown): string | null {
  const result = v.safeParse(ruleDraftSchema, input)
  return result.success ? null : `${v.getDotPath(result.issues[0])}: ${result.issues[0].message}`
}

describe('paths', () => {
  const value = { a: { b: [{ c: 1 }, { c: 2 }, 5] }, 'x.y': { '': 7 }, list: [[1], [2]] }
  const at = (text: string) => {
    const path = parsePath(text)
    return path.ok ? valuesAt(value, path.value) : path.error
  }

  test.each([
    ['a.b[].c', [1, 2]],
    ['a.b[1].c', [2]],
    ['a.b[9]', []],
    ['["x.y"][""]', [7]],
    ['list[][0]', [1, 2]],
    ['a.nothing.c', []],
    ['__proto__', []],
    ['a.constructor', []],
  ])('%s', (text, expected) => expect(at(text)).toEqual(expected))

  test.each([
    ['', 'a key is missing at the end'],
    ['a.', 'a key is missing at the end'],
    ['a..b', 'a key is missing at character 3'],
    ['a[', '“[” at character 2 has no “]”'],
    ['a[x]', 'in “[ ]” stands nothing, a number or a key in quotes (character 3)'],
    ['a[0]b', 'a dot or “[” is missing at character 5'],
    ['a]b', 'a “]” without “[” before character 4'],
    ['a["x]', 'the key in quotes at character 2 does not end'],
  ])('%s is refused', (text, message) => expect(parsePath(text)).toEqual({ ok: false, error: message }))

  test('a path never throws and is bounded, whatever its text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.jsonValue(), (text, json) => {
        const path = parsePath(text)
        if (path.ok) expect(valuesAt(json as never, path.value).length).toBeLessThanOrEqual(10_000)
      }),
    )
    const huge = { items: Array.from({ length: 50_000 }, () => [1, 2, 3]) }
    expect(valuesAt(huge, ['items', null, null]).length).toBeLessThanOrEqual(10_000)
  })
})

describe('arithmetic', () => {
  const value = (text: string, values: { readonly [name: string]: number } = {}) => {
    const tree = parseArithmetic(text)
    if (!tree.ok) return tree.error
    return evaluate(tree.value, (path) => values[path.join('.')] ?? null)
  }

  test.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['8 / 2 / 2', 2],
    ['-2 * -3', 6],
    ['max(0, paid - allowed)', 25],
    ['min(1, 2, 0.5) + abs(0 - 3)', 3.5],
    ['arguments.items[0].price * 2', 24],
    ['1 / 0', null],
    ['paid - nothing', null],
  ])('%s', (text, expected) =>
    expect(value(text, { paid: 65, allowed: 40, 'arguments.items.0.price': 12 })).toBe(expected),
  )

  test.each([
    ['', 'the expression ends too early at character 1'],
    ['1 +', 'the expression ends too early at character 4'],
    ['1 2', 'an operator is missing at character 3'],
    ['eval(1)', 'there is no function eval; known are min, max and abs at character 5'],
    ['abs(1, 2)', 'abs takes one value at character 10'],
    ['(1', '“)” is missing at character 3'],
    ['a; b', 'an operator is missing at character 2'],
    ['1 ** 2', 'a number or a path is missing at character 4'],
    [`${'('.repeat(40)}1${')'.repeat(40)}`, 'an expression is nested at most 32 deep at character 33'],
    ['1+'.repeat(300), 'an expression has at most 500 characters'],
  ])('%s is refused', (text, message) => expect(value(text)).toBe(message))

  test('agrees with the sum of its parts, and never gives NaN or infinity', () => {
    const number = fc.integer({ min: -1000, max: 1000 })
    fc.assert(
      fc.property(number, number, number, (a, b, c) => {
        expect(value('x - (y + z) * 2', { x: a, y: b, z: c })).toBe(a - (b + c) * 2)
        const quotient = value('x / (y + z)', { x: a, y: b, z: c })
        expect(quotient === null || Number.isFinite(quotient)).toBe(true)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab0.+-*/()[]," min'), maxLength: 40 }), (text) => {
        const result = value(text, { a: 1, b: 2 })
        expect(result === null || typeof result === 'string' || Number.isFinite(result)).toBe(true)
      }),
    )
  })
})

describe('a wrong rule', () => {
  test.each([
    [{ kind: 'must-not', event: 'x', tool: '' }, 'tool: must not be empty'],
    [{ kind: 'must-not', tool: 'a' }, 'event: is missing'],
    [{ kind: 'must-not', event: 'x', tool: '*a*b*c*d*e*' }, 'tool: has at most five *'],
    [
      { kind: 'must-not', event: 'x', tool: 'a', where: [{ path: 'amount', test: '>', value: 1 }] },
      'where.0.path: must begin with arguments, result or isError',
    ],
    [
      { kind: 'must-not', event: 'x', tool: 'a', where: [{ path: 'arguments.a', test: '>', value: [] }] },
      'where.0.value: must be a number or a date',
    ],
    [
      { kind: 'must-not', event: 'x', tool: 'a', cost: 'arguments.a -' },
      'cost: the expression ends too early at character 14',
    ],
    [{ kind: 'must-not', event: 'x', tool: 'a', cost: 'paid' }, 'cost: paid and allowed need an amount'],
    [
      { kind: 'must-not', event: 'x', tool: 'a', cost: 'price' },
      'cost: “price” is not known: paths begin with arguments or result; paid and allowed are those of the amount',
    ],
    [{ kind: 'outcome', test: '>=', value: 1 }, 'scorer: give a scorer or a field'],
    [{ kind: 'outcome', scorer: 'a', field: 'score', value: 1 }, 'scorer: give a scorer or a field'],
    [
      { kind: 'outcome', field: 'reward', value: 1 },
      'field: must begin with score, scores, scoreRaw, scorer, termination, error or extra',
    ],
    [
      { kind: 'outcome', scorer: 'a', test: 'in', value: 1 },
      'value: does not fit the test: a list for in, a text for contains, a number or date for an order, none for exists',
    ],
    [{ kind: 'equivalence', alias: 'a', tool: 'a' }, 'alias: must differ from the tool, or rename arguments'],
    [{ kind: 'stage', tool: 'a', stage: 'b', tol: 1 }, 'tol: is not a field of this kind of rule'],
  ])('%j names its field', (input, message) => expect(wrong(input)).toBe(message))

  test('an unknown kind or test names what is known', () => {
    expect(wrong({ kind: 'nonsense' })).toMatch(/^kind: .*"must-happen-before"/)
    expect(
      wrong({ kind: 'must-not', event: 'x', tool: 'a', where: [{ path: 'arguments.a', test: '~' }] }),
    ).toMatch(/^where\.0\.test: .*"contains"/)
  })
})

test('rules in words', () => {
  const words = (input: RuleInput) => ruleWords(draft(input))
  expect(
    words({
      kind: 'must-happen-before',
      event: 'unknown_user',
      check: 'get_user_details',
      write: 'book_reservation',
      match: [{ check: 'arguments.user_id', write: 'arguments.user_id' }],
    }),
  ).toBe('get_user_details must succeed before book_reservation with the same user_id')
  expect(
    words({
      kind: 'must-not',
      event: 'beyond',
      tool: 'send_*',
      where: [{ path: 'arguments.kind', test: 'in', value: ['a', 'b', 'c', 'd', 'e', 'f'] }],
      amount: { path: 'arguments.amount', allowed: { path: 'result.amount', tool: 'compute_refund' } },
      cost: 'paid - allowed',
    }),
  ).toBe(
    'send_* must not be called where arguments.kind is one of “a”, “b”, “c”, “d”, “e”, … (6) with arguments.amount above result.amount of the last compute_refund',
  )
  expect(words({ kind: 'must-not', event: 'x', tool: 'pay', moreThan: 2 })).toBe(
    'pay must not be called more than 2 times',
  )
  expect(words({ kind: 'duplicate', event: 'x', tool: 'book_*', keys: ['arguments.id'] })).toBe(
    'book_* must not be called twice with the same id',
  )
  expect(words({ kind: 'outcome', scorer: 'reward', value: 0.5, error: 'fail', unknown: 'error' })).toBe(
    'a trial passes when scorer reward ≥ 0.5; an error is a failure; without the value it is of outcome error',
  )
})

test('a suite’s own rules come before those for every suite; what is off is left out', () => {
  const rules = [
    rule('a', { kind: 'tool-class', tool: 't', class: 'read' }),
    rule('b', { kind: 'tool-class', tool: 't', class: 'write', suite: 's' }),
    rule('c', { kind: 'tool-class', tool: 't', class: 'check', suite: 's', enabled: false }),
    rule('d', { kind: 'tool-class', tool: 't', class: 'check', suite: 'other' }),
  ]
  expect(rulesOfSuite(rules, 's').map(({ id }) => id)).toEqual(['b', 'a'])
})

describe('the file', () => {
  test('what is written is read again, with ids, and the same rules are the same bytes', () => {
    const rules = [
      rule('r1', { kind: 'duplicate', event: 'twice', tool: 'book_*', suite: 'airline', note: 'why' }),
      rule('r2', { kind: 'outcome', scorer: 'reward', value: 1, enabled: false }),
    ]
    const text = rulesFileText(rules)
    const read = readRulesFile(text)
    expect(read.ok && read.value.map(({ id }) => id)).toEqual(['r1', 'r2'])
    const stamp = { revision: 1, createdAt: '', updatedAt: '' }
    const again = (read.ok ? read.value : []).map(({ id, draft }) => ({ ...draft, ...stamp, id: id ?? '' }))
    expect(rulesFileText(again)).toBe(text)
  })

  test('short sections, as a person writes them', () => {
    const read = readRulesFile(
      JSON.stringify({
        suite: 'desk',
        title: 'by hand',
        tool_classes: { look: 'read' },
        equivalences: { get: 'get', fetch: 'get', load: { tool: 'get', arguments: { key: 'id' } } },
        stageMap: { 'get_*': 'gather' },
        ignoredPaths: ['seen_at', { tool: 'get', path: 'x.*', where: 'result' }],
      }),
    )
    expect(read.ok && read.value.map(({ draft }) => draft)).toEqual([
      draft({ kind: 'tool-class', suite: 'desk', tool: 'look', class: 'read' }),
      draft({ kind: 'equivalence', suite: 'desk', alias: 'fetch', tool: 'get' }),
      draft({ kind: 'equivalence', suite: 'desk', alias: 'load', tool: 'get', args: { key: 'id' } }),
      draft({ kind: 'stage', suite: 'desk', tool: 'get_*', stage: 'gather' }),
      draft({ kind: 'ignored-path', suite: 'desk', path: 'seen_at' }),
      draft({ kind: 'ignored-path', suite: 'desk', tool: 'get', path: 'x.*', where: 'result' }),
    ])
  })

  test('what another program wrote beside the fields is passed over when asked', () => {
    const text = '{"stages":[{"tool":"a","stage":"b","why":"c"}]}'
    expect(readRulesFile(text)).toMatchObject({ ok: false, error: { field: 'stages[0].why' } })
    expect(readRulesFile(text, true)).toMatchObject({ ok: true, value: [{ draft: { stage: 'b' } }] })
  })

  test.each([
    ['{', ''],
    ['[]', ''],
    ['{"format":"other"}', 'format'],
    ['{"version":2}', 'version'],
    ['{"rulez":[]}', 'rulez'],
    ['{"rules":{}}', 'rules'],
    ['{"rules":[1]}', 'rules[0]'],
    ['{"rules":[{"kind":"stage","tool":"a","stage":""}]}', 'rules[0].stage'],
    ['{"rules":[{"id":"../x","kind":"stage","tool":"a","stage":"b"}]}', 'rules[0].id'],
    ['{"toolClasses":{"a":"reed"}}', 'toolClasses.a'],
    ['{"equivalences":{"a":{"tool":""}}}', 'equivalences.a.tool'],
    ['{"stages":[{"tool":"a"}]}', 'stages[0].stage'],
    ['{"ignoredPaths":[{"path":"a","where":"everywhere"}]}', 'ignoredPaths[0].where'],
  ])('%s names its field', (text, field) =>
    expect(readRulesFile(text)).toMatchObject({ ok: false, error: { field } }),
  )

  test('never throws, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        readRulesFile(text)
        readRulesFile(`{"rules":[${text}],"toolClasses":${text}}`)
      }),
    )
  })
})
