// The .eval form of an Inspect log: which member of the zip is what. Samples come whole in one member each, or, in
// the chunked layout, in several that are put together here. Reads members one at a time and only those it needs.

import type { Json, JsonObject } from '../../../base/json.ts'
import { asList, asObject, asText, member } from '../fields.ts'
import type { ParseNote, SourceEntry } from '../importer.ts'
import { parseJson } from '../parse.ts'
import { joinedBytes } from '../loose.ts'

const HEADER = 'header.json'
const START = '_journal/start.json'
const WHOLE = /^samples\/.+\.json$/s
const CHUNKED = /^(samples\/.+_epoch_\d+)\/sample\.json$/s

/** One sample in the zip: a member, or the members that it is made of. */
export type ZippedSample =
  | { readonly kind: 'whole'; readonly name: string; readonly entry: SourceEntry }
  | { readonly kind: 'chunked'; readonly name: string; readonly parts: ReadonlyMap<string, SourceEntry> }

/** What the zip holds. */
export type Contents = {
  readonly header: SourceEntry | null
  readonly start: SourceEntry | null
  readonly samples: readonly ZippedSample[]
  /** Sample members that are not read, with their reason. */
  readonly refused: readonly SourceEntry[]
}

/** True when the names are those of an Inspect log. */
export function isInspectZip(names: readonly string[]): boolean {
  const has = new Set(names)
  const hasParts = names.some((name) => name.startsWith('samples/') || name.startsWith('_journal/'))
  return has.has(START) || (has.has(HEADER) && (hasParts || has.has('summaries.json')))
}

/** Sorts the members of a log; samples stay in their order, which is the order in which they ended. */
export function contentsOf(entries: readonly SourceEntry[]): Contents {
  const readable = entries.filter((entry) => entry.refused === null)
  const named = (name: string): SourceEntry | null => readable.find((entry) => entry.name === name) ?? null
  const parts = new Map<string, Map<string, SourceEntry>>()
  for (const entry of readable) {
    const prefix = CHUNKED.exec(entry.name)?.[1]
    if (prefix !== undefined) parts.set(prefix, new Map())
  }
  const inChunk = (name: string): string | null => {
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1))
      if (parts.has(name.slice(0, at))) return name.slice(0, at)
    return null
  }
  const samples: ZippedSample[] = []
  for (const entry of readable) {
    if (!WHOLE.test(entry.name)) continue
    const prefix = inChunk(entry.name)
    if (prefix === null) samples.push({ kind: 'whole', name: entry.name, entry })
    else {
      const chunks = parts.get(prefix)
      if (chunks?.size === 0) samples.push({ kind: 'chunked', name: prefix, parts: chunks })
      chunks?.set(entry.name.slice(prefix.length + 1), entry)
    }
  }
  return {
    header: named(HEADER),
    start: named(START),
    samples,
    refused: entries.filter((entry) => entry.refused !== null && WHOLE.test(entry.name)),
  }
}

/** A sample's original bytes and its value, or why it is not JSON. */
export type ReadSample =
  | { readonly ok: true; readonly bytes: Buffer; readonly value: Json; readonly notes: readonly ParseNote[] }
  | {
      readonly ok: false
      readonly bytes: Buffer
      readonly name: string
      readonly message: string
      readonly at: number
    }

/** Reads one sample. Throws what reading a member throws. */
export async function readZipped(sample: ZippedSample, signal: AbortSignal): Promise<ReadSample> {
  if (sample.kind === 'chunked') return readChunked(sample.parts, signal)
  const bytes = await sample.entry.read(signal)
  const parsed = parse(bytes)
  return parsed.ok ? { ...parsed, bytes } : { ...parsed, bytes, name: sample.name }
}

function parse(bytes: Buffer): ReturnType<typeof parseJson> {
  // The depth is not known before: the careful way where the quick one could run out of stack or lose digits.
  return parseJson(bytes.toString('utf8'), deepestOf(bytes))
}

/** Nesting of a JSON text, or at least as much. */
function deepestOf(bytes: Buffer): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i]
    if (isInString) {
      if (byte === 0x5c) i += 1
      else if (byte === 0x22) isInString = false
    } else if (byte === 0x22) isInString = true
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1
      if (depth > deepest) deepest = depth
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1
  }
  return deepest
}

/**
 * A sample of the chunked layout: a shell, and sequences whose chunks are named by the position of their first item.
 * Texts that were taken out are referred to by their position. Model call payloads, and what only serves finding
 * (skeleton, statistics, ids), are not read.
 */
async function readChunked(
  parts: ReadonlyMap<string, SourceEntry>,
  signal: AbortSignal,
): Promise<ReadSample> {
  const read: Buffer[] = []
  const notes: ParseNote[] = []
  let broken: (ReadSample & { ok: false }) | null = null
  const take = async (name: string): Promise<Json | undefined> => {
    const entry = parts.get(name)
    if (entry === undefined) return undefined
    const bytes = await entry.read(signal)
    read.push(bytes)
    const parsed = parse(bytes)
    if (parsed.ok) {
      notes.push(...parsed.notes)
      return parsed.value
    }
    broken ??= { ...parsed, bytes, name: entry.name }
    return undefined
  }
  const sequence = async (name: string): Promise<Json[]> => {
    const starts = [...parts.keys()]
      .map((key) => new RegExp(`^${name}/(\\d+)\\.json$`).exec(key)?.[1])
      .filter((start) => start !== undefined)
      .sort((a, b) => Number(a) - Number(b))
    const items: Json[] = []
    for (const start of starts)
      for (const item of asList(await take(`${name}/${start}.json`)) ?? []) items.push(item)
    return items
  }
  const shell = asObject(await take('sample.json'))
  const metadata = await take('metadata.json')
  const pool = await sequence('messages')
  const events = await sequence('events')
  const attachments = await sequence('attachments')
  if (broken !== null) return broken
  const { message_refs: references, ...rest } = shell ?? {}
  const value: JsonObject = {
    ...rest,
    ...(metadata === undefined ? {} : { metadata }),
    messages: expand(references, pool),
    events,
    events_data: { messages: pool },
    attachments,
  }
  return { ok: true, bytes: joinedBytes(read), value, notes }
}

function expand(references: Json | undefined, pool: readonly Json[]): Json[] {
  return (asList(references) ?? []).flatMap((range) => {
    const [from, to] = asList(range) ?? []
    return typeof from === 'number' && typeof to === 'number' ? pool.slice(from, to) : []
  })
}

/** The name of a log's own problem field, for messages: its error's first line. */
export function logError(log: JsonObject): string | null {
  return asText(member(log['error'], 'message'))?.split('\n')[0]?.slice(0, 300) ?? null
}
