// Events of OpenHands before its SDK, as steps: actions and observations, flat with ids, flat without, or in pairs. A
// call is what the model wrote, where the event keeps it, else the action's own arguments. Bookkeeping of the program
// is counted and not shown. Runs nothing.

import { isObject, type Json, type JsonObject } from '../../../base/json.ts'
import type { ToolCall } from '../../../model/trial.ts'
import { noteUnparsed, type Draft } from '../blocks.ts'
import { countedOf } from '../coding-run.ts'
import { asId, asList, asNumber, asObject, asText, isBare, member } from '../fields.ts'
import { isErrorText, readArguments, readContent, type StepDoubt } from '../messages.ts'
import { accumulated, exitCodeOf, isFailure, paragraphs, shownText, Story, type Told } from './story.ts'

/** What an action has beside the arguments of its call. */
const NO_ARGUMENTS = new Set(
  `action observation id timestamp source message cause tool_call_metadata llm_metrics timeout thought
  confirmation_state is_confirmed security_risk action_risk keep_prompt kernel_init_code blocking hidden is_static
  impl_source include_extra translated_ipython_code images_urls image_urls wait_for_response args response_id`.split(
    /\s+/,
  ),
)
/** Actions of the program itself. */
const BOOKKEEPING = new Set(['change_agent_state', 'recall', 'null', 'start', 'pause', 'resume', 'stop'])
const CONDENSATION = new Set(['condensation', 'condense'])

/** True when a value is an event: an action or observation by name. */
export function isEvent(value: Json | undefined): boolean {
  return isObject(value) && (typeof value['action'] === 'string' || typeof value['observation'] === 'string')
}

/** Reads a history: events, or pairs of them. Doubts are appended. */
export function readEvents(history: readonly Json[], doubts: StepDoubt[]): Told {
  const story = new Story(doubts)
  const events = history.flatMap((entry) => asList(entry) ?? [entry])
  events.forEach((value, position) => {
    const event = asObject(value)
    if (event === null || !isEvent(value)) {
      if (isBare(value)) return
      doubts.push({ code: 'STEP_INVALID', message: `Event ${position} is no event; kept as it is.` })
      story.push({ role: 'environment', kind: 'message', text: null, content: value })
      return
    }
    story.at(shownText(event['timestamp']))
    readMetrics(event, story)
    if (typeof event['observation'] === 'string') readObservation(event, event['observation'], story)
    else readAction(event, asText(event['action']) as string, story)
  })
  return story.told()
}

function readMetrics(event: JsonObject, story: Story): void {
  const metrics = asObject(event['llm_metrics'])
  if (metrics === null) return
  story.usage = accumulated(metrics['accumulated_token_usage']) ?? story.usage
  story.costUsd = countedOf(asNumber(metrics['accumulated_cost'])) ?? story.costUsd
}

/** A member of the event's arguments; old events have them beside `action`. */
function argument(event: JsonObject, key: string): Json | undefined {
  return member(event['args'], key) ?? event[key]
}

/** What the model's answer says of itself: model, and its tokens where the event is the first of the answer. */
function aboutOf(event: JsonObject): Partial<Draft> {
  const response = asObject(member(event['tool_call_metadata'], 'model_response'))
  const model = asText(response?.['model'])
  const usage = asObject(response?.['usage'])
  const input = asNumber(usage?.['prompt_tokens'])
  const output = asNumber(usage?.['completion_tokens'])
  const cached = asNumber(member(usage?.['prompt_tokens_details'], 'cached_tokens'))
  const time = shownText(event['timestamp'])
  return {
    ...(model === null ? {} : { model }),
    ...(input === null && output === null
      ? {}
      : { usage: { inputTokens: input, outputTokens: output, cachedInputTokens: cached } }),
    ...(time === null ? {} : { startedAt: time }),
  }
}

function readAction(event: JsonObject, action: string, story: Story): void {
  const eventId = asId(event['id'])
  const source = asText(event['source'])
  const about = aboutOf(event)
  const thought = shownText(argument(event, 'thought'))
  const content = readContent(argument(event, 'content'))
  if (action === 'system') {
    story.note(eventId, action)
    story.systemPrompt ??= content.text
    story.tools = member(event['args'], 'tools') ?? story.tools
    story.agentVersion ??= asText(argument(event, 'openhands_version'))
    story.push({ role: 'system', kind: 'message', ...content, ...about })
  } else if (action === 'message') {
    story.note(eventId, action)
    const role = speakerOf(event, source, story)
    story.push({ role, kind: 'message', ...content, ...about })
  } else if (action === 'think') {
    // A thought changes nothing and answers nothing: it is reasoning, whatever tool it was written with.
    story.note(eventId, action)
    story.push({ role: 'assistant', kind: 'reasoning', text: thought ?? content.text ?? '', ...about })
  } else if (action === 'finish' || action === 'reject') {
    story.note(eventId, action)
    finish(event, action, thought, about, story)
  } else if (CONDENSATION.has(action)) {
    story.note(eventId, action)
    const forgotten = asList(argument(event, 'forgotten_event_ids'))?.length
    const text = shownText(argument(event, 'summary'))
    const extra = forgotten === undefined ? {} : { extra: { forgottenEvents: forgotten } }
    story.push({ role: 'environment', kind: 'compaction', text, ...extra, ...about })
  } else if (BOOKKEEPING.has(action) || action === 'condensation_request') {
    story.note(eventId, action)
    story.hide(action)
  } else {
    const call = callOf(event, action)
    noteUnparsed(call, story.doubts)
    const meta = asObject(event['tool_call_metadata'])
    const isBatch = (asNumber(meta?.['total_calls_in_response']) ?? 1) > 1
    const response = isBatch ? asId(member(meta?.['model_response'], 'id')) : null
    const role = source === 'user' ? 'user' : 'assistant'
    story.call(call, role, { eventId, kind: action, text: thought, response, about })
    if (action === 'delegate') story.enter(asText(argument(event, 'agent')) ?? 'sub-agent')
  }
}

/** Who says a message. Old events do not tell: the first is the task; what waits for an answer is the agent's. */
function speakerOf(
  event: JsonObject,
  source: string | null,
  story: Story,
): 'user' | 'assistant' | 'environment' {
  if (source === 'user') return 'user'
  if (source === 'agent') return 'assistant'
  if (source !== null) return 'environment'
  if (story.prompt === null) return 'user'
  return argument(event, 'wait_for_response') === true ? 'assistant' : 'user'
}

function finish(
  event: JsonObject,
  action: string,
  thought: string | null,
  about: Partial<Draft>,
  story: Story,
): void {
  const outputs = asObject(argument(event, 'outputs'))
  const written = [thought, shownText(argument(event, 'final_thought')), shownText(outputs?.['content'])]
  const completed = argument(event, 'task_completed')
  const extra: Record<string, Json> = {}
  if (!isBare(completed)) extra['taskCompleted'] = completed as Json
  if (outputs !== null && !isBare(outputs)) extra['outputs'] = outputs
  if (!story.isInside) story.lastState = action === 'finish' ? 'finished' : 'rejected'
  story.push({
    role: 'assistant',
    kind: 'message',
    text: paragraphs(written) ?? shownText(event['message']) ?? '',
    // What a sub-agent ends with is an answer to its caller, not to the task.
    ...(story.isInside ? {} : { final: true }),
    ...about,
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  })
}

/** The call as the model wrote it, which the event's metadata keep; else the action and its arguments. */
function callOf(event: JsonObject, action: string): ToolCall {
  const meta = asObject(event['tool_call_metadata'])
  const id = asId(meta?.['tool_call_id'])
  const choice = asList(member(meta?.['model_response'], 'choices'))?.[0]
  const written = asList(member(member(choice, 'message'), 'tool_calls'))?.find(
    (call) => member(call, 'id') === id,
  )
  const name = asText(meta?.['function_name']) ?? asText(member(member(written, 'function'), 'name'))
  const given = member(member(written, 'function'), 'arguments')
  if (name !== null && given !== undefined) return { id, name, ...readArguments(given) }
  const args = Object.entries(asObject(event['args']) ?? event).filter(
    ([key, value]) => !NO_ARGUMENTS.has(key) && !isBare(value) && value !== false,
  )
  return { id, name: name ?? action, args: Object.fromEntries(args) }
}

function readObservation(event: JsonObject, observation: string, story: Story): void {
  const cause = asId(event['cause'])
  const callId = asId(member(event['tool_call_metadata'], 'tool_call_id'))
  const extras = asObject(event['extras'])
  const time = shownText(event['timestamp'])
  const about = time === null ? {} : { startedAt: time }
  const content = contentOf(event)
  if (observation === 'agent_state_changed') {
    story.lastState = asText(extras?.['agent_state']) ?? story.lastState
    return story.hide(observation)
  }
  // What was recalled answers nobody's call: it is told to the model beside the task.
  if (observation === 'recall' || observation === 'user_message' || observation === 'chat') {
    story.answered(cause, callId)
    const extra = Object.fromEntries(
      Object.entries(extras ?? {}).filter(([, value]) => !isBare(value) && value !== ''),
    )
    const rest = Object.keys(extra).length === 0 ? {} : { extra }
    return story.push({ role: 'environment', kind: 'message', ...content, ...about, ...rest })
  }
  if (CONDENSATION.has(observation))
    return story.push({ role: 'environment', kind: 'compaction', ...content, ...about })
  // An error that names no action is the program's answer to a call that it could not read.
  const isOwnError = observation === 'error' && cause === null && callId === null
  const action = isOwnError ? null : story.answered(cause, callId)
  if (observation === 'delegate' || observation === 'agent_delegate') story.leave()
  if (observation === 'null' || (action !== null && action.callId === null && observation !== 'error'))
    return story.hide(observation)
  if (action === null || action.callId === null) {
    const kind = observation === 'error' ? 'error' : 'message'
    return story.push({ role: 'environment', kind, ...content, ...about })
  }
  const code = exitCodeOf(extras ?? undefined, event)
  const isError =
    (event['success'] === false && code !== -1) ||
    isFailure(code) ||
    observation === 'error' ||
    observation === 'user_rejected' ||
    extras?.['error'] === true ||
    isErrorText(content.text)
  story.push({
    role: 'tool',
    kind: 'tool_result',
    ...content,
    callId: action.callId,
    ...(isError ? { isError: true } : {}),
    ...about,
    ...(code === null ? {} : { extra: { exitCode: code } }),
  })
}

/** What was observed; a sub-agent's outputs where there is no text. */
function contentOf(event: JsonObject): { text: string | null; content?: Json } {
  const outputs = member(event['extras'], 'outputs')
  const { text, content } = readContent(event['content'])
  if (shownText(text ?? undefined) !== null || isBare(outputs))
    return { text, ...(content === undefined ? {} : { content }) }
  return { text: null, content: outputs as Json }
}
