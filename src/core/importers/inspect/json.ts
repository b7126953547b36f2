// Inspect logs as JSON: one object with a list of samples, or several logs in a list or one behind the other. Memory is
// one sample, and what the logs say of themselves.

import type { Json, JsonObject } from '../../../base/json.ts'
import { asText, member } from '../fields.ts'
import type { RecordBytes, Sink, Source } from '../importer.ts'
import { parseJson } from '../parse.ts'
import { parseRecord } from '../parserecord.ts'
import { noteRecord, placeOf } from '../reader.ts'
import { readLog } from './log.ts'
import { isReadable, Trials } from './trials.ts'

const SAMPLES = new Set(['samples'])
/** Long lists of a log that nothing here needs. */
const LISTS = new Set(['samples', 'reductions'])

/** One log of a .json file, while it is read. */
type JsonLog = {
  readonly log: Record<string, Json>
  /** Null until its samples may be read, and for a log that is not read. */
  trials: Trials | null
  /** Its samples come before what describes them: they wait for a second pass. */
  isUnread: boolean
  isRefused: boolean
}

/** A .json file: a log, or several in a list or one behind the other. Twice, when samples come before what describes them. */
export async function readJson(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const logs: JsonLog[] = []
  let now = anotherLog(logs)
  for await (const item of source.members(LISTS, signal)) {
    if (item.kind === 'problem') sink.problem(item.problem)
    else if (item.kind === 'next') {
      beginLog(now, sink)
      now = anotherLog(logs)
    } else if (item.kind === 'member') keepMember(now.log, item.name, item.record, sink)
    else if (item.kind === 'list' && item.name === 'samples') {
      now.isUnread = !isDescribed(now.log)
      if (!now.isUnread) beginLog(now, sink)
    } else if (item.kind === 'element' && item.name === 'samples' && !now.isUnread && now.trials !== null) {
      await takeElement(item.record, now.trials, source, sink)
    }
  }
  beginLog(now, sink)
  if (logs.some(({ isUnread }) => isUnread)) {
    let at = 0
    for await (const item of source.members(SAMPLES, signal))
      if (item.kind === 'next') at += 1
      else if (item.kind === 'element' && logs[at]?.isUnread === true) {
        const { trials } = logs[at] as JsonLog
        if (trials !== null) await takeElement(item.record, trials, source, sink)
      }
  }
  for (const { trials } of logs) trials?.finish()
}

function anotherLog(logs: JsonLog[]): JsonLog {
  const log: JsonLog = { log: {}, trials: null, isUnread: false, isRefused: false }
  logs.push(log)
  return log
}

/** What the log says is complete, or complete enough for its samples: says what is wrong with it, once. */
function beginLog(log: JsonLog, sink: Sink): void {
  if (log.trials !== null || log.isRefused) return
  const facts = readLog(log.log)
  if (isReadable(log.log, facts, sink)) log.trials = new Trials(facts, sink)
  else log.isRefused = true
}

function keepMember(log: Record<string, Json>, name: string, record: RecordBytes, sink: Sink): void {
  const parsed = parseJson(record.bytes.toString('utf8'), record.depth)
  if (!parsed.ok) {
    sink.problem({
      severity: 'error',
      code: 'JSON_INVALID',
      message: `“${name.slice(0, 60)}” is not JSON: ${parsed.message}.`,
      ...placeOf(record),
    })
    return
  }
  log[name] = parsed.value
  const places = parsed.notes.map((note) => ({ ...note, path: `/${name}${note.path}` }))
  noteRecord({ ...record, value: parsed.value, notes: places }, sink)
}

function isDescribed(log: JsonObject): boolean {
  return asText(member(log['eval'], 'task')) !== null && Object.hasOwn(log, 'plan')
}

async function takeElement(record: RecordBytes, trials: Trials, source: Source, sink: Sink): Promise<void> {
  const parsed = parseRecord(record)
  if (parsed.kind === 'problem') {
    sink.problem(parsed.problem)
    return
  }
  noteRecord(parsed.record, sink)
  await trials.take(record, parsed.record.value, parsed.record.notes, null)
  sink.progress({ bytesRead: source.bytesRead(), bytesTotal: source.size, records: record.index + 1 })
}
