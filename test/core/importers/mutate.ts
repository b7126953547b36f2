// Mutations of a file's bytes, from a seeded generator: cut, flip, splice, double, retype, zero. For fuzz tests.

import type { Rng } from '../../../src/analysis/reliability/random.ts'

const TOKENS = [
  'NaN',
  'null',
  '-Infinity',
  '9007199254740993',
  '1e999',
  '""',
  '[]',
  '{}',
  'true',
  '"\\ud835"',
  '\n',
  '\r\n',
  '\0\0\0',
  '\ufeff',
  '[',
  ']',
  '{',
  '}',
  '"',
  ',',
  ':',
  '\\',
  '[[[[[[[[[[',
  '"__proto__":{"x":1},',
  '<script>',
  '{"type":"header"}',
]

const at = (rng: Rng, bytes: Buffer): number =>
  bytes.length === 0 ? 0 : rng.below(Math.min(bytes.length, 2 ** 21))

function one(rng: Rng, bytes: Buffer, other: Buffer): Buffer {
  const from = at(rng, bytes)
  const to = Math.min(bytes.length, from + 1 + rng.below(400))
  switch (rng.below(8)) {
    case 0:
      return bytes.subarray(0, from)
    case 1: {
      const copy = Buffer.from(bytes)
      if (copy.length > 0) copy[from] = (copy[from] as number) ^ (1 << rng.below(8))
      return copy
    }
    case 2:
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
    case 3:
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)])
    case 4: {
      const start = at(rng, other)
      return Buffer.concat([
        bytes.subarray(0, from),
        other.subarray(start, start + rng.below(600)),
        bytes.subarray(from),
      ])
    }
    case 5:
      return Buffer.concat([
        bytes.subarray(0, from),
        Buffer.from(TOKENS[rng.below(TOKENS.length)] as string),
        bytes.subarray(from),
      ])
    case 6: {
      // Another value where one stood.
      const text = bytes.toString('latin1')
      const found = /:\s*("[^"\\]*"|-?\d+(?:\.\d+)?|true|false|null)/g
      found.lastIndex = from
      const match = found.exec(text)
      if (match === null) return bytes
      const token = TOKENS[rng.below(12)] as string
      return Buffer.from(
        `${text.slice(0, match.index)}:${token}${text.slice(match.index + match[0].length)}`,
        'latin1',
      )
    }
    default: {
      const copy = Buffer.from(bytes)
      copy.fill(0, from, to)
      return copy
    }
  }
}

/** One to three mutations of the bytes; `other` gives material to splice in. */
export function mutate(rng: Rng, bytes: Buffer, other: Buffer): Buffer {
  let out = bytes
  for (let n = 1 + rng.below(3); n > 0; n -= 1) out = one(rng, out, other)
  return out
}
