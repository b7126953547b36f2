// A source: one file on disk as importers see it. Opens, hashes, decodes; gives text, lines and records one by
// one. Knows no format. Offsets are given in the decompressed text, and not at all for UTF-16.

import { basename } from 'node:path'
import { Fault } from '../../base/fault.ts'
import { BrokenArchive, hashFile, newPass, readBytes, toFileFault, type BytePass } from './bytes.ts'
import { HEAD_BYTES, makeHead } from './head.ts'
import type { Problem, RawItem, RecordBytes, RecordItem, Source, SourceHead, SourceLine } from './importer.ts'
import { parseJson } from './parse.ts'
import { MAX_RECORD_BYTES, splitRecords } from './records.ts'
import { ByteWindow } from './window.ts'

const MAX_TEXT_BYTES = 256 * 1024 * 1024

/** What a file is called and how long it was when it was found; later growth is not read. */
export type FileFacts = {
  readonly path: string
  readonly name?: string
  readonly size: number
  readonly origin?: 'file' | 'folder'
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
  #pass: BytePass = newPass()
  #head: Promise<SourceHead> | null = null
  #sha256: string | null = null

  constructor(facts: FileFacts) {
    this.path = facts.path
    this.name = facts.name ?? basename(facts.path)
    this.size = facts.size
    this.origin = facts.origin ?? 'file'
  }

  bytesRead(): number {
    return this.#pass.bytesRead
  }

  head(signal?: AbortSignal): Promise<SourceHead> {
    this.#head ??= this.#readHead(signal).catch((error: unknown) => {
      // A failed or aborted try must not be remembered.
      this.#head = null
      throw error
    })
    return this.#head
  }

  async #readHead(signal?: AbortSignal): Promise<SourceHead> {
    const parts: Buffer[] = []
    let length = 0
    let isWhole = true
    const pass = newPass()
    try {
      for await (const chunk of readBytes(this.path, this.size, pass, signal)) {
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
    return makeHead({ name: this.name, size: this.size, isGzip, encoding, isWhole }, Buffer.concat(parts))
  }

  /** The content in chunks; keeps the hash when the whole file was read. */
  async *#bytes(signal?: AbortSignal): AsyncGenerator<Buffer> {
    const pass = newPass()
    this.#pass = pass
    try {
      yield* readBytes(this.path, this.size, pass, signal)
    } catch (error) {
      throw toFileFault(error, this.name)
    } finally {
      this.#sha256 ??= pass.sha256
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

  async *rawRecords(signal?: AbortSignal): AsyncGenerator<RawItem> {
    const head = await this.head(signal)
    let broken: BrokenArchive | null = null
    const bytes = this.#bytes(signal)
    const chunks = (async function* () {
      try {
        yield* bytes
      } catch (error) {
        if (!(error instanceof BrokenArchive)) throw error
        broken = error
      }
    })()
    yield* splitRecords(chunks, head.encoding === 'utf-8')
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
      this.#sha256 ??= await hashFile(this.path, this.size, signal)
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

/** A record's bytes as a parsed record, or the problem with the place where they stop being JSON. */
export function parseRecord(record: RecordBytes): RecordItem {
  const text = record.bytes.toString('utf8')
  const parsed = parseJson(text, record.depth)
  if (parsed.ok) return { kind: 'record', record: { ...record, value: parsed.value, notes: parsed.notes } }
  return { kind: 'problem', problem: invalidRecord(record, text, parsed) }
}

function invalidRecord(
  record: { line: number; byteOffset: number | null; index: number },
  text: string,
  parsed: { message: string; at: number },
): Problem {
  let lines = 0
  for (let i = text.indexOf('\n'); i >= 0 && i < parsed.at; i = text.indexOf('\n', i + 1)) lines += 1
  return {
    severity: 'error',
    code: 'JSON_INVALID',
    message: `The record that begins on line ${record.line} is not JSON: ${parsed.message}.`,
    line: record.line + lines,
    record: record.index,
    ...(record.byteOffset === null
      ? {}
      : { byte: record.byteOffset + Buffer.byteLength(text.slice(0, parsed.at)) }),
  }
}
