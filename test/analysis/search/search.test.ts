// Searching steps, the pure part: folding keeps places, a phrase is found as written, snippets show what is there.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findInTrial, snippetOf } from '../../../src/analysis/search/find.ts'
import { fold, indexWord } from '../../../src/analysis/search/fold.ts'
import { phraseOf } from '../../../src/analysis/search/query.ts'
import { textsOfStep } from '../../../src/analysis/search/steptexts.ts'
import { wordsOf } from '../../../src/analysis/search/words.ts'
import type { Step } from '../../../src/model/trial.ts'

const step = (more: Partial<Step>): Step => ({
  index: 0,
  role: 'assistant',
  kind: 'message',
  text: null,
  ...more,
})

const placeOf = (typed: string, text: string): string | null => {
  const match = phraseOf(typed)?.find(fold(text)) ?? null
  return match === null ? null : text.slice(match.start, match.end)
}

const words = (json: string): string[] =>
  new TextDecoder()
    .decode(wordsOf([Buffer.from(json)]))
    .split(' ')
    .filter((word) => word !== '')

test('every character folds by itself, to the same length, and never to one that parts words', () => {
  const toAscii: number[] = []
  for (let point = 0; point <= 0x10ffff; point += 1) {
    const character = String.fromCodePoint(point)
    const folded = fold(character)
    if (folded.length !== character.length) expect.fail(`U+${point.toString(16)} changes its length`)
    if (point >= 0x80 && !/^[a-z0-9\u0080-\uffff]+$/.test(folded))
      expect.fail(`U+${point.toString(16)} folds to what parts words`)
    if (point >= 0x80 && /^[a-z0-9]$/.test(folded)) toAscii.push(point)
    if (fold(folded) !== folded) expect.fail(`U+${point.toString(16)} folds twice`)
  }
  // Whoever looks at the ASCII of a text alone must know these.
  expect(toAscii).toEqual([0x130, 0x212a])
})

test('folding does not look at what stands beside a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(fold(a + b)).toBe(fold(a) + fold(b))
    }),
  )
  expect(placeOf('ΟΔΟΣ', 'στην οδοσαρωση')).toBe('οδοσ')
  expect(placeOf('istanbul', 'from İSTANBUL to')).toBe('İSTANBUL')
})

test('a phrase is found as written, whatever it looks like', () => {
  expect(placeOf(`KeyError: 'order_id'`, `Traceback\nkeyerror: 'ORDER_ID' here`)).toBe(`keyerror: 'ORDER_ID'`)
  expect(placeOf('cancel_pending', 'tool cancel_pending_order')).toBe('cancel_pending')
  expect(placeOf('a.c', 'abc a.c')).toBe('a.c')
  expect(placeOf('NEAR(a b, 2) AND * "x"', 'say NEAR(a b, 2) AND * "x"')).toBe('NEAR(a b, 2) AND * "x"')
  expect(placeOf('order id', 'order_id')).toBeNull()
  expect(placeOf('a\u0000b', 'xa\u0000by')).toBe('a\u0000b')
  expect(placeOf('\ud83d', 'lone \ud83d here')).toBe('\ud83d')
  expect(placeOf('\ud83d', 'a whole 😀')).toBeNull()
  expect(phraseOf('  \n ')).toBeNull()
})

test('blanks of any width are one, and the match is the range of the text', () => {
  expect(placeOf('  in module \n raise ', 'x  y in\n\n   module\traise z')).toBe('in\n\n   module\traise')
  // Of long phrases, too, which are looked for in another way.
  const long = `${'c '.repeat(200)}end`
  expect(placeOf(long, `x ${long.replaceAll(' ', ' \n\t')} y`)).toBe(long.replaceAll(' ', ' \n\t'))
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[ab. ]{1,4}$/), { maxLength: 12 }),
      fc.stringMatching(/^[ab.]{1,2}( [ab.]{1,2}){0,2}$/),
      (parts, typed) => {
        const text = parts.join(' \n ')
        const narrow = text.replace(/[ \t\n\r\f\v]+/g, ' ')
        const found = placeOf(typed, text)
        expect(found === null).toBe(!narrow.includes(typed))
        if (found !== null) expect(found.replace(/[ \t\n\r\f\v]+/g, ' ')).toBe(typed)
      },
    ),
  )
})

test('a megabyte is a phrase, and what repeats in it costs nothing', () => {
  const long = 'ab '.repeat(350_000)
  const started = performance.now()
  expect(placeOf(`${long}c`, `${long.repeat(3)}c`)?.length).toBe(long.length + 1)
  expect(placeOf(`${long}c`, long.repeat(3))).toBeNull()
  // Beginning anew at every place would take hours.
  expect(performance.now() - started).toBeLessThan(30_000)
}, 60_000)

test('words are runs of letters, digits and what is not ASCII, once each, without the escapes of JSON', () => {
  const json = JSON.stringify({ a: 'One\ntwo_TWO "three" \\four\u0001five größe “six”', b: 'one' })
  expect(words(json)).toEqual(['a', 'one', 'two', 'three', 'four', 'five', 'größe', '“six”', 'b'])
  expect(words(JSON.stringify('x\ud800y'))).toEqual(['x\ufffdy'])
  expect(words(JSON.stringify('Kelvin ÅNGSTRÖM'))).toEqual(['kelvin', 'ångström'])
  expect(words(JSON.stringify(`${'é'.repeat(500)} z`))).toEqual(['é'.repeat(32), 'z'])
})

test('words of any text are its folded runs, cut as the index cuts them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.nat(4), (text, times) => {
      const long = text.repeat(times + 1)
      const expected = new Set(
        [...fold(long).matchAll(/[a-z0-9\u0080-\uffff]+/g)].map(([word]) => indexWord(word)),
      )
      expect(new Set(words(JSON.stringify(long)))).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})

test('everything that is shown of a step can be found', () => {
  const texts = (more: Partial<Step>): string[] => [...textsOfStep(step(more))].map(({ text }) => text)
  expect(texts({ text: 'said', error: 'broke', toolName: 'get' })).toEqual(['said', 'get', 'broke'])
  const args = { command: 'echo "hi"\n', deep: [{ plain: 1.5 }] }
  expect(texts({ calls: [{ id: null, name: 'run', args }] })).toEqual([
    'run',
    '{"command":"echo "hi"\n","deep":[{"plain":1.5}]}',
  ])
  expect(texts({ calls: [{ id: null, name: 'run', args: null, argsRaw: '{broken' }] })).toEqual([
    'run',
    '{broken',
  ])
  expect(texts({ content: { order_id: '#W1' } })).toEqual(['{"order_id":"#W1"}'])
  expect(texts({ kind: 'state', state: { rows: 2 } })).toEqual(['{"rows":2}'])
  expect(texts({ kind: 'message', state: { rows: 2 } })).toEqual([])
})

test('each step counts once, the error of the trial last, and no more are kept than asked for', () => {
  const phrase = phraseOf('Order')
  if (phrase === null) throw new Error('a phrase')
  const steps = [
    step({ text: 'order order', calls: [{ id: null, name: 'get_order', args: null }] }),
    step({ index: 1, text: 'nothing' }),
    step({
      index: 2,
      calls: [
        { id: null, name: 'a', args: null },
        { id: null, name: 'get_order', args: {} },
      ],
    }),
  ]
  const error = { type: 'OrderError', message: null, origin: 'agent' as const }
  const { found, total } = findInTrial(phrase, steps, error, 2)
  expect(total).toBe(3)
  expect(found.map(({ step, part, call }) => [step?.index, part, call])).toEqual([
    [0, 'text', null],
    [2, 'tool', 1],
  ])
  expect(findInTrial(phrase, [], error, 2).found[0]).toMatchObject({ step: null, part: 'error' })
})

test('a snippet is one line around the match, with nothing hidden and no half characters', () => {
  const text = `${'😀'.repeat(40)}\u202e one\n\tMATCH\u0007 two ${'x'.repeat(300)}`
  const start = text.indexOf('MATCH')
  const snippet = snippetOf(text, { start, end: start + 5 })
  expect(snippet.text.slice(snippet.start, snippet.end)).toBe('MATCH')
  expect(snippet.text).toContain('\\u{202E} one MATCH\\u{0007} two xx')
  expect(snippet.text.startsWith('…😀')).toBe(true)
  expect(snippet.text.endsWith('x…')).toBe(true)
  expect(snippet.text.isWellFormed()).toBe(true)
  const long = snippetOf('y'.repeat(1000), { start: 0, end: 1000 })
  expect(long.text).toBe(`${'y'.repeat(160)}…`)
  expect(long.end).toBe(long.text.length)
})
