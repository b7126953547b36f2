// The log of `codex exec --json`: threads, turns and items. Only completed items are steps; an item that was begun and
// never completed is counted. The prompt is not in the log. Fed line by line.

import type { Json, JsonObject } from '../../../base/json.ts'
import { plural } from '../../../base/text.ts'
import type { Trial, TrialError, Usage } from '../../../model/trial.ts'
import { resultContent, resultDraft, type Draft } from '../blocks.ts'
import { asId, asList, asNumber, asObject, asText, isBare, member, others } from '../fields.ts'
import type { StepDoubt } from '../messages.ts'
import { usageOf } from './rollout.ts'
import { toTrial } from './trial.ts'

const LINE_TYPE =
  /^(?:thread\.started|turn\.(?:started|completed|failed)|item\.(?:started|updated|completed)|error)$/

/** True for a line of such a log. */
export function isExecLine(fields: JsonObject): boolean {
  const type = asText(fields['type'])
  if (type === null || !LINE_TYPE.test(type)) return false
  if (type === 'error') return asText(fields['message']) !== null && Object.keys(fields).length === 2
  return !type.startsWith('item.') || asObject(fields['item']) !== null
}

/** A log while its lines come. */
export class ExecLog {
  readonly #drafts: Draft[] = []
  readonly #open = new Set<string>()
  readonly #unknown = new Map<string, number>()
  #id: string | null = null
  #usage: Usage | null = null
  #termination: string | null = null
  #error: TrialError | null = null

  /** True when this line begins another thread. */
  isOther(fields: JsonObject): boolean {
    return (
      fields['type'] === 'thread.started' && this.#id !== null && asText(fields['thread_id']) !== this.#id
    )
  }

  take(fields: JsonObject): void {
    const type = asText(fields['type']) ?? ''
    const item = asObject(fields['item'])
    const itemId = asId(item?.['id'])
    switch (type) {
      case 'thread.started':
        this.#id = asText(fields['thread_id'])
        break
      case 'turn.started':
        this.#termination = null
        this.#error = null
        break
      case 'turn.completed':
        this.#usage = usageOf(fields['usage']) ?? this.#usage
        this.#termination = 'turn.completed'
        break
      case 'turn.failed':
      case 'error': {
        const message = asText(member(fields['error'], 'message')) ?? asText(fields['message'])
        if (type === 'turn.failed') {
          this.#termination = type
          this.#error = { type, message, origin: 'infra' }
        }
        this.#drafts.push({ role: 'environment', kind: 'error', text: message, isError: true })
        break
      }
      case 'item.started':
        if (itemId !== null) this.#open.add(itemId)
        break
      case 'item.completed':
        if (itemId !== null) this.#open.delete(itemId)
        if (item !== null) this.#item(item)
        break
      case 'item.updated':
        break
      default:
        this.#unknown.set(type, (this.#unknown.get(type) ?? 0) + 1)
    }
  }

  finish(fileName: string | null): {
    trial: Trial
    doubts: StepDoubt[]
    unknown: ReadonlyMap<string, number>
  } {
    const doubts: StepDoubt[] = []
    if (this.#open.size > 0)
      doubts.push({
        code: 'STEP_INVALID',
        message: `${plural(this.#open.size, 'item')} ${this.#open.size === 1 ? 'was' : 'were'} begun and not completed; left out.`,
      })
    const facts = {
      id: this.#id,
      version: null,
      models: [],
      turn: null,
      usage: this.#usage,
      termination: this.#termination,
      error: this.#error,
      startedAt: null,
      endedAt: null,
      prompt: null,
      fileName,
      drafts: this.#drafts,
      extra: {},
    }
    return { trial: toTrial(facts, doubts), doubts, unknown: this.#unknown }
  }

  #item(item: JsonObject): void {
    const type = asText(item['type']) ?? asText(item['item_type']) ?? ''
    const text = asText(item['text']) ?? asText(item['message'])
    if (type === 'agent_message' || type === 'assistant_message')
      this.#drafts.push({ role: 'assistant', kind: 'message', text })
    else if (type === 'reasoning') this.#drafts.push({ role: 'assistant', kind: 'reasoning', text })
    else if (type === 'error') this.#drafts.push({ role: 'environment', kind: 'error', text, isError: true })
    else if (type === 'command_execution') {
      const code = asNumber(item['exit_code'])
      const isError = code === null ? item['status'] === 'failed' : code !== 0
      this.#call(item, 'shell', { command: item['command'] ?? null }, item['aggregated_output'], isError)
    } else if (type === 'mcp_tool_call') {
      const name = [asText(item['server']), asText(item['tool'])].filter((part) => part !== null).join('.')
      const error = member(item['error'], 'message')
      const result = member(item['result'], 'content') ?? item['result']
      this.#call(
        item,
        name,
        item['arguments'] ?? {},
        error ?? result,
        item['status'] === 'failed' || !isBare(item['error']),
      )
    } else if (type === 'todo_list')
      this.#call(item, 'update_plan', { items: asList(item['items']) ?? [] }, undefined, false)
    else if (type === 'file_change' || type === 'web_search' || type.endsWith('_call')) {
      const args = others(item, new Set(['id', 'type', 'item_type', 'status'])) ?? {}
      this.#call(item, type, args, asText(item['status']) ?? undefined, item['status'] === 'failed')
    } else this.#unknown.set(`item ${type}`, (this.#unknown.get(`item ${type}`) ?? 0) + 1)
  }

  /** A call that was made and answered in one item. */
  #call(item: JsonObject, name: string, args: Json, result: Json | undefined, isError: boolean): void {
    const id = asId(item['id'])
    this.#drafts.push({ role: 'assistant', kind: 'tool_call', text: null, calls: [{ id, name, args }] })
    if (result !== undefined && result !== null)
      this.#drafts.push(resultDraft({ callId: id, toolName: null, ...resultContent(result), isError }))
  }
}
