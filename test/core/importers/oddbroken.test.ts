// What is broken or strange inside of files, held for every format at once: values that JSON has no words for, numbers
// that a double cannot hold, half characters, depth, names that programs have plans for, torn and interleaved lines.
// The record that holds it is read, and what was read otherwise than written is told with its place.

import { describe, expect, it } from 'vitest'
import { writeFaultlineJsonl } from '../../../src/core/importers/faultline-write.ts'
import type { ProblemCode } from '../../../src/core/importers/importer.ts'
import type { Trial } from '../../../src/model/trial.ts'
import { allFixtures, type Fixture } from './formats.ts'
import { readBytes, type ReadAll } from './readall.ts'

const fixtures = allFixtures()
const isJson = ({ bytes, kind }: Fixture): boolean => {
  if (kind !== 'object' && kind !== 'array' && kind !== 'lines') return false
  try {
    for (const line of kind === 'lines' ? bytes.toString().trim().split('\n') : [bytes.toString()])
      JSON.parse(line)
    return true
  } catch {
    return false
  }
}
const objects = fixtures.filter(isJson)
const lines = fixtures.filter(({ kind }) => kind === 'lines')
const MARK = '"@@ODD@@"'

/**
 * The file with one more member in its first record (or in its outermost object), whose value is written as given.
 * A map of outcomes takes every member for a task, so that it is left out where it says.
 */
function withMember(fixture: Fixture, member: string): string {
  const add = (value: unknown): unknown => ({ ...(value as object), x_odd: '@@ODD@@' })
  const text = fixture.bytes.toString()
  if (fixture.kind === 'lines') {
    const [first, ...rest] = text.split('\n')
    return [JSON.stringify(add(JSON.parse(first ?? ''))), ...rest]
      .join('\n')
      .replace(`"x_odd":${MARK}`, member)
  }
  const value = JSON.parse(text) as unknown
  const odd = Array.isArray(value) ? [add(value[0]), ...(value as unknown[]).slice(1)] : add(value)
  return JSON.stringify(odd).replace(`"x_odd":${MARK}`, member)
}

const MAPS = new Set(['outcome-map', 'swe-bench-instance'])
const withoutMaps = objects.filter(({ importer }) => !MAPS.has(importer.id))
const shape = (trials: readonly Trial[]) =>
  trials.map(({ suite, task, outcome, steps }) => ({ suite, task, outcome, steps: steps.length }))
const DEEP = `${'['.repeat(6000)}1${']'.repeat(6000)}`
const IMAGE = 'iVBORw0KGgo'.repeat(4000)

/** A member, and the problem that tells of it where the record is read into one. */
const MEMBERS: readonly (readonly [name: string, member: string, code: ProblemCode | null])[] = [
  ['NaN', '"x_odd":NaN', 'NOT_A_NUMBER'],
  ['-Infinity', '"x_odd":-Infinity', 'NOT_A_NUMBER'],
  ['an integer beyond 2^53', '"x_odd":9007199254740993', 'NUMBER_KEPT_AS_TEXT'],
  ['a number beyond all numbers', '"x_odd":[1e400]', 'NUMBER_KEPT_AS_TEXT'],
  ['half a character', '"x_odd":"\\ud835 and \\udcb2"', null],
  ['a raw control character', '"x_odd":"a\u0001b"', 'NUL_BYTES'],
  ['depth', `"x_odd":${DEEP}`, 'NESTED_TOO_DEEP'],
  ['one name twice', '"x_odd":1,"x_odd":2', null],
  ['the name __proto__', '"__proto__":{"polluted":true}', null],
  ['the name constructor', '"constructor":{"prototype":{"polluted":true}},"toString":null', null],
  ['a long name', `"${'n'.repeat(5000)}":1`, null],
  ['an image', `"x_odd":"data:image/png;base64,${IMAGE}"`, null],
  ['bytes that are no UTF-8', '"x_odd":"\u00ff"', 'ENCODING'],
]

describe.each(MEMBERS)('%s in a record', (name, member, code) => {
  it.each(withoutMaps)('$name', async (fixture) => {
    const text = withMember(fixture, member)
    // One byte that no UTF-8 text has.
    const bytes = Buffer.from(code === 'ENCODING' ? text.replace('\u00ff', '@') : text)
    if (code === 'ENCODING') bytes[bytes.indexOf('"x_odd":"@"') + 9] = 0xff
    const plain = await readBytes(withMember(fixture, '"x_odd":1'))
    const read = await readBytes(bytes)
    expect(read.detection.importer?.id).toBe(fixture.importer.id)
    expect(shape(read.trials)).toEqual(shape(plain.trials))
    if (code !== null) expectTold(read, fixture, code)
    expect(({} as Record<string, unknown>)['polluted'], name).toBeUndefined()
    expect(read.codes).not.toContain('INTERNAL')
    await expectRoundTrip(read)
  })
})

/** Told, with a place; unless the format reads this member of its outermost object for nothing, and so not at all. */
function expectTold({ problems }: ReadAll, { importer, kind }: Fixture, code: ProblemCode): void {
  const isUnread = kind === 'object' && ['tau2', 'inspect', 'claude-code'].includes(importer.id)
  const told = problems.find((problem) => problem.code === code)
  if (told === undefined && isUnread) return
  expect(told, `no ${code}`).toBeDefined()
}

/** What was read can be written as valid text and is the same when it is read again. */
async function expectRoundTrip({ trials }: ReadAll): Promise<void> {
  const written = [...writeFaultlineJsonl(trials, { producer: 'test' })].join('')
  expect(Buffer.from(written).toString('utf8')).toBe(written)
  const again = await readBytes(written)
  expect(shape(again.trials)).toEqual(shape(trials))
}

describe('digits', () => {
  it.each(objects.filter(({ importer }) => ['faultline-jsonl', 'tau-bench'].includes(importer.id)))(
    'are kept as they are written: $name',
    async (fixture) => {
      const { raws } = await readBytes(withMember(fixture, '"x_odd":[9007199254740993,1.0,1e400]'))
      expect(raws.map(({ recordBytes }) => recordBytes.toString()).join('\n')).toContain(
        '[9007199254740993,1.0,1e400]',
      )
    },
  )
})

describe('lines that are broken', () => {
  const many = lines.filter(({ bytes }) => bytes.toString().trim().split('\n').length > 2)
  const damage: readonly (readonly [name: string, write: (all: string[], hit: number) => string[]])[] = [
    ['cut in the middle', (all, hit) => all.map((line, i) => (i === hit ? half(line) : line))],
    [
      'cut, then a blank line',
      (all, hit) => all.flatMap((line, i) => (i === hit ? [half(line), ''] : [line])),
    ],
    ['cut, the next one glued to it', (all, hit) => glued(all, hit)],
    ['written into another', (all, hit) => interleaved(all, hit)],
    [
      'filled with NUL bytes',
      (all, hit) => all.map((line, i) => (i === hit ? '\0'.repeat(line.length) : line)),
    ],
    [
      'a word of a log',
      (all, hit) => all.map((line, i) => (i === hit ? 'Traceback (most recent call last):' : line)),
    ],
  ]
  /** Half of a line, cut inside the last string before its middle: where nothing that follows could go on with it. */
  const half = (line: string): string =>
    line.slice(0, Math.max(1, line.lastIndexOf('":"', line.length / 2) + 4))
  const glued = (all: string[], hit: number): string[] => [
    ...all.slice(0, hit),
    `${half(all[hit] ?? '')}${all[hit + 1] ?? ''}`,
    ...all.slice(hit + 2),
  ]
  const interleaved = (all: string[], hit: number): string[] => [
    ...all.slice(0, hit),
    `${half(all[hit] ?? '')}${all[hit + 1] ?? ''}`,
    (all[hit] ?? '').slice(half(all[hit] ?? '').length),
    ...all.slice(hit + 2),
  ]
  describe.each(damage)('%s', (_name, write) => {
    it.each(many)('$name', async (fixture) => {
      const all = fixture.bytes.toString().trim().split('\n')
      for (let hit = 0; hit < all.length - 1; hit += 1) {
        const read = await readBytes(write(all, hit).join('\n'), 'x', fixture.importer)
        const where = `line ${hit + 1}`
        const kept = read.raws.map(({ recordBytes }) => recordBytes.toString()).join('\n')
        // Every line that was whole without it is kept, or told of.
        const without = await readBytes(all.filter((_, i) => i !== hit).join('\n'), 'x', fixture.importer)
        const wanted = without.raws.flatMap(({ recordBytes }) => recordBytes.toString().split('\n'))
        for (const line of wanted) expect(kept.includes(line), `${where}: ${line.slice(0, 80)}`).toBe(true)
        const told = read.problems.filter(
          ({ code, line }) => (code === 'JSON_INVALID' || code === 'NUL_BYTES') && line !== undefined,
        )
        expect(told.length, where).toBeGreaterThan(0)
        expect(told[0]?.line, where).toBeGreaterThanOrEqual(hit + 1)
        expect(told[0]?.line, where).toBeLessThanOrEqual(hit + 2)
      }
    })
  })
  it.each(lines)('the file ends inside its last line: $name', async (fixture) => {
    const text = fixture.bytes.toString().trim()
    const read = await readBytes(
      half(text.slice(0, -2)) === '' ? '{' : text.slice(0, -3),
      'x',
      fixture.importer,
    )
    const told = read.problems.find(({ code }) => code === 'JSON_CUT_OFF')
    expect(told).toMatchObject({ severity: 'error', line: text.split('\n').length })
    expect(told?.byte).toBe(Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1)))
  })
})

describe('objects and lists that are cut', () => {
  it.each(objects.filter(({ kind }) => kind !== 'lines'))('$name', async (fixture) => {
    for (const share of [0.3, 0.6, 0.9, 0.999]) {
      const whole = Buffer.from(fixture.bytes.toString().trim())
      const bytes = whole.subarray(0, Math.floor(whole.length * share))
      const read = await readBytes(bytes, 'x', fixture.importer)
      expect(read.codes, `at ${share}`).not.toContain('INTERNAL')
      expect(
        read.codes.some((code) => code === 'JSON_CUT_OFF' || code === 'JSON_INVALID'),
        `at ${share}`,
      ).toBe(true)
    }
  })
})
