// The small shared pieces of Faultline JSONL: names of record types and keys, outcomes, severities, usage and
// times. Reading (faultline-trial.ts, faultline-steps.ts) and writing (faultline-write.ts) both stand on these.

import type { Json, JsonObject } from '../../base/json.ts'
import { wellFormed } from '../../base/text.ts'
import type { Outcome } from '../../model/outcome.ts'
import {
  UNKNOWN_CONFIGURATION,
  type Configuration,
  type SevereEvent,
  type Severity,
  type TrialError,
  type Usage,
} from '../../model/trial.ts'
import { asId, asNumber, asObject, asText, others } from './fields.ts'

/** The version of Faultline JSONL that is written, and the newest that is read. */
export const FAULTLINE_VERSION = 1

/** The suite of trials whose file names none. */
export const DEFAULT_SUITE = 'default'

/** The record types that version 1 knows. */
export const RECORD_TYPES = new Set(['header', 'config', 'task', 'trial', 'step', 'score', 'label'])

const OUTCOME_WORDS: readonly (readonly [Outcome, readonly string[]])[] = [
  ['pass', ['pass', 'passed', 'success', 'succeeded', 'resolved', 'correct', 'true', 'yes', '1']],
  ['fail', ['fail', 'failed', 'failure', 'unresolved', 'incorrect', 'false', 'no', '0']],
  ['error', ['error', 'errored', 'crashed', 'timeout']],
  ['unknown', ['unknown', 'unscored', 'none', '']],
]

/** The outcome that a word, boolean or 0/1 means; null when it means none. */
export function readOutcome(value: Json | undefined): Outcome | null {
  if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number') return null
  const word = String(value).trim().toLowerCase()
  return OUTCOME_WORDS.find(([, words]) => words.includes(word))?.[0] ?? null
}

const SEVERITIES: ReadonlyMap<string, Severity> = new Map([
  ['low', 'minor'],
  ['minor', 'minor'],
  ['medium', 'major'],
  ['major', 'major'],
  ['high', 'severe'],
  ['critical', 'severe'],
  ['severe', 'severe'],
])

/** One entry of `severe_errors`; without a known severity it is severe, as the list's name says. */
export function readSevereEvent(value: Json): SevereEvent {
  const event = asObject(value)
  const step = event?.['step']
  return {
    step: typeof step === 'number' && Number.isInteger(step) ? step : null,
    kind: asText(event?.['kind']) ?? asText(value) ?? 'unspecified',
    severity: SEVERITIES.get(asText(event?.['severity'])?.toLowerCase() ?? '') ?? 'severe',
    note: asText(event?.['note']),
  }
}

const ORIGINS = new Set(['agent', 'infra', 'user_sim', 'verifier', 'unknown'])

/** The `error` of a trial: an object, or its message alone. */
export function readTrialError(value: Json | undefined): TrialError | null {
  if (value === undefined || value === null || value === false) return null
  const error = asObject(value)
  if (error === null)
    return { type: null, message: asText(value) ?? JSON.stringify(value), origin: 'unknown' }
  const origin = asText(error['origin']) ?? ''
  return {
    type: asText(error['type']),
    message: asText(error['message']),
    origin: ORIGINS.has(origin) ? (origin as TrialError['origin']) : 'unknown',
  }
}

/** Token counts; null when there is no object. */
export function readUsage(value: Json | undefined): Usage | null {
  const usage = asObject(value)
  if (usage === null) return null
  return {
    inputTokens: asNumber(usage['input_tokens']),
    outputTokens: asNumber(usage['output_tokens']),
    cachedInputTokens: asNumber(usage['cached_input_tokens']),
  }
}

/** Token counts as they are written. */
export function writeUsage(usage: Usage): JsonObject {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_input_tokens: usage.cachedInputTokens,
  }
}

/** A time as the source wrote it: a string, or the digits of a number. */
export function readTime(value: Json | undefined): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** True when a time is given as a date without a zone. */
export function isNaive(...times: readonly (string | null)[]): boolean {
  const given = times.find((time) => time !== null)
  return (
    given !== undefined &&
    given !== null &&
    /^\d{4}-\d\d/.test(given) &&
    !/(?:Z|[+-]\d\d:?\d\d)$/i.test(given)
  )
}

const CONFIGURATION_KEYS = {
  label: 'label',
  model: 'model',
  agent: 'agent',
  agentVersion: 'agent_version',
  promptVersion: 'prompt_version',
  toolsVersion: 'tools_version',
  policyVersion: 'policy_version',
  environment: 'environment',
} as const
type ConfigurationText = keyof typeof CONFIGURATION_KEYS
const CONFIGURATION_TEXTS = Object.keys(CONFIGURATION_KEYS) as ConfigurationText[]
const CONFIGURATION_KNOWN = new Set(['type', 'config_id', 'params', ...Object.values(CONFIGURATION_KEYS)])

/** A `config` record as a configuration; what it holds beyond the known keys goes into `params`. */
export function readConfiguration(record: JsonObject): Configuration {
  const texts = { ...UNKNOWN_CONFIGURATION } as Record<ConfigurationText, string | null>
  for (const field of CONFIGURATION_TEXTS) texts[field] = asId(record[CONFIGURATION_KEYS[field]])
  if (!Object.hasOwn(record, 'label')) texts.label = asId(record['config_id'])
  const params = asObject(record['params'])
  const rest = others(record, CONFIGURATION_KNOWN)
  return { ...texts, params: { ...rest, ...params } }
}

/** A configuration as a `config` record. */
export function writeConfiguration(configuration: Configuration, id: string): JsonObject {
  const record: Record<string, Json> = { type: 'config', config_id: id }
  for (const field of CONFIGURATION_TEXTS) {
    const value = configuration[field]
    if (value !== null || field === 'label') record[CONFIGURATION_KEYS[field]] = value
  }
  if (Object.keys(configuration.params).length > 0) record['params'] = configuration.params
  return record
}

/** A text for a title or instruction: a string, or the JSON of something else; null when there is nothing. */
export function readProse(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : wellFormed(JSON.stringify(value))
}
