// The lines of a Claude Code session, or of a `stream-json` log, as the rest of this folder sees them: what a line is
// and whose it is. Pure; a line that is none of them is a doubt, and the rest goes on.

import type { Json, JsonObject } from '../../../base/json.ts'
import { asObject, asText, isBare, member } from '../fields.ts'
import type { SourceRecord } from '../importer.ts'
import { joined, readBlocks } from '../blocks.ts'

/** One line. `user`, `assistant` and `boundary` (of a compaction) may become steps. */
export type Line = {
  readonly record: SourceRecord
  readonly fields: JsonObject
  readonly kind: 'user' | 'assistant' | 'boundary' | 'notice' | 'init' | 'result' | 'quiet' | 'unknown'
  readonly type: string
  readonly uuid: string | null
  readonly parent: string | null
  /** In a sub-agent's conversation, in whatever way that is said. */
  readonly isSide: boolean
  readonly agentId: string | null
  /** The call that started the sub-agent, when the line names it. */
  readonly parentCall: string | null
  readonly message: JsonObject | null
  readonly messageId: string | null
  readonly at: string | null
}

/** Lines that hold nothing of the conversation. */
const QUIET = new Set([
  'summary',
  'file-history-snapshot',
  'queue-operation',
  'agent-setting',
  'agent-name',
  'agent-color',
  'last-prompt',
  'progress',
  'custom-title',
  'ai-title',
  'attachment',
  'mode',
  'permission-mode',
  'pr-link',
  'tag',
  'worktree-state',
  'system',
  'stream_event',
  'rate_limit_event',
  'tool_progress',
  'tool_use_summary',
  'auth_status',
  'keep_alive',
  'control_request',
  'control_response',
])

/** A parsed record as a line; null when it is no object. `agentId` is that of the file, where its name tells one. */
export function toLine(record: SourceRecord, agentId: string | null = null): Line | null {
  const fields = asObject(record.value)
  if (fields === null) return null
  const message = asObject(fields['message'])
  const type = asText(fields['type']) ?? asText(message?.['role']) ?? ''
  const parentCall = asText(fields['parent_tool_use_id'])
  const agent = agentId ?? asText(fields['agentId'])
  return {
    record,
    fields,
    kind: kindOf(type, fields, message),
    type,
    uuid: asText(fields['uuid']),
    parent: asText(fields['parentUuid']),
    isSide: fields['isSidechain'] === true || parentCall !== null || agentId !== null,
    agentId: agent,
    parentCall,
    message,
    messageId: asText(message?.['id']),
    at: asText(fields['timestamp']),
  }
}

function kindOf(type: string, fields: JsonObject, message: JsonObject | null): Line['kind'] {
  if (type === 'user' || type === 'assistant')
    return message === null && fields['message'] === undefined ? 'unknown' : type
  if (type === 'system') {
    const subtype = asText(fields['subtype'])
    if (subtype === 'compact_boundary') return 'boundary'
    if (subtype === 'init') return 'init'
    return subtype === 'api_error' || subtype === 'api_retry' ? 'notice' : 'quiet'
  }
  if (type === 'result') return 'result'
  return QUIET.has(type) ? 'quiet' : 'unknown'
}

/** True for lines that a conversation is made of. */
export function isSpoken(line: Line): boolean {
  return line.kind === 'user' || line.kind === 'assistant' || line.kind === 'boundary'
}

/** The ids of the calls that a line answers. */
export function answeredCalls(line: Line): string[] {
  return blocksOfType(line, 'tool_result').flatMap((block) => asText(block['tool_use_id']) ?? [])
}

/** The ids of the calls that a line makes. */
export function madeCalls(line: Line): string[] {
  return blocksOfType(line, 'tool_use').flatMap((block) => asText(block['id']) ?? [])
}

function blocksOfType(line: Line, type: string): JsonObject[] {
  const content = line.message?.['content']
  if (!Array.isArray(content)) return []
  return (content as readonly Json[]).flatMap((part) => {
    const block = asObject(part)
    return block !== null && block['type'] === type ? [block] : []
  })
}

/** The agent that a result says it comes from, with the call that it answers. */
export function startedAgent(line: Line): { readonly agentId: string; readonly callId: string } | null {
  const callId = line.kind === 'user' ? answeredCalls(line)[0] : undefined
  if (callId === undefined) return null
  const result = line.fields['toolUseResult'] ?? line.fields['tool_use_result']
  const agentId = asText(member(result, 'agentId')) ?? asText(member(result, 'agent_id'))
  return agentId === null ? null : { agentId, callId }
}

const COMMAND =
  /^\s*<(?:command-name|command-message|command-args|local-command-[a-z]+|bash-(?:input|stdout|stderr))>/
const INJECTED = /^\s*(?:Caveat: The messages below were generated|<system-reminder>)/
const INTERRUPTED = /^\[Request interrupted by user/

/** The text that a user line brings; null when it answers calls only. */
export function userText(line: Line): string | null {
  return joined(readBlocks(line.message?.['content']))
}

/** True for lines that the program itself put into the user's place. */
export function isInjected(line: Line, text: string | null): boolean {
  return line.fields['isMeta'] === true || (text !== null && (INJECTED.test(text) || COMMAND.test(text)))
}

/** True for the notice that a person broke off. */
export function isInterruption(text: string | null): boolean {
  return text !== null && INTERRUPTED.test(text)
}

/** A prompt: what a person or harness asked, not a result, a command's echo or a summary. */
export function promptOf(line: Line): string | null {
  if (line.kind !== 'user' || line.fields['isCompactSummary'] === true) return null
  const text = userText(line)
  if (text === null || text.trim() === '' || isInjected(line, text) || isInterruption(text)) return null
  return answeredCalls(line).length > 0 ? null : text
}

/** The slash command that a line echoes, as it was typed; null when it is none. */
export function commandOf(line: Line): string | null {
  const text = line.kind === 'user' ? userText(line) : null
  const name = text === null ? null : /<command-name>\s*(\S[^<]{0,200}?)\s*<\/command-name>/.exec(text)?.[1]
  if (text === null || name === undefined || name === null) return null
  const args = /<command-args>\s*([\s\S]*?)\s*<\/command-args>/.exec(text)?.[1] ?? ''
  return `${name.startsWith('/') ? '' : '/'}${name}${args === '' ? '' : ` ${args}`}`
}

/** True for the error notices that the program writes in the model's place. */
export function isErrorNotice(line: Line, text: string | null): boolean {
  if (line.fields['isApiErrorMessage'] === true || !isBare(line.fields['error'])) return isSynthetic(line)
  return isSynthetic(line) && text !== null && /^(?:API Error|Credit balance|Prompt is too long)/i.test(text)
}

/** True for lines that no model wrote. */
export function isSynthetic(line: Line): boolean {
  return asText(line.message?.['model']) === '<synthetic>' || line.fields['isApiErrorMessage'] === true
}
