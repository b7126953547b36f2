// A trial's normal form as UTF-8: byte for byte what JSON.stringify gives, but long strings that stand in the original
// record in the same form are copied from there. Runs in the import thread. No database, no file.

import { heldNumber, type LongTexts } from '../importers/longtexts.ts'
import { LONG_TEXT } from '../importers/scanner.ts'
import type { SharedPiece } from '../store/rawblocks.ts'

/** Bytes, and the pieces that were copied from the record, in the record's order. */
export type JsonBytes = { readonly bytes: Buffer; readonly shared: readonly SharedPiece[] }

/** The bytes of JSON.stringify(value). `texts` are long strings with their bytes; null: none are known. */
export function jsonBytes(value: object, texts: LongTexts | null): JsonBytes {
  if (texts === null) return { bytes: Buffer.from(JSON.stringify(value)), shared: [] }
  const writer = new Writer(texts)
  writer.put(value)
  const shared: SharedPiece[] = []
  for (let number = 0; number < texts.count; number += 1) {
    const bodyAt = writer.copied.get(texts.firstOf(number))
    if (bodyAt !== undefined) shared.push({ at: texts.at(number), bodyAt, length: texts.length(number) })
  }
  return { bytes: writer.bytes(), shared }
}

/** Memory of bodies that are done with: new memory for each would keep the collector busy. */
const idle: ArrayBufferLike[] = []
const MOST_IDLE = 4
const MOST_IDLE_BYTES = 4 * 1024 * 1024

/** Takes the memory of a body back, for the next one. Whoever holds the bytes must not read them any more. */
export function giveBack(bytes: Uint8Array): void {
  const { buffer } = bytes
  // Node's own pool is smaller than any body's memory here, and must not be written to.
  if (buffer.byteLength < FIRST_BYTES || buffer.byteLength > MOST_IDLE_BYTES) return
  if (idle.length < MOST_IDLE) idle.push(buffer)
}

function memoryFor(bytes: number): Buffer {
  const known = idle.pop()
  if (known !== undefined && known.byteLength >= bytes) return Buffer.from(known)
  return Buffer.allocUnsafeSlow(Math.ceil(bytes / FIRST_BYTES) * FIRST_BYTES)
}

const FIRST_BYTES = 256 * 1024
/** Text gathered before it is encoded. */
const GATHERED = 16 * 1024

class Writer {
  /** Where the long strings were put, by their number. */
  readonly copied = new Map<number, number>()
  readonly #texts: LongTexts
  #out: Buffer
  #at = 0
  #text = ''

  constructor(texts: LongTexts) {
    this.#texts = texts
    // A body is about as long as its record.
    this.#out = memoryFor(texts.record.length)
  }

  bytes(): Buffer {
    this.#encode()
    return this.#out.subarray(0, this.#at)
  }

  put(value: unknown): void {
    if (typeof value === 'string') this.#string(value)
    else if (Array.isArray(value)) this.#list(value)
    else if (typeof value === 'object' && value !== null) this.#object(value as Record<string, unknown>)
    // What has no JSON is null inside a list; members without one are left out before.
    else this.#text += JSON.stringify(value) ?? 'null'
  }

  #string(value: string): void {
    const texts = this.#texts
    const number = value.length < LONG_TEXT / 4 ? heldNumber(value) : texts.find(value)
    if (number < 0) this.#text += JSON.stringify(value)
    else {
      const at = texts.at(number)
      const length = texts.length(number)
      this.#encode()
      this.#room(length)
      texts.record.copy(this.#out, this.#at, at, at + length)
      this.copied.set(number, this.#at)
      this.#at += length
    }
    if (this.#text.length > GATHERED) this.#encode()
  }

  #list(list: readonly unknown[]): void {
    this.#text += '['
    for (let i = 0; i < list.length; i += 1) {
      if (i > 0) this.#text += ','
      this.put(list[i])
    }
    this.#text += ']'
  }

  #object(object: Record<string, unknown>): void {
    let open = '{'
    for (const key of Object.keys(object)) {
      const value = object[key]
      if (value === undefined) continue
      this.#text += `${open}${JSON.stringify(key)}:`
      open = ','
      this.put(value)
    }
    this.#text += open === '{' ? '{}' : '}'
  }

  #encode(): void {
    if (this.#text === '') return
    // Three bytes at most for one unit of UTF-16.
    this.#room(3 * this.#text.length)
    this.#at += this.#out.write(this.#text, this.#at, 'utf8')
    this.#text = ''
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#out.length) return
    const grown = memoryFor(Math.max(2 * this.#out.length, this.#at + bytes))
    this.#out.copy(grown, 0, 0, this.#at)
    giveBack(this.#out)
    this.#out = grown
  }
}
