// A window over a stream of chunks, addressed by absolute offset. Keeps only what the reader still needs.
// Views that were given out stay valid: bytes are appended, never moved inside a buffer. Knows no format.

/** Bytes from `kept` to `end`, with the next chunk one `more()` away. */
export class ByteWindow {
  readonly #chunks: AsyncIterator<Buffer>
  #buffer: Buffer = Buffer.alloc(0)
  /** Absolute offset of the buffer's first byte. */
  #base = 0
  /** Absolute offset after the last byte at hand. */
  end = 0
  /** Absolute offset of the first byte that must stay. */
  kept = 0
  isEnded = false
  #countedTo = 0
  #newlines = 0

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Takes the next chunk in; false at the end of the stream. */
  async more(): Promise<boolean> {
    if (this.isEnded) return false
    const next = await this.#chunks.next()
    if (next.done === true) {
      this.isEnded = true
      return false
    }
    const chunk = next.value
    this.lineAt(this.kept)
    const retained = this.end - this.kept
    if (retained <= 0) {
      this.#buffer = chunk
      this.#base = this.end
      this.kept = Math.max(this.kept, this.end)
    } else {
      const used = this.end - this.#base
      const { buffer, byteOffset, length } = this.#buffer
      if (used === length && chunk.buffer === buffer && chunk.byteOffset === byteOffset + length) {
        // It lies behind what is at hand: nothing to copy.
        this.#buffer = Buffer.from(chunk.buffer, byteOffset, length + chunk.length)
        this.end += chunk.length
        return true
      }
      if (used + chunk.length > this.#buffer.length) {
        // Doubling keeps the copying linear however long the record gets.
        const grown = Buffer.allocUnsafeSlow(Math.max(2 * retained, retained + chunk.length))
        this.#buffer.copy(grown, 0, this.kept - this.#base, used)
        this.#buffer = grown
        this.#base = this.kept
      }
      chunk.copy(this.#buffer, this.end - this.#base)
    }
    this.end += chunk.length
    return true
  }

  /** Ends the underlying stream. */
  async close(): Promise<void> {
    this.isEnded = true
    await this.#chunks.return?.(undefined)
  }

  /** The buffer at hand, for scanning; index = absolute offset − `base`. */
  get buffer(): Buffer {
    return this.#buffer
  }

  get base(): number {
    return this.#base
  }

  /** The byte at an absolute offset that is at hand; -1 otherwise. */
  byte(at: number): number {
    return at < this.end && at >= this.#base ? (this.#buffer[at - this.#base] as number) : -1
  }

  /** A view of the bytes between two absolute offsets. */
  view(from: number, to: number): Buffer {
    return this.#buffer.subarray(from - this.#base, to - this.#base)
  }

  /** Absolute offset of the first such byte at or after `from`; -1 when it is not at hand. */
  find(what: number | Buffer, from: number): number {
    const found = this.#buffer.subarray(0, this.end - this.#base).indexOf(what, from - this.#base)
    return found < 0 ? -1 : found + this.#base
  }

  /** Line number (from 1) of an absolute offset that is not before `kept`. Linear over all calls together. */
  lineAt(at: number): number {
    if (at < this.#countedTo) {
      // Going back happens only inside the window, after a record that did not hold.
      let i = this.find(0x0a, at)
      while (i >= 0 && i < this.#countedTo) {
        this.#newlines -= 1
        i = this.find(0x0a, i + 1)
      }
    } else {
      let i = this.find(0x0a, this.#countedTo)
      while (i >= 0 && i < at) {
        this.#newlines += 1
        i = this.find(0x0a, i + 1)
      }
    }
    this.#countedTo = at
    return this.#newlines + 1
  }
}
