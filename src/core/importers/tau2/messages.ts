// tau2 messages as steps: one step per message. The simulated user may call tools of its own (a phone, an app): its
// calls are steps of the user, and their results say whose they are. Several calls of one message are one batch.
// Full provider answers (`raw_data`) stay in the original record.

import type { Json, JsonObject } from '../../../base/json.ts'
import type { Step, ToolCall, Usage } from '../../../model/trial.ts'
import { asId, asList, asNumber, asObject, asText, isBare, member } from '../fields.ts'
import { pairResults, readArguments, readContent, roleOf, type StepDoubt } from '../messages.ts'
import { sumUsages } from '../usage.ts'

/** The steps of a simulation, and the tokens of both sides. */
export type Talk = {
  readonly steps: readonly Step[]
  readonly agentUsage: Usage | null
  readonly userUsage: Usage | null
  /** Index of the step that each of the source's turn numbers stands for. */
  readonly stepOfTurn: ReadonlyMap<string, number>
}

/** Reads messages. Doubts are appended. */
export function readTalk(messages: readonly Json[], doubts: StepDoubt[]): Talk {
  const flat = messages.flatMap((message) =>
    // Results of a batch that were never taken apart.
    member(message, 'role') === 'tool' ? (asList(member(message, 'tool_messages')) ?? [message]) : [message],
  )
  const usages: { readonly role: string; readonly usage: Usage }[] = []
  const stepOfTurn = new Map<string, number>()
  const steps = flat.map((value, index): Step => {
    const message = asObject(value)
    if (message === null) {
      doubts.push({ code: 'STEP_INVALID', message: `Message ${index} is not an object; kept as it is.` })
      return { index, role: 'environment', kind: 'message', text: null, content: value }
    }
    const turn = asId(message['turn_idx'])
    if (turn !== null && !stepOfTurn.has(turn)) stepOfTurn.set(turn, index)
    const usage = readUsage(message)
    if (usage !== null) usages.push({ role: asText(message['role']) ?? '', usage })
    return readMessage(message, index, usage, doubts)
  })
  const sumOf = (role: string): Usage | null =>
    sumUsages(usages.flatMap((one) => (one.role === role ? [one.usage] : [])))
  return {
    steps: pairResults(steps, doubts),
    agentUsage: sumOf('assistant'),
    userUsage: sumOf('user'),
    stepOfTurn,
  }
}

function readMessage(message: JsonObject, index: number, usage: Usage | null, doubts: StepDoubt[]): Step {
  const roleName = asText(message['role'])
  const role = roleOf(roleName)
  if (role === null)
    doubts.push({ code: 'STEP_INVALID', message: `Message ${index} has no known role; kept as environment.` })
  const { text, content } = readContent(message['content'])
  const startedAt = asText(message['timestamp'])
  const model = asText(member(message['raw_data'], 'model'))
  const extra: Record<string, Json> = {}
  const cost = asNumber(message['cost'])
  if (role === null && roleName !== null) extra['role'] = roleName
  if (cost !== null && cost !== 0) extra['costUsd'] = cost
  if (message['is_audio'] === true) extra['audio'] = true
  if (!isBare(message['ticks'])) extra['ticks'] = message['ticks'] as Json
  // What the harness says to begin with is not the model's: it cost nothing and was counted as nothing.
  if (index === 0 && role === 'assistant' && cost === 0 && usage === null) extra['scripted'] = true
  const around = {
    ...(content === undefined ? {} : { content }),
    ...(model === null ? {} : { model }),
    ...(usage === null ? {} : { usage }),
    ...(startedAt === null || startedAt === '' ? {} : { startedAt }),
    ...(asText(message['ended']) === null ? {} : { endedAt: message['ended'] as string }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
  if (role === 'tool') {
    const callId = asId(message['id']) ?? asId(message['tool_call_id'])
    const name = asText(message['name'])
    return {
      index,
      role,
      kind: 'tool_result',
      ...(message['requestor'] === 'user' ? { agent: 'user' } : {}),
      text,
      ...(callId === null ? {} : { callId }),
      ...(name === null ? {} : { toolName: name }),
      ...(message['error'] === true ? { isError: true } : {}),
      ...around,
    }
  }
  const calls = (asList(message['tool_calls']) ?? []).map((call) => readCall(call, index, doubts))
  if (calls.length === 0)
    return { index, role: role ?? 'environment', kind: 'message', text: text ?? null, ...around }
  return {
    index,
    role: role ?? 'assistant',
    kind: 'tool_call',
    ...(role === 'user' ? { agent: 'user' } : {}),
    text,
    calls,
    ...around,
  }
}

function readCall(call: Json, index: number, doubts: StepDoubt[]): ToolCall {
  const name = asText(member(call, 'name')) ?? asText(member(member(call, 'function'), 'name')) ?? ''
  const given = member(call, 'arguments') ?? member(member(call, 'function'), 'arguments')
  const read = readArguments(given)
  if (read.parseError !== undefined)
    doubts.push({
      code: 'CALL_UNPARSED',
      message: `Message ${index}: the arguments of ${name || 'a call'} are not JSON (${read.parseError}).`,
    })
  return { id: asId(member(call, 'id')), name, ...read }
}

function readUsage(message: JsonObject): Usage | null {
  const usage = asObject(message['usage'])
  const input = asNumber(usage?.['prompt_tokens'])
  const output = asNumber(usage?.['completion_tokens'])
  if (input === null && output === null) return null
  const details = member(member(message['raw_data'], 'usage'), 'prompt_tokens_details')
  return {
    inputTokens: input,
    outputTokens: output,
    cachedInputTokens: asNumber(member(details, 'cached_tokens')),
  }
}
