// The members of one large object: whatever the chunks, whatever is broken in it.

import { describe, expect, it } from 'vitest'
import type { MemberItem } from '../../../src/core/importers/importer.ts'
import { splitMembers } from '../../../src/core/importers/members.ts'

async function split(text: string, size = 1 << 20, max?: number): Promise<MemberItem[]> {
  const bytes = Buffer.from(text)
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  })()
  const items: MemberItem[] = []
  for await (const item of splitMembers(chunks, new Set(['samples']), true, max)) items.push(item)
  return items
}
const told = (items: readonly MemberItem[]): string[] =>
  items.map((item) =>
    item.kind === 'problem'
      ? `${item.problem.code} at ${item.problem.byte}`
      : item.kind === 'next'
        ? 'next'
        : item.kind === 'list'
          ? `${item.name}:`
          : `${item.name} ${item.kind === 'element' ? `${item.record.index} ` : ''}${item.record.bytes.toString()}`,
  )

const WHOLE =
  '{"a": 1, "b" : {"c": [1, "}"]},\n "samples": [ {"x": "\\"]"}, [2],\n{"x":3} ], "d": null, "e\\n": "f,}"}'

describe('members', () => {
  it('come one by one, streamed lists by element, whatever the chunks', async () => {
    const expected = [
      'a 1',
      'b {"c": [1, "}"]}',
      'samples:',
      'samples 0 {"x": "\\"]"}',
      'samples 1 [2]',
      'samples 2 {"x":3}',
      'd null',
      'e\n "f,}"',
    ]
    for (let size = 1; size <= WHOLE.length; size += 1)
      expect(told(await split(WHOLE, size))).toEqual(expected)
  })
  it('have places', async () => {
    const bytes = Buffer.from(WHOLE)
    for (const item of await split(WHOLE, 7))
      if (item.kind === 'member' || item.kind === 'element') {
        const { byteOffset, bytes: own, line } = item.record
        expect(bytes.subarray(byteOffset ?? -1, (byteOffset ?? 0) + own.length).equals(own)).toBe(true)
        expect(
          bytes
            .subarray(0, byteOffset ?? 0)
            .toString()
            .split('\n'),
        ).toHaveLength(line)
      }
  })
  it('of several objects follow one another', async () => {
    expect(told(await split('{"samples":[{"x":1}]}\n{"a":2}\n'))).toEqual([
      'samples:',
      'samples 0 {"x":1}',
      'next',
      'a 2',
    ])
  })
  it('of the objects of a list, whatever the chunks, are those of the objects one behind the other', async () => {
    const objects = ['{"samples":[{"x":1}]}', '{"a":2}', '{}', '{"samples":[{"x":2}]}']
    const expected = told(await split(objects.join('\n')))
    expect(expected.filter((line) => line === 'next')).toHaveLength(3)
    for (const list of [`[${objects.join(',')}]`, ` [\n${objects.join(' , ')} ]\n`])
      for (const size of [1, 7, 1000]) expect(told(await split(list, size))).toEqual(expected)
    expect(told(await split(`[${objects.slice(0, 2).join(',')}][${objects.slice(2).join(',')}]`))).toEqual(
      expected,
    )
  })
  it('of a list that is cut off are read up to there, and that is said', async () => {
    expect(told(await split('[{"a":1},'))).toEqual(['a 1', 'JSON_CUT_OFF at 9'])
    expect(told(await split('[{"a":1},{"b":2'))).toEqual(['a 1', 'next', 'JSON_CUT_OFF at 14'])
  })
  it('around a broken element are read', async () => {
    const text = '{"samples":[{"x":1},{"x":2,,},{"x":3}],"a":4}'
    expect(told(await split(text))).toEqual([
      'samples:',
      'samples 0 {"x":1}',
      'JSON_INVALID at 27',
      'samples 1 {"x":3}',
      'a 4',
    ])
  })
  it('before a cut are read, wherever it is, with one problem at most per place', async () => {
    for (let at = 1; at < WHOLE.length; at += 1) {
      const items = await split(WHOLE.slice(0, at))
      const problems = items.filter((item) => item.kind === 'problem')
      expect(problems.length).toBeGreaterThanOrEqual(1)
      expect(problems.length).toBeLessThanOrEqual(2)
      const whole = told(await split(WHOLE))
      for (const line of told(items.filter((item) => item.kind !== 'problem'))) expect(whole).toContain(line)
    }
  })
  it('that are no JSON end the reading with their place', async () => {
    expect(told(await split('{"a": 1, b: 2}'))).toEqual(['a 1', 'JSON_INVALID at 9'])
    expect(told(await split('[1]'))).toEqual(['JSON_INVALID at 1'])
    expect(told(await split('{"a": {"b": ]}, "c": 1}'))).toEqual(['JSON_INVALID at 12'])
  })
  it('that are too long are named', async () => {
    expect(told(await split(`{"a": 1, "b": [${'1,'.repeat(500)}1]}`, 64, 200))).toEqual([
      'a 1',
      'TOO_LARGE at 14',
    ])
  })
})
