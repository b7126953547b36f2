// Where in an Inspect sample an event happened: inside which agent, which tool call, or inside scoring. Newer logs
// say it by spans with ids and parents; older ones by `step` events that open and close. Pure bookkeeping.

import type { JsonObject } from '../../../base/json.ts'
import { asText } from '../fields.ts'

type Span = {
  readonly parent: string | null
  readonly type: string | null
  readonly name: string | null
  /** For the span of a tool: the call that it runs, once its event came. */
  callId: string | null
}

/** Whose an event is: the innermost agent or tool around it, and the call that started it. */
export type Place = {
  readonly isScoring: boolean
  readonly agent: string | null
  readonly callId: string | null
}

const NOWHERE: Place = { isScoring: false, agent: null, callId: null }

/** The spans of one sample, fed event by event. */
export class Spans {
  readonly #spans = new Map<string, Span>()
  readonly #steps: string[] = []
  /** Ids of tool spans whose call is not known yet. */
  #freeTools: string[] = []

  /** Takes `span_begin` and `step` events. */
  open(event: JsonObject): void {
    const id = asText(event['id'])
    if (event['event'] === 'span_begin' && id !== null) {
      const type = asText(event['type'])
      this.#spans.set(id, {
        parent: asText(event['parent_id']),
        type,
        name: asText(event['name']),
        callId: null,
      })
      if (type === 'tool') this.#freeTools.push(id)
    }
    if (event['event'] === 'step') {
      if (event['action'] === 'end') this.#steps.pop()
      else this.#steps.push(asText(event['type']) ?? '')
    }
  }

  /** Where an event with that span id is. */
  placeOf(spanId: string | null): Place {
    if (this.#steps.includes('scorer')) return { ...NOWHERE, isScoring: true }
    let agent: string | null = null
    let callId: string | null = null
    for (const span of this.#upwards(spanId)) {
      if (span.type === 'scorer' || span.type === 'scorers') return { ...NOWHERE, isScoring: true }
      if (agent === null && (span.type === 'agent' || span.type === 'tool')) agent = span.name
      if (callId === null && span.type === 'tool') callId = span.callId
    }
    return { isScoring: false, agent, callId }
  }

  /**
   * The span that runs a tool event, remembered as that call's: the tool span around the agent that the event
   * names, else the last one of the tool's name that is still free.
   */
  claim(event: JsonObject): string | null {
    const callId = asText(event['id'])
    const name = asText(event['function'])
    const own = asText(event['span_id'])
    for (const id of this.#idsUpwards(asText(event['agent_span_id']))) {
      const span = this.#spans.get(id)
      if (span?.type === 'tool' && span.callId === null) return this.#claimed(id, span, callId)
    }
    const id = this.#freeTools.findLast((free) => {
      const span = this.#spans.get(free)
      return span?.name === name && (own === null || free === own || span.parent === own)
    })
    const span = id === undefined ? undefined : this.#spans.get(id)
    return id === undefined || span === undefined ? null : this.#claimed(id, span, callId)
  }

  #claimed(id: string, span: Span, callId: string | null): string {
    span.callId = callId
    this.#freeTools = this.#freeTools.filter((free) => free !== id)
    return id
  }

  *#idsUpwards(from: string | null): Generator<string> {
    const seen = new Set<string>()
    for (let id = from; id !== null && !seen.has(id); id = this.#spans.get(id)?.parent ?? null) {
      seen.add(id)
      yield id
    }
  }

  *#upwards(from: string | null): Generator<Span> {
    for (const id of this.#idsUpwards(from)) {
      const span = this.#spans.get(id)
      if (span !== undefined) yield span
    }
  }
}
