// A trial's original record stored beside its body: what the body repeats byte for byte (long texts, mostly) is not
// kept twice, only its place there. Pure functions over bytes; the import thread lays out, the store reads. A block
// that begins with a zstd frame is a record stored whole, as all were before schema 5.

import { pack, unpack, type Packed } from './blobs.ts'

/** First byte of a block that needs its body; a zstd frame begins with 0x28. */
const BESIDE = 0x01
/** That byte, and the length of what was compressed. */
const HEAD_BYTES = 5
/** Of one piece: bytes of the record's own before it, where it stands in the body, and its length. */
const PIECE_BYTES = 12
/** A record of which less than this share stands in the body is stored whole. */
const LEAST_SHARE = 0.5

/** A piece of a record that stands in the body as well. */
export type SharedPiece = { readonly at: number; readonly bodyAt: number; readonly length: number }

/**
 * What has to be kept of a record beside its body: a table of the pieces, then the record's own bytes. `pieces` in the
 * record's order; one that is not the same in both is kept as the record's own. Null when the body has too little.
 */
export function ownPart(record: Buffer, body: Buffer, pieces: readonly SharedPiece[]): Buffer | null {
  const held: SharedPiece[] = []
  let shared = 0
  let end = 0
  for (const piece of pieces) {
    const { at, bodyAt, length } = piece
    if (at < end || at + length > record.length || bodyAt + length > body.length) continue
    if (record.compare(body, bodyAt, bodyAt + length, at, at + length) !== 0) continue
    held.push(piece)
    shared += length
    end = at + length
  }
  if (shared < LEAST_SHARE * record.length) return null
  const own = Buffer.allocUnsafeSlow(4 + held.length * PIECE_BYTES + record.length - shared)
  let table = own.writeUInt32LE(held.length, 0)
  let to = table + held.length * PIECE_BYTES
  let from = 0
  for (const { at, bodyAt, length } of held) {
    table = own.writeUInt32LE(at - from, table)
    table = own.writeUInt32LE(bodyAt, table)
    table = own.writeUInt32LE(length, table)
    to += record.copy(own, to, from, at)
    from = at + length
  }
  record.copy(own, to, from)
  return own
}

/** The block of a record of `bytes` from its own part. */
export function packBeside(own: Buffer, bytes: number): Packed {
  const { body } = pack(own)
  const block = new Uint8Array(HEAD_BYTES + body.byteLength)
  block[0] = BESIDE
  new DataView(block.buffer).setUint32(1, own.length, true)
  block.set(body, HEAD_BYTES)
  return { bytes, body: block }
}

/** True when the block is no use without the trial's body. */
export function needsBody(block: { readonly body: Uint8Array }): boolean {
  return block.body[0] === BESIDE
}

/** The record again, from its block and the trial's body. An Error when they do not fit: damage. */
export function unpackBeside(
  block: { readonly bytes: number; readonly body: Uint8Array },
  body: Buffer,
): Buffer {
  const { buffer, byteOffset, byteLength } = block.body
  const bytes = byteLength < HEAD_BYTES ? 0 : new DataView(buffer, byteOffset).getUint32(1, true)
  const own = unpack({ bytes, body: block.body.subarray(HEAD_BYTES) })
  const record = Buffer.alloc(block.bytes)
  let to = 0
  const put = (source: Buffer, from: number, length: number): void => {
    if (from + length > source.length || to + length > record.length)
      throw new Error('A stored record does not fit the body that it lies beside')
    source.copy(record, to, from, from + length)
    to += length
  }
  const pieces = own.length < 4 ? 0 : own.readUInt32LE(0)
  let from = 4 + pieces * PIECE_BYTES
  if (own.length < from) throw new Error('A stored record does not fit the body that it lies beside')
  for (let at = 4, i = 0; i < pieces; i += 1, at += PIECE_BYTES) {
    const length = own.readUInt32LE(at)
    put(own, from, length)
    from += length
    put(body, own.readUInt32LE(at + 4), own.readUInt32LE(at + 8))
  }
  put(own, from, own.length - from)
  if (to !== record.length) throw new Error(`A stored record holds ${to} bytes instead of ${record.length}`)
  return record
}
