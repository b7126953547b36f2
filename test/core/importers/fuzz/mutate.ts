// Mutations of a file's bytes, from a seeded generator: cut, flip, splice, double, retype, zero, and what writers of
// lines do to each other: torn, glued, doubled, swapped and interleaved lines. For the fuzz tests.

import type { Rng } from '../../../../src/analysis/reliability/random.ts'

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
  '-0',
  '[{"a":1}]',
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
  '"constructor":{"prototype":null},',
  '<script>',
  '{"type":"header"}',
]
/** The first of these are values: they may stand where a value stood. */
const VALUES = 12

const KINDS = 13

const at = (rng: Rng, bytes: Buffer): number =>
  bytes.length === 0 ? 0 : rng.below(Math.min(bytes.length, 2 ** 21))

function one(rng: Rng, bytes: Buffer, other: Buffer): Buffer {
  const from = at(rng, bytes)
  const to = Math.min(bytes.length, from + 1 + rng.below(400))
  switch (rng.below(KINDS)) {
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
      return insert(bytes, from, other.subarray(start, start + rng.below(600)))
    }
    case 5:
      return insert(bytes, from, Buffer.from(TOKENS[rng.below(TOKENS.length)] as string))
    case 6:
    case 7:
      return retyped(rng, bytes, from)
    case 8:
      return ofLines(bytes, (lines) => tear(rng, lines))
    case 9:
      return ofLines(bytes, (lines) => glue(rng, lines))
    case 10:
      return ofLines(bytes, (lines) => shuffle(rng, lines))
    case 11:
      return ofLines(bytes, (lines) => interleave(rng, lines))
    default: {
      const copy = Buffer.from(bytes)
      copy.fill(0, from, to)
      return copy
    }
  }
}

function insert(bytes: Buffer, from: number, piece: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, from), piece, bytes.subarray(from)])
}

/** Another value where one stood. */
function retyped(rng: Rng, bytes: Buffer, from: number): Buffer {
  const text = bytes.toString('latin1')
  const found = /:\s*("[^"\\]*"|-?\d+(?:\.\d+)?|true|false|null)/g
  found.lastIndex = from
  const match = found.exec(text)
  if (match === null) return bytes
  const token = TOKENS[rng.below(VALUES)] as string
  return Buffer.from(
    `${text.slice(0, match.index)}:${token}${text.slice(match.index + match[0].length)}`,
    'latin1',
  )
}

function ofLines(bytes: Buffer, change: (lines: string[]) => string[]): Buffer {
  return Buffer.from(change(bytes.toString('latin1').split('\n')).join('\n'), 'latin1')
}

/** One line ends too early, as after a crash; sometimes an empty one follows. */
function tear(rng: Rng, lines: string[]): string[] {
  const hit = rng.below(lines.length)
  const line = lines[hit] as string
  const torn = line.slice(0, line.length === 0 ? 0 : rng.below(Math.min(line.length, 2 ** 21)))
  return lines.flatMap((one, i) => (i === hit ? (rng.below(3) === 0 ? [torn, ''] : [torn]) : [one]))
}

/** Two lines without what was between them; sometimes the first of them torn. */
function glue(rng: Rng, lines: string[]): string[] {
  if (lines.length < 2) return lines
  const hit = rng.below(lines.length - 1)
  const first = lines[hit] as string
  const kept = rng.below(2) === 0 || first === '' ? first : first.slice(0, rng.below(first.length))
  return [...lines.slice(0, hit), `${kept}${lines[hit + 1] ?? ''}`, ...lines.slice(hit + 2)]
}

/** A line twice, or two lines in each other's place. */
function shuffle(rng: Rng, lines: string[]): string[] {
  const a = rng.below(lines.length)
  const b = rng.below(lines.length)
  const out = [...lines]
  if (rng.below(2) === 0) out.splice(b, 0, lines[a] as string)
  else {
    out[a] = lines[b] as string
    out[b] = lines[a] as string
  }
  return out
}

/** A line that another writer's line was written into. */
function interleave(rng: Rng, lines: string[]): string[] {
  if (lines.length < 2) return lines
  const hit = rng.below(lines.length - 1)
  const outer = lines[hit] as string
  const cut = outer.length === 0 ? 0 : rng.below(Math.min(outer.length, 2 ** 21))
  const inner = lines[hit + 1] ?? ''
  return [...lines.slice(0, hit), `${outer.slice(0, cut)}${inner}`, outer.slice(cut), ...lines.slice(hit + 2)]
}

/** One to three mutations of the bytes; `other` gives material to splice in. */
export function mutate(rng: Rng, bytes: Buffer, other: Buffer): Buffer {
  let out = bytes
  for (let n = 1 + rng.below(3); n > 0; n -= 1) out = one(rng, out, other)
  return out
}
