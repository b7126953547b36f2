// Opening a path that a person gave: a file is a source; a folder is walked, every regular file in it a source; so
// is a zip, unless a format is made of it. A folder that an importer knows as its own is one source (folder.ts),
// what does not belong to it is walked on. Symbolic links inside a folder are left aside and listed.

import { lstat, opendir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { Fault } from '../../base/fault.ts'
import { toFileFault } from './bytes.ts'
import { isClaimed } from './detect.ts'
import { diskEntry, folderHead, folderSource, renamedEntry, type FolderFacts } from './folder.ts'
import type { FolderRule, HeadRecord, Importer, Opened, Source, SourceEntry, SourceHead } from './importer.ts'
import { IMPORTERS } from './registry.ts'
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
 * The sources of a path in a stable order (names by code unit, depth first; a folder that is one source after what
 * it does not own), and what was left aside and why. Throws Fault FILE_UNREADABLE when the path itself cannot be
 * opened; inside a folder that is a `skipped`.
 */
export async function* openSources(
  path: string,
  signal?: AbortSignal,
  importers: readonly Importer[] = IMPORTERS,
): AsyncGenerator<Opened> {
  const full = resolve(path)
  const name = basename(full)
  let facts
  try {
    facts = await stat(full)
  } catch (error) {
    throw toFileFault(error, name)
  }
  if (facts.isDirectory()) yield* walk(diskFolder(full, name), 0, null, { importers, signal })
  else if (facts.isFile())
    yield* unpacked(fileSource({ path: full, size: facts.size }), { importers, signal })
  else throw new Fault('FILE_UNREADABLE', `${name} is not a regular file.`)
}

type Walk = { readonly importers: readonly Importer[]; readonly signal: AbortSignal | undefined }

/** Something in a folder. `enter` and `entry` are for what is walked; `skipped` says why the rest is not. */
type Item =
  | { readonly kind: 'skipped'; readonly base: string; readonly reason: string }
  | { readonly kind: 'folder'; readonly base: string; readonly enter: () => Folder }
  | {
      readonly kind: 'file'
      readonly base: string
      /** The file as a member; `name` as the importer will know it. */
      readonly entry: (name: string) => SourceEntry
    }

/** A folder on disk, or in a zip. `list` gives what is in it by name. */
type Folder = { readonly name: string; readonly path: string; list(): Promise<Item[]> }

/** A folder that is one source, while its files are gathered. */
type Claim = {
  readonly owns: (name: string) => boolean
  readonly entries: SourceEntry[]
  readonly inside: string
}

async function* walk(
  folder: Folder,
  depth: number,
  around: Claim | null,
  about: Walk,
): AsyncGenerator<Opened> {
  const { signal } = about
  if (depth > MAX_DEPTH) {
    yield { kind: 'skipped', name: folder.name, reason: `folders nested deeper than ${MAX_DEPTH}` }
    return
  }
  let items: Item[]
  try {
    items = await folder.list()
  } catch (error) {
    signal?.throwIfAborted()
    yield { kind: 'skipped', name: folder.name, reason: reasonOf(error, folder.name) }
    return
  }
  const found = await claimOf(folder, items, depth, around, about)
  const claim = found?.claim ?? around
  for (const item of items) {
    signal?.throwIfAborted()
    const name = `${folder.name}/${item.base}`
    const inside = claim === null ? '' : `${claim.inside}${item.base}`
    if (item.kind === 'skipped') yield { kind: 'skipped', name, reason: item.reason }
    else if (item.kind === 'folder')
      yield* walk(item.enter(), depth + 1, claim === null ? null : { ...claim, inside: `${inside}/` }, about)
    else if (claim !== null && claim.owns(inside)) claim.entries.push(item.entry(inside))
    else {
      const entry = item.entry(item.base)
      if (entry.refused !== null) yield { kind: 'skipped', name, reason: entry.refused }
      else yield* safely(entry.source(), name, about)
    }
  }
  if (found !== null && found.claim.entries.length > 0)
    yield { kind: 'source', source: folderSource(found.facts, found.claim.entries) }
}

/** Files that vanish or cannot be opened cost themselves only. */
async function* safely(source: Source, name: string, about: Walk): AsyncGenerator<Opened> {
  try {
    yield* unpacked(source, about)
  } catch (error) {
    about.signal?.throwIfAborted()
    yield { kind: 'skipped', name, reason: reasonOf(error, name) }
  }
}

/** The importer's claim on a folder: one of its markers lies in it, belongs to nobody around, and convinces. */
async function claimOf(
  folder: Folder,
  items: readonly Item[],
  depth: number,
  around: Claim | null,
  about: Walk,
): Promise<{ readonly facts: FolderFacts; readonly claim: Claim } | null> {
  const listing = items.map((item) => (item.kind === 'folder' ? `${item.base}/` : item.base))
  const wanted = about.importers.flatMap(({ folder: rule }) => rule?.markers ?? [])
  const also = new Set(about.importers.flatMap(({ folder: rule }) => rule?.also?.(listing) ?? []))
  const isMarker = (base: string): boolean =>
    also.has(base) ||
    wanted.some((marker) => (typeof marker === 'string' ? marker === base : marker.test(base)))
  const markers = new Map<string, readonly HeadRecord[]>()
  for (const item of items) {
    if (item.kind !== 'file' || !isMarker(item.base)) continue
    if (around !== null && around.owns(`${around.inside}${item.base}`)) continue
    const entry = item.entry(item.base)
    if (entry.refused !== null) continue
    try {
      markers.set(item.base, (await entry.source().head(about.signal)).records)
    } catch {
      // An unreadable marker claims nothing; as a file of its own it will say why.
      about.signal?.throwIfAborted()
    }
  }
  if (markers.size === 0) return null
  const facts: FolderFacts = {
    name: folder.name,
    path: folder.path,
    origin: depth === 0 ? 'file' : 'folder',
    listing,
    markers,
  }
  const head = folderHead(facts)
  const rule = claiming(head, about.importers)
  return rule === null
    ? null
    : { facts, claim: { owns: (name) => rule.owns(name, head), entries: [], inside: '' } }
}

function claiming(head: SourceHead, importers: readonly Importer[]): FolderRule | null {
  const owner = importers.find((importer) => importer.folder !== undefined && isClaimed(head, [importer]))
  return owner?.folder ?? null
}

function diskFolder(path: string, name: string): Folder {
  return {
    name,
    path,
    list: async () => {
      const bases: string[] = []
      for await (const entry of await opendir(path)) bases.push(entry.name)
      const items: Item[] = []
      for (const base of bases.sort()) items.push(await diskItem(join(path, base), base, name))
      return items
    },
  }
}

async function diskItem(full: string, base: string, around: string): Promise<Item> {
  const name = `${around}/${base}`
  const skipped = (reason: string): Item => ({ kind: 'skipped', base, reason })
  if (HOUSEKEEPING.has(base)) return skipped('housekeeping of a system or tool')
  try {
    const facts = await lstat(full)
    if (facts.isSymbolicLink()) return skipped('a symbolic link')
    if (facts.isDirectory()) return { kind: 'folder', base, enter: () => diskFolder(full, name) }
    if (!facts.isFile()) return skipped('not a regular file')
    const open = (): Source => fileSource({ path: full, name, size: facts.size, origin: 'folder' })
    return { kind: 'file', base, entry: (inside) => diskEntry(inside, facts.size, open) }
  } catch (error) {
    return skipped(reasonOf(error, name))
  }
}

function reasonOf(error: unknown, name: string): string {
  const fault = toFileFault(error, name)
  return fault instanceof Error ? fault.message : String(fault)
}

/**
 * A file as it is; the members of a zip that is no format by itself, like a folder. A zip that cannot be listed is
 * given as it is: its detection says why.
 */
async function* unpacked(source: Source, about: Walk): AsyncGenerator<Opened> {
  const entries = await membersOf(source, about)
  if (entries === null) yield { kind: 'source', source }
  else yield* walk(zipFolder(source.name, source.path, entries, ''), 1, null, about)
}

async function membersOf(source: Source, about: Walk): Promise<readonly SourceEntry[] | null> {
  let head: SourceHead
  try {
    if (!(await source.isArchive(about.signal))) return null
    head = await source.head(about.signal)
    if (isClaimed(head, about.importers)) return null
    const entries = await source.entries(about.signal)
    return entries.length === 0 ? null : entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    about.signal?.throwIfAborted()
    return null
  }
}

/** A folder of a zip: the members whose names begin with `prefix`. Their order is kept. */
function zipFolder(name: string, path: string, entries: readonly SourceEntry[], prefix: string): Folder {
  return {
    name,
    path,
    list: () => {
      const items: Item[] = []
      const folders = new Map<string, SourceEntry[]>()
      for (const entry of entries) {
        const rest = entry.name.slice(prefix.length)
        const slash = entry.refused === null ? rest.indexOf('/') : -1
        const base = slash < 0 ? rest : rest.slice(0, slash)
        const known = slash < 0 ? undefined : folders.get(base)
        if (known !== undefined) known.push(entry)
        else if (entry.refused !== null) items.push({ kind: 'skipped', base: rest, reason: entry.refused })
        else if (HOUSEKEEPING.has(base))
          items.push({ kind: 'skipped', base: rest, reason: 'housekeeping of a system or tool' })
        else if (slash < 0) items.push({ kind: 'file', base, entry: (inside) => renamedEntry(entry, inside) })
        else {
          const within = [entry]
          folders.set(base, within)
          const inner = `${prefix}${base}/`
          items.push({ kind: 'folder', base, enter: () => zipFolder(`${name}/${base}`, path, within, inner) })
        }
      }
      return Promise.resolve(items)
    },
  }
}
