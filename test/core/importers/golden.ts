// What every format's fixtures are held to: a golden dump, the same under a meaningless name and in gzip, equal after
// an export and an import. For tests of formats whose trials are lines or records of one file.

import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { writeFaultlineJsonl } from '../../../src/core/importers/faultline-write.ts'
import { dump } from './dump.ts'
import { fixture, readBytes } from './readall.ts'

/** Holds the fixtures of a folder to that. `importer` is the id that must be detected. */
export function holdToGolden(folder: string, importer: string, files: readonly string[]): void {
  describe.each(files)('%s', (name) => {
    const bytes = readFileSync(fixture(`${folder}/${name}`))
    it('reads as in the golden dump', async () => {
      const read = await readBytes(bytes, name)
      expect(read.detection.importer?.id).toBe(importer)
      await expect(dump(read)).toMatchFileSnapshot(fixture(`${folder}/${name}.golden.txt`))
    })
    it('reads the same under a name that says nothing, gzipped or not', async () => {
      const expected = dump(await readBytes(bytes, 'data'))
      expect(dump(await readBytes(bytes, 'unknown'))).toBe(expected)
      expect(dump(await readBytes(gzipSync(bytes), '7.txt'))).toBe(expected)
    })
    it('is the same after an export and an import', async () => {
      const { trials } = await readBytes(bytes, name)
      const lines = [...writeFaultlineJsonl(trials, { producer: 'test' })].join('')
      expect((await readBytes(lines)).trials).toEqual(trials)
    })
    it('hands on records that are in the file, with the place of the first', async () => {
      for (const { recordBytes, byteOffset, line } of (await readBytes(bytes, name)).raws) {
        const first = recordBytes.subarray(0, 40)
        expect(bytes.subarray(byteOffset!, byteOffset! + first.length).equals(first)).toBe(true)
        expect(bytes.subarray(0, byteOffset!).toString().split('\n')).toHaveLength(line!)
      }
    })
  })
}

/** Records as lines. */
export const lines = (...records: readonly unknown[]): string =>
  records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n')
