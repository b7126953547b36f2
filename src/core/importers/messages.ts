// Chat messages as steps: the OpenAI shape (role, content, tool_calls, tool_call_id) and its usual variants.
// Used by format files whose trajectory is a list of messages. Pairs every tool result with its call, so that
// nothing after the import has to guess. Executes nothing; a call written as text is only ever text.

import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { Step, StepRole, ToolCall } from '../../model/trial.ts'
import { asId, asList, asObject, asText, isBare, member, others } from './fields.ts'
import type { ProblemCode } from './importer.ts'
import { parseJson } from './parse.ts'

/** A doubt about one message, without its place in the file. */
export type StepDoubt = { readonly code: ProblemCode; readonly message: string }

/** Steps and what was doubtful about them. */
export type Conversation = { readonly steps: readonly Step[]; readonly doubts: readonly StepDoubt[] }

const ROLES: ReadonlyMap<string, StepRole> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['agent', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['environment', 'environment'],
])

const KNOWN_KEYS = new Set([
  'role',
  'content',
  'tool_calls',
  'function_call',
  'tool_call_id',
  'name',
  'is_error',
  'error',
])
/** How tau-bench's tools, and many others, begin the text of an error. */
const ERROR_TEXT = /^\s*(?:#\s*\w+\s*=\s*["'])?error\b\s*[:\-–]/i
const TEXT_CALL = /<tool_call>\s*(\{[\s\S]*?\})\s*<\/tool_call>/g

/** The role that a foreign role name means; null when it is none of the usual ones. */
export function roleOf(name: string | null): StepRole | null {
  return name === null ? null : (ROLES.get(name.toLowerCase()) ?? null)
}

/** True when the text of a tool result says that it is an error. */
export function isErrorText(text: string | null): boolean {
  return text !== null && ERROR_TEXT.test(text)
}

/**
 * A call's arguments: an object as it is; a string parsed as JSON, else as what Python prints for a dict, else
 * kept raw with the reason. What was not JSON keeps its text beside the value.
 */
export function readArguments(value: Json | undefined): Pick<ToolCall, 'args' | 'argsRaw' | 'parseError'> {
  if (value === undefined) return { args: null }
  if (typeof value !== 'string') return { args: value }
  if (value.trim() === '') return value === '' ? { args: {} } : { args: {}, argsRaw: value }
  const parsed = parseJson(value, Number.POSITIVE_INFINITY)
  if (parsed.ok) return { args: parsed.value }
  const parseError = `${parsed.message} at character ${parsed.at}`
  const python = /^\s*[[{]/.test(value) ? parseJson(value, Number.POSITIVE_INFINITY, true) : null
  return { args: python?.ok === true ? python.value : null, argsRaw: value, parseError }
}

/** Text and structure of a message's content: a string, or the joined text of its parts, or neither. */
export function readContent(value: Json | undefined): { text: string | null; content?: Json } {
  if (value === undefined || value === null) return { text: null }
  if (typeof value === 'string') return { text: value }
  const parts = asList(value)
  if (parts === null) return { text: null, content: value }
  const texts = parts.map((part) => asText(part) ?? asText(member(part, 'text')))
  const isPlain = texts.every((text) => text !== null)
  const joined = texts.filter((text) => text !== null).join('\n')
  if (isPlain && parts.length > 0) return { text: joined }
  return { text: joined === '' ? null : joined, content: value }
}

/** The calls of a message in the shapes `tool_calls[{id, function{name, arguments}}]`, flat, or `function_call`. */
function readCalls(message: JsonObject): ToolCall[] {
  const listed = asList(message['tool_calls']) ?? []
  const legacy = asObject(message['function_call'])
  return (legacy === null ? listed : [...listed, legacy]).map((call) => {
    const inner = asObject(member(call, 'function')) ?? asObject(call)
    const name = asText(member(inner ?? undefined, 'name')) ?? ''
    const args = member(inner ?? undefined, 'arguments') ?? member(inner ?? undefined, 'args')
    return { id: asId(member(call, 'id')), name, ...readArguments(args) }
  })
}

/** An action written as ReAct text (`Action: {"name": …, "arguments": {…}}`), as a call; null when there is none. */
function readTextAction(text: string): ToolCall | null {
  const found = /(?:^|\n)\s*Action:\s*(\{[\s\S]*\})\s*$/.exec(text)
  const parsed = found === null ? null : parseJson(found[1] as string, Number.POSITIVE_INFINITY)
  const action = parsed?.ok === true ? asObject(parsed.value) : null
  const name = action === null ? null : asText(action['name'])
  if (action === null || name === null || name === 'respond') return null
  return { id: null, name, ...readArguments(action['arguments'] ?? action['kwargs']) }
}

/** Calls that a model wrote as `<tool_call>` text, for a reader to see. */
function readUnexecuted(text: string): Json[] {
  return [...text.matchAll(TEXT_CALL)].map((found) => {
    const parsed = parseJson(found[1] as string, Number.POSITIVE_INFINITY)
    return parsed.ok ? parsed.value : (found[1] as string)
  })
}

/**
 * A list of chat messages as steps, index by index. Results are paired with calls: by id with the nearest
 * earlier call of that id that is still unanswered, without an id with the oldest unanswered call of that name
 * or any. Call ids are made unique in the trial (`id`, `id#2`, …; `step-N` where there was none).
 */
export function readConversation(messages: readonly Json[]): Conversation {
  const doubts: StepDoubt[] = []
  const steps: Step[] = []
  messages.forEach((value, index) => {
    const message = asObject(value)
    if (message === null) {
      doubts.push({ code: 'STEP_INVALID', message: `Message ${index} is not an object; kept as it is.` })
      steps.push({ index, role: 'environment', kind: 'message', text: null, content: value })
    } else steps.push(readMessage(message, index, steps.at(-1), messages[index + 1], doubts))
  })
  return { steps: pairResults(steps, doubts), doubts }
}

function readMessage(
  message: JsonObject,
  index: number,
  before: Step | undefined,
  after: Json | undefined,
  doubts: StepDoubt[],
): Step {
  const roleName = asText(message['role'])
  const role = roleOf(roleName)
  if (role === null)
    doubts.push({ code: 'STEP_INVALID', message: `Message ${index} has no known role; kept as environment.` })
  const { text, content } = readContent(message['content'])
  const rest = others(message, KNOWN_KEYS)
  const extra: Record<string, Json> = {}
  for (const [key, value] of Object.entries(rest ?? {})) {
    const isNothing = isBare(value) || (isObject(value) && Object.values(value).every((one) => one === null))
    if (!isNothing)
      Object.defineProperty(extra, key, { value, enumerable: true, writable: true, configurable: true })
  }
  if (role === null && roleName !== null) extra['role'] = roleName
  const withExtra = (step: Step): Step => (Object.keys(extra).length === 0 ? step : { ...step, extra })
  const base = { index, text, ...(content === undefined ? {} : { content }) }
  const name = asText(message['name'])

  if (role === 'tool') {
    const callId = asId(message['tool_call_id'])
    const error = asText(message['error'])
    const isError =
      message['is_error'] === true || message['error'] === true || error !== null || isErrorText(text)
    return withExtra({
      ...base,
      role,
      kind: 'tool_result',
      ...(callId === null ? {} : { callId }),
      ...(name === null ? {} : { toolName: name }),
      ...(isError ? { isError } : {}),
      ...(error === null ? {} : { error }),
    })
  }
  if (name !== null) extra['name'] = name
  if (role === 'assistant') {
    const calls = readCalls(message)
    for (const call of calls)
      if (call.parseError !== undefined)
        doubts.push({
          code: 'CALL_UNPARSED',
          message: `Message ${index}: the arguments of ${call.name || 'a call'} are not JSON (${call.parseError})${call.args === null ? '; kept as text' : "; read in Python's notation"}.`,
        })
    const action = calls.length === 0 && text !== null ? readTextAction(text) : null
    const isExecuted = roleOf(asText(member(after, 'role'))) === 'tool'
    if (calls.length === 0 && action === null && text !== null && !isExecuted) {
      const unexecuted = readUnexecuted(text)
      if (unexecuted.length > 0) {
        extra['unexecutedCalls'] = unexecuted
        doubts.push({
          code: 'CALL_NOT_EXECUTED',
          message: `Message ${index}: a <tool_call> in the text was executed by nothing; kept as text.`,
        })
      }
    }
    const all = action === null ? calls : [action]
    return withExtra({
      ...base,
      role,
      kind: all.length > 0 ? 'tool_call' : 'message',
      ...(all.length > 0 ? { calls: all } : {}),
    })
  }
  // ReAct harnesses hand a result back as a user message.
  if (role === 'user' && text !== null && /^API output:/i.test(text) && before?.kind === 'tool_call') {
    const output = text.replace(/^API output:\s*/i, '')
    return withExtra({
      ...base,
      text: output,
      role: 'tool',
      kind: 'tool_result',
      ...(isErrorText(output) ? { isError: true } : {}),
    })
  }
  return withExtra({ ...base, role: role ?? 'environment', kind: 'message' })
}

type OpenCall = { readonly id: string | null; readonly unique: string; readonly name: string }

/** Gives every call an id that is unique in the trial, and every result the id of the call that it answers. */
export function pairResults(steps: readonly Step[], doubts: StepDoubt[]): Step[] {
  const used = new Set<string>()
  const open: OpenCall[] = []
  return steps.map((step) => {
    if (step.calls !== undefined && step.calls.length > 0) {
      const calls = step.calls.map((call, position) => {
        const wanted = call.id ?? (position === 0 ? `step-${step.index}` : `step-${step.index}.${position}`)
        let unique = wanted
        for (let use = 2; used.has(unique); use += 1) unique = `${wanted}#${use}`
        used.add(unique)
        open.push({ id: call.id, unique, name: call.name })
        return unique === call.id ? call : { ...call, id: unique }
      })
      return { ...step, calls }
    }
    if (step.kind !== 'tool_result') return step
    const isOpen = open.some((call) => call.id === step.callId || call.unique === step.callId)
    if (!isOpen && step.callId !== undefined && used.has(step.callId)) {
      doubts.push({
        code: 'RESULT_UNPAIRED',
        message: `Step ${step.index}: a second result for call ${step.callId}.`,
      })
      return step
    }
    const at = findCall(open, step, doubts)
    const call = at < 0 ? undefined : open.splice(at, 1)[0]
    if (call === undefined) {
      doubts.push({
        code: 'RESULT_UNPAIRED',
        message: `Step ${step.index}: a tool result that answers no call.`,
      })
      return step
    }
    const toolName = step.toolName ?? (call.name === '' ? undefined : call.name)
    return { ...step, callId: call.unique, ...(toolName === undefined ? {} : { toolName }) }
  })
}

function findCall(open: readonly OpenCall[], step: Step, doubts: StepDoubt[]): number {
  if (step.callId !== undefined) {
    const byId = open.findLastIndex((call) => call.id === step.callId)
    if (byId >= 0) return byId
  }
  const fits = (call: OpenCall): boolean => step.toolName === undefined || call.name === step.toolName
  const candidates = open.filter(fits).length
  if (candidates > 1)
    doubts.push({
      code: 'RESULT_UNPAIRED',
      message: `Step ${step.index}: a tool result ${step.callId === undefined ? 'without an id' : 'with an unknown id'} could answer ${candidates} calls; the first is assumed.`,
    })
  return open.findIndex(fits)
}
