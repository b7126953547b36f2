// The members of a zip as a source gives them to importers and to the walk: each can be read whole, or opened as a
// source of its own. A zip inside a zip is reached by random access too: in place when it is stored, otherwise from
// memory. Knows no format.

import { createHash } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import { BrokenArchive, toFileFault, type RawBytes } from './bytes.ts'
import type { SourceEntry } from './importer.ts'
import { randomBuffer, randomSlice, type OpenRandom } from './randombytes.ts'
import type { FileFacts } from './source.ts'
import { listZip, STORED, type ZipEntry } from './zip.ts'
import { memberBytes, memberStart } from './zipmember.ts'

/** A member that is read whole may not be longer: its text would come near the longest string of V8. */
export const MAX_MEMBER_BYTES = 256 * 1024 * 1024

/** A compressed archive inside an archive is held in memory while its members are read: one at a time. */
let held: { readonly entry: ZipEntry; readonly bytes: Buffer } | null = null

/** What the members are part of. `depth` counts archives around the members, from 1. */
export type ArchiveFacts = { readonly name: string; readonly path: string; readonly depth: number }

/**
 * The members of a zip in the order of its directory. `onRead` hears of every compressed byte that is taken from it;
 * `open` makes a source. Throws what listZip throws.
 */
export async function archiveEntries(
  random: OpenRandom,
  about: ArchiveFacts,
  onRead: (count: number) => void,
  makeSource: (facts: FileFacts) => ReturnType<SourceEntry['source']>,
  signal?: AbortSignal,
): Promise<SourceEntry[]> {
  const entries = await listZip(random, about.name, signal)
  return entries.map((entry) => ({
    name: entry.name,
    size: entry.size,
    compressedSize: entry.compressedSize,
    refused: entry.refused,
    read: (readSignal) => readMember(random, entry, onRead, readSignal),
    source: () =>
      makeSource({
        path: about.path,
        name: `${about.name}/${entry.name}`,
        size: entry.size,
        origin: 'folder',
        depth: about.depth,
        raw: rawMember(random, entry, onRead),
        random: nested(random, entry, onRead),
      }),
  }))
}

/** The content of a member, whole. Throws Fault TOO_LARGE, FORMAT_INVALID (damage, refused), FILE_UNREADABLE. */
async function readMember(
  random: OpenRandom,
  entry: ZipEntry,
  onRead: (count: number) => void,
  signal?: AbortSignal,
): Promise<Buffer> {
  if (entry.size > MAX_MEMBER_BYTES)
    throw new Fault(
      'TOO_LARGE',
      `${entry.name} is longer than ${MAX_MEMBER_BYTES / 1048576} MiB as one record.`,
    )
  const parts: Buffer[] = []
  try {
    const bytes = await random(signal)
    try {
      for await (const chunk of memberBytes(bytes, entry, onRead, signal)) parts.push(chunk)
    } finally {
      await bytes.close()
    }
  } catch (error) {
    if (error instanceof BrokenArchive)
      throw new Fault('FORMAT_INVALID', `${entry.name}: ${error.message}.`, { cause: error })
    throw toFileFault(error, entry.name)
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}

/** A member as a stream, for a source. The hash is that of the member's content. */
function rawMember(random: OpenRandom, entry: ZipEntry, onRead: (count: number) => void): RawBytes {
  return async function* (pass, signal) {
    const hash = createHash('sha256')
    const bytes = await random(signal)
    try {
      for await (const chunk of memberBytes(bytes, entry, onRead, signal)) {
        pass.bytesRead += chunk.length
        hash.update(chunk)
        yield chunk
      }
      pass.sha256 = hash.digest('hex')
    } finally {
      await bytes.close()
    }
  }
}

/** A member as random bytes, for a zip inside a zip. */
function nested(random: OpenRandom, entry: ZipEntry, onRead: (count: number) => void): OpenRandom {
  return async (signal) => {
    if (entry.method === STORED && entry.refused === null) {
      const whole = await random(signal)
      try {
        return randomSlice(whole, await memberStart(whole, entry), entry.size)
      } catch (error) {
        await whole.close()
        throw error
      }
    }
    if (held?.entry !== entry) {
      held = null
      held = { entry, bytes: await readMember(random, entry, onRead, signal) }
    }
    return randomBuffer(held.bytes)
  }
}
