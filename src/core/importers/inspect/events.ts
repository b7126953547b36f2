// The events of an Inspect sample as steps: model calls with their times and tokens, tool calls with their results,
// sub-agents with the call that started them. What a model was given is taken from its input, once each. Scoring is
// not part of the trajectory: model calls of scorers are left out. Events that are not read are counted.

import type { Json, JsonObject } from '../../../base/json.ts'
import { asId, asList, asObject, asText, isBare, member } from '../fields.ts'
import type { StepDoubt } from '../messages.ts'
import { readParts, type Attachments } from './content.ts'
import { contentKey, messageSteps, toolError, type Around, type Draft } from './messages.ts'
import { Spans } from './spans.ts'
import { readTime, readUsage } from './usage.ts'

/** Events that say nothing of their own: their matter is in other events, or in the sample. */
const SILENT = new Set(['span_begin', 'span_end', 'step', 'sample_init', 'state', 'score'])

/** What the events gave. */
export type Told = {
  readonly drafts: readonly Draft[]
  /** How many model calls of the trajectory there were; without any, the events are no trajectory. */
  readonly modelCalls: number
  /** Events by kind that were not read as steps, and model calls of scorers. */
  readonly unread: { readonly [kind: string]: number }
  readonly firstTime: string | null
  readonly lastTime: string | null
}

type Held = { readonly callId: string | null; readonly span: string | null; readonly draft: Draft }

/** Reads events. `pool` holds the messages that model inputs refer to by position; `final` is the conversation. */
export function readEvents(
  events: readonly Json[],
  pool: readonly Json[],
  final: readonly Json[],
  attachments: Attachments,
  doubts: StepDoubt[],
): Told {
  const reader = new EventReader(pool, attachments, doubts)
  for (const event of events) reader.take(event, { agent: null, callId: null })
  reader.finish(final)
  return reader
}

/** For events inside a tool or subtask event (old logs): whose they are. */
type Owner = { readonly agent: string | null; readonly callId: string | null }

class EventReader implements Told {
  readonly drafts: Draft[] = []
  modelCalls = 0
  readonly unread: Record<string, number> = {}
  firstTime: string | null = null
  lastTime: string | null = null
  readonly #pool: readonly Json[]
  readonly #attachments: Attachments
  readonly #doubts: StepDoubt[]
  readonly #spans = new Spans()
  /** Index of the step that made a call. */
  readonly #callStep = new Map<string, number>()
  /** Calls whose result came by an event, so that the message that repeats it is not read again. */
  readonly #answered = new Set<string>()
  /** Results that wait for the end of what their tool did. */
  #held: Held[] = []
  /** How often a message was met in one conversation at most. */
  readonly #met = new Map<string, number>()
  /** Keys of pooled messages, which are met again and again. */
  readonly #keys = new Map<Json, string>()

  constructor(pool: readonly Json[], attachments: Attachments, doubts: StepDoubt[]) {
    this.#pool = pool
    this.#attachments = attachments
    this.#doubts = doubts
  }

  take(value: Json, owner: Owner): void {
    const event = asObject(value)
    if (event === null) {
      this.#doubts.push({ code: 'STEP_INVALID', message: 'An event is not an object; left out.' })
      return
    }
    const kind = asText(event['event']) ?? 'unnamed'
    this.#clock(event)
    this.#spans.open(event)
    if (kind === 'model') this.#model(event, owner)
    else if (kind === 'tool') this.#tool(event, owner)
    else if (kind === 'subtask') {
      this.#count(kind)
      const inside = { agent: asText(event['name']) ?? owner.agent, callId: owner.callId }
      for (const inner of asList(event['events']) ?? []) this.take(inner, inside)
    } else if (kind === 'span_end') this.#release((held) => held.span === asText(event['id']))
    else if (!this.#other(kind, event, owner) && !SILENT.has(kind)) this.#count(kind)
  }

  /** What the last conversation holds beyond the events: the answer to the last submission, a last result. */
  finish(final: readonly Json[]): void {
    this.#release(() => true)
    if (this.modelCalls === 0) return
    const counts = new Map<string, number>()
    const isKnown = final.map((message) => this.#isMet(message, counts))
    for (const message of final.slice(isKnown.lastIndexOf(true) + 1))
      if (isKnown.includes(true)) this.#push(messageSteps(message, this.#attachments, this.#doubts))
  }

  #count(kind: string): void {
    this.unread[kind] = (this.unread[kind] ?? 0) + 1
  }

  #clock(event: JsonObject): void {
    const time = readTime(event['timestamp'])
    this.firstTime ??= time
    this.lastTime = readTime(event['completed']) ?? time ?? this.lastTime
  }

  #push(drafts: readonly Draft[]): void {
    for (const draft of drafts) {
      for (const call of draft.calls ?? [])
        if (call.id !== null) this.#callStep.set(call.id, this.drafts.length)
      this.drafts.push(draft)
    }
  }

  /** Agent and parent of an event, from its spans or from the event that it is nested in. */
  #owner(event: JsonObject, owner: Owner): { isScoring: boolean; around: Around } {
    const place = this.#spans.placeOf(asText(event['span_id']))
    const agent = place.agent ?? owner.agent
    const callId = place.callId ?? owner.callId
    const parent = callId === null ? undefined : this.#callStep.get(callId)
    return {
      isScoring: place.isScoring,
      around: { ...(agent === null ? {} : { agent }), ...(parent === undefined ? {} : { parent }) },
    }
  }

  #model(event: JsonObject, owner: Owner): void {
    const { isScoring, around } = this.#owner(event, owner)
    if (isScoring) return this.#count('model (scorer)')
    this.modelCalls += 1
    const input = this.#inputOf(event)
    const answers = new Set(input.map((message) => asId(member(message, 'tool_call_id'))))
    this.#release((held) => answers.has(held.callId))
    const counts = new Map<string, number>()
    for (const message of input)
      if (!this.#isMet(message, counts))
        this.#push(messageSteps(message, this.#attachments, this.#doubts, around))
    this.#output(event, counts, around)
  }

  #inputOf(event: JsonObject): readonly Json[] {
    const input = asList(event['input']) ?? []
    const references = asList(event['input_refs'])
    if (input.length > 0 || references === null) return input
    return references.flatMap((range) => {
      const [from, to] = asList(range) ?? []
      return typeof from === 'number' && typeof to === 'number' ? this.#pool.slice(from, to) : []
    })
  }

  #output(event: JsonObject, counts: Map<string, number>, around: Around): void {
    const choices = asList(member(event['output'], 'choices')) ?? []
    const message = member(choices[0], 'message')
    const error = asText(event['error']) ?? asText(member(event['output'], 'error'))
    const startedAt = readTime(event['timestamp'])
    const endedAt = readTime(event['completed'])
    const model = asText(event['model'])
    const usage = readUsage(member(event['output'], 'usage'))
    const extra: Record<string, Json> = {}
    const reason = asText(member(choices[0], 'stop_reason'))
    if (reason !== null && reason !== 'stop' && reason !== 'tool_calls') extra['stopReason'] = reason
    if (choices.length > 1) extra['otherChoices'] = choices.length - 1
    for (const key of ['role', 'retries', 'cache'])
      if (!isBare(event[key])) extra[key === 'role' ? 'modelRole' : key] = event[key] as Json
    const whole: Around = {
      ...around,
      ...(model === null ? {} : { model }),
      ...(usage === null ? {} : { usage }),
      ...(startedAt === null ? {} : { startedAt }),
      ...(endedAt === null ? {} : { endedAt }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    }
    if (message !== undefined && message !== null) {
      this.#isMet(message, counts)
      this.#push(messageSteps(message, this.#attachments, this.#doubts, whole))
    }
    if (error !== null && error !== '')
      this.#push([{ role: 'assistant', kind: 'error', text: this.#attachments.text(error), ...whole }])
  }

  #tool(event: JsonObject, owner: Owner): void {
    const { isScoring, around } = this.#owner(event, owner)
    if (isScoring) return this.#count('tool (scorer)')
    const callId = asId(event['id'])
    const name = asText(event['function']) ?? ''
    if (callId === null || !this.#callStep.has(callId)) {
      // A tool that something other than the model called.
      const args = this.#attachments.value(event['arguments'] ?? null)
      const calls = [{ id: callId, name, args }]
      this.#push([
        { role: 'assistant', kind: 'tool_call', text: null, calls, ...around, extra: { ranBy: 'solver' } },
      ])
    }
    const span = this.#spans.claim(event)
    const nested = asList(event['events']) ?? []
    for (const inner of nested) this.take(inner, { agent: asText(event['agent']) ?? name, callId })
    if (event['pending'] === true) return
    if (callId !== null) this.#answered.add(callId)
    this.#held.push({ callId, span, draft: this.#result(event, callId, name, around) })
    if (span === null) this.#release((held) => held.span === null)
  }

  #result(event: JsonObject, callId: string | null, name: string, around: Around): Draft {
    const parts = readParts(event['result'], this.#attachments)
    const text = parts.flatMap((part) => (part.kind === 'call' ? [] : [part.text])).join('\n')
    const error = toolError(event['error'], this.#attachments)
    const startedAt = readTime(event['timestamp'])
    const endedAt = readTime(event['completed'])
    const extra: Record<string, Json> = {}
    for (const key of ['truncated', 'failed', 'agent'])
      if (!isBare(event[key])) extra[key === 'agent' ? 'handoff' : key] = event[key] as Json
    return {
      role: 'tool',
      kind: 'tool_result',
      text: error !== null && text === '' ? null : text,
      ...(callId === null ? {} : { callId }),
      ...(name === '' ? {} : { toolName: name }),
      ...(error === null && event['failed'] !== true ? {} : { isError: true }),
      ...(error === null ? {} : { error }),
      ...around,
      ...(startedAt === null ? {} : { startedAt }),
      ...(endedAt === null ? {} : { endedAt }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    }
  }

  /** Puts results in their place that waited, in the order in which they were called. */
  #release(isDue: (held: Held) => boolean): void {
    const due = this.#held.filter(isDue)
    if (due.length === 0) return
    this.#held = this.#held.filter((held) => !due.includes(held))
    this.#push(due.map((held) => held.draft))
  }

  /** Limits, errors, compactions and scores on the way; false for an event that is none of them. */
  #other(kind: string, event: JsonObject, owner: Owner): boolean {
    const { isScoring, around } = this.#owner(event, owner)
    const startedAt = readTime(event['timestamp'])
    const base = { role: 'environment', ...around, ...(startedAt === null ? {} : { startedAt }) } as const
    const say = (key: string): string | null => {
      const text = asText(event[key])
      return text === null ? null : this.#attachments.text(text)
    }
    if (kind === 'sample_limit') {
      const text = say('message') ?? `limit: ${asText(event['type']) ?? 'unknown'}`
      this.#push([{ ...base, kind: 'error', text, extra: { limit: event['type'] ?? null } }])
    } else if (kind === 'error') {
      const message = asText(member(event['error'], 'message')) ?? asText(event['error'])
      this.#push([{ ...base, kind: 'error', text: message ?? JSON.stringify(event['error'] ?? null) }])
    } else if (kind === 'compaction') {
      const tokens = `${event['tokens_before'] ?? '?'} → ${event['tokens_after'] ?? '?'} tokens`
      this.#push([
        { ...base, kind: 'compaction', text: `${asText(event['type']) ?? 'compaction'}: ${tokens}` },
      ])
    } else if (kind === 'score' && event['intermediate'] === true && !isScoring) {
      const score = this.#attachments.value(event['score'] ?? null)
      const text = JSON.stringify(member(score, 'value') ?? null)
      this.#push([{ ...base, kind: 'score', text, extra: { score } }])
    } else return false
    return true
  }

  /**
   * Whether a message was told before, by an earlier input, an output or a tool event. `counts` counts equal
   * messages of this conversation: the second equal message is new when only one was told.
   */
  #isMet(message: Json, counts: Map<string, number>): boolean {
    const callId = member(message, 'role') === 'tool' ? asId(member(message, 'tool_call_id')) : null
    if (callId !== null && this.#answered.has(callId)) return true
    const key = this.#keyOf(message)
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (count <= (this.#met.get(key) ?? 0)) return true
    this.#met.set(key, count)
    return false
  }

  #keyOf(message: Json): string {
    const object = typeof message === 'object' ? message : null
    const known = object === null ? undefined : this.#keys.get(object)
    if (known !== undefined) return known
    const id = asText(member(message, 'id'))
    const key = id !== null && id !== '' ? `id ${id}` : contentKey(message, this.#attachments)
    if (object !== null) this.#keys.set(object, key)
    return key
  }
}
