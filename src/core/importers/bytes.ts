// Bytes of one file as a stream of UTF-8: opened, hashed, gunzipped by magic number, decoded, mark removed.
// First station of the data's path; everything above sees decompressed UTF-8 only. Never buffers a whole file.

import { createHash } from 'node:crypto'
import { fstatSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { Readable } from 'node:stream'
import { Fault } from '../../base/fault.ts'

/** Bytes read from disk at once. */
export const CHUNK_BYTES = 256 * 1024
/** Memory that consecutive chunks lie in side by side, so that a record over several of them need not be copied. */
const SLAB_BYTES = 4 * CHUNK_BYTES
/** The same where the memory is used again: records over two of them are fewer, and have to be put together. */
const LASTING_SLAB_BYTES = 4 * SLAB_BYTES
/** A gzip stream may not grow beyond this many times its size once it is over `GZIP_FREE_BYTES`. */
const GZIP_MAX_RATIO = 500
const GZIP_FREE_BYTES = 1024 * 1024 * 1024

/** The text encoding of a file, told by its byte-order mark. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** What is known after the first bytes, and the running state of one pass over a file. */
export type BytePass = {
  bytesRead: number
  isGzip: boolean
  encoding: Encoding
  /** Hash of the file on disk; null until the last byte was read, and when it is not wanted. */
  sha256: string | null
  readonly wantsHash: boolean
  /** Whether a chunk may be overwritten once the chunk after the next is asked for. */
  readonly isFleeting: boolean
  /** What tells one state of the file on disk from another, as it was first seen; null where nothing does. */
  stamp: string | null
  /** Whether the file on disk is no longer in that state. */
  isChanged: boolean
}

/** A pass that has not begun; `stamp` is that of an earlier one. */
export function newPass(wantsHash = true, isFleeting = false, stamp: string | null = null): BytePass {
  const fresh = { bytesRead: 0, isGzip: false, encoding: 'utf-8', sha256: null, isChanged: false } as const
  return { ...fresh, wantsHash, isFleeting, stamp }
}

/** An operating-system error as a fault that names the file; anything else as it is. */
export function toFileFault(error: unknown, name: string): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (typeof code !== 'string' || error instanceof Fault) return error
  const why: Record<string, string> = {
    ENOENT: 'it does not exist',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EISDIR: 'it is a folder',
    EMFILE: 'too many files are open',
    EBUSY: 'another program holds it',
    ELOOP: 'it is a circle of links',
    ENAMETOOLONG: 'its name is too long',
  }
  if (code.startsWith('E') && !code.startsWith('ERR_'))
    return new Fault('FILE_UNREADABLE', `${name} cannot be read: ${why[code] ?? code}.`, { cause: error })
  return error
}

/** A broken compressed stream: what was decompressed before it has been delivered. */
export class BrokenArchive extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'BrokenArchive'
  }
}

/** Where bytes come from: a file, or a member of an archive. Counts `bytesRead` and sets the hash at the end. */
export type RawBytes = (pass: BytePass, signal: AbortSignal | undefined) => AsyncGenerator<Buffer>

/** At most `size` bytes of a file as it is on disk. */
export function diskBytes(path: string, size: number): RawBytes {
  return (pass, signal) => readDisk(path, size, pass, signal)
}

async function* readDisk(
  path: string,
  size: number,
  pass: BytePass,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  const file = await open(path, 'r')
  const hash = pass.wantsHash ? createHash('sha256') : null
  const slabBytes = pass.isFleeting ? LASTING_SLAB_BYTES : SLAB_BYTES
  let slab: Buffer = Buffer.alloc(0)
  let spare: Buffer | null = null
  let used = 0
  try {
    while (pass.bytesRead < size) {
      signal?.throwIfAborted()
      if (used === slab.length) {
        const known: Buffer | null = spare
        // A decompressor reads ahead of whoever reads it.
        spare = pass.isFleeting && !pass.isGzip && slab.length === slabBytes ? slab : null
        // The first is short: whoever only looks at the beginning should not pay for more.
        const most = pass.bytesRead === 0 ? CHUNK_BYTES : slabBytes
        slab = known ?? Buffer.allocUnsafeSlow(Math.min(most, size - pass.bytesRead))
        used = 0
      }
      const wanted = Math.min(CHUNK_BYTES, slab.length - used, size - pass.bytesRead)
      const { bytesRead } = await file.read(slab, used, wanted, pass.bytesRead)
      if (bytesRead === 0) break
      noteState(pass, file.fd)
      const chunk = slab.subarray(used, used + bytesRead)
      used += bytesRead
      pass.bytesRead += bytesRead
      hash?.update(chunk)
      yield chunk
    }
    pass.sha256 = hash?.digest('hex') ?? null
  } finally {
    await file.close()
  }
}

/** Notes in which state a file is, or that it is in another one by now. Whoever writes into a file sets its time. */
function noteState(pass: BytePass, fd: number): void {
  const { size, mtimeMs } = fstatSync(fd)
  const stamp = `${size} ${mtimeMs}`
  pass.stamp ??= stamp
  if (pass.stamp !== stamp) pass.isChanged = true
}

async function* gunzipped(chunks: AsyncGenerator<Buffer>, pass: BytePass): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  const input = Readable.from(chunks)
  // Errors of the input travel on through the decompressor, so that the loop below ends with them.
  input.on('error', (error) => gunzip.destroy(error))
  input.pipe(gunzip)
  let produced = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      produced += chunk.length
      if (produced > GZIP_FREE_BYTES && produced > pass.bytesRead * GZIP_MAX_RATIO)
        throw new Fault(
          'TOO_LARGE',
          `The compressed file grows to more than ${GZIP_MAX_RATIO} times its size: it looks like a decompression bomb.`,
          { hint: 'Decompress it yourself if you trust it, and import the result.' },
        )
      yield chunk
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException | null)?.code
    if (typeof code === 'string' && code.startsWith('Z_'))
      throw new BrokenArchive(
        code === 'Z_BUF_ERROR' ? 'the compressed file ends early' : 'the compressed data is damaged',
        error,
      )
    throw error
  } finally {
    input.destroy()
    gunzip.destroy()
  }
}

/** Puts chunks that were taken off for looking back in front of the rest. */
async function* joined(first: Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

/** The stream with at least `count` bytes in its first chunk, when it has that many. */
async function gathered(
  chunks: AsyncGenerator<Buffer>,
  count: number,
): Promise<{ start: Buffer; all: AsyncGenerator<Buffer> }> {
  let start: Buffer = Buffer.alloc(0)
  while (start.length < count) {
    const next = await chunks.next()
    if (next.done === true) break
    start = start.length === 0 ? next.value : Buffer.concat([start, next.value])
  }
  return { start, all: joined(start.length === 0 ? [] : [start], chunks) }
}

async function* transcoded(chunks: AsyncGenerator<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield Buffer.from(text)
  }
  const rest = decoder.decode()
  if (rest !== '') yield Buffer.from(rest)
}

async function* without(chunks: AsyncGenerator<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count
  for await (const chunk of chunks) {
    const cut = Math.min(left, chunk.length)
    left -= cut
    if (cut < chunk.length) yield cut === 0 ? chunk : chunk.subarray(cut)
  }
}

function encodingOf(start: Buffer): { encoding: Encoding; markBytes: number } {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return { encoding: 'utf-8', markBytes: 3 }
  if (start[0] === 0xff && start[1] === 0xfe) return { encoding: 'utf-16le', markBytes: 2 }
  if (start[0] === 0xfe && start[1] === 0xff) return { encoding: 'utf-16be', markBytes: 2 }
  return { encoding: 'utf-8', markBytes: 0 }
}

/**
 * The content of raw bytes in chunks of UTF-8: gunzipped when it begins with the gzip magic number (whatever its
 * name), UTF-16 transcoded when it has a byte-order mark, the mark removed. `pass` is filled while reading; its
 * hash is set after the last byte. Throws Fault FILE_UNREADABLE or TOO_LARGE, BrokenArchive, or the abort reason.
 */
export async function* readBytes(
  raw: RawBytes,
  pass: BytePass,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const disk = await gathered(raw(pass, signal), 2)
  pass.isGzip = disk.start[0] === 0x1f && disk.start[1] === 0x8b
  const plain = await gathered(pass.isGzip ? gunzipped(disk.all, pass) : disk.all, 3)
  const { encoding, markBytes } = encodingOf(plain.start)
  pass.encoding = encoding
  const bare = markBytes === 0 ? plain.all : without(plain.all, markBytes)
  const text = encoding === 'utf-8' ? bare : transcoded(bare, encoding)
  try {
    for await (const chunk of text) {
      signal?.throwIfAborted()
      yield chunk
    }
  } finally {
    // A consumer that leaves early must not leave the file open.
    await plain.all.return(undefined)
    await disk.all.return(undefined)
  }
}

/** SHA-256 of raw bytes as they are, hexadecimal. */
export async function hashBytes(raw: RawBytes, signal?: AbortSignal): Promise<string> {
  const pass = newPass()
  for await (const chunk of raw(pass, signal)) void chunk
  return pass.sha256 ?? ''
}
