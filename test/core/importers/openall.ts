// Opens a path as an import does and reads every source in it; and writes folders of files to be opened. For tests of
// formats that are folders.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openSources } from '../../../src/core/importers/walk.ts'
import { readSource, type ReadAll } from './readall.ts'

/** Everything that a path gave: the sources that an importer read, and what was left aside, each by name. */
export type OpenAll = {
  readonly reads: readonly ReadAll[]
  readonly strangers: readonly string[]
  readonly skipped: readonly string[]
}

/** Opens and reads a path. */
export async function openAll(path: string): Promise<OpenAll> {
  const reads: ReadAll[] = []
  const strangers: string[] = []
  const skipped: string[] = []
  for await (const opened of openSources(path)) {
    if (opened.kind === 'skipped') skipped.push(`${opened.name}: ${opened.reason}`)
    else {
      const read = await readSource(opened.source)
      if (read.report === null) strangers.push(`${opened.source.name}: ${read.codes.join(' ')}`)
      else reads.push(read)
    }
  }
  return { reads, strangers, skipped }
}

/** Files by name, with `/`. A value that is no text or bytes is written as JSON. */
export type Files = { readonly [name: string]: unknown }

/** The bytes of a file of a test. */
export function bytesOf(content: unknown): Buffer {
  if (content instanceof Uint8Array) return Buffer.from(content)
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
}

/** Writes files into a temporary folder named `root` and gives its path to `use`; it is gone afterwards. */
export async function withFolder<T>(
  files: Files,
  use: (path: string) => Promise<T>,
  root = 'root',
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-folder-'))
  try {
    mkdirSync(join(folder, root))
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder, root, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, bytesOf(content))
    }
    return await use(join(folder, root))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes files, opens and reads the folder. */
export function readFolder(files: Files, root?: string): Promise<OpenAll> {
  return withFolder(files, openAll, root)
}

/** The same with the one source that must be in it. */
export async function readOneFolder(files: Files, root?: string): Promise<ReadAll> {
  const { reads } = await readFolder(files, root)
  if (reads.length !== 1) throw new Error(`${reads.length} sources were read`)
  return reads[0] as ReadAll
}
