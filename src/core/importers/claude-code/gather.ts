// The lines of a source, gathered session by session: of one file, or of a folder in which sub-agents have files of
// their own. A session that goes on from another one of the source is one with it. Holds bytes; parses nothing.

import { plural } from '../../../base/text.ts'
import { inside } from '../doubts.ts'
import { asList, asObject, asText } from '../fields.ts'
import type {
  FolderRule,
  MemberItem,
  Problem,
  RawItem,
  RecordBytes,
  Sink,
  Source,
  SourceHead,
} from '../importer.ts'
import { splitMembers } from '../members.ts'
import { peekMembers } from '../peek.ts'
import { problemOf } from '../reader.ts'

/** Lists that a session's lines stand in when a file is one object. */
export const LISTS: ReadonlySet<string> = new Set(['loglines', 'messages'])
const PROGRESS_EVERY = 500

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const AGENT_FILE = /(?:^|\/)agent-([\w-]+)\.jsonl$/i
const SESSION_FILE = new RegExp(`^${UUID}\\.jsonl$`, 'i')
const INNER_AGENT = new RegExp(`^${UUID}/subagents/(?:.*/)?agent-[\\w-]+\\.jsonl$`, 'i')
const LINES = /\.jsonl$/i

/** Whether a name is that of a sub-agent's file. */
export const isAgentFile = (name: string): boolean => AGENT_FILE.test(name)

/**
 * A project's folder, as the program keeps it: sessions named by their id, sub-agents beside or below them; or sessions
 * that a harness named otherwise (`task_18.jsonl`), with sub-agents beside them.
 */
export function sessionFolder(isLine: (fields: unknown) => boolean): FolderRule {
  const isSession = (name: string, head: SourceHead): boolean =>
    LINES.test(name) &&
    !isAgentFile(name) &&
    (head.markers?.get(name) ?? []).some(({ value }) => isLine(value))
  return {
    markers: [SESSION_FILE, /^agent-[\w-]+\.jsonl$/i],
    also: (listing) => (listing.some(isAgentFile) ? listing.filter((name) => LINES.test(name)) : []),
    owns: (name, head) =>
      INNER_AGENT.test(name) || (!name.includes('/') && (isAgentFile(name) || isSession(name, head))),
  }
}

/** Whether a folder holds sessions whose sub-agents have files of their own; else each file is read by itself. */
export function isSessionFolder(head: SourceHead, isLine: (fields: unknown) => boolean): boolean {
  const listing = new Set(head.entries ?? [])
  let hasAgents = [...listing].some((name) => isAgentFile(name))
  let hasSession = false
  for (const [name, records] of head.markers ?? []) {
    if (isAgentFile(name) || !records.some(({ value }) => isLine(value))) continue
    hasSession = true
    hasAgents ||= SESSION_FILE.test(name) && listing.has(`${name.replace(LINES, '')}/`)
  }
  return hasSession && hasAgents
}

/** A line that waits for the rest of its session. `agentId` is that of its file, `file` its name in a folder. */
export type Held = {
  readonly record: RecordBytes
  readonly agentId: string | null
  readonly file: string | null
  readonly uuid: string | null
  readonly parent: string | null
  /** Which object of a list of sessions it stands in, from 0. */
  readonly list: number
}

/** Lines of one session, in the order of the source. */
export type Group = { id: string | null; readonly held: Held[] }

/** The sessions of the source, in the order of their first lines. Records that cannot be read go to the sink. */
export async function gather(source: Source, sink: Sink, signal: AbortSignal): Promise<Group[]> {
  const groups = new Map<string, Group>()
  const sessionOf = new Map<string, string>()
  const loose: Held[] = []
  let count = 0
  const report = (): void =>
    sink.progress({ bytesRead: source.bytesRead(), bytesTotal: source.size, records: count })
  for await (const { record, agentId, file, list } of heldRecords(source, sink, signal)) {
    const peeked = peekMembers(record.bytes, ['sessionId', 'session_id', 'uuid', 'parentUuid', 'leafUuid'])
    const id = asText(peeked.sessionId) ?? asText(peeked.session_id)
    const parent = asText(peeked.parentUuid ?? peeked.leafUuid)
    const held = { record, agentId, file, list, uuid: asText(peeked.uuid), parent }
    // Sessions that are told apart by nothing but where they stand.
    const key = id ?? (list > 0 ? `\0${list}` : null)
    const group = key === null ? undefined : groups.get(key)
    if (group !== undefined) group.held.push(held)
    else if (key === null) loose.push(held)
    else groups.set(key, { id, held: [held] })
    if (id !== null && held.uuid !== null && !sessionOf.has(held.uuid)) sessionOf.set(held.uuid, id)
    count += 1
    if (count % PROGRESS_EVERY === 0) report()
  }
  report()
  placeLoose(loose, groups, sessionOf)
  return joinContinued([...groups.values()], sessionOf)
}

/** Gives lines without a session to the one of the line that they name, or to the nearest before them. */
function placeLoose(
  loose: readonly Held[],
  groups: Map<string, Group>,
  sessionOf: ReadonlyMap<string, string>,
): void {
  if (loose.length === 0) return
  if (groups.size === 0) groups.set('', { id: null, held: [] })
  const all = [...groups.values()]
  const starts = all.map((group) => group.held[0]?.record.index ?? 0)
  for (const held of loose) {
    const named = groups.get(sessionOf.get(held.parent ?? '') ?? '')
    const nearest = starts.findLastIndex((start) => start < held.record.index)
    ;(named ?? all[Math.max(0, nearest)])?.held.push(held)
  }
  for (const group of all) group.held.sort((a, b) => a.record.index - b.record.index)
}

/** Joins a session to the one that it goes on from, when its lines name a parent in that one. */
function joinContinued(groups: readonly Group[], sessionOf: ReadonlyMap<string, string>): Group[] {
  const byId = new Map(groups.map((group) => [group.id, group]))
  const out = new Set<Group>()
  for (const group of groups) {
    const own = new Set(group.held.flatMap((held) => held.uuid ?? []))
    const from = group.held
      .map((held) => (held.parent === null || own.has(held.parent) ? undefined : sessionOf.get(held.parent)))
      .find((id) => id !== undefined && id !== group.id)
    const before = from === undefined ? undefined : byId.get(from)
    if (before === undefined || !out.has(before)) {
      out.add(group)
      continue
    }
    for (const held of group.held) before.held.push(held)
    before.held.sort((a, b) => a.record.index - b.record.index)
    before.id = group.id
    byId.set(group.id, before)
  }
  return [...out]
}

type FileRecord = Pick<Held, 'record' | 'agentId' | 'file' | 'list'>

async function* heldRecords(source: Source, sink: Sink, signal: AbortSignal): AsyncGenerator<FileRecord> {
  const head = await source.head(signal)
  if (head.shape !== 'folder') {
    for await (const { record, list } of lineRecords(source, head, null, sink, signal))
      yield { record, list, agentId: null, file: null }
    return
  }
  const isAgent = (name: string): number => (isAgentFile(name) ? 1 : 0)
  const entries = [...(await source.entries(signal))].sort((a, b) => isAgent(a.name) - isAgent(b.name))
  let index = 0
  for (const entry of entries) {
    const agentId = AGENT_FILE.exec(entry.name)?.[1] ?? null
    try {
      const file = entry.source()
      for await (const { record, list } of lineRecords(
        file,
        await file.head(signal),
        entry.name,
        sink,
        signal,
      ))
        yield { record: { ...record, index: index++ }, list, agentId, file: entry.name }
    } catch (error) {
      signal.throwIfAborted()
      const problem = problemOf(error)
      sink.problem({ ...problem, message: `${inside(entry.name)}${problem.message}` })
    }
  }
}

type LineRecord = Pick<Held, 'record' | 'list'>
type AnyItem = RawItem | MemberItem

/** The records that lines are: those of the file, or the elements of its list or lists. Broken ones go to the sink. */
async function* lineRecords(
  source: Source,
  head: SourceHead,
  name: string | null,
  sink: Sink,
  signal: AbortSignal,
): AsyncGenerator<LineRecord> {
  const first = asObject(head.records[0]?.value)
  const isWrapped = first !== null && [...LISTS].some((list) => asList(first[list]) !== null)
  const tell = (problem: Problem): void =>
    sink.problem({ ...problem, message: `${inside(name)}${problem.message}` })
  const items: AsyncIterable<AnyItem> =
    isWrapped && head.shape !== 'array' ? source.members(LISTS, signal) : source.rawRecords(signal)
  let list = -1
  for await (const item of items) {
    signal.throwIfAborted()
    if (item.kind === 'problem') tell(item.problem)
    else if (item.kind === 'list') list += 1
    else if (item.kind === 'element') yield { record: item.record, list: Math.max(0, list) }
    else if (item.kind === 'record' && isWrapped) {
      list += 1
      for await (const inner of innerRecords(item.record))
        if (inner.kind === 'problem') tell(inner.problem)
        else if (inner.kind === 'element') yield { record: inner.record, list }
    } else if (item.kind === 'record') yield { record: item.record, list: 0 }
  }
}

/** The elements of the lists in one object of a list of sessions, with their places in the file. */
async function* innerRecords(outer: RecordBytes): AsyncGenerator<MemberItem> {
  const bytes = (async function* () {
    yield outer.bytes
  })()
  for await (const item of splitMembers(bytes, LISTS, outer.byteOffset !== null))
    if (item.kind !== 'element') yield item
    else {
      const { byteOffset, line } = item.record
      const at = byteOffset === null || outer.byteOffset === null ? null : outer.byteOffset + byteOffset
      yield { ...item, record: { ...item.record, byteOffset: at, line: outer.line + line - 1 } }
    }
}

/**
 * The file that is all of a session and of no other, sub-agents aside: its name may tell the task. Null where sessions
 * share a file, or one lies in several.
 */
export function ownFile(group: Group, groups: readonly Group[]): string | null {
  const files = new Set(
    group.held.flatMap(({ agentId, file }) => (agentId === null && file !== null ? [file] : [])),
  )
  const [file] = files
  if (file === undefined || files.size > 1) return null
  const isShared = groups.some((other) => other !== group && other.held.some((held) => held.file === file))
  return isShared ? null : file
}

/** Takes out the sub-agents whose session is not in the folder: they are no trials of their own. */
export function withoutOrphans(groups: readonly Group[], sink: Sink): Group[] {
  const isOrphan = (group: Group): boolean => group.held.every((held) => held.agentId !== null)
  const orphans = groups.filter(isOrphan)
  const files = new Set(orphans.flatMap((group) => group.held.map((held) => held.file)))
  if (files.size > 0)
    sink.problem({
      severity: 'warning',
      code: 'RECORD_ORPHAN',
      message: `${plural(files.size, 'file')} of sub-agents whose session is not in the folder: left out.`,
      hint: 'Import such a file by itself to read it as a trial.',
    })
  return groups.filter((group) => !isOrphan(group))
}
