// Chat messages of any usual shape as steps: OpenAI (tool_calls, function_call, roles developer and function),
// Anthropic (tool_use and tool_result blocks), Gemini (role and parts), Responses items, `{from, value}` pairs. A list
// may mix them. Pairs every result with its call. Executes nothing.

import type { Json, JsonObject } from '../../../base/json.ts'
import type { Step, ToolCall } from '../../../model/trial.ts'
import {
  draftsOf,
  joined,
  numbered,
  readBlocks,
  resultContent,
  resultDraft,
  type Block,
  type Draft,
} from '../blocks.ts'
import { asId, asList, asObject, asText, isBare, member } from '../fields.ts'
import { withoutBytes } from '../media.ts'
import { pairResults, readArguments, roleOf, type StepDoubt } from '../messages.ts'
import { isResponseItem, ItemReader } from '../responses.ts'

/** Members that are read; the others go into the step's `extra`. */
const KNOWN = new Set([
  'role',
  'type',
  'from',
  'value',
  'content',
  'parts',
  'tool_calls',
  'function_call',
  'tool_call_id',
  'toolCallId',
  'name',
  'is_error',
  'error',
  'reasoning_content',
  'reasoning',
  'refusal',
  'id',
])
const SHARED_ROLES: ReadonlyMap<string, string> = new Map([
  ['gpt', 'assistant'],
  ['chatgpt', 'assistant'],
  ['bot', 'assistant'],
  ['observation', 'tool'],
  ['function_response', 'tool'],
])

/** The name of a message's role, in whatever member it stands; null when it has none that is known. */
export function roleNameOf(message: JsonObject): string | null {
  const own = asText(message['role']) ?? asText(message['from'])
  const named = own ?? (Object.hasOwn(message, 'content') ? asText(message['type']) : null)
  if (named === null) return null
  const role = SHARED_ROLES.get(named.toLowerCase()) ?? named
  return roleOf(role) === null ? null : role
}

const CONTENTS = ['content', 'parts', 'value', 'tool_calls', 'function_call']

/** True for a value that is a chat message of one of the shapes. */
export function isMessage(value: Json | undefined): value is JsonObject {
  const message = asObject(value)
  if (message === null) return false
  if (isResponseItem(message)) return true
  return roleNameOf(message) !== null && CONTENTS.some((key) => Object.hasOwn(message, key))
}

/** The steps of a list of messages, with what is doubtful about them appended to `doubts`. */
export function readMessages(messages: readonly Json[], doubts: StepDoubt[]): Step[] {
  const items = new ItemReader(doubts)
  messages.forEach((value, index) => {
    const message = asObject(value)
    if (message === null) {
      doubts.push({ code: 'STEP_INVALID', message: `Message ${index} is not an object; kept as it is.` })
      items.push({ role: 'environment', kind: 'message', text: null, content: value })
    } else if (!isResponseItem(message) || !items.take(message, {}))
      items.push(...messageDrafts(message, index, doubts))
  })
  items.flush()
  return pairResults(numbered(items.drafts), doubts)
}

function messageDrafts(message: JsonObject, index: number, doubts: StepDoubt[]): Draft[] {
  const roleName = roleNameOf(message)
  const role = roleOf(roleName)
  const extra: Record<string, Json> = {}
  for (const [key, value] of Object.entries(message)) {
    if (KNOWN.has(key) || isBare(value)) continue
    Object.defineProperty(extra, key, {
      value: withoutBytes(value),
      enumerable: true,
      writable: true,
      configurable: true,
    })
  }
  if (role === null) {
    doubts.push({ code: 'STEP_INVALID', message: `Message ${index} has no known role; kept as environment.` })
    const own = message['role'] ?? message['from'] ?? message['type']
    if (own !== undefined) extra['role'] = own
  }
  const name = asText(message['name'])
  const content = message['content'] ?? message['parts'] ?? message['value']
  if (role === 'tool') return [toolDraft(message, name, content, extra)]
  if (name !== null) extra['name'] = name
  const blocks: Block[] = [...reasoningOf(message), ...readBlocks(content), ...callsOf(message)]
  const refusal = asText(message['refusal'])
  if (refusal !== null) blocks.push({ kind: 'text', text: refusal, isRefusal: true })
  return draftsOf(role ?? 'environment', blocks, Object.keys(extra).length === 0 ? {} : { extra }, doubts)
}

/** Reasoning that stands beside the content, as several servers write it. */
function reasoningOf(message: JsonObject): Block[] {
  const value = message['reasoning_content'] ?? message['reasoning']
  const text = asText(value) ?? joined(readBlocks(asList(value) ?? undefined))
  return text === null || text.trim() === '' ? [] : [{ kind: 'reasoning', text }]
}

/** Calls in the shapes `tool_calls[{id, function{name, arguments}}]`, flat (`{name, args}`), or `function_call`. */
function callsOf(message: JsonObject): Block[] {
  const legacy = asObject(message['function_call'])
  const listed = asList(message['tool_calls']) ?? []
  return (legacy === null ? listed : [...listed, legacy]).map((call): Block => {
    const inner = asObject(member(call, 'function')) ?? asObject(member(call, 'custom')) ?? asObject(call)
    const args = inner?.['arguments'] ?? inner?.['args'] ?? inner?.['input']
    const read: ToolCall = {
      id: asId(member(call, 'id')),
      name: asText(inner?.['name']) ?? '',
      ...readArguments(args),
    }
    return { kind: 'call', call: read, isServer: false }
  })
}

/** A message of a tool. Anthropic's blocks and Gemini's parts name their call themselves. */
function toolDraft(
  message: JsonObject,
  name: string | null,
  content: Json | undefined,
  extra: Record<string, Json>,
): Draft {
  const inner = readBlocks(content).find((block) => block.kind === 'result')?.result
  const error = asText(message['error'])
  const result = inner ?? {
    callId: asId(message['tool_call_id']) ?? asId(message['toolCallId']),
    toolName: name,
    ...resultContent(content),
    isError: false,
  }
  const isError =
    result.isError ||
    message['is_error'] === true ||
    message['error'] === true ||
    error !== null ||
    message['status'] === 'error'
  return {
    ...resultDraft({ ...result, isError }),
    ...(error === null ? {} : { error }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}
