// The tolerant parser: equal to JSON.parse wherever that loses nothing, and what it does where it would.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEPTH_KEPT, parseJson } from '../../../src/core/importers/parse.ts'

/** Forces the careful way. */
const DEEP = Number.POSITIVE_INFINITY
const value = (text: string) => {
  const parsed = parseJson(text, DEEP)
  if (!parsed.ok) throw new Error(`${parsed.message} at ${parsed.at}`)
  return parsed.value
}
const kinds = (text: string) => {
  const parsed = parseJson(text)
  return parsed.ok ? parsed.notes.map((note) => `${note.kind} ${note.path} ${note.token}`) : [parsed.message]
}

describe('parseJson', () => {
  it('gives what JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.constantFrom(0, 2), (text, indent) => {
        const laid = JSON.stringify(JSON.parse(text), null, indent)
        expect(value(laid)).toEqual(JSON.parse(laid))
        expect(parseJson(laid)).toMatchObject({ ok: true, value: JSON.parse(laid) })
      }),
      { numRuns: 300 },
    )
  })
  it('refuses what JSON.parse refuses, with a place', () => {
    const bad = [
      '',
      '{',
      '[1,]',
      '{"a":1,}',
      '{"a" 1}',
      '{a:1}',
      "{'a':1}",
      '01',
      '1.',
      '+1',
      'nul',
      '"\\x"',
      '"a',
      '[1 2]',
      '1 2',
      '"\\u12"',
      'undefined',
      '[,1]',
      '-',
    ]
    for (const text of bad) {
      const parsed = parseJson(text)
      expect(parsed.ok, text).toBe(false)
      if (!parsed.ok) expect(parsed.at).toBeLessThanOrEqual(text.length)
    }
  })
  it('reads NaN and the infinities as null and remembers them', () => {
    expect(value('{"a": NaN, "b": [-Infinity, Infinity, nan]}')).toEqual({ a: null, b: [null, null, null] })
    expect(kinds('{"a/b": [1, NaN]}')).toEqual(['not-a-number /a~1b/1 NaN'])
    expect(value('"NaN, Infinity"')).toBe('NaN, Infinity')
  })
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['9007199254740992', 9007199254740992],
    ['1786051888270252114', '1786051888270252114'],
    ['1e400', '1e400'],
    ['-1E+999', '-1E+999'],
    ['1e300', 1e300],
    ['1.0', 1],
    ['0.1000000000000000055511151231257827', 0.1],
    ['-0', -0],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
  ])('reads %s as %j: digits are kept where a number would lose them', (text, expected) => {
    for (const whole of [text, ` ${text} `]) expect(value(whole)).toBe(expected)
    const parsed = parseJson(`{"id":${text},"list":[${text}]}`)
    expect(parsed).toMatchObject({ ok: true, value: { id: expected, list: [expected] } })
  })
  it('leaves digits in strings alone', () => {
    expect(parseJson('{"a":"9007199254740993"}')).toEqual({
      ok: true,
      value: { a: '9007199254740993' },
      notes: [],
    })
  })
  it('keeps what is nested too deep as its text', () => {
    const deep = `${'['.repeat(DEPTH_KEPT + 3)}"]"${']'.repeat(DEPTH_KEPT + 3)}`
    let inner: unknown = value(deep)
    for (let i = 0; i < DEPTH_KEPT; i += 1) inner = (inner as unknown[])[0]
    expect(inner).toBe('[[["]"]]]')
    expect(() => JSON.stringify(value(`${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`))).not.toThrow()
  })
  it('takes a __proto__ key for a key, and the last of equal keys', () => {
    const parsed = value('{"__proto__": {"x": 1}, "a": 1, "a": NaN, "a": 2}') as Record<string, unknown>
    expect(Object.keys(parsed)).toEqual(['__proto__', 'a'])
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
    expect(parsed['a']).toBe(2)
    expect((parsed as { x?: number }).x).toBeUndefined()
  })
  it('keeps lone surrogates and raw control characters', () => {
    expect(value('"\\udcb2 \\ud835"')).toBe('\udcb2 \ud835')
    expect(value('"a\nb\u0000c"')).toBe('a\nb\u0000c')
    expect(kinds('{"k":"a\u0000"}')).toEqual(['control-character /k \\u0000'])
  })
  it('reads what Python prints only when asked to', () => {
    const text = `{'a': 'it\\'s', "b": [True, False, None], 'c': 1.5}`
    expect(parseJson(text).ok).toBe(false)
    expect(parseJson(text, 0, true)).toMatchObject({
      ok: true,
      value: { a: "it's", b: [true, false, null], c: 1.5 },
    })
    expect(parseJson("{'a': open('x')}", 0, true).ok).toBe(false)
  })
})
