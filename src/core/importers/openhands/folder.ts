// A conversation of the OpenHands SDK as the program keeps it: a folder with base_state.json (agent, settings, counts)
// and one file per event in events/. One folder is one trial. Written after the format's definition: no real folder of
// it was at hand (beta). Memory is the events of one conversation.

import type { Json, JsonObject } from '../../../base/json.ts'
import { plural } from '../../../base/text.ts'
import type { TrialError } from '../../../model/trial.ts'
import { countedOf } from '../coding-run.ts'
import { inside, tellDoubts } from '../doubts.ts'
import { asId, asNumber, asObject, asText, member } from '../fields.ts'
import type { FolderRule, RawTrial, Sink, Sniff, Source, SourceHead, SourceRecord } from '../importer.ts'
import { joinedBytes, LooseRecords } from '../loose.ts'
import type { StepDoubt } from '../messages.ts'
import { guarded, noteRecord, problemOf } from '../reader.ts'
import { sumUsages } from '../usage.ts'
import { accumulated } from './story.ts'
import { readConversation } from './trial.ts'

const STATE = 'base_state.json'
const EVENT_FILE = /^events\/(?:[^/]+\.jsonl?|\.[^/]+)$/i
const STATE_KEYS = [
  'agent',
  'workspace',
  'persistence_dir',
  'max_iterations',
  'execution_status',
  'agent_status',
]

/** How the folder of a conversation is known, and what belongs to it. */
export const conversationFolder: FolderRule = {
  markers: [STATE],
  owns: (name) => name === STATE || EVENT_FILE.test(name),
}

/** Whether a folder is a conversation. */
export function sniffFolder(head: SourceHead): Sniff {
  const state = asObject(head.markers?.get(STATE)?.[0]?.value)
  const found = state === null ? [] : STATE_KEYS.filter((key) => Object.hasOwn(state, key))
  return found.length >= 2 && head.entries?.includes('events/') === true
    ? { confidence: 0.95, reason: `a folder with ${STATE} (${found.join(', ')}) and events/` }
    : { confidence: 0, reason: `a folder without ${STATE} and events/ of a conversation` }
}

/** The trial of a conversation's folder; null, with the reason told, when it holds no event. */
export async function readFolder(source: Source, sink: Sink, signal: AbortSignal): Promise<RawTrial | null> {
  let state: SourceRecord | null = null
  const loose = new LooseRecords(sink)
  // Names begin with the number of the event, written with leading zeros.
  const entries = (await source.entries(signal)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    signal.throwIfAborted()
    if (!/\.jsonl?$/i.test(entry.name)) continue
    try {
      for await (const item of entry.source().records(signal)) {
        if (item.kind === 'problem')
          sink.problem({ ...item.problem, message: `${inside(entry.name)}${item.problem.message}` })
        else if (entry.name === STATE) state ??= item.record
        else {
          noteRecord(item.record, sink)
          loose.take(item.record, {})
        }
      }
    } catch (error) {
      signal.throwIfAborted()
      const problem = problemOf(error)
      sink.problem({ ...problem, message: `${inside(entry.name)}${problem.message}` })
    }
    sink.progress({ bytesRead: source.bytesRead(), bytesTotal: source.size, records: 1 })
  }
  const [events] = loose.conversations()
  if (events === undefined) {
    sink.problem({
      severity: 'error',
      code: 'TRIALS_MISSING',
      message: `The conversation has a ${STATE} and no events: nothing happened in it, or events/ was left behind.`,
    })
    return null
  }
  return guarded(events[0], sink, () => toRaw(events, state, source, sink))
}

function toRaw(
  events: readonly SourceRecord[],
  base: SourceRecord | null,
  source: Source,
  sink: Sink,
): RawTrial {
  const state = asObject(base?.value)
  const doubts: StepDoubt[] = []
  const values = pathOf(
    events.map(({ value }) => value),
    doubts,
  )
  const trial = readConversation(values, source.name, doubts, {
    metadata: {
      llm: member(state?.['agent'], 'llm') ?? null,
      max_iterations: state?.['max_iterations'] ?? null,
    },
  })
  tellDoubts(doubts, {}, null, sink)
  const id = asId(state?.['id'])
  const status = asText(state?.['execution_status']) ?? asText(state?.['agent_status'])
  const error = status === 'error' ? errorOf(trial.steps) : null
  const counted = countsOf(state)
  return {
    trial: {
      ...trial,
      sourceId: id,
      outcome: error === null ? trial.outcome : 'error',
      termination: status ?? trial.termination,
      error,
      usage: counted.usage ?? trial.usage,
      costUsd: counted.cost ?? trial.costUsd,
    },
    recordBytes: joinedBytes([...(base === null ? [] : [base.bytes]), ...events.map(({ bytes }) => bytes)]),
    identitySalt: null,
    sourceKey: id,
    record: 0,
    line: null,
    byteOffset: null,
  }
}

/** The events that lead to the last one, where they name the event that they follow; what was forked off is told. */
function pathOf(events: readonly Json[], doubts: StepDoubt[]): readonly Json[] {
  const byId = new Map(events.map((event) => [asId(member(event, 'id')), event]))
  const path = new Set<Json>()
  for (let event = events.at(-1); event !== undefined && !path.has(event);) {
    path.add(event)
    const parent = asId(member(event, 'parent_id'))
    // The first of a conversation follows nothing; an event without a parent where others have one ends the path too.
    event = parent === null ? undefined : byId.get(parent)
  }
  const isTree =
    events.length > 1 && events.slice(1).every((event) => asId(member(event, 'parent_id')) !== null)
  if (!isTree || path.size === events.length) return events
  doubts.push({
    code: 'BRANCH_LEFT',
    message: `The conversation was forked: ${plural(events.length - path.size, 'event')} left aside. The trial is the path that ends at the last event.`,
  })
  return events.filter((event) => path.has(event))
}

function errorOf(steps: RawTrial['trial']['steps']): TrialError {
  const said = steps.findLast((step) => step.kind === 'error')
  return { type: 'error', message: said?.text ?? null, origin: 'unknown' }
}

/** Tokens and cost as the conversation counted them, over everything that it used a model for. */
function countsOf(state: JsonObject | null): { usage: RawTrial['trial']['usage']; cost: number | null } {
  const metrics = Object.values(asObject(member(state?.['stats'], 'usage_to_metrics')) ?? {})
  const usages = metrics.flatMap((one) => accumulated(member(one, 'accumulated_token_usage')) ?? [])
  const costs = metrics.flatMap((one) => asNumber(member(one, 'accumulated_cost')) ?? [])
  return {
    usage: sumUsages(usages),
    cost: countedOf(costs.length === 0 ? null : costs.reduce((a, b) => a + b, 0)),
  }
}
