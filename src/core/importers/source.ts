// A source: one file on disk, or one member of an archive, as importers see it. Opens, hashes, decodes; gives text,
// lines and records one by one, and the members of a zip. Knows no format. Offsets are given in the decompressed
// text, and not at all for UTF-16.

import { basename } from 'node:path'
import { Fault } from '../../base/fault.ts'
import { archiveEntries } from './archive.ts'
import {
  BrokenArchive,
  diskBytes,
  hashBytes,
  newPass,
  readBytes,
  toFileFault,
  type BytePass,
  type RawBytes,
} from './bytes.ts'
import { HEAD_BYTES, isZip, makeHead } from './head.ts'
import type {
  MemberItem,
  Problem,
  RawItem,
  RecordReading,
  RecordItem,
  Source,
  SourceEntry,
  SourceHead,
  SourceLine,
} from './importer.ts'
import { splitMembers } from './members.ts'
import { parseRecord } from './parserecord.ts'
import { randomFile, type OpenRandom } from './randombytes.ts'
import { rememberedBytes } from './rememberedbytes.ts'
import { MAX_RECORD_BYTES, splitRecords } from './records.ts'
import { recordsAt } from './recordsat.ts'
import { ByteWindow } from './window.ts'

const MAX_TEXT_BYTES = 256 * 1024 * 1024
/** A zip in a zip is opened; a zip in that one is not. */
const MAX_ARCHIVE_DEPTH = 1
const MAGIC_BYTES = 8

/** What a file is called and how long it was when it was found; later growth is not read. */
export type FileFacts = {
  readonly path: string
  readonly name?: string
  readonly size: number
  readonly origin?: 'file' | 'folder'
  /** For a member of an archive: its bytes, the same by offset, and how many archives are around it. */
  readonly raw?: RawBytes
  readonly random?: OpenRandom
  readonly depth?: number
}

/** A source over a regular file. Nothing is opened before the first read; every iteration opens it anew. */
export function fileSource(facts: FileFacts): Source {
  return new FileSource(facts)
}

class FileSource implements Source {
  readonly name: string
  readonly path: string
  readonly size: number
  readonly origin: 'file' | 'folder'
  readonly #raw: ReturnType<typeof rememberedBytes>
  readonly #random: OpenRandom
  readonly #depth: number
  #pass: BytePass = newPass()
  /** The state of the file on disk in which it was first read. */
  #stamp: string | null = null
  #memberBytesRead = 0
  /** Weakly: of the files of a folder nobody could hold all beginnings; read again when it is gone. */
  #head: WeakRef<Promise<SourceHead>> | null = null
  #sha256: string | null = null

  constructor(facts: FileFacts) {
    this.path = facts.path
    this.name = facts.name ?? basename(facts.path)
    this.size = facts.size
    this.origin = facts.origin ?? 'file'
    this.#raw = rememberedBytes(facts.raw ?? diskBytes(facts.path, facts.size), facts.size)
    this.#random = facts.random ?? randomFile(facts.path, facts.size)
    this.#depth = facts.depth ?? 0
  }

  bytesRead(): number {
    return this.#pass.bytesRead + this.#memberBytesRead
  }

  async isArchive(signal?: AbortSignal): Promise<boolean> {
    if (this.#depth > MAX_ARCHIVE_DEPTH) return false
    try {
      return isZip(await this.#beginning(signal))
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof BrokenArchive) return false
      throw toFileFault(error, this.name)
    }
  }

  /** The first bytes, with as little reading as possible: every file of a folder is asked. */
  async #beginning(signal?: AbortSignal): Promise<Buffer> {
    if (this.#depth > 0) {
      const chunks = this.#raw.open(newPass(), signal)
      const first = await chunks.next()
      await chunks.return(undefined)
      return first.done === true ? Buffer.alloc(0) : first.value
    }
    const bytes = await this.#random(signal)
    try {
      return await bytes.read(0, MAGIC_BYTES)
    } finally {
      await bytes.close()
    }
  }

  async entries(signal?: AbortSignal): Promise<readonly SourceEntry[]> {
    if (!(await this.isArchive(signal))) return []
    this.#memberBytesRead = 0
    const about = { name: this.name, path: this.path, depth: this.#depth + 1 }
    const onRead = (count: number): void => {
      this.#memberBytesRead += count
    }
    try {
      return await archiveEntries(this.#random, about, onRead, fileSource, signal)
    } catch (error) {
      throw toFileFault(error, this.name)
    }
  }

  head(signal?: AbortSignal): Promise<SourceHead> {
    const known = this.#head?.deref()
    if (known !== undefined) return known
    const head = this.#readHead(signal).catch((error: unknown) => {
      // A failed or aborted try must not be remembered.
      this.#head = null
      throw error
    })
    this.#head = new WeakRef(head)
    return head
  }

  async #readHead(signal?: AbortSignal): Promise<SourceHead> {
    await this.#raw.takeIn(signal)
    const parts: Buffer[] = []
    let length = 0
    let isWhole = true
    const pass = newPass()
    try {
      for await (const chunk of readBytes(this.#raw.open, pass, signal)) {
        parts.push(chunk)
        length += chunk.length
        if (length > HEAD_BYTES) {
          isWhole = false
          break
        }
      }
    } catch (error) {
      // A broken archive still has a beginning to recognise; reading it will say that it is broken.
      if (!(error instanceof BrokenArchive)) throw toFileFault(error, this.name)
      if (length === 0) throw new Fault('FORMAT_INVALID', `${this.name}: ${error.message}.`, { cause: error })
      isWhole = false
    }
    const { isGzip, encoding } = pass
    const about = { name: this.name, size: this.size, isGzip, encoding, isWhole }
    const head = await makeHead(about, Buffer.concat(parts))
    if (head.magic !== 'zip' || isGzip || this.#depth > MAX_ARCHIVE_DEPTH) return head
    return { ...head, entries: (await this.entries(signal)).map((entry) => entry.name) }
  }

  /** The content in chunks; keeps the hash when the whole file was read. */
  async *#bytes(signal?: AbortSignal, isFleeting = false): AsyncGenerator<Buffer> {
    const pass = newPass(this.#sha256 === null, isFleeting, this.#stamp)
    this.#pass = pass
    try {
      yield* readBytes(this.#raw.open, pass, signal)
    } catch (error) {
      throw toFileFault(error, this.name)
    } finally {
      this.#sha256 ??= pass.sha256
      this.#stamp = pass.stamp
    }
  }

  async text(signal?: AbortSignal): Promise<string> {
    const parts: Buffer[] = []
    let length = 0
    for await (const chunk of this.#bytes(signal)) {
      length += chunk.length
      if (length > MAX_TEXT_BYTES)
        throw new Fault(
          'TOO_LARGE',
          `${this.name} is longer than ${MAX_TEXT_BYTES / 1048576} MiB as one text.`,
        )
      parts.push(chunk)
    }
    return Buffer.concat(parts).toString('utf8')
  }

  async *lines(signal?: AbortSignal): AsyncGenerator<SourceLine> {
    const window = new ByteWindow(this.#bytes(signal))
    let start = 0
    let line = 1
    let looked = 0
    try {
      for (;;) {
        const found = window.find(0x0a, looked)
        if (found < 0) {
          looked = window.end
          if (window.end - start > MAX_RECORD_BYTES)
            throw new Fault('TOO_LARGE', `Line ${line} of ${this.name} is longer than 256 MiB.`)
          if (await window.more()) continue
        }
        const end = found < 0 ? window.end : found
        if (found < 0 && end === start) return
        const hasReturn = end > start && window.byte(end - 1) === 0x0d
        yield {
          text: window.view(start, hasReturn ? end - 1 : end).toString('utf8'),
          line,
          byteOffset: this.#pass.encoding === 'utf-8' ? start : null,
        }
        if (found < 0) return
        start = found + 1
        looked = start
        window.kept = start
        line += 1
      }
    } finally {
      await window.close()
    }
  }

  rawRecords(signal?: AbortSignal, { places, isFleeting }: RecordReading = {}): AsyncGenerator<RawItem> {
    return this.#split(
      (chunks, hasOffsets) =>
        places === undefined
          ? splitRecords(chunks, hasOffsets, MAX_RECORD_BYTES, isFleeting)
          : recordsAt(chunks, places, isFleeting, () => this.#pass.isChanged),
      signal,
      isFleeting,
    )
  }

  members(lists: ReadonlySet<string>, signal?: AbortSignal): AsyncGenerator<MemberItem> {
    return this.#split((chunks, hasOffsets) => splitMembers(chunks, lists, hasOffsets), signal)
  }

  /** What `split` makes of the bytes; a broken archive ends them and is told last. */
  async *#split<Item>(
    split: (chunks: AsyncIterable<Buffer>, hasOffsets: boolean) => AsyncGenerator<Item>,
    signal?: AbortSignal,
    isFleeting = false,
  ): AsyncGenerator<Item | { kind: 'problem'; problem: Problem }> {
    const head = await this.head(signal)
    let broken: BrokenArchive | null = null
    const bytes = this.#bytes(signal, isFleeting)
    const chunks = (async function* () {
      try {
        yield* bytes
      } catch (error) {
        if (!(error instanceof BrokenArchive)) throw error
        broken = error
      }
    })()
    yield* split(chunks, head.encoding === 'utf-8')
    if (broken !== null) yield { kind: 'problem', problem: brokenProblem(this.name, broken) }
  }

  async *records(signal?: AbortSignal): AsyncGenerator<RecordItem> {
    for await (const item of this.rawRecords(signal)) {
      if (item.kind === 'problem') {
        yield item
        continue
      }
      yield parseRecord(item.record)
    }
  }

  async sha256(signal?: AbortSignal): Promise<string> {
    try {
      this.#sha256 ??= await hashBytes(this.#raw.open, signal)
    } catch (error) {
      throw toFileFault(error, this.name)
    }
    return this.#sha256
  }
}

function brokenProblem(name: string, broken: BrokenArchive): Problem {
  return {
    severity: 'error',
    code: 'ARCHIVE_BROKEN',
    message: `${name}: ${broken.message}. Records before the damage were read.`,
    hint: 'Copy or compress the file again to have the rest.',
  }
}
