// The long strings of a record, remembered with the bytes that they were written as: what a trial keeps of them can be
// copied into its stored form instead of being escaped and encoded again. Between a record's bytes and its value;
// knows no format. The value is what JSON.parse of the whole text gives, or nothing.

import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { Json } from '../../base/json.ts'

/** Shorter strings are not worth an entry. */
export const LONG_TEXT = 256
/** Shorter records are parsed as they are. */
const LONG_RECORD_BYTES = 16 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

/** Stands for long string number n while the rest is parsed; nobody can have written it into a file. */
const MARK = `${randomUUID()}:`

/** Different strings of one length and fingerprint that are told apart; more are not remembered. */
const MOST_ALIKE = 8

/** Where a long string stands in its record, quotes included; `first` is the place where an equal one stands first. */
export type TextPlace = { readonly at: number; readonly length: number; readonly first: number }

/** The long strings of a record, in its order. A map by the strings themselves would hash every character. */
export class LongTexts {
  readonly record: Buffer
  readonly places: TextPlace[] = []
  readonly #alike = new Map<number, { readonly text: string; readonly place: number }[]>()

  constructor(record: Buffer) {
    this.record = record
  }

  /** Remembers the next string. */
  add(text: string, at: number, length: number): void {
    const first = this.find(text)
    const place = this.places.length
    if (first >= 0) this.places.push({ at, length, first })
    else {
      const key = fingerprint(text)
      const alike = this.#alike.get(key)
      if (alike !== undefined && alike.length >= MOST_ALIKE) return
      if (alike === undefined) this.#alike.set(key, [{ text, place }])
      else alike.push({ text, place })
      this.places.push({ at, length, first: place })
    }
  }

  /** The place where a string stands first; -1 when it is not remembered. */
  find(text: string): number {
    return this.#alike.get(fingerprint(text))?.find((one) => one.text === text)?.place ?? -1
  }
}

/** A number from a few characters of a long string. */
function fingerprint(text: string): number {
  const { length } = text
  let sum = length
  for (let i = 1; i <= 8; i += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(((length - 1) * i) >>> 3)) | 0
  return sum
}

const known = new WeakMap<Buffer, LongTexts>()

/** The long strings of a record that was parsed by parseLongRecord, by its bytes (the same object). */
export function longTextsOf(record: Buffer): LongTexts | null {
  return known.get(record) ?? null
}

/**
 * The value of a long record of valid UTF-8, whose long strings are remembered; undefined when it is short, is not
 * JSON, or another way must be taken. The record must be an object or a list, nested so that recursion is safe.
 */
export function parseLongRecord(bytes: Buffer): Json | undefined {
  if (bytes.length < LONG_RECORD_BYTES || !isUtf8(bytes)) return undefined
  const texts = new LongTexts(bytes)
  const strings: string[] = []
  let frame = ''
  let framed = 0
  try {
    const { length } = bytes
    for (let at = 0; ;) {
      while (at < length && bytes[at] !== QUOTE) at += 1
      if (at >= length) break
      let end = at + 1
      // As JSON.stringify would write it: other escapes are possible, but not how it is stored.
      let isCanonical = true
      while (end < length && bytes[end] !== QUOTE) {
        if (bytes[end] === BACKSLASH) {
          if (isCanonical) isCanonical = isShortEscape(bytes[end + 1])
          end += 2
        } else end += 1
      }
      if (end >= length) return undefined
      end += 1
      if (end - at > LONG_TEXT && !isKey(bytes, end)) {
        const text = JSON.parse(bytes.toString('utf8', at, end)) as string
        if (isCanonical) texts.add(text, at, end - at)
        frame += `${bytes.toString('utf8', framed, at)}"${MARK}${strings.length}"`
        strings.push(text)
        framed = end
      }
      at = end
    }
    const value = JSON.parse(frame + bytes.toString('utf8', framed)) as Json
    known.set(bytes, texts)
    return filled(value, strings)
  } catch {
    return undefined
  }
}

function isShortEscape(byte: number | undefined): boolean {
  switch (byte) {
    case QUOTE:
    case BACKSLASH:
    case 0x6e: // n
    case 0x74: // t
    case 0x72: // r
    case 0x62: // b
    case 0x66: // f
      return true
    default:
      return false
  }
}

/** True when a colon follows. */
function isKey(bytes: Buffer, from: number): boolean {
  let at = from
  while ((bytes[at] ?? COLON + 1) <= 0x20) at += 1
  return bytes[at] === COLON
}

/** Puts the long strings in; changes the fresh value in place. */
function filled(value: Json, strings: readonly string[]): Json {
  if (typeof value === 'string')
    return value.startsWith(MARK) ? (strings[Number(value.slice(MARK.length))] ?? value) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list = value as Json[]
    for (let i = 0; i < list.length; i += 1) list[i] = filled(list[i] as Json, strings)
    return list
  }
  const object = value as Record<string, Json>
  for (const key of Object.keys(object)) {
    const inner = object[key] as Json
    if (typeof inner !== 'string') filled(inner, strings)
    else if (inner.startsWith(MARK))
      // Defined, not assigned: `__proto__` is a name like any other.
      Object.defineProperty(object, key, {
        value: filled(inner, strings),
        writable: true,
        enumerable: true,
        configurable: true,
      })
  }
  return object
}
