// Detection: what is recognised by its content, and a sentence of its own for everything that cannot be read.

import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { detect } from '../../../src/core/importers/detect.ts'
import type { Importer } from '../../../src/core/importers/importer.ts'
import { importerById, IMPORTERS } from '../../../src/core/importers/registry.ts'
import { fileSource } from '../../../src/core/importers/source.ts'
import { readBytes, withSource } from './readall.ts'

const problemOf = async (bytes: string | Uint8Array, name = 'x.json') => {
  const { detection } = await readBytes(bytes, name)
  expect(detection.importer).toBeNull()
  return { ...detection.problem!, ask: detection.ask }
}

describe('empty files', () => {
  it.each([
    ['', 'x.json is empty: 0 bytes.'],
    ['\ufeff', 'x.json is empty: it holds a byte-order mark and nothing else.'],
    [' \r\n\t\n', 'x.json is empty: it holds nothing but white space.'],
    [' [ ]\n', 'x.json is empty: its list has no elements.'],
    ['{}', 'x.json is empty: its object has no members.'],
  ])('%j has its own sentence', async (content, message) => {
    expect(await problemOf(content)).toMatchObject({ code: 'FILE_EMPTY', message, ask: false })
  })
  it('inside gzip, and a header without trials', async () => {
    expect(await problemOf(gzipSync(''))).toMatchObject({
      code: 'FILE_EMPTY',
      message: 'x.json is empty: there is nothing in the gzip file.',
    })
    const { codes } = await readBytes('{"type":"header","format":"faultline","version":1}\n')
    expect(codes).toEqual(['FILE_EMPTY'])
  })
})

describe('files that are not read', () => {
  it.each([
    ['SQLite', 'SQLite format 3\0rest', /SQLite file/],
    ['Parquet', 'PAR1\0\0', /Parquet file/],
    [
      'tar in gzip',
      gzipSync(Buffer.concat([Buffer.alloc(257), Buffer.from('ustar\0')])),
      /tar file inside gzip/,
    ],
  ])('%s is named, with what to do', async (_, content, message) => {
    const problem = await problemOf(content as string)
    expect(problem.code).toBe('FORMAT_NOT_READ')
    expect(problem.message).toMatch(message)
    expect(problem.hint).toBeTruthy()
  })
  it('NUL bytes are said with their place', async () => {
    expect(await problemOf('name,\0\0outcome')).toMatchObject({ code: 'NUL_BYTES', byte: 5 })
    expect(await problemOf('\0\0\0\0')).toMatchObject({ code: 'NUL_BYTES', byte: 0 })
    expect(await problemOf(Buffer.from('{"task_id":1}', 'utf16le'))).toMatchObject({
      code: 'NUL_BYTES',
      byte: 1,
    })
  })
  it('bytes that are no text', async () => {
    expect((await problemOf(Buffer.from([0x80, 0xff, 0xc0, 0x99]))).message).toBe('x.json is not text.')
  })
  it('unknown JSON asks, and tells what it saw and what every importer missed', async () => {
    const problem = await problemOf('{"alpha":1,"beta\u202e":2}\n')
    expect(problem).toMatchObject({ code: 'FORMAT_UNKNOWN', ask: true })
    expect(problem.message).toContain('the keys alpha, beta\\u{202E}')
    for (const importer of IMPORTERS) expect(problem.hint).toContain(`${importer.title}: `)
  })
  it('text, cut JSON and lists of numbers each say so', async () => {
    expect((await problemOf('hello there')).message).toMatch(/It is text, but not JSON/)
    expect((await problemOf('[1,2,3]')).message).toMatch(/no record in it is complete JSON/)
    expect((await problemOf('{"alpha": {"b": 1')).message).toMatch(/the keys alpha/)
  })
  it('a format of a later version is named', async () => {
    const newer = await readBytes(
      '{"type":"header","format":"faultline","version":2}\n{"type":"trial","trial_id":"1","task_id":"t","outcome":"pass"}',
    )
    expect(newer.trials).toEqual([])
    expect(newer.problems[0]).toMatchObject({ code: 'FORMAT_NEWER', line: 1 })
    expect(newer.problems[0]?.message).toMatch(/version 2.*reads version 1/)
  })
  it('a file that is gone is a problem, not an exception', async () => {
    const detection = await detect(fileSource({ path: '/nowhere/x.json', size: 3 }))
    expect(detection).toMatchObject({ importer: null, ask: false, problem: { code: 'FILE_UNREADABLE' } })
  })
  it('a cut-off file of a known format is read as far as it goes, with line, byte and count', async () => {
    const row = { task_id: 1, reward: 1, info: {}, traj: [], trial: 0 }
    const text = JSON.stringify([row, { ...row, trial: 1 }, { ...row, trial: 2 }], null, 2)
    const { trials, problems, report } = await readBytes(text.slice(0, -40))
    expect(report?.state).toBe('done')
    expect(trials).toHaveLength(2)
    expect(problems[0]).toMatchObject({ code: 'JSON_CUT_OFF', line: 16, severity: 'error' })
    expect(problems[0]?.message).toMatch(/2 records before it were read/)
  })
})

describe('choosing', () => {
  const says = (id: string, confidence: number, nameHint?: RegExp): Importer => ({
    id,
    title: id.toUpperCase(),
    version: 1,
    status: 'stable',
    ...(nameHint === undefined ? {} : { nameHint }),
    sniff: () => ({ confidence, reason: `because ${id}` }),
    read: async () => {},
  })
  const choose = (importers: Importer[], name = 'x') =>
    withSource('{"a":1}', name, (source) => detect(source, undefined, importers))
  it('the surest wins, whatever the name says', async () => {
    const detection = await choose([says('a', 0.6, /x/), says('b', 0.7)])
    expect(detection.importer?.id).toBe('b')
    expect(detection.candidates.map((one) => one.id)).toEqual(['b', 'a'])
  })
  it('a tie is broken by a name, and only a tie', async () => {
    expect((await choose([says('a', 0.7), says('b', 0.7, /\.b$/)], 'x.b')).importer?.id).toBe('b')
    const open = await choose([says('a', 0.7, /x/), says('b', 0.7, /x/)])
    expect(open).toMatchObject({ importer: null, ask: true })
    expect(open.problem?.message).toBe('x could be A or B: which is it?')
    expect(open.problem?.hint).toBe('A: because a\nB: because b')
  })
  it('nobody sure asks', async () => {
    expect(await choose([says('a', 0.49)])).toMatchObject({ importer: null, ask: true })
  })
  it('an importer that throws is not chosen and spoils nothing', async () => {
    const broken = {
      ...says('a', 1),
      sniff: () => {
        throw new Error('bug')
      },
    }
    expect((await choose([broken, says('b', 0.6)])).importer?.id).toBe('b')
  })
  it('importers have unique ids and are found by them', () => {
    expect(new Set(IMPORTERS.map((one) => one.id)).size).toBe(IMPORTERS.length)
    for (const one of IMPORTERS) expect(importerById(one.id)).toBe(one)
    expect(importerById('no')).toBeNull()
  })
})
