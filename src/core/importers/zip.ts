// The directory of a zip file: what members it has, where they lie, and which of them must not be read and why.
// Reads the end of the file and the central directory only; members are read by zipmember.ts. Writes no file, so
// names are only ever names; still, a name that points outside marks an archive made to harm, and is refused.

import { Readable } from 'node:stream'
import yauzl from 'yauzl'
import { Fault } from '../../base/fault.ts'
import { oneLine } from '../../base/text.ts'
import type { OpenRandom, RandomBytes } from './randombytes.ts'

/** More members than any export has; their directory alone would fill the memory. */
export const MAX_ENTRIES = 1_000_000
/** A member that says that it grows beyond this is refused. */
export const MAX_ENTRY_BYTES = 16 * 1024 ** 3
/** All members together. */
export const MAX_TOTAL_BYTES = 256 * 1024 ** 3
/** A member over `RATIO_FREE_BYTES` may not grow beyond this many times its compressed size. */
export const MAX_RATIO = 1000
export const RATIO_FREE_BYTES = 64 * 1024 * 1024

/** Compression methods that are read. */
export const STORED = 0
export const DEFLATED = 8
export const ZSTANDARD = 93

const METHOD_NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'Shrink'],
  [6, 'Implode'],
  [9, 'Deflate64'],
  [12, 'bzip2'],
  [14, 'LZMA'],
  [20, 'an old form of Zstandard'],
  [95, 'xz'],
  [98, 'PPMd'],
  [99, 'AES encryption'],
])

/** Length of the end record without its comment, and of the longest comment. */
const END_RECORD_BYTES = 22
const MAX_COMMENT_BYTES = 0xffff
const END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1')
const READ_AHEAD_BYTES = 256 * 1024

/** One member as the directory describes it. `refused` says why it must not be read; null when it may. */
export type ZipEntry = {
  /** With `/`; well-formed text. */
  readonly name: string
  readonly size: number
  readonly compressedSize: number
  readonly method: number
  readonly crc32: number
  /** Offset of the member's own header in the archive. */
  readonly headerOffset: number
  readonly refused: string | null
}

/**
 * The members of a zip in the order of its directory, folders left out. Of equal names only the last may be read,
 * as every unpacker would leave it. Throws Fault FORMAT_INVALID when the directory is missing or damaged (its
 * `details.byte` is where), TOO_LARGE when the archive looks like a decompression bomb.
 */
export async function listZip(open: OpenRandom, name: string, signal?: AbortSignal): Promise<ZipEntry[]> {
  const bytes = await open(signal)
  try {
    const size = await endOfZip(bytes, name)
    const entries = await readDirectory(new Reader(bytes), size, name, signal)
    checkTotals(entries, bytes.size, name)
    return withoutTwins(entries)
  } finally {
    await bytes.close()
  }
}

function broken(name: string, what: string, byte: number, hint?: string): Fault {
  return new Fault('FORMAT_INVALID', `${name}: ${what} (byte ${byte.toLocaleString('en-US')}).`, {
    hint: hint ?? 'Copy or compress the file again.',
    details: { byte },
  })
}

/** Where the archive ends: bytes that some mailer or download added behind it are not part of it. */
async function endOfZip(bytes: RandomBytes, name: string): Promise<number> {
  const from = Math.max(0, bytes.size - END_RECORD_BYTES - MAX_COMMENT_BYTES)
  const tail = await bytes.read(from, bytes.size - from)
  for (let at = tail.lastIndexOf(END_SIGNATURE); at >= 0; at = tail.lastIndexOf(END_SIGNATURE, at - 1)) {
    if (at + END_RECORD_BYTES <= tail.length) {
      const end = at + END_RECORD_BYTES + tail.readUInt16LE(at + 20)
      if (end <= tail.length) return from + end
    }
    if (at === 0) break
  }
  throw broken(
    name,
    'the zip file has no directory at its end: it was cut off while being written or copied',
    bytes.size,
    'Copy the file again. If the program that wrote it crashed, it may be able to recover its own log.',
  )
}

/** Random access for the directory parser, reading ahead: it asks for two small pieces per member. */
class Reader extends yauzl.RandomAccessReader {
  readonly #bytes: RandomBytes
  #from = 0
  #ahead: Buffer = Buffer.alloc(0)

  constructor(bytes: RandomBytes) {
    super()
    this.#bytes = bytes
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#fill(position, length).then(
      (piece) => {
        piece.copy(buffer, offset)
        callback(piece.length < length ? new Error('the file ends inside the directory') : null)
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    )
  }

  async #fill(position: number, length: number): Promise<Buffer> {
    if (position < this.#from || position + length > this.#from + this.#ahead.length) {
      this.#ahead = await this.#bytes.read(position, Math.max(length, READ_AHEAD_BYTES))
      this.#from = position
    }
    return this.#ahead.subarray(position - this.#from, position - this.#from + length)
  }

  override _readStreamForRange(): Readable {
    // Members are read by zipmember.ts.
    return Readable.from([])
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null)
  }
}

async function readDirectory(
  reader: Reader,
  size: number,
  name: string,
  signal: AbortSignal | undefined,
): Promise<ZipEntry[]> {
  let zip: yauzl.ZipFile | null = null
  const entries: ZipEntry[] = []
  try {
    // Names are decoded here: the parser ends at the first bad name, and its neighbours are worth reading.
    zip = await yauzl.fromRandomAccessReaderPromise(reader, size, {
      lazyEntries: true,
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    })
    if (zip.entryCount > MAX_ENTRIES)
      throw new Fault(
        'TOO_LARGE',
        `${name} says that it has ${zip.entryCount.toLocaleString('en-US')} members; ${MAX_ENTRIES.toLocaleString('en-US')} are read at most.`,
      )
    for await (const entry of zip.eachEntry()) {
      signal?.throwIfAborted()
      const described = describe(entry)
      if (described !== null) entries.push(described)
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof Fault || isSystemError(error)) throw error
    const what = error instanceof Error ? error.message : String(error)
    const cursor = zip?.readEntryCursor
    throw broken(
      name,
      `the directory of the zip file is damaged: ${what}`,
      typeof cursor === 'number' ? cursor : size,
    )
  } finally {
    zip?.close()
  }
  return entries
}

function isSystemError(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code
  return typeof code === 'string' && /^E[A-Z]+$/.test(code)
}

/** The member, or null for a folder. */
function describe(entry: yauzl.Entry): ZipEntry | null {
  const name = yauzl
    .getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
    .toWellFormed()
  if (name.endsWith('/')) return null
  return {
    name,
    size: entry.uncompressedSize,
    compressedSize: entry.compressedSize,
    method: entry.compressionMethod,
    crc32: entry.crc32,
    headerOffset: entry.relativeOffsetOfLocalHeader,
    refused: badName(name) ?? badContent(entry),
  }
}

function badName(name: string): string | null {
  if (name === '') return 'it has no name'
  if (name.includes('\0')) return 'its name holds a NUL byte'
  if (/^[a-z]:/i.test(name) || name.startsWith('/')) return 'its name is an absolute path'
  if (name.split('/').includes('..')) return 'its name points outside of the archive'
  return null
}

const UNIX = 3
const FILE_TYPE = 0o170000
const SYMBOLIC_LINK = 0o120000

function badContent(entry: yauzl.Entry): string | null {
  const isUnix = entry.versionMadeBy >>> 8 === UNIX
  if (isUnix && ((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK)
    return 'it is a symbolic link'
  if ((entry.generalPurposeBitFlag & 1) !== 0) return 'it is encrypted'
  const { compressionMethod: method, uncompressedSize: size, compressedSize } = entry
  if (method !== STORED && method !== DEFLATED && method !== ZSTANDARD) {
    const known = METHOD_NAMES.get(method)
    return `it is compressed by method ${method}${known === undefined ? '' : ` (${known})`}, which is not read`
  }
  if (method === STORED && size !== compressedSize) return 'its two sizes contradict each other'
  if (size > MAX_ENTRY_BYTES) return `it grows to more than ${MAX_ENTRY_BYTES / 1024 ** 3} GiB`
  if (size > RATIO_FREE_BYTES && size > compressedSize * MAX_RATIO)
    return `it grows to more than ${MAX_RATIO} times its size: it looks like a decompression bomb`
  return null
}

function checkTotals(entries: readonly ZipEntry[], fileBytes: number, name: string): void {
  let total = 0
  let compressed = 0
  for (const entry of entries) {
    total += entry.size
    compressed += entry.compressedSize
  }
  const bomb = (why: string): Fault =>
    new Fault('TOO_LARGE', `${name} ${why}: it looks like a decompression bomb.`, {
      hint: 'Unpack it yourself if you trust it, and import the folder.',
    })
  if (compressed > fileBytes) throw bomb('has members that share the same bytes')
  if (total > MAX_TOTAL_BYTES) throw bomb(`grows to more than ${MAX_TOTAL_BYTES / 1024 ** 3} GiB`)
  if (total > 16 * RATIO_FREE_BYTES && total > fileBytes * MAX_RATIO)
    throw bomb(`grows to more than ${MAX_RATIO} times its size`)
}

function withoutTwins(entries: readonly ZipEntry[]): ZipEntry[] {
  const last = new Map<string, ZipEntry>()
  for (const entry of entries) last.set(entry.name, entry)
  return entries.map((entry) =>
    last.get(entry.name) === entry || entry.refused !== null
      ? entry
      : { ...entry, refused: `another member named ${oneLine(entry.name, 80)} comes later` },
  )
}
