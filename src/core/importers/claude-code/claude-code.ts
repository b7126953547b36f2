// Claude Code sessions: the JSONL that the program keeps, the log of `claude -p --output-format stream-json`, and the
// export of its web version. Lines are gathered session by session; the lines of a session are one trial. Memory is
// the bytes of the file: a session may go on at its last line. The outcome is never inside.

import { isObject, type JsonObject } from '../../../base/json.ts'
import { oneLine, plural } from '../../../base/text.ts'
import { asList, asObject, asText } from '../fields.ts'
import { inside, tellDoubts, tellNoOutcome } from '../doubts.ts'
import type { Importer, Problem, Sink, Sniff, Source, SourceHead } from '../importer.ts'
import type { StepDoubt } from '../messages.ts'
import { guarded, noteRecord, placeOf } from '../reader.ts'
import { parseRecord } from '../parserecord.ts'
import { peekMembers } from '../peek.ts'
import {
  gather,
  isAgentFile,
  isSessionFolder,
  LISTS,
  ownFile,
  sessionFolder,
  withoutOrphans,
  type Group,
  type Held,
} from './gather.ts'
import { toLine, type Line } from './lines.ts'
import { readSession } from './session.ts'
import { joinedBytes } from '../loose.ts'

const MAX_SESSION_BYTES = 256 * 1024 * 1024
/** Types of lines that only this format has, and that may come first. */
const OWN_TYPES = new Set(['file-history-snapshot', 'queue-operation', 'custom-title', 'ai-title'])

/** Reads Claude Code sessions. */
export const claudeCode: Importer = {
  id: 'claude-code',
  title: 'Claude Code session',
  version: 2,
  status: 'stable',
  nameHint: /claude/i,
  folder: sessionFolder(isSessionLine),
  sniff,
  read,
}

function sniff(head: SourceHead): Sniff {
  if (head.shape === 'folder')
    return isSessionFolder(head, isSessionLine)
      ? { confidence: 0.9, reason: 'a folder of sessions with files of sub-agents' }
      : { confidence: 0, reason: 'a folder without sessions that have files of sub-agents' }
  const first = asObject(head.records[0]?.value)
  for (const list of LISTS) {
    const inner = asObject(asList(first?.[list])?.[0])
    const reason = inner === null ? null : lineReason(inner)
    if (reason !== null) return { confidence: 0.9, reason: `an object with a list of ${reason}` }
  }
  for (const { value } of head.records) {
    const fields = asObject(value)
    const reason = fields === null ? null : lineReason(fields)
    if (reason !== null) return { confidence: 0.9, reason }
  }
  return { confidence: 0, reason: 'no line with sessionId and message, and no stream-json line' }
}

function isSessionLine(value: unknown): boolean {
  return isObject(value) && lineReason(value as JsonObject) !== null
}

/** Why an object is a line of a session; null when it is none. */
function lineReason(fields: JsonObject): string | null {
  const type = asText(fields['type'])
  const message = asObject(fields['message'])
  const isMessage = message !== null && (Object.hasOwn(message, 'role') || Object.hasOwn(message, 'content'))
  if (asText(fields['sessionId']) !== null) {
    if (isMessage) return 'lines with sessionId and message'
    if (type !== null && (Object.hasOwn(fields, 'uuid') || OWN_TYPES.has(type)))
      return `lines with sessionId, of type ${oneLine(type, 40)}`
  }
  if (type === 'summary' && Object.hasOwn(fields, 'leafUuid')) return 'a summary with leafUuid'
  if (type === 'file-history-snapshot' && Object.hasOwn(fields, 'snapshot')) return 'a file-history-snapshot'
  if (asText(fields['session_id']) !== null) {
    if (type === 'system' && asText(fields['subtype']) !== null) return 'stream-json lines of type system'
    if (isMessage && (type === 'assistant' || type === 'user')) return 'stream-json lines with message'
    if (type === 'result' && Object.hasOwn(fields, 'num_turns')) return 'a stream-json result'
  }
  if (isMessage && (type === 'assistant' || type === 'user') && asText(message['role']) === type)
    return 'lines with type and message of one role'
  return null
}

async function read(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const isFolder = (await source.head(signal)).shape === 'folder'
  const all = await gather(source, sink, signal)
  if (!isFolder && source.origin === 'folder' && isAgentFile(source.name) && tellOrphan(all, sink)) return
  const groups = isFolder ? withoutOrphans(all, sink) : all
  const unknown = new Map<string, number>()
  let isStream = false
  let trials = 0
  for (const group of groups) {
    signal.throwIfAborted()
    const first = group.held[0] as Held
    const bytes = group.held.reduce((sum, { record }) => sum + record.bytes.length, 0)
    if (bytes > MAX_SESSION_BYTES) {
      sink.problem({
        severity: 'error',
        code: 'TOO_LARGE',
        message: `${inside(first.file)}The session ${group.id ?? ''} is longer than ${MAX_SESSION_BYTES / 1048576} MiB: not read.`,
        ...placeIn(first),
      })
      continue
    }
    const lines = parseLines(group.held, unknown, sink)
    if (lines.length === 0) continue
    isStream ||= lines.some((line) => line.kind === 'init' || line.kind === 'result')
    const doubts: StepDoubt[] = []
    const place = { id: group.id, fileName: nameOf(group, groups, source, isFolder) }
    const found = guarded(first.record, sink, () => readSession(lines, place, doubts))
    say(doubts, first, sink)
    for (const { trial, key, lines: own } of found ?? []) {
      const begin = own[0]?.record ?? first.record
      trials += 1
      await sink.trial({
        trial,
        recordBytes: joinedBytes(own.map(({ record }) => record.bytes)),
        identitySalt: null,
        sourceKey: key,
        record: begin.index,
        line: isFolder ? null : begin.line,
        byteOffset: isFolder ? null : begin.byteOffset,
      })
    }
  }
  sayUnknown(unknown, sink)
  if (isStream)
    sink.problem({
      severity: 'info',
      code: 'FORMAT_BETA',
      message: 'stream-json logs were not tried on a real log (beta).',
    })
  tellNoOutcome(trials, 'session', sink)
}

/** The name that may tell the task of a session; null where several share it. */
function nameOf(group: Group, groups: readonly Group[], source: Source, isFolder: boolean): string | null {
  const file = isFolder ? ownFile(group, groups) : null
  if (file !== null) return `${source.name}/${file}`
  return groups.length === 1 ? source.name : null
}

/** Tells of a sub-agent's file that was found in a folder without its session, and that it is no trial there. */
function tellOrphan(groups: readonly Group[], sink: Sink): boolean {
  const isAside = groups.every(({ held }) =>
    held.every(({ record }) => peekMembers(record.bytes, ['isSidechain']).isSidechain === true),
  )
  if (groups.length === 0 || !isAside) return false
  sink.problem({
    severity: 'error',
    code: 'RECORD_ORPHAN',
    message: 'The steps of a sub-agent, whose session is not in the folder: left out.',
    hint: 'Put it beside its session; or import it by itself to read it as a trial.',
  })
  return true
}

function sayUnknown(unknown: ReadonlyMap<string, number>, sink: Sink): void {
  for (const [type, count] of unknown)
    sink.problem({
      severity: 'info',
      code: 'RECORD_UNKNOWN',
      message: `${plural(count, 'line')} of the type “${oneLine(type, 60)}” ${count === 1 ? 'is' : 'are'} not known; left out.`,
    })
}

function parseLines(held: readonly Held[], unknown: Map<string, number>, sink: Sink): Line[] {
  const lines: Line[] = []
  for (const one of held) {
    const { record } = one
    const parsed = parseRecord(record)
    if (parsed.kind === 'problem') {
      sink.problem({ ...parsed.problem, message: `${inside(one.file)}${parsed.problem.message}` })
      continue
    }
    noteRecord(parsed.record, sink)
    const line = toLine(parsed.record, one.agentId)
    if (line === null || line.type === '') {
      sink.problem({
        severity: 'error',
        code: 'RECORD_INVALID',
        message: `${inside(one.file)}The record is not a line of a session (no type, no message): skipped.`,
        ...placeIn(one),
      })
      continue
    }
    if (line.kind === 'unknown') unknown.set(line.type, (unknown.get(line.type) ?? 0) + 1)
    lines.push(line)
  }
  return lines
}

const QUIET_CODES = new Set<Problem['code']>(['BRANCH_LEFT', 'RECORD_DUPLICATE'])

function say(doubts: readonly StepDoubt[], held: Held, sink: Sink): void {
  const quiet: Sink = {
    ...sink,
    problem: (problem) =>
      sink.problem(QUIET_CODES.has(problem.code) ? { ...problem, severity: 'info' } : problem),
  }
  tellDoubts(doubts, placeIn(held), held.file, quiet)
}

/** The place of a line; in a folder its file is named in words. */
function placeIn(held: Held): Pick<Problem, 'line' | 'byte' | 'record'> {
  return held.file === null ? placeOf(held.record) : {}
}
