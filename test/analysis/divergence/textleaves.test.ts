// Folding, masking and counting out numbers are written for speed; they give what their plain definitions give, whatever
// the text.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flatten } from '../../../src/analysis/divergence/leaf.ts'
import { fnv, foldSpace, maskLine } from '../../../src/analysis/divergence/textleaves.ts'

const PIECES =
  'a|b c|  |\t|\u00a0|\u2003|\ufeff|\u3000|é|e\u0301|\u0301|“q”|中文|か\u3099|\u212b|ﬁ|ǅ|😀|\ud800|\u0000|²|' +
  '2024-01-02|2024-01-02T10:00:00Z|10:11:12.5|0x12ab|0X12AB|deadbeefcafe|DEADBEEFCAFE12|abcdefabcdef|abcdefabcde|' +
  'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee|12345678-1234-1234-1234-123456789012|aaaaaaaa-bbbbbbbb-cccccccc-dddddddd-a|' +
  '/tmp/x|/TMP/|/var/folders/q/w|12 ms|3.5s|7 MB|pid 77|PID=9|[12]|error|:|-|5|<n>'
const text = fc
  .array(
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...PIECES.split('|')) }, fc.string({ unit: 'binary' })),
    {
      maxLength: 25,
    },
  )
  .chain((parts) => fc.constantFrom('', ' ').map((between) => parts.join(between)))

function plainFold(value: string): string {
  return value.normalize('NFC').trim().replace(/\s+/g, ' ')
}

function plainMask(line: string): string {
  const folded = plainFold(line)
  if (!/\d|\/tmp\/|\/var\/folders\/|[a-f]{12}/i.test(folded)) return folded
  return folded
    .replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?\b/g, '<t>')
    .replace(/\b\d\d:\d\d:\d\d(\.\d+)?\b/g, '<t>')
    .replace(/\b0x[0-9a-f]{4,}\b/gi, '<a>')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gi, '<u>')
    .replace(/\b[0-9a-f]{12,}\b/gi, '<h>')
    .replace(/\/(tmp|var\/folders)\/\S+/g, '<p>')
    .replace(/\b\d+(\.\d+)? ?(ms|s|sec|seconds|m|MB|KB|kB|GB)\b/g, '<d>')
    .replace(/\bpid[ =:]*\d+/gi, 'pid')
}

test('folding and masking', () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(foldSpace(value)).toBe(plainFold(value))
      expect(maskLine(value)).toBe(plainMask(value))
    }),
    { seed: 1, numRuns: 4000 },
  )
})

test('no character that is passed over is changed by NFC, alone or beside another', () => {
  const inert: string[] = []
  for (const [from, to] of [
    [0x20, 0x7e],
    [0xa1, 0x2ff],
    [0x2010, 0x2027],
    [0x2030, 0x205e],
  ] as const)
    for (let code = from; code <= to; code += 1) inert.push(String.fromCharCode(code))
  for (const first of inert) {
    const pairs = inert.map((second) => first + second).join('')
    expect(pairs.normalize('NFC') === pairs).toBe(true)
    expect(first === ' ' || !/\s/.test(first)).toBe(true)
  }
})

test('numbers are told word by word', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 6 }), (lines) => {
      // No line with a value of its own, none with a handle.
      const told = lines.map((line) => maskLine(`x ${line.replace(/[:=[]/g, '').replace(/\s+/g, ' ')}`))
      const leaves = new Map(flatten(`${told.join('\n')}\n`))
      const words = told.map((line) => maskLine(line).split(' '))
      const said = words
        .map((line) => line.map((word) => (/\d/.test(word) ? '<n>' : word)).join(' '))
        .join('\n')
      const numbers = words.flat().filter((word) => /\d/.test(word))
      const hash = (value: string): string => `x:h${fnv(value).toString(36)}`
      expect(leaves.get('$text')).toBe(hash(said))
      expect(leaves.get('$numbers')).toBe(numbers.length === 0 ? undefined : hash(numbers.join(' ')))
    }),
    { seed: 2, numRuns: 1500 },
  )
})
