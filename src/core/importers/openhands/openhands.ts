// OpenHands outputs (github.com/All-Hands-AI/OpenHands): output.jsonl of an evaluation, one line per instance, old and
// new; lines of the issue resolver; a bare list of events, or the folder that the SDK keeps, which is one conversation.
// One line is one trial. Memory is one line, or the events of one conversation.

import type { Json, JsonObject } from '../../../base/json.ts'
import { wellFormed } from '../../../base/text.ts'
import { tellDoubts, tellNoOutcome } from '../doubts.ts'
import { asList, asObject, asText, member } from '../fields.ts'
import type { Importer, RawTrial, Sink, Sniff, Source, SourceHead, SourceRecord } from '../importer.ts'
import type { StepDoubt } from '../messages.ts'
import { guarded, placeOf, readRecords } from '../reader.ts'
import { isEvent } from './events.ts'
import { conversationFolder, readFolder, sniffFolder } from './folder.ts'
import { isSdkEvent } from './sdk.ts'
import { readConversation, readLine } from './trial.ts'
import { joinedBytes, LooseRecords } from '../loose.ts'

/** Reads OpenHands outputs. */
export const openHands: Importer = {
  id: 'openhands',
  title: 'OpenHands output',
  version: 1,
  status: 'stable',
  folder: conversationFolder,
  nameHint: /openhands|(?:^|\/)output(?:\.[\w.]+)?\.jsonl/i,
  sniff,
  read,
}

function sniff(head: SourceHead): Sniff {
  if (head.shape === 'folder') return sniffFolder(head)
  const records = head.records.map(({ value }) => value)
  for (const value of records) {
    const fields = asObject(value)
    const reason = fields === null ? null : lineReason(fields)
    if (reason !== null) return reason
  }
  const isList = head.shape === 'array' || records.length > 1
  if (isList && records.length > 0 && records.every((value) => isToldEvent(value)))
    return { confidence: 0.9, reason: 'a list of events (action, observation or kind)' }
  return { confidence: 0, reason: 'no lines with instance_id and history, and no list of events' }
}

/** An event with what the program writes around it, so that a row with an `action` of its own is not taken for one. */
function isToldEvent(value: Json): boolean {
  if (isSdkEvent(value)) return Object.hasOwn(asObject(value) ?? {}, 'source')
  return isEvent(value) && ['args', 'extras', 'source'].some((key) => member(value, key) !== undefined)
}

/** Whether an event begins the history: bare, or in a pair. */
function isHistory(value: Json | undefined): boolean {
  const first = asList(value)?.[0]
  const event = asList(first)?.[0] ?? first
  return isEvent(event) || isSdkEvent(event)
}

function lineReason(fields: JsonObject): Sniff | null {
  const has = (key: string): boolean => Object.hasOwn(fields, key)
  if (isHistory(fields['history'])) {
    const named = ['instance_id', 'issue', 'test_result', 'metadata'].filter(has)
    return named.length > 0
      ? { confidence: 0.95, reason: `lines with history and ${named.join(', ')}` }
      : { confidence: 0.85, reason: 'an object with a history of events' }
  }
  // The history may lie behind what detection sees, or be empty after a crash.
  if (has('instance_id') && has('metadata') && asText(member(fields['metadata'], 'agent_class')) !== null)
    return { confidence: 0.9, reason: 'lines with instance_id and the metadata of an evaluation' }
  const isPatch = member(fields['test_result'], 'git_patch') !== undefined
  if (has('instance_id') && isPatch && (has('history') || has('instruction')))
    return { confidence: 0.9, reason: 'lines with instance_id and test_result' }
  if (has('issue') && has('git_patch') && (has('result_explanation') || has('success')))
    return { confidence: 0.9, reason: 'lines of the issue resolver' }
  return null
}

async function read(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const loose = new LooseRecords(sink)
  let unknown = 0
  const give = async (raw: RawTrial | null): Promise<void> => {
    if (raw === null) return
    if (raw.trial.outcome === 'unknown') unknown += 1
    await sink.trial(raw)
  }
  if ((await source.head(signal)).shape === 'folder') {
    await give(await readFolder(source, sink, signal))
    tellNoOutcome(unknown, 'patch', sink)
    return
  }
  for await (const record of readRecords(source, sink, signal)) {
    const fields = asObject(record.value)
    if (fields !== null && (lineReason(fields) !== null || asList(fields['history']) !== null))
      await give(guarded(record, sink, () => lineRaw(fields, record, source, sink)))
    else if (isEvent(record.value) || isSdkEvent(record.value)) loose.take(record, placeOf(record))
    else
      sink.problem({
        severity: 'error',
        code: 'RECORD_INVALID',
        message: 'The record is neither a line with a history nor an event: skipped.',
        ...placeOf(record),
      })
  }
  for (const records of loose.conversations())
    await give(guarded(records[0], sink, () => looseRaw(records[0], records, source, sink)))
  tellNoOutcome(unknown, 'patch', sink)
}

function lineRaw(fields: JsonObject, record: SourceRecord, source: Source, sink: Sink): RawTrial {
  const doubts: StepDoubt[] = []
  const { trial, sourceKey } = readLine(fields, source.name, doubts)
  tellDoubts(doubts, placeOf(record), null, sink)
  return {
    trial,
    recordBytes: record.bytes,
    // A line without steps may be the same in two runs.
    identitySalt: trial.steps.length === 0 ? wellFormed(source.name) : null,
    sourceKey,
    record: record.index,
    line: record.line,
    byteOffset: record.byteOffset,
  }
}

function looseRaw(
  first: SourceRecord,
  records: readonly SourceRecord[],
  source: Source,
  sink: Sink,
): RawTrial {
  const doubts: StepDoubt[] = []
  const events = records.map(({ value }) => value)
  const trial = readConversation(events, source.name, doubts)
  tellDoubts(doubts, placeOf(first), null, sink)
  return {
    trial,
    recordBytes: joinedBytes(records.map(({ bytes }) => bytes)),
    identitySalt: null,
    sourceKey: null,
    record: first.index,
    line: first.line,
    byteOffset: first.byteOffset,
  }
}
