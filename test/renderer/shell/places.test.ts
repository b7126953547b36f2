// Places: every place comes back from its hash, hostile ids included, and no hash throws.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatPlace,
  NO_FILTER,
  parsePlace,
  taskPlace,
  TASKS,
  type Address,
  type Place,
} from '../../../src/renderer/shell/places.ts'

const anyText = fc.string({ unit: 'grapheme', maxLength: 40 })
const someText = anyText.filter((text) => text !== '')
const maybe = fc.option(anyText, { nil: null })
const integer = fc.option(fc.integer({ min: 0, max: 999_999 }), { nil: null })

const anyPlace: fc.Arbitrary<Place> = fc.oneof(
  fc.record({ at: fc.constant('imports' as const), importId: maybe }),
  fc.record({
    at: fc.constant('tasks' as const),
    filter: fc.record({
      text: anyText,
      outcome: fc.constantFrom('any', 'always', 'never', 'sometimes', 'not estimable'),
      lead: fc.constantFrom('any', 'with', 'without'),
      annotated: fc.constantFrom('any', 'yes', 'no'),
      severe: fc.boolean(),
      suite: maybe,
    }),
    sort: fc.constantFrom('severe', 'lowest', 'task', 'n', 'rate', 'cost', 'lead'),
    descending: fc.boolean(),
  }),
  fc.record({
    at: fc.constant('task' as const),
    taskId: someText,
    lens: fc.constantFrom('lanes', 'steps', 'stats'),
    trial: maybe,
    reference: maybe,
    column: integer,
    step: integer,
    isAnnotating: fc.boolean(),
  }),
  fc.record({ at: fc.constant('search' as const), text: anyText }),
  fc.record({ at: fc.constant('report' as const), taskId: maybe, isFiltered: fc.boolean() }),
  fc.record({ at: fc.constant('rules' as const), suite: maybe }),
  fc.record({ at: fc.constant('settings' as const) }),
)
const anyAddress: fc.Arbitrary<Address> = fc.record({
  place: anyPlace,
  scope: fc.option(fc.array(someText, { minLength: 1, maxLength: 4 }), { nil: null }),
})

describe('places', () => {
  test('every address comes back from its hash', () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        expect(parsePlace(`#${formatPlace(address)}`)).toEqual(address)
      }),
    )
  })

  test('a hash stays one hash: nothing in it reads as a query, a space or a bidi control', () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        expect(formatPlace(address)).toMatch(/^\/[\w\-.~%;=,/]*$/)
      }),
    )
  })

  test('defaults leave no trace in the hash', () => {
    expect(formatPlace({ place: TASKS, scope: null })).toBe('/tasks')
    expect(formatPlace({ place: taskPlace('airline/7'), scope: null })).toBe('/task/airline%2F7')
  })

  test('any text is a place: unknown screens, words and damaged escapes lead to the tasks or their defaults', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (hash) => {
        expect(['imports', 'tasks', 'task', 'search', 'report', 'rules', 'settings']).toContain(
          parsePlace(hash).place.at,
        )
      }),
    )
    expect(parsePlace('').place).toEqual(TASKS)
    expect(parsePlace('#/nowhere/else').place).toEqual(TASKS)
    expect(parsePlace('#/task/').place).toEqual(TASKS)
    expect(parsePlace('#/tasks;outcome=perhaps;sort=colour;text=%E0%A4%A').place).toEqual({
      ...TASKS,
      filter: { ...NO_FILTER, text: '%E0%A4%A' },
    })
    expect(parsePlace('#/task/t1;column=-3;step=1e9').place).toEqual(taskPlace('t1'))
  })

  test('a lone surrogate in an id does not break the link', () => {
    expect(() => formatPlace({ place: taskPlace('a\ud800b'), scope: ['\udc00'] })).not.toThrow()
  })
})
