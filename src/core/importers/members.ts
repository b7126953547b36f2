// The members of one JSON object out of a stream of bytes, one by one; lists that the caller names are given element
// by element, so that a file of any length needs the memory of one element. Objects may follow each other, or be the
// elements of one list. Broken elements are problems and the rest goes on, as in records.ts. Knows no format; parses
// nothing but names.

import type { MemberItem, RawItem } from './importer.ts'
import { MAX_RECORD_BYTES, Splitter } from './records.ts'
import { isBlank } from './scanner.ts'
import { ByteWindow } from './window.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/**
 * Yields the members of every object at the top level of a stream (usually one), or of every object of the list that
 * the stream is. From the second object on, `next` is told before its members.
 */
export async function* splitMembers(
  chunks: AsyncIterable<Buffer>,
  lists: ReadonlySet<string>,
  hasOffsets = true,
  maxRecordBytes = MAX_RECORD_BYTES,
): AsyncGenerator<MemberItem> {
  const reader = new MemberReader(new ByteWindow(chunks), hasOffsets, maxRecordBytes)
  try {
    yield* reader.objects(lists)
  } finally {
    await reader.window.close()
  }
}

class MemberReader extends Splitter {
  /** All objects: bare, in a list, or in lists one behind the other. */
  async *objects(lists: ReadonlySet<string>): AsyncGenerator<MemberItem> {
    let isInList = false
    let objects = 0
    while (await this.skipBlank()) {
      const byte = this.window.byte(this.at)
      if (!isInList && byte === OPEN_ARRAY) isInList = true
      else if (isInList && byte === CLOSE_ARRAY) isInList = false
      else if (!isInList || byte !== COMMA) {
        if (objects > 0 && byte === OPEN_OBJECT) yield { kind: 'next' }
        objects += 1
        if (!(yield* this.object(lists))) return
        continue
      }
      this.moveTo(this.at + 1)
    }
    if (isInList) yield this.#endless()
  }

  #endless(): MemberItem {
    return this.problem('error', 'JSON_CUT_OFF', this.at, null, {
      message: `The file ends inside its list, at byte ${this.window.end.toLocaleString('en-US')}. What was read before is whole.`,
      hint: 'The file was cut off while being written or copied. Export or copy it again to have the rest.',
    }) as MemberItem
  }

  /** One object; false when nothing behind it can be read. */
  async *object(lists: ReadonlySet<string>): AsyncGenerator<MemberItem, boolean> {
    if (this.window.byte(this.at) !== OPEN_OBJECT) {
      yield* this.#bad(this.at, 'an object should begin here')
      return false
    }
    this.moveTo(this.at + 1)
    let members = 0
    let isCutOff = false
    while (await this.skipBlank()) {
      const byte = this.window.byte(this.at)
      if (byte === CLOSE_OBJECT) {
        this.moveTo(this.at + 1)
        return true
      }
      if (byte === COMMA && members > 0) {
        this.moveTo(this.at + 1)
        continue
      }
      const name = byte === QUOTE ? await this.#name() : null
      if (name === null || !(await this.skipBlank()) || this.window.byte(this.at) !== COLON) break
      this.moveTo(this.at + 1)
      if (!(await this.skipBlank())) break
      members += 1
      if (this.window.byte(this.at) === OPEN_ARRAY && lists.has(name)) {
        yield { kind: 'list', name }
        for await (const item of this.list()) {
          isCutOff ||= item.kind === 'problem' && item.problem.code === 'JSON_CUT_OFF'
          yield named(name, item, 'element')
        }
      } else if (!(yield* this.#member(name))) return false
    }
    if (this.at < this.window.end) yield* this.#bad(this.at, 'a name and its value should stand here')
    else if (!isCutOff)
      yield this.problem('error', 'JSON_CUT_OFF', this.at, null, {
        message: `The file ends inside its outermost object, at byte ${this.window.end.toLocaleString('en-US')}.`,
        hint: 'The file was cut off while being written or copied. Export or copy it again to have the rest.',
      }) as MemberItem
    return false
  }

  *#bad(at: number, what: string): Generator<MemberItem> {
    const line = this.window.lineAt(at)
    yield this.problem('error', 'JSON_INVALID', at, null, {
      message: `Line ${line} is not JSON: ${what}. The rest of the file was not read.`,
      line,
    }) as MemberItem
  }

  /** The string that we stand at, as a name; null when it is none. */
  async #name(): Promise<string | null> {
    const end = await this.#endOfString(this.at)
    if (end < 0) return null
    const text = this.window.view(this.at, end).toString('utf8')
    this.moveTo(end)
    try {
      const name: unknown = JSON.parse(text)
      return typeof name === 'string' ? name : null
    } catch {
      return null
    }
  }

  /** Offset behind the string that begins at `from`; -1 when the stream ends in it. */
  async #endOfString(from: number): Promise<number> {
    let at = from + 1
    for (;;) {
      for (; at < this.window.end; at += 1) {
        const byte = this.window.byte(at)
        if (byte === QUOTE) return at + 1
        if (byte === BACKSLASH) at += 1
      }
      if (at - from > this.maxRecordBytes || !(await this.window.more())) return -1
    }
  }

  /** A member's value, whole; false when nothing behind it can be read. */
  async *#member(name: string): AsyncGenerator<MemberItem, boolean> {
    const start = this.at
    const line = this.window.lineAt(start)
    const byte = this.window.byte(start)
    if (byte !== OPEN_OBJECT && byte !== OPEN_ARRAY) {
      const end = byte === QUOTE ? await this.#endOfString(start) : await this.#endOfScalar(start)
      if (end <= start) {
        yield this.cutOff(start, line) as MemberItem
        return false
      }
      const bytes = this.window.view(start, end)
      this.moveTo(end)
      const byteOffset = this.hasOffsets ? start : null
      yield { kind: 'member', name, record: { bytes, index: this.index, line, byteOffset, depth: 0 } }
      return true
    }
    this.scanner.reset()
    let at = start
    for (;;) {
      const { base } = this.window
      const status = this.scanner.scan(this.window.buffer, at - base, this.window.end - base)
      const stop = this.scanner.position + base
      if (status === 'done') {
        const index = this.index
        for (const item of this.emit(start, stop, line)) yield named(name, item, 'member')
        // Members are not records: only elements are counted.
        this.index = index
        return true
      }
      if (status === 'error') {
        yield* this.#bad(stop, this.scanner.fault)
        return false
      }
      at = this.window.end
      if (at - start > this.maxRecordBytes) {
        yield this.problem('error', 'TOO_LARGE', start, null, {
          message: `“${name.slice(0, 60)}”, which begins on line ${line}, is longer than ${Math.floor(this.maxRecordBytes / 1048576)} MiB: the rest of the file was not read.`,
        }) as MemberItem
        return false
      }
      if (!(await this.window.more())) {
        yield this.cutOff(start, line) as MemberItem
        return false
      }
    }
  }

  /** Offset behind a number or word; -1 when the stream ends in it. */
  async #endOfScalar(from: number): Promise<number> {
    for (let at = from; ; at += 1) {
      while (at >= this.window.end) if (!(await this.window.more())) return -1
      const byte = this.window.byte(at)
      if (isBlank(byte) || byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) return at
    }
  }
}

function named(name: string, item: RawItem, kind: 'member' | 'element'): MemberItem {
  return item.kind === 'problem' ? item : { kind, name, record: item.record }
}
