// Folders that are one source: who may claim one, what is in it, on disk and in a zip alike; what does not belong to it
// stays a source of its own.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Importer, Opened, Source } from '../../../src/core/importers/importer.ts'
import { openSources } from '../../../src/core/importers/walk.ts'
import { bytesOf, withFolder, type Files } from './openall.ts'
import { readSource } from './readall.ts'
import { makeZip } from './zipwriter.ts'

/** A format of the test: a folder with main.json {kind: 'set'} and everything in parts/. */
const set: Importer = {
  id: 'set',
  title: 'Set',
  version: 1,
  status: 'beta',
  folder: { markers: ['main.json'], owns: (name) => name === 'main.json' || name.startsWith('parts/') },
  sniff: (head) => {
    const main = head.markers?.get('main.json')?.[0]?.value as { kind?: string } | undefined
    return main?.kind === 'set' && head.entries?.includes('parts/') === true
      ? { confidence: 0.9, reason: 'a set' }
      : { confidence: 0, reason: 'no set' }
  },
  read: async () => {},
}

const MAIN = { kind: 'set' }
const open = async (path: string): Promise<Opened[]> => {
  const out: Opened[] = []
  for await (const one of openSources(path, undefined, [set])) out.push(one)
  return out
}
const names = (opened: readonly Opened[]): string[] =>
  opened.map((one) => (one.kind === 'skipped' ? `- ${one.name}: ${one.reason}` : one.source.name))
const sourceOf = (opened: readonly Opened[], name: string): Source => {
  const found = opened.find((one) => one.kind === 'source' && one.source.name === name)
  if (found?.kind !== 'source') throw new Error(`${name} was not opened`)
  return found.source
}
const members = async (source: Source): Promise<string[]> =>
  (await source.entries()).map((entry) => entry.name)

/** The same files opened as a folder and as a zip: names without what is around them. */
const both = (files: Files): Promise<{ disk: Opened[]; zip: Opened[] }> =>
  withFolder(files, async (disk) => {
    const inZip = Object.entries(files).map(([name, content]) => ({
      name: `root/${name}`,
      data: bytesOf(content),
    }))
    return withFolder(
      { 'a.zip': makeZip(inZip) },
      async (zip) => ({ disk: await open(disk), zip: await open(zip) }),
      'z',
    )
  })

describe('a folder that an importer knows', () => {
  const files = {
    'main.json': MAIN,
    'parts/b.json': { n: 2 },
    'parts/deep/a.json': { n: 1 },
    'stranger.txt': 'x',
    'other/main.json': MAIN,
    'other/parts/c.json': { n: 3 },
    'plain/main.json': { kind: 'none' },
    'plain/parts/d.json': {},
  }
  it('is one source of the files that it owns; the rest is walked on, the same in a zip', async () => {
    const { disk, zip } = await both(files)

    expect(names(disk)).toEqual([
      'root/other',
      'root/plain/main.json',
      'root/plain/parts/d.json',
      'root/stranger.txt',
      'root',
    ])
    expect(names(zip).toSorted()).toEqual(
      names(disk)
        .map((name) => `z/a.zip/${name}`)
        .toSorted(),
    )
    for (const [opened, prefix] of [
      [disk, ''],
      [zip, 'z/a.zip/'],
    ] as const) {
      expect(await members(sourceOf(opened, `${prefix}root`))).toEqual([
        'main.json',
        'parts/b.json',
        'parts/deep/a.json',
      ])
      expect(await members(sourceOf(opened, `${prefix}root/other`))).toEqual(['main.json', 'parts/c.json'])
    }
  })
  it('does not lose a marker of its own parts to another claim', async () => {
    const inner = { 'main.json': MAIN, 'parts/main.json': MAIN, 'parts/parts/x.json': {} }
    const { disk, zip } = await both(inner)

    expect(names(disk)).toEqual(['root'])
    expect(names(zip)).toEqual(['z/a.zip/root'])
    expect(await members(sourceOf(disk, 'root'))).toEqual([
      'main.json',
      'parts/main.json',
      'parts/parts/x.json',
    ])
  })
  it('leaves links, housekeeping and refused members aside, as everywhere', async () => {
    await withFolder({ 'main.json': MAIN, 'parts/a.json': {}, 'secret.json': {} }, async (path) => {
      symlinkSync(join(path, 'secret.json'), join(path, 'parts/link.json'))
      mkdirSync(join(path, 'parts/.git'))
      writeFileSync(join(path, 'parts/.git/config'), 'x')
      const opened = await open(path)
      expect(names(opened)).toEqual([
        '- root/parts/.git: housekeeping of a system or tool',
        '- root/parts/link.json: a symbolic link',
        'root/secret.json',
        'root',
      ])
      expect(await members(sourceOf(opened, 'root'))).toEqual(['main.json', 'parts/a.json'])
    })
    const zip = makeZip([
      { name: 'main.json', data: JSON.stringify(MAIN) },
      { name: 'parts/../../evil.json', data: '{}' },
      { name: 'parts/a.json', data: '{}' },
    ])
    await withFolder({ 'a.zip': zip }, async (path) => {
      const opened = await open(path)
      expect(names(opened)).toEqual([
        '- root/a.zip/parts/../../evil.json: its name points outside of the archive',
        'root/a.zip',
      ])
      expect(await members(sourceOf(opened, 'root/a.zip'))).toEqual(['main.json', 'parts/a.json'])
    })
  })
  it('is not claimed by a broken or refused marker, which then says why by itself', async () => {
    await withFolder({ 'main.json': '{"kind": ', 'parts/a.json': {} }, async (path) =>
      expect(names(await open(path))).toEqual(['root/main.json', 'root/parts/a.json']),
    )
  })
})

describe('its source', () => {
  it('reads members by name, counts their bytes, and has a hash of names and what was read', async () => {
    const files = { 'main.json': MAIN, 'parts/a.json': [{ n: 1 }, { n: 2 }] }
    const hashOf = (more: Files): Promise<string> =>
      withFolder({ ...files, ...more }, async (path) => {
        const source = sourceOf(await open(path), 'root')
        for (const entry of await source.entries())
          for await (const item of entry.source().records()) void item
        expect(source.bytesRead()).toBe(source.size)
        return source.sha256()
      })
    const one = await hashOf({})
    expect(await hashOf({})).toBe(one)
    expect(await hashOf({ 'parts/a.json': [{ n: 1 }, { n: 3 }] })).not.toBe(one)
    expect(await hashOf({ 'parts/b.json': {} })).not.toBe(one)
  })
  it('is no file: an importer of files says so, and nothing is thrown', async () => {
    await withFolder({ 'main.json': MAIN, 'parts/a.json': {} }, async (path) => {
      const source = sourceOf(await open(path), 'root')
      const file: Importer = {
        ...set,
        read: async (given, sink, signal) => {
          for await (const item of given.records(signal))
            if (item.kind === 'problem') sink.problem(item.problem)
        },
      }
      expect((await readSource(source, file)).problems.at(-1)).toMatchObject({ code: 'RECORD_INVALID' })
      const throwing: Importer = { ...set, read: async (given) => void (await given.text()) }
      expect((await readSource(source, throwing)).report?.state).toBe('failed')
    })
  })
})
