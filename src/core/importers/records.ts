// Records out of a stream of bytes, one by one: the elements of a JSON array, the lines of a JSONL file, a
// single object, or objects one after another, whatever the file's name says. A bad record is a problem with
// its place and the rest goes on. Memory is one record plus one chunk. Knows no format; parses nothing.

import { plural } from '../../base/text.ts'
import { RecordCursor } from './cursor.ts'
import type { RawItem } from './importer.ts'
import { isBlank, JsonScanner } from './scanner.ts'
import { ByteWindow } from './window.ts'

/** A longer record is refused: its text would come near the longest string that V8 can hold. */
export const MAX_RECORD_BYTES = 256 * 1024 * 1024
const SIGNATURE_MAX_BYTES = 160
const FIRST_LINE_BYTES = 1024 * 1024

const OPEN_OBJECT = 0x7b
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const COMMA = 0x2c
const NEWLINE = 0x0a

/**
 * Yields the records of a stream as bytes. `hasOffsets` is false where offsets would not be the file's own; when it
 * `isFleeting`, a record's bytes are good until the next one is asked for.
 */
export async function* splitRecords(
  chunks: AsyncIterable<Buffer>,
  hasOffsets = true,
  maxRecordBytes = MAX_RECORD_BYTES,
  isFleeting = false,
): AsyncGenerator<RawItem> {
  const splitter = new Splitter(new ByteWindow(chunks, isFleeting), hasOffsets, maxRecordBytes)
  try {
    yield* splitter.run()
  } finally {
    await splitter.window.close()
  }
}

/** Splits a stream into records; also one list inside a larger value (members.ts). */
export class Splitter extends RecordCursor {
  /** A line feed, the indentation and the bracket that the element at hand began with; null inside a line. */
  #lineStart: Buffer | null = null

  async *run(): AsyncGenerator<RawItem> {
    let isLines: boolean | null = null
    let lists = 0
    while (await this.skipBlank()) {
      const byte = this.window.byte(this.at)
      if (byte === OPEN_ARRAY && (isLines ??= await this.#startsWithWholeLine()) === false) {
        yield* this.flushBad()
        this.listNumber = lists
        lists += 1
        yield* this.list()
        isLines = null
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        isLines ??= true
        yield* this.flushBad()
        yield* this.#value()
      } else if (byte === COMMA && this.index > 0) {
        this.moveTo(this.at + 1)
      } else {
        this.noteBad('text that is not JSON')
        await this.toNextLine(this.at)
      }
    }
    yield* this.flushBad()
    if (this.nulCount > 0)
      yield this.problem('warning', 'NUL_BYTES', this.nulFirst, null, {
        line: this.nulLine,
        message: `${plural(this.nulCount, 'NUL byte')} between records, ignored. A writer was probably interrupted here.`,
      })
  }

  /** True when the first line is a whole value and something follows on a later line: a JSONL of lists. */
  async #startsWithWholeLine(): Promise<boolean> {
    const start = this.at
    while (
      this.window.find(NEWLINE, start) < 0 &&
      this.window.end - start < FIRST_LINE_BYTES &&
      (await this.window.more())
    );
    const newline = this.window.find(NEWLINE, start)
    if (newline < 0) return false
    const scanner = new JsonScanner()
    const { base, buffer } = this.window
    if (scanner.scan(buffer, start - base, newline - base) !== 'done') return false
    for (let i = scanner.position; i < newline - base; i += 1) if (!isBlank(buffer[i] as number)) return false
    for (let i = newline; ; i += 1) {
      while (i >= this.window.end) if (!(await this.window.more())) return false
      if (!isBlank(this.window.byte(i))) return true
    }
  }

  /** One value at the top level. A line feed inside a string, or a byte that cannot follow, tears it. */
  async *#value(): AsyncGenerator<RawItem> {
    const start = this.at
    const line = this.window.lineAt(start)
    const scanner = this.scanner
    scanner.reset()
    let at = start
    for (;;) {
      const newline = this.window.find(NEWLINE, at)
      const to = newline < 0 ? this.window.end : newline + 1
      const status = scanner.scan(this.window.buffer, at - this.window.base, to - this.window.base)
      const stop = scanner.position + this.window.base
      if (status === 'done')
        return yield* stop - start > this.maxRecordBytes
          ? this.#refuseHuge(start, stop, line)
          : this.emit(start, stop, line)
      const isTorn = status === 'more' && newline >= 0 && scanner.isInString
      if (status === 'error' || isTorn) {
        yield this.problem('error', 'JSON_INVALID', isTorn ? newline : stop, this.index, {
          message: isTorn
            ? `Line ${line} ends inside a string: the record is cut off.`
            : `The record that begins on line ${line} is not JSON: ${scanner.fault}.`,
        })
        // Two writers, or a crash and a new start: the second line may stand whole inside of the first.
        const inner = isTorn ? -1 : await this.lineInLine(start, stop)
        return inner >= 0 ? this.moveTo(inner) : await this.#resyncLine(start, stop)
      }
      at = to
      if (at - start > this.maxRecordBytes) return yield* this.#skipHuge(start, at, line)
      if (newline < 0 && !(await this.window.more())) {
        yield this.cutOff(start, line)
        return await this.#resyncLine(start, at)
      }
    }
  }

  /** To the next line after `start` that begins a value in its first column; bounded in how much is read again. */
  async #resyncLine(start: number, failedAt: number): Promise<void> {
    const isAffordable = this.mayRescan(start, failedAt)
    await this.toNextLine(isAffordable ? start : failedAt)
    for (;;) {
      while (this.at >= this.window.end) if (!(await this.window.more())) return
      const byte = this.window.byte(this.at)
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) return
      await this.toNextLine(this.at)
    }
  }

  /** The elements of the list whose opening bracket we stand at; ends behind it. */
  async *list(): AsyncGenerator<RawItem> {
    const opened = this.at
    const openedLine = this.window.lineAt(opened)
    this.moveTo(opened + 1)
    let signature: Buffer | null = null
    while (await this.skipBlank()) {
      const byte = this.window.byte(this.at)
      if (byte === CLOSE_ARRAY) {
        yield* this.flushBad()
        return this.moveTo(this.at + 1)
      }
      if (byte === COMMA) this.moveTo(this.at + 1)
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        yield* this.flushBad()
        signature = yield* this.#element(signature)
      } else {
        this.noteBad('a list element that is no record')
        if (!(await this.#skipScalar())) return
      }
    }
    yield* this.flushBad()
    yield this.problem('warning', 'JSON_CUT_OFF', this.at, null, {
      message: `The list that begins on line ${openedLine} is never closed: the file was cut off after ${plural(this.index, 'record')}.`,
      hint: 'Records after the cut are missing. Export or copy the file again to have them.',
    })
  }

  /** One element of a list; returns what elements begin with, to find the next one after a broken one. */
  async *#element(known: Buffer | null): AsyncGenerator<RawItem, Buffer | null> {
    const start = this.at
    const line = this.window.lineAt(start)
    this.#lineStart =
      this.indent === null
        ? null
        : Buffer.concat([Buffer.from('\n'), this.indent, this.window.view(start, start + 1)])
    const scanner = this.scanner
    scanner.reset()
    let at = start
    for (;;) {
      const { base } = this.window
      const status = scanner.scan(this.window.buffer, at - base, this.window.end - base)
      const stop = scanner.position + base
      if (status === 'done') {
        const signature = known ?? signatureOf(this.window.view(start, stop))
        yield* stop - start > this.maxRecordBytes
          ? this.#refuseHuge(start, stop, line)
          : this.emit(start, stop, line)
        return signature
      }
      if (status === 'error') {
        yield this.problem('error', 'JSON_INVALID', stop, this.index, {
          message: `The record that begins on line ${line} is not JSON: ${scanner.fault}.`,
        })
        await this.#resyncElement(start, stop, known)
        return known
      }
      at = this.window.end
      if (at - start > this.maxRecordBytes) {
        yield* this.#skipHuge(start, at, line)
        return known
      }
      if (!(await this.window.more())) {
        yield this.cutOff(start, line)
        await this.#resyncElement(start, this.window.end, known)
        return known
      }
    }
  }

  /**
   * To the next element after a broken one: what begins like the elements before it, or, when the broken one
   * began its line, the next line with the same indentation and an opening bracket.
   */
  async #resyncElement(start: number, failedAt: number, signature: Buffer | null): Promise<void> {
    const isAffordable = this.mayRescan(start, failedAt)
    let at = isAffordable ? start + 1 : failedAt
    const lineStart = this.#lineStart
    const overlap = Math.max(signature?.length ?? 0, lineStart?.length ?? 0)
    for (;;) {
      const alike = signature === null ? -1 : this.window.find(signature, at)
      const onLine = lineStart === null ? -1 : this.window.find(lineStart, at)
      const found =
        onLine >= 0 && (alike < 0 || onLine < alike) && lineStart !== null
          ? onLine + lineStart.length - 1
          : alike
      if (found >= 0) return this.moveTo(found)
      at = Math.max(at, this.window.end - overlap)
      this.moveTo(at)
      if (!(await this.window.more())) return this.moveTo(this.window.end)
    }
  }

  /** Skips a string, number or word in a list; false at the end of the stream. */
  async #skipScalar(): Promise<boolean> {
    const isString = this.window.byte(this.at) === 0x22
    let isEscaped = false
    let at = isString ? this.at + 1 : this.at
    for (;;) {
      for (; at < this.window.end; at += 1) {
        const byte = this.window.byte(at)
        if (isString) {
          if (!isEscaped && byte === 0x22) return (this.moveTo(at + 1), true)
          isEscaped = !isEscaped && byte === 0x5c
        } else if (byte === COMMA || byte === CLOSE_ARRAY || byte === OPEN_OBJECT || byte === OPEN_ARRAY)
          return (this.moveTo(at), true)
      }
      this.moveTo(at)
      if (!(await this.window.more())) return false
    }
  }

  *#refuseHuge(start: number, end: number, line: number): Generator<RawItem> {
    yield this.problem('error', 'TOO_LARGE', start, this.index, {
      message: `The record that begins on line ${line} is longer than ${Math.floor(this.maxRecordBytes / 1048576)} MiB: not read.`,
      hint: 'Split the file so that every trial is a record of its own (one line of JSONL each).',
    })
    this.index += 1
    this.moveTo(end)
  }

  /** Goes on to the end of a record that is too long, without keeping it. */
  async *#skipHuge(start: number, from: number, line: number): AsyncGenerator<RawItem> {
    yield* this.#refuseHuge(start, from, line)
    let at = from
    for (;;) {
      this.moveTo(at)
      if (!(await this.window.more())) return
      const { base } = this.window
      const status = this.scanner.scan(this.window.buffer, at - base, this.window.end - base)
      at = this.scanner.position + base
      if (status !== 'more') return this.moveTo(status === 'done' ? at : at + 1)
    }
  }
}

/** What the elements of this list begin with: `{`, white space, the first name and its colon. */
function signatureOf(element: Buffer): Buffer | null {
  const colon = element.indexOf(0x3a)
  return colon > 0 && colon < SIGNATURE_MAX_BYTES ? Buffer.from(element.subarray(0, colon + 1)) : null
}
