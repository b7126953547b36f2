// A folder as one source, for formats that are folders of files (walk.ts decides which). Stands between the walk and
// an importer: lists the files that belong to it, each a source of its own, on disk or in a zip. Reads nothing by
// itself and knows no format.

import { createHash } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import { toFileFault } from './bytes.ts'
import type {
  HeadRecord,
  MemberItem,
  Problem,
  RawItem,
  RecordItem,
  Source,
  SourceEntry,
  SourceHead,
  SourceLine,
} from './importer.ts'

/** What a folder is called and what lies directly in it. */
export type FolderFacts = {
  readonly name: string
  readonly path: string
  readonly origin: 'file' | 'folder'
  /** Names of what lies directly in it, sub-folders with `/` behind. */
  readonly listing: readonly string[]
  readonly markers: ReadonlyMap<string, readonly HeadRecord[]>
}

/** The head of a folder, as importers sniff it. */
export function folderHead(facts: FolderFacts): SourceHead {
  return {
    name: facts.name,
    size: 0,
    bytes: Buffer.alloc(0),
    text: '',
    isWhole: true,
    isGzip: false,
    encoding: 'utf-8',
    shape: 'folder',
    magic: null,
    records: [],
    nulAt: null,
    entries: facts.listing,
    markers: facts.markers,
  }
}

/** A folder as a source. `entries` are the files that belong to its format, named from inside of it. */
export function folderSource(facts: FolderFacts, entries: readonly SourceEntry[]): Source {
  return new FolderSource(facts, entries)
}

/** The same member under another name: from inside of a folder of the archive. */
export function renamedEntry(entry: SourceEntry, name: string): SourceEntry {
  return {
    name,
    size: entry.size,
    compressedSize: entry.compressedSize,
    refused: entry.refused,
    read: (signal) => entry.read(signal),
    source: () => entry.source(),
  }
}

/** A file on disk as a member of the folder that it lies in. */
export function diskEntry(name: string, size: number, open: () => Source): SourceEntry {
  return {
    name,
    size,
    compressedSize: size,
    refused: null,
    read: async (signal) => {
      try {
        return Buffer.from(await open().text(signal))
      } catch (error) {
        throw toFileFault(error, name)
      }
    },
    source: open,
  }
}

class FolderSource implements Source {
  readonly name: string
  readonly path: string
  readonly size: number
  readonly origin: 'file' | 'folder'
  readonly #head: SourceHead
  readonly #entries: readonly SourceEntry[]
  /** The file being read, and the bytes of those before it. */
  #opened: { readonly name: string; readonly source: Source } | null = null
  #bytesBefore = 0
  /** Hashes of the files that were read. */
  readonly #hashes = new Map<string, Promise<string | null>>()

  constructor(facts: FolderFacts, entries: readonly SourceEntry[]) {
    this.name = facts.name
    this.path = facts.path
    this.origin = facts.origin
    this.size = entries.reduce((sum, entry) => sum + entry.compressedSize, 0)
    this.#head = { ...folderHead(facts), size: this.size }
    this.#entries = entries
  }

  head(): Promise<SourceHead> {
    return Promise.resolve(this.#head)
  }

  bytesRead(): number {
    return Math.min(this.size, this.#bytesBefore + (this.#opened?.source.bytesRead() ?? 0))
  }

  isArchive(): Promise<boolean> {
    return Promise.resolve(false)
  }

  entries(): Promise<readonly SourceEntry[]> {
    return Promise.resolve(
      this.#entries.map((entry) => ({
        ...entry,
        source: () => {
          this.#leave()
          const source = entry.source()
          this.#opened = { name: entry.name, source }
          return source
        },
      })),
    )
  }

  /** Keeps of the file before only its hash: a folder may have more files than there is memory for their heads. */
  #leave(): void {
    if (this.#opened === null) return
    const { name, source } = this.#opened
    this.#opened = null
    this.#bytesBefore += source.bytesRead()
    // Free when it was read to its end. A file that cannot be read has its name and size in the hash.
    this.#hashes.set(
      name,
      source.sha256().catch(() => null),
    )
  }

  async sha256(): Promise<string> {
    this.#leave()
    const hash = createHash('sha256')
    for (const { name, size } of this.#entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const content = await this.#hashes.get(name)
      hash.update(`${JSON.stringify(name)} ${size} ${content ?? '-'}\n`)
    }
    return hash.digest('hex')
  }

  text(): Promise<string> {
    return Promise.reject(new Fault('FORMAT_INVALID', this.#noFile().message))
  }

  lines(): AsyncGenerator<SourceLine> {
    return this.#nothing()
  }

  async *rawRecords(): AsyncGenerator<RawItem> {
    yield { kind: 'problem', problem: this.#noFile() }
  }

  async *records(): AsyncGenerator<RecordItem> {
    yield { kind: 'problem', problem: this.#noFile() }
  }

  async *members(): AsyncGenerator<MemberItem> {
    yield { kind: 'problem', problem: this.#noFile() }
  }

  // eslint-disable-next-line require-yield
  async *#nothing(): AsyncGenerator<never> {
    throw new Fault('FORMAT_INVALID', this.#noFile().message)
  }

  #noFile(): Problem {
    return {
      severity: 'error',
      code: 'RECORD_INVALID',
      message: `${this.name} is a folder, and not one file as this format is.`,
      hint: 'Import the file that is meant, by itself.',
    }
  }
}
