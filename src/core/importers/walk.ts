// Opening a path that a person gave: a file is a source; a folder is walked, every regular file in it a source; so
// is a zip, unless a format is made of it. Symbolic links inside a folder are left aside and listed, so that nothing
// outside of it is read.

import { lstat, opendir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { Fault } from '../../base/fault.ts'
import { toFileFault } from './bytes.ts'
import { isClaimed } from './detect.ts'
import type { Opened, Source, SourceEntry, SourceHead } from './importer.ts'
import { fileSource } from './source.ts'

const MAX_DEPTH = 64
/** Names that are never exports: housekeeping of systems and tools. */
const HOUSEKEEPING = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  '__pycache__',
  '__MACOSX',
  '.DS_Store',
  'Thumbs.db',
])

/**
 * The sources of a path in a stable order (names by code unit, depth first), and what was left aside and why.
 * Throws Fault FILE_UNREADABLE when the path itself cannot be opened; inside a folder that is a `skipped`.
 */
export async function* openSources(path: string, signal?: AbortSignal): AsyncGenerator<Opened> {
  const full = resolve(path)
  const name = basename(full)
  let facts
  try {
    facts = await stat(full)
  } catch (error) {
    throw toFileFault(error, name)
  }
  if (facts.isDirectory()) yield* walk(full, name, 0, signal)
  else if (facts.isFile()) yield* unpacked(fileSource({ path: full, size: facts.size }), signal)
  else throw new Fault('FILE_UNREADABLE', `${name} is not a regular file.`)
}

async function* walk(
  folder: string,
  name: string,
  depth: number,
  signal?: AbortSignal,
): AsyncGenerator<Opened> {
  if (depth > MAX_DEPTH) {
    yield { kind: 'skipped', name, reason: `folders nested deeper than ${MAX_DEPTH}` }
    return
  }
  let entries: string[]
  try {
    entries = []
    for await (const entry of await opendir(folder)) {
      signal?.throwIfAborted()
      entries.push(entry.name)
    }
  } catch (error) {
    signal?.throwIfAborted()
    yield { kind: 'skipped', name, reason: reasonOf(error, name) }
    return
  }
  for (const entry of entries.sort()) {
    signal?.throwIfAborted()
    const entryName = `${name}/${entry}`
    const full = join(folder, entry)
    if (HOUSEKEEPING.has(entry)) {
      yield { kind: 'skipped', name: entryName, reason: 'housekeeping of a system or tool' }
      continue
    }
    try {
      const facts = await lstat(full)
      if (facts.isSymbolicLink()) yield { kind: 'skipped', name: entryName, reason: 'a symbolic link' }
      else if (facts.isDirectory()) yield* walk(full, entryName, depth + 1, signal)
      else if (facts.isFile())
        yield* unpacked(
          fileSource({ path: full, name: entryName, size: facts.size, origin: 'folder' }),
          signal,
        )
      else yield { kind: 'skipped', name: entryName, reason: 'not a regular file' }
    } catch (error) {
      signal?.throwIfAborted()
      yield { kind: 'skipped', name: entryName, reason: reasonOf(error, entryName) }
    }
  }
}

function reasonOf(error: unknown, name: string): string {
  const fault = toFileFault(error, name)
  return fault instanceof Error ? fault.message : String(fault)
}

/**
 * A file as it is; the members of a zip that is no format by itself, in the order of their names. A zip that cannot
 * be listed is given as it is: its detection says why.
 */
async function* unpacked(source: Source, signal?: AbortSignal): AsyncGenerator<Opened> {
  const entries = await membersOf(source, signal)
  if (entries === null) yield { kind: 'source', source }
  else
    for (const entry of entries) {
      signal?.throwIfAborted()
      const name = `${source.name}/${entry.name}`
      if (entry.name.split('/').some((part) => HOUSEKEEPING.has(part)))
        yield { kind: 'skipped', name, reason: 'housekeeping of a system or tool' }
      else if (entry.refused !== null) yield { kind: 'skipped', name, reason: entry.refused }
      else yield* unpacked(entry.source(), signal)
    }
}

async function membersOf(source: Source, signal?: AbortSignal): Promise<readonly SourceEntry[] | null> {
  let head: SourceHead
  try {
    if (!(await source.isArchive(signal))) return null
    head = await source.head(signal)
    if (isClaimed(head)) return null
    const entries = await source.entries(signal)
    return entries.length === 0 ? null : entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    signal?.throwIfAborted()
    return null
  }
}
