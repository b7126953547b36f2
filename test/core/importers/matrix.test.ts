// Every fixture of every format against every importer: it is known as its own, and no other comes near, under a name
// that says nothing, gzipped or not. A new format that takes another's files is found here.

import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { detect } from '../../../src/core/importers/detect.ts'
import type { Detection, Source } from '../../../src/core/importers/importer.ts'
import { IMPORTERS } from '../../../src/core/importers/registry.ts'
import { openSources } from '../../../src/core/importers/walk.ts'
import { allFixtures } from './formats.ts'
import { withFolder } from './openall.ts'
import { withSource } from './readall.ts'

/** How far the next importer must be. */
const MARGIN = 0.15
const fixtures = allFixtures()
/** Lists of rows have no file of their own in the repository; outcomes.test.ts writes them. */
const WITHOUT_FIXTURE = ['outcome-rows']

function expectOwn({ importer, candidates }: Detection, id: string): void {
  expect(importer?.id).toBe(id)
  expect(candidates).toHaveLength(IMPORTERS.length)
  const [own, next] = candidates
  expect(own?.id).toBe(id)
  expect(own!.confidence - next!.confidence, `next is ${next?.id}: ${next?.reason}`).toBeGreaterThanOrEqual(
    MARGIN,
  )
}

describe('detection', () => {
  it('has a fixture for every importer', () => {
    const covered = new Set(fixtures.map(({ importer }) => importer.id))
    expect(IMPORTERS.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual(WITHOUT_FIXTURE)
  })
  it.each(fixtures.filter(({ kind }) => kind !== 'folder'))('of $name', async ({ importer, bytes, kind }) => {
    expectOwn(await withSource(bytes, 'data', (source) => detect(source)), importer.id)
    if (kind !== 'zip')
      expectOwn(await withSource(gzipSync(bytes), '7', (source) => detect(source)), importer.id)
  })
  it.each(fixtures.filter(({ kind }) => kind === 'folder'))('of $name', async ({ importer, files }) => {
    await withFolder(files, async (path) => {
      const sources: Source[] = []
      for await (const opened of openSources(path)) if (opened.kind === 'source') sources.push(opened.source)
      const found = await Promise.all(sources.map((source) => detect(source)))
      expectOwn(
        found.find((detection) => detection.importer !== null)!,
        importer.id,
      )
      expect(found.filter((detection) => detection.importer !== null)).toHaveLength(1)
    })
  })
})
