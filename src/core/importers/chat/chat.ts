// Files of chat messages: a conversation per file (one list, or one message per line), per line, or per element; each
// a bare list of messages, or an object with the messages and what is known of the trial. The least special of the
// formats: it is sure of a file only when it holds messages and nothing of another format.

import type { Json, JsonObject } from '../../../base/json.ts'
import { plural } from '../../../base/text.ts'
import { tellDoubts } from '../doubts.ts'
import { asList, asObject } from '../fields.ts'
import type { Importer, Sink, Sniff, Source, SourceHead, SourceRecord } from '../importer.ts'
import type { StepDoubt } from '../messages.ts'
import { guarded, placeOf, readRecords } from '../reader.ts'
import { isResponseItem } from '../responses.ts'
import { isMessage } from './messages.ts'
import { conversationKey, isEmptyRow, listNameOf, messagesOf, readRow } from './row.ts'
import { joinedBytes, LooseRecords } from '../loose.ts'

/** How sure a file is chat when only its first record is. */
const PARTLY = 0.52

/** Reads chat messages. */
export const chat: Importer = {
  id: 'chat-messages',
  title: 'Chat messages',
  version: 2,
  status: 'stable',
  sniff,
  read,
}

function sniff(head: SourceHead): Sniff {
  const nothing = { confidence: 0, reason: 'no list of messages with roles' }
  if (head.records.length === 0) return nothing
  const reasons = head.records.map(({ value }) => reasonOf(value))
  const first = reasons[0]
  if (first === null || first === undefined) return nothing
  const isAll = reasons.every((reason) => reason !== null)
  return isAll ? first : { confidence: PARTLY, reason: `${first.reason}, and records that are none` }
}

function reasonOf(value: Json): Sniff | null {
  const list = asList(value)
  if (list !== null)
    return list.length > 0 && list.slice(0, 3).every((one) => isMessage(one))
      ? { confidence: 0.6, reason: 'lists of messages with roles' }
      : null
  const fields = asObject(value)
  if (fields === null) return null
  const name = listNameOf(fields)
  if (name !== null) return { confidence: 0.65, reason: `objects with ${name}, a list of messages` }
  if (isEmptyRow(fields)) return { confidence: PARTLY, reason: 'objects with an outcome and no messages' }
  if (isResponseItem(fields)) return { confidence: 0.55, reason: 'items of the Responses API' }
  return isMessage(fields) && !isRow(fields) ? { confidence: 0.55, reason: 'messages with roles' } : null
}

/** True for objects that are more than a message: events and spans have roles too. */
function isRow(fields: JsonObject): boolean {
  return ['uuid', 'span_id', 'event', 'message', 'sessionId', 'session_id', 'source'].some((key) =>
    Object.hasOwn(fields, key),
  )
}

async function read(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const loose = new LooseRecords(sink)
  const emitter = new Emitter(sink)
  let waiting: SourceRecord | null = null
  let rows = 0
  for await (const record of readRecords(source, sink, signal)) {
    const fields = asObject(record.value)
    const messages = fields === null ? asList(record.value) : messagesOf(fields)
    const isConversation =
      (messages !== null && (fields !== null || messages.some((one) => isMessage(one)))) ||
      (fields !== null && isEmptyRow(fields))
    if (isConversation) {
      rows += 1
      // The first row waits: only with a second one is it known that the file's name is not its task's.
      if (rows === 1) waiting = record
      else {
        if (waiting !== null) await emitter.row(waiting, null)
        waiting = null
        await emitter.row(record, null)
      }
    } else if (fields !== null && isMessage(fields))
      loose.take(record, placeOf(record), conversationKey(fields))
    else
      sink.problem({
        severity: 'error',
        code: 'RECORD_INVALID',
        message: 'The record is no chat message and has no list of them: skipped.',
        ...placeOf(record),
      })
  }
  const conversations = loose.conversations()
  const isOnly = rows + conversations.length === 1
  if (waiting !== null) await emitter.row(waiting, isOnly ? source.name : null)
  for (const records of conversations) {
    signal.throwIfAborted()
    await emitter.conversation(records, isOnly ? source.name : null)
  }
  emitter.finish()
}

/** Hands trials on, and counts those without an outcome. */
class Emitter {
  readonly #sink: Sink
  #trials = 0
  #unknown = 0

  constructor(sink: Sink) {
    this.#sink = sink
  }

  async row(record: SourceRecord, fileName: string | null): Promise<void> {
    const fields = asObject(record.value)
    const messages = fields === null ? asList(record.value) : messagesOf(fields)
    await this.#emit([record], fields ?? {}, messages ?? [], fileName)
  }

  async conversation(records: readonly SourceRecord[], fileName: string | null): Promise<void> {
    const messages = records.map(({ value }) => asObject(value) ?? {})
    // What every message repeats of the trial stands on the first as well.
    const { role: _role, content: _content, type: _type, ...about } = messages[0] ?? {}
    const row = conversationKey(messages[0] ?? {}) === conversationKey({}) ? {} : about
    await this.#emit(records, row, messages, fileName)
  }

  finish(): void {
    if (this.#unknown > 0)
      this.#sink.problem({
        severity: 'info',
        code: 'OUTCOME_MISSING',
        message: `${plural(this.#unknown, 'conversation')} of ${this.#trials.toLocaleString('en-US')} ${this.#unknown === 1 ? 'does' : 'do'} not say whether ${this.#unknown === 1 ? 'it' : 'they'} succeeded: unknown outcome.`,
        hint: 'Attach outcomes from a file that has them.',
      })
  }

  async #emit(
    records: readonly SourceRecord[],
    row: JsonObject,
    messages: readonly Json[],
    fileName: string | null,
  ): Promise<void> {
    const first = records[0] as SourceRecord
    const doubts: StepDoubt[] = []
    const found = guarded(first, this.#sink, () => readRow(row, messages, fileName, doubts))
    tellDoubts(doubts, placeOf(first), null, this.#sink)
    if (found === null) return
    this.#trials += 1
    if (found.trial.outcome === 'unknown') this.#unknown += 1
    await this.#sink.trial({
      trial: found.trial,
      recordBytes: joinedBytes(records.map(({ bytes }) => bytes)),
      identitySalt: null,
      sourceKey: found.key,
      record: first.index,
      line: first.line,
      byteOffset: first.byteOffset,
    })
  }
}
