// Inspect chat messages as steps. A message gives one step, or several: its reasoning, and calls that the provider
// ran itself, stand before it. Used for conversations (sample.ts) and for inputs and outputs of events (events.ts).

import type { Json, JsonObject } from '../../../base/json.ts'
import type { Step, ToolCall } from '../../../model/trial.ts'
import { asId, asList, asObject, asText, isBare, member } from '../fields.ts'
import { readArguments, roleOf, type StepDoubt } from '../messages.ts'
import { readParts, type Attachments, type Part } from './content.ts'

/** A step that has no place in its trial yet. */
export type Draft = Omit<Step, 'index'>

/** What is known of a message from around it: times, usage, whose it is. */
export type Around = Partial<
  Pick<Step, 'agent' | 'parent' | 'model' | 'usage' | 'startedAt' | 'endedAt' | 'extra'>
>

/** The steps of one message. `around` is put on all of them, usage and times on the last one only. */
export function messageSteps(
  value: Json,
  attachments: Attachments,
  doubts: StepDoubt[],
  around: Around = {},
): Draft[] {
  const message = asObject(value)
  if (message === null) {
    doubts.push({ code: 'STEP_INVALID', message: 'A message is not an object; kept as it is.' })
    return [{ role: 'environment', kind: 'message', text: null, content: value, ...around }]
  }
  const { usage: _usage, startedAt: _from, endedAt: _to, extra, ...owner } = around
  const extras: Record<string, Json> = { ...asObject(extra) }
  const metadata = message['metadata']
  if (!isBare(metadata)) extras['metadata'] = attachments.value(metadata as Json)
  const parts = readParts(message['content'], attachments)
  // The field of logs written before reasoning was a part of the content.
  const oldReasoning = asText(message['reasoning'])
  if (oldReasoning !== null && oldReasoning !== '')
    parts.unshift({ kind: 'reasoning', text: attachments.text(oldReasoning) })
  const steps: Draft[] = []
  let rest: Part[] = []
  const texts = (): string | null => {
    const found = rest.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    rest = []
    return found.length === 0 ? null : found.join('\n')
  }
  const role = roleOf(asText(message['role']))
  for (const part of parts) {
    if (part.kind === 'text') {
      if (part.isRefusal) extras['refusal'] = true
      rest.push(part)
    } else if (part.kind === 'reasoning')
      steps.push({ role: 'assistant', kind: 'reasoning', text: part.text, ...owner })
    else {
      const said = texts()
      const id = part.call.id ?? `server-${steps.length}`
      const { name, args } = part.call
      steps.push({
        role: 'assistant',
        kind: 'tool_call',
        text: said,
        calls: [{ id, name, ...readArguments(args) }],
        ...owner,
        extra: { ranBy: 'provider' },
      })
      steps.push({
        role: 'tool',
        kind: 'tool_result',
        text: part.call.result,
        callId: id,
        toolName: name,
        ...(part.call.error === null ? {} : { isError: true, error: part.call.error }),
        ...owner,
      })
    }
  }
  const said = texts()
  const withExtras = Object.keys(extras).length === 0 ? {} : { extra: extras }
  const { extra: _, ...timed } = around
  if (role === 'tool') steps.push({ ...toolResult(message, said, attachments), ...timed, ...withExtras })
  else if (role === 'assistant') {
    const calls = readCalls(message, attachments, doubts)
    // A message that held nothing but provider calls or reasoning needs no empty step behind them.
    if (calls.length > 0 || said !== null || steps.length === 0)
      steps.push({
        role,
        kind: calls.length > 0 ? 'tool_call' : 'message',
        text: said ?? (calls.length > 0 ? null : ''),
        ...(calls.length > 0 ? { calls } : {}),
        ...timed,
        ...withExtras,
      })
    else steps.push({ ...(steps.pop() as Draft), ...timed, ...withExtras })
  } else {
    if (role === null) {
      doubts.push({ code: 'STEP_INVALID', message: 'A message has no known role; kept as environment.' })
      extras['role'] = message['role'] ?? null
    }
    steps.push({
      role: role ?? 'environment',
      kind: 'message',
      text: said ?? '',
      ...timed,
      ...(Object.keys(extras).length === 0 ? {} : { extra: extras }),
    })
  }
  return steps
}

function toolResult(message: JsonObject, text: string | null, attachments: Attachments): Draft {
  const callId = asId(message['tool_call_id'])
  const name = asText(message['function'])
  const error = toolError(message['error'] ?? message['tool_error'], attachments)
  return {
    role: 'tool',
    kind: 'tool_result',
    text: error !== null && text === '' ? null : text,
    ...(callId === null ? {} : { callId }),
    ...(name === null ? {} : { toolName: name }),
    ...(error === null ? {} : { isError: true, error }),
  }
}

/** A tool's error, `type: message`, or null. Old logs hold the message alone. */
export function toolError(value: Json | undefined, attachments: Attachments): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string') return attachments.text(value)
  const type = asText(member(value, 'type'))
  const message = asText(member(value, 'message'))
  if (type === null && message === null) return JSON.stringify(value)
  const shown = message === null ? null : attachments.text(message)
  return [type, shown].filter((part) => part !== null && part !== '').join(': ')
}

/** The calls of an assistant message. Arguments that the source could not parse are marked, never trusted. */
function readCalls(message: JsonObject, attachments: Attachments, doubts: StepDoubt[]): ToolCall[] {
  return (asList(message['tool_calls']) ?? []).map((call) => {
    const inner = asObject(member(call, 'function'))
    const name = asText(member(call, 'function')) ?? asText(inner?.['name']) ?? ''
    const given = member(call, 'arguments') ?? inner?.['arguments']
    const read = readArguments(given === undefined ? undefined : attachments.value(given))
    const broken = asText(member(call, 'parse_error'))
    const parseError = broken === null || broken === '' ? read.parseError : attachments.text(broken)
    if (parseError !== undefined)
      doubts.push({
        code: 'CALL_UNPARSED',
        message: `The arguments of ${name || 'a call'} could not be parsed: ${parseError.slice(0, 200)}`,
      })
    return {
      id: asId(member(call, 'id')),
      name,
      ...read,
      ...(parseError === undefined ? {} : { parseError }),
    }
  })
}

/** Steps with their places. */
export function numbered(drafts: readonly Draft[]): Step[] {
  return drafts.map((draft, index) => ({ index, ...draft }))
}

/** What a message without an id is known again by: its calls, else role and text. */
export function contentKey(message: Json, attachments: Attachments): string {
  const calls = asList(member(message, 'tool_calls')) ?? []
  const role = asText(member(message, 'role')) ?? ''
  if (calls.length > 0) return `calls ${calls.map((call) => asId(member(call, 'id')) ?? '').join(' ')}`
  const callId = asId(member(message, 'tool_call_id'))
  const text = readParts(member(message, 'content'), attachments)
    .map((part) => (part.kind === 'call' ? part.call.name : part.text.trim()))
    .join('\n')
  return `${role} ${callId ?? ''} ${text}`
}
