// Events of the OpenHands SDK (version 1) as steps: messages, actions, observations, condensations. Actions of one
// answer of the model are one batch. Written after the format's definition: no real file of it was at hand (beta).
// Bookkeeping is counted and not shown. Runs nothing.

import { isObject, type Json, type JsonObject } from '../../../base/json.ts'
import type { ToolCall } from '../../../model/trial.ts'
import { noteUnparsed } from '../blocks.ts'
import { asId, asList, asObject, asText, isBare, member } from '../fields.ts'
import { isErrorText, readArguments, readContent, roleOf, type StepDoubt } from '../messages.ts'
import { exitCodeOf, isFailure, paragraphs, shownText, Story, type Told } from './story.ts'

const EVENT_KIND =
  /(?:Event|Observation|Condensation|CondensationRequest|CondensationSummary|CondensationFailure)$/

/** True when a value is an event of the SDK. */
export function isSdkEvent(value: Json | undefined): boolean {
  return (
    isObject(value) &&
    typeof value['kind'] === 'string' &&
    EVENT_KIND.test(value['kind']) &&
    ['source', 'timestamp', 'tool_name', 'llm_message', 'id'].some((key) => Object.hasOwn(value, key))
  )
}

/** Reads events of the SDK. Doubts are appended. */
export function readSdkEvents(history: readonly Json[], doubts: StepDoubt[]): Told {
  const story = new Story(doubts)
  doubts.push({
    code: 'FORMAT_BETA',
    message: 'Events of the OpenHands SDK, whose reading was not tried on a real file (beta).',
  })
  history.forEach((value, position) => {
    const event = asObject(value)
    if (event === null) {
      doubts.push({ code: 'STEP_INVALID', message: `Event ${position} is no event; kept as it is.` })
      story.push({ role: 'environment', kind: 'message', text: null, content: value })
      return
    }
    story.at(shownText(event['timestamp']))
    readEvent(event, asText(event['kind']) ?? '', story)
  })
  return story.told()
}

function timeOf(event: JsonObject): { startedAt?: string } {
  const time = shownText(event['timestamp'])
  return time === null ? {} : { startedAt: time }
}

function readEvent(event: JsonObject, kind: string, story: Story): void {
  const about = timeOf(event)
  switch (kind) {
    case 'SystemPromptEvent': {
      const text = asText(member(event['system_prompt'], 'text')) ?? asText(event['system_prompt'])
      story.systemPrompt ??= text
      story.tools = event['tools'] ?? story.tools
      return story.push({ role: 'system', kind: 'message', text, ...about })
    }
    case 'MessageEvent':
      return readMessage(event, story)
    case 'ActionEvent':
      return readAction(event, story)
    case 'ObservationEvent':
    case 'UserRejectObservation':
    case 'AgentErrorEvent':
      return readObservation(event, kind, story)
    case 'Condensation':
    case 'CondensationSummaryEvent': {
      const forgotten = asList(event['forgotten_event_ids'])?.length
      const extra = forgotten === undefined ? {} : { extra: { forgottenEvents: forgotten } }
      const text = shownText(event['summary'])
      return story.push({ role: 'environment', kind: 'compaction', text, ...about, ...extra })
    }
    case 'ConversationErrorEvent': {
      const text = paragraphs([asText(event['code']), asText(event['detail'])]) ?? ''
      story.lastState = 'error'
      return story.push({ role: 'environment', kind: 'error', text, ...about })
    }
    default:
      if (event['key'] === 'execution_status' || event['key'] === 'agent_status')
        story.lastState = asText(event['value']) ?? story.lastState
      return story.hide(kind === '' ? 'event without kind' : kind)
  }
}

function readMessage(event: JsonObject, story: Story): void {
  const message = asObject(event['llm_message'])
  const source = asText(event['source'])
  const role =
    source === 'user'
      ? 'user'
      : source === 'agent'
        ? 'assistant'
        : source === 'environment'
          ? 'environment'
          : (roleOf(asText(message?.['role'])) ?? 'environment')
  pushReasoning(message, event, story)
  story.push({ role, kind: 'message', ...readContent(message?.['content']), ...timeOf(event) })
}

function pushReasoning(from: JsonObject | null, event: JsonObject, story: Story): void {
  const blocks = asList(from?.['thinking_blocks']) ?? []
  const texts = [
    asText(from?.['reasoning_content']),
    ...blocks.map((block) => asText(member(block, 'thinking'))),
  ]
  const text = paragraphs(texts)
  if (text !== null) story.push({ role: 'assistant', kind: 'reasoning', text, ...timeOf(event) })
}

function readAction(event: JsonObject, story: Story): void {
  const eventId = asId(event['id'])
  const about = timeOf(event)
  const thought = shownText(readContent(event['thought']).text ?? undefined)
  const name = asText(event['tool_name']) ?? asText(member(event['tool_call'], 'name')) ?? ''
  const action = asObject(event['action'])
  const actionKind = asText(action?.['kind'])
  pushReasoning(event, event, story)
  if (name === 'finish' || actionKind === 'FinishAction') {
    story.note(eventId, 'finish')
    if (!story.isInside) story.lastState = 'finished'
    const text = paragraphs([thought, asText(action?.['message'])]) ?? ''
    return story.push({ role: 'assistant', kind: 'message', text, final: true, ...about })
  }
  if (name === 'think' || actionKind === 'ThinkAction') {
    story.note(eventId, 'think')
    const text = paragraphs([thought, asText(action?.['thought'])]) ?? ''
    return story.push({ role: 'assistant', kind: 'reasoning', text, ...about })
  }
  const call = callOf(event, name, action)
  noteUnparsed(call, story.doubts)
  const response = asId(event['llm_response_id'])
  story.call(call, 'assistant', { eventId, kind: name, text: thought, response, about })
}

function callOf(event: JsonObject, name: string, action: JsonObject | null): ToolCall {
  const id = asId(event['tool_call_id'])
  const written = asObject(event['tool_call'])
  const given = written?.['arguments'] ?? member(written?.['function'], 'arguments')
  if (given !== undefined && given !== null) return { id, name, ...readArguments(given) }
  const args = Object.entries(action ?? {}).filter(([key, value]) => key !== 'kind' && !isBare(value))
  return { id, name, args: Object.fromEntries(args) }
}

function readObservation(event: JsonObject, kind: string, story: Story): void {
  const about = timeOf(event)
  const action = story.answered(asId(event['action_id']), asId(event['tool_call_id']))
  const observation = asObject(event['observation'])
  const error = kind === 'AgentErrorEvent' ? asText(event['error']) : null
  // A thought or the end is answered by a word of the program.
  if (action !== null && action.callId === null && error === null) return story.hide(kind)
  const content = contentOf(event, observation)
  const callId = action?.callId ?? asId(event['tool_call_id'])
  if (callId === null)
    return story.push({
      role: 'environment',
      kind: error === null ? 'message' : 'error',
      ...(error === null ? content : { text: error }),
      ...about,
    })
  const code = exitCodeOf(observation ?? undefined)
  const isError =
    kind !== 'ObservationEvent' ||
    observation?.['is_error'] === true ||
    observation?.['error'] === true ||
    shownText(observation?.['error']) !== null ||
    isFailure(code) ||
    isErrorText(content.text)
  const toolName = asText(event['tool_name'])
  story.push({
    role: 'tool',
    kind: 'tool_result',
    ...(error === null ? content : { text: error }),
    callId,
    ...(toolName === null ? {} : { toolName }),
    ...(isError ? { isError: true } : {}),
    ...about,
    ...(code === null ? {} : { extra: { exitCode: code } }),
  })
}

function contentOf(
  event: JsonObject,
  observation: JsonObject | null,
): { text: string | null; content?: Json } {
  if (observation === null)
    return {
      text: asText(event['rejection_reason']) ?? asText(event['observation']) ?? asText(event['error']),
    }
  const given = observation['content'] ?? observation['output'] ?? observation['text'] ?? observation['error']
  if (!isBare(given) || typeof given === 'string') return readContent(given)
  const rest = Object.entries(observation).filter(([key, value]) => key !== 'kind' && !isBare(value))
  return { text: null, content: Object.fromEntries(rest) }
}
