// What files are like when they come from other programs and other machines, held for every format at once: the same
// trials from other encodings, line ends, containers, names and layouts. What is broken in them: oddbroken.test.ts.

import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Trial } from '../../../src/model/trial.ts'
import { IMPORTERS } from '../../../src/core/importers/registry.ts'
import { allFixtures, type Fixture, type FixtureKind } from './formats.ts'
import { openAll, withFolder } from './openall.ts'
import { readBytes } from './readall.ts'
import { makeZip, type Member } from './zipwriter.ts'

const fixtures = allFixtures()
const texts = fixtures.filter(({ kind }) => kind !== 'zip' && kind !== 'folder')

const utf16 = (bytes: Buffer): Buffer => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le')
const text = (bytes: Buffer): string => bytes.toString('utf8')
const lf = (bytes: Buffer): string => text(bytes).replaceAll('\r\n', '\n')

/** Ways to write the same content, and the kinds of file that they make sense for. */
const WAYS: readonly (readonly [
  name: string,
  kinds: readonly FixtureKind[] | null,
  write: (bytes: Buffer) => Buffer | string,
])[] = [
  ['with a byte-order mark', null, (bytes) => `\ufeff${text(bytes)}`],
  ['as UTF-16 LE', null, utf16],
  ['as UTF-16 BE', null, (bytes) => utf16(bytes).swap16()],
  ['with CRLF', null, (bytes) => lf(bytes).replaceAll('\n', '\r\n')],
  ['in gzip', null, (bytes) => gzipSync(bytes)],
  ['as UTF-16 in gzip', null, (bytes) => gzipSync(utf16(bytes))],
  [
    'in two gzip members',
    null,
    (bytes) => Buffer.concat([gzipSync(bytes.subarray(0, 99)), gzipSync(bytes.subarray(99))]),
  ],
  ['after blank lines', ['lines', 'object', 'array'], (bytes) => `\n\r\n  \n${text(bytes)}`],
  ['before blank lines', null, (bytes) => `${text(bytes)}\n\r\n\n`],
  [
    'before a run of NUL bytes',
    ['lines', 'object', 'array'],
    (bytes) => `${text(bytes)}\n${'\0'.repeat(4096)}`,
  ],
  [
    'with NUL runs between lines',
    ['lines'],
    (bytes) => text(bytes).replaceAll('\n', `\n${'\0'.repeat(64)}\n`),
  ],
  ['with blank lines between lines', ['lines'], (bytes) => text(bytes).replaceAll('\n', '\n\n')],
  ['without line ends between records', ['lines'], (bytes) => text(bytes).replaceAll('\n', '')],
  ['as one list instead of lines', ['lines'], (bytes) => `[${text(bytes).trim().split('\n').join(',\n')}]`],
  ['as lines with commas', ['lines'], (bytes) => text(bytes).trim().split('\n').join(',\n')],
  [
    'as lines instead of a list',
    ['array'],
    (bytes) =>
      elements(bytes)
        .map((one) => JSON.stringify(one))
        .join('\n'),
  ],
  [
    'as indented objects in a row',
    ['array'],
    (bytes) =>
      elements(bytes)
        .map((one) => JSON.stringify(one, null, 2))
        .join('\n'),
  ],
  ['on one line', ['object', 'array'], (bytes) => JSON.stringify(JSON.parse(text(bytes)))],
  ['as a list of one', ['object'], (bytes) => `[${text(bytes)}]`],
]

const elements = (bytes: Buffer): unknown[] => JSON.parse(text(bytes)) as unknown[]

/** Formats whose one object is no element of a list: it is read member by member. */
const NO_LIST = new Set([
  'inspect',
  'tau2',
  'agentrial',
  'outcome-map',
  'swe-bench-report',
  'swe-bench-instance',
])

/** A way of writing may change no value; numbers such as NaN are no JSON, so that file cannot be written anew. */
const applies = (fixture: Fixture, name: string, kinds: readonly FixtureKind[] | null): boolean =>
  (kinds === null || kinds.includes(fixture.kind)) &&
  !(fixture.name.endsWith('version-1-nan.json') && name === 'on one line') &&
  !(NO_LIST.has(fixture.importer.id) && name === 'as a list of one')

const plain = new Map<string, Promise<readonly Trial[]>>()
function trialsOf({ name, bytes }: Fixture): Promise<readonly Trial[]> {
  const known = plain.get(name) ?? readBytes(bytes).then(({ trials }) => trials)
  plain.set(name, known)
  return known
}

describe.each(WAYS)('%s', (name, kinds, write) => {
  it.each(texts.filter((fixture) => applies(fixture, name, kinds)))('$name', async (fixture) => {
    const read = await readBytes(write(fixture.bytes))
    expect(read.detection.importer?.id).toBe(fixture.importer.id)
    expect(read.trials).toEqual(await trialsOf(fixture))
  })
})

describe('under another name', () => {
  const NAMES = [
    'data.txt',
    'data.json',
    'data.jsonl',
    'data.json.gz',
    'data.zip',
    'data.bak',
    'data.csv',
    'DATA.JSON',
  ]
  it.each(fixtures.filter(({ kind }) => kind !== 'folder'))('$name', async (fixture) => {
    const expected = await trialsOf(fixture)
    for (const name of NAMES) {
      const read = await readBytes(fixture.bytes, name)
      expect(read.detection.importer?.id, name).toBe(fixture.importer.id)
      expect(
        read.trials.map(({ task, outcome, steps }) => ({ task, outcome, steps })),
        name,
      ).toEqual(expected.map(({ task, outcome, steps }) => ({ task, outcome, steps })))
    }
  })
})

describe('all formats in one', () => {
  /** Every fixture that is one file, a stranger's files, and what must not be read. */
  const members: readonly Member[] = [
    ...fixtures
      .filter(({ kind }) => kind !== 'folder')
      .map(({ name, bytes }) => ({ name: `all/${name}`, data: bytes })),
    ...fixtures.flatMap(({ name, files }) =>
      Object.entries(files).map(([file, data]) => ({ name: `all/${name}/${file}`, data: data as Buffer })),
    ),
    { name: 'all/notes.md', data: '# Notes\nnothing to read' },
    { name: 'all/picture.png', data: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') },
    { name: 'all/empty.json', data: '' },
  ]
  const count = async (): Promise<number> => {
    let trials = 0
    for (const fixture of fixtures) {
      if (fixture.kind !== 'folder') trials += (await trialsOf(fixture)).length
      else
        await withFolder(fixture.files, async (path) => {
          for (const read of (await openAll(path)).reads) trials += read.trials.length
        })
    }
    return trials
  }
  const bad: readonly Member[] = [
    { name: '../outside.jsonl', data: '{}' },
    { name: '/etc/passwd.jsonl', data: '{}' },
    { name: 'c:\\windows.jsonl', data: '{}' },
    { name: 'all/link.jsonl', data: '../../etc/passwd', mode: 0o120777 },
    { name: 'all/bomb.jsonl', data: Buffer.alloc(80 * 1024 * 1024), method: 93 },
    { name: 'all/notes.md', data: '# the same name again' },
  ]
  it('zip: every member as itself; what is not to be read is listed with its reason', async () => {
    await withFolder({ 'all.zip': makeZip([...members, ...bad]) }, async (path) => {
      const { reads, strangers, skipped } = await openAll(path)
      const ids = new Set(reads.map(({ detection }) => detection.importer?.id))
      expect(ids).toEqual(new Set(fixtures.map(({ importer }) => importer.id)))
      expect(reads.reduce((sum, read) => sum + read.trials.length, 0)).toBe(await count())
      expect(strangers.join('\n')).toMatch(/notes\.md: FORMAT_UNKNOWN/)
      expect(strangers.join('\n')).toMatch(/picture\.png: /)
      expect(strangers.join('\n')).toMatch(/empty\.json: FILE_EMPTY/)
      for (const pattern of [
        /outside\.jsonl: .*points outside/,
        /passwd\.jsonl: .*absolute/,
        /windows\.jsonl: .*absolute/,
        /link\.jsonl: .*symbolic link/,
        /bomb\.jsonl: .*bomb/,
        /notes\.md: another member/,
      ])
        expect(skipped.join('\n')).toMatch(pattern)
      expect(skipped).toHaveLength(bad.length)
    })
  }, 60_000)
  it('folder: every file as itself', async () => {
    const files = Object.fromEntries(members.map(({ name, data }) => [name, data]))
    await withFolder(files, async (path) => {
      const { reads, strangers, skipped } = await openAll(path)
      expect(new Set(reads.map(({ detection }) => detection.importer?.id))).toEqual(
        new Set(fixtures.map(({ importer }) => importer.id)),
      )
      expect(reads.reduce((sum, read) => sum + read.trials.length, 0)).toBe(await count())
      expect(strangers).toHaveLength(3)
      expect(skipped).toEqual([])
    })
  }, 60_000)
})

describe('empty files, read as any format', () => {
  it.each(IMPORTERS.map((importer) => [importer.id, importer] as const))('%s', async (_id, importer) => {
    for (const content of ['', '\ufeff', ' \n\r\n\t', '[]', '{}', gzipSync(''), Buffer.alloc(32), '\0\0\n']) {
      const read = await readBytes(content, 'x', importer)
      expect(read.trials).toEqual([])
      expect(read.detection.importer).toBeNull()
      const said = read.problems.filter(({ severity }) => severity === 'error')
      expect(said.length, JSON.stringify(content)).toBeGreaterThanOrEqual(2)
      expect(read.codes).not.toContain('INTERNAL')
    }
  })
  it('each kind has its own sentence', async () => {
    const sentence = async (content: string | Buffer): Promise<string> =>
      (await readBytes(content)).detection.problem?.message ?? ''
    const all = await Promise.all(['', '\ufeff', ' \n', '[]', '{}', gzipSync(''), '\0\0'].map(sentence))
    expect(new Set(all).size).toBe(all.length)
  })
})
