// Items of the Responses API (`message`, `function_call`, `function_call_output`, `reasoning` and their kin) as steps.
// Used by Codex sessions, which keep such items, and by files of chat messages in this shape. Items of one response
// that follow each other (a text and its calls, several calls) are one step. Executes nothing.

import type { Json, JsonObject } from '../../base/json.ts'
import type { ToolCall, Usage } from '../../model/trial.ts'
import { asId, asList, asNumber, asObject, asText, member, others } from './fields.ts'
import {
  draftsOf,
  joined,
  noteUnparsed,
  readBlocks,
  resultContent,
  resultDraft,
  type Around,
  type Draft,
} from './blocks.ts'
import { mediaPlaceholder, withoutBytes } from './media.ts'
import { readArguments, roleOf, type StepDoubt } from './messages.ts'
import { parseJson } from './parse.ts'

const EXIT = /^(?:[^\n]{0,200}\n){0,6}?(?:Process exited with code|Exit code:?)\s+(-?\d+)/
const ITEM = /^(?:message|reasoning|compaction|[a-z_]+_call|[a-z_]+_output)$/
/** Members of a call that say nothing of what was called. */
const CALL_KEYS = new Set(['type', 'id', 'call_id', 'status', 'output', 'result', 'results', 'error', 'name'])

/** True for an object that is an item of the Responses API, and not only a message. */
export function isResponseItem(value: Json | undefined): value is JsonObject {
  const item = asObject(value)
  const type = asText(item?.['type'])
  if (item === null || type === null || !ITEM.test(type)) return false
  if (type === 'message') return roleOf(asText(item['role'])) !== null
  if (type === 'reasoning') return Array.isArray(item['summary']) || Object.hasOwn(item, 'encrypted_content')
  return Object.hasOwn(item, 'call_id') || type.startsWith('web_search') || Object.hasOwn(item, 'status')
}

/** Reads items one after another. `drafts` are complete after `flush`. */
export class ItemReader {
  drafts: Draft[] = []
  readonly #doubts: StepDoubt[]
  #said: { readonly text: string | null; readonly calls: ToolCall[]; readonly around: Around } | null = null

  constructor(doubts: StepDoubt[]) {
    this.#doubts = doubts
  }

  /** Takes an item; false when its type is unknown. */
  take(item: JsonObject, around: Around): boolean {
    const type = asText(item['type']) ?? ''
    if (type === 'message') this.#message(item, around)
    else if (type === 'reasoning') this.#reasoning(item, around)
    else if (type.endsWith('_output')) this.#output(item, around)
    else if (type.endsWith('_call')) this.#call(type, item, around)
    else if (type === 'compaction' || type === 'context_compaction' || type === 'compaction_summary')
      this.push({ role: 'environment', kind: 'compaction', text: asText(item['summary']), ...timed(around) })
    else return false
    return true
  }

  /** Puts a step after what was taken so far. */
  push(...drafts: readonly Draft[]): void {
    this.flush()
    this.drafts.push(...drafts)
  }

  /** Ends the response at hand. */
  flush(): void {
    const said = this.#said
    if (said === null) return
    this.#said = null
    const { text, calls, around } = said
    this.drafts.push({
      role: 'assistant',
      kind: calls.length > 0 ? 'tool_call' : 'message',
      text: text ?? (calls.length > 0 ? null : ''),
      ...(calls.length > 0 ? { calls } : {}),
      ...around,
    })
  }

  /** Puts the tokens of a response on its last step. */
  count(usage: Usage): void {
    this.flush()
    const at = this.drafts.findLastIndex((draft) => draft.role === 'assistant')
    const draft = this.drafts[at]
    if (draft !== undefined) this.drafts[at] = { ...draft, usage }
  }

  #message(item: JsonObject, around: Around): void {
    const role = roleOf(asText(item['role'])) ?? 'environment'
    const blocks = readBlocks(item['content'])
    const isPlain = blocks.every((block) => block.kind === 'text' && block.isRefusal !== true)
    this.flush()
    if (role === 'assistant' && isPlain) this.#said = { text: joined(blocks) ?? '', calls: [], around }
    else
      this.drafts.push(...draftsOf(role, blocks, role === 'assistant' ? around : timed(around), this.#doubts))
  }

  #reasoning(item: JsonObject, around: Around): void {
    this.flush()
    const text = joined(readBlocks(item['summary'])) ?? joined(readBlocks(item['content']))
    if (text !== null) this.drafts.push({ role: 'assistant', kind: 'reasoning', text, ...around })
  }

  #call(type: string, item: JsonObject, around: Around): void {
    const id = asId(item['call_id']) ?? asId(item['id'])
    const name = asText(item['name']) ?? type.replace(/_call$/, '')
    if (type === 'function_call' || type === 'custom_tool_call' || type === 'local_shell_call') {
      const call =
        type === 'function_call'
          ? { id, name: nameOf(item, name), ...readArguments(item['arguments']) }
          : { id, name, args: item['input'] ?? item['action'] ?? null }
      noteUnparsed(call, this.#doubts)
      if (this.#said === null) this.#said = { text: null, calls: [call], around }
      else this.#said.calls.push(call)
      return
    }
    // What the provider ran itself has its result inside, or none at all.
    this.flush()
    const args = withoutBytes(asObject(item['action']) ?? others(item, CALL_KEYS) ?? {})
    const called =
      type === 'mcp_call'
        ? { id, name: nameOf(item, name), ...readArguments(item['arguments']) }
        : { id, name, args }
    this.drafts.push({
      role: 'assistant',
      kind: 'tool_call',
      text: null,
      calls: [called],
      ...around,
      extra: { ranBy: 'provider' },
    })
    const failure = item['error']
    const error = asText(failure) ?? (asObject(failure) === null ? null : JSON.stringify(failure))
    const given =
      type === 'image_generation_call'
        ? imageOf(item['result'])
        : (item['output'] ?? item['results'] ?? item['outputs'])
    if (error !== null || (given !== undefined && given !== null))
      this.drafts.push({
        ...resultDraft({
          callId: id,
          toolName: null,
          ...resultContent(error ?? given),
          isError: error !== null,
        }),
        ...timed(around),
      })
  }

  #output(item: JsonObject, around: Around): void {
    this.flush()
    const callId = asId(item['call_id']) ?? asId(item['id'])
    this.drafts.push({
      ...resultDraft({ callId, toolName: asText(item['name']), ...readOutput(item['output']) }),
      ...timed(around),
    })
  }
}

function nameOf(item: JsonObject, name: string): string {
  const space = asText(item['namespace']) ?? asText(item['server_label'])
  return space === null || space === '' ? name : `${space}.${name}`
}

function imageOf(value: Json | undefined): Json | undefined {
  const base64 = asText(value)
  return base64 === null ? undefined : mediaPlaceholder('image', null, base64)
}

function timed(around: Around): Around {
  return {
    ...(around.startedAt === undefined ? {} : { startedAt: around.startedAt }),
    ...(around.agent === undefined ? {} : { agent: around.agent }),
  }
}

/** A call's output: text, parts, or the JSON text that a shell writes, with its exit code. */
export function readOutput(value: Json | undefined): {
  text: string | null
  content?: Json
  isError: boolean
} {
  const object = asObject(value)
  if (object !== null && (Object.hasOwn(object, 'success') || Object.hasOwn(object, 'content')))
    return {
      ...readOutput(object['content'] ?? object['content_items'] ?? null),
      ...(object['success'] === false ? { isError: true } : {}),
    }
  const text = asText(value)
  if (text === null) return { ...resultContent(value), isError: false }
  const shell = /^\s*\{/.test(text) ? parseJson(text, Number.POSITIVE_INFINITY) : null
  const metadata = shell?.ok === true ? asObject(member(shell.value, 'metadata')) : null
  const output = shell?.ok === true ? asText(member(shell.value, 'output')) : null
  if (metadata !== null && output !== null) {
    const code = asNumber(metadata['exit_code'])
    return { text: output, isError: code !== null && code !== 0 }
  }
  const code = EXIT.exec(text)?.[1]
  return { ...resultContent(text), isError: code !== undefined && Number(code) !== 0 }
}

/** The items of a list, for `{items: […]}` and the like; null when it is none of items. */
export function itemsOf(value: Json | undefined): readonly Json[] | null {
  const list = asList(value)
  return list !== null && list.length > 0 && list.slice(0, 3).every((item) => isResponseItem(item))
    ? list
    : null
}
