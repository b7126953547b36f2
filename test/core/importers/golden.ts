// What every format's fixtures are held to: a golden dump, the same under a meaningless name and in gzip, equal after
// an export and an import. For tests of formats whose trials are lines or records of one file.

import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { writeFaultlineJsonl } from '../../../src/core/importers/faultline-write.ts'
import type { Trial } from '../../../src/model/trial.ts'
import { dump } from './dump.ts'
import { fixture, readBytes } from './readall.ts'

/** So much of a record is compared with what stands at its place. */
const PLACE_BYTES = 40
const NEWLINE = 0x0a

/** What is different about a format's fixtures. */
export type GoldenOptions = {
  /** The name that a fixture lies under; its own when not given. */
  readonly nameOf?: (file: string) => string
  /** A trial without what only its file's name tells. Not given: a name tells nothing but the task's id. */
  readonly aside?: (trial: Trial) => unknown
}

/** Holds the fixtures of a folder to that. `importer` is the id that must be detected. */
export function holdToGolden(
  folder: string,
  importer: string,
  files: readonly string[],
  { nameOf = (file) => file, aside }: GoldenOptions = {},
): void {
  describe.each(files)('%s', (file) => {
    const bytes = readFileSync(fixture(`${folder}/${file}`))
    const name = nameOf(file)
    it('reads as in the golden dump', async () => {
      const read = await readBytes(bytes, name)
      expect(read.detection.importer?.id).toBe(importer)
      await expect(dump(read)).toMatchFileSnapshot(fixture(`${folder}/${file}.golden.txt`))
    })
    it('reads the same under a name that says nothing, gzipped or not', async () => {
      const expected = await readBytes(bytes, aside === undefined ? 'data' : name)
      const shown = aside ?? ((trial: Trial): unknown => trial)
      for (const other of [await readBytes(bytes, 'unknown'), await readBytes(gzipSync(bytes), '7.txt')]) {
        // A zip in gzip is not opened.
        if (other.detection.problem?.code === 'FORMAT_NOT_READ') continue
        expect(other.detection.importer?.id).toBe(importer)
        expect(other.trials.map(shown)).toEqual(expected.trials.map(shown))
        expect(other.problems).toEqual(expected.problems)
      }
    })
    it('is the same after an export and an import', async () => {
      const { trials } = await readBytes(bytes, name)
      const lines = [...writeFaultlineJsonl(trials, { producer: 'test' })].join('')
      expect((await readBytes(lines)).trials).toEqual(trials)
    })
    it('hands on records that are in the file, with the place of the main one', async () => {
      for (const { recordBytes, byteOffset, line } of (await readBytes(bytes, name)).raws) {
        // What lies in a zip has no place in the file.
        if (byteOffset === null) continue
        const found = recordBytes.indexOf(bytes.subarray(byteOffset, byteOffset + PLACE_BYTES))
        expect(found === 0 || recordBytes[found - 1] === NEWLINE, `at ${found}`).toBe(true)
        expect(bytes.subarray(0, byteOffset).toString().split('\n')).toHaveLength(line!)
      }
    })
  })
}

/** Records as lines. */
export const lines = (...records: readonly unknown[]): string =>
  records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n')
