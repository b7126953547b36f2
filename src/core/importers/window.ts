// A window over a stream of chunks, addressed by absolute offset. Keeps only what the reader still needs.
// Views that were given out stay valid: bytes are appended, never moved inside a buffer; in a fleeting window, whose
// memory is used again, until the next record is looked for. Knows no format.

const NOTHING = Buffer.alloc(0)

/** True when a chunk lies in memory right behind another. */
function liesBehind(first: Buffer, next: Buffer): boolean {
  return first.buffer === next.buffer && first.byteOffset + first.length === next.byteOffset
}

/** Two that lie one behind the other, as one. */
function joined(first: Buffer, next: Buffer): Buffer {
  return Buffer.from(first.buffer, first.byteOffset, first.length + next.length)
}

/** Bytes from `kept` to `end`, with the next chunk one `more()` away. */
export class ByteWindow {
  readonly #chunks: AsyncIterator<Buffer>
  readonly #isFleeting: boolean
  /** Memory that bytes over several chunks were put together in, and that nobody reads any more. */
  #spare: Buffer | null = null
  /** Whether the buffer at hand is such memory. */
  #isOwn = false
  /** The newest chunk and its absolute offset. */
  #last: Buffer = NOTHING
  #lastAt = 0
  #buffer: Buffer = NOTHING
  /** Absolute offset of the buffer's first byte. */
  #base = 0
  /** Absolute offset after the last byte at hand. */
  end = 0
  /** Absolute offset of the first byte that must stay. */
  kept = 0
  isEnded = false
  #countedTo = 0
  #newlines = 0

  constructor(chunks: AsyncIterable<Buffer>, isFleeting = false) {
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#isFleeting = isFleeting
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
    if (this.end <= this.kept) {
      this.#look(chunk, this.end)
      this.kept = Math.max(this.kept, this.end)
    } else if (!this.#isOwn && liesBehind(this.#buffer, chunk))
      this.#look(joined(this.#buffer, chunk), this.#base)
    else if (this.kept >= this.#lastAt && liesBehind(this.#last, chunk))
      this.#look(joined(this.#last, chunk), this.#lastAt)
    else this.#copyIn(chunk)
    this.#last = chunk
    this.#lastAt = this.end
    this.end += chunk.length
    return true
  }

  /** Goes over to memory of the stream itself: nothing has to be copied. */
  #look(buffer: Buffer, base: number): void {
    if (this.#isOwn && this.#isFleeting) this.#spare = this.#buffer
    this.#isOwn = false
    this.#buffer = buffer
    this.#base = base
  }

  /** Puts a chunk behind what must stay, in memory of its own. */
  #copyIn(chunk: Buffer): void {
    const used = this.end - this.#base
    if (!this.#isOwn || used + chunk.length > this.#buffer.length) {
      const retained = this.end - this.kept
      // Doubling keeps the copying linear however long the record gets.
      const grown = this.#memory(Math.max(2 * retained, retained + chunk.length))
      this.#buffer.copy(grown, 0, this.kept - this.#base, used)
      this.#isOwn = true
      this.#buffer = grown
      this.#base = this.kept
    }
    chunk.copy(this.#buffer, this.end - this.#base)
  }

  #memory(bytes: number): Buffer {
    const spare = this.#spare
    this.#spare = null
    return spare !== null && spare.length >= bytes ? spare : Buffer.allocUnsafeSlow(bytes)
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
