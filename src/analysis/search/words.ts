// The words of a trial for the index, found in the bytes of its JSON without parsing it. A word is a run of ASCII letters
// and digits and of anything that is not ASCII; every other ASCII character parts words. What that means for a phrase is
// query.ts. Written for speed: one pass, a string only for each different word beyond ASCII. Pure.

import { ByteSet, hashBytes } from './byteset.ts'
import { cutBytes, fold, indexWord, WORD_BYTES } from './fold.ts'

const BACKSLASH = 0x5c
const LETTER_U = 0x75
/** Enough of a raw word for the beginning that the index keeps: a folded character may take a fourth of its bytes. */
const RAW_BYTES = 4 * WORD_BYTES

/** 0: parts words; otherwise the byte in lower case. */
const LOWER = new Uint8Array(256)
for (let byte = 0; byte < 256; byte += 1) {
  const isDigit = byte >= 0x30 && byte <= 0x39
  const isLower = byte >= 0x61 && byte <= 0x7a
  if (isDigit || isLower || byte >= 0x80) LOWER[byte] = byte
  else if (byte >= 0x41 && byte <= 0x5a) LOWER[byte] = byte + 0x20
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * The distinct words of JSON texts in UTF-8 (as JSON.stringify writes them), folded, each followed by a blank. Of a word
 * longer than 64 bytes its beginning stands there.
 */
export function wordsOf(texts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const words = new ByteSet()
  /** Words beyond ASCII as they came: the same one is folded once. */
  const met = new ByteSet()
  for (const text of texts) scan(text, words, met)
  return words.bytes()
}

function scan(json: Uint8Array, words: ByteSet, met: ByteSet): void {
  const word = new Uint8Array(RAW_BYTES)
  const bytes = json.length
  let length = 0
  /** Above 0x7f when one of the bytes is. */
  let high = 0
  for (let at = 0; at < bytes; at += 1) {
    const byte = json[at] as number
    const lower = LOWER[byte] as number
    if (lower !== 0) {
      if (length < RAW_BYTES) word[length] = lower
      high |= lower
      length += 1
      continue
    }
    if (byte === BACKSLASH) {
      const isUnit = json[at + 1] === LETTER_U
      const more = isUnit ? bytesOfUnit(unitAt(json, at + 2)) : NOTHING
      // Other escapes are quotes, backslashes and control characters: all of them part words.
      at += isUnit ? 5 : 1
      for (let i = 0; i < more.length; i += 1) {
        const one = more[i] as number
        if (length < RAW_BYTES) word[length] = one
        high |= one
        length += 1
      }
      if (more.length > 0) continue
    }
    if (length === 0) continue
    if (high < 0x80) keep(words, word, length)
    else keepFolded(words, met, word, length)
    length = 0
    high = 0
  }
  if (length > 0 && high < 0x80) keep(words, word, length)
  else if (length > 0) keepFolded(words, met, word, length)
}

function keep(words: ByteSet, word: Uint8Array, length: number): void {
  const kept = length > WORD_BYTES ? WORD_BYTES : length
  words.add(word, kept, hashBytes(word, kept))
}

function keepFolded(words: ByteSet, met: ByteSet, word: Uint8Array, length: number): void {
  const raw = length > RAW_BYTES ? cutBytes(word, RAW_BYTES, RAW_BYTES - 1) : length
  if (!met.add(word, raw, hashBytes(word, raw))) return
  const folded = encoder.encode(indexWord(fold(decoder.decode(word.subarray(0, raw)))))
  words.add(folded, folded.length, hashBytes(folded, folded.length))
}

const NOTHING: ArrayLike<number> = []

function unitAt(json: Uint8Array, at: number): number {
  return Number.parseInt(String.fromCharCode(...json.subarray(at, at + 4)), 16) || 0
}

/** A written-out character as part of a word; nothing when it parts words. Half a pair alone is U+FFFD. */
function bytesOfUnit(unit: number): ArrayLike<number> {
  if (unit >= 0x80) return encoder.encode(String.fromCharCode(unit))
  const lower = LOWER[unit] as number
  return lower === 0 ? NOTHING : [lower]
}
