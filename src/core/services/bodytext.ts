// A trial's normal form as UTF-8: byte for byte what JSON.stringify gives, but long strings that stand in the original
// record in the same form are copied from there. Runs in the import thread. No database, no file.

import { LONG_TEXT, type LongTexts } from '../importers/longtexts.ts'
import type { SharedPiece } from '../store/rawblocks.ts'

/** Bytes, and the pieces that were copied from the record, in the record's order. */
export type JsonBytes = { readonly bytes: Buffer; readonly shared: readonly SharedPiece[] }

/** The bytes of JSON.stringify(value). `texts` are long strings with their bytes; null: none are known. */
export function jsonBytes(value: object, texts: LongTexts | null): JsonBytes {
  if (texts === null || texts.places.length === 0)
    return { bytes: Buffer.from(JSON.stringify(value)), shared: [] }
  const writer = new Writer(texts)
  writer.put(value)
  const shared: SharedPiece[] = []
  for (const { at, length, first } of texts.places) {
    const bodyAt = writer.copied.get(first)
    if (bodyAt !== undefined) shared.push({ at, bodyAt, length })
  }
  return { bytes: writer.bytes(), shared }
}

const FIRST_BYTES = 64 * 1024
/** Text gathered before it is encoded. */
const GATHERED = 16 * 1024

class Writer {
  /** Where the long strings were put, by their first place in the record. */
  readonly copied = new Map<number, number>()
  readonly #texts: LongTexts
  #out = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #at = 0
  #text = ''

  constructor(texts: LongTexts) {
    this.#texts = texts
    let bytes = FIRST_BYTES
    for (const place of texts.places) bytes += place.length
    this.#out = Buffer.allocUnsafeSlow(bytes)
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
    const first = value.length < LONG_TEXT / 4 ? -1 : this.#texts.find(value)
    const place = this.#texts.places[first]
    if (place === undefined) this.#text += JSON.stringify(value)
    else {
      const { at, length } = place
      this.#encode()
      this.#room(length)
      this.#texts.record.copy(this.#out, this.#at, at, at + length)
      this.copied.set(first, this.#at)
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
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.#out.length, this.#at + bytes))
    this.#out.copy(grown, 0, 0, this.#at)
    this.#out = grown
  }
}
