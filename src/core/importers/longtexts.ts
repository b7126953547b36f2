// The long strings of a record, remembered with the bytes that they were written as: what a trial keeps of them can be
// copied into its stored form instead of being escaped and encoded again. Whoever only passes them on can have them held:
// a short text then stands for each, and its bytes are never decoded. Between a record's bytes and its value.

import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { Json } from '../../base/json.ts'
import type { RecordBytes } from './importer.ts'
import { DEPTH_KEPT } from './parse.ts'

/** Shorter records are parsed as they are. */
const LONG_RECORD_BYTES = 16 * 1024

/** Stands for long string number n; nobody can have written it into a file. */
const MARK = `${randomUUID()}:`
/** A text as long as this is no such stand-in. */
const MARK_LENGTH = MARK.length + 10

/** Different strings of one length and fingerprint that are told apart; more are not remembered. */
const MOST_ALIKE = 8

/** The long strings of a record by their number, in its order. A map by the strings would hash every character. */
export class LongTexts {
  readonly record: Buffer
  /** Offset and length of each, quotes included; a negative length where there are escapes. */
  readonly #noted: Int32Array
  /** Where the string stands first when equal ones were decoded; -1 when that is not known. */
  readonly #first: Int32Array
  readonly #alike = new Map<number, { readonly text: string; readonly number: number }[]>()

  constructor(record: Buffer, noted: Int32Array) {
    this.record = record
    this.#noted = noted
    this.#first = Int32Array.from({ length: noted.length / 2 }, (_, number) => number)
  }

  get count(): number {
    return this.#first.length
  }

  /** Offset of a string's opening quote in the record. */
  at(number: number): number {
    return this.#noted[2 * number] as number
  }

  /** Its bytes in the record, quotes included. */
  length(number: number): number {
    return Math.abs(this.#noted[2 * number + 1] as number)
  }

  /** The number of the first string that is equal to this one; -1 when it is not remembered. */
  firstOf(number: number): number {
    return this.#first[number] as number
  }

  /** The string itself, from now on found by its text. */
  decode(number: number): string {
    const at = this.at(number)
    const end = at + this.length(number)
    const hasEscapes = (this.#noted[2 * number + 1] as number) < 0
    const text = hasEscapes
      ? (JSON.parse(this.record.toString('utf8', at, end)) as string)
      : this.record.toString('utf8', at + 1, end - 1)
    const key = fingerprint(text)
    const alike = this.#alike.get(key)
    const known = alike?.find((one) => one.text === text)
    if (known !== undefined) this.#first[number] = known.number
    else if (alike === undefined) this.#alike.set(key, [{ text, number }])
    else if (alike.length < MOST_ALIKE) alike.push({ text, number })
    else this.#first[number] = -1
    return text
  }

  /** The number of the first string that a text is, or is held for; -1 when it is none of them. */
  find(text: string): number {
    const held = heldNumber(text)
    if (held >= 0) return held
    return this.#alike.get(fingerprint(text))?.find((one) => one.text === text)?.number ?? -1
  }
}

/** The number that a text stands for; -1 for any other text. */
export function heldNumber(text: string): number {
  return text.length <= MARK_LENGTH && text.startsWith(MARK) ? Number(text.slice(MARK.length)) : -1
}

/** A number from a few characters of a long string. */
function fingerprint(text: string): number {
  const { length } = text
  let sum = length
  for (let i = 1; i <= 8; i += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(((length - 1) * i) >>> 3)) | 0
  return sum
}

/** A record's value with its long strings. */
export type LongRecord = { readonly value: Json; readonly texts: LongTexts }

const known = new WeakMap<Buffer, LongTexts>()

/** The long strings of a record that was parsed by parseLongRecord, by its bytes (the same object). */
export function longTextsOf(record: Buffer): LongTexts | null {
  return known.get(record) ?? null
}

/** The value of a record with long strings, which are remembered; null when there are none, or another way must be taken. */
export function parseLongRecord(record: RecordBytes): Json | null {
  const long = withoutTexts(record)
  if (long === null) return null
  const value = filled(long.value, long.texts)
  known.set(record.bytes, long.texts)
  return value
}

/**
 * The same, but the long strings that are `member` of an object in the list `list` of the record are held: the text in
 * their place is of use only to `LongTexts.find`.
 */
export function parseHeldRecord(record: RecordBytes, list: string, member: string): LongRecord | null {
  const long = withoutTexts(record)
  if (long === null) return null
  const items = (long.value as Record<string, Json>)[list]
  const held = new Map<Record<string, Json>, string>()
  for (const item of Array.isArray(items) ? (items as (Record<string, Json> | null)[]) : []) {
    const text = item?.[member]
    if (item === null || typeof text !== 'string' || heldNumber(text) < 0) continue
    held.set(item, text)
    item[member] = ''
  }
  const value = filled(long.value, long.texts)
  for (const [item, text] of held) item[member] = text
  return { value, texts: long.texts }
}

/** The value with a stand-in for each long string; null when there are none, or it is not plain JSON of valid UTF-8. */
function withoutTexts(record: RecordBytes): LongRecord | null {
  const { bytes, texts: noted, depth, hasLongNumber } = record
  if (bytes.length < LONG_RECORD_BYTES || hasLongNumber !== false || depth > DEPTH_KEPT) return null
  if (noted === undefined || noted.length === 0 || !isUtf8(bytes)) return null
  const texts = new LongTexts(bytes, noted)
  let frame = ''
  let from = 0
  for (let number = 0; number < texts.count; number += 1) {
    const at = texts.at(number)
    frame += `${bytes.toString('utf8', from, at)}"${MARK}${number}"`
    from = at + texts.length(number)
  }
  try {
    return { value: JSON.parse(frame + bytes.toString('utf8', from)) as Json, texts }
  } catch {
    return null
  }
}

/** Puts the long strings in; changes the fresh value in place. */
function filled(value: Json, texts: LongTexts): Json {
  if (typeof value === 'string') {
    const number = heldNumber(value)
    return number < 0 ? value : texts.decode(number)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list = value as Json[]
    for (let i = 0; i < list.length; i += 1) list[i] = filled(list[i] as Json, texts)
    return list
  }
  const object = value as Record<string, Json>
  for (const key of Object.keys(object)) {
    const inner = object[key] as Json
    if (typeof inner !== 'string') filled(inner, texts)
    else if (heldNumber(inner) >= 0)
      // Defined, not assigned: `__proto__` is a name like any other.
      Object.defineProperty(object, key, {
        value: filled(inner, texts),
        writable: true,
        enumerable: true,
        configurable: true,
      })
  }
  return object
}
