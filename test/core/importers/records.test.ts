// Records out of bytes: against a naive reading of the same bytes, whatever the chunking, and with everything
// that breaks files in practice.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Problem, RecordBytes } from '../../../src/core/importers/importer.ts'
import { splitRecords } from '../../../src/core/importers/records.ts'

async function* chunked(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size))
}

async function split(content: string | Buffer, size = 7, maxBytes?: number) {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content)
  const records: RecordBytes[] = []
  const problems: Problem[] = []
  for await (const item of splitRecords(chunked(bytes, size), true, maxBytes))
    if (item.kind === 'record') records.push(item.record)
    else problems.push(item.problem)
  // Every record is exactly what stands at its place.
  for (const [i, record] of records.entries()) {
    const from = record.byteOffset!
    expect(bytes.subarray(from, from + record.bytes.length).equals(record.bytes)).toBe(true)
    expect(bytes.subarray(0, from).toString('latin1').split('\n')).toHaveLength(record.line)
    if (i > 0) expect(record.index).toBeGreaterThan(records[i - 1]!.index)
  }
  return { texts: records.map((record) => record.bytes.toString()), records, problems }
}

const codes = (problems: readonly Problem[]) => problems.map(({ code, line }) => `${code}@${line}`)
const objects = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 })), {
  minLength: 1,
  maxLength: 6,
})

describe('splitRecords, against a naive reading', () => {
  const layouts: Record<string, (values: readonly unknown[]) => string> = {
    'compact list': (values) => JSON.stringify(values),
    'indented list': (values) => JSON.stringify(values, null, 2),
    'list without indentation': (values) => JSON.stringify(values, null, 1).replace(/\n +/g, '\n'),
    lines: (values) => values.map((value) => JSON.stringify(value)).join('\n'),
    'CRLF lines with blank ones': (values) =>
      values.map((value) => `${JSON.stringify(value)}\r\n\r\n`).join(''),
    'concatenated objects': (values) => values.map((value) => JSON.stringify(value)).join(''),
    'indented objects in a row': (values) => values.map((value) => JSON.stringify(value, null, 3)).join('\n'),
    'lines with commas': (values) => values.map((value) => JSON.stringify(value)).join(',\n'),
  }
  it.each(Object.keys(layouts))('%s', async (name) => {
    await fc.assert(
      fc.asyncProperty(objects, fc.integer({ min: 1, max: 40 }), async (values, size) => {
        const { texts, problems } = await split(layouts[name]!(values), size)
        expect(texts.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(values)))
        expect(problems).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
  it('a line of a list each', async () => {
    const { texts } = await split('[{"role":"user"}]\n[{"role":"user"},{"role":"tool"}]\n')
    expect(texts).toEqual(['[{"role":"user"}]', '[{"role":"user"},{"role":"tool"}]'])
  })
  it('tells the depth of a record', async () => {
    const { records } = await split('{"a":1}\n{"a":[{"b":[]}]}\n')
    expect(records.map((record) => record.depth)).toEqual([1, 4])
  })
  it('lets NaN, Infinity and other words pass to the parser', async () => {
    const { texts } = await split('[{"a":NaN},{"a":-Infinity},{"a":True}]')
    expect(texts).toEqual(['{"a":NaN}', '{"a":-Infinity}', '{"a":True}'])
  })
})

describe('broken lines', () => {
  it.each([
    ['inside a string', '{"a":1}\n{"a":"cut he\n{"a":3}\n{"a":4}\n', ['JSON_INVALID@2']],
    ['after a comma', '{"a":1}\n{"a":2,\n{"a":3}\n{"a":4}\n', ['JSON_INVALID@3']],
    ['after a colon', '{"a":1}\n{"a":\n{"a":3}\n{"a":4}\n', ['JSON_INVALID@4']],
    ['after a bracket', '{"a":1}\n{"a":[\n{"a":3}\n{"a":4}\n', ['JSON_INVALID@4']],
    ['after a number', '{"a":1}\n{"a":2\n{"a":3}\n{"a":4}\n', ['JSON_INVALID@3']],
    ['before a blank line', '{"a":1}\n{"a":"cu\n\n{"a":3}\n{"a":4}\n', ['JSON_INVALID@2']],
    ['and text between', '{"a":1}\nStarting run…\nwarn: x\n{"a":3}\n{"a":4}\n', ['JSON_INVALID@2']],
  ])('cut %s: the others are read', async (_, content, expected) => {
    for (const size of [1, 5, 1000]) {
      const { texts, problems } = await split(content, size)
      expect(texts).toEqual(['{"a":1}', '{"a":3}', '{"a":4}'])
      expect(codes(problems)).toEqual(expected)
    }
  })
  it('cut at the end of the file: said with line, byte and count', async () => {
    const { texts, problems } = await split('{"a":1}\n{"a":2}\n{"a":{"b":')
    expect(texts).toHaveLength(2)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({
      code: 'JSON_CUT_OFF',
      severity: 'error',
      line: 3,
      byte: 16,
      record: 2,
    })
    expect(problems[0]?.message).toMatch(
      /begins on line 3 \(byte 16\).*ends at byte 26\. 2 records before it were read/,
    )
  })
  it.each([
    ['cut inside a string, then a whole line', '{"a":"hel{"b":2}\n'],
    ['cut behind a comma', '{"a":1,{"b":2}\n'],
    ['cut behind a name', '{"a"{"b":2}\n'],
    ['cut inside a number', '{"a":12{"b":2}\n'],
    ['cut behind a value', '{"a":[1]{"b":2}\n'],
    ['cut behind a backslash', '{"a":"x\\{"b":2}\n'],
    ['interleaved, the rest of the outer line follows', '{"a":1,{"b":2}\n"c":3}\n'],
    ['with blanks', '{"a":"hel{ "b":2}  \r\n'],
    ['at the end of the file', '{"a":"hel{"b":2}'],
  ])('two writers on one line, %s: the whole one is kept', async (_name, line) => {
    for (const size of [1, 5, 100]) {
      const { texts, problems } = await split(`{"z":0}\n${line}`, size)
      expect(texts.map((text) => JSON.parse(text) as unknown)).toEqual([{ z: 0 }, { b: 2 }])
      expect(problems[0]).toMatchObject({ code: 'JSON_INVALID', line: 2 })
      const after = await split(`${line.endsWith('\n') ? line : `${line}\n`}{"y":1}\n`, size)
      expect(after.texts.map((text) => JSON.parse(text) as unknown)).toEqual([{ b: 2 }, { y: 1 }])
    }
  })
  it('the inside of one broken line is not taken for another', async () => {
    for (const line of [
      '{"a":1 {"b":2}}',
      '{"a":[{"b":2} {"c":3}]}',
      '{"a":1 "b":{"c":2}}',
      '{\n "a" {"b":2}\n}',
    ])
      expect((await split(`${line}\n{"y":1}\n`)).texts).toEqual(['{"y":1}'])
  })
  it('cut before the last good line: that line is not lost', async () => {
    const { texts, problems } = await split('{"a":[1,\n{"b":2}')
    expect(texts).toEqual(['{"b":2}'])
    expect(codes(problems)).toEqual(['JSON_CUT_OFF@1'])
  })
  it('do not take the inside of a cut, indented object for records', async () => {
    const whole = JSON.stringify({ a: [{ b: 1 }, { b: 2 }], c: { d: 3 } }, null, 2)
    const { texts } = await split(whole.slice(0, -4))
    expect(texts).toEqual([])
  })
})

describe('broken lists', () => {
  const rows = [
    { id: 1, t: [{ x: 1 }] },
    { id: 2, t: [{ x: 2 }] },
    { id: 3, t: [{ x: 3 }] },
  ]
  it.each([
    ['compact', JSON.stringify(rows), '"id":2,', '"id":2:,', ['JSON_INVALID@1']],
    ['indented', JSON.stringify(rows, null, 2), '"id": 2,', '"id": 2 2 {,', ['JSON_INVALID@11']],
  ])('%s: the elements after a broken one are found again', async (_, good, from, to, expected) => {
    const { texts, problems } = await split(good.replace(from, to), 11)
    expect(texts.map((text) => JSON.parse(text).id)).toEqual([1, 3])
    expect(codes(problems)).toEqual(expected)
  })
  it('the first element broken: the next line like it is taken', async () => {
    const { texts } = await split(JSON.stringify(rows, null, 2).replace('"id": 1,', '"id" 1,'))
    expect(texts.map((text) => JSON.parse(text).id)).toEqual([2, 3])
  })
  it('cut inside an element, and between elements', async () => {
    const text = JSON.stringify(rows)
    const inside = await split(text.slice(0, -6))
    expect(inside.texts).toHaveLength(2)
    expect(codes(inside.problems)).toEqual(['JSON_CUT_OFF@1', 'JSON_CUT_OFF@1'])
    const between = await split(text.slice(0, -1))
    expect(between.texts).toHaveLength(3)
    expect(codes(between.problems)).toEqual(['JSON_CUT_OFF@1'])
    expect(between.problems[0]?.severity).toBe('warning')
  })
  it('two in a row are both read', async () => {
    expect((await split('[{"a":1}]\n[{"a":2}]{"a":3}')).texts.join()).toContain('{"a":3}')
  })
  it('elements that are no records are one problem', async () => {
    const { texts, problems } = await split('[1, "a, ]", null, {"a":1}, true]')
    expect(texts).toEqual(['{"a":1}'])
    expect(problems.map((problem) => problem.message)).toEqual([
      'From line 1: a list element that is no record (3 times).',
      'Line 1: a list element that is no record.',
    ])
  })
})

describe('hostile input', () => {
  it('NUL bytes between records are counted and skipped', async () => {
    const { texts, problems } = await split(`{"a":1}\n${'\0'.repeat(50)}\n{"a":2}\n${'\0'.repeat(9)}`)
    expect(texts).toEqual(['{"a":1}', '{"a":2}'])
    expect(problems.map(({ code, byte, message }) => [code, byte, message.slice(0, 12)])).toEqual([
      ['NUL_BYTES', 8, '59 NUL bytes'],
    ])
  })
  it('a record over the limit is skipped without being kept, and the rest goes on', async () => {
    const long = `{"a":"${'x'.repeat(5000)}"}`
    for (const content of [`{"a":1}\n${long}\n{"a":2}`, `[{"a":1},${long},{"a":2}]`]) {
      const { texts, problems } = await split(content, 100, 1000)
      expect(texts).toEqual(['{"a":1}', '{"a":2}'])
      expect(problems.map((problem) => problem.code)).toEqual(['TOO_LARGE'])
    }
  })
  it('brackets without end are refused in linear time', async () => {
    const started = performance.now()
    for (const line of [
      '{"a":\n',
      '[',
      '{"a":[',
      '[{"a":"\n',
      '{\n',
      '{"a":{"a":\n{',
      '\0\n',
      '}\n',
      '"\n',
      ',',
    ]) {
      const { texts } = await split(line.repeat(Math.ceil(400_000 / line.length)), 65536)
      expect(texts).toEqual([])
    }
    expect(performance.now() - started).toBeLessThan(10_000)
  })
  it('nothing gives nothing', async () => {
    for (const content of ['', ' \r\n\t', '[]', '\n'])
      expect(await split(content)).toMatchObject({ texts: [], problems: [] })
  })
})
