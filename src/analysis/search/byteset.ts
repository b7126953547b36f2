// A set of words as bytes: told apart without making a string of each. Pure.

const BLANK = 0x20
const HASH_START = 0x811c9dc5
const HASH_FACTOR = 0x01000193

/** The hash of a word's first bytes. */
export function hashBytes(word: Uint8Array, length: number): number {
  let hash = HASH_START
  for (let i = 0; i < length; i += 1) hash = Math.imul(hash ^ (word[i] as number), HASH_FACTOR)
  return hash
}

/** Words in the order of their arrival, each once. No word may hold a blank. */
export class ByteSet {
  #out = new Uint8Array(64 * 1024)
  #length = 0
  /** Where a word begins in `#out`, plus one; 0: free. */
  #slots = new Int32Array(8192)
  #hashes = new Int32Array(8192)
  #count = 0

  /** All words, each followed by a blank. A copy of its own. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#out.slice(0, this.#length)
  }

  /** Adds the first `length` bytes of `word` under their hash; true when they were not there. */
  add(word: Uint8Array, length: number, hash: number): boolean {
    const slots = this.#slots
    const hashes = this.#hashes
    const mask = slots.length - 1
    let slot = (hash ^ (hash >>> 15)) & mask
    for (let start = slots[slot] as number; start !== 0; start = slots[slot] as number) {
      if (hashes[slot] === hash && this.#isAt(start - 1, word, length)) return false
      slot = (slot + 1) & mask
    }
    if (this.#length + length + 1 > this.#out.length) {
      const grown = new Uint8Array(2 * this.#out.length)
      grown.set(this.#out)
      this.#out = grown
    }
    slots[slot] = this.#length + 1
    hashes[slot] = hash
    for (let i = 0; i < length; i += 1) this.#out[this.#length + i] = word[i] as number
    this.#out[this.#length + length] = BLANK
    this.#length += length + 1
    this.#count += 1
    if (2 * this.#count > slots.length) this.#spread()
    return true
  }

  #isAt(start: number, word: Uint8Array, length: number): boolean {
    const out = this.#out
    for (let i = 0; i < length; i += 1) if (out[start + i] !== word[i]) return false
    return out[start + length] === BLANK
  }

  /** Twice as many slots. */
  #spread(): void {
    const slots = new Int32Array(2 * this.#slots.length)
    const hashes = new Int32Array(slots.length)
    const mask = slots.length - 1
    this.#slots.forEach((start, i) => {
      if (start === 0) return
      const hash = this.#hashes[i] as number
      let slot = (hash ^ (hash >>> 15)) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = start
      hashes[slot] = hash
    })
    this.#slots = slots
    this.#hashes = hashes
  }
}
