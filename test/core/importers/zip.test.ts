// Zip files: every way a member may be stored, every way an archive may harm, and the walk through one.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import type { Opened, Source } from '../../../src/core/importers/importer.ts'
import { fileSource } from '../../../src/core/importers/source.ts'
import { openSources } from '../../../src/core/importers/walk.ts'
import { MAX_RATIO, RATIO_FREE_BYTES } from '../../../src/core/importers/zip.ts'
import { readBytes, readSource, withSource } from './readall.ts'
import { makeZip, type Member } from './zipwriter.ts'

const TEXT = `${JSON.stringify({ a: 'x'.repeat(1000), b: [...Array(2000).keys()] })}\n`

const read = (zip: Buffer): Promise<(string | null)[]> =>
  withSource(zip, 'a.zip', async (source) => {
    const entries = await source.entries()
    return Promise.all(entries.map(async (entry) => entry.refused ?? (await entry.read()).toString()))
  })
const refusal = async (member: Member): Promise<string | null> => (await read(makeZip([member])))[0] ?? null
const failure = (zip: Buffer): Promise<unknown> =>
  withSource(zip, 'a.zip', (source) =>
    source
      .entries()
      .then((entries) => Promise.all(entries.map((entry) => entry.read())))
      .then(
        () => null,
        (error: unknown) => error,
      ),
  )

describe('a member', () => {
  it.each<[string, Partial<Member>]>([
    ['stored', { method: 0 }],
    ['deflated', { method: 8 }],
    ['Zstandard', { method: 93 }],
    ['Zstandard of several frames', { method: 93, frames: 5 }],
    ['with its sizes behind it', { method: 8, hasDescriptor: true }],
    ['Zip64', { method: 8, isZip64: true }],
    ['Zip64 with its sizes behind it', { method: 93, frames: 2, isZip64: true, hasDescriptor: true }],
    ['empty and stored', { method: 0, data: '' }],
    ['empty and deflated', { method: 8, data: '' }],
    ['empty and Zstandard', { method: 93, data: '' }],
  ])('that is %s reads back', async (_, more) => {
    const member = { name: 'dir/ä b.json', data: TEXT, ...more }
    expect(await read(makeZip([{ name: 'before', data: 'x' }, member]))).toEqual(['x', member.data])
  })
  it('is read in a Zip64 archive', async () => {
    expect(await read(makeZip([{ name: 'a', data: TEXT, isZip64: true }], true))).toEqual([TEXT])
  })
  it('skips a Zstandard frame that holds no content', async () => {
    const skip = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])
    const frame = zstdCompressSync(Buffer.from('hello'))
    const stored = makeZip([{ name: 'a', data: Buffer.concat([skip, frame, skip]), method: 0 }])
    // The writer cannot write this: take a stored member and call it method 93.
    const zip = Buffer.from(stored)
    const central = zip.indexOf('PK\x01\x02')
    zip.writeUInt16LE(93, central + 10)
    zip.writeUInt32LE(5, central + 24)
    zip.writeUInt32LE(0x3610a686, central + 16)
    expect(await read(zip)).toEqual(['hello'])
  })
  it('may be followed by what a mailer added behind the archive', async () => {
    expect(
      await read(Buffer.concat([makeZip([{ name: 'a', data: TEXT }]), Buffer.from('\r\n--x--\r\n')])),
    ).toEqual([TEXT])
  })
})

describe('a member is refused, and its neighbours are read,', () => {
  it.each<[string, Partial<Member>, RegExp]>([
    ['that points outside', { name: 'a/../../b.json' }, /outside/],
    ['that points outside with backslashes', { name: '..\\b.json' }, /outside/],
    ['with an absolute name', { name: '/etc/passwd' }, /absolute/],
    ['with a drive', { name: 'C:\\x.json' }, /absolute/],
    ['with a NUL byte in its name', { name: 'a\0.json' }, /NUL/],
    ['that is a symbolic link', { mode: 0o120777 }, /symbolic link/],
    ['that is encrypted', { flags: 1 }, /encrypted/],
    ['of method 12', { method: 12 }, /bzip2/],
    ['of a method nobody knows', { method: 77 }, /method 77/],
    ['whose stored sizes contradict', { method: 0, lie: { size: 3 } }, /contradict/],
    [
      'that says that it grows without end',
      { lie: { size: RATIO_FREE_BYTES + MAX_RATIO * 100_000 } },
      /bomb/,
    ],
  ])('%s', async (_, more, reason) => {
    const bad = { name: 'x.json', data: TEXT, ...more }
    const found = await read(makeZip([{ name: 'good', data: '1' }, bad, { name: 'also good', data: '2' }]))
    expect([found[0], found[2]]).toEqual(['1', '2'])
    expect(found[1]).toMatch(reason)
    expect(await refusal(bad)).toMatch(reason)
  })
  it('whose name comes again: the last one counts', async () => {
    const found = await read(
      makeZip([
        { name: 'a', data: '1' },
        { name: 'a', data: '2' },
      ]),
    )
    expect(found[0]).toMatch(/comes later/)
    expect(found[1]).toBe('2')
  })
})

describe('a damaged member says what is wrong:', () => {
  it.each<[string, Partial<Member>, RegExp]>([
    ['a wrong checksum', { lie: { crc32: 1 } }, /checksum/],
    ['more than it should hold', { lie: { size: 10 } }, /more than/],
    ['more than it should hold, Zstandard', { method: 93, lie: { size: 10 } }, /more than/],
    ['less than it should hold', { lie: { size: 50_000 } }, /bytes that the directory says/],
    ['a header elsewhere', { lie: { offset: 3 } }, /header is not at byte 3/],
    ['an early end', { lie: { compressedSize: 20 } }, /ends early/],
    ['an early end, Zstandard', { method: 93, lie: { compressedSize: 20 } }, /ends early|damaged/],
  ])('%s', async (_, more, message) => {
    const error = await failure(makeZip([{ name: 'x.json', data: TEXT, ...more }]))
    expect(error).toMatchObject({ code: 'FORMAT_INVALID', message: expect.stringMatching(message) })
    expect((error as Error).message).toContain('x.json')
  })
  it('garbage in place of data', async () => {
    for (const method of [8, 93]) {
      const zip = makeZip([{ name: 'x', data: TEXT, method }])
      zip.fill(0xff, 31, 60)
      expect(await failure(zip)).toMatchObject({
        code: 'FORMAT_INVALID',
        message: expect.stringMatching(/x: .*damaged/),
      })
    }
  })
})

describe('an archive', () => {
  const members = Array.from({ length: 5 }, (_, i) => ({ name: `${i}.json`, data: TEXT }))
  it('that is cut off anywhere is a problem with its byte, never an exception', async () => {
    const zip = makeZip(members)
    for (let at = 4; at < zip.length; at += 997) {
      const { problems } = await readBytes(zip.subarray(0, at), 'cut.zip')
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatchObject({ code: 'ARCHIVE_BROKEN', byte: at })
    }
  })
  it('with a damaged directory says at which byte', async () => {
    const zip = makeZip(members)
    const second = zip.indexOf('PK\x01\x02', zip.indexOf('PK\x01\x02') + 1)
    zip.writeUInt32LE(0xdeadbeef, second)
    const { problems } = await readBytes(zip, 'bad.zip')
    expect(problems[0]).toMatchObject({ code: 'ARCHIVE_BROKEN', byte: second })
    expect(problems[0]?.message).toContain(second.toLocaleString('en-US'))
  })
  it('whose members share bytes is refused', async () => {
    const zip = makeZip(members.map((member) => ({ ...member, lie: { offset: 0, compressedSize: 9000 } })))
    expect((await readBytes(zip)).problems[0]).toMatchObject({
      code: 'TOO_LARGE',
      message: expect.stringMatching(/bomb/),
    })
  })
  it('without members is empty', async () => {
    expect((await readBytes(makeZip([]), 'empty.zip')).problems[0]).toMatchObject({ code: 'FILE_EMPTY' })
  })
  it('in gzip, and a tar, are refused by name with a hint', async () => {
    const tar = Buffer.alloc(1024)
    tar.write('a.json', 0)
    tar.write('ustar', 257)
    for (const [bytes, name] of [
      [tar, 'tar'],
      [gzipSync(tar), 'tar'],
      [gzipSync(makeZip(members)), 'zip'],
    ] as const) {
      const { problems } = await readBytes(bytes, 'a.tar.gz')
      expect(problems[0]).toMatchObject({ code: 'FORMAT_NOT_READ', hint: expect.stringMatching(/Unpack/) })
      expect(problems[0]?.message).toContain(`a ${name} file`)
    }
  })
  it('reads only what is asked for', async () => {
    const many = Array.from({ length: 2000 }, (_, i) => ({ name: `${i}.json`, data: `${TEXT}${i}` }))
    await withSource(makeZip(many), 'many.zip', async (source) => {
      const entries = await source.entries()
      expect(entries).toHaveLength(2000)
      expect(source.bytesRead()).toBe(0)
      expect((await entries[1234]?.read())?.toString()).toBe(`${TEXT}1234`)
      expect(source.bytesRead()).toBe(entries[1234]?.compressedSize)
    })
  })
  it('stops when it is aborted', async () => {
    await withSource(makeZip(members), 'a.zip', async (source) => {
      await expect(source.entries(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
    })
  })
})

describe('the walk through a zip', () => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-zip-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const row = (trial: number): object => ({
    task_id: 1,
    reward: 1,
    info: {},
    traj: [{ role: 'user', content: 'x' }],
    trial,
  })
  const rows = (count: number): string => JSON.stringify(Array.from({ length: count }, (_, i) => row(i)))
  const walk = async (zip: Buffer, name = 'mail.zip'): Promise<Opened[]> => {
    writeFileSync(join(folder, name), zip)
    const opened: Opened[] = []
    for await (const one of openSources(join(folder, name))) opened.push(one)
    return opened
  }
  const sources = (opened: readonly Opened[]): Source[] =>
    opened.flatMap((one) => (one.kind === 'source' ? [one.source] : []))
  const names = (opened: readonly Opened[]): string[] =>
    opened.map((one) => (one.kind === 'source' ? one.source.name : `${one.name}: ${one.reason}`))

  it('gives its members in the order of their names, and lists what it leaves aside', async () => {
    const opened = await walk(
      makeZip([
        { name: 'b/two.json', data: rows(2), method: 93 },
        { name: 'b/', data: '', method: 0 },
        { name: '__MACOSX/b/._two.json', data: 'x' },
        { name: 'a.json', data: rows(1) },
        { name: '../evil.json', data: rows(1) },
      ]),
    )
    expect(names(opened)).toEqual([
      'mail.zip/../evil.json: its name points outside of the archive',
      'mail.zip/__MACOSX/b/._two.json: housekeeping of a system or tool',
      'mail.zip/a.json',
      'mail.zip/b/two.json',
    ])
    const read = await Promise.all(sources(opened).map((source) => readSource(source)))
    expect(read.map(({ trials }) => trials.length)).toEqual([1, 2])
    expect(await sources(opened)[0]?.sha256()).toMatch(/^[0-9a-f]{64}$/)
  })
  it.each([0, 8, 93])('opens a zip that lies in it by method %s, and no deeper', async (method) => {
    const third = makeZip([{ name: 'deep.json', data: rows(1) }])
    const second = makeZip([
      { name: 'in.json', data: rows(3) },
      { name: 'third.zip', data: third, method: 0 },
    ])
    const opened = await walk(makeZip([{ name: 'second.zip', data: second, method }]))
    expect(names(opened)).toEqual(['mail.zip/second.zip/in.json', 'mail.zip/second.zip/third.zip'])
    const [inner, deep] = sources(opened)
    expect((await readSource(inner as Source)).trials).toHaveLength(3)
    expect((await readSource(deep as Source)).problems[0]).toMatchObject({ code: 'FORMAT_NOT_READ' })
  })
  it('reads a gzipped member', async () => {
    const [source] = sources(await walk(makeZip([{ name: 'a.json.gz', data: gzipSync(rows(2)), method: 0 }])))
    expect((await readSource(source as Source)).trials).toHaveLength(2)
  })
  it('keeps a damaged member a problem of its own', async () => {
    const opened = await walk(
      makeZip([
        { name: 'a.json', data: rows(1), lie: { crc32: 5 } },
        { name: 'b.json', data: rows(2) },
      ]),
    )
    const read = await Promise.all(sources(opened).map((source) => readSource(source)))
    expect(read[0]?.codes).toContain('ARCHIVE_BROKEN')
    expect(read[1]?.trials).toHaveLength(2)
  })
  it('gives a zip that cannot be listed as it is, for its detection to say why', async () => {
    const opened = await walk(makeZip([{ name: 'a.json', data: rows(1) }]).subarray(0, 60), 'cut.zip')
    expect(names(opened)).toEqual(['cut.zip'])
    expect(await readSource(sources(opened)[0] as Source)).toMatchObject({ codes: ['ARCHIVE_BROKEN'] })
    const path = join(folder, 'cut.zip')
    expect(await fileSource({ path, size: 60 }).isArchive()).toBe(true)
  })
})
