// Records that are parts of a trial: joined to one original record, or gathered where a conversation's messages or
// events are records of their own, whatever list of the file they stand in. Stands between reader.ts and the formats.

import type { Problem, Sink, SourceRecord } from './importer.ts'

/** More of one conversation is not held in memory. */
const MAX_CONVERSATION_BYTES = 256 * 1024 * 1024
const LINE_FEED = Buffer.from('\n')

/** The original record of a trial that is made of several: their bytes with a line feed between. */
export function joinedBytes(parts: readonly Buffer[]): Buffer {
  if (parts.length === 1) return parts[0] as Buffer
  return Buffer.concat(parts.flatMap((part, i) => (i === 0 ? [part] : [LINE_FEED, part])))
}

/** Gathers records conversation by conversation. What is beyond 256 MiB of one is left out, and said. */
export class LooseRecords {
  readonly #groups = new Map<string, { readonly records: SourceRecord[]; bytes: number }>()
  readonly #sink: Sink

  constructor(sink: Sink) {
    this.#sink = sink
  }

  /** Takes a record. Lists one behind the other in a file are conversations of their own, as `key` makes them too. */
  take(record: SourceRecord, place: Pick<Problem, 'line' | 'byte' | 'record'>, key = ''): void {
    const name = `${record.list ?? 0} ${key}`
    const group = this.#groups.get(name) ?? { records: [], bytes: 0 }
    this.#groups.set(name, group)
    if (group.bytes > MAX_CONVERSATION_BYTES) return
    group.bytes += record.bytes.length
    if (group.bytes > MAX_CONVERSATION_BYTES)
      this.#sink.problem({
        severity: 'error',
        code: 'TOO_LARGE',
        message: `The conversation is longer than ${MAX_CONVERSATION_BYTES / 1048576} MiB: what comes after is not read.`,
        ...place,
      })
    // A copy: a view would hold the whole chunk that it was read in.
    else group.records.push({ ...record, bytes: Buffer.from(record.bytes) })
  }

  /** The conversations in the order of their first records; each has at least one. */
  conversations(): readonly (readonly [SourceRecord, ...SourceRecord[]])[] {
    return [...this.#groups.values()].flatMap(({ records: [first, ...rest] }) =>
      first === undefined ? [] : [[first, ...rest] as const],
    )
  }
}
