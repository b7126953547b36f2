// Long texts as zstd blocks: trajectories, original records, analyses. Pure functions over bytes, called from worker
// threads as well; no database here.

import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Compressed bytes, and how many they were before. */
export type Packed = { readonly bytes: number; readonly body: Uint8Array<ArrayBuffer> }

/** Fast and small enough: traces are repetitive (ratio 5 to 20 already at level 1). */
const LEVEL = 1

/** Compresses text or bytes. The result owns its memory, so that it can be handed to another thread. */
export function pack(content: string | Uint8Array): Packed {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
  const packed = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } })
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
