// The inside of JSON strings: how far it is plain, and which escapes are short. Under scanner.ts, for which most of a
// file is the inside of strings. Pure functions over bytes.

/**
 * Where from `from` on the first quote, backslash or control character may stand; `to` when there is certainly none
 * before it. Takes four bytes at a time: byte by byte it would be what costs most in reading a file. `words` is the
 * memory beneath the bytes (or nothing: then it is byte by byte), which begins `shift` bytes before them.
 */
export function plainUpTo(
  bytes: Uint8Array,
  words: Int32Array,
  shift: number,
  from: number,
  to: number,
): number {
  const start = shift + from
  const lastWord = Math.min((shift + to) >> 2, words.length)
  let at = start >> 2
  if (at < lastWord) {
    // Of the first word only what is not before `from`.
    let found = specialIn(words[at] as number) & (-1 << ((start & 3) * 8))
    while (found === 0 && ++at < lastWord) found = specialIn(words[at] as number)
    // Behind a byte of that kind before `from`, what is marked may be another: the caller looks.
    if (found !== 0) return at * 4 + ((31 - Math.clz32(found & -found)) >> 3) - shift
  }
  for (let i = Math.max(start, lastWord * 4) - shift; i < to; i += 1) {
    const byte = bytes[i] as number
    if (byte === 0x22 || byte === 0x5c || byte < 0x20) return i
  }
  return to
}

/** A word with the highest bit set in each byte that is a quote, a backslash or below 0x20, and perhaps in ones above. */
function specialIn(word: number): number {
  const quote = word ^ 0x22222222
  const backslash = word ^ 0x5c5c5c5c
  return (
    (((word - 0x20202020) & ~word) |
      ((quote - 0x01010101) & ~quote) |
      ((backslash - 0x01010101) & ~backslash)) &
    0x80808080
  )
}

const SHORT_ESCAPES = new Uint8Array(256)
for (const character of '"\\ntrbf') SHORT_ESCAPES[character.charCodeAt(0)] = 1

/** True for what JSON.stringify writes behind a backslash, but for `u`. */
export function isShortEscape(byte: number): boolean {
  return SHORT_ESCAPES[byte] === 1
}
