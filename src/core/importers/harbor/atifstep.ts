// One ATIF step as steps: its reasoning, what was said or called, and what came back. Lists of token ids and
// probabilities, and copies of raw results, stay in the original record. Knows nothing of files and order.

import { canonicalJson, type Json, type JsonObject } from '../../../base/json.ts'
import type { Step, StepRole, ToolCall, Usage } from '../../../model/trial.ts'
import { asId, asList, asNumber, asObject, asText, isBare, member } from '../fields.ts'
import { mediaPlaceholder, withoutBytes } from '../media.ts'
import { isErrorText, readArguments, roleOf, type StepDoubt } from '../messages.ts'

/** Longer values of `extra` are left to the original record. */
const EXTRA_MAX_CHARACTERS = 2000
/** Copies of what the step says anyway. */
const COPIES = new Set(['tool_result_metadata', 'metadata', 'raw_tool_result', 'is_sidechain', 'is_error'])
/** What Claude Code's converter writes where a step has no words of its own. */
const SYNTHETIC = /^Executed \S+(?: \S+)?$/
/** What it appends to a result. */
const APPENDED = /\n\n\[metadata\] (\{[\s\S]*\})\s*$/

/** A step without its place. */
export type Draft = Omit<Step, 'index'>

/** A reference to the trajectory of a sub-agent. */
export type AgentRef = { readonly path: string | null; readonly ids: readonly string[] }

/** What a step gave: the drafts before its results, the results, and the sub-agents that ran between. */
export type ReadStep = {
  readonly said: readonly Draft[]
  readonly results: readonly Draft[]
  readonly refs: readonly AgentRef[]
}

/** Calls that no result has answered: what was called, by id. */
export type OpenCalls = ReadonlyMap<string, string>

/** What a call calls, as text: the same call written twice is the same text. */
export function callText(call: ToolCall): string {
  return canonicalJson([call.name, call.args])
}

/** Reads a step. `isClaude`: the converter of Claude Code wrote it. */
export function readStep(value: Json, isClaude: boolean, open: OpenCalls, doubts: StepDoubt[]): ReadStep {
  const step = asObject(value)
  if (step === null) {
    doubts.push({ code: 'STEP_INVALID', message: 'A step is not an object; kept as it is.' })
    return {
      said: [{ role: 'environment', kind: 'message', text: null, content: value }],
      results: [],
      refs: [],
    }
  }
  const found = asList(member(step['observation'], 'results')) ?? []
  const refs = [step, ...found].flatMap((one) => refsOf(member(one, 'subagent_trajectory_ref')))
  const role = roleOfSource(step, doubts)
  const all = (asList(step['tool_calls']) ?? []).map((call) => readCall(call, doubts))
  // Some converters write a call again beside its result.
  const calls =
    found.length === 0 ? all : all.filter((call) => call.id === null || open.get(call.id) !== callText(call))
  const results = readResults(step, found, all, isClaude)
  const isRepeat = calls.length < all.length
  const isEcho = isRepeat && results.some((result) => result.text === readContent(step['message']))
  return {
    said: said(isEcho ? { ...step, message: null } : step, role, calls, isClaude, refs.length > 0, isRepeat),
    results,
    refs,
  }
}

function roleOfSource(step: JsonObject, doubts: StepDoubt[]): StepRole {
  const source = asText(step['source'])
  const role = roleOf(source)
  if (role === null)
    doubts.push({
      code: 'STEP_INVALID',
      message: `Step ${asId(step['step_id']) ?? '?'} has no known source; kept as environment.`,
    })
  return role ?? 'environment'
}

function said(
  step: JsonObject,
  role: StepRole,
  calls: readonly ToolCall[],
  isClaude: boolean,
  hasRefs: boolean,
  isRepeat: boolean,
): Draft[] {
  const model = asText(step['model_name'])
  const startedAt = asText(step['timestamp'])
  const usage = readMetrics(step['metrics'])
  const owner = {
    ...(model === null ? {} : { model }),
    ...(startedAt === null || startedAt === '' ? {} : { startedAt }),
  }
  const drafts: Draft[] = []
  const reasoning = asText(step['reasoning_content'])
  if (reasoning !== null && reasoning.trim() !== '')
    drafts.push({ role, kind: 'reasoning', text: reasoning, ...owner })
  const written = readContent(step['message'])
  const text = isClaude && calls.length > 0 && SYNTHETIC.test(written ?? '') ? null : written
  const extra = extraOf(step)
  const isEmpty = (text ?? '') === '' && calls.length === 0
  if (isEmpty && (drafts.length > 0 || isRepeat)) {
    const last = drafts.pop()
    return last === undefined ? [] : [{ ...last, ...(usage === null ? {} : { usage }), ...extra }]
  }
  drafts.push({
    role,
    kind: calls.length > 0 ? 'tool_call' : hasRefs && role === 'system' ? 'compaction' : 'message',
    text: calls.length > 0 && text === '' ? null : text,
    ...(calls.length > 0 ? { calls } : {}),
    ...owner,
    ...(usage === null ? {} : { usage }),
    ...extra,
  })
  return drafts
}

function extraOf(step: JsonObject): { readonly extra?: Json } {
  const extra: [string, Json][] = []
  const keep = (key: string, value: Json | undefined): void => {
    if (!isBare(value) && value !== '' && JSON.stringify(value).length <= EXTRA_MAX_CHARACTERS)
      extra.push([key, withoutBytes(value as Json)])
  }
  for (const [key, value] of Object.entries(asObject(step['extra']) ?? {}))
    if (!COPIES.has(key)) keep(key, value)
  keep('reasoningEffort', step['reasoning_effort'])
  keep('costUsd', asNumber(member(step['metrics'], 'cost_usd')) ?? undefined)
  if (step['llm_call_count'] !== 1) keep('llmCalls', step['llm_call_count'])
  if (step['is_copied_context'] === true) extra.push(['copiedContext', true])
  return extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }
}

function readCall(call: Json, doubts: StepDoubt[]): ToolCall {
  const name = asText(member(call, 'function_name')) ?? asText(member(call, 'name')) ?? ''
  const read = readArguments(member(call, 'arguments'))
  if (read.parseError !== undefined)
    doubts.push({
      code: 'CALL_UNPARSED',
      message: `The arguments of ${name || 'a call'} are not JSON (${read.parseError}).`,
    })
  return { id: asId(member(call, 'tool_call_id')), name, ...read }
}

function readResults(
  step: JsonObject,
  found: readonly Json[],
  calls: readonly ToolCall[],
  isClaude: boolean,
): Draft[] {
  const raw = asObject(member(member(step['extra'], 'tool_result_metadata'), 'raw_tool_result'))
  const startedAt = asText(step['timestamp'])
  return found.flatMap((result, at): Draft[] => {
    const written = readContent(member(result, 'content'))
    if (
      written === null &&
      refsOf(member(result, 'subagent_trajectory_ref')).length > 0 &&
      calls.length === 0
    )
      return []
    const exact = isClaude && found.length === 1 && raw !== null ? readContent(raw['content']) : null
    const appended = isClaude ? APPENDED.exec(written ?? '') : null
    const text = exact ?? (appended === null ? written : (written as string).slice(0, appended.index))
    const around = startedAt === null || startedAt === '' ? {} : { startedAt }
    // What comes back where nothing was called (commands written in a text) is what the environment shows.
    if (calls.length === 0) return [{ role: 'environment', kind: 'message', text, ...around }]
    const isError =
      raw?.['is_error'] === true ||
      member(member(result, 'extra'), 'is_error') === true ||
      member(step['extra'], 'tool_result_is_error') === true ||
      /"is_error": ?true/.test(appended?.[1] ?? '') ||
      isErrorText(text)
    // A single answer to several calls stands behind the last of them.
    const call = found.length === calls.length ? calls[at] : calls.at(-1)
    const callId = asId(member(result, 'source_call_id')) ?? call?.id ?? null
    return [
      {
        role: 'tool',
        kind: 'tool_result',
        text,
        ...(callId === null ? {} : { callId }),
        ...(isError ? { isError } : {}),
        ...around,
        ...(found.length === 1 && calls.length > 1 ? { extra: { answersCalls: calls.length } } : {}),
      },
    ]
  })
}

/** Text of a message or result: a string, or the parts of one, images as placeholders. */
function readContent(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return shown(value)
  const parts = asList(value)
  if (parts === null) return JSON.stringify(withoutBytes(value))
  return parts.map(readPart).join('\n')
}

function readPart(part: Json): string {
  const text = asText(part) ?? asText(member(part, 'text'))
  if (text !== null) return shown(text)
  const kind = asText(member(part, 'type'))
  const source = member(part, 'source')
  const data = asText(member(source, 'data'))
  const type = asText(member(source, 'media_type'))
  if (kind !== null && data !== null) return mediaPlaceholder(kind, type, data)
  const path = asText(member(source, 'path')) ?? asText(member(source, 'url'))
  if (kind === null || path === null) return JSON.stringify(withoutBytes(part))
  return `[${[kind, type, shown(path).slice(0, 300)].filter(Boolean).join(', ')}]`
}

function shown(text: string): string {
  const value = withoutBytes(text)
  return typeof value === 'string' ? value : text
}

/** One step's tokens; cached input is part of the prompt. */
export function readMetrics(value: Json | undefined): Usage | null {
  const input = asNumber(member(value, 'prompt_tokens'))
  const output = asNumber(member(value, 'completion_tokens'))
  if (input === null && output === null) return null
  return {
    inputTokens: input,
    outputTokens: output,
    cachedInputTokens: asNumber(member(value, 'cached_tokens')),
  }
}

function refsOf(value: Json | undefined): AgentRef[] {
  return (asList(value) ?? [value ?? null]).flatMap((ref): AgentRef[] => {
    const ids = ['trajectory_id', 'session_id'].flatMap((key) => asText(member(ref, key)) ?? [])
    const path = asText(member(ref, 'trajectory_path'))
    return path === null && ids.length === 0 ? [] : [{ path, ids }]
  })
}
