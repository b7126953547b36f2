// A chain of lines as steps: the lines of one API message are one message, a compaction is one step, error notices are
// errors. Also what the messages say of tokens, costs and models. Pure.

import type { Json, JsonObject } from '../../../base/json.ts'
import type { Usage } from '../../../model/trial.ts'
import { asNumber, asObject, asText, member } from '../fields.ts'
import { draftsOf, joined, readBlocks, type Around, type Block, type Draft } from '../blocks.ts'
import type { StepDoubt } from '../messages.ts'
import {
  answeredCalls,
  isErrorNotice,
  isInjected,
  isSynthetic,
  promptOf,
  userText,
  type Line,
} from './lines.ts'
import { sumUsages } from '../usage.ts'

/** Steps of a chain, each with the line that it begins in, and what the chain's messages add up to. */
export type Told = {
  readonly drafts: readonly { readonly draft: Draft; readonly line: Line }[]
  readonly usages: readonly Usage[]
  /** In the order of their first message; without the notices that no model wrote. */
  readonly models: readonly string[]
  /** Of every API message that has one. */
  readonly costs: readonly number[]
  readonly messages: number
  /** Why the last API message ended. */
  readonly stopReason: string | null
}

/** One message: the lines that it is spread over. */
type Message = { readonly lines: Line[]; readonly kind: Line['kind'] }

/** The steps of a chain. `agent` is the sub-agent that speaks; null in the session's own conversation. */
export function tellChain(lines: readonly Line[], agent: string | null, doubts: StepDoubt[]): Told {
  const drafts: { draft: Draft; line: Line }[] = []
  const usages: Usage[] = []
  const models = new Set<string>()
  const costs: number[] = []
  let messages = 0
  let stopReason: string | null = null
  for (const message of merged(lines)) {
    const first = message.lines[0] as Line
    const own = agent === null ? {} : { agent }
    const push = (all: readonly Draft[]): void => {
      for (const draft of all) drafts.push({ draft, line: first })
    }
    if (message.kind === 'boundary') push([compactionDraft(message.lines, own)])
    else if (message.kind === 'user') push(userDrafts(first, own, doubts))
    else if (isSynthetic(first)) push([noticeDraft(first, own)])
    else {
      const last = message.lines.at(-1) as Line
      const usage = usageOf(message.lines.findLast((line) => asObject(line.message?.['usage']) !== null))
      const model = asText(first.message?.['model'])
      const cost = message.lines
        .map((line) => asNumber(line.fields['costUSD']))
        .findLast((one) => one !== null)
      if (usage !== null) usages.push(usage)
      if (model !== null) models.add(model)
      if (cost !== undefined && cost !== null) costs.push(cost)
      messages += 1
      stopReason = asText(last.message?.['stop_reason']) ?? (message.lines.length > 1 ? stopReason : null)
      const around: Around = {
        ...own,
        ...timesOf(first, last),
        ...(model === null ? {} : { model }),
        ...(usage === null ? {} : { usage }),
      }
      push(draftsOf('assistant', assistantBlocks(message.lines, doubts), around, doubts))
    }
  }
  return { drafts, usages, models: [...models], costs, messages, stopReason }
}

/** Lines grouped: those of one API message, and a compaction's boundary with its summary. */
function merged(lines: readonly Line[]): Message[] {
  const messages: Message[] = []
  const open = new Map<string, Message>()
  for (const line of lines) {
    const isSummary = line.fields['isCompactSummary'] === true
    const before = messages.at(-1)
    if (line.kind === 'assistant' && line.messageId !== null && !isSynthetic(line)) {
      const known = open.get(line.messageId)
      if (known !== undefined) known.lines.push(line)
      else {
        const message: Message = { lines: [line], kind: 'assistant' }
        open.set(line.messageId, message)
        messages.push(message)
      }
      continue
    }
    if (isSummary && before?.kind === 'boundary' && before.lines.length === 1) before.lines.push(line)
    else messages.push({ lines: [line], kind: isSummary ? 'boundary' : line.kind })
    // An id that comes again after a prompt is another message: some gateways give all the same one.
    if (promptOf(line) !== null || isSummary || line.kind === 'boundary') open.clear()
  }
  return messages
}

function timesOf(first: Line, last: Line): Pick<Draft, 'startedAt' | 'endedAt'> {
  return {
    ...(first.at === null ? {} : { startedAt: first.at }),
    ...(last === first || last.at === null ? {} : { endedAt: last.at }),
  }
}

/** The blocks of a message's lines; a call that a line repeats counts once. */
function assistantBlocks(lines: readonly Line[], doubts: StepDoubt[]): Block[] {
  const calls = new Set<string>()
  const blocks: Block[] = []
  for (const line of lines) {
    if (line.message?.['content'] === undefined)
      doubts.push({
        code: 'STEP_INVALID',
        message: `The message on line ${line.record.line} has no content.`,
      })
    for (const block of readBlocks(line.message?.['content'])) {
      const id = block.kind === 'call' ? block.call.id : null
      if (id !== null && calls.has(id)) continue
      if (id !== null) calls.add(id)
      blocks.push(block)
    }
  }
  return blocks
}

function userDrafts(line: Line, own: Around, doubts: StepDoubt[]): Draft[] {
  const around: Around = { ...own, ...timesOf(line, line) }
  const content = line.message?.['content']
  if (line.message === null || content === undefined) {
    doubts.push({
      code: 'STEP_INVALID',
      message: `The message on line ${line.record.line} has no content; kept as it is.`,
    })
    const kept = line.fields['message'] ?? null
    return [{ role: 'environment', kind: 'message', text: null, content: kept, ...around }]
  }
  const text = userText(line)
  const extra = agentResult(line)
  const withExtra = extra === undefined ? around : { ...around, extra }
  return draftsOf(isInjected(line, text) ? 'environment' : 'user', readBlocks(content), withExtra, doubts)
}

const AGENT_KEYS = ['agentId', 'status', 'totalTokens', 'totalDurationMs', 'totalToolUseCount']

/** What a sub-agent's result says of its work; the rest of a structured result repeats the text. */
function agentResult(line: Line): JsonObject | undefined {
  const result = asObject(line.fields['toolUseResult'] ?? line.fields['tool_use_result'])
  if (result === null || answeredCalls(line).length === 0 || asText(result['agentId']) === null)
    return undefined
  const kept = AGENT_KEYS.flatMap((key): [string, Json][] => {
    const value = result[key]
    return value === undefined || value === null ? [] : [[key, value]]
  })
  return { subAgent: Object.fromEntries(kept) }
}

function compactionDraft(lines: readonly Line[], own: Around): Draft {
  const first = lines[0] as Line
  const summary = lines.find((line) => line.kind === 'user')
  const about = asObject(first.fields['compactMetadata'] ?? first.fields['compact_metadata'])
  const text = summary === undefined ? asText(first.fields['content']) : userText(summary)
  return {
    role: 'environment',
    kind: 'compaction',
    text,
    ...own,
    ...timesOf(first, first),
    ...(about === null ? {} : { extra: about }),
  }
}

function noticeDraft(line: Line, own: Around): Draft {
  const text = joined(readBlocks(line.message?.['content']))
  const isError = isErrorNotice(line, text)
  return {
    role: 'environment',
    kind: isError ? 'error' : 'message',
    text,
    ...(isError ? { isError: true } : {}),
    ...own,
    ...timesOf(line, line),
  }
}

/** The tokens of an API message; what was read from and written to the cache is part of the input. */
function usageOf(line: Line | undefined): Usage | null {
  const usage = asObject(line?.message?.['usage'])
  if (usage === null) return null
  return readUsage(
    usage,
    'input_tokens',
    'output_tokens',
    'cache_read_input_tokens',
    'cache_creation_input_tokens',
  )
}

/** Token counts under those names. */
export function readUsage(
  usage: JsonObject,
  input: string,
  output: string,
  read: string,
  written: string,
): Usage | null {
  const fresh = asNumber(usage[input])
  const made = asNumber(usage[output])
  if (fresh === null && made === null) return null
  const cached = asNumber(usage[read])
  return {
    inputTokens: fresh === null ? null : fresh + (cached ?? 0) + (asNumber(usage[written]) ?? 0),
    outputTokens: made,
    cachedInputTokens: cached,
  }
}

/** The tokens that a `result` line counts, model by model or together; null when it counts none. */
export function resultUsage(result: JsonObject): Usage | null {
  const byModel = Object.values(asObject(result['modelUsage']) ?? {}).flatMap((value) => {
    const usage = asObject(value)
    const read =
      usage === null
        ? null
        : readUsage(usage, 'inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens')
    return read === null ? [] : [read]
  })
  if (byModel.length > 0) return sumUsages(byModel)
  const usage = asObject(member(result, 'usage'))
  return usage === null
    ? null
    : readUsage(
        usage,
        'input_tokens',
        'output_tokens',
        'cache_read_input_tokens',
        'cache_creation_input_tokens',
      )
}
