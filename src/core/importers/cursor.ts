// A cursor over a stream of records: where we are, how many records there were, and how places and problems are
// told. The ground that records.ts stands on. Knows the grammar of no list and no line.

import { plural } from '../../base/text.ts'
import type { Problem, RawItem } from './importer.ts'
import { isBlank, JsonScanner } from './scanner.ts'
import type { ByteWindow } from './window.ts'

/** Bytes that may be scanned again after records that did not hold, before whole spans are given up. */
const RESCAN_FREE_BYTES = 8 * 1024 * 1024
/** Longer indentation is not remembered. */
const INDENT_MAX_BYTES = 160
/** Of a broken line, how much is looked at for another line inside of it. */
const GLUED_MAX_BYTES = 8 * 1024 * 1024
/** A quote that the inner line closed is noticed behind its first name's own quote: `{ "`. */
const GLUED_LOOK_BACK = 4
const NEWLINE = 0x0a
const OPEN_OBJECT = 0x7b
const NO_TEXTS = new Int32Array(0)

/** Position in a stream of records, with everything that is shared by lists and lines. */
export class RecordCursor {
  readonly window: ByteWindow
  readonly hasOffsets: boolean
  readonly maxRecordBytes: number
  readonly scanner = new JsonScanner()
  at = 0
  index = 0
  /** Lists at the top level that were begun before this one. */
  listNumber = 0
  rescanned = 0
  nulFirst = -1
  nulLine = 1
  nulCount = 0
  /** White space between the last line feed and where we are; null when something else stands before. */
  indent: Buffer | null = Buffer.alloc(0)
  bad: { at: number; line: number; lines: number; what: string } | null = null

  constructor(window: ByteWindow, hasOffsets: boolean, maxRecordBytes: number) {
    this.window = window
    this.hasOffsets = hasOffsets
    this.maxRecordBytes = maxRecordBytes
  }

  /** True while reading a failed span again is still linear over the whole stream; counts it when it is. */
  mayRescan(start: number, failedAt: number): boolean {
    if (this.rescanned >= RESCAN_FREE_BYTES + this.window.end) return false
    this.rescanned += failedAt - start
    return true
  }

  /** Goes to an absolute offset; nothing before it is kept. */
  moveTo(at: number): void {
    this.at = at
    this.window.kept = at
  }

  /** Skips white space and NUL bytes; false at the end of the stream. */
  async skipBlank(): Promise<boolean> {
    let indent: number[] | null = this.at === 0 || this.window.byte(this.at - 1) === NEWLINE ? [] : null
    for (;;) {
      while (this.at < this.window.end) {
        const byte = this.window.byte(this.at)
        if (!isBlank(byte)) {
          this.indent = indent === null ? null : Buffer.from(indent)
          this.moveTo(this.at)
          return true
        }
        if (byte === 0) {
          if (this.nulCount === 0) {
            this.nulFirst = this.at
            this.nulLine = this.window.lineAt(this.at)
          }
          this.nulCount += 1
        }
        if (byte === NEWLINE) indent = []
        else if (indent !== null) indent = indent.length < INDENT_MAX_BYTES ? [...indent, byte] : null
        this.at += 1
      }
      this.moveTo(this.at)
      if (!(await this.window.more())) return false
    }
  }

  /** Moves behind the next line feed at or after `from`, keeping nothing before it. */
  async toNextLine(from: number): Promise<void> {
    let at = from
    for (;;) {
      const found = this.window.find(NEWLINE, at)
      if (found >= 0) return this.moveTo(found + 1)
      at = this.window.end
      this.moveTo(at)
      if (!(await this.window.more())) return
    }
  }

  /**
   * Where another writer's line begins inside of one that broke at `failedAt`: a value that is whole up to the end of
   * the line, there or behind the quote that it closed. -1 when there is none, or what broke is more than one line.
   */
  async lineInLine(start: number, failedAt: number): Promise<number> {
    const { window } = this
    const first = window.find(NEWLINE, start)
    if (first >= 0 && first < failedAt) return -1
    while (window.find(NEWLINE, failedAt) < 0 && window.end - start < GLUED_MAX_BYTES)
      if (!(await window.more())) break
    const newline = window.find(NEWLINE, failedAt)
    const end = newline < 0 ? window.end : newline
    for (let at = failedAt; at > start && failedAt - at <= GLUED_LOOK_BACK; at -= 1) {
      if (at < end && window.byte(at) === OPEN_OBJECT && this.#isWholeTo(at, end)) return at
    }
    return -1
  }

  /** Whether one value and nothing else stands between two offsets. */
  #isWholeTo(start: number, end: number): boolean {
    const { base, buffer } = this.window
    const scanner = new JsonScanner()
    if (scanner.scan(buffer, start - base, end - base) !== 'done') return false
    for (let at = scanner.position; at < end - base; at += 1) if (!isBlank(buffer[at] as number)) return false
    return true
  }

  /** The record between two offsets; goes behind it. */
  *emit(start: number, end: number, line: number): Generator<RawItem> {
    const index = this.index
    this.index += 1
    this.moveTo(end)
    const byteOffset = this.hasOffsets ? start : null
    const { depth, hasLongNumber, texts: noted } = this.scanner
    const texts = noted.length === 0 ? NO_TEXTS : Int32Array.from(noted)
    const list = this.listNumber > 0 ? { list: this.listNumber } : {}
    const bytes = this.window.view(start, end)
    yield { kind: 'record', record: { bytes, index, line, byteOffset, depth, hasLongNumber, texts, ...list } }
  }

  /** The problem that the stream ends inside a record. */
  cutOff(start: number, line: number): RawItem {
    return this.problem('error', 'JSON_CUT_OFF', start, this.index, {
      message: `The file ends inside the record that begins on line ${line} (byte ${start.toLocaleString('en-US')}); it ends at byte ${this.window.end.toLocaleString('en-US')}. ${plural(this.index, 'record')} before it ${this.index === 1 ? 'was' : 'were'} read.`,
      hint: 'The file was cut off while being written or copied. Export or copy it again to have the rest.',
      line,
    })
  }

  /** Runs of lines that are no JSON are one problem, however long they are. */
  noteBad(what: string): void {
    if (this.bad === null) this.bad = { at: this.at, line: this.window.lineAt(this.at), lines: 1, what }
    else this.bad.lines += 1
  }

  /** The problem of the bad lines so far, when there are some. */
  *flushBad(): Generator<RawItem> {
    const bad = this.bad
    if (bad === null) return
    this.bad = null
    yield this.problem('error', 'JSON_INVALID', bad.at, null, {
      line: bad.line,
      message:
        bad.lines === 1
          ? `Line ${bad.line}: ${bad.what}.`
          : `From line ${bad.line}: ${bad.what} (${bad.lines.toLocaleString('en-US')} times).`,
    })
  }

  /** A problem with its place. */
  problem(
    severity: Problem['severity'],
    code: Problem['code'],
    at: number,
    record: number | null,
    more: { message: string; hint?: string; line?: number },
  ): RawItem {
    const line = more.line ?? (at >= this.window.kept ? this.window.lineAt(at) : undefined)
    return {
      kind: 'problem',
      problem: {
        severity,
        code,
        ...more,
        ...(line === undefined ? {} : { line }),
        ...(this.hasOffsets ? { byte: at } : {}),
        ...(record === null ? {} : { record }),
      },
    }
  }
}
