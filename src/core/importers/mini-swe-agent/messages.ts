// Messages of mini-swe-agent as steps. The model's command stands in a fenced block of its text (versions 0 and 1), in
// `extra.actions`, or is a tool call; what the command printed comes back as a user or tool message. Runs nothing; a
// command is only ever text.

import type { Json, JsonObject } from '../../../base/json.ts'
import type { Step, ToolCall, Usage } from '../../../model/trial.ts'
import { noteUnparsed, numbered, readBlocks, type Draft } from '../blocks.ts'
import { asId, asList, asNumber, asObject, asText, isBare, member } from '../fields.ts'
import { pairResults, readArguments, readContent, roleOf, type StepDoubt } from '../messages.ts'
import { sumUsages } from '../usage.ts'

const FENCE_OPENS = /^```(?:bash|sh|mswea_bash_command)\s*$/
const FENCE_CLOSES = /^```\s*$/
/** What the harness prints of a command that ended and whose output was short. */
const SHORT_OUTPUT = /^<returncode>(-?\d+)<\/returncode>\s*<output>\n?([\s\S]*?)\n?<\/output>\s*$/
const RETURN_CODE = /^<returncode>(-?\d+)<\/returncode>/
const TIMED_OUT = /^The last command .{0,4000} timed out and has been killed/s
/** The command by which the model says that it is done. */
const SUBMIT = /COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|MINI_SWE_AGENT_FINAL_OUTPUT/

/** The steps of a conversation, and what its messages say of the whole. */
export type Talk = {
  readonly steps: readonly Step[]
  readonly prompt: string | null
  readonly usage: Usage | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** The last command was the one that hands in. */
  readonly isSubmitted: boolean
}

/** A text taken apart: the commands of its fenced blocks, and what is around them. */
export type Fenced = { readonly commands: readonly string[]; readonly rest: string }

/** Reads the fenced blocks of a text, line by line. A block that is never closed is text. */
export function readFences(text: string): Fenced {
  const commands: string[] = []
  const rest: string[] = []
  let block: string[] | null = null
  for (const line of text.split('\n')) {
    if (block === null) {
      if (FENCE_OPENS.test(line)) block = [line]
      else rest.push(line)
    } else if (FENCE_CLOSES.test(line)) {
      commands.push(block.slice(1).join('\n').trim())
      block = null
    } else block.push(line)
  }
  for (const line of block ?? []) rest.push(line)
  return { commands, rest: rest.join('\n').trim() }
}

/** True when a text speaks of the harness's own command or fence. */
export function isHarnessText(text: string | null): boolean {
  return text !== null && (SUBMIT.test(text) || text.includes('```mswea_bash_command'))
}

/** Reads messages. Doubts are appended. */
export function readTalk(messages: readonly Json[], doubts: StepDoubt[]): Talk {
  const drafts: Draft[] = []
  /** Calls whose results have not come. */
  let due = 0
  let lastCommand: string | null = null
  messages.forEach((value, position) => {
    const message = asObject(value)
    if (message === null) {
      doubts.push({ code: 'STEP_INVALID', message: `Message ${position} is not an object; kept as it is.` })
      drafts.push({ role: 'environment', kind: 'message', text: null, content: value })
      return
    }
    const role = asText(message['role'])
    const isModel = roleOf(role) === 'assistant' || message['object'] === 'response'
    const isOutput = role === 'tool' || message['type'] === 'function_call_output'
    const isInterrupt = !isBare(member(message['extra'], 'interrupt_type'))
    if (isModel) {
      const said = modelDrafts(message, doubts)
      const calls = said.at(-1)?.calls ?? []
      if (calls.length > 0) {
        due = calls.length
        lastCommand = asText(member(calls.at(-1)?.args, 'command'))
      } else due = 0
      drafts.push(...said)
    } else if (isOutput || (due > 0 && !isInterrupt && (role === 'user' || role === 'exit'))) {
      drafts.push(resultDraft(message))
      due = Math.max(0, due - 1)
    } else drafts.push(plainDraft(message, role, isInterrupt))
  })
  const times = messages.flatMap((message) => timeOf(message) ?? [])
  const asked = messages.find((message) => member(message, 'role') === 'user')
  return {
    steps: pairResults(numbered(drafts), doubts),
    prompt: asked === undefined ? null : contentOf(asObject(asked) ?? {}).text,
    usage: sumUsages(drafts.flatMap((draft) => draft.usage ?? [])),
    startedAt: times[0] ?? null,
    endedAt: times.at(-1) ?? null,
    isSubmitted: lastCommand !== null && SUBMIT.test(lastCommand),
  }
}

/** The time of a message, which is in seconds. */
function timeOf(message: Json): string | null {
  const seconds = asNumber(member(member(message, 'extra'), 'timestamp'))
  if (seconds === null || seconds <= 0 || seconds > 253402300799) return null
  return new Date(Math.round(seconds * 1000)).toISOString()
}

function contentOf(message: JsonObject): { text: string | null; content?: Json } {
  return readContent(message['content'] ?? message['output'])
}

/** What the model thought, said and called: its last step has the calls. */
function modelDrafts(message: JsonObject, doubts: StepDoubt[]): Draft[] {
  const extra = asObject(message['extra'])
  const response = asObject(extra?.['response'])
  const items = asList(message['output'])
  // The Responses API writes items, where the others write a content.
  const blocks =
    items === null ? [] : readBlocks(items.filter((item) => member(item, 'type') !== 'function_call'))
  const thoughts = [
    asText(message['reasoning_content']),
    ...(asList(message['thinking_blocks']) ?? []).map((block) => asText(member(block, 'thinking'))),
    ...blocks.flatMap((block) => (block.kind === 'reasoning' ? [block.text] : [])),
  ]
  const own = items === null ? contentOf(message) : { text: itemText(items) }
  const listed = asList(message['tool_calls']) ?? (items ?? []).filter(isFunctionCall)
  const named = listed.map((call) => callOf(call))
  for (const call of named) noteUnparsed(call, doubts)
  const actions = named.length > 0 ? [] : (asList(extra?.['actions']) ?? []).flatMap(actionOf)
  const fenced = readFences(own.text ?? '')
  // The harness executes exactly one block; of several it executes none, and says so.
  const commands =
    actions.length > 0 || fenced.commands.length !== 1
      ? actions
      : fenced.commands.map((command) => bash(null, command))
  const calls = named.length > 0 ? named : commands
  const isFenced = named.length === 0 && calls.length === 1 && fenced.commands.length === 1
  const text = isFenced ? fenced.rest : own.text
  const model = asText(response?.['model']) ?? (items === null ? null : asText(message['model']))
  const usage = usageOf(response?.['usage'] ?? (items === null ? undefined : message['usage']))
  const time = timeOf(message)
  const cost = asNumber(extra?.['cost'])
  const about = {
    ...(model === null ? {} : { model }),
    ...(time === null ? {} : { startedAt: time }),
  }
  return [
    ...[...new Set(thoughts)].flatMap((thought): Draft[] =>
      thought === null || thought.trim() === ''
        ? []
        : [{ role: 'assistant', kind: 'reasoning', text: thought, ...about }],
    ),
    {
      role: 'assistant',
      kind: calls.length > 0 ? 'tool_call' : 'message',
      text: calls.length > 0 && text?.trim() === '' ? null : text,
      ...(own.content === undefined ? {} : { content: own.content }),
      ...(calls.length > 0 ? { calls } : {}),
      ...about,
      ...(usage === null ? {} : { usage }),
      ...(cost === null || cost === 0 ? {} : { extra: { costUsd: cost } }),
    },
  ]
}

function isFunctionCall(item: Json): boolean {
  return member(item, 'type') === 'function_call'
}

function itemText(items: readonly Json[]): string | null {
  const texts = readBlocks(items.filter((item) => member(item, 'type') === 'message').map(contentIn))
  const shown = texts.flatMap((block) => (block.kind === 'text' ? [block.text] : []))
  return shown.length === 0 ? null : shown.join('\n')
}

function contentIn(item: Json): Json {
  return member(item, 'content') ?? null
}

function callOf(call: Json): ToolCall {
  const inner = asObject(member(call, 'function')) ?? asObject(call)
  const id = asId(member(call, 'call_id')) ?? asId(member(call, 'id'))
  const read = readArguments(member(inner ?? undefined, 'arguments'))
  return { id, name: asText(member(inner ?? undefined, 'name')) ?? '', ...read }
}

function bash(id: string | null, command: string): ToolCall {
  return { id, name: 'bash', args: { command } }
}

function actionOf(action: Json): ToolCall[] {
  const command = asText(action) ?? asText(member(action, 'command'))
  return command === null ? [] : [bash(asId(member(action, 'tool_call_id')), command)]
}

function resultDraft(message: JsonObject): Draft {
  const extra = asObject(message['extra'])
  const { text, content } = contentOf(message)
  const short = text === null ? null : SHORT_OUTPUT.exec(text)
  const written = short?.[1] ?? (text === null ? undefined : RETURN_CODE.exec(text)?.[1])
  const code = asNumber(extra?.['returncode']) ?? (written === undefined ? null : Number(written))
  const exception = asText(extra?.['exception_info'])
  const callId = asId(message['tool_call_id']) ?? asId(message['call_id'])
  const isError = (code !== null && code !== 0) || exception !== null || TIMED_OUT.test(text ?? '')
  const time = timeOf(message)
  return {
    role: 'tool',
    kind: 'tool_result',
    text: short === null ? text : (short[2] as string),
    ...(content === undefined ? {} : { content }),
    ...(callId === null ? {} : { callId }),
    ...(isError ? { isError: true } : {}),
    ...(exception === null || exception === '' ? {} : { error: exception }),
    ...(time === null ? {} : { startedAt: time }),
    ...(code === null ? {} : { extra: { returncode: code } }),
  }
}

function plainDraft(message: JsonObject, roleName: string | null, isInterrupt: boolean): Draft {
  const known = roleOf(roleName)
  const { text, content } = contentOf(message)
  const time = timeOf(message)
  const interrupt = member(message['extra'], 'interrupt_type')
  const extra: Record<string, Json> = {
    ...(known === null && roleName !== null ? { role: roleName } : {}),
    ...(isInterrupt && interrupt !== undefined ? { interrupt } : {}),
  }
  return {
    // What the harness says in between is written as the user's; it is nobody's wish.
    role: isInterrupt ? 'environment' : (known ?? 'environment'),
    kind: 'message',
    text,
    ...(content === undefined ? {} : { content }),
    ...(time === null ? {} : { startedAt: time }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

function usageOf(value: Json | undefined): Usage | null {
  const usage = asObject(value)
  const input = asNumber(usage?.['prompt_tokens']) ?? asNumber(usage?.['input_tokens'])
  const output = asNumber(usage?.['completion_tokens']) ?? asNumber(usage?.['output_tokens'])
  if (input === null && output === null) return null
  const details = usage?.['prompt_tokens_details'] ?? usage?.['input_tokens_details']
  return {
    inputTokens: input,
    outputTokens: output,
    cachedInputTokens: asNumber(member(details, 'cached_tokens')),
  }
}
