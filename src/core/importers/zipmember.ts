// One member of a zip as bytes: found by its own header, decompressed (stored, Deflate, Zstandard), checked against
// size and checksum. Gives chunks; never more bytes than the directory promised, so that a lie costs no memory.

import { Readable } from 'node:stream'
import { crc32, createInflateRaw, inflateRawSync, zstdDecompressSync } from 'node:zlib'
import { Fault } from '../../base/fault.ts'
import { BrokenArchive, CHUNK_BYTES } from './bytes.ts'
import type { RandomBytes } from './randombytes.ts'
import { DEFLATED, STORED, ZSTANDARD, type ZipEntry } from './zip.ts'

const HEADER_BYTES = 30
const HEADER_SIGNATURE = 0x04034b50
/** Zstandard is decompressed frame by frame from memory; a longer member is refused. */
const MAX_ZSTANDARD_BYTES = 512 * 1024 * 1024
const MIN_CHUNK_BYTES = 1024
/** A single frame that grows beyond this is refused. */
const MAX_FRAME_BYTES = 512 * 1024 * 1024

/** Where the data of a member begins. Throws BrokenArchive when its header is not where the directory says. */
export async function memberStart(bytes: RandomBytes, entry: ZipEntry): Promise<number> {
  const header = await bytes.read(entry.headerOffset, HEADER_BYTES)
  if (header.length < HEADER_BYTES || header.readUInt32LE(0) !== HEADER_SIGNATURE)
    throw new BrokenArchive(`its header is not at byte ${entry.headerOffset.toLocaleString('en-US')}`, null)
  // Name and extra field of the header may differ in length from those of the directory.
  const start = entry.headerOffset + HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (start + entry.compressedSize > bytes.size)
    throw new BrokenArchive(
      `its data ends at byte ${(start + entry.compressedSize).toLocaleString('en-US')}, behind the end of the file`,
      null,
    )
  return start
}

/**
 * The content of a member in chunks. `onRead` hears how many compressed bytes were taken. Throws BrokenArchive for
 * damage (chunks before it have been delivered), Fault TOO_LARGE, FORMAT_INVALID for a refused one, or the abort
 * reason.
 */
export async function* memberBytes(
  bytes: RandomBytes,
  entry: ZipEntry,
  onRead: (count: number) => void,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  if (entry.refused !== null)
    throw new Fault('FORMAT_INVALID', `${entry.name} is not read: ${entry.refused}.`)
  const start = await memberStart(bytes, entry)
  const packed = packedBytes(bytes, start, entry.compressedSize, onRead, signal)
  const plain =
    entry.method === STORED
      ? packed
      : entry.method === DEFLATED
        ? inflated(packed, entry)
        : entry.method === ZSTANDARD
          ? unframed(packed, entry)
          : null
  if (plain === null) throw new Fault('FORMAT_INVALID', `${entry.name} is compressed by an unknown method.`)
  let size = 0
  let check = 0
  try {
    for await (const chunk of plain) {
      signal?.throwIfAborted()
      size += chunk.length
      if (size > entry.size)
        throw new BrokenArchive(
          `it holds more than the ${entry.size.toLocaleString('en-US')} bytes that the directory says`,
          null,
        )
      check = crc32(chunk, check)
      yield chunk
    }
  } finally {
    await packed.return(undefined)
  }
  if (size < entry.size)
    throw new BrokenArchive(
      `it holds ${size.toLocaleString('en-US')} of the ${entry.size.toLocaleString('en-US')} bytes that the directory says`,
      null,
    )
  if (check !== entry.crc32) throw new BrokenArchive('its checksum is wrong: bytes were changed', null)
}

async function* packedBytes(
  bytes: RandomBytes,
  start: number,
  size: number,
  onRead: (count: number) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    signal?.throwIfAborted()
    const chunk = await bytes.read(start + at, Math.min(CHUNK_BYTES, size - at))
    if (chunk.length === 0) throw new BrokenArchive('the file ends inside it', null)
    at += chunk.length
    onRead(chunk.length)
    yield chunk
  }
}

async function* inflated(packed: AsyncGenerator<Buffer>, entry: ZipEntry): AsyncGenerator<Buffer> {
  const { size, compressedSize } = entry
  // One byte more than promised, so that a lie shows; a small member of thousands needs no large chunk.
  const chunkSize = Math.max(MIN_CHUNK_BYTES, Math.min(CHUNK_BYTES, size + 1))
  let content: Iterable<Buffer> | AsyncIterable<Buffer> = packed
  if (size < CHUNK_BYTES && compressedSize <= CHUNK_BYTES) {
    const parts: Buffer[] = []
    for await (const part of packed) parts.push(part)
    try {
      // In one go: a stream takes longer to set up than a small member to inflate.
      yield inflateRawSync(Buffer.concat(parts), { chunkSize, maxOutputLength: size + 1 })
      return
    } catch {
      // Damaged: once more, piece by piece, for what stands before the damage.
      content = parts
    }
  }
  const inflate = createInflateRaw({ chunkSize })
  const input = Readable.from(content)
  // Errors of the input travel on through the decompressor, so that the loop below ends with them.
  input.on('error', (error) => inflate.destroy(error))
  input.pipe(inflate)
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) yield chunk
  } catch (error) {
    throw damaged(error)
  } finally {
    input.destroy()
    inflate.destroy()
  }
}

/** Zstandard frames one after another: the decoder takes one per call and is silent about the rest. */
async function* unframed(packed: AsyncGenerator<Buffer>, entry: ZipEntry): AsyncGenerator<Buffer> {
  if (entry.compressedSize > MAX_ZSTANDARD_BYTES)
    throw new Fault(
      'TOO_LARGE',
      `${entry.name} is a Zstandard member of more than ${MAX_ZSTANDARD_BYTES / 1048576} MiB.`,
      { hint: 'Unpack it yourself and import the result.' },
    )
  const parts: Buffer[] = []
  for await (const chunk of packed) parts.push(chunk)
  let rest = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  parts.length = 0
  let left = entry.size
  while (rest.length > 0) {
    const skippable = skippableFrame(rest)
    if (skippable > 0) {
      rest = rest.subarray(skippable)
      continue
    }
    let taken: number
    let frame: Buffer
    try {
      const { buffer, engine } = zstdDecompressSync(rest, {
        info: true,
        chunkSize: CHUNK_BYTES,
        maxOutputLength: Math.min(MAX_FRAME_BYTES, left + 1),
      }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
      taken = engine.bytesWritten
      frame = buffer
    } catch (error) {
      throw damaged(error)
    }
    if (taken <= 0) throw new BrokenArchive('its compressed data is damaged', null)
    left -= frame.length
    rest = rest.subarray(taken)
    if (frame.length > 0) yield frame
  }
}

/** Length of a skippable frame at the beginning (it holds no content), or 0. */
function skippableFrame(bytes: Buffer): number {
  if (bytes.length < 8) return 0
  const magic = bytes.readUInt32LE(0)
  return magic >= 0x184d2a50 && magic <= 0x184d2a5f ? Math.min(bytes.length, 8 + bytes.readUInt32LE(4)) : 0
}

/** A decompressor's error in words; anything else as it is. */
function damaged(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (typeof code !== 'string') return error
  if (code === 'ERR_BUFFER_TOO_LARGE')
    return new BrokenArchive('it holds more than the directory of the archive says', error)
  if (!/^(?:Z_|ZSTD_)/.test(code)) return error
  return new BrokenArchive(
    code === 'Z_BUF_ERROR' ? 'its compressed data ends early' : 'its compressed data is damaged',
    error,
  )
}
