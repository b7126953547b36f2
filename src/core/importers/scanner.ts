// A structural JSON scanner: finds where one value ends, byte by byte, over chunks, without building anything.
// It checks the grammar of brackets, commas, colons and strings, and leaves numbers and words to the parser;
// so a torn record is noticed at the first byte that cannot follow. Knows no format and no file.

import { isShortEscape, plainUpTo } from './plainbytes.ts'

/** A record nested deeper than this is refused: no exporter writes one, and it costs memory per level. */
export const MAX_DEPTH = 10_000

/** A double holds every number of fewer characters. */
const LONG_NUMBER = 16
/** Shorter strings are not noted: an entry would cost more than it saves. Quotes included. */
export const LONG_TEXT = 256
/** Fewer bytes are looked at one by one. */
const WIDE_BYTES = 256
const NO_WORDS = new Int32Array(0)
/** Numbers in the list of long strings; what comes after is not noted. */
const MOST_NOTED = 1 << 20

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** What may come next. */
const VALUE = 0
const VALUE_OR_END = 1
const KEY = 2
const KEY_OR_END = 3
const COLON_NEXT = 4
const COMMA_OR_END = 5
const DONE = 6

/** Where scanning stopped: `done` after the value, `more` at the end of what was given, `error` at a bad byte. */
export type ScanStatus = 'done' | 'more' | 'error'

/** True for the four white-space bytes of JSON, and for NUL, which crashed writers leave behind. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0
}

/** Scans one JSON object or array. Create (or `reset`) one per value; feed it consecutive ranges. */
export class JsonScanner {
  /** Offset after the last byte looked at; on `error` the offset of the bad byte. */
  position = 0
  /** Deepest nesting so far. */
  depth = 0
  /** Whether a number has many digits or an exponent, so that a double may not hold it. */
  hasLongNumber = false
  /** What was wrong, in words, after `error`. */
  fault = ''
  /** True while inside a string. */
  isInString = false
  /**
   * Values that are long strings and written as JSON.stringify would write them: offset from the value's first byte,
   * and length, quotes included; the length is negative when there are escapes inside. In order.
   */
  readonly texts: number[] = []
  /** Open brackets, innermost last. */
  readonly #stack: number[] = []
  #next = VALUE
  #isKey = false
  #isEscaped = false
  #isInScalar = false
  #isNumber = false
  #scalarLength = 0
  /** Bytes of the value that earlier calls looked at. */
  #taken = 0
  #stringAt = 0
  #hasEscapes = false
  #isCanonical = true

  /** Back to the beginning of a value. */
  reset(): void {
    this.#stack.length = 0
    this.texts.length = 0
    this.#taken = 0
    this.position = 0
    this.depth = 0
    this.hasLongNumber = false
    this.fault = ''
    this.isInString = false
    this.#next = VALUE
    this.#isKey = false
    this.#isEscaped = false
    this.#isInScalar = false
  }

  /** Text that closes everything that is open, when the value is cut at `position` after a complete part. */
  closers(): string {
    return this.#stack
      .map((byte) => (byte === OPEN_OBJECT ? '}' : ']'))
      .reverse()
      .join('')
  }

  /** True where the value can be cut and closed: after an opening bracket or a complete element. */
  canCut(): boolean {
    if (this.isInString || this.#isInScalar) return false
    return this.#next === COMMA_OR_END || this.#next === VALUE_OR_END || this.#next === KEY_OR_END
  }

  /** Scans `bytes` from `from` to `to` (exclusive), going on where the last call stopped. */
  scan(bytes: Uint8Array, from: number, to: number): ScanStatus {
    let i = from
    const start = from - this.#taken
    // Asking for a buffer's memory takes as long as looking at many bytes.
    const words =
      to - from < WIDE_BYTES ? NO_WORDS : new Int32Array(bytes.buffer, 0, bytes.buffer.byteLength >> 2)
    while (i < to) {
      if (this.isInString) {
        i = this.#skipString(bytes, words, i, to)
        if (this.isInString) break
        this.#noteString(i - start)
        continue
      }
      const byte = bytes[i] as number
      if (this.#isInScalar) {
        if (isScalarByte(byte)) {
          this.#scalarLength += 1
          // 0x65: `e` or `E`.
          if (this.#isNumber && (this.#scalarLength >= LONG_NUMBER || (byte | 0x20) === 0x65))
            this.hasLongNumber = true
          i += 1
          continue
        }
        this.#isInScalar = false
      }
      if (isBlank(byte)) {
        i += 1
        continue
      }
      if (!this.#step(byte)) {
        this.position = i
        return 'error'
      }
      if (byte === QUOTE) this.#beginString(i - start)
      i += 1
      if (this.#next === DONE) {
        this.position = i
        return 'done'
      }
    }
    this.position = i
    this.#taken = i - start
    return 'more'
  }

  #beginString(at: number): void {
    this.#stringAt = at
    this.#hasEscapes = false
    this.#isCanonical = true
  }

  /** Notes the string that ends before `end`, when it is worth it. */
  #noteString(end: number): void {
    const length = end - this.#stringAt
    if (length <= LONG_TEXT || this.#isKey || !this.#isCanonical || this.texts.length >= MOST_NOTED) return
    this.texts.push(this.#stringAt, this.#hasEscapes ? -length : length)
  }

  #skipString(bytes: Uint8Array, words: Int32Array, from: number, to: number): number {
    const { byteOffset } = bytes
    let i = from
    if (this.#isEscaped && i < to) {
      this.#isEscaped = false
      if (!isShortEscape(bytes[i] as number)) this.#isCanonical = false
      i += 1
    }
    let hasEscapes = this.#hasEscapes
    let isCanonical = this.#isCanonical
    while ((i = plainUpTo(bytes, words, byteOffset, i, to)) < to) {
      const byte = bytes[i] as number
      if (byte === QUOTE) {
        this.isInString = false
        this.#next = this.#isKey ? COLON_NEXT : COMMA_OR_END
        i += 1
        break
      }
      if (byte === BACKSLASH) {
        hasEscapes = true
        if (i + 1 >= to) {
          this.#isEscaped = true
          i = to
          break
        }
        if (isCanonical) isCanonical = isShortEscape(bytes[i + 1] as number)
        i += 2
      } else {
        if (byte < 0x20) isCanonical = false
        i += 1
      }
    }
    this.#hasEscapes = hasEscapes
    this.#isCanonical = isCanonical
    return i
  }

  /** Takes one byte outside of strings; false when it cannot stand here. */
  #step(byte: number): boolean {
    const next = this.#next
    const takesValue = next === VALUE || next === VALUE_OR_END
    switch (byte) {
      case QUOTE:
        if (!takesValue && next !== KEY && next !== KEY_OR_END)
          return this.#fail('a string where none may be')
        this.isInString = true
        this.#isKey = !takesValue
        return true
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (!takesValue)
          return this.#fail(
            byte === OPEN_OBJECT ? 'an object begins where none may be' : 'a list begins where none may be',
          )
        if (this.#stack.length >= MAX_DEPTH) return this.#fail(`nested deeper than ${MAX_DEPTH} levels`)
        this.#stack.push(byte)
        if (this.#stack.length > this.depth) this.depth = this.#stack.length
        this.#next = byte === OPEN_OBJECT ? KEY_OR_END : VALUE_OR_END
        return true
      case CLOSE_OBJECT:
      case CLOSE_ARRAY: {
        const open = this.#stack.pop()
        const fits =
          byte === CLOSE_OBJECT
            ? open === OPEN_OBJECT && (next === KEY_OR_END || next === COMMA_OR_END)
            : open === OPEN_ARRAY && (next === VALUE_OR_END || next === COMMA_OR_END)
        if (!fits) return this.#fail(`'${String.fromCharCode(byte)}' where it may not be`)
        this.#next = this.#stack.length === 0 ? DONE : COMMA_OR_END
        return true
      }
      case COMMA:
        if (next !== COMMA_OR_END) return this.#fail('a comma where none may be')
        this.#next = this.#stack.at(-1) === OPEN_OBJECT ? KEY : VALUE
        return true
      case COLON:
        if (next !== COLON_NEXT) return this.#fail('a colon where none may be')
        this.#next = VALUE
        return true
      default:
        if (!takesValue || this.#stack.length === 0 || !isScalarByte(byte))
          return this.#fail('an unexpected character')
        this.#isInScalar = true
        this.#isNumber = byte <= 0x39
        this.#scalarLength = 1
        this.#next = COMMA_OR_END
        return true
    }
  }

  #fail(what: string): false {
    this.fault = what
    return false
  }
}

/** Bytes of numbers and words (`true`, `-1.5e3`, `NaN`). Whether they mean something is the parser's matter. */
function isScalarByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e ||
    byte === 0x5f
  )
}
