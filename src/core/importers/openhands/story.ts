// The story of one OpenHands trial while its events are read: steps in order, calls waiting for their answers, calls
// of one answer of the model put together, what a sub-agent did marked as its own. Both kinds of events (events.ts,
// sdk.ts) write into it. Knows no event; guesses no pairing that an event states.

import type { Json } from '../../../base/json.ts'
import type { Step, ToolCall, Usage } from '../../../model/trial.ts'
import { numbered, type Draft } from '../blocks.ts'
import { asNumber, asText, member } from '../fields.ts'
import { pairResults, type StepDoubt } from '../messages.ts'
import { totalUsage } from '../usage.ts'

/** What events tell. */
export type Told = {
  readonly steps: readonly Step[]
  /** Events that are no steps, by name, with how often they came. */
  readonly notShown: Readonly<Record<string, number>>
  readonly prompt: string | null
  readonly systemPrompt: string | null
  readonly tools: Json
  readonly agentVersion: string | null
  readonly model: string | null
  /** The last state that the agent said to be in, or how it ended by itself. */
  readonly lastState: string | null
  readonly usage: Usage | null
  readonly costUsd: number | null
  readonly startedAt: string | null
  readonly endedAt: string | null
}

type Action = {
  readonly eventId: string | null
  readonly kind: string
  /** Null for an action that is no call. */
  readonly callId: string | null
  isAnswered: boolean
}

/** What is said around a call: its text and whose answer it is part of. */
export type CallAround = {
  readonly eventId: string | null
  readonly kind: string
  readonly text: string | null
  /** The answer of the model that the call is part of, where several calls of it may come. */
  readonly response: string | null
  readonly about: Partial<Draft>
}

/** Gathers steps. */
export class Story {
  readonly #drafts: Draft[] = []
  readonly #actions: Action[] = []
  readonly #byEvent = new Map<string, Action>()
  readonly #byCall = new Map<string, Action>()
  /** The calls of an answer, which grow while its events come. */
  readonly #responses = new Map<string, ToolCall[]>()
  readonly #inside: { readonly agent: string; readonly parent: number }[] = []
  readonly #notShown = new Map<string, number>()
  readonly doubts: StepDoubt[]
  systemPrompt: string | null = null
  prompt: string | null = null
  tools: Json = null
  agentVersion: string | null = null
  model: string | null = null
  lastState: string | null = null
  usage: Usage | null = null
  costUsd: number | null = null
  startedAt: string | null = null
  endedAt: string | null = null

  constructor(doubts: StepDoubt[]) {
    this.doubts = doubts
  }

  get isInside(): boolean {
    return this.#inside.length > 0
  }

  /** The time of an event, as it was written. */
  at(time: string | null): void {
    if (time === null) return
    this.startedAt ??= time
    this.endedAt = time
  }

  push(draft: Draft): void {
    const { agent, parent } = this.#inside.at(-1) ?? {}
    this.#drafts.push({
      ...draft,
      ...(agent === undefined || draft.agent !== undefined ? {} : { agent }),
      ...(parent === undefined ? {} : { parent }),
    })
    if (draft.model !== undefined) this.model ??= draft.model
    if (draft.role === 'user' && draft.kind === 'message') this.prompt ??= draft.text
  }

  /** An event that is no step. */
  hide(name: string): void {
    this.#notShown.set(name, (this.#notShown.get(name) ?? 0) + 1)
  }

  /** An action that is no call, so that its observation finds it. */
  note(eventId: string | null, kind: string): void {
    this.#act({ eventId, kind, callId: null, isAnswered: false })
  }

  /** A call, in the step of the other calls of its answer when there are some. */
  call(call: ToolCall, role: Step['role'], around: CallAround): void {
    const { eventId, kind, text, response } = around
    const id = call.id ?? (eventId === null ? `action-${this.#actions.length}` : `event-${eventId}`)
    this.#act({ eventId, kind, callId: id, isAnswered: false })
    const batch = response === null ? undefined : this.#responses.get(response)
    if (batch !== undefined) {
      batch.push({ ...call, id })
      return
    }
    const calls = [{ ...call, id }]
    if (response !== null) this.#responses.set(response, calls)
    this.push({ role, kind: 'tool_call', text, calls, ...around.about })
  }

  #act(action: Action): void {
    this.#actions.push(action)
    if (action.eventId !== null) this.#byEvent.set(action.eventId, action)
    if (action.callId !== null) this.#byCall.set(action.callId, action)
  }

  /**
   * The action that an observation answers: the one that it names, else the latest that waits for an answer. Null when
   * there is none.
   */
  answered(cause: string | null, callId: string | null): Action | null {
    const named = this.#byEvent.get(cause ?? '') ?? this.#byCall.get(callId ?? '')
    const isNamed = cause !== null || callId !== null
    const found = named ?? (isNamed ? undefined : this.#latestOpen())
    if (found !== undefined) found.isAnswered = true
    return found ?? null
  }

  #latestOpen(): Action | undefined {
    const last = this.#actions.at(-1)
    return last?.isAnswered === false ? last : undefined
  }

  /** What follows is a sub-agent's, until `leave`. */
  enter(agent: string): void {
    this.#inside.push({ agent, parent: this.#drafts.length - 1 })
  }

  leave(): void {
    this.#inside.pop()
  }

  told(): Told {
    return {
      steps: pairResults(numbered(this.#drafts), this.doubts),
      notShown: Object.fromEntries(this.#notShown),
      prompt: this.prompt,
      systemPrompt: this.systemPrompt,
      tools: this.tools,
      agentVersion: this.agentVersion,
      model: this.model,
      lastState: this.lastState,
      usage: this.usage,
      costUsd: this.costUsd,
      startedAt: this.startedAt,
      endedAt: this.endedAt,
    }
  }
}

/** Tokens as OpenHands sums them; null where it counted nothing. */
export const accumulated = (value: Json | undefined): Usage | null =>
  totalUsage(value, 'prompt_tokens', 'completion_tokens', 'cache_read_tokens')

/** The text, or null where there is nothing but white space. */
export function shownText(value: Json | undefined): string | null {
  const text = asText(value)
  return text === null || text.trim() === '' ? null : text
}

/** Texts that say something, each once, as paragraphs; null when there are none. */
export function paragraphs(texts: readonly (string | null)[]): string | null {
  const shown = [...new Set(texts.flatMap((text) => shownText(text ?? undefined) ?? []))]
  return shown.length === 0 ? null : shown.join('\n\n')
}

/** The exit code that a command's observation states, -1 while it still runs; null where it states none. */
export function exitCodeOf(...places: readonly (Json | undefined)[]): number | null {
  for (const place of places) {
    const code =
      asNumber(member(member(place, 'metadata'), 'exit_code')) ?? asNumber(member(place, 'exit_code'))
    if (code !== null) return code
  }
  return null
}

/** Whether an exit code says that the command failed; a command that still runs has not. */
export function isFailure(code: number | null): boolean {
  return code !== null && code !== 0 && code !== -1
}
