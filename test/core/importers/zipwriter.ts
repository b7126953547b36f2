// Writes zip files byte by byte, also such as no tool writes: lies in the directory, bad names, several Zstandard
// frames, Zip64 without need, data descriptors. For the archive tests only.

import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib'

/** One member. `lie` replaces what the headers say. */
export type Member = {
  readonly name: string
  readonly data: string | Uint8Array
  readonly method?: 0 | 8 | 93 | number
  /** Zstandard frames that the data is cut into. */
  readonly frames?: number
  readonly isZip64?: boolean
  /** Sizes and checksum behind the data instead of before it. */
  readonly hasDescriptor?: boolean
  readonly flags?: number
  /** Unix file mode, as `ls` knows it. */
  readonly mode?: number
  readonly lie?: { size?: number; compressedSize?: number; crc32?: number; offset?: number }
}

const u16 = (value: number): Buffer => {
  const buffer = Buffer.alloc(2)
  buffer.writeUInt16LE(value & 0xffff)
  return buffer
}
const u32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value >>> 0)
  return buffer
}
const u64 = (value: number): Buffer => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}

function packed(data: Buffer, method: number, frames: number): Buffer {
  if (method === 8) return deflateRawSync(data)
  if (method !== 93) return data
  const size = Math.max(1, Math.ceil(data.length / frames))
  const parts: Buffer[] = []
  for (let at = 0; at < data.length || parts.length === 0; at += size)
    parts.push(zstdCompressSync(data.subarray(at, at + size)))
  return Buffer.concat(parts)
}

/** The zip of some members, in their order. `isZip64` writes the directory's end in the Zip64 form, too. */
export function makeZip(members: readonly Member[], isZip64 = false): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const member of members) {
    const data = Buffer.from(member.data as Uint8Array)
    const method = member.method ?? 8
    const body = packed(data, method, member.frames ?? 1)
    const name = Buffer.from(member.name)
    const size = member.lie?.size ?? data.length
    const compressed = member.lie?.compressedSize ?? body.length
    const check = member.lie?.crc32 ?? crc32(data)
    const flags = 0x800 | (member.flags ?? 0) | (member.hasDescriptor === true ? 8 : 0)
    const isBig = member.isZip64 === true
    const hidden = member.hasDescriptor === true
    const header = (isCentral: boolean): Buffer[] => [
      u16(45),
      u16(flags),
      u16(method),
      u32(0x58214a5b),
      u32(hidden && !isCentral ? 0 : check),
      u32(isBig ? 0xffffffff : hidden && !isCentral ? 0 : compressed),
      u32(isBig ? 0xffffffff : hidden && !isCentral ? 0 : size),
      u16(name.length),
    ]
    const localExtra = isBig ? Buffer.concat([u16(1), u16(16), u64(size), u64(compressed)]) : Buffer.alloc(0)
    const offset = member.lie?.offset ?? at
    const centralExtra = isBig
      ? Buffer.concat([u16(1), u16(24), u64(size), u64(compressed), u64(offset)])
      : Buffer.alloc(0)
    const descriptor = hidden
      ? Buffer.concat([
          u32(0x08074b50),
          u32(check),
          isBig ? u64(compressed) : u32(compressed),
          isBig ? u64(size) : u32(size),
        ])
      : Buffer.alloc(0)
    const piece = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      ...header(false),
      u16(localExtra.length),
      name,
      localExtra,
      body,
      descriptor,
    ])
    local.push(piece)
    central.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02', 'latin1'),
        u16((3 << 8) | 45),
        ...header(true),
        u16(centralExtra.length),
        u16(0),
        u16(0),
        u16(0),
        u32((member.mode ?? 0o100644) * 0x10000),
        u32(isBig ? 0xffffffff : offset),
        name,
        centralExtra,
      ]),
    )
    at += piece.length
  }
  const directory = Buffer.concat(central)
  const count = members.length
  const end64 = isZip64
    ? Buffer.concat([
        Buffer.from('PK\x06\x06', 'latin1'),
        u64(44),
        u16(45),
        u16(45),
        u32(0),
        u32(0),
        u64(count),
        u64(count),
        u64(directory.length),
        u64(at),
        Buffer.from('PK\x06\x07', 'latin1'),
        u32(0),
        u64(at + directory.length),
        u32(1),
      ])
    : Buffer.alloc(0)
  const end = Buffer.concat([
    Buffer.from('PK\x05\x06', 'latin1'),
    u16(0),
    u16(0),
    u16(isZip64 ? 0xffff : count),
    u16(isZip64 ? 0xffff : count),
    u32(isZip64 ? 0xffffffff : directory.length),
    u32(isZip64 ? 0xffffffff : at),
    u16(0),
  ])
  return Buffer.concat([...local, directory, end64, end])
}
