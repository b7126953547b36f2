// How texts are made comparable for searching: upper and lower case are one. Every character is folded by itself and
// keeps its place, so that a match in the folded text is the same range of the text. Pure.

/**
 * The text in lower case, of the same length. Context plays no part: a sigma is a sigma wherever it stands. A lone
 * surrogate becomes U+FFFD.
 */
export function fold(text: string): string {
  return text.toWellFormed().replaceAll('\u0130', 'i').toLowerCase().replaceAll('\u03c2', '\u03c3')
}

/** Bytes of a word that the index keeps; longer words are known by their beginning. */
export const WORD_BYTES = 64

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Where a text of UTF-8 can be cut so that at most `most` bytes remain and no character is halved. */
export function cutBytes(bytes: Uint8Array, length: number, most: number): number {
  if (length <= most) return length
  let cut = most
  while (cut > 0 && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1
  return cut
}

/** A folded word as the index knows it: its first 64 bytes, without half a character. */
export function indexWord(word: string): string {
  if (word.length * 3 <= WORD_BYTES) return word
  const bytes = encoder.encode(word)
  const cut = cutBytes(bytes, bytes.length, WORD_BYTES)
  return cut === bytes.length ? word : decoder.decode(bytes.subarray(0, cut))
}
