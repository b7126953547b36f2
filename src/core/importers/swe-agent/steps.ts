// The turns of a SWE-agent trajectory as steps: what the model thought, the command or tool that it called, what the
// environment answered and where it stood then. The conversation (history) gives what was said before the first turn
// and the names of tools; it is all there is in demonstrations. Runs nothing; a command is only ever text.

import { isObject, type Json, type JsonObject } from '../../../base/json.ts'
import type { Step, ToolCall } from '../../../model/trial.ts'
import { noteUnparsed, numbered, type Draft } from '../blocks.ts'
import { asId, asList, asNumber, asObject, asText, isBare, member } from '../fields.ts'
import { isErrorText, pairResults, readArguments, readContent, roleOf, type StepDoubt } from '../messages.ts'
import { parseJson } from '../parse.ts'

/** Messages of the conversation that are looked at to find the one of a turn. */
const LOOK_AHEAD = 50
const EXIT_ACTION = /^exit_[a-z_]+$/
const EXIT_THOUGHT = /^\s*exit(?:ed|ing)? (?:due|because)/i

/** Steps, and the instruction that the model was given. */
export type Turns = { readonly steps: readonly Step[]; readonly prompt: string | null }

/** Reads the turns, with the conversation around them; without turns, the conversation. Doubts are appended. */
export function readTurns(turns: readonly Json[], history: readonly Json[], doubts: StepDoubt[]): Turns {
  const messages = history.map((message) => asObject(message))
  const prompt = messages.find((message) => message?.['role'] === 'user' && !isDemo(message))
  const drafts =
    turns.length > 0 ? readTrajectory(turns, messages, doubts) : readHistory(messages, history, doubts)
  return {
    steps: pairResults(numbered(drafts), doubts),
    prompt: prompt === undefined ? null : readContent(prompt?.['content']).text,
  }
}

function isDemo(message: JsonObject | null): boolean {
  return message?.['is_demo'] === true
}

function readTrajectory(
  turns: readonly Json[],
  messages: readonly (JsonObject | null)[],
  doubts: StepDoubt[],
): Draft[] {
  const begin = messages.findIndex((message) => message?.['role'] === 'assistant' && !isDemo(message))
  const opening = (begin < 0 ? messages : messages.slice(0, begin)).filter((message) => message !== null)
  const drafts = opening.map((message) => plainDraft(message))
  const spoken = messages.filter(
    (message) => message !== null && message['role'] === 'assistant' && !isDemo(message),
  )
  let at = 0
  turns.forEach((value, position) => {
    const turn = asObject(value)
    if (turn === null) {
      doubts.push({ code: 'STEP_INVALID', message: `Turn ${position} is not an object; kept as it is.` })
      drafts.push({ role: 'environment', kind: 'message', text: null, content: value })
      return
    }
    const action = asText(turn['action']) ?? ''
    // A retried answer is in the conversation and no turn: the next one with the same action is this turn's.
    const ahead = spoken.slice(at, at + LOOK_AHEAD)
    const found = ahead.findIndex((message) => sameAction(message, action))
    if (found >= 0) at += found + 1
    drafts.push(...turnDrafts(turn, action, ahead[found] ?? null, doubts))
  })
  return drafts
}

function sameAction(message: JsonObject | null, action: string): boolean {
  return (asText(message?.['action']) ?? '').trim() === action.trim()
}

function turnDrafts(
  turn: JsonObject,
  action: string,
  message: JsonObject | null,
  doubts: StepDoubt[],
): Draft[] {
  // The answer repeats the command: it stands in only where no thought was taken from it.
  const thought = shownText(asText(turn['thought']) === null ? turn['response'] : turn['thought'])
  const observation = asText(turn['observation'])
  const reasoning = reasoningOf(message)
  if (EXIT_ACTION.test(action.trim()) || (action.trim() === '' && EXIT_THOUGHT.test(thought ?? ''))) {
    const texts = [thought, shownText(observation)].filter((text) => text !== null)
    return [{ role: 'environment', kind: 'error', text: texts.join('\n') || action }]
  }
  if (action.trim() === '' && asList(message?.['tool_calls']) === null)
    return [
      ...reasoning,
      { role: 'assistant', kind: 'message', text: thought ?? '' },
      ...(shownText(observation) === null
        ? []
        : [{ role: 'environment', kind: 'message', text: observation } as const]),
    ]
  const calls = callsOf(message, action, doubts)
  const state = stateOf(turn['state'])
  const seconds = asNumber(turn['execution_time'])
  const extra: Record<string, Json> = {}
  if (seconds !== null) extra['executionTimeMs'] = Math.round(seconds * 1000)
  if (!isBare(turn['extra_info'])) extra['info'] = turn['extra_info'] as Json
  const callId = calls[0]?.id
  return [
    ...reasoning,
    { role: 'assistant', kind: 'tool_call', text: thought, calls },
    {
      role: 'tool',
      kind: 'tool_result',
      text: observation ?? (turn['observation'] === undefined ? null : readContent(turn['observation']).text),
      ...(callId == null ? {} : { callId }),
      ...(isErrorText(observation) ? { isError: true } : {}),
      ...(state === undefined ? {} : { state }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    },
  ]
}

/** The calls that a message names; without tools to name, its action is a command of the shell. */
function callsOf(message: JsonObject | null, action: string, doubts: StepDoubt[]): ToolCall[] {
  const listed = asList(message?.['tool_calls']) ?? []
  const calls = listed.map((call): ToolCall => {
    const inner = asObject(member(call, 'function')) ?? asObject(call)
    const read = readArguments(member(inner ?? undefined, 'arguments'))
    return { id: asId(member(call, 'id')), name: asText(member(inner ?? undefined, 'name')) ?? '', ...read }
  })
  for (const call of calls) noteUnparsed(call, doubts)
  if (calls.length > 0) return calls
  return [{ id: null, name: 'bash', args: { command: withoutLineEnds(action) } }]
}

function withoutLineEnds(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '\n') end -= 1
  return text.slice(0, end)
}

/** The text, or null where there is nothing but white space. */
function shownText(value: Json | undefined): string | null {
  const text = asText(value)
  return text === null || text.trim() === '' ? null : text
}

/** Open file and folder: an object, or its JSON as text. */
function stateOf(value: Json | undefined): Json | undefined {
  const text = asText(value)
  if (text === null) return isBare(value) ? undefined : value
  if (text.trim() === '') return undefined
  const parsed = parseJson(text, Number.POSITIVE_INFINITY)
  const state = parsed.ok ? parsed.value : text
  return isBare(state) ? undefined : state
}

function reasoningOf(message: JsonObject | null): Draft[] {
  return (asList(message?.['thinking_blocks']) ?? []).flatMap((block): Draft[] => {
    const text = shownText(member(block, 'thinking'))
    return text === null ? [] : [{ role: 'assistant', kind: 'reasoning', text }]
  })
}

/** A message of the conversation that calls nothing. */
function plainDraft(message: JsonObject): Draft {
  const name = asText(message['role'])
  const role = roleOf(name)
  const extra: Record<string, Json> = {}
  if (isDemo(message)) extra['isDemo'] = true
  if (role === null && name !== null) extra['role'] = name
  const { text, content } = readContent(message['content'])
  return {
    role: role ?? 'environment',
    kind: 'message',
    text,
    ...(content === undefined ? {} : { content }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

function readHistory(
  messages: readonly (JsonObject | null)[],
  history: readonly Json[],
  doubts: StepDoubt[],
): Draft[] {
  const drafts: Draft[] = []
  let isAnswerDue = false
  messages.forEach((message, position) => {
    if (message === null) {
      doubts.push({ code: 'STEP_INVALID', message: `Message ${position} is not an object; kept as it is.` })
      drafts.push({ role: 'environment', kind: 'message', text: null, content: history[position] as Json })
      return
    }
    const role = message['role']
    const action = asText(message['action']) ?? ''
    const listed = asList(message['tool_calls'])
    if (role === 'assistant' && !isDemo(message) && (action.trim() !== '' || (listed ?? []).length > 0)) {
      const text = shownText(message['thought']) ?? shownText(readContent(message['content']).text)
      const calls = callsOf(message, action, doubts)
      drafts.push(...reasoningOf(message), { role: 'assistant', kind: 'tool_call', text, calls })
      isAnswerDue = true
    } else if (!isDemo(message) && (role === 'tool' || (role === 'user' && isAnswerDue))) {
      const { text, content } = readContent(message['content'])
      const callId = asId(asList(message['tool_call_ids'])?.[0])
      drafts.push({
        role: 'tool',
        kind: 'tool_result',
        text,
        ...(content === undefined ? {} : { content }),
        ...(callId === null ? {} : { callId }),
        ...(isErrorText(text) ? { isError: true } : {}),
      })
      isAnswerDue = false
    } else drafts.push(plainDraft(message))
  })
  return drafts
}

/** True when a value is a turn: an action with what was thought or observed. */
export function isTurn(value: Json | undefined): boolean {
  return (
    isObject(value) &&
    Object.hasOwn(value, 'action') &&
    ['observation', 'thought', 'response', 'state'].some((key) => Object.hasOwn(value, key))
  )
}

/** True when a value is a message of the harness's conversation, which names the agent or the kind of message. */
export function isHistoryMessage(value: Json | undefined): boolean {
  return (
    isObject(value) &&
    typeof value['role'] === 'string' &&
    ['agent', 'message_type', 'is_demo'].some((key) => Object.hasOwn(value, key))
  )
}
