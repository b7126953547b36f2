// Reads bytes through the whole path of an import (file on disk, detection, importer) and collects what came out.
// For the importer tests only.

import { existsSync, mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { detect } from '../../../src/core/importers/detect.ts'
import type {
  Detection,
  Importer,
  Problem,
  RawTrial,
  ReadReport,
  Source,
} from '../../../src/core/importers/importer.ts'
import { runImporter } from '../../../src/core/importers/reader.ts'
import { fileSource } from '../../../src/core/importers/source.ts'
import type { Trial } from '../../../src/model/trial.ts'

/** The root of the repository. */
export const ROOT = resolve(import.meta.dirname, '../../..')
/** A fixture's path. */
export const fixture = (name: string): string => join(ROOT, 'test/fixtures', name)
/** Real data that stands beside the repository where it was developed; absent in a clone. */
export const sharedData = (name: string): string => resolve(ROOT, '../shared/data', name)

/**
 * Whether real data is there. When it is not, says that `what` is skipped, so that nobody takes the result of a clone
 * for more than it is.
 */
export function hasSharedData(name: string, what: string): boolean {
  if (existsSync(sharedData(name))) return true
  process.stdout.write(`skipped: ../shared/data is not there, ${what} not read\n`)
  return false
}

/** Everything that a read gave. */
export type ReadAll = {
  readonly detection: Detection
  readonly report: ReadReport | null
  readonly raws: readonly RawTrial[]
  readonly trials: readonly Trial[]
  readonly problems: readonly Problem[]
  readonly codes: readonly string[]
  readonly source: Source
}

/** A source over bytes, in a temporary file of that name, given to `use`; the file is gone afterwards. */
export async function withSource<T>(
  bytes: string | Uint8Array,
  name: string,
  use: (source: Source) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-importers-'))
  try {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
    writeFileSync(path, content)
    return await use(fileSource({ path, size: content.length, name }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Detects and reads a source; with `importer`, that one reads it whatever was detected. */
export async function readSource(
  source: Source,
  importer?: Importer,
  signal = new AbortController().signal,
): Promise<ReadAll> {
  const detection = await detect(source)
  const raws: RawTrial[] = []
  const problems: Problem[] = detection.problem === null ? [] : [detection.problem]
  const chosen = importer ?? detection.importer
  const report =
    chosen === null
      ? null
      : await runImporter(
          chosen,
          source,
          {
            trial: (raw) => void raws.push(raw),
            problem: (problem) => void problems.push(problem),
            progress: () => {},
          },
          signal,
        )
  const trials = raws.map((raw) => raw.trial)
  return { detection, report, raws, trials, problems, codes: problems.map((problem) => problem.code), source }
}

/** The same from bytes. */
export function readBytes(bytes: string | Uint8Array, name = 'data', importer?: Importer): Promise<ReadAll> {
  return withSource(bytes, name, (source) => readSource(source, importer))
}
