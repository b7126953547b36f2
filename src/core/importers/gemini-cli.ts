// Gemini CLI sessions: one object {sessionId, projectHash, startTime, messages}. A session is one trial; its messages
// carry their thoughts, tokens and tool calls with results. The outcome is never inside.

import type { Json, JsonObject } from '../../base/json.ts'
import { oneLine, plural } from '../../base/text.ts'
import {
  UNKNOWN_CONFIGURATION,
  type ToolCall,
  type Trial,
  type TrialError,
  type Usage,
} from '../../model/trial.ts'
import {
  draftsOf,
  geminiResult,
  joined,
  numbered,
  readBlocks,
  resultContent,
  resultDraft,
  type Around,
  type Block,
  type Draft,
} from './blocks.ts'
import { tellDoubts, tellNoOutcome } from './doubts.ts'
import { isNaive } from './faultline-fields.ts'
import { asId, asList, asNumber, asObject, asText, EXTRA_MAX_CHARACTERS, isBare } from './fields.ts'
import type { Importer, RawTrial, Sink, Sniff, Source, SourceHead, SourceRecord } from './importer.ts'
import { pairResults, readArguments, type StepDoubt } from './messages.ts'
import { fileUnder } from './naming.ts'
import { guarded, placeOf, readRecords } from './reader.ts'
import { sumUsages } from './usage.ts'

const SUITE = 'gemini-cli'
const KNOWN = new Set(['sessionId', 'startTime', 'lastUpdated', 'messages'])

/** Reads Gemini CLI sessions. */
export const geminiCli: Importer = {
  id: 'gemini-cli',
  title: 'Gemini CLI session',
  version: 2,
  status: 'stable',
  nameHint: /gemini/i,
  sniff,
  read,
}

function sniff(head: SourceHead): Sniff {
  const first = asObject(head.records[0]?.value)
  const has = ['sessionId', 'projectHash', 'startTime', 'messages'].filter(
    (key) => first !== null && Object.hasOwn(first, key),
  )
  return has.includes('sessionId') && has.length >= 3
    ? { confidence: has.length === 4 ? 0.92 : 0.85, reason: `an object with ${has.join(', ')}` }
    : { confidence: 0, reason: 'no object with sessionId, projectHash and messages' }
}

async function read(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  let trials = 0
  // A session that another one follows does not take the file's name for a task.
  let waiting: { record: SourceRecord; session: JsonObject } | null = null
  const emit = async (fileName: string | null): Promise<void> => {
    if (waiting === null) return
    const { record, session } = waiting
    const raw = guarded(record, sink, () => toTrial(record, session, fileName, sink))
    if (raw === null) return
    trials += 1
    await sink.trial(raw)
  }
  let count = 0
  for await (const record of readRecords(source, sink, signal)) {
    const session = asObject(record.value)
    if (session === null || asList(session['messages']) === null) {
      sink.problem({
        severity: 'error',
        code: 'RECORD_INVALID',
        message: 'The record is not a session (no list of messages): skipped.',
        ...placeOf(record),
      })
      continue
    }
    await emit(null)
    waiting = { record, session }
    count += 1
  }
  await emit(count === 1 ? source.name : null)
  tellNoOutcome(trials, 'session', sink)
}

/** What the messages of a session give. */
type Told = {
  readonly drafts: Draft[]
  readonly usages: Usage[]
  readonly models: Set<string>
  readonly unknown: Map<string, number>
  error: TrialError | null
}

function toTrial(record: SourceRecord, session: JsonObject, fileName: string | null, sink: Sink): RawTrial {
  const doubts: StepDoubt[] = []
  const told: Told = { drafts: [], usages: [], models: new Set(), unknown: new Map(), error: null }
  const times: string[] = []
  for (const value of asList(session['messages']) ?? []) {
    const message = asObject(value)
    if (message === null) {
      doubts.push({ code: 'STEP_INVALID', message: 'A message is not an object; kept as it is.' })
      told.drafts.push({ role: 'environment', kind: 'message', text: null, content: value })
      continue
    }
    const at = asText(message['timestamp'])
    if (at !== null) times.push(at)
    readMessage(message, at, told, doubts)
  }
  const steps = pairResults(numbered(told.drafts), doubts)
  tellDoubts(doubts, placeOf(record), null, sink)
  for (const [type, number] of told.unknown)
    sink.problem({
      severity: 'info',
      code: 'RECORD_UNKNOWN',
      message: `${plural(number, 'message')} of the type “${oneLine(type, 60)}” ${number === 1 ? 'is' : 'are'} not known; kept as environment.`,
      ...placeOf(record),
    })
  const id = asText(session['sessionId'])
  const model = told.models.size === 0 ? null : [...told.models].join(', ')
  const startedAt = asText(session['startTime']) ?? times[0] ?? null
  const endedAt = asText(session['lastUpdated']) ?? times.at(-1) ?? null
  const prompt =
    told.drafts.find((draft) => draft.role === 'user' && (draft.text ?? '').trim() !== '')?.text ?? null
  const trial: Trial = {
    sourceId: id,
    suite: SUITE,
    ...fileUnder(fileName, prompt, id ?? SUITE),
    configuration: {
      ...UNKNOWN_CONFIGURATION,
      label: ['Gemini CLI', model].filter((word) => word !== null).join(' '),
      model,
      agent: 'gemini-cli',
    },
    seed: null,
    outcome: told.error === null ? 'unknown' : 'error',
    score: null,
    scoreRaw: null,
    scores: {},
    scorer: null,
    termination: told.error === null ? null : 'error',
    error: told.error,
    severeErrors: [],
    usage: sumUsages(told.usages),
    costUsd: null,
    startedAt,
    endedAt,
    timeNaive: isNaive(startedAt, endedAt),
    steps,
    extra: Object.fromEntries(
      Object.entries(session).filter(
        ([key, value]) =>
          !KNOWN.has(key) && !isBare(value) && JSON.stringify(value).length <= EXTRA_MAX_CHARACTERS,
      ),
    ),
  }
  return {
    trial,
    recordBytes: record.bytes,
    identitySalt: null,
    sourceKey: id,
    record: record.index,
    line: record.line,
    byteOffset: record.byteOffset,
  }
}

function readMessage(message: JsonObject, at: string | null, told: Told, doubts: StepDoubt[]): void {
  const type = asText(message['type']) ?? ''
  const timed: Around = at === null ? {} : { startedAt: at }
  const blocks = readBlocks(message['content'])
  if (type === 'user') told.drafts.push(...draftsOf('user', blocks, timed, doubts))
  else if (type === 'gemini') {
    const model = asText(message['model'])
    const usage = usageOf(message['tokens'])
    if (model !== null) told.models.add(model)
    if (usage !== null) told.usages.push(usage)
    const around = {
      ...timed,
      ...(model === null ? {} : { model }),
      ...(usage === null ? {} : { usage }),
    }
    const calls = (asList(message['toolCalls']) ?? []).map(asObject).filter((call) => call !== null)
    const all = [...thoughtsOf(message['thoughts']), ...blocks, ...calls.map(callBlock)]
    told.drafts.push(...draftsOf('assistant', all, around, doubts), ...calls.flatMap(resultsOf))
    told.error = null
  } else {
    const text = joined(blocks)
    const isError = type === 'error'
    if (!['info', 'warning', 'error', 'about', 'quit', 'help', 'stats'].includes(type))
      told.unknown.set(type, (told.unknown.get(type) ?? 0) + 1)
    told.drafts.push({
      role: 'environment',
      kind: isError ? 'error' : 'message',
      text,
      ...(isError ? { isError: true } : {}),
      ...timed,
    })
    if (isError) told.error = { type: 'error', message: text, origin: 'infra' }
  }
}

function thoughtsOf(value: Json | undefined): Block[] {
  return (asList(value) ?? []).flatMap((one): Block[] => {
    const thought = asObject(one)
    const parts = [asText(thought?.['subject']), asText(thought?.['description']), asText(one)]
    const text = parts.filter((part) => part !== null && part !== '').join(': ')
    return text === '' ? [] : [{ kind: 'reasoning', text }]
  })
}

function callBlock(call: JsonObject): Block {
  const read: ToolCall = {
    id: asId(call['id']),
    name: asText(call['name']) ?? '',
    ...readArguments(call['args'] ?? {}),
  }
  return { kind: 'call', call: read, isServer: false }
}

/** The result of a call: what was answered to the model, else what was shown. A call that still runs has none. */
function resultsOf(call: JsonObject): Draft[] {
  const status = asText(call['status'])
  const responses = (asList(call['result']) ?? []).flatMap((part) => {
    const response = asObject(asObject(part)?.['functionResponse'])
    return response === null ? [] : [geminiResult(response)]
  })
  const shown = call['resultDisplay'] ?? call['result']
  const first = responses[0]
  const isEmpty = isBare(shown) || shown === '' || asList(shown)?.length === 0
  // A call that failed or was called off says so, also when nothing came back.
  if (first === undefined && isEmpty && status !== 'error' && status !== 'cancelled') return []
  const result = first ?? { ...(isEmpty ? { text: status } : resultContent(shown)), isError: false }
  const at = asText(call['timestamp'])
  return [
    {
      ...resultDraft({
        ...result,
        callId: asId(call['id']),
        toolName: asText(call['name']),
        isError: result.isError || status === 'error',
      }),
      ...(at === null ? {} : { startedAt: at }),
      ...(status === 'cancelled' ? { extra: { status } } : {}),
    },
  ]
}

/** Thoughts are output; what was cached is part of the input. */
function usageOf(value: Json | undefined): Usage | null {
  const tokens = asObject(value)
  const input = asNumber(tokens?.['input'])
  const output = asNumber(tokens?.['output'])
  if (input === null && output === null) return null
  return {
    inputTokens: input === null ? null : input + (asNumber(tokens?.['tool']) ?? 0),
    outputTokens: output === null ? null : output + (asNumber(tokens?.['thoughts']) ?? 0),
    cachedInputTokens: asNumber(tokens?.['cached']),
  }
}
