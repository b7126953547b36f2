// The head of a source: its first 64 KiB, and what can be told from them without knowing any format.
// Detection sees this and nothing else. Pure except for reading the bytes that it is given.

import { isUtf8 } from 'node:buffer'
import type { Encoding } from './bytes.ts'
import type { HeadRecord, SourceHead, SourceShape } from './importer.ts'
import { parseJson } from './parse.ts'
import { splitRecords } from './records.ts'
import { isBlank, JsonScanner } from './scanner.ts'

/** Bytes of decompressed content that detection looks at. */
export const HEAD_BYTES = 64 * 1024
const HEAD_RECORDS = 3
const OPEN_OBJECT = 0x7b

const MAGIC: readonly (readonly [at: number, bytes: string, name: string])[] = [
  [0, 'PK\x03\x04', 'zip'],
  [0, 'PK\x05\x06', 'zip'],
  [0, 'SQLite format 3\0', 'SQLite'],
  [0, 'PAR1', 'Parquet'],
  [0, 'ARROW1', 'Arrow'],
  [0, 'Obj\x01', 'Avro'],
  [0, '\x28\xb5\x2f\xfd', 'Zstandard'],
  [0, '7z\xbc\xaf\x27\x1c', '7-Zip'],
  [0, '\xfd7zXZ\0', 'xz'],
  [0, 'BZh', 'bzip2'],
  [257, 'ustar', 'tar'],
  [0, '%PDF-', 'PDF'],
  [0, '\x89PNG', 'PNG'],
  [0, '\x89HDF', 'HDF5'],
]

/** True when the bytes begin as a zip file does. */
export function isZip(bytes: Buffer): boolean {
  return magicOf(bytes) === 'zip'
}

function magicOf(bytes: Buffer): string | null {
  for (const [at, magic, name] of MAGIC)
    if (bytes.subarray(at, at + magic.length).equals(Buffer.from(magic, 'latin1'))) return name
  return null
}

/** The bytes without a UTF-8 character that is cut at the end. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= 4 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? bytes.subarray(0, bytes.length - back) : bytes
    }
  }
  return bytes
}

/**
 * What is complete of a JSON value that is cut somewhere: elements and members before the cut, brackets closed.
 * Null when not even its first bracket is there.
 */
export function completeParts(bytes: Buffer): HeadRecord | null {
  const scanner = new JsonScanner()
  let cut = -1
  for (let i = 0; i < bytes.length; i += 1) {
    const isOutside = !scanner.isInString
    const status = scanner.scan(bytes, i, i + 1)
    if (status === 'error') break
    if (status === 'done') {
      cut = i + 1
      break
    }
    if (isOutside && bytes[i] === 0x2c) cut = i
    else if (scanner.canCut()) cut = i + 1
  }
  if (cut < 0) return null
  scanner.reset()
  const isWhole = scanner.scan(bytes, 0, cut) === 'done'
  const text = bytes.toString('utf8', 0, cut) + (isWhole ? '' : scanner.closers())
  const parsed = parseJson(text, scanner.depth)
  return parsed.ok ? { value: parsed.value, complete: isWhole } : null
}

async function headRecords(bytes: Buffer, isWhole: boolean): Promise<HeadRecord[]> {
  const records: HeadRecord[] = []
  let cutAt: number | null = null
  for await (const item of splitRecords(oneChunk(bytes))) {
    if (item.kind === 'record') {
      const parsed = parseJson(item.record.bytes.toString('utf8'), item.record.depth)
      if (parsed.ok) records.push({ value: parsed.value, complete: true })
    } else if (item.problem.code === 'JSON_CUT_OFF' && item.problem.record !== undefined) {
      cutAt ??= item.problem.byte ?? null
      // Where only the head ends, what follows is the inside of this record.
      if (!isWhole) break
    }
    if (records.length === HEAD_RECORDS) return records
  }
  if (records.length === 0) {
    // A single object that is broken further down still has a beginning to recognise.
    const first = bytes.findIndex((byte) => !isBlank(byte))
    const from = cutAt ?? (bytes[first] === OPEN_OBJECT ? first : null)
    const partial = from === null ? null : completeParts(bytes.subarray(from))
    if (partial !== null) records.push(partial)
  }
  return records
}

async function* oneChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** Whether bytes that are not UTF-8 may be text in some 8-bit encoding: no control characters, and not only signs of one language. */
function isPlainText(bytes: Buffer): boolean {
  let plain = 0
  for (const byte of bytes) {
    if (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b) return false
    if (byte < 0x80) plain += 1
  }
  return plain >= bytes.length / 4
}

/** The head of a source from its first bytes (decompressed UTF-8, at most HEAD_BYTES are looked at). */
export async function makeHead(
  about: { name: string; size: number; isGzip: boolean; encoding: Encoding; isWhole: boolean },
  bytes: Buffer,
): Promise<SourceHead> {
  const isWhole = about.isWhole && bytes.length <= HEAD_BYTES
  const cut = isWhole ? bytes : wholeCharacters(bytes.subarray(0, HEAD_BYTES))
  const magic = magicOf(cut)
  const nul = cut.indexOf(0)
  const first = cut.find((byte) => !isBlank(byte))
  const records = magic === null && first !== undefined ? await headRecords(cut, isWhole) : []
  let shape: SourceShape
  if (magic !== null) shape = 'binary'
  else if (first === undefined) shape = nul >= 0 ? 'binary' : 'empty'
  else if (first === 0x5b) shape = 'array'
  else if (first === 0x7b || records.length > 0) shape = 'values'
  else shape = nul >= 0 || (!isUtf8(cut) && !isPlainText(cut)) ? 'binary' : 'text'
  return {
    name: about.name,
    size: about.size,
    bytes: cut,
    text: cut.toString('utf8'),
    isWhole,
    isGzip: about.isGzip,
    encoding: about.encoding,
    shape,
    magic,
    records,
    nulAt: nul < 0 ? null : nul,
    entries: null,
  }
}
