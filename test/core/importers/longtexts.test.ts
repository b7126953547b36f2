// Long records: the value is JSON.parse's, the remembered strings are the record's own bytes, and the stored form that
// is put together from them is JSON.stringify's, byte for byte.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../../src/base/json.ts'
import type { RecordBytes } from '../../../src/core/importers/importer.ts'
import { longTextsOf, parseHeldRecord, parseLongRecord } from '../../../src/core/importers/longtexts.ts'
import { JsonScanner, LONG_TEXT } from '../../../src/core/importers/scanner.ts'
import { jsonBytes } from '../../../src/core/services/bodytext.ts'
import { ownPart, packBeside, unpackBeside } from '../../../src/core/store/rawblocks.ts'

const PADDING = 'x'.repeat(20_000)

function record(value: Json): Buffer {
  return Buffer.from(JSON.stringify({ padding: PADDING, value }))
}

/** The record as splitting gives it, scanned in pieces of `size` bytes. */
function scanned(bytes: Buffer, size = bytes.length): RecordBytes {
  const scanner = new JsonScanner()
  for (let at = 0; at < bytes.length; at += size) scanner.scan(bytes, at, Math.min(bytes.length, at + size))
  const { depth, hasLongNumber } = scanner
  const texts = Int32Array.from(scanner.texts)
  return { bytes, index: 0, line: 1, byteOffset: 0, depth, hasLongNumber, texts }
}

function same(bytes: Buffer, size?: number): void {
  const record = { ...scanned(bytes, size), hasLongNumber: false }
  const value = parseLongRecord(record)
  const expected = JSON.parse(bytes.toString('utf8')) as Json
  expect(value).toStrictEqual(expected)
  expect(JSON.stringify(value)).toBe(JSON.stringify(expected))
  const { bytes: body, shared } = jsonBytes(value as object, longTextsOf(bytes))
  expect(body.toString('utf8')).toBe(JSON.stringify(expected))
  const own = ownPart(bytes, body, shared)
  if (own !== null) expect(unpackBeside(packBeside(own, bytes.length), body).equals(bytes)).toBe(true)
}

const text = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 40 }), fc.integer({ min: 1, max: 40 }))
  .map(([part, times]) => part.repeat(times))
const value = fc.jsonValue({ depthSize: 'medium', noUnicodeString: false })
const tree = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    text,
    value as fc.Arbitrary<Json>,
    fc.array(tie('node'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.string(), text, fc.constantFrom('__proto__', '2', '1')), tie('node'), {
      maxKeys: 5,
    }),
  ),
})).node

test('any value: what JSON.parse gives, and what JSON.stringify writes', () => {
  fc.assert(
    fc.property(tree, fc.integer({ min: 1, max: 30_000 }), (value, size) => same(record(value), size)),
    { seed: 7, numRuns: 400 },
  )
})

test('texts that are held come out as they were written, and only those that were asked for are held', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), tree, (texts, other) => {
      const steps = texts.map((content, index) => ({ index, content, other, text: content }))
      const bytes = Buffer.from(JSON.stringify({ padding: PADDING, steps, content: texts[0] ?? '' }))
      const long = parseHeldRecord({ ...scanned(bytes), hasLongNumber: false }, 'steps', 'content')
      if (long === null) throw new Error('A record with long texts was not taken')
      const { bytes: body } = jsonBytes(long.value as object, long.texts)
      expect(body.toString('utf8')).toBe(bytes.toString('utf8'))
      const { steps: read, ...rest } = long.value as { steps: { content: string }[] }
      const bare = (step: object): object => ({ ...step, content: null })
      expect({ ...rest, steps: read.map(bare) }).toStrictEqual({
        ...(JSON.parse(bytes.toString('utf8')) as object),
        steps: (JSON.parse(JSON.stringify(steps)) as object[]).map(bare),
      })
    }),
    { seed: 5, numRuns: 300 },
  )
})

test('escapes that JSON.stringify writes otherwise are not copied', () => {
  for (const escape of ['\\/', '\\u0041', '\\u00e9', '\\ud800', '\\u001f', '\\u000a', '\\n', '\\\\', '\\"']) {
    const long = `${'y'.repeat(LONG_TEXT)}${escape}${'z'.repeat(LONG_TEXT)}`
    same(Buffer.from(`{"padding":"${PADDING}","text":"${long}"}`))
  }
})

test('long names, equal names and integer names keep JSON’s order', () => {
  const long = 'n'.repeat(LONG_TEXT * 2)
  const other = 'm'.repeat(LONG_TEXT * 2)
  same(Buffer.from(`{"padding":"${PADDING}","${long}":"${other}","a":"${long}","a":"${other}"}`))
  same(
    Buffer.from(
      `{"padding":"${PADDING}","2":"${long}","1":"${other}","__proto__":"${long}", "x" : "${other}" }`,
    ),
  )
  expect(
    Object.getPrototypeOf(parseLongRecord(scanned(Buffer.from(`{"p":"${PADDING}","__proto__":"${long}"}`)))),
  ).toBe(Object.prototype)
})

test('texts that are alike at a glance are told apart, however many', () => {
  const texts = Array.from({ length: 40 }, (_, i) => {
    const middle = String(i).padStart(2, '0')
    return `${'a'.repeat(10)}${middle}${'a'.repeat(800)}`
  })
  same(record([...texts, ...texts.toReversed()]))
})

test('what is short, no UTF-8 or no JSON is left to the other way', () => {
  const broken = [
    `{"a":"short"}`,
    `{"a":"${PADDING}"`,
    `{"a":"${PADDING}`,
    `{"a":"${PADDING}\\x"}`,
    `{"a":"${PADDING}\n"}`,
    `{"a":NaN,"b":"${PADDING}"}`,
  ]
  for (const text of broken) expect(parseLongRecord(scanned(Buffer.from(text)))).toBeNull()
  const bytes = Buffer.from(`{"a":"${PADDING}"}`)
  bytes[100] = 0xff
  expect(parseLongRecord(scanned(bytes))).toBeNull()
})

test('a scanner finds the end of strings of every kind, in pieces of every size, and long numbers', () => {
  const quotes = fc.array(fc.constantFrom('\\', '"', 'a', 'b'.repeat(70), 'c'.repeat(300)), { maxLength: 30 })
  fc.assert(
    fc.property(quotes, fc.integer({ min: 1, max: 700 }), (parts, size) => {
      const bytes = Buffer.from(`${JSON.stringify([parts.join(''), 1])}\n["next"]`)
      const scanner = new JsonScanner()
      let status = 'more'
      for (let at = 0; at < bytes.length && status === 'more'; at += size)
        status = scanner.scan(bytes, at, Math.min(bytes.length, at + size))
      expect(status).toBe('done')
      expect(scanner.position).toBe(bytes.indexOf('\n'))
      expect(scanner.hasLongNumber).toBe(false)
      const length = bytes.indexOf(',1]') - 1
      expect(scanner.texts).toEqual(
        length <= LONG_TEXT ? [] : [1, parts.includes('"') || parts.includes('\\') ? -length : length],
      )
    }),
    { seed: 11, numRuns: 500 },
  )
  const flags = ['1234567890123456', '-1e999', '1E5', '123456789012345', '-0.5', 'true', '"1e999"'].map(
    (one) => {
      const scanner = new JsonScanner()
      const bytes = Buffer.from(`[${one}]`)
      for (let at = 0; at < bytes.length; at += 3) scanner.scan(bytes, at, Math.min(bytes.length, at + 3))
      return scanner.hasLongNumber
    },
  )
  expect(flags).toEqual([true, true, true, false, false, false, false])
})
