// The content of a message, part by part, in the shapes that providers write: Anthropic blocks, OpenAI parts, Gemini
// parts, items of the Responses API; and the steps that they make. Used by every format whose messages come from
// such a provider. Signatures and encrypted reasoning are left out; bytes become placeholders. Executes nothing.

import type { Json, JsonObject } from '../../base/json.ts'
import type { Step, StepRole, ToolCall } from '../../model/trial.ts'
import { asId, asList, asObject, asText } from './fields.ts'
import { mediaOfSource, mediaText, withoutBytes } from './media.ts'
import { isErrorText, readArguments, type StepDoubt } from './messages.ts'

/** A step that has no place in its trial yet. */
export type Draft = Omit<Step, 'index'>

/** One part of a message. `isServer`: the provider ran the call itself, inside of the message. */
export type Block =
  | { readonly kind: 'text'; readonly text: string; readonly isRefusal?: true }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ToolCall; readonly isServer: boolean }
  | { readonly kind: 'result'; readonly result: Result }

/** The result of a call; `content` where it is structured. */
export type Result = {
  readonly callId: string | null
  readonly toolName: string | null
  readonly text: string | null
  readonly content?: Json
  readonly isError: boolean
}

/** The parts of a message's content: a text, a list of parts, or one part. */
export function readBlocks(content: Json | undefined): Block[] {
  if (content === undefined || content === null) return []
  const list = asList(content)
  if (list !== null) return list.flatMap((part) => readBlocks(part))
  if (typeof content !== 'object') return text(typeof content === 'string' ? content : String(content))
  return readBlock(content as JsonObject)
}

function text(value: string | null): Block[] {
  if (value === null || value === '') return []
  const shown = withoutBytes(value)
  return [{ kind: 'text', text: typeof shown === 'string' ? shown : value }]
}

function reasoning(value: string | null): Block[] {
  return value === null || value.trim() === '' ? [] : [{ kind: 'reasoning', text: value }]
}

function readBlock(block: JsonObject): Block[] {
  const type = asText(block['type'])
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
    case 'summary_text':
      return text(asText(block['text']) ?? asText(block['content']))
    case 'refusal':
      return [{ kind: 'text', text: asText(block['refusal']) ?? '', isRefusal: true }]
    case 'thinking':
    case 'reasoning':
    case 'reasoning_text': {
      const own = asText(block['thinking']) ?? asText(block['reasoning']) ?? asText(block['text'])
      return reasoning(own ?? joined(readBlocks(block['summary'])) ?? joined(readBlocks(block['content'])))
    }
    case 'redacted_thinking':
      return []
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return [callOf(block['id'], block['name'], block['input'], type !== 'tool_use')]
    case 'image':
    case 'document':
    case 'audio':
    case 'video':
      return text(mediaOfSource(type, block['source'] ?? block[type] ?? block['data'] ?? block['url']))
    case 'image_url':
    case 'input_image': {
      const image = block['image_url']
      return text(
        mediaText('image', asText(image) ?? asText(asObject(image)?.['url']) ?? asText(block['file_id'])),
      )
    }
    case 'input_audio': {
      const audio = asObject(block['input_audio'])
      const format = asText(audio?.['format'])
      return text(mediaText('audio', asText(audio?.['data']), format === null ? null : `audio/${format}`))
    }
    case 'file':
    case 'input_file': {
      const file = asObject(block['file']) ?? block
      const data = asText(file['file_data']) ?? asText(file['file_id']) ?? asText(file['filename'])
      return text(mediaText('file', data))
    }
    case 'tool_reference':
      return text(`[tool ${asText(block['tool_name']) ?? asText(block['name']) ?? ''}]`)
    case 'signature':
      return []
    default:
      if (type?.endsWith('tool_result') === true) return [resultOf(block)]
      return type === null ? readGeminiPart(block) : text(JSON.stringify(withoutBytes(block)))
  }
}

function callOf(
  id: Json | undefined,
  name: Json | undefined,
  args: Json | undefined,
  isServer: boolean,
): Block {
  return { kind: 'call', call: { id: asId(id), name: asText(name) ?? '', ...readArguments(args) }, isServer }
}

/** A `tool_result` block. A provider's own error stands in the content's type. */
function resultOf(block: JsonObject): Block {
  const inner = asText(asObject(block['content'])?.['type'])
  const isError = block['is_error'] === true || inner?.endsWith('_error') === true
  return {
    kind: 'result',
    result: {
      callId: asId(block['tool_use_id']),
      toolName: null,
      ...resultContent(block['content']),
      isError,
    },
  }
}

/** Gemini parts have no `type`: what they are is the name of their member. */
function readGeminiPart(part: JsonObject): Block[] {
  const call = asObject(part['functionCall']) ?? asObject(part['function_call'])
  if (call !== null) return [callOf(call['id'], call['name'], call['args'] ?? call['arguments'] ?? {}, false)]
  const response = asObject(part['functionResponse']) ?? asObject(part['function_response'])
  if (response !== null) return [{ kind: 'result', result: geminiResult(response) }]
  const inline = part['inlineData'] ?? part['inline_data']
  const file = part['fileData'] ?? part['file_data']
  if (inline !== undefined || file !== undefined) return text(mediaOfSource('data', inline ?? file))
  const own = asText(part['text'])
  if (own !== null) return part['thought'] === true ? reasoning(own) : text(own)
  return text(JSON.stringify(withoutBytes(part)))
}

/** A Gemini `functionResponse`: `{id?, name, response: {output | error | …}}`. */
export function geminiResult(response: JsonObject): Result {
  const value = response['response']
  const object = asObject(value)
  const error = asText(object?.['error'])
  const only = object !== null && Object.keys(object).length === 1 ? object['output'] : undefined
  return {
    callId: asId(response['id']),
    toolName: asText(response['name']),
    ...(error === null ? resultContent(only ?? value) : { text: error }),
    isError: error !== null,
  }
}

/** The text of a result and, where it is structured and no list of parts, the structure. */
export function resultContent(value: Json | undefined): { text: string | null; content?: Json } {
  if (value === undefined || value === null) return { text: null }
  if (typeof value === 'string') return { text: joined(text(value)) ?? '' }
  const list = asList(value)
  const isParts = list !== null && list.every((part) => typeof part === 'string' || isPart(part))
  if (!isParts && !isPart(value)) return { text: null, content: withoutBytes(value) }
  return { text: joined(readBlocks(value)) }
}

function isPart(value: Json): boolean {
  const part = asObject(value)
  return part !== null && (asText(part['type']) !== null || Object.keys(part).join() === 'text')
}

/** The texts of blocks, line by line; null when there are none. */
export function joined(blocks: readonly Block[]): string | null {
  const texts = blocks.flatMap((block) =>
    block.kind === 'text' || block.kind === 'reasoning' ? [block.text] : [],
  )
  return texts.length === 0 ? null : texts.join('\n')
}

/** What is known of a message from around it. Usage goes on its last step. */
export type Around = Partial<Pick<Step, 'model' | 'usage' | 'startedAt' | 'endedAt' | 'extra' | 'agent'>>

/** A result as a step. */
export function resultDraft(result: Result): Draft {
  const { callId, toolName, text: shown, content, isError } = result
  return {
    role: 'tool',
    kind: 'tool_result',
    text: shown,
    ...(content === undefined ? {} : { content }),
    ...(callId === null ? {} : { callId }),
    ...(toolName === null ? {} : { toolName }),
    ...(isError || isErrorText(shown) ? { isError: true } : {}),
  }
}

/**
 * The steps of one message: its reasoning, results and calls that the provider ran, in order; then its text with its
 * other calls as one batch. A message of nothing gives one step without text.
 */
export function draftsOf(
  role: StepRole,
  blocks: readonly Block[],
  around: Around,
  doubts: StepDoubt[],
): Draft[] {
  const { usage, extra, ...owner } = around
  const drafts: Draft[] = []
  const calls: ToolCall[] = []
  let texts: string[] = []
  let isRefusal = false
  const said = (): string | null => {
    const all = texts.length === 0 ? null : texts.join('\n')
    texts = []
    return all
  }
  for (const block of blocks) {
    if (block.kind === 'text') {
      isRefusal ||= block.isRefusal === true
      texts.push(block.text)
    } else if (block.kind === 'reasoning')
      drafts.push({ role: 'assistant', kind: 'reasoning', text: block.text, ...owner })
    else if (block.kind === 'result') drafts.push({ ...resultDraft(block.result), ...withoutModel(owner) })
    else {
      noteUnparsed(block.call, doubts)
      if (block.isServer)
        drafts.push({
          role: 'assistant',
          kind: 'tool_call',
          text: said(),
          calls: [block.call],
          ...owner,
          extra: { ranBy: 'provider' },
        })
      else calls.push(block.call)
    }
  }
  const rest = said()
  if (calls.length > 0) drafts.push({ role: 'assistant', kind: 'tool_call', text: rest, calls, ...owner })
  else if (rest !== null || drafts.length === 0)
    drafts.push({ role, kind: 'message', text: rest ?? '', ...owner })
  const last = drafts.pop() as Draft
  const extras = { ...asObject(last.extra), ...asObject(extra), ...(isRefusal ? { refusal: true } : {}) }
  drafts.push({
    ...last,
    ...(usage === undefined ? {} : { usage }),
    ...(Object.keys(extras).length === 0 ? {} : { extra: extras }),
  })
  return drafts
}

function withoutModel(around: Around): Around {
  const { model: _, ...rest } = around
  return rest
}

/** Says that the arguments of a call are no JSON. */
export function noteUnparsed(call: ToolCall, doubts: StepDoubt[]): void {
  if (call.parseError !== undefined)
    doubts.push({
      code: 'CALL_UNPARSED',
      message: `The arguments of ${call.name || 'a call'} are not JSON (${call.parseError})${call.args === null ? '; kept as text' : "; read in Python's notation"}.`,
    })
}

/** Steps with their places. */
export function numbered(drafts: readonly Draft[]): Step[] {
  return drafts.map((draft, index) => ({ index, ...draft }))
}
