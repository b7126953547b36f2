// One Codex session as it is kept (`rollout-….jsonl`): lines {timestamp, type, payload}, or in the oldest files bare
// items. Items are steps; events repeat them and are read for tokens and for how a turn ended. Fed line by line.

import type { Json, JsonObject } from '../../../base/json.ts'
import { plural } from '../../../base/text.ts'
import type { Trial, TrialError, Usage } from '../../../model/trial.ts'
import type { Draft } from '../blocks.ts'
import { asNumber, asObject, asText, isBare, member } from '../fields.ts'
import type { StepDoubt } from '../messages.ts'
import { isResponseItem, ItemReader } from '../responses.ts'
import { toTrial, type CodexFacts } from './trial.ts'

const INJECTED =
  /^\s*(?:<(?:environment_context|user_instructions|permissions|collaboration_mode|turn_aborted|skill|INSTRUCTIONS|subagent_notification)|# AGENTS\.md)/i

/** A line without its envelope. */
export type CodexLine = { readonly type: string; readonly payload: JsonObject; readonly at: string | null }

/** The line that a record is; null when it is none of a session. */
export function toCodexLine(value: Json): CodexLine | null {
  const fields = asObject(value)
  if (fields === null) return null
  const type = asText(fields['type'])
  const payload = asObject(fields['payload'])
  const at = asText(fields['timestamp'])
  if (type !== null && payload !== null) return { type, payload, at }
  if (isResponseItem(fields)) return { type: 'response_item', payload: fields, at }
  if (asText(fields['record_type']) !== null) return { type: 'state', payload: fields, at }
  if (asText(fields['id']) !== null && at !== null) return { type: 'session_meta', payload: fields, at }
  return null
}

/** A session while its lines come. */
export class Rollout {
  readonly #doubts: StepDoubt[] = []
  readonly #items = new ItemReader(this.#doubts)
  /** Messages that only events tell, for files without items. */
  readonly #told: Draft[] = []
  readonly #models = new Set<string>()
  readonly #unknown = new Map<string, number>()
  #meta: JsonObject | null = null
  #turn: JsonObject | null = null
  #usage: Usage | null = null
  #before: Usage | null = null
  #termination: string | null = null
  #error: TrialError | null = null
  #first: string | null = null
  #last: string | null = null

  /** True when this line begins another session than the one at hand. */
  isOther(line: CodexLine): boolean {
    if (line.type !== 'session_meta' || this.#meta === null) return false
    const id = asText(line.payload['id'])
    return id !== asText(this.#meta['id']) && id !== asText(this.#meta['forked_from_id'])
  }

  take(line: CodexLine): void {
    const { type, payload, at } = line
    if (at !== null) {
      this.#first ??= at
      this.#last = at
    }
    if (type === 'session_meta') this.#meta ??= payload
    else if (type === 'turn_context') this.#context(payload)
    else if (type === 'response_item') this.#item(payload, at)
    else if (type === 'event_msg') this.#event(payload, at)
    else if (type === 'compacted')
      this.#items.push({
        role: 'environment',
        kind: 'compaction',
        text: asText(payload['message']),
        ...timeOf(at),
      })
    else if (type !== 'state') this.#note(type)
  }

  /** The trial, with the types of lines that were not known; null when nothing was taken. */
  finish(fileName: string | null): {
    trial: Trial
    doubts: StepDoubt[]
    unknown: ReadonlyMap<string, number>
  } {
    this.#items.flush()
    const hasItems = this.#items.drafts.some((draft) => draft.role === 'assistant')
    const drafts = hasItems || this.#told.length === 0 ? this.#items.drafts : this.#told
    if (drafts.length === 0)
      this.#doubts.push({
        code: 'STEP_INVALID',
        message: 'The session holds no messages and no calls, only events.',
      })
    const meta = this.#meta
    const instructions = asText(meta?.['instructions']) ?? asText(member(meta?.['base_instructions'], 'text'))
    const facts: CodexFacts = {
      id: asText(meta?.['id']),
      version: asText(meta?.['cli_version']),
      models: [...this.#models],
      turn: this.#turn,
      usage: this.#usage === null ? null : sum(this.#before, this.#usage),
      termination: this.#termination,
      error: this.#error,
      startedAt: asText(meta?.['timestamp']) ?? this.#first,
      endedAt: this.#last,
      prompt:
        drafts.find((draft) => draft.role === 'user' && draft.text !== null && draft.text !== '')?.text ??
        null,
      fileName,
      drafts:
        instructions === null ? drafts : [{ role: 'system', kind: 'message', text: instructions }, ...drafts],
      extra: aboutOf(meta),
    }
    return { trial: toTrial(facts, this.#doubts), doubts: this.#doubts, unknown: this.#unknown }
  }

  #context(payload: JsonObject): void {
    this.#turn ??= payload
    const model = asText(payload['model'])
    if (model !== null) this.#models.add(model)
    this.#items.flush()
  }

  #item(payload: JsonObject, at: string | null): void {
    const model = [...this.#models].at(-1)
    const before = this.#items.drafts.length
    const isKnown = this.#items.take(payload, { ...timeOf(at), ...(model === undefined ? {} : { model }) })
    if (!isKnown) {
      if (asText(payload['type']) !== 'ghost_snapshot')
        this.#note(`response_item ${asText(payload['type']) ?? ''}`)
      return
    }
    const added = this.#items.drafts[before]
    if (added?.role === 'user' && added.text !== null && INJECTED.test(added.text))
      this.#items.drafts[before] = { ...added, role: 'environment' }
  }

  #event(payload: JsonObject, at: string | null): void {
    switch (asText(payload['type'])) {
      case 'token_count':
        this.#tokens(asObject(payload['info']))
        break
      case 'user_message':
      case 'agent_message':
        this.#told.push({
          role: payload['type'] === 'user_message' ? 'user' : 'assistant',
          kind: 'message',
          text: asText(payload['message']),
          ...timeOf(at),
        })
        break
      case 'task_started':
      case 'turn_started':
        this.#termination = null
        this.#error = null
        break
      case 'task_complete':
      case 'turn_complete':
        this.#termination = 'task_complete'
        break
      case 'turn_aborted':
        this.#termination = asText(payload['reason']) ?? 'turn_aborted'
        break
      case 'error':
        this.#termination = 'error'
        this.#error = { type: errorType(payload), message: asText(payload['message']), origin: 'infra' }
        this.#items.push({
          role: 'environment',
          kind: 'error',
          text: asText(payload['message']),
          isError: true,
          ...timeOf(at),
        })
        break
      case 'thread_rolled_back':
        this.#rollBack(asNumber(payload['num_turns']) ?? 0)
    }
  }

  /** Totals are cumulative. When they fall, the program was started anew and counts from zero. */
  #tokens(info: JsonObject | null): void {
    const model = asText(info?.['model'])
    if (model !== null && this.#models.size === 0) this.#models.add(model)
    const total = usageOf(info?.['total_token_usage'])
    const last = usageOf(info?.['last_token_usage'])
    if (last !== null) this.#items.count(last)
    if (total === null) return
    if (this.#usage !== null && (total.inputTokens ?? 0) < (this.#usage.inputTokens ?? 0))
      this.#before = sum(this.#before, this.#usage)
    this.#usage = total
  }

  /** Takes back the last turns, as the person did. */
  #rollBack(turns: number): void {
    this.#items.flush()
    const prompts = this.#items.drafts.flatMap((draft, at) => (draft.role === 'user' ? [at] : []))
    const from = turns > 0 ? prompts[Math.max(0, prompts.length - turns)] : undefined
    if (from === undefined) return
    const removed = this.#items.drafts.splice(from)
    this.#doubts.push({
      code: 'BRANCH_LEFT',
      message: `The session was rolled back by ${plural(turns, 'turn')}: ${plural(removed.length, 'step')} left aside.`,
    })
  }

  #note(type: string): void {
    this.#unknown.set(type, (this.#unknown.get(type) ?? 0) + 1)
  }
}

function timeOf(at: string | null): { startedAt?: string } {
  return at === null ? {} : { startedAt: at }
}

function errorType(payload: JsonObject): string | null {
  const info = payload['codex_error_info']
  return asText(info) ?? Object.keys(asObject(info) ?? {})[0] ?? null
}

/** Token counts of Codex; cached input is part of the input already. */
export function usageOf(value: Json | undefined): Usage | null {
  const usage = asObject(value)
  const input = asNumber(usage?.['input_tokens'])
  const output = asNumber(usage?.['output_tokens'])
  if (input === null && output === null) return null
  return {
    inputTokens: input,
    outputTokens: output,
    cachedInputTokens: asNumber(usage?.['cached_input_tokens']),
  }
}

function sum(a: Usage | null, b: Usage): Usage {
  if (a === null) return b
  const add = (x: number | null, y: number | null): number | null =>
    x === null && y === null ? null : (x ?? 0) + (y ?? 0)
  return {
    inputTokens: add(a.inputTokens, b.inputTokens),
    outputTokens: add(a.outputTokens, b.outputTokens),
    cachedInputTokens: add(a.cachedInputTokens, b.cachedInputTokens),
  }
}

/** What the first line says of the session's surroundings. A sub-agent's session names the one that started it. */
function aboutOf(meta: JsonObject | null): Record<string, Json> {
  const about: Record<string, Json> = {}
  for (const key of [
    'cwd',
    'originator',
    'source',
    'model_provider',
    'git',
    'forked_from_id',
    'agent_nickname',
  ]) {
    const value = meta?.[key]
    if (!isBare(value)) about[key] = value as Json
  }
  return about
}
