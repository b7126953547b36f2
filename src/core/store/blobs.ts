// Long texts as zstd blocks: trajectories, original records, analyses. Pure functions over bytes, called from worker
// threads as well; no database here.

import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync, type ZstdOptions } from 'node:zlib'

/** Compressed bytes, and how many they were before. */
export type Packed = { readonly bytes: number; readonly body: Uint8Array<ArrayBuffer> }

/** Fast and small enough: traces are repetitive (ratio 5 to 20 already at level 1). */
const LEVEL = 1

/** Bytes of output that are taken at once. */
const LONG_BYTES = 64 * 1024
const SHORT_BYTES = 8 * 1024
const PARAMS = { [constants.ZSTD_c_compressionLevel]: LEVEL }

/** The length is said beforehand: a short text then costs no large tables. */
function optionsFor(bytes: Uint8Array): ZstdOptions {
  const chunkSize = bytes.byteLength > LONG_BYTES ? LONG_BYTES : SHORT_BYTES
  return { params: PARAMS, pledgedSrcSize: bytes.byteLength, chunkSize }
}

/** Compresses text or bytes. The result owns its memory, so that it can be handed to another thread. */
export function pack(content: string | Uint8Array): Packed {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
  return owned(bytes, zstdCompressSync(bytes, optionsFor(bytes)))
}

/** The same off this thread, in the pool of the process. `bytes` must stay as they are until it resolves. */
export function packElsewhere(bytes: Uint8Array): Promise<Packed> {
  return new Promise((resolve, reject) => {
    zstdCompress(bytes, optionsFor(bytes), (error, packed) => {
      if (error === null) resolve(owned(bytes, packed))
      else reject(error)
    })
  })
}

function owned(bytes: Uint8Array, packed: Buffer): Packed {
  const isWhole = packed.byteOffset === 0 && packed.byteLength === packed.buffer.byteLength
  const body = isWhole ? packed : new Uint8Array(packed)
  return { bytes: bytes.byteLength, body: body as Uint8Array<ArrayBuffer> }
}

/**
 * The bytes again. `bytes` is their stored length: it bounds the memory, and a different length means damage (an
 * Error). zlib decodes one frame per call and is silent about the rest, hence the loop.
 */
export function unpack(packed: { readonly bytes: number; readonly body: Uint8Array }): Buffer {
  const parts: Buffer[] = []
  let rest: Uint8Array = packed.body
  let total = 0
  while (rest.byteLength > 0) {
    const { buffer, engine } = zstdDecompressSync(rest, {
      info: true,
      maxOutputLength: Math.max(1, packed.bytes - total),
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    if (engine.bytesWritten === 0) break
    parts.push(buffer)
    total += buffer.byteLength
    rest = rest.subarray(engine.bytesWritten)
  }
  if (total !== packed.bytes)
    throw new Error(`A stored block holds ${total} bytes instead of ${packed.bytes}`)
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
}

/** A JSON value compressed. */
export function packJson(value: unknown): Packed {
  return pack(JSON.stringify(value))
}

/** A JSON value again. */
export function unpackJson<Value>(packed: { readonly bytes: number; readonly body: Uint8Array }): Value {
  return JSON.parse(unpack(packed).toString('utf8')) as Value
}
