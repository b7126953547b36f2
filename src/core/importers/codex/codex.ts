// Codex sessions: the rollout files that the program keeps, from its oldest form on, and the log of `codex exec
// --json`. The lines of a session are one trial; sessions one after another in a file are several. The outcome is
// never inside.

import { asList, asObject, asText } from '../fields.ts'
import { isObject, type Json, type JsonObject } from '../../../base/json.ts'
import { oneLine, plural } from '../../../base/text.ts'
import { tellDoubts, tellNoOutcome } from '../doubts.ts'
import type { Importer, RecordBytes, Sink, Sniff, Source, SourceHead, SourceRecord } from '../importer.ts'
import { guarded, placeOf, readRecords } from '../reader.ts'
import { isResponseItem, itemsOf } from '../responses.ts'
import { ExecLog, isExecLine } from './exec.ts'
import { Rollout, toCodexLine } from './rollout.ts'
import { joinedBytes } from '../loose.ts'

const MAX_SESSION_BYTES = 256 * 1024 * 1024
const LINE_TYPES = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted'])
const OWN_TOOLS = /^(?:exec_command|write_stdin|shell|shell_command|apply_patch|update_plan)$/

/** Reads Codex sessions. */
export const codex: Importer = {
  id: 'codex',
  title: 'Codex session',
  version: 1,
  status: 'beta',
  nameHint: /codex|rollout/i,
  sniff,
  read,
}

function sniff(head: SourceHead): Sniff {
  for (const { value } of head.records) {
    const fields = asObject(value)
    if (fields === null) continue
    const type = asText(fields['type'])
    if (type !== null && LINE_TYPES.has(type) && isObject(fields['payload']))
      return { confidence: 0.9, reason: `lines with ${type} and payload` }
    if (isExecLine(fields) && type !== 'error') return { confidence: 0.85, reason: `lines of type ${type}` }
  }
  const first = asObject(head.records[0]?.value)
  if (first !== null) {
    const isHeader = ['id', 'timestamp', 'instructions'].every((key) => Object.hasOwn(first, key))
    if (isHeader && head.records.slice(1).some(({ value }) => isResponseItem(value)))
      return { confidence: 0.85, reason: 'a header with id and instructions, then items' }
    const items = itemsOf(first['items'])
    if (items !== null && (isObject(first['session']) || items.slice(0, 3).some(isOwnItem)))
      return { confidence: 0.8, reason: 'an object with items that Codex writes' }
  }
  return { confidence: 0, reason: 'no session_meta, response_item or item.completed' }
}

/** Items that only Codex writes: its own tools, and what it adds to items. */
function isOwnItem(item: Json): boolean {
  const fields = asObject(item)
  return (
    OWN_TOOLS.test(asText(fields?.['name']) ?? '') ||
    Object.keys(fields ?? {}).some((key) => key.startsWith('internal_chat_message_'))
  )
}

/** A session with the records that it was made of. */
type Open = { readonly reader: Rollout | ExecLog; readonly records: RecordBytes[]; bytes: number }

async function read(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  let open: Open | null = null
  // A session is handed on when the next one begins: only then is it known whether the file holds one or more.
  let waiting: Open | null = null
  let trials = 0
  const emit = async (session: Open, fileName: string | null): Promise<void> => {
    trials += await emitSession(session, fileName, sink)
  }
  for await (const record of readRecords(source, sink, signal)) {
    const reader = readerFor(record, open, sink)
    if (reader === null) continue
    if (open === null || reader !== open.reader) {
      if (waiting !== null) await emit(waiting, null)
      waiting = open
      open = { reader, records: [], bytes: 0 }
    }
    // Without what was parsed: the reader has taken what it needs.
    const { bytes, index, line, byteOffset, depth } = record
    open.records.push({ bytes, index, line, byteOffset, depth })
    open.bytes += record.bytes.length
    if (open.bytes > MAX_SESSION_BYTES) {
      sink.problem({
        severity: 'error',
        code: 'TOO_LARGE',
        message: `The session is longer than ${MAX_SESSION_BYTES / 1048576} MiB: what comes after is not read.`,
        ...placeOf(record),
      })
      break
    }
    guarded(record, sink, () => takeRecord(reader, record))
  }
  if (waiting !== null) await emit(waiting, null)
  if (open !== null) await emit(open, trials === 0 ? source.name : null)
  if (trials > 0)
    sink.problem({
      severity: 'info',
      code: 'FORMAT_BETA',
      message: 'Codex sessions were not tried on a whole real one (beta).',
    })
  tellNoOutcome(trials, 'session', sink)
}

/** The reader that a record belongs to: the one at hand, or a new one; null, and said, when it is no line. */
function readerFor(record: SourceRecord, open: Open | null, sink: Sink): Rollout | ExecLog | null {
  const fields = asObject(record.value)
  if (fields !== null && isExecLine(fields)) {
    const log = open?.reader
    return log instanceof ExecLog && !log.isOther(fields) ? log : new ExecLog()
  }
  const line = fields === null ? null : toCodexLine(fields)
  if (line === null && (fields === null || !Array.isArray(fields['items']))) {
    sink.problem({
      severity: 'error',
      code: 'RECORD_INVALID',
      message: `The record is not a line of a session (${fields === null ? 'no object' : keysOf(fields)}): skipped.`,
      ...placeOf(record),
    })
    return null
  }
  const rollout = open?.reader
  const goesOn = rollout instanceof Rollout && line !== null && !rollout.isOther(line)
  return goesOn ? rollout : new Rollout()
}

function keysOf(fields: JsonObject): string {
  return `it has ${oneLine(Object.keys(fields).slice(0, 5).join(', '), 80) || 'no members'}`
}

function takeRecord(reader: Rollout | ExecLog, record: SourceRecord): void {
  const fields = asObject(record.value) as JsonObject
  if (reader instanceof ExecLog) return reader.take(fields)
  const line = toCodexLine(fields)
  if (line !== null) return reader.take(line)
  // The oldest files, and what others cut from newer ones: one object with all items.
  const session = asObject(fields['session'])
  if (session !== null)
    reader.take({ type: 'session_meta', payload: session, at: asText(session['timestamp']) })
  for (const item of asList(fields['items']) ?? []) {
    const inner = asObject(item)
    if (inner !== null) reader.take({ type: 'response_item', payload: inner, at: asText(inner['timestamp']) })
  }
}

/** Hands a session on; gives the number of trials, 0 or 1. */
async function emitSession(session: Open, fileName: string | null, sink: Sink): Promise<number> {
  const first = session.records[0] as RecordBytes
  const found = guarded(first, sink, () => session.reader.finish(fileName))
  if (found === null) return 0
  tellDoubts(found.doubts, placeOf(first), null, sink)
  for (const [type, count] of found.unknown)
    sink.problem({
      severity: 'info',
      code: 'RECORD_UNKNOWN',
      message: `${plural(count, 'line')} of the type “${oneLine(type, 60)}” ${count === 1 ? 'is' : 'are'} not known; left out.`,
    })
  await sink.trial({
    trial: found.trial,
    recordBytes: joinedBytes(session.records.map(({ bytes }) => bytes)),
    identitySalt: null,
    sourceKey: found.trial.sourceId,
    record: first.index,
    line: first.line,
    byteOffset: first.byteOffset,
  })
  return 1
}
