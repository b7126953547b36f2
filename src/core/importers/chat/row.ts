// One conversation with what stands beside it: task, trial, outcome, reward, model and the like, where a line has
// them. Pure: members in, a trial out. A status that says only that the conversation ended is no outcome.

import type { Json, JsonObject } from '../../../base/json.ts'
import type { Outcome } from '../../../model/outcome.ts'
import { UNKNOWN_CONFIGURATION, type Configuration, type Trial, type Usage } from '../../../model/trial.ts'
import { isNaive, readTrialError } from '../faultline-fields.ts'
import { asId, asList, asNumber, asObject, asText, EXTRA_MAX_CHARACTERS, isBare } from '../fields.ts'
import type { StepDoubt } from '../messages.ts'
import { fileUnder } from '../naming.ts'
import { isMessage, readMessages } from './messages.ts'
import { OUTCOMES, outcomeOf, SCORES } from './outcome.ts'

export const SUITE = 'chat'
/** Ids that are long enough not to be the number of a row. */
const SCOPED_ID = /^(?=.*\d)[\w.:-]{16,}$/

const LISTS = [
  'messages',
  'conversation',
  'conversations',
  'chat',
  'dialogue',
  'turns',
  'contents',
  'items',
  'input',
]
const TASKS = [
  'task_id',
  'taskId',
  'task',
  'instance_id',
  'question_id',
  'problem_id',
  'example_id',
  'prompt_id',
  'case_id',
]
const TRIALS = [
  'trial',
  'trial_index',
  'trial_number',
  'attempt',
  'repetition',
  'repeat',
  'epoch',
  'run_index',
  'sample_index',
]
const IDS = ['trial_id', 'run_id', 'conversation_id', 'session_id', 'thread_id', 'id', 'uuid']
const SUITES = ['suite', 'domain', 'dataset', 'benchmark']
const SYSTEMS = ['system', 'instructions', 'systemInstruction', 'system_instruction']
/** Members of formats that hold messages too, and are read otherwise or not at all. */
const FOREIGN = [
  'trajectory_format',
  'schema_version',
  'simulations',
  'traj',
  'projectHash',
  'run_type',
  'resourceSpans',
  'resource',
  'observations',
  'trajectory',
  'episode',
  'mistake_step',
  'eval',
  'spans',
  'model_usage',
  'message_count',
]
const READ = new Set([...LISTS, ...TASKS, ...TRIALS, ...OUTCOMES, ...SCORES, ...SUITES, ...SYSTEMS])
const ALSO_READ = [
  'output',
  'model',
  'model_name',
  'agent',
  'agent_version',
  'prompt_version',
  'environment',
  'seed',
]
const READ_LATER = [
  'usage',
  'cost',
  'cost_usd',
  'total_cost',
  'error',
  'termination',
  'termination_reason',
  'params',
]
const KNOWN = new Set([
  ...READ,
  ...ALSO_READ,
  ...READ_LATER,
  'temperature',
  'score_threshold',
  'started_at',
  'ended_at',
])

/** The messages of a row, in order; null when it has none. */
export function messagesOf(row: JsonObject): readonly Json[] | null {
  for (const key of LISTS) {
    const list = asList(row[key])
    // Some writers put the one conversation into a list of its own.
    const inner = list?.length === 1 ? asList(list[0]) : null
    const messages = inner ?? list
    if (messages === null || messages.length === 0 || !messages.slice(0, 3).every((one) => isMessage(one)))
      continue
    return key === 'input' ? [...messages, ...(asList(row['output']) ?? [])] : messages
  }
  return null
}

/** The name of the list that a row's messages stand in, when it is a conversation and of no other format; else null. */
export function listNameOf(row: JsonObject): string | null {
  if (isForeign(row) || messagesOf(row) === null) return null
  return LISTS.find((key) => asList(row[key]) !== null) ?? null
}

/**
 * True for a row whose conversation is empty, although it names its task and says how it ended: the agent never began.
 * It is a trial without steps.
 */
export function isEmptyRow(row: JsonObject): boolean {
  const isEmpty = LISTS.some(
    (key) => Object.hasOwn(row, key) && (row[key] === null || asList(row[key])?.length === 0),
  )
  const isNamed = TASKS.some((key) => asId(row[key]) !== null)
  return (
    isEmpty &&
    isNamed &&
    !isForeign(row) &&
    messagesOf(row) === null &&
    outcomeOf(row, []).outcome !== 'unknown'
  )
}

function isForeign(row: JsonObject): boolean {
  // A sample of an Inspect log, by what stands at its beginning.
  const isSample = ['epoch', 'input', 'target'].every((key) => Object.hasOwn(row, key))
  return isSample || FOREIGN.some((key) => Object.hasOwn(row, key))
}

/** What tells the conversations of a file of single messages apart. */
export function conversationKey(message: JsonObject): string {
  const keys = [...IDS.filter((key) => key !== 'id' && key !== 'uuid'), ...TASKS, ...TRIALS]
  return JSON.stringify(keys.map((key) => asId(message[key])))
}

/** A trial with the id that may be compared across files, or null. */
export type RowTrial = { readonly trial: Trial; readonly key: string | null }

/**
 * The trial of a row. `fileName` is null where the file holds other conversations too. Doubts about steps and the
 * outcome are appended.
 */
export function readRow(
  row: JsonObject,
  messages: readonly Json[],
  fileName: string | null,
  doubts: StepDoubt[],
): RowTrial {
  const first = <T>(keys: readonly string[], read: (value: Json | undefined) => T | null): T | null => {
    for (const key of keys) {
      const value = Object.hasOwn(row, key) ? read(row[key]) : null
      if (value !== null && value !== '') return value
    }
    return null
  }
  const system = first(SYSTEMS, (value) =>
    asText(value) === null && asObject(value) === null && asList(value) === null ? null : (value as Json),
  )
  const opened =
    system === null
      ? messages
      : [{ role: 'system', content: asObject(system)?.['parts'] ?? system }, ...messages]
  const steps = readMessages(opened, doubts)
  const prompt = steps.find((step) => step.role === 'user' && (step.text ?? '').trim() !== '')?.text ?? null
  const id = first(IDS, asId)
  const named = first(TASKS, asId)
  const filed = fileUnder(named === null ? fileName : null, prompt, id ?? SUITE)
  const scored = outcomeOf(row, doubts)
  const error = readTrialError(row['error'])
  const outcome: Outcome = error !== null && scored.outcome === 'unknown' ? 'error' : scored.outcome
  const startedAt = first(['started_at', 'start_time', 'created_at', 'timestamp', 'date'], asTime)
  const endedAt = first(['ended_at', 'end_time', 'completed_at'], asTime)
  const trial: Trial = {
    sourceId: id,
    suite: first(SUITES, asId) ?? SUITE,
    ...filed,
    ...(named === null ? {} : { task: named, taskTitle: null }),
    sourceTrial: first(TRIALS, asId) ?? filed.sourceTrial,
    configuration: configurationOf(row),
    seed: asId(row['seed']),
    outcome,
    score: scored.score,
    scoreRaw: scored.raw,
    scores: scored.scores,
    scorer: scored.scorer,
    termination: first(['termination', 'termination_reason', 'finish_reason', 'exit_status'], asText),
    error,
    severeErrors: [],
    usage: usageOf(row['usage']),
    costUsd: first(['cost_usd', 'total_cost', 'cost'], asNumber),
    startedAt,
    endedAt,
    timeNaive: isNaive(startedAt, endedAt),
    steps,
    extra: extraOf(row, id),
  }
  return { trial, key: id !== null && SCOPED_ID.test(id) ? id : null }
}

function asTime(value: Json | undefined): string | null {
  const text = asText(value)
  return text !== null && /^\d{4}-\d\d-\d\d/.test(text) ? text : null
}

function configurationOf(row: JsonObject): Configuration {
  const model = asText(row['model']) ?? asText(row['model_name'])
  const agent = asText(row['agent'])
  const temperature = asNumber(row['temperature'])
  return {
    ...UNKNOWN_CONFIGURATION,
    label: [model, agent].filter((word) => word !== null).join(' ') || null,
    model,
    agent,
    agentVersion: asId(row['agent_version']),
    promptVersion: asId(row['prompt_version']),
    environment: asText(row['environment']),
    params: { ...asObject(row['params']), ...(temperature === null ? {} : { temperature }) },
  }
}

function usageOf(value: Json | undefined): Usage | null {
  const usage = asObject(value)
  if (usage === null) return null
  const input = asNumber(usage['input_tokens']) ?? asNumber(usage['prompt_tokens'])
  const output = asNumber(usage['output_tokens']) ?? asNumber(usage['completion_tokens'])
  if (input === null && output === null) return null
  const details = asObject(usage['prompt_tokens_details']) ?? asObject(usage['input_tokens_details'])
  const read = asNumber(usage['cache_read_input_tokens'])
  // Anthropic counts cached input beside the input, OpenAI inside of it.
  const beside = (read ?? 0) + (asNumber(usage['cache_creation_input_tokens']) ?? 0)
  return {
    inputTokens: input === null ? null : input + beside,
    outputTokens: output,
    cachedInputTokens: read ?? asNumber(usage['cached_input_tokens']) ?? asNumber(details?.['cached_tokens']),
  }
}

function extraOf(row: JsonObject, id: string | null): Record<string, Json> {
  const kept = Object.entries(row).filter(
    ([key, value]) =>
      !KNOWN.has(key) &&
      !isBare(value) &&
      !(IDS.includes(key) && asId(value) === id) &&
      JSON.stringify(value).length <= EXTRA_MAX_CHARACTERS,
  )
  return Object.fromEntries(kept)
}
